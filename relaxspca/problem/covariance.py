"""The covariance matrix: validated once, here; its names, thin factor and digest."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.certificate.eliminated import Eliminated
from relaxspca.errors import DataWarning, InputError, counted
from relaxspca.numerics.linalg import Array, as_array, norm_upper, product_radius, round_up
from relaxspca.problem.gram import DenseGram, FactorGram, Gram, SparseGram
from relaxspca.problem.observations import (
    checked_matrix,
    checked_names,
    coarsest_epsilon,
    is_sparse,
    standardised,
    whole_number,
)
from relaxspca.problem.selected import selected
from relaxspca.problem.semidefinite import compressed, eigenvalue_factor, shift_to_semidefinite
from relaxspca.runtime.door import upstairs
from relaxspca.runtime.progress import ProgressCallback

__all__ = ["Covariance"]

SYMMETRY_TOLERANCE = 1e-12
LARGEST_MATRIX = 30_000  # variables; 7.2 GB


class Covariance:
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

    Raises
    ------
    InputError
        `S` is empty, not square, not symmetric or zero, has entries that are missing, masked, complex, dates or
        not finite, or names are wrong.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]], names=["height", "weight"])
    >>> cov
    Covariance of 2 variables (height, weight), trace 4
    """

    def __init__(self, S: Any, names: Sequence[str] | None = None) -> None:
        matrix, found = checked_matrix(S, what="covariance matrix")
        self._start(DenseGram(_symmetric(matrix, coarsest_epsilon(S))), names if names is not None else found)
        self.shift = shift_to_semidefinite(self.matrix)
        if self.shift:
            warnings.warn(
                f"the matrix is not positive semidefinite (smallest eigenvalue {-self.shift:.6g}); bounds are "
                f"computed for Sigma + {self.shift:.6g} I and the shift is subtracted from every value",
                DataWarning,
                stacklevel=2,
            )

    @classmethod
    def from_data(cls, X: Any, correlation: bool = False, names: Sequence[str] | None = None) -> Covariance:
        r"""Covariance or correlation of observations, :math:`X_c'X_c/(m-1)`.

        Parameters
        ----------
        X : (m, n) array_like, pandas DataFrame or scipy.sparse array
            One row an observation, one column a variable. Columns are centred here.
        correlation : bool
            Scale every column to unit variance; constant columns are dropped, with a `DataWarning` that
            names them.
        names : sequence of n str, optional

        Returns
        -------
        Covariance
            With m < n the thin factor is kept and Sigma is defined by it; sparse data stay sparse.

        Raises
        ------
        InputError
            Fewer than two observations, all columns constant, or entries that are missing, masked, complex,
            dates or not finite.

        Examples
        --------
        >>> Covariance.from_data([[0.0, 1.0], [2.0, 5.0], [4.0, 9.0]]).matrix.tolist()
        [[4.0, 8.0], [8.0, 16.0]]
        """
        X, found = checked_matrix(X, what="data matrix")
        kept_names = checked_names(names if names is not None else found, X.shape[1])
        data = standardised(X, kept_names, correlation=correlation)
        cov = cls.__new__(cls)
        gram: Gram
        if is_sparse(data.scaled) and data.is_wide:
            root = np.sqrt(data.degrees)
            gram = SparseGram(data.scaled / root, data.centre / root)
        elif data.is_wide:
            gram = FactorGram(compressed(data.dense()))
        else:
            gram = DenseGram(data.gram())
        cov._start(gram, data.names)
        return cov

    @classmethod
    def from_factor(cls, A: Any, names: Sequence[str] | None = None) -> Covariance:
        r"""Take Sigma to be exactly :math:`A'A`.

        Parameters
        ----------
        A : (r, n) array_like
            Factor, in the unit of the data.
        names : sequence of n str, optional

        Examples
        --------
        >>> Covariance.from_factor([[1.0, 2.0]]).matrix.tolist()
        [[1.0, 2.0], [2.0, 4.0]]
        """
        factor, found = checked_matrix(A, what="factor")
        cov = cls.__new__(cls)
        dense = factor.toarray() if is_sparse(factor) else factor
        cov._start(FactorGram(as_array(dense)), names if names is not None else found)
        return cov

    @classmethod
    def from_chunks(
        cls,
        source: Any,
        *,
        names: Sequence[str] | None = None,
        limit: int = 2000,
        block_rows: int | None = None,
        checkpoint: str | Path | None = None,
        progress: ProgressCallback | None = None,
        scheduler: Any = None,
    ) -> Covariance:
        r"""Covariance of the variables of largest variance, from data read twice in blocks of rows.

        The others are not forgotten: their variances stay in `eliminated`, and certificates speak about
        the full matrix (certificates/SPEC.md, section 7, states the rule and proves it).

        Parameters
        ----------
        source : see `relaxspca.reading.chunks.open_chunks`
            A folder of files, a memory-mapped .npy file, or a function that returns an iterator of blocks.
        names : sequence of n str, optional
            Names of all n columns; frames, and files with names, bring their own.
        limit : int
            How many variables to keep; memory grows with its square.
        block_rows : int, optional
            Rows in a block, where the source leaves the choice.
        checkpoint : str or Path, optional
            File from which the same call goes on after an interruption.
        progress : callable, optional
            Called with (pass, blocks done, blocks in all or None).
        scheduler : optional
            Over what to spread the blocks: see `relaxspca.runtime.distributed.ordered_map`.

        Raises
        ------
        InputError
            The blocks do not fit together, an entry is not finite, there are fewer than two rows, or
            the checkpoint belongs to other data.

        Examples
        --------
        >>> X = np.array([[0.0, 1.0, 0.0], [2.0, 5.0, 0.1], [4.0, 9.0, 0.0]])
        >>> cov = Covariance.from_chunks([X[:2], X[2:]], limit=2)
        >>> cov.matrix.tolist(), cov.eliminated.names
        ([[4.0, 8.0], [8.0, 16.0]], ('x2',))
        """
        kept = upstairs("reading.moments", "kept_covariance")(
            source,
            limit=limit,
            names=names,
            block_rows=block_rows,
            checkpoint=checkpoint,
            progress=progress,
            scheduler=scheduler,
        )
        cov = cls.__new__(cls)
        cov._start(DenseGram(kept.matrix), kept.names)
        cov.eliminated = kept.eliminated if kept.eliminated.count else None
        return cov

    @classmethod
    def from_sparse(cls, X: Any, *, names: Sequence[str] | None = None, limit: int = 2000) -> Covariance:
        """Covariance of the `limit` columns of largest variance of a scipy.sparse array of observations.

        See `from_chunks`, whose other parameters matter only for data that do not fit in memory.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> Covariance.from_sparse(csr_array([[0.0, 1.0], [2.0, 5.0], [4.0, 9.0]])).matrix.tolist()
        [[4.0, 8.0], [8.0, 16.0]]
        """
        if not is_sparse(X):
            raise InputError("from_sparse takes a scipy.sparse array; for dense data use from_data")
        return cls.from_chunks(X, names=names, limit=limit)

    def _start(self, gram: Gram, names: Sequence[str] | None) -> None:
        self.n = gram.n
        self.names = checked_names(names, gram.n)
        self._gram = gram
        self.shift = 0.0
        self.eliminated: Eliminated | None = None

    @property
    def is_factored(self) -> bool:
        """Whether Sigma is defined by a factor rather than by its n x n entries."""
        return isinstance(self._gram, FactorGram)

    @property
    def diagonal(self) -> Array:
        """The n variances."""
        return self._gram.diagonal

    @cached_property
    def matrix(self) -> Array:
        """(n, n) entries of Sigma as the user gave it, without any shift; formed on first use."""
        if self.n > LARGEST_MATRIX:
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
    def digest(self) -> str:
        """SHA-256 of the exact floats that define Sigma; certificates quote it."""
        from relaxspca.certificate import digest_of

        if self.is_factored:
            return digest_of(factor=self.factor, eliminated=self.eliminated)
        return digest_of(matrix=self.matrix, eliminated=self.eliminated)

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

    def restrict(self, variables: Iterable[int] | Iterable[str] | Iterable[bool]) -> Covariance:
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
        Covariance of 1 variable (b), trace 3
        """
        kept = selected(variables, self.names)
        cov = type(self).__new__(type(self))
        cov.n = kept.size
        cov.names = tuple(self.names[i] for i in kept)
        cov._gram = self._gram.restrict(kept)
        cov.shift = self.shift
        cov.eliminated = None
        return cov

    def scaled(self, q: int) -> Covariance | None:
        """Return exactly 4**q Sigma of the variables kept, or None where a digit would be lost."""
        gram = self._gram.scaled(q)
        if gram is None:
            return None
        cov = type(self).__new__(type(self))
        cov._start(gram, self.names)
        cov.shift = math.ldexp(self.shift, 2 * q)
        return cov

    def check_complete(self, claim: str) -> None:
        """Raise `InputError` where variables were eliminated that a claim would pass over in silence."""
        if self.eliminated is not None:
            raise InputError(
                f"{claim} needs all variables, but {self.eliminated.count} were eliminated: use solve, certify "
                "or path with a cardinality, or cov.restrict(range(cov.n)) to speak of those kept alone"
            )

    def check_cardinality(self, k: int) -> int:
        """Return k as an int, or raise `InputError` unless it is a whole number from 1 to n."""
        k = whole_number(k, "cardinality k")
        if not 1 <= k <= self.n:
            raise InputError(f"cardinality k = {k} is outside 1..{self.n}, the number of variables")
        return k

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:6]) + (", ..." if self.n > 6 else "")
        shifted = f", shifted by {self.shift:.6g}" if self.shift else ""
        size, trace = counted(self.n, "variable"), f"{self.diagonal.sum():.6g}"
        return f"Covariance of {size} ({shown}), trace {trace}{shifted}"


def _symmetric(matrix: Any, epsilon: float) -> Array:
    """Return the symmetric mean of a square matrix of floats of a precision, or say where it is not."""
    if is_sparse(matrix):
        matrix = matrix.toarray()
    n, m = matrix.shape
    if n != m:
        raise InputError(
            f"a covariance matrix is square, but this one is {n} x {m}; "
            "for observations use Covariance.from_data (--data on the command line)"
        )
    difference = np.abs(matrix - matrix.T)
    largest, size = float(difference.max()), float(np.abs(matrix).max())
    if largest > max(SYMMETRY_TOLERANCE, 8 * epsilon) * size:
        i, j = np.unravel_index(int(difference.argmax()), difference.shape)
        raise InputError(
            f"the covariance matrix is not symmetric: entry ({i}, {j}) is {matrix[i, j]:.6g} "
            f"but entry ({j}, {i}) is {matrix[j, i]:.6g}, a difference of {largest:.3g}; if that is "
            "rounding, pass (S + S.T) / 2; if these are observations, use Covariance.from_data (--data on the "
            "command line)"
        )
    if largest > SYMMETRY_TOLERANCE * size:
        warnings.warn(
            "the matrix is symmetric only to the precision of its floats: entries (i, j) and (j, i) differ by "
            f"up to {largest:.3g}; their mean is taken",
            DataWarning,
            stacklevel=3,
        )
    return as_array((matrix + matrix.T) / 2)
