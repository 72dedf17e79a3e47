"""Write a certificate as a theorem of Rocq, which then trusts neither extraction nor OCaml, Zarith or a reader.

    python formal/in_rocq.py certificates/pitprops/k05.json > formal/build/Example.v
    cd formal/build && coqc -R . SparseEigenvalue Example.v

Rocq's kernel runs `check` itself, and concludes lower <= v_k <= upper for the matrix that is written there.
Its numbers are binary and its indices unary: this is for small matrices.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from integers import NotCovered
from single import SingleTranslation

from relaxspca.certificate import Certificate

HEAD = """From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From SparseEigenvalue Require Import Checker Soundness NearOptimal.
Open Scope Z_scope.
"""
TAIL = """
Lemma accepted : check c.
Proof. by vm_compute. Qed.

Theorem enclosed (R : rcfType) :
  (forall x : 'cV[R]_(size_of c), norm2 x = 1%R -> (Card x <= cardinality c)%N ->
     (quadratic (Sigma R c) x <= upper R c)%R) /\\
  (exists x : 'cV[R]_(size_of c), [/\\ norm2 x = 1%R, (Card x <= cardinality c)%N &
     (lower R c <= quadratic (Sigma R c) x)%R]).
Proof. exact: check_encloses accepted. Qed.

Print Assumptions enclosed.
"""


def theorem(certificate: Certificate) -> str:
    """Return a Rocq file that proves what a certificate claims, or fails to compile."""
    claim = certificate.claim
    more = (claim.one_of_each, claim.whole_groups, claim.nonnegative, claim.listed, certificate.eliminated)
    if claim.kind != "component" or claim.k is None or len(claim.include) + len(claim.exclude) or any(more):
        raise NotCovered("a claim that is not about v_k of one matrix alone, as a theorem of Rocq")
    return HEAD + "".join(_Reader(SingleTranslation(certificate)).definitions()) + TAIL


def _list(items: list[str]) -> str:
    return "[::" + "; ".join(f" {item}" for item in items) + "]"


class _Reader:
    """The evidence of a certificate, read in the order in which checker/main.ml reads it."""

    def __init__(self, found: SingleTranslation) -> None:
        self.found, self.words = found, iter(" ".join(found.lines()).split())

    def word(self) -> str:
        return next(self.words)

    def index(self) -> str:
        return f"{self.word()}%N"

    def number(self) -> str:
        return f"({self.word()})"

    def times(self, count: int, read: Callable[[], str]) -> str:
        return _list([read() for _ in range(count)])

    def numbers(self, count: int) -> Callable[[], str]:
        return lambda: self.times(count, self.number)

    def rows(self) -> str:
        return self.times(int(self.word()), lambda: self.numbers(int(self.word()))())

    def definitions(self) -> Iterator[str]:
        found, certificate = self.found, self.found.certificate
        n, own = certificate.n, _list([_list([f"({x})" for x in row]) for row in found.own])
        r = None if certificate.factor is None else len(certificate.factor)
        matrix = f"Dense {own}" if r is None else f"Factor {r}%N {found.unit} {own}"
        self.word()  # the unit
        witness = self.numbers(n)()
        for at in range(int(self.word())):
            yield f"Definition P{at} := {self.rows()}.\nDefinition N{at} := {self.rows()}.\n"
        for at in range(int(self.word())):
            yield f"Definition factor{at} := {self.factor(n)}.\n"
        points = self.times(int(self.word()), lambda: self.point(n))
        bounds = f"({found.whole(certificate.lower)}) ({found.upper})"
        claim = f"{n}%N {certificate.k}%N {found.D}\n({matrix})\n{bounds} {witness}\n{points}"
        yield f"Definition c := Certificate {claim}\n{self.tree()}.\n"

    def root(self) -> str:
        return f"(Root {self.number()} {self.number()} {self.rows()})"

    def point(self, n: int) -> str:
        if self.word() == "weights":
            return f"Weights {self.numbers(n)()}"
        at = self.word()
        both = "[::] [::]" if at == "none" else f"P{at} N{at}"
        variables = self.times(int(self.word()), self.index)
        return f"Matrices {variables} {both} {self.numbers(n)()} {self.root()}"

    def factor(self, n: int) -> str:
        r = int(self.word())
        columns = self.numbers(r)
        return (
            f"Psi {r}%N {self.times(n, columns)} {self.times(n, columns)} {self.numbers(n)()} {self.number()}"
        )

    def tree(self) -> str:
        kind = self.word()
        if kind == "split":
            return f"(Branch {self.index()} {self.tree()}\n{self.tree()})"
        if kind == "keep":
            return f"(Keep {self.index()} {self.times(int(self.word()), self.index)} {self.tree()})"
        if kind == "listed":
            return "(Rule Listed)"
        if kind == "rows":
            return f"(Rule (Rows {self.index()}))"
        return f"(Rule (factor{self.word()} {self.root()}))"


if __name__ == "__main__":
    sys.stdout.write(theorem(Certificate.load(sys.argv[1])))
