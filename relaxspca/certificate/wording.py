"""What a certificate claims, in words that are true as printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from relaxspca.certificate.subject import LeastSquares, Pencil
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import exact_decimal, interval, rounded_down, rounded_up

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate

__all__ = [
    "lower_text",
    "among",
    "upper_text",
    "conditions",
    "line",
    "matrix",
    "scope",
    "supports_meant",
    "symbol",
    "words",
]

FEW = 8  # variables or groups that are named one by one
MANY = 24  # variables of groups, beyond which groups are counted
MOST_EQUAL = 4  # cardinalities that are written one by one
PAID = " (paid for even where the loading is 0)"


def line(certificate: Certificate) -> str:
    """Return the claim in one line, its bounds rounded outwards."""
    about = [f"n = {certificate.n}"]
    if certificate.eliminated is not None:
        about[0] += f" and {certificate.eliminated.count} eliminated"
    if certificate.claim.kind == "components":
        r = counted(len(certificate.sizes), "component")
        kinds = {"orthogonal": "{}, orthogonal", "disjoint": "{}, no variable used twice"}
        about.append(kinds.get(certificate.supports, "{} on one support").format(r))
    if scope(certificate):
        about.append(scope(certificate))
    return f"{bounds(certificate)} ({', '.join(about)})"


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
    meant = f", {scope(certificate)}" if scope(certificate) else ""
    if isinstance(certificate.subject, LeastSquares):
        ridge = (
            f" (with {exact_decimal(certificate.subject.ridge)} times the squared coefficients in the residual)"
        )
        fit = f"a least-squares fit{ridge if certificate.subject.ridge else ''}"
        return f"the most that {fit} explains of the sum of squares of y which uses {size}{meant}"
    if claim.kind == "ratio":
        return f"the largest x'Ax / x'Bx of a vector x that uses {size}{meant}"
    if claim.k is not None:
        return f"the largest x'Sx of a unit vector x that uses {size}{meant}"
    rho = f"rho = {penalty(certificate)}"
    if claim.allows_none:
        return f"the largest x'Sx - rho Card(x), {rho}, of vectors x of length at most 1{meant}"
    where = f"of a set T of variables{meant}, and a unit vector x that is 0 outside T"
    return f"the largest x'Sx - rho |T|, {rho}, {where}"


def scope(certificate: Certificate) -> str:
    """Return which supports are meant: "with a among them, without b"; nothing where all are."""
    claim, names = certificate.claim, certificate.names
    if claim.kind == "components":
        return _scope_of_parts(certificate)
    if claim.kind == "ratio":
        budgets = [([names[i] for i in b.variables], b.k) for b in claim.budgets]
        forced, left = ([names[i] for i in group] for group in (claim.include, claim.exclude))
        groups = [f"with at most one variable of each of {groups_of(names, claim.one_of_each)}"]
        said = [supports_meant(forced, left, budgets), *(groups if claim.one_of_each else [])]
        return ", ".join(text for text in said if text)
    parts = among(names, claim.include.tolist(), claim.exclude.tolist())
    if claim.rho is not None and len(claim.include):
        parts[0] += PAID
    if claim.nonnegative:
        parts.append("with no negative loading")
    if claim.one_of_each:
        parts.append(f"with at most one variable of each of {groups_of(names, claim.one_of_each)}")
    return " and ".join(parts)


def among(names: Sequence[str], include: Sequence[int], exclude: Sequence[int]) -> list[str]:
    """Return two conditions on supports in words, those that there are."""
    texts = [
        in_line([shown(names[i]) for i in group]) if len(group) <= FEW else f"{len(group)} listed variables"
        for group in (include, exclude)
    ]
    parts = [f"with {texts[0]} always among them"] if include else []
    return parts + ([f"without {texts[1]}"] if exclude else [])


def supports_meant(
    include: Sequence[str], exclude: Sequence[str], budgets: Sequence[tuple[Sequence[str], int]]
) -> str:
    """Return which supports are meant, in words; nothing where all are.

    Examples
    --------
    >>> supports_meant(["a"], [], [(["a", "b"], 1), (["c"], 1)])
    'at most 1 of a, b and at most 1 of c, with a always among them'
    """
    parts = [" and ".join(f"at most {k} of {_listed(names)}" for names, k in budgets)]
    parts.append(f"with {_listed(include)} always among them" if include else "")
    parts.append(f"without {_listed(exclude)}" if exclude else "")
    return ", ".join(part for part in parts if part)


def groups_of(names: Sequence[str], groups: Sequence[Iterable[int]]) -> str:
    """Return groups by the names of their variables, or their number where these are many."""
    members = [[shown(names[i]) for i in group] for group in groups]
    noun = "group" if len(members) == 1 else "groups"
    if len(members) > FEW or sum(map(len, members)) > MANY:
        return f"{len(members)} {noun}"
    return f"the {noun} " + " and ".join("{" + in_line(group) + "}" for group in members)


def union(certificate: Certificate) -> str:
    """Return how many of which groups a vector uses."""
    return f"at most {certificate.k} of {groups_of(certificate.names, certificate.claim.whole_groups)}"


def others(certificate: Certificate) -> tuple[str, ...]:
    """Return what is claimed of the supports that are not listed, if anything is."""
    found = certificate.claim.listed
    if found is None:
        return ()
    count, of_k = len(found.supports), f"of {counted(certificate.k or 0, 'variable')}"
    meant = f" ({scope(certificate)})" if scope(certificate) else ""
    listed = "the one listed" if count == 1 else f"the {count} listed"
    what = "has a larger ratio" if certificate.claim.kind == "ratio" else "explains more"
    return (f"no support {of_k}{meant} but {listed} {what} than {upper_text(found.others)}",)


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
        return "no variables at all attain the lower bound"
    texts = [in_line([shown(certificate.names[i]) for i in x.support]) for x in components]
    texts = texts if names is None else [*names]
    if certificate.claim.kind == "components":
        if len(texts) > 1 and all(text == texts[0] for text in texts):
            return f"a table of {len(texts)} components of {texts[0]} attains the lower bound"
        return f"a table of {counted(len(texts), 'component')} attains the lower bound, of {'; '.join(texts)}"
    what = "vector" if certificate.claim.kind == "ratio" else "component"
    noun = "variable" if len(components[0].support) == 1 else "variables"
    return f"a {what} of the {noun} {texts[0]} attains the lower bound"


def sizes(certificate: Certificate, times: str) -> str:
    """Return the cardinalities, many equal ones in short."""
    runs = ((k, len(list(equal))) for k, equal in groupby(certificate.sizes))
    return ",".join(f"{k}{times}{r}" if r > MOST_EQUAL else ",".join([str(k)] * r) for k, r in runs)


def vectors(certificate: Certificate) -> str:
    """Return which vectors a claim about several components is about."""
    found, r = certificate.sizes, len(certificate.sizes)
    meant = f", {scope(certificate)}" if scope(certificate) else ""
    orthogonal = "1 unit vector" if r == 1 else f"{r} orthogonal unit vectors"
    if certificate.supports == "common":
        return f"{orthogonal} that use at most {counted(found[0], 'variable')} all together{meant}"
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


def lower_text(value: float, digits: int = 12) -> str:
    """Return a lower bound in decimals, rounded down."""
    return rounded_down(value, digits)


def upper_text(value: float, digits: int = 12) -> str:
    """Return an upper bound in decimals, rounded up."""
    return rounded_up(value, digits)


def shown(text: str) -> str:
    """Return text as it is if it can be printed, else with its odd characters escaped."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def _scope_of_parts(certificate: Certificate) -> str:
    claim, names = certificate.claim, certificate.names
    parts = [
        f"with {_listed([names[i] for i in J])} always in component {t + 1}"
        for t, J in enumerate(claim.forced)
        if len(J)
    ]
    if claim.supports == "common" and parts:
        parts = [parts[0].replace("in component 1", "among them")]
    if len(claim.exclude):
        parts.append(f"without {_listed([names[i] for i in claim.exclude])}")
    return " and ".join(parts)


def _listed(names: Sequence[str]) -> str:
    found = [shown(name) for name in names]
    return in_line(found) if len(found) <= FEW else f"{len(found)} variables ({found[0]}, ..., {found[-1]})"


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
