"""Write the evidence for a claim about several components in the words that the verified checker reads.

A leaf without a point has the price matrix 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil, comb
from typing import Any

import numpy as np
from integers import (
    Matrix,
    NotCovered,
    NotProved,
    block,
    counted,
    dearest,
    denominator,
    evidence,
    plus,
    scaled,
    whole,
    words,
)
from single import SingleTranslation
from trees import Side, groups_of, walked

from relaxspca.certificate import Certificate, Restrict, Split, TreeNode
from relaxspca.checker import multipliers
from relaxspca.checker.claims import arithmetic_for
from relaxspca.checker.multipliers import MOST_SUPPORTS, ComponentPart, SeveralEvidence, has_no_supports
from relaxspca.checker.witness import Orthogonal

Bound = Callable[[int, Side, int | None], tuple[int, str]]  # what bounds a part, and how
MOST_PEAKS = 1 << 19  # sets of one component at a leaf, times points


class TableTranslation(SingleTranslation):
    """One certificate of several components in whole numbers, in units of 1/D, D >= least a power of two."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.n, self.include = certificate.n, list[int]()
        self.known = dict[tuple[int, ...], int]()  # what components of these sizes explain at most
        self.largest = abs(self.S).max()
        self.huge = self.n * self.largest << 60  # far more than anything else
        for point in self.kinds[2] if certificate.supports == "common" else []:
            # Exactly k variables are in use: prices may all be lower, till no variable costs less than 0.
            point.y = point.y - abs(point.y).max() - abs((self.S - point.M).diagonal()).max()

    def turn_to(self, at: int) -> None:
        """Speak of one of the claims from here on."""
        self.certificate, self.points = self.claims[at], self.own_points[at]
        self.sizes, self.is_smaller = list(self.certificate.sizes), multipliers.may_be_smaller(self.certificate)

    def vectors(self) -> Iterator[str]:
        vectors = orthogonal_vectors(self.certificate)
        yield from map(words, vectors)
        yield words(z @ self.S @ z // (z @ z) for z in vectors)

    def trees(self) -> Iterator[str]:
        yield str(len(self.kinds[2]))
        for point in self.kinds[2]:
            yield from point.lines()
        known = [*self.single_components()]
        for at in reversed(range(1, len(self.claims))):
            self.turn_to(at)
            self.known[self.certificate.sizes] = self.upper = self.ceiling(self.certificate.upper)
            known.append([f"{counted(self.sizes)} {self.upper}", *self.proof()])
        yield str(len(known))
        for lines in reversed(known):
            yield from lines
        self.turn_to(0)
        self.upper = self.whole(self.certificate.upper)
        yield from self.proof()

    def ceiling(self, value: float) -> int:
        return ceil(Fraction(value) * self.D)

    def single_components(self) -> Iterator[list[str]]:
        """Yield for each size the best that a tree proves of one component, as the other checker finds it."""
        found = dict[int, tuple[int, int, Sequence[TreeNode]]]()
        for at, claim in enumerate(self.claims):
            checked = SeveralEvidence(claim, arithmetic_for(claim, None))
            for single in claim.evidence.singles:
                bound = self.ceiling(checked.proved(single.k))
                if single.k not in found or bound < found[single.k][0]:
                    found[single.k] = bound, at, single.tree
        for k, (self.upper, at, tree) in found.items():
            self.turn_to(at)
            self.parts.parts, self.known[k,] = [(range(self.n), k)], self.upper
            yield [f"1 {k} {self.upper}", *self.tree(tree)]

    def proof(self) -> Iterator[str]:
        """Yield the nodes of the tree, the inside child before the outside one."""
        tree = self.certificate.tree
        for where, node, sides in walked(tree, self.root(), self.sizes, self.are_apart):
            if isinstance(node, Split):
                yield f"split {node.part} {node.variable}"
            elif isinstance(node, Restrict):
                if len(sides[node.part][0]) < self.sizes[node.part]:
                    yield self.keep(where, node, sides)
            elif self.has_no_tables(sides):
                yield "none"
            elif node.kind == "choices":
                yield from self.choices(where, node.points, sides)
            else:
                own: list[Bound] = [partial(self.part, where, node.point)] * len(sides)
                yield self.priced(where, node.point, sides, own)

    def table(self, at: int | None) -> tuple[int, list[int], Matrix, Any]:
        """Return number, variables, matrix and prices of multipliers; without a point the matrix is Sigma."""
        if at is None:
            return 0, list(range(self.n)), self.S, whole([0] * self.n)
        point = self.points[at]
        return point.number + 1, point.variables, point.M, point.y

    def root(self) -> list[Side]:
        claim = self.certificate.claim
        held = [J.tolist() for J in claim.forced]
        return [(J, [i for i in range(self.n) if i not in {*J, *claim.exclude}]) for J in held]

    def keep(self, where: str, node: Restrict, sides: list[Side]) -> str:
        """Return a restriction: what bounds the tables of which that part has a variable that is left out."""
        part = node.part
        kept = f"keep {part} {counted(node.kept)}\n"
        if self.has_no_tables(sides):
            return kept + "none"
        if node.multipliers is None:
            return kept + self.apart(where, node, part, len(sides))
        lost = {part: {*sides[part][1]} - {*node.kept}}
        own: list[Bound] = [partial(self.left_out, where, node, lost.get(p)) for p in range(len(sides))]
        return kept + self.priced(where, node.multipliers, sides, own)

    def apart(self, where: str, node: Restrict, part: int, count: int) -> str:
        """Return what rows say of a part that has lost a variable, and what is known of the others."""
        others, level = [t for t in range(count) if t != part], self.ceiling(node.level)
        groups = [others] if tuple(self.sizes[t] for t in others) in self.known else [[t] for t in others]
        sizes = [tuple(self.sizes[t] for t in group) for group in groups]
        if not {*sizes} <= {*self.known}:
            raise NotProved(f"{where}: no tree proves what single components of {sizes} variables explain")
        said = (f"{counted(g)} {self.known[k]}" for g, k in zip(groups, sizes, strict=True))
        return " ".join([f"apart {self.weights(node.point)} {level} {len(groups)}", *said])

    def left_out(
        self, where: str, node: Restrict, lost: set[int] | None, k: int, side: Side, row: int | None
    ) -> tuple[int, str]:
        """Return what bounds a part of such tables, and how; `lost` is what the part has lost itself."""
        at, (J, F) = node.multipliers, side
        rows = partial(self.by_rows, where, at, k, side, row, node.point)
        if lost is not None:
            return rows(lost)
        W = {*self.table(at)[1]}
        best, how = self.part(where, at, k, (J, [i for i in F if i in W]), row)
        beside, also = rows({*F} - W)
        return max(best, beside), f"within {counted([*W])} {how}\n{also}"

    def has_no_tables(self, sides: list[Side]) -> bool:
        """Say whether sizes do not fit, too few variables are left, or disjoint supports would share one."""
        parts = zip(self.sizes, self.settled(sides), strict=False)
        found = tuple(ComponentPart(k, (*J,), (*F,)) for k, (J, F) in parts)
        return has_no_supports(found, self.certificate)

    def priced(self, where: str, at: int | None, sides: list[Side], own: list[Bound]) -> str:
        """Return a leaf: how far Z is from semidefinite, the best of every component, what variables cost."""
        rows = [None] * len(sides) if at is None else self.points[at].point.rows
        sides, copies = self.settled(sides), len(self.sizes) // len(sides)
        V, (number, W, M, y) = sorted({i for J, F in sides for i in J + F}), self.table(at)
        both = [bound(*one) for bound, *one in zip(own, self.sizes, sides, rows, strict=False)]
        shift, found = self.shift(where, M, sorted({*V}.intersection(W)))
        best, how = [b for b, _ in both], "\n".join(text for _, text in both)
        must = {j: sum(j in J for J, _ in sides) for j in V}
        excess = {j: self.S[j][j] - M[j][j] + shift - copies * max(must[j], 1) * y[j] for j in V}
        room = sum(k - len(J) for k, (J, _) in zip(self.sizes, sides, strict=False))
        others = sorted((excess[j] for j in V if not must[j]), reverse=True)
        threshold = max([0, *others[max(room - 1, 0) : room or 1]])
        return f"multipliers {number} {shift} {words(best)}\n{how}\n{threshold} {found}"

    def part(self, where: str, at: int | None, k: int, side: Side, row: int | None) -> tuple[int, str]:
        """Return what bounds one part, and how: every support is tried, or rows pay."""
        (_, _, M, y), (J, F) = self.table(at), side
        rooms = self.rooms(k, J, F)
        if row is None and sum(comb(len(F), m) for m in rooms) <= MOST_SUPPORTS:
            used = J + F
            margin = self.margin(block(M, used), y[used])
            return max((self.best(M, y, m, J, F) + margin for m in rooms), default=-self.huge), "tried"
        return self.by_rows(where, at, k, side, row)

    def by_rows(
        self, where: str, at: int | None, k: int, side: Side, row: int | None, weights: int | None = None,
        lost: set[int] | None = None,
    ) -> tuple[int, str]:  # fmt: skip
        """Return what bounds one part by rows, if it has a variable that is lost; others cost no support.

        P and N pay for the pairs of variables of the multipliers, weights for all others.
        """
        (_, W, M, y), (J, F), point = self.table(at), side, None if row is None else self.points[row]
        used, near = J + F, sorted({*J, *F}.intersection(W))
        w, inside = whole(self.weights_of(weights)), {*used}
        P, N = (np.broadcast_to(whole(0), M.shape),) * 2 if point is None else (point.P, point.N)
        costs = dict[int, int]()
        for i in used if lost is None or lost else []:
            prices = abs(self.S[i]) * w + w[i] * y
            if i in near:
                prices[near] = w[i] * (N[i] + y)[near]
            prices[i] = w[i] * ((N if i in near else self.S)[i, i] + y[i])
            known = {i} if lost is None or i in lost else {i, max(lost, key=prices.__getitem__)}
            others, sure = [prices[j] for j in F if j not in known], sum(prices[j] for j in {*J, *known})
            open_places = [m - len(known.intersection(F)) for m in self.rooms(k, J)]
            if max(open_places, default=-1) >= 0:
                most = max(dearest(others, m) for m in open_places if m >= 0)
                costs[i] = -(-(sure + most) // w[i])
        rest = block(P, near) - block(M, near)
        paid = [at for at, i in enumerate(near) if i in costs]
        left = plus(block(rest, paid), [-costs[near[at]] for at in paid])
        bound = max((c for i, c in costs.items() if i not in near), default=-self.huge)
        if paid:
            bound = max(bound, self.whole(-np.linalg.eigvalsh(self.floats(left))[0]) + self.margin(left))
        allowed = [bound - costs.get(i, -3 * self.huge) for i in near]
        why = f"{where}: a part is not bounded as eigenvalues in floats say"
        found = evidence(plus(rest, allowed), why)
        pair = "none" if point is None else point.number
        paying = words(v * (i in inside) for i, v in enumerate(w))
        return bound, f"rows {paying} {pair} {counted(near)} {words(allowed)} {found}"

    def choices(self, where: str, points: Sequence[int], sides: list[Side]) -> Iterator[str]:
        """Yield a leaf: how far each Z is from semidefinite, and what its point says of every set."""
        sides = self.settled(sides)
        V = sorted({i for J, F in sides for i in J + F})
        points = sorted(points, key=lambda at: len({*V}.difference(self.points[at].variables)))
        yield f"choices {len(points)}"
        for at in points:
            shift, found = self.shift(where, self.points[at].M, V)
            yield f"{self.table(at)[0]} {shift} {found}"
        groups = groups_of(self.sizes, sides)
        yield words([*groups, max(groups) + 1])
        own = [(np.zeros((self.n, self.n)), block(self.points[at].M, V)) for at in points]
        for floats, M in own:
            floats[np.ix_(V, V)] = self.floats(M)
        for g in range(max(groups) + 1):
            t = groups.index(g)
            sets = sets_of(self.sizes[t], *sides[t], len(points))
            said = (peaks(floats, sets, self.unit, self.margin(M)) for floats, M in own)
            yield str(len(sets))
            yield from map(" ".join, zip(*said, strict=True))

    def settled(self, sides: list[Side]) -> list[Side]:
        """Return parts with the same supports, where nothing is free that the size decides."""
        found = []
        for k, (J, F) in zip(self.sizes, sides, strict=False):
            is_all = len(J) + len(F) == k and not self.is_smaller
            found.append((J, []) if len(J) == k else (J + F, []) if is_all else (J, F))
        return found

    def shift(self, where: str, M: Matrix, V: list[int]) -> tuple[int, str]:
        """Return how far Z is from semidefinite on V, and the evidence that it is no further."""
        Z, shift = block(self.S, V) - block(M, V), 0
        if Z.any():
            shift = max(0, self.whole(np.linalg.eigvalsh(-self.floats(Z))[-1])) + self.margin(block(M, V))
        why = f"{where}: Z is further from semidefinite than eigenvalues in floats say"
        return shift, evidence(plus(Z, shift), why)

    def margin(self, *used: Matrix) -> int:
        """Return more than eigenvalues in floats are wrong by."""
        largest: int = max(self.largest, *(abs(M).max(initial=0) for M in used))
        return largest >> 46

    def rooms(self, k: int, J: list[int], F: list[int] | None = None) -> list[int]:
        """Return how many free variables a support may have, if there are so many."""
        sizes = range(1 if self.is_smaller else k, k + 1)
        return [m - len(J) for m in sizes if 0 <= m - len(J) <= (k if F is None else len(F))]

    def best(self, M: Matrix, y: Any, m: int, J: list[int], F: list[int]) -> int:
        """Return the largest eigenvalue of M_TT, with the prices of T, for T with m free variables."""
        first, used = len(J), J + F
        T = np.array([[*range(first), *chosen] for chosen in combinations(range(first, len(used)), m)])
        own, prices = self.floats(block(M, used)), self.floats(y[used])
        tops = np.linalg.eigvalsh(own[T[:, :, None], T[:, None, :]])[:, -1] + prices[T].sum(axis=1)
        return self.whole(tops.max())


def orthogonal_vectors(certificate: Certificate) -> list[Any]:
    """Return whole multiples of the vectors, made orthogonal inside their supports, the shortest first."""
    made, parts = Orthogonal(certificate.n), certificate.witness.components
    order = sorted(range(len(parts)), key=lambda t: len(parts[t].support))
    for t in order:
        loadings = scaled([parts[t].loadings], denominator(parts[t].loadings))[0]
        if not made.add(parts[t].support, loadings).any():
            raise NotProved("the components cannot be made orthogonal inside their supports")
    return [made.done[order.index(t)].x for t in range(len(parts))]


def sets_of(k: int, J: list[int], F: list[int], points: int) -> list[list[int]]:
    """Return the sets where a component may be not 0, in the order of the checker."""
    count = 2 ** len(J) * sum(comb(len(F), m) for m in range(k - len(J) + 1))
    if count * points > MOST_PEAKS:
        raise NotCovered(f"more than {MOST_PEAKS} sets of one component at a leaf, times points")
    return [[*A, *B] for A in _few(len(J), J) for B in _few(k - len(J), F) if A or B]


def peaks(M: Any, sets: list[list[int]], unit: int, margin: int) -> list[str]:
    """Return for each set T a number b and a vector w with x'Mx <= b x'x + (w'x)^2 on it.

    b is the second eigenvalue of M_TT, raised by a margin, in units of 1/unit^2; w, in units of 1/unit, is the
    first eigenvector, |w|^2 the distance of the first two eigenvalues.
    """
    found = [""] * len(sets)
    for m in sorted({len(T) for T in sets}):
        some = [at for at, T in enumerate(sets) if len(T) == m]
        T = np.array([sets[at] for at in some])
        values, vectors = np.linalg.eigh(M[T[:, :, None], T[:, None, :]])
        second = values[:, max(m - 2, 0)]
        own = vectors[:, :, -1] * np.sqrt(values[:, -1] - second)[:, None]
        for at, b, w in zip(some, second, own, strict=True):
            w_whole = [int(Fraction(x) * unit) for x in w] if m > 1 else []
            found[at] = words([int(Fraction(b) * unit**2) + margin, len(w_whole), *w_whole])
    return found


def _few(m: int, F: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield every set of at most m members of F."""
    return (chosen for size in range(m + 1) for chosen in combinations(F, size))
