"""Sparse discriminant and canonical correlation analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import InputError, counted, in_line
from relaxspca.numerics.linalg import Array, spread
from relaxspca.problem.observations import checked_dense, whole_number
from relaxspca.results.digits import between, gap_cell
from relaxspca.results.generalized import Generalized
from relaxspca.results.loadings import loading_text
from relaxspca.results.printable import ListOfRows, Printable
from relaxspca.results.sentences import UNCHECKED
from relaxspca.results.tables import Table
from relaxspca.search.limits import SearchLimits
from relaxspca.tasks.generalized import generalized


@dataclass(frozen=True, eq=False, repr=False)
class Directions(ListOfRows[Generalized], Printable):
    """Directions of few variables, the first the best; indexed and counted like a list of `Generalized`.

    Attributes
    ----------
    rows : tuple of Generalized
    about : str
        What the ratio is, and of which observations.
    """

    rows: tuple[Generalized, ...]
    about: str

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dict a direction, in full precision; bounds are true when read as decimals too."""
        return [{"direction": at + 1} | row.to_records()[0] for at, row in enumerate(self.rows)]

    def _statement(self) -> list[str]:
        optimal, first = sum(row.is_optimal for row in self.rows), self.rows[0]
        many = ", each given the previous ones" if len(self.rows) > 1 else ""
        size = f"{counted(len(self.rows), 'direction')} of at most {counted(first.k, 'variable')}"
        size += subject_to(first.meant)
        added = f" ({first._added})" if first.ridge else ""
        unique = f" {UNCHECKED}" if optimal else ""
        return [f"{size}{added}{many}: {optimal} proved optimal.{unique}", f"Ratio: {self.about}."]

    def _tables(self) -> list[Table]:
        rows = [
            [str(at), between(row.lower, row.upper).brief, gap_cell(row.lower, row.upper, row.gap)]
            + [str(row.status), in_line(row.support)]
            for at, row in enumerate(self.rows, start=1)
        ]
        header = ("direction", "largest ratio", "gap %", "status", "variables")
        used = [name for name in self.rows[0].names if any(name in row.loadings for row in self.rows)]
        loadings = [
            [name, *(loading_text(row.loadings.get(name, 0.0), 4) for row in self.rows)] for name in used
        ]
        titles = ("variable", *(f"direction {at + 1}" for at in range(len(self.rows))))
        beside = Table(titles, loadings, tuple(range(1, len(titles))))
        return [Table(header, rows, (0, 1, 2), wrapped=(4,)), beside]

    def _certificates(self) -> Mapping[str, Certificate]:
        made = enumerate((row.certificate for row in self.rows), start=1)
        return {f"direction{at}": certificate for at, certificate in made if certificate is not None}


def discriminants(
    X: Any,
    groups: Any,
    k: int,
    n_components: int = 1,
    *,
    ridge: float | None = None,
    gap: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
    include: Any = (),
    exclude: Any = (),
) -> Directions:
    r"""Find sparse Fisher discriminants: directions of k variables that separate groups.

    .. math:: \max\{x'S_bx / x'S_wx : \mathrm{Card}(x)\le k\}

    Parameters
    ----------
    X : (m, n) array_like or DataFrame of observations.
    groups : (m,) labels, of two groups or more.
    k : int, the cardinality of each direction.
    n_components : int
        Number of directions. After each, :math:`S_b` is projected: :math:`(I-S_wxx')S_b(I-xx'S_w)`, with
        :math:`x'S_wx=1`; a later direction is proved best for the projected :math:`S_b`.
    ridge : float, optional
        Added to the diagonal of :math:`S_w` (unit of the data, squared).
    gap : as in `relaxspca.generalized`, for each direction.
    time_limit : float, seconds for all directions; each gets an equal part of the time left.
    names : sequence of n distinct str, optional
    include, exclude : names or positions, optional
        Variables that every direction must use (their loadings may be 0), and must not.

    Returns
    -------
    Directions
        A list of `Generalized`, one a direction, indexed and counted like a list.
        Of the matrices :math:`S_b` and :math:`S_w` as they were rounded (`scatter_matrices`).

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> wine = load_wine()
    >>> found = discriminants(wine.data, wine.target, 3, names=wine.feature_names)
    >>> found[0].status, found[0].support
    ('optimal', ('flavanoids', 'color_intensity', 'proline'))
    """
    matrix, own = checked_dense(X, what="observations")
    names = own if names is None else tuple(names)
    between, within = scatter_matrices(matrix, groups)
    options: dict[str, Any] = {"k": k, "names": names, "include": include, "exclude": exclude, "gap": gap}
    options |= {"ridge": ridge, "time_limit": time_limit}
    seen = f"{counted(matrix.shape[1], 'variable')} in {counted(len(matrix), 'observation')}"
    about = f"variance between over variance within {len(np.unique(groups))} groups, of {seen}"
    return _one_by_one(between, within, n_components, options, about)


def scatter_matrices(X: Any, groups: Any) -> tuple[Array, Array]:
    r"""Return the covariances between and within groups, both divided by the number of observations.

    Parameters
    ----------
    X : (m, n) array_like of observations.
    groups : (m,) labels.

    Returns
    -------
    between, within : (n, n) arrays

    Examples
    --------
    >>> between, within = scatter_matrices([[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"])
    >>> between.tolist(), within.tolist()
    ([[4.0]], [[1.0]])
    """
    matrix, _ = checked_dense(X, what="observations")
    labels = np.asarray(groups).ravel()
    if labels.shape != (matrix.shape[0],):
        raise InputError(f"{labels.size} labels are given for {matrix.shape[0]} observations")
    kinds, member = np.unique(labels, return_inverse=True)
    if len(kinds) < 2:
        raise InputError("all observations are of one group: two groups or more are needed")
    counts = np.bincount(member)
    # The overall mean is subtracted first, so that large offsets do not cancel later.
    centred = matrix - matrix.mean(axis=0)
    means = np.array([centred[member == group].mean(axis=0) for group in range(len(kinds))])
    rest = centred - means[member]
    between = (means * counts[:, None]).T @ means / len(matrix)
    within = rest.T @ rest / len(matrix)
    return (between + between.T) / 2, (within + within.T) / 2


def canonical_correlations(
    X: Any,
    Y: Any,
    k: int | tuple[int, int],
    n_components: int = 1,
    *,
    ridge: float | None = None,
    gap: float = 0.0,
    time_limit: float | None = None,
    include: Any = (),
    exclude: Any = (),
) -> Directions:
    r"""Find the combinations of X and of Y, of k variables together, with the largest correlation.

    .. math:: \max\Big\{\frac{2u'\Sigma_{xy}v}{u'\Sigma_{xx}u+v'\Sigma_{yy}v} :
        \mathrm{Card}(u)+\mathrm{Card}(v)\le k\Big\}

    Parameters
    ----------
    X, Y : (m, p) and (m, q) array_like or DataFrame
        Two sets of variables of the same observations.
    k : int or pair of int
        Cardinality of both combinations together, at least 2 for a correlation that is not 0; or the
        cardinalities :math:`k_x` of u and :math:`k_y` of v.
    n_components : int
        Number of pairs; each pair is projected out of the cross-covariance before the next.
    ridge : float, optional
        Added to all variances (unit of the data, squared); correlations are then smaller than without.
    gap : as in `relaxspca.generalized`, for each pair.
    time_limit : float, seconds for all pairs; each gets an equal part of the time left.
    include, exclude : names or positions, optional
        Variables of X or Y that every pair must use (their loadings may be 0), and must not. Variables of Y are
        counted after those of X, and are named y0, y1, ... if they have no names (of X: x0, x1, ...).

    Returns
    -------
    Directions
        A list of `Generalized`, one a direction, indexed and counted like a list.
        The ratio is the correlation; loadings are of X first, then of Y, and each half is scaled so that
        :math:`u'\Sigma_{xx}u=v'\Sigma_{yy}v=1/2` up to rounding.

    Notes
    -----
    For given u and v the ratio is largest where the two forms below are equal (the arithmetic mean is not
    below the geometric), and is then the correlation
    :math:`|u'\Sigma_{xy}v|/\sqrt{u'\Sigma_{xx}u\,v'\Sigma_{yy}v}`.

    Examples
    --------
    >>> from sklearn.datasets import load_linnerud
    >>> data = load_linnerud()
    >>> found = canonical_correlations(data.data, data.target, 3)
    >>> found[0].status, round(found[0].lower, 3)
    ('optimal', 0.722)
    >>> apart = canonical_correlations(data.data, data.target, (1, 2))
    >>> apart[0].status, round(apart[0].lower, 3)
    ('optimal', 0.661)
    """
    (first, first_names), (second, second_names) = (checked_dense(Z, what="observations") for Z in (X, Y))
    if len(first) != len(second):
        raise InputError(f"X has {len(first)} observations and Y {len(second)}: they must be the same")
    p, q = first.shape[1], second.shape[1]
    names = (*(first_names or [f"x{i}" for i in range(p)]), *(second_names or [f"y{j}" for j in range(q)]))
    both = np.column_stack([first - first.mean(axis=0), second - second.mean(axis=0)])
    total = both.T @ both / len(both)
    total = (total + total.T) / 2
    is_of_y = np.arange(p + q) >= p
    alone = np.where(is_of_y[:, None] == is_of_y, total, 0.0)
    options: dict[str, Any] = {"names": names, "include": include, "exclude": exclude, "gap": gap}
    options |= {"ridge": ridge, "time_limit": time_limit}
    if not isinstance(k, Sequence):
        options["k"] = k
    elif len(k) != 2:
        raise InputError(f"k must be a cardinality, or one for X and one for Y, not {k!r}")
    else:
        k_x, k_y = whole_number(k[0], "k_x", most=p), whole_number(k[1], "k_y", most=q)
        options["budgets"] = [(list(range(p)), k_x), (list(range(p, p + q)), k_y)]
    about = f"correlation of combinations of {p} and of {counted(q, 'variable')} in {len(both)} observations"
    sides = slice(0, p), slice(p, p + q)
    return _one_by_one(total - alone, alone, n_components, options, about, sides)


def _one_by_one(
    above: Array,
    below: Array,
    n_components: int,
    options: dict[str, Any],
    about: str,
    sides: Sequence[slice] = (),
) -> Directions:
    """Find directions one after another; each is projected out of the matrix above, its sides one by one."""
    count, found = whole_number(n_components, "n_components"), list[Generalized]()
    deadline, ridge = SearchLimits.checked(time_limit=options["time_limit"]).deadline, options["ridge"] or 0.0
    for at in range(count):
        if not sides and np.abs(above).max() <= 1e-12 * np.abs(below).max():
            raise InputError("there are fewer directions that tell the groups apart: ask for fewer components")
        best = generalized(above, below, **options | {"time_limit": deadline.share(count - at)})
        found.append(best)
        if best.is_interrupted:  # a search keeps Ctrl-C to itself: no other is begun
            break
        for side in sides or (slice(None),):
            x = spread(best.loadings_array[side], side, len(below))
            shadow = below @ x + ridge * x
            if float(x @ shadow) > 0:  # P'MP for P = I - xs'/(x's)
                unit, image = shadow / float(x @ shadow), above @ x
                crossed = np.outer(unit, image - float(x @ image) / 2 * unit)
                above = np.asarray(above - crossed - crossed.T)
    return Directions(tuple(found), about)
