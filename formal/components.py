"""Write the evidence for a claim about several components in the words that the verified checker reads.

A leaf without a point has the price matrix 0. Tables that a split leaves out because
components are equal become the part of the tree that has their mirror images, with the components exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from math import comb, lcm
from typing import Any

import numpy as np
from choices import EARLY, groups_of, peaks, sets_of
from integers import Matrix, evidence, words
from points import Multipliers, NotCovered, NotProved, Weights, fine, spread
from single import SingleTranslation
from trees import check_reached_once

from relaxspca.certificate import Certificate, Leaf, Restrict, Split, TreeNode

__all__ = ["TableTranslation"]

MOST_SUPPORTS = 1 << 17  # of one component at one leaf
MOST_STEPS = 1 << 16  # from node to node
LEAF = 1 << 5  # steps in the place of one leaf with tables
MOST_PADDED = 1 << 8  # lists of sizes
Side = tuple[list[int], list[int]]
Both = tuple[list[Side], list[Side]]  # what a split says of the components, with its variable and without
Bound = Callable[[int, Side, int | None], tuple[int, str]]  # what bounds a part, and how
Steps = Iterator[Any]  # words, and further steps in the place of theirs


class TableTranslation(SingleTranslation):
    """One certificate of several components in whole numbers, in units of 1/D, D >= least a power of two."""

    def __init__(self, certificate: Certificate) -> None:
        self.claims = [certificate, *about_fewer(certificate)]  # each rests on those after it
        super().__init__(certificate)
        self.n, self.steps, self.include = certificate.n, 0, list[int]()
        self.known = dict[tuple[int, ...], int]()  # what components of these sizes explain at most
        self.largest = max(max(map(abs, row)) for row in self.S)
        self.huge = self.n * self.largest << 60  # far more than anything else

    def spread_points(self) -> list[Any]:
        self.own_points = [[spread(p, claim, self.parts) for p in claim.points] for claim in self.claims]
        return [point for own in self.own_points for point in own]

    def nodes(self) -> Iterator[TreeNode]:
        for claim in self.claims:
            yield from claim.tree
            yield from (node for single in claim.evidence.singles for node in single.tree)

    def turn_to(self, at: int) -> None:
        """Speak of one of the claims from here on."""
        self.certificate, self.points = self.claims[at], self.own_points[at]
        self.sizes = self.padded = list(self.certificate.sizes)
        self.count_of_parts = 1 if self.certificate.supports == "common" else len(self.sizes)

    def least(self, own: Any) -> int:
        return max(super().least(own), fine(own))

    def rows_of(self, at: int | None) -> Sequence[int | None]:
        """Return the points by which multipliers bound each part."""
        point: Any = None if at is None else self.certificate.evidence.points[at]
        return (None,) * self.certificate.claim.n_parts if point is None else point.rows

    def lines(self) -> Iterator[str]:
        """Yield the unit, the vectors that attain the lower bound, and the proofs of the upper one."""
        yield str(self.unit.bit_length() - 1)
        vectors = orthogonal_vectors(self.certificate)
        yield from map(words, vectors)
        yield words(self.attained(z) for z in vectors)
        yield from self.evidence()
        points = [point for point in self.points if isinstance(point, Multipliers)]
        yield str(len(points))
        for number, point in enumerate(points, 1):
            point.number = number
            yield from point.lines()
        known = [*self.single_components()]
        for at in reversed(range(1, len(self.claims))):
            self.turn_to(at)
            self.known[self.certificate.sizes] = self.upper = self.ceiling(self.certificate.upper)
            known.append([f"{len(self.sizes)} {words(self.sizes)} {self.upper}", *self.proofs()])
        yield str(len(known))
        for lines in reversed(known):
            yield from lines
        self.turn_to(0)
        self.upper = self.whole(self.certificate.upper)
        yield from self.proofs()

    def ceiling(self, value: float) -> int:
        return -self.whole(-value) + 1

    def single_components(self) -> Iterator[list[str]]:
        """Yield for each size the best that a tree proves of one component, and the tree."""
        found = dict[int, tuple[int, int, Sequence[TreeNode]]]()
        for at, claim in enumerate(self.claims):
            self.turn_to(at)
            for single in claim.evidence.singles:
                self.parts.parts, self.bounds = [(range(self.n), single.k)], list[int]()
                self.bounds += [self.ceiling(node.level) for node in single.tree if isinstance(node, Restrict)]
                self.upper, self.is_found = self.whole(self.certificate.upper), False
                list(self.tree(single.tree))
                bound = max(self.bounds)
                if single.k not in found or bound < found[single.k][0]:
                    found[single.k] = bound, at, single.tree
        self.is_found = True
        for k, (self.upper, at, tree) in found.items():
            self.turn_to(at)
            self.parts.parts, self.known[k,] = [(range(self.n), k)], self.upper
            yield [f"1 {k} {self.upper}", *self.tree(tree)]

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        """Return a leaf about one component; before its bound is known, find what it proves."""
        open_parts = self.parts.at(J, F)
        if self.is_found or open_parts is None:
            return super().leaf(at, leaf, J, F)
        used = [*J, *(i for mine, _ in open_parts for i in mine)]
        point = self.points[leaf.point] if isinstance(leaf.point, int) else None
        if isinstance(point, Weights):
            w = point.whole
            prices = {i: [abs(x) * v for x, v in zip(self.S[i], w, strict=True)] for i in used}
            for i in used:
                prices[i][i] = self.S[i][i] * w[i]
            costs = self.parts.costs(prices, J, open_parts)
            self.bounds += [-(-c // w[i]) for i, c in zip(used, costs, strict=True)]
            return ""
        M = self.block(used) if point is None else point.left(self.S, self.upper, J, open_parts)
        self.bounds.append(self.upper - self.whole(np.linalg.eigvalsh(self.floats(M))[0]) + self.margin(M))
        return ""

    def proofs(self) -> Iterator[str]:
        """Yield a tree for each list of cardinalities to which supports are padded."""
        check_reached_once(self.certificate.tree)
        every = list(islice(padded_sizes(self.certificate), MOST_PADDED + 1))
        if len(every) > MOST_PADDED:
            raise NotCovered(f"more than {MOST_PADDED} ways to fit disjoint supports together")
        yield str(len(every))
        for self.padded in every:
            yield from self.in_place(self.walk(0, self.root(), list(range(self.count_of_parts)), self.root()))

    def table(self, at: int | None) -> tuple[list[int], Matrix, list[int]]:
        """Return variables, matrix and prices of multipliers; without a point the matrix is Sigma."""
        if at is None:
            return list(range(self.n)), self.S, [0] * self.n
        point = self.points[at]
        return point.variables, point.M, point.y

    def number_of(self, at: int | None) -> int:
        return 0 if at is None else self.points[at].number

    def root(self) -> list[Side]:
        claim = self.certificate.claim
        held = [list(J) for J in claim.include] or [[] for _ in range(self.count_of_parts)]
        return [(J, [i for i in range(self.n) if i not in {*J, *claim.exclude}]) for J in held]

    def attained(self, z: list[int]) -> int:
        image = [sum(a * b for a, b in zip(row, z, strict=True)) for row in self.S]
        return sum(a * b for a, b in zip(image, z, strict=True)) // sum(a * a for a in z)

    def in_place(self, first: Steps) -> Iterator[str]:
        """Yield the words of a step, and those of further steps in their place: trees are too deep to recur."""
        waiting = [first]
        while waiting:
            found = next(waiting[-1], None)
            if found is None:
                waiting.pop()
            elif isinstance(found, str):
                yield found
            else:
                self.steps += 1
                if self.steps > MOST_STEPS:
                    raise NotCovered(
                        f"more than {MOST_STEPS} steps from node to node, with equal components told apart"
                    )
                waiting.append(found)

    def walk(self, at: int, sides: list[Side], names: list[int], stated: list[Side]) -> Steps:
        """Yield the nodes below one of the certificate, whose component t is `names[t]` here.

        `sides` is what the splits here say of the components, `stated` what those of the certificate do; the
        latter may say less, since a part of its tree is repeated for tables in another order.
        """
        node = self.certificate.tree[at]
        if isinstance(node, Split):
            t, i = node.part, node.variable
            kinds = groups_of(self.sizes[: len(sides)], stated)
            equal = [s for s in range(len(sides)) if kinds[s] == kinds[t]]
            without = stated
            for s in equal:
                without = decided(without, s, i, is_inside=False)
            both = decided(stated, t, i, is_inside=True), without
            yield self.split(node, [t, *(s for s in equal if s != t)], sides, names, both)
        elif self.has_no_tables(sides):
            yield "none"
        elif isinstance(node, Restrict):
            if len(sides[names[node.part]][0]) < self.padded[names[node.part]]:
                yield self.keep(f"node {at}", node, sides, names)
            sides = restricted(sides, names[node.part], node.kept)
            stated = restricted(stated, node.part, node.kept)
            yield self.walk(node.child, sides, names, stated)
        elif node.kind == "choices":
            yield from self.choices(f"node {at}", node.points, sides)
        else:
            own: list[Bound] = [partial(self.part, f"node {at}", node.point)] * len(sides)
            yield self.priced(f"node {at}", node.point, sides, names, own)

    def keep(self, where: str, node: Restrict, sides: list[Side], names: list[int]) -> str:
        """Return a restriction: what bounds the tables of which that part has a variable that is left out."""
        part = names[node.part]
        kept = f"keep {part} {len(node.kept)} {words(node.kept)}\n"
        if node.multipliers is None:
            return kept + self.apart(where, node, part, len(sides))
        lost = {part: {*sides[part][1]} - {*node.kept}}
        own: list[Bound] = [partial(self.left_out, where, node, lost.get(p)) for p in range(len(sides))]
        return kept + self.priced(where, node.multipliers, sides, names, own)

    def apart(self, where: str, node: Restrict, part: int, count: int) -> str:
        """Return what rows say of a part that has lost a variable, and what is known of the others."""
        others, level = [t for t in range(count) if t != part], self.ceiling(node.level)
        groups = [others] if tuple(self.sizes[t] for t in others) in self.known else [[t] for t in others]
        sizes = [tuple(self.sizes[t] for t in group) for group in groups]
        if not {*sizes} <= {*self.known}:
            raise NotProved(f"{where}: no tree proves what single components of {sizes} variables explain")
        if level * (len(self.sizes) // count) + sum(map(self.known.__getitem__, sizes)) > self.upper:
            raise NotProved(f"{where} does not prove the claimed upper bound")
        said = (f"{len(g)} {words(g)} {self.known[k]}" for g, k in zip(groups, sizes, strict=True))
        return " ".join([f"apart {self.weights(node.point)} {level} {len(groups)}", *said])

    def left_out(
        self, where: str, node: Restrict, lost: set[int] | None, k: int, side: Side, row: int | None
    ) -> tuple[int, str]:
        """Return what bounds a part of such tables, and how; `lost` is what the part has lost itself."""
        at, (J, F) = node.multipliers, side
        rows = partial(self.by_rows, where, at, k, side, row, node.point)
        if lost is not None:
            return rows(lost)
        W = {*self.table(at)[0]}
        best, how = self.part(where, at, k, (J, [i for i in F if i in W]), row)
        beside, also = rows({*F} - W)
        return max(best, beside), f"within {len(W)} {words(W)} {how}\n{also}"

    def has_no_tables(self, sides: list[Side]) -> bool:
        """Say whether sizes do not fit, too few variables are left, or disjoint supports would share one."""
        own = list(zip(self.padded, sides, strict=False))
        if any(not len(J) <= k <= len(J) + len(F) for k, (J, F) in own):
            return True
        found = [settled(k, *side) for k, side in own]
        forced = [i for J, _ in found for i in J]
        is_shared = self.certificate.supports == "disjoint" and len({*forced}) < len(forced)
        return is_shared or len({i for J, F in found for i in J + F}) < len(self.sizes)

    def split(self, node: Split, equal: list[int], sides: list[Side], names: list[int], both: Both) -> Steps:
        """Yield what is below a split: its child inside for the first of equal components with the variable."""
        if not equal:
            yield self.walk(node.outside, sides, names, both[1])
            return
        part, i = names[equal[0]], node.variable
        with_it = exchanged(names, equal[0], node.part)
        J, F = sides[part]
        if i in J:
            yield self.walk(node.inside, sides, with_it, both[0])
            return
        if i in F:
            yield f"split {part} {i}"
            yield self.walk(node.inside, decided(sides, part, i, is_inside=True), with_it, both[0])
            sides = decided(sides, part, i, is_inside=False)
        yield self.split(node, equal[1:], sides, names, both)

    def priced(self, where: str, at: int | None, sides: list[Side], names: list[int], own: list[Bound]) -> str:
        """Return a leaf: how far Z is from semidefinite, the best of every component, what variables cost."""
        (sides, V), rows = self.leaf_of(sides), self.rows_of(at)
        (W, M, y), copies = self.table(at), len(self.sizes) // len(sides)
        both = [own[p](self.padded[p], side, rows[names.index(p)]) for p, side in enumerate(sides)]
        shift, found = self.shift(where, M, sorted({*V}.intersection(W)))
        best, how = [b for b, _ in both], "\n".join(text for _, text in both)
        must = {j: sum(j in J for J, _ in sides) for j in V}
        excess = {j: self.S[j][j] - M[j][j] + shift - copies * max(must[j], 1) * y[j] for j in V}
        room = sum(k - len(J) for k, (J, _) in zip(self.padded, sides, strict=False))
        others = sorted((excess[j] for j in V if not must[j]), reverse=True)
        threshold = others[room - 1] if 0 < room <= len(others) else 0 if room else max(others, default=0)
        if len(sides) > 1:
            threshold = max(threshold, 0)
        total = copies * sum(best) + sum(excess[j] for j in V if must[j]) + room * threshold
        total += sum(max(e - threshold, 0) for e in others) - len(self.sizes) * shift
        if total > self.upper:
            raise NotProved(f"{where} does not prove the claimed upper bound")
        return f"multipliers {self.number_of(at)} {shift} {words(best)}\n{how}\n{threshold} {found}"

    def part(self, where: str, at: int | None, k: int, side: Side, row: int | None) -> tuple[int, str]:
        """Return what bounds one part, and how: every support is tried, or rows pay."""
        (_, M, y), (J, F) = self.table(at), side
        count = comb(len(F), max(k - len(J), 0))
        if row is None and count <= MOST_SUPPORTS:
            used = J + F
            margin = self.margin(block(M, used), [[y[i] for i in used]])
            return self.best(M, y, k, J, F) + margin if count else -self.huge, "tried"
        return self.by_rows(where, at, k, side, row)

    def by_rows(
        self, where: str, at: int | None, k: int, side: Side, row: int | None, weights: int | None = None,
        lost: set[int] | None = None,
    ) -> tuple[int, str]:  # fmt: skip
        """Return what bounds one part by rows, if it has a variable that is lost; others cost no support.

        P and N pay for the pairs of variables of the multipliers, weights for all others.
        """
        (W, M, y), (J, F), point = self.table(at), side, None if row is None else self.points[row]
        used, parts, near, none = J + F, self.of_size(k), {*J, *F}.intersection(W), [0] * self.n
        w = [1] * self.n if weights is None else self.points[weights].whole
        open_parts, costs, free = parts.at(J, F) or [], dict[int, int](), {*F}
        for i in used if lost is None or lost else []:
            N = none if point is None else point.N[i]
            prices = [abs(x) * v + w[i] * z for x, v, z in zip(self.S[i], w, y, strict=True)]
            for j in near if i in near else ():
                prices[j] = w[i] * (N[j] + y[j])
            prices[i] = w[i] * ((N[i] if i in near else self.S[i][i]) + y[i])
            known = [i] if lost is None or i in lost else [i, max(lost, key=prices.__getitem__)]
            if len(free.intersection(known)) <= k - len(J):
                costs[i] = -(-parts.cost(prices, J, open_parts, known) // w[i])
        own = [i for i in used if i in near]
        P = [[none[j] if point is None else point.P[i][j] for j in own] for i in own]
        rest = [[m - p for m, p in zip(a, b, strict=True)] for a, b in zip(block(M, own), P, strict=True)]
        paid = [at for at, i in enumerate(own) if i in costs]
        left = [[rest[a][b] + (a == b) * costs[own[a]] for b in paid] for a in paid]
        bound = max((c for i, c in costs.items() if i not in near), default=-self.huge)
        if left:
            bound = max(bound, self.whole(np.linalg.eigvalsh(self.floats(left))[-1]) + self.margin(left))
        said = {i: costs.get(i, -3 * self.huge) for i in used}
        found = evidence(
            [
                [(a == b) * (bound - said[own[a]]) - x for b, x in enumerate(own_row)]
                for a, own_row in enumerate(rest)
            ]
        )
        if found is None:
            raise NotProved(f"{where}: a part is not bounded as eigenvalues in floats say")
        rule = "spectral" if point is None else f"point {point.number}"
        number = "one" if weights is None else self.weights(weights)
        return bound, f"rows {number} {words(said.get(i, 0) for i in range(self.n))} {rule} {found}"

    def choices(self, where: str, points: Sequence[int], sides: list[Side]) -> Iterator[str]:
        """Yield a leaf: how far each Z is from semidefinite, and what its point says of every set."""
        sides, V = self.leaf_of(sides)
        whole = [at for at in points if set(V) <= {*self.points[at].variables}]
        points = [*whole, *(at for at in points if at not in whole)]
        yield f"choices {len(points)}"
        for at in points:
            shift, found = self.shift(where, self.points[at].M, V)
            yield f"{self.points[at].number} {shift} {found}"
        groups = groups_of(self.padded, sides)
        yield words([min(len(whole), EARLY), *groups, max(groups) + 1])
        own = [(np.zeros((self.n, self.n)), block(self.points[at].M, V)) for at in points]
        for floats, M in own:
            floats[np.ix_(V, V)] = self.floats(M)
        for g in range(max(groups) + 1):
            t = groups.index(g)
            sets = sets_of(self.padded[t], *sides[t], len(points))
            said = (peaks(floats, sets, self.unit, self.margin(M)) for floats, M in own)
            yield str(len(sets))
            yield from map(" ".join, zip(*said, strict=True))

    def leaf_of(self, sides: list[Side]) -> tuple[list[Side], list[int]]:
        """Return what is left open at a leaf, and the variables in use; count its steps."""
        self.steps += LEAF
        sides = [settled(k, *side) for k, side in zip(self.padded, sides, strict=False)]
        return sides, variables_of(sides)

    def shift(self, where: str, M: Matrix, V: list[int]) -> tuple[int, str]:
        """Return how far Z is from semidefinite on V, and the evidence that it is no further."""
        Z = [[self.S[i][j] - M[i][j] for j in V] for i in V]
        shift = 0
        if any(map(any, Z)):
            shift = max(0, self.whole(np.linalg.eigvalsh(-self.floats(Z))[-1])) + self.margin(block(M, V))
        found = evidence([[x + shift * (a == b) for b, x in enumerate(row)] for a, row in enumerate(Z)])
        if found is None:
            raise NotProved(f"{where}: Z is further from semidefinite than eigenvalues in floats say")
        return shift, found

    def margin(self, *used: Matrix) -> int:
        """Return more than eigenvalues in floats are wrong by."""
        return max(self.largest, *(max(map(abs, row)) for rows in used for row in rows)) >> 46

    def best(self, M: Matrix, y: list[int], k: int, J: list[int], F: list[int]) -> int:
        """Return the largest eigenvalue of M_TT, with the prices of T, over all supports T, in floats."""
        first, used = len(J), J + F
        T = np.array([[*range(first), *chosen] for chosen in combinations(range(first, len(used)), k - first)])
        own, prices = self.floats(block(M, used)), self.floats([[y[i] for i in used]])[0]
        tops = np.linalg.eigvalsh(own[T[:, :, None], T[:, None, :]])[:, -1] + prices[T].sum(axis=1)
        return self.whole(tops.max())


def about_fewer(certificate: Certificate) -> Iterator[Certificate]:
    """Yield the claims about fewer components on which one rests, each before those on which it rests."""
    for fewer in certificate.evidence.fewer:
        claim = certificate.about(fewer)
        yield from (claim, *about_fewer(claim))


def block(M: Matrix, variables: Sequence[int]) -> Matrix:
    return [[M[i][j] for j in variables] for i in variables]


def variables_of(sides: list[Side]) -> list[int]:
    return sorted({i for J, F in sides for i in J + F})


def decided(sides: list[Side], part: int, i: int, *, is_inside: bool) -> list[Side]:
    """Return the sides with a variable of one part decided, in the order of the checker."""
    J, F = sides[part]
    side = ([i, *J] if is_inside else J, [j for j in F if j != i])
    return [*sides[:part], side, *sides[part + 1 :]]


def restricted(sides: list[Side], part: int, kept: Sequence[int]) -> list[Side]:
    """Return the sides with nothing else free of one part."""
    (J, F), some = sides[part], {*kept}
    return [*sides[:part], (J, [j for j in F if j in some]), *sides[part + 1 :]]


def exchanged(names: list[int], s: int, t: int) -> list[int]:
    """Return the names with two of them exchanged."""
    other = {s: t, t: s}
    return [names[other.get(at, at)] for at in range(len(names))]


def settled(k: int, J: list[int], F: list[int]) -> Side:
    """Return a part with the same supports, where nothing is free that the size decides."""
    if len(J) == k:
        return J, []
    return (J + F, []) if len(J) + len(F) == k else (J, F)


def orthogonal_vectors(certificate: Certificate) -> list[list[int]]:
    """Return whole multiples of the vectors, made orthogonal inside their supports, the shortest first."""
    made: dict[int, list[Fraction]] = {}
    for t in sorted(range(len(certificate.sizes)), key=lambda t: len(certificate.indices[t])):
        support = {int(i) for i in certificate.indices[t]}
        basis: list[list[Fraction]] = []
        for v in made.values():
            rest = beyond([x if i in support else Fraction(0) for i, x in enumerate(v)], basis)
            basis += [rest] if any(rest) else []
        made[t] = beyond([Fraction(float(x)) for x in certificate.loadings[:, t]], basis)
    whole = []
    for t in range(len(certificate.sizes)):
        unit = lcm(*(x.denominator for x in made[t]))
        whole.append([int(x * unit) for x in made[t]])
        if not any(whole[-1]):
            raise NotProved("the components cannot be made orthogonal inside their supports")
    return whole


def beyond(x: list[Fraction], basis: list[list[Fraction]]) -> list[Fraction]:
    """Return x less its projection onto orthogonal vectors."""
    for b in basis:
        none = Fraction(0)
        share = sum((p * q for p, q in zip(x, b, strict=True)), none) / sum((q * q for q in b), none)
        x = [p - share * q for p, q in zip(x, b, strict=True)]
    return x


def padded_sizes(certificate: Certificate) -> Iterable[list[int]]:
    """Return the cardinalities to which supports are padded: smaller ones, where disjoint ones do not fit."""
    sizes, n = list(certificate.sizes), certificate.n - len(certificate.exclude)
    return ways(sizes, n) if certificate.supports == "disjoint" and sum(sizes) > n else [sizes]


def ways(caps: Sequence[int], total: int) -> Iterator[list[int]]:
    """Yield every list of numbers, from 1 to those of `caps`, that adds up to a total."""
    if not len(caps) <= total <= sum(caps):
        return
    if not caps:
        yield []
        return
    for i in range(1, min(caps[0], total) + 1):
        yield from ([i, *more] for more in ways(caps[1:], total - i))
