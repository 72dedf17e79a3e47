"""Make certificates of false claims: small, of every kind and with every rule, at any scale.

A claim is false because some vectors attain more than its upper bound, in rationals, whatever stands in the
evidence: no enumeration and no eigenvalue is trusted. The vectors of the file attain little, so that only the
evidence can show what is wrong. Nothing of the package is used, not even to find the digest.

    for kind, document in false_certificates(random.Random(1)): ...
"""

from __future__ import annotations

import hashlib
import itertools
import math
import random
import struct
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

LARGEST = float(np.finfo(float).max)
POWERS = [-1074, -1022, -600, -500, -60, -30, -1, 0, 0, 0, 1, 30, 60, 500, 600, 1000]
FAR = [0, 0, 0, -1074, -1000, 1000, 1023]
KINDS = [
    *("k", "k conditions", "rho", "rho conditions", "list", "one_of_each", "whole_groups", "nonnegative"),
    *("k eliminated", "rho eliminated", "list eliminated", "pencil", "pencil budgets", "pencil one_of_each"),
    *("pencil list", "least_squares", "least_squares list", "orthogonal", "disjoint", "common"),
    *("orthogonal conditions", "disjoint conditions", "common conditions"),
]
Document = dict[str, Any]


def false_certificates(rng: random.Random, kinds: list[str] = KINDS) -> Iterator[tuple[str, Document]]:
    """Yield (kind, document) without an end."""
    while True:
        kind = rng.choice(kinds)
        words = {*kind.split()}
        if words & {"pencil", "least_squares"}:
            made = _ratio(rng, words)
        elif words & {"orthogonal", "disjoint", "common"}:
            made = _components(rng, words)
        else:
            made = _component(rng, words)
        if made is not None:
            yield kind, signed(made)


# Numbers.


def _scaled(x: float, power: int) -> float:
    """Return x 2^power, no larger than the largest double."""
    x = math.ldexp(x, power) if abs(x) < 1 or power < 1000 else math.copysign(math.ldexp(1.0, 1010), x)
    return min(max(x, -LARGEST), LARGEST)


class _Numbers:
    """Numbers of one style for all of a file: small whole ones, of one scale, or of mixed scales."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.style = rng.choice(["ones", "whole", "whole", "normal", "normal", "scaled", "mixed"])
        self.power = rng.choice(POWERS)

    def __call__(self) -> float:
        rng = self.rng
        if self.style == "ones":
            return rng.choice([1.0, 1.0, 1.0, -1.0, 0.0])
        if self.style == "normal":
            return rng.gauss(0, 1)
        x = float(rng.randrange(-3, 4))
        return (
            x
            if self.style == "whole"
            else _scaled(x, self.power if self.style == "scaled" else rng.choice(POWERS))
        )

    def positive(self) -> float:
        """Return a number above 0, often an extreme one."""
        rng = self.rng
        how = rng.random()
        if how < 0.4:
            return 1.0
        if how < 0.6:
            return math.exp(rng.gauss(0, 1))
        return math.ldexp(1.0, rng.choice([*POWERS, 1023]))

    def symmetric(self, n: int) -> Any:
        """Return a symmetric matrix, perhaps definite, perhaps with a variable twice."""
        S = np.array([[self() for _ in range(n)] for _ in range(n)])
        S = np.triu(S) + np.triu(S, 1).T
        how = self.rng.random()
        if how < 0.3 and self.style in ("ones", "whole", "normal"):
            S = S @ S
        elif how < 0.4:
            S = np.abs(S)
        if n > 1 and self.rng.random() < 0.3:
            i, j = self.rng.sample(range(n), 2)
            S[i] = S[j]
            S[:, i] = S[:, j]
        return (S + S.T) / 2 if self.style == "normal" else np.triu(S) + np.triu(S, 1).T


def _fractions(array: Any) -> Any:
    return np.frompyfunc(Fraction, 1, 1)(np.asarray(array, dtype=float))


def _floats(array: Any) -> Any:
    """Return doubles near rational numbers, none infinite."""
    return np.frompyfunc(lambda x: float(min(max(x, -LARGEST), LARGEST)), 1, 1)(array).astype(float)


def below(value: Fraction, rng: random.Random) -> float:
    """Return a double below a number, by a last digit or more."""
    if value < -LARGEST:
        return -LARGEST
    near = min(value, Fraction(LARGEST))
    near = near - abs(near) * Fraction(rng.choice([0.0, 0.0, 0.0, 0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1]))
    found = float(max(near, Fraction(-LARGEST)))
    while Fraction(found) >= value and found > -LARGEST:
        found = math.nextafter(found, -math.inf)
    return max(found, -LARGEST)


# Documents.


def hexed(x: float) -> str:
    """Return a number as a file has it."""
    return float(x).hex()


def packed(values: Any) -> Document:
    """Return an array as a file has it."""
    values = np.asarray(values, dtype=float)
    return {"shape": list(values.shape), "hex": [hexed(x) for x in values.ravel()]}


def document(subject: Document, claim: Document, witness: Document, evidence: Document) -> Document:
    """Return a file of these."""
    head = {"format": "relaxspca-certificate", "version": 3, "made_by": "false"}
    return head | {"subject": subject, "claim": claim, "witness": witness, "evidence": evidence}


def signed(made: Document) -> Document:
    """State the digest of what a certificate speaks of, as section 4 of SPEC.md has it."""
    subject = made["subject"]
    names = b"".join(map(_text, subject["names"]))
    n = len(subject["names"])
    if subject["kind"] == "matrix":
        shape = " ".join(map(str, subject["entries"]["shape"]))
        parts = [
            b"relaxspca matrix 2\n",
            f"{subject['storage']} {shape}\n".encode(),
            _doubles(subject["entries"]),
        ]
        parts += [names, _text("matrix"), b"observations unknown\ncentred unknown\ndeflation none\n"]
        gone = subject["eliminated"]
        parts.append(f"eliminated {'none' if gone is None else len(gone['names'])}\n".encode())
        if gone is not None:
            parts += [
                *map(_text, gone["names"]),
                _doubles(gone["variances"]),
                _doubles({"hex": [gone["shift"]]}),
            ]
    elif subject["kind"] == "pencil":
        both = [_doubles(subject[name]) for name in ("numerator", "denominator")]
        parts = [b"relaxspca pencil 1\n", f"dense {n}\n".encode(), *both, names]
    else:
        ridge, has = [subject["ridge"]], float.fromhex(subject["ridge"]) != 0
        start = "intercept" if subject["intercept"] else "origin"
        line = f"least_squares {len(subject['response']['hex'])} {n} {start}{' ridge' if has else ''}\n"
        parts = [
            b"relaxspca pencil 1\n",
            line.encode(),
            _doubles(subject["variables"]),
            _doubles(subject["response"]),
        ]
        parts += [_doubles({"hex": ridge}) if has else b"", names]
    subject["digest"] = "sha256:" + hashlib.sha256(b"".join(parts)).hexdigest()
    return made


def _text(text: str) -> bytes:
    return f"{len(text.encode())}:{text}\n".encode()


def _doubles(array: Document) -> bytes:
    return b"".join(struct.pack("<d", float.fromhex(x) + 0.0) for x in array["hex"])


# Evidence.


class _Evidence:
    """Points and trees, at random, for a core claim about M with so many of each part."""

    def __init__(self, numbers: _Numbers, M: Any, level: float, **kinds: Any) -> None:
        self.numbers, self.rng, self.M, self.n, self.level = numbers, numbers.rng, M, len(M), level
        self.groups: list[list[int]] = kinds.get("groups", [])
        words = kinds.get("words", set())
        self.is_signed, self.listed = "nonnegative" in words, "list" in words
        self.own_factor = kinds.get("factor")
        # Often all other supports than the best are bounded one by one, so that what is said of it decides.
        self.target = {*kinds["target"]} if "target" in kinds and self.rng.random() < 0.6 else None
        self.points: list[Document] = kinds.get("points", [])

    def tree(self, J: list[int], F: list[int]) -> list[Any]:
        """Return the nodes of a tree over the supports with J, of F."""
        nodes: list[Any] = []
        self.grow(sorted(J), sorted(F), self.rng.choice([0, 1, 2, 9]), nodes)
        return nodes

    def grow(self, J: list[int], F: list[int], depth: int, nodes: list[Any]) -> int:
        rng, at = self.rng, len(nodes)
        nodes.append(None)
        is_aside = self.target is not None and not {*J} <= self.target <= {*J, *F}
        how = (0.0 if F else 0.7) if is_aside else rng.random()
        depth += is_aside
        if F and how < 0.6 and depth > 0:
            i = rng.choice(F)
            conflicts = {j for group in self.groups if i in group for j in group}
            inside = self.grow(
                sorted([*J, i]), [j for j in F if j != i and j not in conflicts], depth - 1, nodes
            )
            nodes[at] = ["split", 0, i, inside, self.grow(J, [j for j in F if j != i], depth - 1, nodes)]
        elif F and how > 0.75:
            kept = sorted(rng.sample(range(self.n), rng.randrange(self.n + 1)))
            level = rng.choice([self.level, self.level, self.level, self.near()])
            make = rng.choice([None, self.weights, self.pairs])
            point = None if make is None else make(range(self.n))
            child = self.grow(J, [i for i in F if i in kept], depth - 1, nodes)
            nodes[at] = ["restrict", 0, point, hexed(level), kept, child]
        else:
            nodes[at] = ["rows", None] if is_aside else self.leaf(J, F)
        return at

    def near(self) -> float:
        return min(max(self.level * self.rng.choice([0.5, 1, 2, -1]) + self.numbers(), -LARGEST), LARGEST)

    def leaf(self, J: list[int], F: list[int]) -> list[Any]:
        rng = self.rng
        if self.listed and rng.random() < 0.3:
            return ["listed", None]
        if self.is_signed and J and rng.random() < 0.4:
            return ["collatz", self.weights(J if rng.random() < 0.8 else range(self.n))]
        make = rng.choice([None, self.weights, self.weights, self.pairs, self.factor])
        if make is None:
            return ["rows", None]
        some = sorted([*J, *F]) if [*J, *F] and rng.random() < 0.2 else [*range(self.n)]
        return ["factor" if make == self.factor else "rows", make(some)]

    def add(self, kind: str, variables: Any, **more: Any) -> int:
        self.points.append({"kind": kind, "variables": [*variables], **more})
        return len(self.points) - 1

    def weights(self, variables: Any) -> int:
        how = self.rng.random()
        if how < 0.3:
            w = [self.numbers.positive()] * len(variables)
        elif how < 0.6:  # quotients overflow
            w = [math.ldexp(1.0, self.rng.choice(FAR)) for _ in variables]
        else:
            w = [self.numbers.positive() for _ in variables]
        return self.add("rows", variables, weights=packed(w))

    def pairs(self, variables: Any, may_weigh: bool = True) -> int:
        """Return a point whose N pays for P, or nearly, or not at all; weights may pay for some pairs."""
        rng, paid, more = self.rng, [*variables], dict[str, Any]()
        if may_weigh and paid and rng.random() < 0.4:
            paid = sorted(rng.sample(paid, rng.randrange(1, len(paid) + 1)))
            more = {"paid": paid, "weights": packed([self.numbers.positive() for _ in variables])}
        v = len(paid)
        P = self.M[np.ix_(paid, paid)] * rng.choice([1.0, 1.0, 1.0, 0.5, 0.0, -1.0])
        P = P - np.diag(np.diag(P))
        w = np.array([self.numbers.positive() for _ in paid])
        with np.errstate(all="ignore"):
            N = np.abs(P) * (w[:, None] / w[None, :] if rng.random() < 0.6 else 1.0)
            N = N * rng.choice([1.0, 1.0, 1.0, 1 + 2.0**-40, 1 - 2.0**-52, 0.999, 0.5])
        N = np.nan_to_num(N, nan=0.0, posinf=LARGEST)
        if v > 1 and rng.random() < 0.2:
            i, j = rng.sample(range(v), 2)
            N[i, j] = abs(self.numbers())
        if self.is_signed and rng.random() < 0.5:
            N = N * (P > 0)
        return self.add("rows", variables, P=packed(P), N=packed(N), **more)

    def factor(self, variables: Any) -> int:
        """Return a point of a factor that is near one of M, and vectors that are mostly parts of it."""
        rng, v = self.rng, len(variables)
        block = self.M[np.ix_(variables, variables)]
        largest = np.abs(block).max(initial=0.0)
        power = math.frexp(largest)[1] // 2 * 2
        values, vectors = np.linalg.eigh(np.ldexp(block, -power)) if v else (np.zeros(0), np.zeros((0, 0)))
        shift = max(0.0, -float(values.min(initial=0.0))) if rng.random() < 0.8 else rng.random()
        A = np.sqrt(np.maximum(values + shift, 0))[:, None] * vectors.T * rng.choice([1, 1, 1, 0.9, 0])
        Y = A * np.array([rng.choice([0.0, 0.5, 0.9, 1.0]) for _ in variables])
        A, Y, shift = np.ldexp(A, power // 2), np.ldexp(Y, power // 2), _scaled(shift, power)
        more = {"factor": packed(A), "shift": hexed(shift)}
        if self.own_factor is not None and rng.random() < 0.5:
            A = self.own_factor[:, variables]
            Y, more = A * rng.choice([0.0, 0.5, 1.0]), {"factor": None, "shift": hexed(0)}
        return self.add("factor", variables, rho=hexed(abs(self.numbers())), vectors=packed(Y), **more)


# Claims about one component.


class Sigma:
    """A matrix in floats, for guidance, and in rationals; perhaps by a factor."""

    def __init__(self, numbers: _Numbers, n: int, may_factor: bool = True) -> None:
        self.factor: Any = None
        if may_factor and numbers.style not in ("mixed", "scaled") and numbers.rng.random() < 0.3:
            self.factor = np.array([[numbers() for _ in range(n)] for _ in range(numbers.rng.randrange(1, 4))])
            A = _fractions(self.factor)
            self.floats, self.exact = self.factor.T @ self.factor, A.T @ A
        else:
            self.floats = numbers.symmetric(n)
            self.exact = _fractions(self.floats)

    @classmethod
    def of(cls, floats: Any) -> Sigma:
        """Return a matrix of these entries."""
        made = cls.__new__(cls)
        made.factor, made.floats, made.exact = None, floats, _fractions(floats)
        return made

    def value(self, x: Any) -> Fraction:
        """Return x'Sx / x'x."""
        z = _fractions(x)
        return (z @ self.exact @ z) / (z @ z)

    def top(self, T: Any, rng: random.Random) -> Any:
        """Return a vector on T that attains much: LAPACK's where it finds one, or a plain one."""
        x, block = np.zeros(len(self.floats)), self.floats[np.ix_(T, T)]
        largest = np.abs(block).max(initial=0.0)
        found = np.zeros(len(T))
        if largest > 0 and rng.random() < 0.9:
            found = np.linalg.eigh(np.ldexp(block, -math.frexp(largest)[1]))[1][:, -1]
        if not found.any() or not np.isfinite(found).all():
            found[int(np.argmax(np.diag(block)))] = 1.0
        x[[*T]] = found
        return x

    def subject(self, gone: Document | None = None) -> Document:
        """Return the subject of a file, perhaps with eliminated variables."""
        has = self.factor is not None
        description = {"kind": "matrix", "observations": None, "is_centred": None, "deflation": None}
        return {
            "kind": "matrix",
            "digest": "",
            "names": [f"x{i}" for i in range(len(self.floats))],
            "storage": "factor" if has else "dense",
            "entries": packed(self.factor if has else self.floats),
            "description": description,
            "eliminated": gone,
        }


def _component(rng: random.Random, words: set[str]) -> Document | None:
    """Return a false claim about one component."""
    numbers, n = _Numbers(rng), rng.choice([1, 2, 2, 2, 3, 3, 3, 4, 4, 5])
    sigma, claim, has_rho = Sigma(numbers, n), {"kind": "component"}, "rho" in words
    J, E = _ends(rng, n, words)
    groups = _groups(rng, n) if words & {"one_of_each", "whole_groups"} else []
    classes = groups if "one_of_each" in words else []
    if any(len({*group} & {*J}) > 1 for group in classes):
        return None
    conflicts = {j for group in classes if {*group} & {*J} for j in group}
    free = [i for i in range(n) if i not in {*J, *E, *conflicts}]
    if "whole_groups" in words:
        k = rng.randrange(1, len(groups) + 1)
        supports = [sorted(itertools.chain(*some)) for some in itertools.combinations(groups, k)]
    else:
        supports = [sorted([*J, *T]) for m in range(len(free) + 1) for T in itertools.combinations(free, m)]
        supports = [T for T in supports if T and all(len({*T} & {*group}) < 2 for group in classes)]
        k = rng.choice([len(T) for T in supports]) if supports else 0
        supports = [T for T in supports if has_rho or len(T) == k]
    if not supports:
        return None
    for name, value in (("include", J), ("exclude", E), ("nonnegative", "nonnegative" in words)):
        claim |= {name: value} if value else {}
    claim |= {"one_of_each" if classes else "whole_groups": groups} if groups else {}
    rho = abs(numbers()) * rng.choice([1.0, 0.25])
    claim |= {"rho": hexed(rho)} if has_rho else {"k": k}
    gone = _eliminated(numbers, sigma) if "eliminated" in words else None
    value, best = _attained(rng, sigma, supports, "nonnegative" in words, rho if has_rho else 0.0)
    own = below(value, rng)
    if has_rho and not J:
        value = max(value, Fraction(0))
    if gone is not None and not J:
        value = max(value, _beyond(gone, k, rho if has_rho else None))
    level = upper = below(value, rng)
    witness: Document = {"components": [_little(sigma, supports, "nonnegative" in words)]}
    if "list" in words:
        claim["list"], witness["list"], level = _list(rng, sigma, supports, best, (own, upper))
        upper = max(level, rng.choice([upper, LARGEST]))
    claim |= {"lower": hexed(-LARGEST), "upper": hexed(upper)}
    M = sigma.floats.copy()
    for group in classes:
        M[np.ix_(group, group)] = np.diag(np.diag(M[np.ix_(group, group)]))
    if "whole_groups" in words:
        M = np.array([[np.abs(M[np.ix_(a, b)]).max() for b in groups] for a in groups])
        free = [*range(len(groups))]
        best = [at for at, group in enumerate(groups) if {*group} <= {*best}]
    own_factor = None if groups else sigma.factor
    made = _Evidence(numbers, M, level, groups=classes, words=words, factor=own_factor, target=best)
    evidence: Document = {"points": made.points, "tree": made.tree(J, free)}
    if gone is not None and not has_rho:
        leaf = made.leaf([], [*range(n)])
        evidence["elimination"] = leaf if leaf[0] in ("rows", "factor") else ["rows", None]
    return document(sigma.subject(gone), claim, witness, evidence)


def _little(sigma: Sigma, supports: Any, is_signed: bool) -> Document:
    """Return a vector of one or two variables that attains little."""
    S, found = sigma.floats, []
    for T in supports:
        found += [(S[i, i], [i], [1.0]) for i in T]
        pairs = () if is_signed else itertools.combinations(T, 2)
        found += [(S[i, i] / 2 + S[j, j] / 2 - S[i, j], [i, j], [1.0, -1.0]) for i, j in pairs]
    _, support, loadings = min(found, key=lambda one: one[0])
    return {"support": support, "loadings": [hexed(x) for x in loadings]}


def _ends(rng: random.Random, n: int, words: set[str]) -> tuple[list[int], list[int]]:
    """Return what is included and excluded."""
    if "whole_groups" in words or (rng.random() < 0.7 and "conditions" not in words):
        return [], []
    order = rng.sample(range(n), n)
    a = 0 if "nonnegative" in words else rng.randrange(min(n, 2) + 1)
    b = rng.randrange(n - a + (a > 0))
    return sorted(order[:a]), sorted(order[a : a + b])


def _groups(rng: random.Random, n: int) -> list[list[int]]:
    order, groups = rng.sample(range(n), n), []
    while order and (not groups or rng.random() < 0.7):
        size = rng.randrange(1, len(order) + 1)
        groups.append(sorted(order[:size]))
        order = order[size:]
    return groups


def _attained(rng: random.Random, sigma: Sigma, supports: Any, is_signed: bool, rho: float) -> Any:
    """Return the most that is found of a few supports, and of which."""
    tried = supports if len(supports) <= 6 else rng.sample(supports, 6)
    found: list[tuple[Fraction, list[int]]] = []
    for T in tried:
        vectors = [sigma.top(T, rng)]
        if is_signed:
            vectors = [np.abs(sigma.top(S, rng)) for m in (1, 2, len(T)) for S in itertools.combinations(T, m)]
        found += [(sigma.value(x) - Fraction(rho) * len(T), T) for x in vectors]
    return max(found)


def _eliminated(numbers: _Numbers, sigma: Sigma) -> Document:
    """Return further variables such that the matrix exists: the shift is large enough for the block."""
    count = numbers.rng.choice([1, 1, 2])
    with np.errstate(all="ignore"):
        shift = 0.0 if sigma.factor is not None else np.abs(sigma.floats).sum(axis=1).max() * 1.0000001
    variances = [abs(numbers()) for _ in range(count)]
    names = [f"e{i}" for i in range(count)]
    return {"names": names, "variances": packed(variances), "shift": hexed(min(shift, LARGEST))}


def _beyond(gone: Document, k: int, rho: float | None) -> Fraction:
    """Return what eliminated variables alone attain, if they are correlated as much as they may be."""
    s = sorted((Fraction(float.fromhex(x)) for x in gone["variances"]["hex"]), reverse=True)
    shift, most = Fraction(float.fromhex(gone["shift"])), len(s) if rho is not None else min(k, len(s))
    return max(sum(s[:b]) + (b - 1) * shift - b * Fraction(rho or 0) for b in range(1, most + 1))


def _list(rng: random.Random, sigma: Sigma, supports: Any, best: list[int], below: Any) -> Any:
    """Return a list that is false of the best support, its vectors, and what it says of the others.

    `below` is what the best support attains, and what any support does, less something.
    """
    own, upper = below
    some = [T for T in supports if best != T and rng.random() < 0.4]
    most, others = [LARGEST] * len(some), upper
    if not some or rng.random() < 0.4:  # of the list itself something is false
        some, most = [*some, best], [*most, own]
        others = rng.choice([upper, LARGEST, LARGEST])
    order = sorted(range(len(some)), key=lambda at: some[at])
    listed = {
        "supports": [some[at] for at in order],
        "lower": [hexed(-LARGEST)] * len(some),
        "upper": [hexed(most[at]) for at in order],
        "others": hexed(others),
    }
    plain = [np.diag(sigma.floats[np.ix_(some[at], some[at])]) for at in order]
    return listed, packed([np.arange(len(own)) == int(np.argmin(own)) for own in plain]), others


# Ratios.


def _ratio(rng: random.Random, words: set[str]) -> Document | None:
    """Return a false claim about a ratio, of a pencil or of least squares."""
    numbers, n = _Numbers(rng), rng.choice([1, 2, 2, 3, 3, 4])
    if "pencil" in words:
        A, B, subject = _pencil(numbers, n)
    else:
        A, B, subject = _least_squares(numbers, n)
    J, E = _ends(rng, n, words)
    groups = _groups(rng, n) if "one_of_each" in words else []
    if any(len({*group} & {*J}) > 1 for group in groups):
        return None
    conflicts = {j for group in groups if {*group} & {*J} for j in group}
    free = [i for i in range(n) if i not in {*J, *E, *conflicts}]
    supports = [sorted([*J, *T]) for m in range(len(free) + 1) for T in itertools.combinations(free, m)]
    supports = [T for T in supports if T and all(len({*T} & {*group}) < 2 for group in groups)]
    if not supports:
        return None
    T = rng.choice(supports)
    claim: Document = {"kind": "ratio", "k": len(T)}
    parts = [([*range(n)], len(T))]
    if "budgets" in words:
        order, cut = rng.sample(range(n), n), rng.randrange(n + 1)
        parts = [(sorted(X), len({*X} & {*T})) for X in (order[:cut], order[cut:]) if X]
        claim["budgets"] = [{"variables": X, "k": count} for X, count in parts]
    for name, value in (("include", J), ("exclude", E), ("one_of_each", groups)):
        claim |= {name: value} if value else {}
    supports = [T for T in supports if all(len({*X} & {*T}) == count for X, count in parts)]
    found = [
        (value, T, x) for T in supports if (value := _quotient(A, B, x := _ratio_top(A, B, T, rng))) is not None
    ]
    if not found:
        return None
    value, best, _ = max(found, key=lambda one: one[0])
    level = upper = below(value, rng)
    small = min(found, key=lambda one: one[0])
    some = [(q, [i]) for i in small[1] if (q := _quotient(A, B, np.eye(n)[i])) is not None] or [small]
    low = min(some, key=lambda one: one[0])
    z = np.eye(n)[low[1][0]] if len(low[1]) == 1 else small[2]
    witness: Document = {"components": [{"support": low[1], "loadings": [hexed(z[i]) for i in low[1]]}]}
    if "list" in words:
        vectors = {
            tuple(T): min((x, np.eye(n)[T[0]]), key=lambda x: _quotient(A, B, x) or value) for _, T, x in found
        }
        listed = [T for _, T, _ in found if best != T and rng.random() < 0.4]
        most = [LARGEST] * len(listed)
        if not listed or rng.random() < 0.4:
            listed, most, level = [*listed, best], [*most, upper], rng.choice([upper, LARGEST])
        order = sorted(range(len(listed)), key=lambda at: listed[at])
        claim["list"] = {
            "supports": [listed[at] for at in order],
            "lower": [hexed(-LARGEST)] * len(listed),
            "upper": [hexed(most[at]) for at in order],
            "others": hexed(level),
        }
        witness["list"] = packed([vectors[tuple(listed[at])][listed[at]] for at in order])
        upper = max(level, rng.choice([upper, LARGEST]))
    claim |= {"lower": hexed(-LARGEST), "upper": hexed(upper)}
    mu = level if rng.random() < 0.7 else below(Fraction(level), rng)
    exponents = [
        rng.choice([0, 0, 1, -1, 30, -30, 500, -500, 1000, -1000]) if rng.random() < 0.3 else 0
        for _ in range(n)
    ]
    D = np.array([Fraction(2) ** e for e in exponents])
    M = _floats((A - Fraction(mu) * B) * np.multiply.outer(D, D))
    for group in groups:
        M[np.ix_(group, group)] = np.diag(np.diag(M[np.ix_(group, group)]))
    made = _Evidence(numbers, M, 0.0, groups=groups, words=words, target=best)
    evidence: Document = {
        "points": made.points,
        "tree": made.tree(J, free),
        "mu": hexed(mu),
        "exponents": exponents,
    }
    if "least_squares" in words and rng.random() < 0.5:
        evidence["fit"] = packed(
            [numbers() for _ in range(n)] if rng.random() < 0.5 else _ratio_top(A, B, best, rng)
        )
    return document(subject, claim, witness, evidence)


def _pencil(numbers: _Numbers, n: int) -> tuple[Any, Any, Document]:
    rng = numbers.rng
    A, B = numbers.symmetric(n), np.diag([numbers.positive() for _ in range(n)])
    if rng.random() < 0.6:
        Q = np.array([[float(rng.randrange(-2, 3)) for _ in range(n)] for _ in range(n + 1)])
        B = (Q.T @ Q + np.eye(n) * rng.choice([1.0, 0.125, 0.0])) * 2.0 ** rng.choice([0, 0, 0, -600, 600])
    names = [f"x{i}" for i in range(n)]
    subject = {"kind": "pencil", "digest": "", "names": names, "numerator": packed(A), "denominator": packed(B)}
    return _fractions(A), _fractions(B), subject


def _least_squares(numbers: _Numbers, n: int) -> tuple[Any, Any, Document]:
    rng = numbers.rng
    p, has = rng.randrange(1, 6), rng.random() < 0.5
    X, y = np.array([[numbers() for _ in range(n)] for _ in range(p)]), np.array([numbers() for _ in range(p)])
    ridge = abs(numbers()) if rng.random() < 0.4 else 0.0
    C = _fractions(np.eye(p)) - (Fraction(1, p) if has else 0)
    Z, w = _fractions(X), _fractions(y)
    b = Z.T @ C @ w
    subject = {
        "kind": "least_squares",
        "digest": "",
        "names": [f"x{i}" for i in range(n)],
        "variables": packed(X),
        "response": packed(y),
        "intercept": has,
        "ridge": hexed(ridge),
    }
    return np.multiply.outer(b, b), Z.T @ C @ Z + Fraction(ridge) * _fractions(np.eye(n)), subject


def _quotient(A: Any, B: Any, x: Any) -> Fraction | None:
    """Return x'Ax / x'Bx where there is one."""
    z = _fractions(x)
    below = z @ B @ z
    return (z @ A @ z) / below if below > 0 else None


def _ratio_top(A: Any, B: Any, T: list[int], rng: random.Random) -> Any:
    """Return a vector on T whose ratio is large, if LAPACK finds one."""
    n = len(A)
    x = np.zeros(n)
    x[T[0]] = 1.0
    largest = [max(map(abs, M.ravel())) or 1 for M in (A, B)]
    a, b = ((M[np.ix_(T, T)] / size).astype(float) for M, size in zip((A, B), largest, strict=True))
    values, vectors = np.linalg.eigh(b)
    kept = values > 1e-12
    if kept.any() and rng.random() < 0.9:
        W = vectors[:, kept] / np.sqrt(values[kept])
        found = W @ np.linalg.eigh(W.T @ a @ W)[1][:, -1]
        if np.isfinite(found).all() and found.any():
            x[T[0]] = 0.0
            x[T] = found
    return x


# Several components.


def _components(rng: random.Random, words: set[str]) -> Document | None:
    """Return a false claim about several components."""
    (supports,) = words & {"orthogonal", "disjoint", "common"}
    numbers, n = _Numbers(rng), rng.choice([2, 2, 3, 3, 4])
    sigma = Sigma(numbers, n)
    is_common, is_disjoint = supports == "common", supports == "disjoint"
    E = [rng.randrange(n)] if "conditions" in words and rng.random() < 0.5 else []
    free = [i for i in range(n) if i not in E]
    r = rng.randrange(1, min(3, len(free)) + 1)
    if is_common:
        sizes = [rng.randrange(min(r + 1, len(free)), len(free) + 1)] * r
    else:
        sizes = sorted((rng.randrange(1, min(3, len(free)) + 1) for _ in range(r)), reverse=True)
    order = rng.sample(free, len(free))
    if is_common:
        chosen = [sorted(order[: sizes[0]])] * r
        vectors = [sigma.top(chosen[0], rng), *(np.eye(n)[i] for i in chosen[0])]
    elif is_disjoint or rng.random() < 0.5:
        chosen, rest = [], order
        for t, k in enumerate(sizes):
            size = min(k, len(rest) - (r - t - 1))
            chosen.append(sorted(rest[:size]))
            rest = rest[size:]
        if not is_disjoint and any(len(T) < k for T, k in zip(chosen, sizes, strict=True)):
            return None
        vectors = [sigma.top(T, rng) for T in chosen]
    else:  # one in the other
        chosen = [sorted(order[:k]) for k in sizes]
        if any(k < r for k in sizes[:1]):
            return None
        vectors = [x for T in chosen[::-1] for x in (sigma.top(T, rng), *(np.eye(n)[i] for i in T))]
    value = together(sigma, chosen, vectors)
    if value is None:
        return None
    upper = below(value, rng)
    parts = chosen[:1] if is_common else chosen
    include = [sorted(rng.sample(T, rng.randrange(len(T) + 1))) for T in parts] if "conditions" in words else []
    if is_disjoint and sum(sizes) > len(free):
        include = []
    if len({i for J in include for i in J}) < sum(map(len, include)):
        include = []  # one variable in two
    small = _apart(rng, chosen, np.diag(sigma.floats))
    if small is None:
        return None
    claim: Document = {"kind": "components", "supports": supports, "sizes": sizes}
    claim |= {"exclude": E} if E else {}
    claim |= {"include": include} if any(include) else {}
    claim |= {"lower": hexed(-LARGEST), "upper": hexed(upper)}
    J = include if any(include) else [[] for _ in parts]
    held = sorted({*small}) if is_common else []
    witness = (
        [{"support": held, "loadings": [hexed(i == at) for at in held]} for i in small]
        if is_common
        else [{"support": [i], "loadings": [hexed(1)]} for i in small]
    )
    if is_common and len({*held, *J[0]}) > sizes[0]:
        return None
    made = _Evidence(numbers, sigma.floats, upper, words=words, factor=None)
    tree = _Tables(made, supports, sizes[: len(parts)], [*map(sorted, J)], free)
    return document(sigma.subject(), claim, {"components": witness}, tree.evidence())


def together(sigma: Sigma, chosen: Any, vectors: Any) -> Fraction | None:
    """Return what vectors attain together, made orthogonal one after the other, each on its own support."""
    found: list[Any] = []
    supports = sorted(chosen, key=len)
    for x in map(_fractions, vectors):
        if len(found) == len(supports):
            break
        for q in found:
            x = x - (q @ x) / (q @ q) * q
        if any(x) and {i for i, entry in enumerate(x) if entry} <= {*supports[len(found)]}:
            found.append(x)
    if len(found) < len(supports):
        return None
    return sum(((x @ sigma.exact @ x) / (x @ x) for x in found), Fraction(0))


def _apart(rng: random.Random, chosen: Any, variances: Any) -> list[int] | None:
    """Return a variable of each set, all different, of small variances."""
    tried = ([rng.choice(T) for T in chosen] for _ in range(20))
    return min(
        (some for some in tried if len({*some}) == len(some)), key=lambda s: sum(variances[s]), default=None
    )


class _Tables:
    """A tree over sets of components, with its points and what it says of single ones."""

    def __init__(
        self, made: _Evidence, supports: str, sizes: list[int], J: list[list[int]], free: list[int]
    ) -> None:
        self.made, self.rng, self.supports, self.sizes = made, made.rng, supports, sizes
        self.nodes: list[Any] = []
        self.singles: list[Document] = []
        if self.rng.random() < 0.5:
            for k in sorted({*sizes}):
                self.singles.append({"k": k, "tree": made.tree([], free)})
        self.fewer: list[Document] = []
        if len(sizes) > 2 and supports != "common" and self.rng.random() < 0.7:
            for k in {*sizes}:
                rest = [*sizes[: sizes.index(k)], *sizes[sizes.index(k) + 1 :]]
                upper = made.level * self.rng.choice([1.0, 0.9, 0.7, 0.5])
                inner = _Evidence(made.numbers, made.M, upper)
                own = _Tables(inner, supports, rest, [[] for _ in rest], free).evidence()
                self.fewer.append({"sizes": rest, "upper": hexed(upper), "evidence": own})
        self.multipliers = [self.multiplier() for _ in range(self.rng.randrange(1, 4))]
        self.grow([(own, [i for i in free if i not in own]) for own in J], self.rng.choice([0, 0, 1, 2, 5]))

    def evidence(self) -> Document:
        """Return points, tree, and what is said of fewer components where it says something."""
        more = {"singles": self.singles, "fewer": self.fewer}
        return {"points": self.made.points, "tree": self.nodes} | {
            name: own for name, own in more.items() if own
        }

    def multiplier(self, some: list[int] | None = None) -> int:
        made, rng, has_rows = self.made, self.rng, 0.4 if some is None else 0.9
        n, S = made.n, made.M
        Z = np.zeros((n, n))
        how = rng.random()
        if how < 0.4:
            Z = np.diag([abs(made.numbers()) * rng.choice([1.0, 0.5, 0.0]) for _ in range(n)])
        elif how < 0.7:
            power = math.frexp(np.abs(S).max(initial=0.0))[1]
            values, vectors = np.linalg.eigh(np.ldexp(S, -power))
            cut = float(rng.choice([*values.tolist(), 0.0]))
            Z = np.ldexp((vectors * np.maximum(values - cut, 0)) @ vectors.T, power)
        with np.errstate(all="ignore"):
            M = np.nan_to_num(S - (Z + Z.T) / 2, nan=0.0, posinf=LARGEST, neginf=-LARGEST)
        M = np.triu(M) + np.triu(M, 1).T
        y = [rng.choice([0.0, 1.0, -1.0, 0.5]) * made.numbers() for _ in range(n)]
        inner = _Evidence(made.numbers, M, made.level, points=made.points)
        rows = [inner.pairs(range(n), False) if rng.random() < has_rows else None for _ in self.sizes]
        W = [*range(n)] if some is None else some
        own = np.array(y)[W] * rng.choice([1.0, 0.0])
        return made.add("multipliers", W, M=packed(M[np.ix_(W, W)]), y=packed(own), rows=rows)

    def grow(self, boxes: Any, depth: int) -> int:
        rng, at = self.rng, len(self.nodes)
        self.nodes.append(None)
        t = rng.randrange(len(boxes))
        J, F = boxes[t]
        how = rng.random()
        if F and how < 0.6 and depth > 0:
            i = rng.choice(F)
            less = [j for j in F if j != i]
            inside = self.grow(
                [(sorted([*J, i]), less) if s == t else box for s, box in enumerate(boxes)], depth - 1
            )
            same = [s for s, box in enumerate(boxes) if box == boxes[t] and self.sizes[s] == self.sizes[t]]
            out = [(box[0], [j for j in box[1] if j != i]) if s in same else box for s, box in enumerate(boxes)]
            self.nodes[at] = ["split", t, i, inside, self.grow(out, depth - 1)]
        elif F and how < 0.75:
            kept, beside = [i for i in F if rng.random() < 0.5], list[int]()
            if self.supports != "common" and rng.random() < 0.6:
                kept = sorted({*kept, *(i for box in boxes for i in box[0])})
                beside = [self.multiplier(kept if rng.random() < 0.8 else kept[:1])] if kept else []
            make = rng.choice([None, self.made.weights, self.made.weights if beside else self.made.pairs])
            point = None if make is None else make(range(self.made.n))
            level = rng.choice([self.made.level / len(self.sizes), self.made.near()])
            below = [i for i in F if i in kept]
            child = self.grow([(J, below) if s == t else box for s, box in enumerate(boxes)], depth - 1)
            self.nodes[at] = ["restrict", t, point, hexed(level), kept, child, *beside]
        elif how < 0.85 and self.supports != "common":
            some = rng.sample(self.multipliers, rng.randrange(1, len(self.multipliers) + 1))
            self.nodes[at] = ["choices", some]
        else:
            self.nodes[at] = ["multipliers", rng.choice([None, *self.multipliers])]
        return at
