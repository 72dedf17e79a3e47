"""Verify many certificates at once: files, folders and globs, in parallel."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

from relaxspca.certificate import Leaf, load_certificate, wording
from relaxspca.checker.verdict import explained
from relaxspca.errors import CertificateError, InputError
from relaxspca.results.tables import csv_table, saved
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.task_queue import ordered_map
from relaxspca.tasks.verify import verify_certificate

__all__ = ["Row", "verify_many"]


@dataclass(frozen=True)
class Row:
    """One line of a summary: a certificate, what it claims and what was proved.

    Attributes
    ----------
    path : str
    outcome : str
        "verified", "refuted", "inconclusive" or "unreadable"; "another matrix" where nothing is amiss but that
        the certificate does not speak of the matrix that it was held against, and "not compared" where it can
        be read, but not compared with what was given.
    n, k, rho, lower, upper : int or float, or None
        The claim; None where the file cannot be read, and of k and rho the one that is not claimed.
    proved_upper : float or None
        Upper bound that the checker proved (variance).
    width : float or None
        ``proved_upper - lower`` (variance).
    kind : str
        Kinds of the leaves of the tree, joined by "+".
    leaves : int or None
        Their number.
    arithmetic : str
        "exact" or "rounded outward".
    made_by : str
    seconds : float
        Wall-clock time of reading and checking.
    reasons : tuple of str
        Why it is not verified.
    digest, matrix : str
        Of which matrix: its digest, and what it is in words.
    statement : tuple of str
        What the checker says beyond the outcome: the claim in words, how it was compared, what it presupposes.
    sizes, supports : str
        Of a claim about several components: their cardinalities, and "orthogonal", "disjoint" or "common".
    """

    path: str
    outcome: str
    n: int | None = None
    k: int | None = None
    rho: float | None = None
    lower: float | None = None
    upper: float | None = None
    proved_upper: float | None = None
    width: float | None = None
    kind: str = ""
    leaves: int | None = None
    arithmetic: str = ""
    made_by: str = ""
    seconds: float = 0.0
    reasons: tuple[str, ...] = ()
    digest: str = ""
    matrix: str = ""
    statement: tuple[str, ...] = ()
    sizes: str = ""
    supports: str = ""

    @property
    def verified(self) -> bool:
        """Whether the certificate proves its claim."""
        return self.outcome == "verified"


@parallel
def verify_many(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    n_jobs: int | None = None,
    exact: bool | None = None,
    against: Any = None,
) -> list[Row]:
    """Verify certificates one by one and say of each what was found; never stop at a bad one.

    Parameters
    ----------
    paths : path, or iterable of paths
        Files, folders (searched for ``*.json`` at every depth) and globs.
    n_jobs : int, optional
        Processes, as in `relaxspca.solve`.
    exact : bool, optional
        As in `relaxspca.verify`.
    against : str, covariance or (n, n) array, optional
        As there: the matrix that every certificate must speak of.

    Returns
    -------
    list of Row
        In the order of `paths`, files within a folder by name.

    Raises
    ------
    InputError
        A path or glob leads to no file, or `n_jobs` is no number of processes.

    Examples
    --------
    >>> verify_many([])
    []
    """
    files = certificate_paths([paths] if isinstance(paths, str | os.PathLike) else paths)
    return list(ordered_map(partial(_row, exact=exact, against=against), files))


def certificate_paths(paths: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Return the files that files, folders and globs lead to, without JSON schemas (``*.schema.json``)."""
    found: list[Path] = []
    for given in paths:
        path = Path(given)
        if path.is_dir():
            # A pipe of that name would be waited for without an end.
            files = (p for p in path.rglob("*.json") if p.is_file())
            here = sorted(p for p in files if not p.name.endswith(".schema.json"))
        elif path.exists():
            here = [path]
        else:
            here = sorted(Path(p) for p in glob(str(given), recursive=True))
        if not here:
            raise InputError(f"no certificate at {os.fspath(given)!r}: give files, folders or globs")
        found += here
    return found


def summary(rows: Sequence[Row]) -> str:
    """Return how many are verified, and of which matrices they speak: a line each, where there are several."""
    line = f"{sum(row.verified for row in rows)} of {len(rows)} verified"
    of = Counter(f"of the {row.matrix}, {row.digest}" for row in rows if row.digest)
    if len(of) < 2 or len(rows) == 1:
        return line + "".join(f", {words}" for words in of if len(rows) > 1)
    each = [f"{count} {words}" for words, count in of.items()]
    return "\n  ".join([f"{line}; they are about {len(of)} different matrices:", *each])


def write_csv(rows: Iterable[Row], path: str | os.PathLike[str]) -> None:
    """Write rows as CSV with a header; reasons and statements are joined by semicolons."""
    joined = ("reasons", "statement")
    records = [asdict(row) | {name: "; ".join(getattr(row, name)) for name in joined} for row in rows]
    cells = [["" if value is None else str(value) for value in record.values()] for record in records]
    saved(csv_table([field.name for field in fields(Row)], cells), path)


def _row(path: Path, *, exact: bool | None, against: Any) -> Row:
    clock = Deadline.after(None)
    try:
        certificate = load_certificate(path)
    except CertificateError as error:
        return Row(str(path), "unreadable", seconds=clock.elapsed, reasons=(str(error),))
    try:
        verdict = verify_certificate(certificate, exact=exact, against=against)
    except CertificateError as error:
        why = f"the certificate can be read, but not compared with what was given: {error}"
        return Row(str(path), "not compared", seconds=clock.elapsed, reasons=(why,))
    is_other = explained(verdict.comparison, verdict.reasons)
    size: dict[str, Any] = {"k": certificate.k, "rho": certificate.rho}
    if certificate.claim.kind == "components":
        size = {"sizes": " ".join(map(str, certificate.sizes)), "supports": certificate.supports}
    return Row(
        path=str(path),
        outcome="another matrix" if is_other else verdict.outcome.name.lower(),
        n=certificate.n,
        **size,
        lower=certificate.lower,
        upper=certificate.upper,
        proved_upper=verdict.proved_upper,
        width=verdict.proved_upper - certificate.lower,
        kind="+".join(sorted({node.kind for node in certificate.tree if isinstance(node, Leaf)})),
        leaves=verdict.leaf_count,
        arithmetic=verdict.arithmetic,
        made_by=certificate.made_by,
        seconds=clock.elapsed,
        reasons=verdict.reasons,
        digest=certificate.digest,
        matrix=wording.matrix(certificate),
        statement=verdict.details,
    )
