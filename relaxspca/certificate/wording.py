"""What a certificate claims, in words that are true as printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from relaxspca.certificate.pencil import LeastSquares, Pencil
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import exact_decimal, interval, rounded_down, rounded_up

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate

FEW = 8  # variables or groups that are named one by one
MOST_EQUAL = 4  # cardinalities that are written one by one


def line(certificate: Certificate) -> str:
    """Return the claim in one line, its bounds rounded outwards."""
    about = [f"n = {certificate.n}"]
    if certificate.eliminated is not None:
        about[0] += f" and {certificate.eliminated.count} eliminated"
    if certificate.claim.kind == "components":
        r = counted(len(certificate.sizes), "component")
        kinds = {"orthogonal": "{}, orthogonal", "disjoint": "{}, no variable used twice"}
        about.append(kinds.get(certificate.supports, "{} on one support").format(r))
    return f"{bounds(certificate)} ({', '.join(about)}{subject_to(scope(certificate))})"


def words(certificate: Certificate) -> tuple[str, ...]:
    """Return the claim in sentences: what is bounded, of which matrix, and who attains it."""
    tail = (matrix(certificate), certificate.digest)
    if certificate.claim.kind == "ratio":
        is_fit = isinstance(certificate.subject, LeastSquares)
        about = (f"{'X and y' if is_fit else 'A and B'} are the {', '.join(tail)}",)
        more: tuple[str, ...] = (_residuals(certificate),) if is_fit else ("B is positive definite",)
    else:
        about, more = (f"S is the {', '.join(tail)}",), ()
    return (
        bounds(certificate),
        f"{symbol(certificate)} is {meaning(certificate)}",
        *about,
        attained(certificate),
        *more,
        *others(certificate),
    )


def bounds(certificate: Certificate) -> str:
    """Return what is bounded between its bounds, rounded outwards."""
    return interval(certificate.lower, certificate.upper).text(symbol(certificate))


def symbol(certificate: Certificate) -> str:
    """Return ``v_5``, ``phi(0.25)``, ``r_3``, ``w(5,2)``, or the optimum in words where k counts groups."""
    claim = certificate.claim
    if claim.kind == "components":
        kind = "" if claim.supports == "orthogonal" else f"_{claim.supports}"
        return f"w{kind}({sizes(certificate, ' x ')})"
    if claim.kind == "ratio":
        return f"r_{claim.k}"
    if claim.whole_groups:
        return f"the optimum with at most {counted(claim.k or 0, 'whole group')} of {len(claim.whole_groups)}"
    return f"v_{claim.k}" if claim.k is not None else f"phi({penalty(certificate)})"


def meaning(certificate: Certificate) -> str:
    """Return what is bounded, in words."""
    claim = certificate.claim
    if claim.kind == "components":
        return f"the largest sum of the variances x'Sx of {vectors(certificate)}"
    if claim.whole_groups:
        return f"the largest x'Sx of a unit vector x that is 0 outside {union(certificate)}"
    size = f"at most {counted(claim.k or 0, 'variable')}"
    meant = subject_to(scope(certificate))
    if isinstance(certificate.subject, LeastSquares):
        ridge = certificate.subject.ridge
        paid = f" (with {exact_decimal(ridge)} times the squared coefficients in the residual)" if ridge else ""
        return f"the most of the sum of squares of y that a least-squares fit{paid} on {size} explains{meant}"
    if claim.kind == "ratio":
        return f"the largest x'Ax / x'Bx of a vector x that uses {size}{meant}"
    if claim.k is not None:
        return f"the largest x'Sx of a unit vector x that uses {size}{meant}"
    rho = f"rho = {penalty(certificate)}"
    if claim.allows_none:
        return f"the largest x'Sx - rho Card(x), {rho}, of vectors x of length at most 1{meant}"
    where = f"of a set T of variables{meant}, and a unit vector x that is 0 outside T"
    return f"the largest x'Sx - rho |T|, {rho}, {where}"


def scope(certificate: Certificate, group_names: Sequence[str] = ()) -> str:
    """Return what the variables are subject to: "a included, b excluded"; nothing where they are free.

    Groups are said by their names, where these are given, else by their variables.
    """
    claim, names = certificate.claim, certificate.names
    if claim.kind == "components":
        return _scope_of_parts(certificate)
    include, exclude = ([shown(names[i]) for i in group] for group in (claim.include, claim.exclude))
    groups = groups_of(names, claim.one_of_each, group_names) if claim.one_of_each else ""
    return conditions_in_words(
        include,
        exclude,
        groups=groups,
        budgets=[([shown(names[i]) for i in budget.variables], budget.k) for budget in claim.budgets],
        is_signed=claim.nonnegative,
        are_paid=claim.rho is not None,
    )


def conditions_in_words(
    include: Sequence[str],
    exclude: Sequence[str],
    *,
    groups: str = "",
    budgets: Sequence[tuple[Sequence[str], int]] = (),
    is_signed: bool = False,
    are_paid: bool = False,
) -> str:
    """Return what variables are subject to; nothing where they are free.

    Parameters
    ----------
    groups : the groups of which one variable each may be used, in words.
    is_signed, are_paid : whether no loading may be negative, and what is included is penalised at 0 too.

    Examples
    --------
    >>> conditions_in_words(["a"], ["b", "c"], groups="the group size")
    'a included, b, c excluded, at most one variable of the group size'
    >>> conditions_in_words([], [], budgets=[(["a", "b"], 1), (["c"], 1)])
    'at most 1 of a, b and at most 1 of c'
    """
    parts = [" and ".join(f"at most {k} of {_listed(names)}" for names, k in budgets)]
    paid = " (penalised even where the loading is 0)" if are_paid else ""
    parts.append(f"{_listed(include)} included{paid}" if include else "")
    parts.append(f"{_listed(exclude)} excluded" if exclude else "")
    each = "each of " if groups.split()[1:2] == ["groups"] else ""
    parts.append(f"at most one variable of {each}{groups}" if groups else "")
    parts.append("non-negative loadings" if is_signed else "")
    return ", ".join(part for part in parts if part)


def subject_to(conditions: str) -> str:
    """Return conditions to be said after what they restrict; nothing where there are none."""
    return f", subject to {conditions}" if conditions else ""


def groups_of(names: Sequence[str], groups: Sequence[Iterable[int]], group_names: Sequence[str] = ()) -> str:
    """Return groups by their names, if given, or their variables, or their number where these are many."""
    members = [[shown(names[i]) for i in group] for group in groups]
    noun = "group" if len(group_names or members) == 1 else "groups"
    if len(members) > FEW or (sum(map(len, members)) > 3 * FEW and not group_names):
        return f"{len(members)} {noun}"
    called = in_line([*group_names]) or " and ".join("{" + in_line(group) + "}" for group in members)
    return f"the {noun} {called}"


def union(certificate: Certificate) -> str:
    """Return how many of which groups a vector uses."""
    return f"at most {certificate.k} of {groups_of(certificate.names, certificate.claim.whole_groups)}"


def others(certificate: Certificate) -> tuple[str, ...]:
    """Return what is claimed of the sets of variables that are not listed, if anything is."""
    found = certificate.claim.listed
    if found is None:
        return ()
    count, of_k = len(found.supports), f"of {counted(certificate.k or 0, 'variable')}"
    meant = f" ({scope(certificate)})" if scope(certificate) else ""
    listed = "the one listed" if count == 1 else f"the {count} listed"
    what = "has a larger ratio" if isinstance(certificate.subject, Pencil) else "explains more"
    return (f"no set {of_k}{meant} but {listed} {what} than {rounded_up(found.others, 12)}",)


def conditions(certificate: Certificate) -> tuple[str, ...]:
    """Return what the claim presupposes."""
    if certificate.eliminated is None:
        return ()
    count, shift = certificate.eliminated.count, certificate.eliminated.shift
    no_less = "0" if shift == 0 else f"-{rounded_down(shift, 3)}"
    return (
        f"the claim is about every symmetric matrix over all {certificate.n + count} variables that has "
        f"the block in the file, at most the variances stated for the {count} eliminated, and no "
        f"eigenvalue below {no_less}",
    )


def matrix(certificate: Certificate) -> str:
    """Return what the claim speaks of, with its size: ``13 x 13 correlation matrix of 180 observations``."""
    data, n = certificate.subject, certificate.n
    if isinstance(data, LeastSquares):
        fitted = "a constant is fitted too" if data.intercept else "no constant is fitted"
        of = f"{counted(len(data.variables), 'observation')} of {counted(n, 'variable')} and a response"
        return f"{of} in the file ({fitted})"
    if isinstance(data, Pencil):
        return f"two {n} x {n} symmetric matrices in the file"
    described = f"{n} x {n} {data.description.words}"
    if data.eliminated is None:
        return described
    further = counted(data.eliminated.count, "further variable")
    return f"{described} and {further} of which only the variances are known"


def attained(certificate: Certificate, names: Sequence[str] | None = None) -> str:
    """Return who attains the lower bound; names of the variables of each component may be given, as texts."""
    components = certificate.witness.components
    if not len(components[0].support):
        return "the empty set of variables attains the lower bound"
    texts = [in_line([shown(certificate.names[i]) for i in x.support]) for x in components]
    texts = texts if names is None else [*names]
    if certificate.claim.kind == "components":
        if len(texts) > 1 and all(text == texts[0] for text in texts):
            return f"a set of {len(texts)} components on {texts[0]} attains the lower bound"
        return f"a set of {counted(len(texts), 'component')} on {'; '.join(texts)} attains the lower bound"
    what = "vector" if certificate.claim.kind == "ratio" else "component"
    return f"the {what} on {texts[0]} attains the lower bound"


def sizes(certificate: Certificate, times: str) -> str:
    """Return the cardinalities, many equal ones in short."""
    runs = ((k, len(list(equal))) for k, equal in groupby(certificate.sizes))
    return ",".join(f"{k}{times}{r}" if r > MOST_EQUAL else ",".join([str(k)] * r) for k, r in runs)


def vectors(certificate: Certificate) -> str:
    """Return which vectors a claim about several components is about."""
    found, r = certificate.sizes, len(certificate.sizes)
    meant = subject_to(scope(certificate))
    orthogonal = "1 unit vector" if r == 1 else f"{r} orthogonal unit vectors"
    if certificate.supports == "common":
        return f"{orthogonal} that use at most {counted(found[0], 'variable')} together{meant}"
    if len(set(found)) == 1:
        each = " each" if r > 1 else ""
        use = f"use at most {counted(found[0], 'variable')}{each}"
    else:
        use = f"use at most {', '.join(map(str, found[:-1]))} and {found[-1]} variables"
    apart = ", no variable used by two of them" if certificate.supports == "disjoint" and r > 1 else ""
    return f"{orthogonal} that {use}{apart}{meant}"


def penalty(certificate: Certificate) -> str:
    """Return the penalty as the exact decimal where that is short, and else as the one that it is read from."""
    assert certificate.rho is not None
    exact = Decimal(certificate.rho).normalize()
    if len(exact.as_tuple().digits) <= 17:
        return exact_decimal(certificate.rho)
    return f"double({exact_decimal(certificate.rho)})"


def shown(text: str) -> str:
    """Return text as it is if it can be printed, else with its odd characters escaped."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def _scope_of_parts(certificate: Certificate) -> str:
    claim, names = certificate.claim, certificate.names
    is_common = claim.supports == "common"
    parts = [
        f"{_listed([shown(names[i]) for i in J])} included{'' if is_common else f' in component {t + 1}'}"
        for t, J in enumerate(claim.forced)
        if len(J)
    ]
    excluded = conditions_in_words([], [shown(names[i]) for i in claim.exclude])
    return ", ".join([*parts[: 1 if is_common else None], *([excluded] if excluded else [])])


def _listed(names: Sequence[str]) -> str:
    return in_line(names) if len(names) <= FEW else f"{len(names)} variables ({names[0]}, ..., {names[-1]})"


def _residuals(certificate: Certificate) -> str:
    """Return what follows for the residual sum of squares, true as printed."""
    assert isinstance(certificate.subject, LeastSquares)
    total = certificate.subject.energy
    least = max(total - Fraction(certificate.upper), Fraction(0))
    most = max(total - Fraction(certificate.lower), Fraction(0))
    what = "penalised residual sum of squares" if certificate.subject.ridge else "residual sum of squares"
    return (
        f"every such fit leaves a {what} of at least {rounded_down(least, 12)}, and there is "
        f"one that leaves at most {rounded_up(most, 12)}"
    )
