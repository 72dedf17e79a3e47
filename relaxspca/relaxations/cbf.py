"""Write the problem of one sparse component in the Conic Benchmark Format, for other solvers."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from relaxspca.problem.arguments import as_covariance
from relaxspca.problem.covariance import Covariance
from relaxspca.results.claims import matrix_words
from relaxspca.results.tables import saved


def write_cbf(cov: Covariance, k: int, path: str | os.PathLike[str], *, relaxed: bool = False) -> None:
    r"""Write a mixed-integer semidefinite program whose optimum is v_k, as a CBF file.

    .. math::
        v_k = \max\ \langle\Sigma,X\rangle:\quad \mathrm{tr}X=1,\ X\succeq0,\ \textstyle\sum_iz_i\le k,\
        X_{ii}\le z_i,\ |X_{ij}|\le z_i/2\ (j\ne i),\ z\in\{0,1\}^n

    Parameters
    ----------
    cov : Covariance of n variables; the file has about 2n^2 rows.
    k : int, the cardinality, 1 to n.
    path : str or path
        Replaced as a whole; nothing half-written is left.
    relaxed : bool
        Leave out the integrality of z: relaxation (18) of Bertsimas, Cory-Wright and Pauphilet, for solvers
        of continuous programs.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n, or variables were eliminated.

    Notes
    -----
    The rows hold X_ij only where supports allow it, so X lives on the support and :math:`\langle\Sigma,X\rangle
    \le\lambda_{\max}(\Sigma_{TT})`; xx' with the indicator of the support attains it, for a 2 by 2 minor of
    :math:`X\succeq0` with trace at most 1 has :math:`|X_{ij}|\le1/2`. Numbers are written with 17 digits: they
    are read back as the same floats. Variables are numbered as in `cov.names`, from 0.

    References
    ----------
    .. [1] H. A. Friberg, CBLIB 2014: a benchmark library for conic mixed-integer and continuous optimization,
       Mathematical Programming Computation 8, 2016 (the format).
    .. [2] D. Bertsimas, R. Cory-Wright and J. Pauphilet, JMLR 23, 2022, equation (18).

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "two.cbf"
    >>> write_cbf(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1, file)
    >>> file.read_text().splitlines()[2:6]
    ['VER', '4', '', 'OBJSENSE']
    """
    cov = as_covariance(cov)
    k = cov.check_cardinality(k)
    cov.check_complete("write_cbf")
    saved("".join(f"{line}\n" for line in _lines(cov, k, relaxed)), path)


def _lines(cov: Covariance, k: int, relaxed: bool) -> Iterator[str]:
    """Yield the lines of the file; its rows are the trace, the sum of z, then the bounds by z_i."""
    n, Sigma = cov.n, cov.matrix
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    yield f"# best component of {k} of {n} variables: {matrix_words(cov)}"
    yield f"# digest of the matrix: {cov.digest}"
    yield from ("VER", "4", "", "OBJSENSE", "MAX", "", "PSDVAR", "1", str(n), "")
    yield from ("VAR", f"{n} 1", f"L+ {n}", "")
    if not relaxed:
        yield from ("INT", str(n), *map(str, range(n)), "")
    # trace, -sum z + k >= 0 and 1 - z_i >= 0, z_i - X_ii >= 0, z_i/2 -+ X_ij >= 0.
    yield from ("CON", f"{2 + 2 * n + 2 * len(pairs)} 2", "L= 1", f"L+ {1 + 2 * n + 2 * len(pairs)}", "")
    yield from _section("OBJFCOORD", (f"0 {i} {j} {Sigma[i, j]!s}" for i, j in np.argwhere(np.tril(Sigma))))
    rows = [(0, i, i, 1.0) for i in range(n)] + [(2 + n + i, i, i, -1.0) for i in range(n)]
    linear = [(1, i, -1.0) for i in range(n)] + [(2 + i, i, -1.0) for i in range(n)]
    linear += [(2 + n + i, i, 1.0) for i in range(n)]
    for at, (i, j) in enumerate(pairs):
        first = 2 + 2 * n + 2 * at
        # A coefficient of the lower triangle counts for both halves of X.
        rows += [(first, max(i, j), min(i, j), -0.5), (first + 1, max(i, j), min(i, j), 0.5)]
        linear += [(first, i, 0.5), (first + 1, i, 0.5)]
    yield from _section("FCOORD", (f"{row} 0 {i} {j} {value}" for row, i, j, value in rows))
    yield from _section("ACOORD", (f"{row} {i} {value}" for row, i, value in linear))
    yield from _section("BCOORD", [f"0 {-1.0}", f"1 {float(k)}", *(f"{2 + i} {1.0}" for i in range(n))])


def _section(name: str, lines: Iterator[str] | list[str]) -> Iterator[str]:
    entries = list(lines)
    yield from (name, str(len(entries)), *entries, "")
