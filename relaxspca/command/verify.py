"""Check certificates.

relaxspca verify proofs --against my.csv --data
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from relaxspca.certificate import Description, load_certificate
from relaxspca.checker.rounded import Rounded
from relaxspca.command.data import add_reading, data_read, reading_told
from relaxspca.command.generalized import pair_read
from relaxspca.command.output import Output
from relaxspca.command.subset import response_read
from relaxspca.command.words import add
from relaxspca.errors import CertificateError, InputError
from relaxspca.report.archive import certificate_paths, summary, verify_many, write_csv
from relaxspca.tasks.verify import variables_of

UNLIKE = ("there is no column", "there is no variable", "be left uncentred", "takes the columns as they are")


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument("paths", nargs="+", metavar="CERT", help="files, folders or globs")
    command.add_argument("--exact", action="store_true", help="rational arithmetic, however long it takes")
    command.add_argument("--against", metavar="DATA", help="covariance or observations that they must be about")
    below = "of a claim about x'Ax / x'Bx: --against holds A, this file B"
    command.add_argument("--denominator", metavar="B", help=below)
    response = "of a claim about least squares: the column of DATA to explain"
    command.add_argument("--response", metavar="NAME", help=response)
    add_reading(command)
    add(command, "--n-jobs")
    command.add_argument("--csv", metavar="FILE", help="write the summary as a table")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> Output:
    """Check certificates; 0 all verified, 1 one is not, 2 one cannot be read or compared."""
    against = _against(arguments)
    exact = True if arguments.exact else None
    rows = verify_many(arguments.paths, exact=exact, against=against)
    if arguments.csv is not None:
        write_csv(rows, arguments.csv)
    lines = []
    # Of many, the matrix is said once, at the end, where it is the same for all.
    is_one_matrix = len({row.digest for row in rows if row.digest}) == 1
    for row in rows:
        how = f"{row.arithmetic or 'not checked'}, {row.seconds:.2f} s"
        lines.append(f"{row.outcome:<12}  {row.path}  ({how})")
        told = row.statement
        if len(rows) > 1:
            told = told[:2] + told[3:] if is_one_matrix else told
            told = tuple(said for said in told if not said.startswith(("uniqueness", "arithmetic: ")))
        lines += [f"  {said}" for said in (*row.reasons, *told)]
    lines += [*_advice(arguments, rows), summary(rows)]
    proved = sum(row.verified for row in rows)
    is_unchecked = any(row.outcome in ("unreadable", "not compared") for row in rows)
    code = 2 if is_unchecked or not rows else int(proved < len(rows))
    return Output("\n".join(lines), {"verified": proved, "rows": [asdict(row) for row in rows]}, code)


def _against(arguments: argparse.Namespace) -> Any:
    """Return what the certificates are held against: a covariance, a pair of matrices, or data and response."""
    for word in ("against", "denominator"):
        name = getattr(arguments, word)
        # What a pipe or a device gives may never come to an end, or never come.
        if name is not None and Path(name).exists() and not Path(name).is_file():
            raise InputError(f"--{word} {name}: not a regular file (- is standard input)")
    told = [f"--{word}" for word in ("denominator", "response") if getattr(arguments, word) is not None]
    if arguments.against is None:
        if told or reading_told(arguments):
            words = told[0] if told else "--data, --covariance and --correlation"
            raise InputError(f"{words} say how to read --against DATA: give it too")
        return None
    if len(told) == 2:
        raise InputError(
            "--denominator is for claims about x'Ax / x'Bx, --response for least squares: give one"
        )
    if arguments.denominator is not None:
        return pair_read(arguments.against, arguments.denominator, arguments)[:2]
    return _read_as_certified(arguments)


def _read(words: argparse.Namespace, more: str = "") -> Any:
    """Return a covariance, or the columns by name and the response; say how they were read, and what `more`."""
    if words.response is None:
        return data_read(words.against, words, more=more)[0]
    X, y, names, _ = response_read(words.against, words)
    return dict(zip(names, X.T, strict=True)), y


def _read_as_certified(arguments: argparse.Namespace) -> Any:
    """Read DATA as the certificates say that theirs were: the same variables, scaled and centred alike.

    The words of the command come first. Where DATA does not fit that, or the certificates differ, it is
    read as it is.
    """
    told, more = _of_certificates(arguments)
    if told:
        try:
            return _read(argparse.Namespace(**vars(arguments) | told), more)
        except InputError as error:
            if not any(words in str(error) for words in UNLIKE):
                raise
    return _read(arguments)


def _of_certificates(arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Return how the data of the certificates were read, where all say the same, and that in words."""
    ways = set()
    for path in certificate_paths(arguments.paths):
        try:
            certificate = load_certificate(path)
        except CertificateError:
            continue
        of = certificate.description or Description("matrix")
        is_scaled = of.kind == "correlation" and of.observations is not None
        ways.add((variables_of(certificate), is_scaled, of.is_centred))
    if len(ways) != 1:
        return {}, ""
    names, is_correlation, is_centred = ways.pop()
    told: dict[str, Any] = {}
    if arguments.columns is None and arguments.exclude is None:
        told["columns"] = [name for name in names if name != arguments.response]
    more = []
    if is_correlation and not arguments.correlation:
        told["correlation"] = True
        more.append("scaled to correlations")
    if is_centred is False and arguments.centred:
        told["centred"] = False
        more.append("not centred")
    return told, f"{' and '.join(more)}, as the certificate says" if more else ""


def _advice(arguments: argparse.Namespace, rows: Sequence[Any]) -> list[str]:
    """Say which option may be missing: DATA was read as another kind of matrix, or roundings cost the proof."""
    reasons = [reason for row in rows for reason in row.reasons]
    kinds = [reason.count(" a correlation matrix") for reason in reasons if "is about a correlation" in reason]
    advice = []
    if 1 in kinds and arguments.against is not None and not arguments.correlation:  # and not: both are of one
        advice.append(f"to hold it against the correlations of {arguments.against}, add --correlation")
    if any(": hold it against yours without" in reason for reason in reasons):
        advice.append(f"to leave variables of {arguments.against} out, add --columns or --exclude with names")
    if any(row.outcome == "inconclusive" and row.arithmetic == Rounded.name for row in rows):
        advice.append("rounding widens the proved bounds; --exact avoids it and takes longer")
    return advice
