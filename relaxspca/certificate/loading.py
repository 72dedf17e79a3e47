"""Read a certificate of whatever kind of claim."""

from __future__ import annotations

import os
from pathlib import Path

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.ratio import RatioCertificate
from relaxspca.certificate.reading import believed, certificate_in
from relaxspca.certificate.reading_ratio import is_ratio, ratio_in
from relaxspca.certificate.reading_table import is_table, table_in
from relaxspca.certificate.table import TableCertificate

__all__ = ["load_certificate"]


def load_certificate(path: str | os.PathLike[str]) -> Certificate | RatioCertificate | TableCertificate:
    """Read a certificate, about one component, several components or a ratio, from its file."""
    if not isinstance(path, str | os.PathLike):
        return Certificate.load(path)  # which says what is wrong
    place = Path(path)

    def read(document: object) -> Certificate | RatioCertificate | TableCertificate:
        if is_table(document):
            return table_in(document, place, TableCertificate)
        if is_ratio(document):
            return ratio_in(document, place, RatioCertificate)
        return certificate_in(document, place, Certificate)

    return believed(place, None, read)
