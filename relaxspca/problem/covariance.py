"""The covariance matrix, validated once, with the names of its variables, thin factor and digest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from relaxspca.certificate import Description, Eliminated, Matrix
from relaxspca.errors import InputError, Paragraph, counted, in_line
from relaxspca.numerics.linalg import (
    Array,
    as_array,
    eigenvalue_upper,
    is_proved_below,
    norm_upper,
    product_radius,
    round_up,
)
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.conditions import selected
from relaxspca.problem.constructors import Constructors
from relaxspca.problem.gram import MOST_ENTRIES, DenseGram, FactorGram, Gram, SparseGram
from relaxspca.problem.mistakes import warn_of_scale
from relaxspca.problem.observations import (
    checked_matrix,
    coarsest_epsilon,
    row_labels,
    whole_number,
)
from relaxspca.problem.semidefinite import eigenvalue_factor, shift_to_semidefinite
from relaxspca.problem.symmetry import symmetric_matrix

UNIT_DIAGONAL = 1e-6  # how far a variance of a correlation matrix may be from 1
SLIGHT = 0.1  # of the largest entry: a negative eigenvalue that rounding or pairwise deletion may leave


class Covariance(Paragraph, Constructors):
    r"""A symmetric matrix Sigma to be explained, positive semidefinite or shifted to be.

    Parameters
    ----------
    S : (n, n) array_like or pandas DataFrame
        Covariance or correlation matrix. Entries (i, j) and (j, i) may differ by 1e-12 of the largest
        entry, or by 8 units of the precision of coarser floats, with a `DataWarning`; their mean is taken.
    names : sequence of n distinct str, optional
        Names of the variables; a DataFrame brings its own.

    Attributes
    ----------
    n : int
        Number of variables.
    names : tuple of n str
    shift : float
        The :math:`\delta\ge 0` for which :math:`\Sigma+\delta I` is positive semidefinite; 0 for a true
        covariance. Since :math:`v_k(\Sigma+\delta I)=v_k(\Sigma)+\delta`, methods that need a
        semidefinite matrix work on the shifted one and subtract the shift from what they report.
    is_factored : bool
        Whether Sigma is *defined* as A'A by its factor, so that no n x n array need ever be formed.
    eliminated : Eliminated or None
        Further variables, of which `from_chunks` kept only the variances.
    description : Description
        Covariance, correlation, second moments or just a matrix; of how many observations, centred or not;
        after which components. A given S with a unit diagonal is a correlation matrix, and an indefinite S
        is just a matrix.

    Raises
    ------
    InputError
        `S` is empty, not square, not symmetric or zero, has entries that are missing, masked, complex, dates or
        not finite, or names are wrong.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]], names=["height", "weight"])
    >>> cov
    Covariance matrix: 2 variables (height, weight), trace 4
    """

    n: int
    names: tuple[str, ...]
    shift: float
    eliminated: Eliminated | None
    description: Description
    _gram: Gram

    def __init__(self, S: Any, names: Sequence[str] | None = None) -> None:
        matrix, found = checked_matrix(S, what="covariance matrix")
        matrix = symmetric_matrix(matrix, names=found, labels=row_labels(S), epsilon=coarsest_epsilon(S))
        made = self._of_entries(matrix, names if names is not None else found, is_given=True)
        self.__dict__.update(vars(made))
        warn_of_scale(self.diagonal, self.names)

    @classmethod
    def _of_entries(
        cls, matrix: Array, names: Sequence[str] | None, *, is_given: bool = False, what: str = "matrix"
    ) -> Self:
        """Return the covariance of exactly symmetric, checked entries; no warning about units is given.

        `is_given` says that they are the caller's own, and not `what` was made of others, as by a deflation.
        """
        shift = shift_to_semidefinite(matrix)
        cov = cls._made(DenseGram(matrix), names, _described(matrix, shift), shift=shift)
        if shift:
            is_slight = shift <= SLIGHT * matrix.max()
            often = ", as rounded or pairwise matrices often are" if is_slight else ""
            wrong = ", so that no data have it as their covariance, and an entry may be wrong"
            said = f"the {what} is not positive semidefinite{often} (smallest eigenvalue {-shift:.2g})"
            warn_of_data(f"{said}{wrong if is_given and not is_slight else ''}: all bounds remain valid")
        return cov

    def _with(self, **changes: Any) -> Self:
        """Return the same matrix with another `eliminated` or `description`."""
        parts = {"eliminated": self.eliminated, "description": self.description} | changes
        return self._made(self._gram, self.names, shift=self.shift, **parts)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"a Covariance does not change: {name!r} cannot be set; make another one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Covariance does not change: {name!r} cannot be deleted")

    @property
    def is_factored(self) -> bool:
        """Whether Sigma is defined by a factor rather than by its n x n entries."""
        return isinstance(self._gram, FactorGram)

    @property
    def diagonal(self) -> Array:
        """(n,) variances."""
        return self._gram.diagonal

    @cached_property
    def matrix(self) -> Array:
        """(n, n) entries of Sigma as the user gave it, without any shift; formed on first use."""
        if self.n**2 > MOST_ENTRIES:
            raise InputError(f"{self.n} x {self.n} entries are too many to form; restrict the variables first")
        return self._gram.matrix

    @cached_property
    def factor(self) -> Array:
        r"""(r, n) array A with :math:`A'A = \Sigma+\delta I` up to `factor_residual`, r the rank."""
        if not isinstance(self._gram, DenseGram):
            return self._gram.factor
        return eigenvalue_factor(self.matrix, self.shift)

    @cached_property
    def factor_residual(self) -> float:
        r"""Proved upper bound on :math:`\|\Sigma+\delta I-A'A\|_2`; 0 when Sigma is its factor."""
        if self.is_factored:
            return 0.0
        if isinstance(self._gram, SparseGram):
            return self._gram.factor_residual
        A = self.factor
        residual = self.matrix - A.T @ A
        residual[np.diag_indices(self.n)] += self.shift
        # The two subtractions round by at most u (|Sigma| + |residual| + shift) an entry.
        rounding = 4 * np.finfo(float).eps * (norm_upper(self.matrix) + norm_upper(residual) + self.shift)
        return round_up((norm_upper(residual) + product_radius(A, A) + rounding) * (1 + 1e-15))

    @property
    def rank(self) -> int:
        """Number of rows of the factor: the numerical rank."""
        return int(self.factor.shape[0])

    @cached_property
    def largest_upper(self) -> float:
        """Proved upper bound on the largest eigenvalue of Sigma."""
        if self.is_factored and self.rank < self.n:
            A = self.factor
            return eigenvalue_upper(A @ A.T, product_radius(A.T, A.T))
        return eigenvalue_upper(self.matrix, self.rounding())

    @cached_property
    def negative_part(self) -> float:
        """Proved upper bound on the modulus of the most negative eigenvalue; 0 where none is negative."""
        if is_proved_below(-self.matrix, 0.0, self.rounding()):
            return 0.0
        return max(0.0, eigenvalue_upper(-self.matrix, self.rounding()))

    @cached_property
    def eigenpairs(self) -> tuple[Array, Array]:
        """Eigenvalues of Sigma, ascending, and eigenvectors by columns, up to rounding."""
        values, vectors = np.linalg.eigh(self.matrix)
        return as_array(values), as_array(vectors)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the floats that define Sigma, the names and the description; certificates quote it."""
        own = self.subject
        return (own if self.eliminated is None else replace(own, eliminated=self.eliminated)).digest

    @cached_property
    def subject(self) -> Matrix:
        """Sigma as claims speak of it, without `eliminated`; they share it, as its checks take long."""
        return Matrix(
            names=self.names,
            storage="factor" if self.is_factored else "dense",
            entries=self.factor if self.is_factored else self.matrix,
            description=self.description,
        )

    def submatrix(self, indices: npt.ArrayLike) -> Array:
        """Return the block of Sigma on the given variables, (k, k)."""
        return self._gram.block(np.asarray(indices, dtype=np.int64))

    def column(self, i: int) -> Array:
        """Return column i of Sigma, (n,)."""
        return self._gram.columns(np.array([i]))[:, 0]

    def columns(self, indices: npt.ArrayLike) -> Array:
        """Return the given columns of Sigma, (n, k)."""
        return self._gram.columns(np.asarray(indices, dtype=np.int64))

    def product(self, v: Array) -> Array:
        """Return Sigma @ v."""
        return self._gram.product(v)

    def rounding(self, indices: npt.ArrayLike | None = None) -> float:
        """Return a proved bound on the spectral norm by which `submatrix` misses the exact block."""
        return self._gram.rounding(np.arange(self.n) if indices is None else np.asarray(indices))

    def restrict(self, variables: Iterable[int] | Iterable[str] | Iterable[bool]) -> Self:
        """Return the covariance of some of the variables, in the order given.

        Parameters
        ----------
        variables : sequence of distinct int or str, or (n,) booleans
            Positions from 0 to n - 1, names, or which of all the variables to keep.

        Raises
        ------
        InputError
            No variable is selected, one stands twice, or there is no such variable.

        Examples
        --------
        >>> Covariance([[2.0, 1.0], [1.0, 3.0]], names=["a", "b"]).restrict(["b"])
        Covariance matrix: 1 variable (b), trace 3
        """
        kept = selected(variables, self.names)
        names = [self.names[i] for i in kept]
        return self._made(self._gram.restrict(kept), names, self.description, shift=self.shift)

    def scaled(self, q: int) -> Self | None:
        r"""Return exactly :math:`4^q\Sigma`, without `eliminated`; None where a digit would be lost."""
        gram = self._gram.scaled(q)
        if gram is None:
            return None
        return self._made(gram, self.names, self.description, shift=math.ldexp(self.shift, 2 * q))

    @cached_property
    def alone(self) -> Self:
        """The same matrix with `eliminated` dropped, for claims about the variables kept alone."""
        return self if self.eliminated is None else self._with(eliminated=None)

    def check_complete(self, claim: str, *, most: int | None = None) -> None:
        """Raise `InputError` if variables were eliminated and the claim would ignore them.

        Also if there are more than `most` variables, the most for which the claim can be proved.
        """
        if self.eliminated is not None:
            raise InputError(
                f"{claim} needs all variables, but {self.eliminated.count} were eliminated: use solve, certify "
                "or path with a cardinality, or cov.alone for a claim about the variables kept only"
            )
        if most is not None and self.n > most:
            raise InputError(f"{claim} is proved among at most {most} variables, not {self.n}: restrict them")

    def check_cardinality(self, k: int) -> int:
        """Return k as an int, or raise `InputError` unless it is a whole number from 1 to n."""
        return whole_number(k, "cardinality k", most=self.n, of=", the number of variables")

    def __repr__(self) -> str:
        shown = in_line(self.names[:6]) + (", ..." if self.n > 6 else "")
        shifted = f", shifted by {self.shift:.6g}" if self.shift else ""
        size, trace = counted(self.n, "variable"), f"{self.diagonal.sum():.6g}"
        words = self.description.words
        return f"{words[:1].upper()}{words[1:]}: {size} ({shown}), trace {trace}{shifted}"


def _described(matrix: Array, shift: float) -> Description:
    """Describe a matrix given by its entries: correlation, covariance, or just a matrix if indefinite."""
    if shift:
        return Description()  # no covariance of anything
    variances = np.diagonal(matrix)
    return Description("correlation" if np.abs(variances - 1).max() <= UNIT_DIAGONAL else "covariance")
