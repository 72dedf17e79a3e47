"""Read a certificate of whatever kind of claim."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.ratio import RatioCertificate
from relaxspca.certificate.reading import parsed_file
from relaxspca.certificate.reading_ratio import is_ratio
from relaxspca.certificate.reading_table import is_table
from relaxspca.certificate.table import TableCertificate

__all__ = ["load_certificate"]


def load_certificate(path: str | os.PathLike[str]) -> Certificate | RatioCertificate | TableCertificate:
    """Read a certificate, about one component, several components or a ratio, from its file."""

    def read(document: object, place: Path) -> Certificate | RatioCertificate | TableCertificate:
        kind: Any = TableCertificate if is_table(document) else Certificate
        kind = RatioCertificate if is_ratio(document) else kind
        found: Certificate | RatioCertificate | TableCertificate = kind.reader(document, place, kind)
        return found

    return parsed_file(path, read)
