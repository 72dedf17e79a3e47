"""Read a certificate of whatever kind of claim."""

from __future__ import annotations

import os
from pathlib import Path

from relaxspca.certificate import statement, table_statement
from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.reading import believed, certificate_in
from relaxspca.certificate.reading_table import is_table, table_in
from relaxspca.certificate.table import TableCertificate

__all__ = ["load_certificate", "symbol_of"]


def load_certificate(path: str | os.PathLike[str]) -> Certificate | TableCertificate:
    """Read a certificate about one component or about several; CertificateError when it is neither."""
    if not isinstance(path, str | os.PathLike):
        return Certificate.load(path)  # which says what is wrong
    place = Path(path)

    def read(document: object) -> Certificate | TableCertificate:
        if is_table(document):
            return table_in(document, place, TableCertificate)
        return certificate_in(document, place, Certificate)

    return believed(place, None, read)


def symbol_of(certificate: Certificate | TableCertificate) -> str:
    """Return the symbol of what is bounded."""
    if isinstance(certificate, TableCertificate):
        return table_statement.symbol(certificate)
    return statement.symbol(certificate)
