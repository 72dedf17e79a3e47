"""Check certificates with the verified checker, and say for each file what was proved.

    python formal/prove.py                              all of certificates/
    python formal/prove.py certificates/pitprops        a folder, or files

`formal/Makefile` builds the checker. It reads what `translate.py` writes, and prints the claim that it has
proved. A file counts as proved only if this is its claim: the same n, k or rho, bounds, conditions and list,
and a matrix with which the file has its SHA-256 digest. The exit status is 1 if a file is refused.
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import numpy as np
from covered import NotCovered, classes_of, why_not
from translate import NotProved, translate

from relaxspca.certificate import (
    Certificate,
    DensePencil,
    LeastSquaresData,
    RatioCertificate,
    TableCertificate,
    load_certificate,
)
from relaxspca.certificate.values import Floats

HERE = Path(__file__).resolve().parent
CHECKER = HERE / "build" / "checker"


AnyCertificate = Certificate | TableCertificate | RatioCertificate


class Refused(Exception):
    """The verified checker does not accept, or it has proved another claim; the message says which."""


def prove(certificate: AnyCertificate, checker: Path = CHECKER) -> None:
    """Return if the verified checker proves the claim of a certificate, and those that stand beside it.

    Raises
    ------
    NotCovered
        The verified checker does not have its rules.
    Refused
        It does not accept.
    """
    for claim in certificate.beside if isinstance(certificate, TableCertificate) else ():
        prove(claim, checker)
    try:
        text = translate(certificate)
    except NotProved as reason:
        raise Refused(str(reason)) from None
    claims_the_same(certificate, accepted(text, checker))


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
    if isinstance(certificate, TableCertificate):
        certificate = dataclasses.replace(certificate, total=None, beside=())
    dense, factor = (matrix, None) if kind == "dense" else (None, matrix)
    return dataclasses.replace(certificate, matrix=dense, factor=factor)


def statement(certificate: AnyCertificate) -> Iterator[str]:
    """Yield the claim of a file in the words of the checker."""
    bounds = f"{exact(certificate.lower)} {exact(certificate.upper)}"
    if isinstance(certificate, TableCertificate) and certificate.total is not None:
        shape = f"{len(certificate.sizes)} components of {certificate.total}"
        yield f"total {certificate.supports} {certificate.n} {bounds} {shape};"
        return
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


def main(arguments: list[str]) -> int:
    """Print a line for every certificate; return 1 if one is refused."""
    given = [Path(name) for name in arguments] or [HERE.parent / "certificates"]
    paths = [path for name in given for path in (sorted(name.rglob("*.json")) if name.is_dir() else [name])]
    verdicts = []
    for path in paths:
        if path.name.endswith(".schema.json"):
            continue
        start = time.perf_counter()
        certificate = load_certificate(path)
        try:
            prove(certificate)
            verdict, reason = "proved", certificate.claim
        except NotCovered as why:
            verdict, reason = "not covered", str(why)
        except Refused as why:
            verdict, reason = "REFUSED", str(why)
        verdicts.append(verdict)
        where = path.parent.name + "/" + path.name
        print(f"{verdict:<12} {where:<28} {time.perf_counter() - start:6.2f} s  {reason}")
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in ("proved", "not covered", "REFUSED"))
    print(f"{len(verdicts)} certificates: {counts}")
    return int("REFUSED" in verdicts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
