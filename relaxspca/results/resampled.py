"""What resampling of observations says: statistics, and no proofs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import rounded
from relaxspca.numerics.percent import percent
from relaxspca.results.near_optimal import CUT, SHOWN
from relaxspca.results.printable import Printable
from relaxspca.results.tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(Printable):
    """How often each variable is in the best support of resampled observations: statistics, not proof.

    Attributes
    ----------
    k : int
    names : tuple of str
        All variables.
    support : tuple of str
        Of the component of the data as they are.
    supports : tuple of tuples of str
        Of each resample; of those done before Ctrl-C, where `is_interrupted`.
    proved : int or None
        How many components of the resamples are proved optimal; None where they are those of `candidate`.
    matrix : str
        Of which observations and variables the matrix is, and whether it is of correlations.
    """

    k: int
    names: tuple[str, ...]
    support: tuple[str, ...]
    supports: tuple[tuple[str, ...], ...]
    proved: int | None
    matrix: str
    is_interrupted: bool = False

    _figure = "plot_bootstrap"

    @property
    def frequencies(self) -> dict[str, float]:
        """Fraction of the resamples in which each variable is in the support, the largest first."""
        counts = Counter(name for support in self.supports for name in support)
        order = sorted(self.names, key=lambda name: (-counts[name], name not in self.support))
        return {name: counts[name] / len(self.supports) for name in order}

    @property
    def support_frequency(self) -> float:
        """Fraction of the resamples whose support is that of the data."""
        return sum(set(support) == set(self.support) for support in self.supports) / len(self.supports)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for each variable."""
        return [
            {"variable": name, "frequency": value, "in_support": name in self.support}
            for name, value in self.frequencies.items()
        ]

    def _statement(self) -> list[str]:
        count, how = len(self.supports), "the components of the resamples are those of a heuristic"
        if self.proved is not None:
            how = f"the components of {self.proved} of {counted(count, 'resample')} are proved optimal"
        many, best = counted(count, "bootstrap resample"), f"the same best {counted(self.k, 'variable')}"
        return [
            f"{percent(self.support_frequency, 3)} % of {many} have {best} as the data: "
            f"{in_line(self.support)} ({self.matrix.removeprefix('the ')}).",
            f"This is an estimate, not a proof; {how}.",
            *_of_single(self.k, self.matrix),
            *(["Interrupted: no more resamples were done."] if self.is_interrupted else []),
        ]

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        return [] if len(self.names) <= SHOWN else [f"{CUT}{'' if on_paper else '; --csv (to_csv) has all'}."]

    def _tables(self) -> list[Table]:
        rows = [
            [name, percent(value, 3), "yes" if name in self.support else "no"]
            for name, value in list(self.frequencies.items())[:SHOWN]
        ]
        return [Table(("variable", "% of resamples", "in the component"), rows, (1,))]


@dataclass(frozen=True, eq=False, repr=False)
class HeldOut(Printable):
    """Variance of held-out observations that components explain: statistics, not proof.

    Attributes
    ----------
    k : tuple of int
    means, errors : tuple of float
        Mean over the folds of what the sparse component explains there, as a share of what the dense component
        of the same training observations explains, and its standard error.
    folds : int
        Those done; fewer than were asked for, where Ctrl-C came (`is_interrupted`).
    matrix : str
        Of which observations and variables the matrix is, and whether it is of correlations.
    """

    k: tuple[int, ...]
    means: tuple[float, ...]
    errors: tuple[float, ...]
    folds: int
    matrix: str
    is_interrupted: bool = False

    _figure = "plot_held_out"

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for each cardinality."""
        rows = zip(self.k, self.means, self.errors, strict=True)
        return [{"k": k, "mean": mean, "standard_error": error} for k, mean, error in rows]

    def _statement(self) -> list[str]:
        return [
            f"Cross-validation with {counted(self.folds, 'fold')}: what sparse components explain of held-out "
            "observations, in % of the ordinary PC of the same training data "
            f"({self.matrix.removeprefix('the ')}).",
            "This is an estimate, not a proof; the components of the folds are those of a heuristic.",
            *(["Interrupted: no more folds were done."] if self.is_interrupted else []),
            *(["More than 100 %: here the ordinary PC explains less."] if max(self.means) > 1 + 1e-9 else []),
            *_of_single(min(self.k), self.matrix),
        ]

    def _tables(self) -> list[Table]:
        errors = [rounded(100 * error, 2) for error in self.errors]
        columns = {"k": map(str, self.k), "mean, %": map(percent, self.means), "standard error": errors}
        return [Table.of(columns, (0, 1, 2))]


def _of_single(k: int, matrix: str) -> list[str]:
    """Say that at k = 1 no correlation matrix has a best variable: all variances are 1."""
    said = "At k = 1 all variables are equally good, as all have the variance 1: rounding decides."
    return [said] if k == 1 and matrix.startswith("the correlation matrix") else []
