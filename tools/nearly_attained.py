"""Make false certificates whose evidence proves hardly more than what is attained: lies by a last digit.

A matrix is made around components that are its best, with evidence that proves just what these explain: no term
of its bound has room. Then the bound that is claimed is lowered, and often a number of the evidence. A checker
that forgets a term or a condition, or that rounds inward, believes such a file.

    for kind, document in nearly_attained(random.Random(1)): ...

What is attained is found in rationals, as in `false_certificates.py`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from false_certificates import Document, Sigma, below, document, hexed, packed, signed, together

LESS = [1 - 2.0**-52, 1 - 2.0**-40, 1 - 1e-6, 0.999, 0.5, 0.0, -1.0]
MOST = 1.5 * 2.0**1000


def nearly_attained(rng: random.Random, kinds: list[str] | None = None) -> Iterator[tuple[str, Document]]:
    """Yield (kind, document) without an end."""
    while True:
        kind = rng.choice(kinds or [*KINDS])
        made = KINDS[kind](rng)
        if (file := made.file()) is not None:
            yield f"nearly attained: {kind}", signed(file)


@dataclass
class Best:
    """The best components of a matrix, and what proves that no others explain more.

    Parameters
    ----------
    chosen, vectors : the supports and vectors that are the best.
    sizes : of the supports that are allowed, those of `chosen` or larger ones.
    include : what is forced in.
    leaf : what closes a node where the best components are, made of its points.
    """

    rng: random.Random
    S: Any
    supports: str
    chosen: list[list[int]]
    vectors: list[Any]
    sizes: list[int]
    include: list[list[int]]
    points: list[Document] = field(default_factory=list)
    leaf: Any = None
    tree: list[Any] | None = None
    singles: list[Document] = field(default_factory=list)
    fewer: list[Document] = field(default_factory=list)

    def multipliers(self, Z: Any, y: Any, rows: Document | None = None) -> int:
        """Add a point with Z and y; what rows pay for M is a point of its own."""
        row = None if rows is None else self.add(rows)
        point = {
            "kind": "multipliers",
            "M": packed(self.S - Z),
            "y": packed(y),
            "rows": [row] * len(self.include),
        }
        return self.add(point)

    def add(self, point: Document) -> int:
        """Add a point about all variables; return its number."""
        variables = [*range(len(self.S))]
        self.points.append({"kind": point["kind"], "variables": variables} | point)
        return len(self.points) - 1

    def file(self) -> Document | None:
        """Return the file of a claim that its vectors refute, or None where they are not orthogonal."""
        rng, sigma = self.rng, Sigma.of(self.S)
        value = together(sigma, self.chosen, self.vectors)
        if value is None:
            return None
        evidence: Document = {"points": self.points, "tree": self.tree or self.split()}
        evidence |= {"singles": self.singles} if self.singles else {}
        evidence |= {"fewer": self.fewer} if self.fewer else {}
        if rng.random() < 0.5:
            _lower(evidence, rng)
        claim: Document = {"kind": "components", "supports": self.supports, "sizes": self.sizes}
        if self.supports == "one":
            claim = {"kind": "component", "k": self.sizes[0]}
        claim |= {"include": self.include} if any(self.include) else {}
        upper = below(value, rng)
        claim |= {"lower": hexed(-MOST), "upper": hexed(upper)}
        little = self.little(upper)
        return None if little is None else document(sigma.subject(), claim, {"components": little}, evidence)

    def split(self) -> list[Any]:
        """Return a tree in which one leaf has the best components, and what is aside is bounded apart."""
        rng, nodes = self.rng, list[Any]()
        free = [i for i in range(len(self.S))]
        boxes = [(J, [i for i in free if i not in J]) for J in self.include]
        aside = self.leaf
        if self.supports not in ("common", "one"):
            aside = ["choices", [self.multipliers(np.zeros_like(self.S), np.zeros(len(self.S)))]]
        for _ in range(rng.choice([0, 0, 1, 2, 3, 4])):
            t = rng.randrange(len(boxes))
            J, F = boxes[t]
            if not F or self.sizes[t] == len(J):
                break
            i, less = (i := rng.choice(F)), [j for j in F if j != i]
            same = [s for s, box in enumerate(boxes) if box == boxes[t] and self.sizes[s] == self.sizes[t]]
            has = [s for s in same if i in self.chosen[s]]
            t = has[0] if has else t
            at = len(nodes)
            nodes += [["split", t, i, *((at + 2, at + 1) if has else (at + 1, at + 2))], aside]
            inside = [(sorted([*J, i]), less) if s == t else box for s, box in enumerate(boxes)]
            outside = [(box[0], less) if s in same else box for s, box in enumerate(boxes)]
            boxes = inside if has else outside
        return [*nodes, self.leaf]

    def little(self, least: float) -> list[Document] | None:
        """Return vectors that explain less than so much: a variable each, or the last eigenvectors."""
        S, r, is_common = self.S, len(self.chosen), self.supports == "common"
        order = sorted(range(len(S)), key=lambda i: S[i, i])
        taken: list[int] = []
        for J, size in zip(self.include * (r if is_common else 1) or [[]], self.sizes, strict=True):
            others = {i for K in self.include for i in K} if self.supports == "disjoint" else set()
            may = [i for i in order if i not in taken and (i in J or (len(J) < size and i not in others))]
            taken += may[:1]
        if len(taken) == r and sum(S[i, i] for i in taken) < least:
            held = [sorted({*taken}) if is_common else [i] for i in taken]
            if not is_common or len({*held[0], *self.include[0]}) <= self.sizes[0]:
                return [_vector(T, np.eye(len(S))[i]) for i, T in zip(taken, held, strict=True)]
        T = self.chosen[0]
        values, vectors = np.linalg.eigh(S[np.ix_(T, T)] / np.abs(S).max())
        if any(U != T for U in self.chosen) or sum(values[:r]) * np.abs(S).max() >= least:
            return None
        return [{"support": T, "loadings": [hexed(x) for x in v]} for v in vectors.T[:r]]


def _vector(T: list[int], x: Any) -> Document:
    return {"support": T, "loadings": [hexed(x[i]) for i in T]}


def _lower(evidence: Document, rng: random.Random) -> None:
    """Change one number of the evidence, or all of an array, mostly to less."""
    levels = [node for node in evidence["tree"] if node[0] == "restrict"]
    places = [(point, name) for point in evidence["points"] for name in ("M", "y", "P", "N", "weights")]
    places = [(point, name) for point, name in places if name in point]
    factor = rng.choice(LESS)
    if levels and (not places or rng.random() < 0.3):
        node = rng.choice(levels)
        node[3] = hexed(float.fromhex(node[3]) * factor)
        return
    if not places:
        return
    point, name = rng.choice(places)
    shape = point[name]["shape"]
    x = np.array([*map(float.fromhex, point[name]["hex"])]).reshape(shape)
    factor = abs(factor) or 0.5 if name in ("N", "weights") else factor
    if rng.random() < 0.4:
        x = x * factor
    elif name == "y":
        x[rng.randrange(len(x))] -= rng.choice([2.0**-50, 1e-6, 0.1, 1.0]) * (np.abs(x).max() or 1)
    else:
        at = tuple(rng.randrange(m) for m in shape)
        x[at] *= factor
        x[at[::-1]] = x[at[::-1]] if name == "N" else x[at]
    point[name] = packed(x)


# Matrices with their best components.


def _blocks(rng: random.Random, count: int, most: int) -> tuple[list[list[int]], list[float], list[Any]]:
    """Return disjoint sets of variables, what each explains, and its vector; in whole numbers or not."""
    is_whole = rng.random() < 0.5
    sizes = [rng.choice([1, 2, 2, 4] if is_whole else [1, 2, 2, 3]) for _ in range(count)]
    while sum(sizes) > most:
        sizes[sizes.index(max(sizes))] //= 2
    order, blocks = rng.sample(range(most), most), list[list[int]]()
    for m in sizes:
        blocks.append(sorted(order[:m]))
        order = order[m:]
    values = [float(rng.randrange(8, 17)) if is_whole else rng.uniform(1, 2) for _ in blocks]
    vectors = [np.zeros(most) for _ in blocks]
    for T, v in zip(blocks, vectors, strict=True):
        own = np.array([rng.choice([-1.0, 1.0]) if is_whole else rng.gauss(0, 1) for _ in T])
        v[T] = own if len(T) in (1, 2) and is_whole else own / np.linalg.norm(own)
        v[T] = own / 2 if is_whole and len(T) == 4 else v[T]
    return blocks, values, vectors


def _outer(values: Any, vectors: Any) -> Any:
    """Return the sum of a vv' / v'v, symmetric to the last bit."""
    M = sum(a * (np.outer(v, v) / (v @ v)) for a, v in zip(values, vectors, strict=True))
    return np.triu(M) + np.triu(M, 1).T


def _apart(rng: random.Random, is_smaller: bool = False) -> Best:
    """Return components without a variable in common, and multipliers that make all explain the same."""
    supports = "disjoint" if is_smaller else rng.choice(["orthogonal", "disjoint", "common"])
    r, n = 2 if is_smaller else rng.choice([1, 2, 2, 3]), rng.randrange(3, 7)
    blocks, values, vectors = _blocks(rng, r, n)
    several = sorted(zip(blocks, values, vectors, strict=True), key=lambda one: -len(one[0]))
    blocks, values, vectors = map(list, zip(*several, strict=True))
    if is_smaller:  # no other variables
        used = sorted(sum(blocks, []))
        blocks, vectors, n = [[*map(used.index, T)] for T in blocks], [v[used] for v in vectors], len(used)
    S = _outer(values, vectors)
    others = [i for i in range(n) if i not in sum(blocks, [])]
    c = min(values) * (0.5 if is_smaller else rng.choice([1.0, 1.0, 0.5]))
    S[others, others] = rng.choice([0.0, c / 16])
    squares = [v * v / (v @ v) for v in vectors]
    if supports == "disjoint":
        z = [(value - c) * rng.choice([0.0, 0.0, 0.5, 1.0]) for value in values]
        y = -sum((value - more - c) * s for value, more, s in zip(values, z, squares, strict=True))
    else:
        z = [value - c for value in values]
        y = (min(values) - c) * rng.choice([0.0, 0.5, 1.0]) / (r if supports == "common" else 1) * sum(squares)
    if supports == "common":
        chosen, include = [sorted(sum(blocks, []))] * r, [sorted(sum(blocks, []))]
    else:
        chosen, include = blocks, [*blocks]
    sizes = [len(T) for T in chosen]
    if is_smaller or (supports == "disjoint" and rng.random() < 0.3):
        sizes[0] = rng.randrange(sizes[0] + is_smaller, n + 1)
    how = rng.choice([0.0, 0.0, 0.5, 1.0])
    include = [[i for i in J if rng.random() < how] for J in include]
    if supports == "orthogonal" and others and r > 1 and rng.random() < 0.6:  # a variable that is in all sets
        chosen = [sorted([*T, others[0]]) for T in chosen]
        include = [sorted([*J, others[0]]) for J in include]
        sizes, y = [k + 1 for k in sizes], y + rng.gauss(0, 1) * np.eye(n)[others[0]]
    made = Best(rng, S, supports, chosen, vectors, sizes, include)
    Z, rows = _outer(z, vectors), None
    if rng.random() < 0.1:  # far from semidefinite
        Z, y = S - np.diag(np.diag(S)), 0 * y
    if rng.random() < 0.5:
        P = (S - Z) * (1 - np.eye(n)) * rng.choice([0.0, 1.0, 1.0])
        w = np.abs(sum(vectors)) + (np.abs(sum(vectors)) == 0)
        N = np.abs(P) * w[None, :] / w[:, None] * (1 + 2.0**-50 * (rng.random() < 0.5))
        rows = {"kind": "rows", "P": packed(P), "N": packed(N * rng.choice([1.0, 1.0, 1.0, *LESS[:5]]))}
    return _with_leaf(made, Z, y, rows)


def _with_leaf(made: Best, Z: Any, y: Any, rows: Document | None = None) -> Best:
    """Let a leaf use these multipliers, one way or another."""
    may_choose = made.supports != "common"
    if may_choose and made.rng.random() < 0.4:
        made.leaf = ["choices", [made.multipliers(Z, y)]]
    else:
        made.leaf = ["multipliers", made.multipliers(Z, y, rows)]
    return made


def _same(rng: random.Random) -> Best:
    """Return components on the same variables: Ky Fan's sum, of which each variable is paid once."""
    supports, k, n = rng.choice(["orthogonal", "common"]), rng.choice([2, 2, 3, 4]), rng.randrange(4, 7)
    r = rng.randrange(2, min(k, 3) + 1)
    order = rng.sample(range(n), n)
    T = sorted(order[:k])
    Q = np.linalg.qr(np.array([[rng.gauss(0, 1) for _ in T] for _ in T]))[0]
    if k == 2 and rng.random() < 0.7:
        Q = np.array([[1.0, 1.0], [1.0, -1.0]])
    values = sorted((float(rng.randrange(8, 33)) / 8 for _ in T), reverse=True)
    vectors = [np.zeros(n) for _ in T]
    for v, q in zip(vectors, Q.T, strict=True):
        v[T] = q
    S = _outer(values, vectors)
    S[order[k:], order[k:]] = rng.choice([0.0, values[-1] / 16])
    Z = _outer([max(value - values[r - 1], 0.0) for value in values], vectors)
    held = [i for i in T if rng.random() < rng.choice([0.0, 0.5, 1.0, 1.0])]
    include = [held] * (1 if supports == "common" else r)
    y = np.zeros(n)
    y[held] = [rng.gauss(0, 1) for _ in held]
    if supports == "common" and rng.random() < 0.5:
        y = np.diag(Z) * rng.choice([0.0, 0.5, 1.0]) / r + rng.choice([0.0, 0.5, -0.5])
    made = Best(rng, S, supports, [T] * r, vectors[:r], [k] * r, include)
    if supports == "orthogonal" and rng.random() < 0.4:  # what orthogonality takes is a loss
        made.include = [T] * r
        made.leaf = ["choices", [made.multipliers(np.zeros_like(S), y)]]
        return made
    if supports == "orthogonal" and rng.random() < 0.5:  # true only of sets without a common variable
        c, made.include, Z = values[r - 1] * rng.choice([0.5, 0.8, 0.9]), [[]] * r, 0 * S
        y = -(values[0] - c) / k * np.isin(range(n), T)
        made.leaf = ["multipliers", made.multipliers(Z, y)]
        return made
    rows = {"kind": "rows", "P": packed(0 * S), "N": packed(0 * S)}
    return _with_leaf(made, Z, y, rng.choice([None, rows]))


def _single(rng: random.Random) -> Best:
    """Return components of one variable each, of a Z that is not semidefinite."""
    supports, n = rng.choice(["orthogonal", "disjoint", "common"]), rng.randrange(2, 6)
    r = rng.randrange(1, min(n, 3) + 1)
    draw = rng.choice([lambda: rng.gauss(0, 1), lambda: float(rng.randrange(-3, 4))])
    S = np.array([[draw() for _ in range(n)] for _ in range(n)])
    S = np.triu(S) + np.triu(S, 1).T
    diagonal = sorted((float(rng.randrange(1, 9)) for _ in range(n)), reverse=True)
    order = rng.sample(range(n), n)
    S[order, order] = diagonal
    T, y = order[:r], np.zeros(n)
    c = diagonal[r - 1] * rng.choice([1.0, 1.0, 0.5])
    if supports != "common":
        y[T] = rng.choice([0.0, (diagonal[r - 1] - c) * 0.5]) if supports == "orthogonal" else c - np.diag(S)[T]
    M = np.diag(np.minimum(np.diag(S), c - y))
    if supports == "disjoint":
        M = np.diag(np.minimum(np.diag(S), np.where(y == 0, c, np.diag(S))))
    if supports != "common" and rng.random() < 0.5:
        M = M + (S - np.diag(np.diag(S))) * rng.choice([0.5, 1.0, 2.0])
    chosen = [sorted(T)] * r if supports == "common" else [[i] for i in T]
    vectors = [np.eye(n)[i] for i in T]
    if supports == "common":
        vectors = [np.eye(n)[i] for i in sorted(T)]
    include = [[] for _ in chosen][: 1 if supports == "common" else r]
    made = Best(rng, S, supports, chosen, vectors, [len(U) for U in chosen], include)
    return _with_leaf(made, S - M, y)


def _meeting(rng: random.Random) -> Best:
    """Return two components, one on some variables of the other, whose loss leaves no room."""
    g = 2.0 ** -rng.choice([2, 3, 5, 10, 16, 20, 24])
    theta, phi, tau = (rng.uniform(0.3, 1.2) for _ in range(3))
    u = np.array([math.cos(theta), math.sin(theta), 0.0])
    v = np.array([-math.sin(theta), math.cos(theta), 0.0])
    q, w = math.cos(phi) * v + math.sin(phi) * np.eye(3)[2], math.sin(phi) * v - math.cos(phi) * np.eye(3)[2]
    first, second = math.cos(tau) * u + math.sin(tau) * q, math.sin(tau) * u - math.cos(tau) * q
    S = _outer([1.0, 1 - g, rng.uniform(0, 0.3)], [first, second, w])
    x = np.zeros(3)
    x[:2] = np.linalg.eigh(S[:2, :2])[1][:, -1]
    rest = np.linalg.qr(np.column_stack([x, np.eye(3)[:, 1:]]))[0][:, 1:]
    other = rest @ np.linalg.eigh(rest.T @ S @ rest)[1][:, -1]
    n = rng.choice([3, 3, 4])
    S = np.pad(S, (0, n - 3))
    order = rng.sample(range(n), n)
    S = S[np.ix_(order, order)]
    x, other = np.pad(x, (0, n - 3))[order], np.pad(other, (0, n - 3))[order]
    T, U = (sorted(order.index(i) for i in some) for some in ([0, 1, 2], [0, 1]))
    made = Best(rng, S, "orthogonal", [T, U], [x, other], [3, 2], [T, U])
    y = np.array([rng.gauss(0, 1) for _ in range(n)])
    some = [made.multipliers(0 * S, y) for _ in range(rng.choice([1, 1, 2, 9]))]
    made.leaf = ["choices", some]
    return made


def _restricted(rng: random.Random) -> Best:
    """Return components of one size, the last of which explains just the level that all are restricted to."""
    supports, r, m = (
        rng.choice(["orthogonal", "disjoint", "common"]),
        rng.choice([1, 2, 2, 3]),
        rng.choice([1, 2, 2, 3, 4]),
    )
    is_common = supports == "common"
    r = min(r, 2) if m == 4 else r
    n = r * m + rng.randrange(2)
    order, is_uneven = rng.sample(range(n), n), rng.choice([1, 3])
    blocks = [sorted(order[t * m : t * m + m]) for t in range(r)]
    vectors = [np.zeros(n) for _ in blocks]
    for v, T in zip(vectors, blocks, strict=True):
        v[T] = [rng.choice([-1.0, 1.0]) * is_uneven ** rng.randrange(2) for _ in T]
    high = float(rng.randrange(8, 17))
    low = high * rng.choice([1.0, 15 / 16, 7 / 8])
    values = [high] * r if is_common else [*[high] * (r - 1), low]
    S = _outer(values, vectors)
    level = values[-1]
    chosen = [sorted(sum(blocks, []))] * r if is_common else blocks
    sizes = [len(T) for T in chosen]
    held = blocks[-1][: rng.randrange(m)] if rng.random() < 0.6 else []
    include = [held] if is_common else [*[[]] * (r - 1), held]
    made = Best(rng, S, supports, chosen, vectors, sizes, include)
    out = rng.choice([i for i in blocks[-1] if i not in held])
    kept = [i for i in range(n) if i != out]
    point = None
    if rng.random() < 0.7:  # the row of what is left out may be small: the others are not
        w = np.where(np.arange(n) == out, rng.choice([1.0, 2.0, 4.0]), 1.0) * (
            np.abs(sum(vectors)) + (np.abs(sum(vectors)) == 0)
        )
        point = made.add({"kind": "rows", "weights": packed(w * rng.choice([1.0, 3.0, 2.0**-500]))})
    how = rng.choice([1.0, 1 - 2.0**-53, 1 - 2.0**-53, 1 - 2.0**-40, 0.99])
    leaf = _with_leaf(made, _outer([value - level for value in values], vectors), np.zeros(n)).leaf
    if is_common or rng.random() < 0.2:
        leaf = ["multipliers", made.multipliers(0 * S, np.zeros(n))] if is_common else leaf
    parts = [*range(len(include))]
    if not is_common and m > 1 and r > 1 and rng.random() < 0.2:  # another part may still have what is left out
        include[0], parts, how = blocks[0][:1], [0], 0.9
    made.tree = [["restrict", t, point, hexed(level * how), kept, t + 1] for t in parts] + [leaf]
    weighed = made.add({"kind": "rows", "weights": packed(np.ones(n))})
    if not is_common or rng.random() < 0.5:
        made.singles = [{"k": m, "tree": [["rows", rng.choice([None, weighed])]]}] if not is_common else []
    if r > 2 and not is_common and rng.random() < 0.6:
        upper, own = rng.choice([2 * high, low - 2 * high]), {"points": [], "tree": [["multipliers", None]]}
        made.fewer = [{"sizes": [m] * (r - 1), "upper": hexed(upper), "evidence": own}]
        made.tree = [[*node[:3], hexed(4 * high), *node[4:]] for node in made.tree[:-1]] + [leaf]
    return made


def _weighed(rng: random.Random) -> Best:
    """Return one component that rows bound to a part of a last digit, by sums of doubles of 53 bits."""
    n = rng.randrange(2, 6)
    w = np.array([rng.choice([1.0, 2.0, 4.0]) for _ in range(n)]) if rng.random() < 0.5 else np.ones(n)
    S = np.array([[rng.random() for _ in range(n)] for _ in range(n)])
    S = np.triu(S, 1) + np.triu(S, 1).T
    sums = S @ w / w
    high = float(max(sums)) * 1.125
    S[range(n), range(n)] = high - sums
    P = S - np.diag(np.diag(S))
    supports = rng.choice(["one", "orthogonal"])
    made = Best(rng, S, supports, [[*range(n)]], [w], [n], [] if supports == "one" else [[]])
    point = made.add({"kind": "rows", "weights": packed(w)})
    paid = made.add({"kind": "rows", "P": packed(P), "N": packed(P * w[None, :] / w[:, None])})
    level = high * rng.choice([1.0, 1 - 2.0**-53, 1 - 2.0**-53])
    leaf = ["rows", rng.choice([point, paid])] if supports == "one" else ["multipliers", None]
    rows = rng.choice([paid, point if w.max() > 1 else None])
    made.tree = [["restrict", 0, rows, hexed(level), [], 1], leaf]
    if supports == "one" and rng.random() < 0.6:
        made.tree = [leaf]
    return made


KINDS = {
    "apart": _apart,
    "smaller": lambda rng: _apart(rng, True),
    "same": _same,
    "single": _single,
    "meeting": _meeting,
    "restricted": _restricted,
    "weighed": _weighed,
}
