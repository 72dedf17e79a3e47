"""Build a covariance from observations, from a factor, or from blocks of rows read one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from relaxspca.certificate import Description, Eliminated
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import HELD, Array, as_array
from relaxspca.problem.checks import check_flags
from relaxspca.problem.gram import DenseGram, FactorGram, Gram, SparseGram
from relaxspca.problem.mistakes import warn_of_codes, warn_of_numbering, warn_of_scale
from relaxspca.problem.observations import (
    checked_matrix,
    checked_names,
    coarsest_epsilon,
    is_sparse,
    row_labels,
    standardised,
    without_missing,
)
from relaxspca.problem.semidefinite import compressed
from relaxspca.problem.symmetry import warn_of_matrix
from relaxspca.runtime.lazy import attribute


class Constructors:
    """Constructors of a covariance from data; its subclass `Covariance` adds the operations."""

    @classmethod
    def _made(
        cls,
        gram: Gram,
        names: Sequence[str] | None,
        description: Description,
        *,
        shift: float = 0.0,
        eliminated: Eliminated | None = None,
    ) -> Self:
        """Return the covariance stored in a Gram matrix, without checking its entries again."""
        cov = cls.__new__(cls)
        fields = {"n": gram.n, "names": checked_names(names, gram.n), "shift": shift}
        cov.__dict__.update(fields, eliminated=eliminated, description=description, _gram=gram)
        return cov

    @classmethod
    def from_data(
        cls,
        X: Any,
        correlation: bool = False,
        names: Sequence[str] | None = None,
        *,
        centred: bool = True,
        drop_missing: bool = False,
    ) -> Self:
        r"""Covariance or correlation of observations, :math:`X_c'X_c/(m-1)`.

        Parameters
        ----------
        X : (m, n) array_like, pandas DataFrame or scipy.sparse array
            One row an observation, one column a variable. Columns are centred here.
        correlation : bool
            Scale every column to unit variance; constant columns are dropped, with a `DataWarning` that
            names them.
        names : sequence of n str, optional
        centred : bool
            Whether to subtract the mean of every column. If not, Sigma is the matrix of second moments,
            :math:`X'X/m`, and `correlation` scales it to a unit diagonal; for X'X itself, see `from_factor`.
        drop_missing : bool
            Leave out observations with missing cells; a `DataWarning` names them, and results and
            certificates say how many there were.

        Returns
        -------
        Covariance
            With m < n the thin factor is kept and Sigma is defined by it; sparse data stay sparse. A
            `DataWarning` says where one variable has nearly all variance, where a column numbers or dates the
            observations, where a value such as 99 seems to stand for missing ones, and where these look like a
            covariance matrix.

        Raises
        ------
        InputError
            Fewer than two observations, all columns constant, or entries that are missing, masked, complex,
            dates or not finite.

        Examples
        --------
        >>> from relaxspca import Covariance
        >>> X = [[0.0, 1.0], [2.0, 5.0], [4.0, 9.0]]
        >>> Covariance.from_data(X).matrix.tolist()
        [[4.0, 8.0], [8.0, 16.0]]
        >>> Covariance.from_data(X, centred=False).description.words
        'matrix of second moments of 3 observations about zero'
        """
        check_flags(correlation=correlation, centred=centred, drop_missing=drop_missing)
        dropped = 0
        if drop_missing:
            X, dropped = without_missing(X)
        labels, epsilon = row_labels(X), coarsest_epsilon(X)
        X, found = checked_matrix(X, what="data matrix")
        kept_names = checked_names(names if names is not None else found, X.shape[1])
        warn_of_matrix(X, names=found, labels=labels, epsilon=epsilon)
        if names is not None or found is not None:
            warn_of_numbering(X, kept_names)
        warn_of_codes(X, kept_names)
        *data, kept_names = standardised(X, kept_names, correlation=correlation, centred=centred)
        kind = "correlation" if correlation else "covariance" if centred else "second moments"
        gram = _gram_of(*data)
        if not correlation:
            warn_of_scale(gram.diagonal, kept_names, what="variance" if centred else "second moments")
        return cls._made(gram, kept_names, Description(kind, X.shape[0], centred, dropped=dropped))

    @classmethod
    def from_factor(cls, A: Any, names: Sequence[str] | None = None) -> Self:
        r"""Take Sigma to be exactly :math:`A'A`.

        Parameters
        ----------
        A : (r, n) array_like or scipy.sparse array
            Factor, in the unit of the data. Of a sparse one Sigma is the floats to which A'A rounds; no
            dense array of its shape is formed.
        names : sequence of n str, optional

        Raises
        ------
        InputError
            Entries are missing, masked, complex, dates or not finite, or names are wrong.

        Examples
        --------
        >>> from relaxspca import Covariance
        >>> Covariance.from_factor([[1.0, 2.0]]).matrix.tolist()
        [[1.0, 2.0], [2.0, 4.0]]
        """
        factor, found = checked_matrix(A, what="factor")
        gram: Gram
        if is_sparse(factor):
            gram = _gram_of(factor, np.zeros(factor.shape[1]), 1)
        else:
            gram = FactorGram(as_array(factor))
        return cls._made(gram, names if names is not None else found, Description())

    @classmethod
    def from_chunks(
        cls,
        source: Any,
        *,
        names: Sequence[str] | None = None,
        limit: int = 2000,
        centred: bool = True,
        block_rows: int | None = None,
        n_jobs: int | None = None,
        client: Any = None,
        verbose: bool | None = None,
    ) -> Self:
        r"""Covariance of the variables of largest variance, from data read twice in blocks of rows.

        The variances of the other variables stay in `eliminated`, and certificates hold for the full
        matrix (certificates/SPEC.md, section 7, states the rule and proves it).

        Parameters
        ----------
        source : see `relaxspca.reading.chunks.open_chunks`
            A folder of files, a memory-mapped .npy file, or a function that returns an iterator of blocks.
        names : sequence of n str, optional
            Names of all n columns; frames, and files with names, bring their own.
        limit : int
            How many variables to keep; memory grows with its square.
        centred : bool
            As in `from_data`; the second moments then decide which variables are kept.
        block_rows : int, optional
            Rows in a block, where the source leaves the choice.
        n_jobs, client : int; distributed.Client or str, optional
            Processes, or a dask cluster, that share the blocks, as in `relaxspca.solve`.
        verbose : bool, optional
            Show progress on stderr; by default in a notebook and at Python's prompt.

        Raises
        ------
        InputError
            The blocks do not fit together, an entry is not finite, or there are fewer than two rows.

        Examples
        --------
        >>> from relaxspca import Covariance
        >>> X = np.array([[0.0, 1.0, 0.0], [2.0, 5.0, 0.1], [4.0, 9.0, 0.0]])
        >>> cov = Covariance.from_chunks([X[:2], X[2:]], limit=2)
        >>> cov.matrix.tolist(), cov.eliminated.names
        ([[4.0, 8.0], [8.0, 16.0]], ('x2',))
        """
        found: Self = attribute("reading.moments", "kept_covariance")(
            source,
            limit=limit,
            names=names,
            centred=centred,
            block_rows=block_rows,
            n_jobs=n_jobs,
            client=client,
            verbose=verbose,
        )
        return found

    @classmethod
    def from_sparse(
        cls, X: Any, *, names: Sequence[str] | None = None, limit: int = 2000, centred: bool = True
    ) -> Self:
        """Covariance of the `limit` columns of largest variance of a scipy.sparse array of observations.

        See `from_chunks`, whose other parameters matter only for data that do not fit in memory.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> from relaxspca import Covariance
        >>> Covariance.from_sparse(csr_array([[0.0, 1.0], [2.0, 5.0], [4.0, 9.0]])).matrix.tolist()
        [[4.0, 8.0], [8.0, 16.0]]
        """
        if not is_sparse(X):
            raise InputError("from_sparse takes a scipy.sparse array; for dense data use from_data")
        return cls.from_chunks(X, names=names, limit=limit, centred=centred)


def _gram_of(scaled: Any, centre: Array, degrees: int) -> Gram:
    """Return the Gram matrix of scaled - 1 centre', divided by degrees, in the storage that suits it."""
    (m, n), root = scaled.shape, np.sqrt(degrees)
    if is_sparse(scaled) and (m < n or n > HELD):
        return SparseGram(scaled / root, centre / root)
    if is_sparse(scaled):
        gram = (scaled.T @ scaled).toarray() - m * np.outer(centre, centre)
    else:
        centred = scaled - centre
        if m < n:
            return FactorGram(compressed(centred / root))
        gram = centred.T @ centred
    return DenseGram((gram + gram.T) / (2 * degrees))
