"""Several components proved together: separate, disjoint or common supports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.certificate import Certificate
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.relaxations.several.shape import Shape
from relaxspca.results.joint import JointComponents
from relaxspca.results.settle import settle, vanishing
from relaxspca.results.status import Status
from relaxspca.search.limits import SearchLimits
from relaxspca.search.run import MANY
from relaxspca.search.several.certificate import table_certificate
from relaxspca.search.several.large import prove_large_table
from relaxspca.search.several.run import Proved, prove_table
from relaxspca.tasks.table_fields import table_fields

__all__ = [
    "check_count",
    "check_table",
    "common_support",
    "in_order",
    "joint_components",
    "largest_first",
    "unless_interrupted",
]

T = TypeVar("T")

LARGEST = 2000  # variables: the bounds need the whole matrix and its eigenvalues again and again


def joint_components(
    cov: Covariance, sizes: Sequence[int], *, disjoint: bool = False, gap: float = 0.0, limits: SearchLimits
) -> JointComponents:
    """Find and prove the best table of orthonormal components of given sizes.

    Parameters
    ----------
    cov : Covariance of n variables.
    sizes : cardinality of each component, from 1 to n.
    disjoint : whether no variable may be used twice.
    gap : relative gap at which to stop.
    limits : when to stop besides.
    """
    cov.check_complete("a table of components")
    # Equal sizes stand beside each other, so that their order can be left open.
    order = sorted(range(len(sizes)), key=lambda t: -sizes[t])
    ranked = tuple(int(sizes[t]) for t in order)
    shape = Shape.disjoint(ranked, cov.n) if disjoint else Shape(ranked)
    if not disjoint and len(sizes) > 1 and max(ranked) == 1 and len(sizes) > cov.n:
        raise InputError(f"{len(sizes)} components of one variable each need as many variables, not {cov.n}")
    if cov.n > MANY and not shape.is_at_most:
        proved, certificate = prove_large_table(cov, shape, gap=gap, limits=limits)
    else:
        proved = prove_table(cov, shape, gap=gap, limits=limits)
        certificate, proved = unless_interrupted(lambda: table_certificate(cov, proved), proved)
    place = largest_first(proved.table.values, ranked, order)
    kind = "disjoint" if disjoint else "orthogonal"
    found = in_order(
        cov,
        proved,
        sizes=tuple(sizes),
        kind=kind,
        place=place,
        seconds=limits.deadline.elapsed,
        certificate=certificate,
    )
    if disjoint or set(sizes) != {cov.n} or len(sizes) < cov.n:
        return found
    # Any orthonormal basis explains the trace: the principal components are the one that is expected.
    principal = table_fields(cov, leading_eigenpairs(cov, cov.n)[1])
    return replace(found, **principal, supports=(cov.names,) * cov.n)


def common_support(
    cov: Covariance, k: int, r: int, *, gap: float = 0.0, limits: SearchLimits
) -> JointComponents:
    """Find and prove the k variables whose r leading eigenvalues have the largest sum.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality of the common support.
    r : number of components, 2 to k.
    gap : relative gap at which to stop.
    limits : when to stop besides.
    """
    check_table(cov)
    if not 2 <= r <= k:
        raise InputError(f"n_components must lie in 1..{k}, as all are on the same {k} variables, not {r}")
    proved = prove_table(cov, Shape((k,), copies=r), gap=gap, limits=limits)
    certificate, proved = unless_interrupted(lambda: table_certificate(cov, proved), proved)
    return in_order(
        cov,
        proved,
        sizes=(k,) * r,
        kind="common",
        place=list(range(r)),
        seconds=limits.deadline.elapsed,
        certificate=certificate,
    )


def check_table(cov: Covariance) -> None:
    """Raise unless a table of this covariance can be proved."""
    cov.check_complete("a table of components", most=LARGEST)


def check_count(cov: Covariance, r: int) -> int:
    """Return a number of components, or raise `InputError` unless there can be as many."""
    if not 1 <= r <= cov.n:
        raise InputError(f"the number of components must lie in 1..{cov.n}, not {r}")
    return r


def largest_first(values: Array, ranked: Sequence[int], order: Sequence[int]) -> list[int]:
    """Return which column of a table each component gets: of equal sizes the one of largest variance first.

    Parameters
    ----------
    values : variance of each column.
    ranked : size of each column.
    order : which component was asked for in the place of each column.
    """
    place = [0] * len(ranked)
    for size in set(ranked):
        columns = [t for t, own in enumerate(ranked) if own == size]
        wanted = sorted(order[t] for t in columns)
        by_value = sorted(columns, key=lambda t: -values[t])
        for component, column in zip(wanted, by_value, strict=True):
            place[component] = column
    return place


def unless_interrupted(make: Callable[[], T], proved: Proved) -> tuple[T | None, Proved]:
    """Return what is made of a proof; after Ctrl-C None, and the proof as interrupted: its bounds hold."""
    try:
        return make(), proved
    except KeyboardInterrupt:
        return None, replace(proved, status=Status.INTERRUPTED, is_interrupted=True)


def in_order(
    cov: Covariance,
    proved: Proved,
    *,
    sizes: tuple[int, ...],
    kind: str,
    place: list[int],
    seconds: float,
    certificate: Certificate | None,
) -> JointComponents:
    """Return a proved table with its components in the places asked for, and the certificate of its bounds."""
    table, upper, status = proved.table, proved.upper, proved.status
    if certificate is not None:
        upper = certificate.upper
        if status is Status.OPTIMAL:  # what the checker's roundings take may leave it open
            scale, added = vanishing(proved.lower, largest_entry(cov)), max(upper - proved.upper, 0.0)
            status = settle(None, proved.lower, upper, scale=scale, slack=added, width=certificate.gap)
    X = table.loadings[:, place]
    return JointComponents(
        **table_fields(cov, X),
        supports=tuple(tuple(cov.names[i] for i in table.supports[t]) for t in place),
        sizes=sizes,
        kind=kind,
        lower=proved.lower,
        upper=upper,
        status=status,
        root=max(proved.root, upper),
        node_count=proved.node_count,
        seconds=seconds,
        history=proved.history,
        evidence=proved,
        certificate=certificate,
    )
