"""Components and bounds along a path of cardinalities or of penalties."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from relaxspca.bound import Bound
from relaxspca.candidate import Candidate
from relaxspca.candidates import candidate as best_candidate
from relaxspca.certificate import Certificate, PsiPoint
from relaxspca.certify.bounds import STEPS, escalate
from relaxspca.certify.claim import one_leaf
from relaxspca.certify.dual_family import DualFamily
from relaxspca.certify.kkt import least_bound, priced, union_bounds
from relaxspca.certify.penalised import checked_penalty, phi_bounds
from relaxspca.covariance import Covariance
from relaxspca.errors import InputError, MissingExtra
from relaxspca.tables import csv_table, latex_table, markdown_table

__all__ = ["Path", "PathRow", "path"]


@dataclass(frozen=True, eq=False)
class PathRow:
    """One point of a path.

    Attributes
    ----------
    k : int
        Number of variables: the one asked for, or what the penalised candidate uses.
    rho : float or None
        Penalty of this row (variance); None on a path of cardinalities.
    candidate : Candidate or None
        None when no variable is worth its penalty.
    lower, upper : float
        Proved bounds on v_k, or on phi(rho) (variance).
    names : tuple of str
        The variables used.
    rho_lo, rho_hi : float
        Penalties between which the support meets the first-order conditions of the penalised problem;
        none when ``rho_lo >= rho_hi``.
    by : str
        What proved `upper`.
    tol : float
        Relative gap up to which the row counts as certified.
    certificate : Certificate
    """

    k: int
    rho: float | None
    candidate: Candidate | None
    lower: float
    upper: float
    names: tuple[str, ...]
    rho_lo: float
    rho_hi: float
    by: str
    tol: float
    certificate: Certificate

    @property
    def gap(self) -> float:
        """Relative width, (upper - lower) / lower; on a path of penalties over rho where that is larger."""
        width, scale = self.upper - self.lower, max(self.lower, self.rho or 0.0)
        return width / scale if scale > 0 else (0.0 if width <= 0 else math.inf)

    @property
    def certified(self) -> bool:
        """Whether the gap is at most the tolerance of the path."""
        return self.gap <= self.tol

    @property
    def support(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return () if self.candidate is None else tuple(int(i) for i in self.candidate.support)


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """Rows along cardinalities (`over` is "k") or penalties ("rho"), with tables, a figure and certificates."""

    rows: tuple[PathRow, ...]
    over: str
    tol: float

    @property
    def certificates(self) -> dict[int | float, Certificate]:
        """One certificate for every k or rho."""
        return {self._key(row): row.certificate for row in self.rows}

    def save_certificates(self, folder: str | os.PathLike[str]) -> list[FilePath]:
        """Write one certificate a row into a folder, made if need be, and return the paths."""
        target = FilePath(folder)
        target.mkdir(parents=True, exist_ok=True)
        paths = [target / f"{self.over}{self._key(row):0{self._width}}.json" for row in self.rows]
        for path, row in zip(paths, self.rows, strict=True):
            row.certificate.save(path)
        return paths

    def to_frame(self) -> Any:
        """Return a pandas DataFrame, one line a row.

        Raises
        ------
        MissingExtra
            pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise MissingExtra("to_frame needs pandas: pip install 'relaxspca[estimators]'") from None
        return pandas.DataFrame([self._record(row) for row in self.rows])

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return comma-separated values in full precision, and write them when a path is given."""
        records = [self._record(row) for row in self.rows]
        cells = [[_plain(value) for value in record.values()] for record in records]
        text = csv_table(list(records[0]), cells)
        if path is not None:
            FilePath(path).write_text(text, encoding="utf-8")
        return text

    def to_markdown(self) -> str:
        """Return a Markdown table with rounded bounds: lower down, upper up."""
        header = ["k" if self.over == "k" else "rho", "variables", "lower", "upper", "gap %", "by"]
        return markdown_table(header, self._cells(), right=(0, 2, 3, 4))

    def to_latex(self) -> str:
        """Return a LaTeX tabular (booktabs) with rounded bounds: lower down, upper up."""
        header = ["$k$" if self.over == "k" else r"$\rho$", "variables", "lower", "upper", r"gap \%", "by"]
        return latex_table(header, self._cells(), right=(0, 2, 3, 4))

    def plot(self) -> Any:
        """Return a matplotlib figure of the bounds and the gap (`relaxspca.plotting.plot_path`)."""
        from relaxspca.plotting import plot_path

        return plot_path(self)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        proved = sum(row.certified for row in self.rows)
        return f"Path of {len(self.rows)} rows, {proved} certified to within {self.tol:.2g}\n{self.to_markdown()}"

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{cell}</th>" for cell in (self.over, "variables", "lower", "upper", "gap %", "by"))
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>" for cells in self._cells()
        )
        return f"<table><tr>{head}</tr>{body}</table>"

    @property
    def _width(self) -> int:
        return max(len(f"{self._key(row)}") for row in self.rows)

    def _key(self, row: PathRow) -> int | float:
        return row.k if row.rho is None else row.rho

    def _record(self, row: PathRow) -> dict[str, Any]:
        key = {} if row.rho is None else {"rho": row.rho}
        return key | {
            "k": row.k,
            "lower": row.lower,
            "upper": row.upper,
            "gap": row.gap,
            "certified": row.certified,
            "by": row.by,
            "support": " ".join(str(i) for i in row.support),
            "names": "; ".join(row.names),
            "rho_lo": row.rho_lo,
            "rho_hi": row.rho_hi,
        }

    def _cells(self) -> list[list[str]]:
        return [
            [
                f"{self._key(row):g}",
                ", ".join(row.names),
                _rounded(row.lower, math.floor),
                _rounded(row.upper, math.ceil),
                "0" if row.certified else f"{100 * row.gap:.3g}",
                row.by,
            ]
            for row in self.rows
        ]


def path(
    cov: Covariance,
    *,
    k: int | Iterable[int] | None = None,
    rho: float | Iterable[float] | None = None,
    tol: float = 1e-6,
    relaxation: str = "auto",
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
) -> Path:
    r"""Find and bound the best component for every cardinality, or for every penalty.

    .. math:: v_k = \max_{\|x\|=1,\ \operatorname{Card}(x)\le k} x'\Sigma x, \qquad
        \phi(\rho) = \max_{\|x\|\le1} x'\Sigma x-\rho\operatorname{Card}(x)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinalities; all of 1, ..., n when neither `k` nor `rho` is given. Or
    rho : penalties, at least 0 (variance).
    tol : float
        Relative gap up to which a row counts as certified.
    relaxation : str
        The dearest bound to use for a cardinality: "auto" (all), "spectral", "kkt", "psi" or "pairwise".
    time_limit : float, optional
        Seconds for the whole path; rows reached later have the cheap bounds.
    rng : source of randomness for the candidates; None is a fixed seed.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        Both `k` and `rho` are given, one is empty, or a value is out of range.

    Notes
    -----
    A dual point of psi(rho) bounds every cardinality, :math:`v_k\le d+\rho k`. So the closed-form points of
    all supports and those that the solver of psi finds for one k are tried for every other k.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = path(rs.datasets.load_pitprops(), k=range(9, 14), relaxation="psi")
    >>> [row.certified for row in found.rows]
    [True, False, True, True, True]
    """
    if k is not None and rho is not None:
        raise InputError("give k or rho, not both")
    if rho is not None:
        return _over_penalties(cov, _listed(rho, "rho"), tol, time_limit, rng)
    cardinalities = [cov.check_cardinality(m) for m in _listed(range(1, cov.n + 1) if k is None else k, "k")]
    return _over_cardinalities(cov, cardinalities, tol, relaxation, time_limit, rng)


def _over_cardinalities(
    cov: Covariance,
    cardinalities: list[int],
    tol: float,
    relaxation: str,
    time_limit: float | None,
    rng: np.random.Generator | None,
) -> Path:
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    candidates = [best_candidate(cov, m, rng=rng) for m in cardinalities]
    bounds = _bounds(cov, cardinalities, candidates, _steps(relaxation), tol / 2, deadline)
    rows = []
    for m, found, bound in zip(cardinalities, candidates, bounds, strict=True):
        certificate = one_leaf(cov, found, bound.upper, bound.dual or bound.relaxation, k=m)
        rows.append(_row(cov, m, None, found, bound.relaxation, certificate, tol))
    return Path(tuple(rows), "k", tol)


def _bounds(
    cov: Covariance,
    cardinalities: list[int],
    candidates: list[Candidate],
    steps: Sequence[str],
    tol: float,
    deadline: float,
) -> list[Bound]:
    """Return a bound for every cardinality; dual points of psi are shared by all."""
    pairs = [pair for _, pair in union_bounds(cov, candidates, cardinalities)] if "kkt" in steps else []
    cheap = {id(pair.point) for pair in pairs}
    bounds = []
    for m, found in zip(cardinalities, candidates, strict=True):
        best = escalate(cov, m, [found], steps=["spectral"])
        if pairs:
            best = min(best, _shared(pairs, m, cheap), key=lambda bound: bound.upper)
        left = deadline - time.monotonic()
        dear = [name for name in steps if name in ("psi", "pairwise")]
        if dear and left > 0 and best.upper > found.value + tol * abs(found.value):
            limit = None if math.isinf(left) else left
            best = min(best, escalate(cov, m, [found], steps=dear, tol=tol, time_limit=limit), key=lambda b: b.upper)
        if best.relaxation == "psi" and isinstance(best.dual, PsiPoint):
            pairs.append(priced(cov, best.dual))
        bounds.append(best)
    if not pairs:
        return bounds
    return [min(bound, _shared(pairs, bound.k, cheap), key=lambda b: b.upper) for bound in bounds]


def _shared(pairs: Sequence[Any], k: int, cheap: set[int]) -> Bound:
    upper, pair = least_bound(pairs, k)
    return Bound(k, upper, "kkt" if id(pair.point) in cheap else "psi", pair.point)


def _over_penalties(
    cov: Covariance, penalties: list[float], tol: float, time_limit: float | None, rng: np.random.Generator | None
) -> Path:
    penalties = [checked_penalty(value) for value in penalties]
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    rows = []
    for rho in penalties:
        left = None if math.isinf(deadline) else max(deadline - time.monotonic(), 0.1)
        found = phi_bounds(cov, rho, tol=tol / 2, time_limit=left, rng=rng)
        used = 0 if found.candidate is None else found.candidate.cardinality
        rows.append(_row(cov, used, rho, found.candidate, "psi", found.certificate, tol))
    return Path(tuple(rows), "rho", tol)


def _row(
    cov: Covariance,
    k: int,
    rho: float | None,
    found: Candidate | None,
    by: str,
    certificate: Certificate,
    tol: float,
) -> PathRow:
    family = None if found is None else DualFamily.of(cov, found)
    lower, upper = certificate.lower, certificate.upper
    return PathRow(
        k=k,
        rho=rho,
        candidate=found,
        lower=lower,
        upper=upper,
        names=() if found is None else tuple(cov.names[i] for i in found.support),
        rho_lo=math.nan if family is None else family.rho_lo,
        rho_hi=math.nan if family is None else family.rho_hi,
        by=by,
        tol=tol,
        certificate=certificate,
    )


def _steps(relaxation: str) -> list[str]:
    names = list(STEPS)
    if relaxation == "auto":
        return names
    if relaxation not in names:
        raise InputError(f"relaxation must be auto or one of {', '.join(names)}, not {relaxation!r}")
    return names[: names.index(relaxation) + 1]


def _listed(values: Any, what: str) -> list[Any]:
    listed = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]
    if not listed:
        raise InputError(f"{what} is empty: give at least one value")
    return listed


def _plain(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def _rounded(value: float, direction: Any) -> str:
    """Return six decimals of the leading scale, rounded so that the bound stays true."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = 6 - max(0, math.floor(math.log10(abs(value))))
    scaled = value * 10.0**digits
    # An excess at the level of the certificate's own margin is not worth a digit.
    nearest = round(scaled)
    whole = nearest if abs(scaled - nearest) < 1e-3 else direction(scaled)
    return f"{whole / 10.0**digits:.{max(digits, 0)}f}"
