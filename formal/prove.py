"""Check certificates with the verified checker, and say for each file what was proved.

    python formal/prove.py                              all of certificates/
    python formal/prove.py certificates/pitprops        a folder, or files
    python formal/prove.py --all                        what is not covered fails, too
    python formal/prove.py k05.json --against data.csv  the matrix is that of your own data

`formal/Makefile` builds the checker. It reads what `translate.py` writes, and prints the claim that it has
proved. A file counts as proved only if this is its claim: the same n, k or rho, bounds, conditions and list,
and a matrix with which the file has its SHA-256 digest. What else happens on a file, it is refused with the
reason, and the next one is checked.

With `--digest` the file must have that digest. With `--against` it must have the digest that relaxspca finds of
your data: the same variables in the same order, every entry to the last bit, and the same description. Options
say how the data are read, as for `relaxspca verify`, which compares by value and allows for rounding. A claim
about a ratio, after a deflation or with eliminated variables has a digest of its own: use `--digest`.

The exit status is 1 if a file is refused (with `--all`: if one is not proved), 2 if nothing could be checked.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import numpy as np
from covered import NotCovered, classes_of, why_not
from said import said
from translate import NotProved, translate

from relaxspca.certificate import (
    Certificate,
    DensePencil,
    LeastSquaresData,
    RatioCertificate,
    TableCertificate,
    load_certificate,
)
from relaxspca.certificate.statement import shown
from relaxspca.certificate.values import Floats
from relaxspca.errors import CertificateError, InputError

HERE = Path(__file__).resolve().parent
CHECKER = HERE / "build" / "checker"


AnyCertificate = Certificate | TableCertificate | RatioCertificate


class Refused(Exception):
    """The verified checker does not accept, or it has proved another claim; the message says which."""


def prove(certificate: AnyCertificate, checker: Path = CHECKER) -> None:
    """Return if the verified checker proves the claim of a certificate.

    Raises
    ------
    NotCovered
        The verified checker does not have its rules.
    Refused
        It does not accept, or something else happens: then this is said.
    """
    try:
        claims_the_same(certificate, accepted(translate(certificate), checker))
    except (NotCovered, Refused):
        raise
    except NotProved as reason:
        raise Refused(str(reason)) from None
    except Exception as error:  # numbers and trees of a hostile file may exceed any limit
        raise Refused(f"{type(error).__name__}: {error}") from error


def accepted(text: str, checker: Path = CHECKER) -> list[str]:
    """Return the lines in which the checker says what it has proved."""
    said = subprocess.run([str(checker)], input=text, capture_output=True, text=True, check=False)
    if said.returncode:
        raise Refused(said.stderr.strip() or "the verified checker does not accept")
    return said.stdout.splitlines()


def claims_the_same(certificate: AnyCertificate, lines: list[str]) -> None:
    """Compare the claim that was proved with the claim of the file, to the last bit."""
    reason = why_not(certificate)
    if reason:
        raise NotCovered(reason)
    stated, at = statement(certificate), next(at for at, line in enumerate(lines) if line.startswith("matrix"))
    for proved, claimed in zip_longest(lines[:at], stated, fillvalue="nothing"):
        if proved != claimed:
            raise Refused(f"the checker has proved another claim: {proved}, where the file has: {claimed}")
    _, kind, *shape = lines[at].split()
    entries = [[exact_float(word) for word in line.split()] for line in lines[at + 1 :]]
    digest = of_matrix(certificate, kind, np.array(entries).reshape([int(size) for size in shape])).digest
    if digest != certificate.digest:
        raise Refused(f"the checker has proved the claim of another matrix, {digest}")


def of_matrix(certificate: AnyCertificate, kind: str, matrix: Floats) -> AnyCertificate:
    """Return the certificate with the matrix, or the data, that the checker speaks of."""
    if isinstance(certificate, RatioCertificate):
        pencil: DensePencil | LeastSquaresData
        if kind == "forms":
            pencil = DensePencil(*np.vsplit(matrix, 2))
        else:
            pencil = LeastSquaresData(matrix[:, :-1], matrix[:, -1], intercept=kind == "intercept")
        return dataclasses.replace(certificate, pencil=pencil)
    dense, factor = (matrix, None) if kind == "dense" else (None, matrix)
    return dataclasses.replace(certificate, matrix=dense, factor=factor)


def statement(certificate: AnyCertificate) -> Iterator[str]:
    """Yield the claim of a file in the words of the checker."""
    bounds = f"{exact(certificate.lower)} {exact(certificate.upper)}"
    if isinstance(certificate, TableCertificate):
        sizes = ",".join(map(str, certificate.sizes))
        yield f"table {certificate.supports} {certificate.n} {bounds} sizes {sizes};"
        return
    include, exclude = (",".join(map(str, some)) for some in (certificate.include, certificate.exclude))
    if isinstance(certificate, RatioCertificate):
        yield f"ratio {certificate.n} {certificate.k} {bounds} include {include}; exclude {exclude};"
        return
    k, rho, others = certificate.k, certificate.rho, certificate.others
    kind = "penalised" if k is None else "cardinality" if others is None else "near_optimal"
    price = str(k) if rho is None else exact(rho)
    restriction, groups = certificate.restriction, ""
    if restriction is not None:
        kind = restriction.kind
    if kind == "one_of_each":
        groups = f" classes {','.join(map(str, classes_of(certificate)))};"
    if restriction is not None and restriction.is_whole:
        groups = f" groups {' '.join(','.join(map(str, group)) for group in restriction.groups)};"
    yield f"{kind} {certificate.n} {price} {bounds} include {include}; exclude {exclude};{groups}"
    if certificate.eliminated is not None:
        variances = ",".join(map(exact, certificate.eliminated.variances))
        yield f"eliminated {variances} shift {exact(certificate.eliminated.shift)}"
    if others is not None:
        yield f"others {exact(others.most)}"
        for support, lower, upper in zip(others.indices, others.lower, others.upper, strict=True):
            yield f"listed {','.join(map(str, support))} {exact(lower)} {exact(upper)}"


def exact(number: float) -> str:
    """Return a double as a fraction in lowest terms."""
    return str(Fraction(float(number)))


def exact_float(word: str) -> float:
    """Return the double that a fraction is."""
    exact = Fraction(word)
    number = float(exact)
    if Fraction(number) != exact:
        raise Refused(f"{word} is not a double")
    return number


def verdict_on(path: Path, wanted: str | None = None) -> tuple[str, list[str]]:
    """Return the verdict on a file, and what was proved or why it was not."""
    try:
        certificate = load_certificate(path)
        if wanted not in (None, certificate.digest):
            return "REFUSED", [f"it speaks of the matrix {certificate.digest}, not of {wanted}"]
        prove(certificate)
        return "proved", [certificate.claim, *said(certificate)]
    except NotCovered as why:
        return "not covered", [str(why)]
    except Exception as why:
        name = "" if isinstance(why, Refused | CertificateError) else f"{type(why).__name__}: "
        return "REFUSED", [" ".join(f"{name}{why}".split())]


def main(arguments: list[str]) -> int:
    """Print what was proved of every certificate; return 1 if one is refused."""
    told, wanted = _told(arguments)
    verdicts = []
    for path in told.certificates:
        start = time.perf_counter()
        verdict, lines = verdict_on(path, wanted)
        verdicts.append(verdict)
        where = f"{path.parent.name}/{path.name}"
        print(shown(f"{verdict:<12} {where:<28} {time.perf_counter() - start:6.2f} s  {lines[0]}"))
        for line in lines[1:]:
            print(shown(f"{'':<12} {line}"))
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in ("proved", "not covered", "REFUSED"))
    print(f"{len(verdicts)} certificates: {counts}")
    return int("REFUSED" in verdicts or (told.all and "not covered" in verdicts))


def _certificates(name: Path) -> list[Path]:
    found = sorted(name.rglob("*.json")) if name.is_dir() else [name]
    return [path for path in found if not path.name.endswith(".schema.json")]


def _told(arguments: list[str]) -> tuple[argparse.Namespace, str | None]:
    """Return the words of the command line, and the digest that certificates must have."""
    # Only here, so that nothing of the package but its certificates is needed to prove one.
    from relaxspca.command.data import add_reading, data_read, is_reading_told

    command = argparse.ArgumentParser(
        prog="prove.py", description="Check certificates with the verified checker."
    )
    command.add_argument(
        "paths", nargs="*", type=Path, metavar="CERT", help="files and folders; else the archive"
    )
    command.add_argument("--all", action="store_true", help="what is not covered fails, too")
    matrix = command.add_mutually_exclusive_group()
    matrix.add_argument("--digest", metavar="sha256:...", help="of the matrix that they must speak of")
    matrix.add_argument(
        "--against", metavar="DATA", help="the covariance or observations that they must speak of"
    )
    add_reading(command)
    told = command.parse_args(arguments)
    told.certificates = []
    for name in told.paths or [HERE.parent / "certificates"]:
        told.certificates += (found := _certificates(name))
        if not found:
            command.error(f"there is no certificate in {name}")
    if not CHECKER.exists():
        command.error(f"there is no {CHECKER}: build it with make -C formal")
    if told.against is None and is_reading_told(told):
        command.error("--data, --covariance and --correlation say how to read --against DATA: give it too")
    if told.digest is not None and not re.fullmatch("sha256:[0-9a-f]{64}", told.digest):
        command.error(f"a digest is sha256: and 64 hexadecimal digits, not {told.digest!r}")
    if told.against is None:
        return told, told.digest
    try:
        return told, data_read(told.against, told)[0].digest
    except InputError as error:
        command.error(str(error))


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
