"""Write a certificate as a theorem of Rocq, which then trusts neither extraction nor OCaml, Zarith or a reader.

    python formal/in_rocq.py certificates/pitprops/k05.json > formal/build/Example.v
    cd formal/build && coqc -R . SparseEigenvalue Example.v

Rocq's kernel runs `check` itself, and concludes lower <= v_k <= upper for the matrix that is written there.
Its numbers are binary and its indices unary: this is for small matrices.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from covered import NotCovered
from translate import translate

from relaxspca.certificate import Certificate

HEAD = """From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From SparseEigenvalue Require Import Checker Soundness.
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


def theorem(text: str) -> str:
    """Return a Rocq file that proves what a translated certificate claims, or fails to compile."""
    return HEAD + "".join(_Reader(text).definitions()) + TAIL


class _Reader:
    """The words of a translated certificate, read in the order in which checker/main.ml reads them."""

    def __init__(self, text: str) -> None:
        self.words, self.weights = iter(text.split()), set[str]()

    def word(self) -> str:
        return next(self.words)

    def index(self) -> str:
        return f"{self.word()}%N"

    def number(self) -> str:
        return f"({self.word()})"

    def times(self, count: int, read: Callable[[], str]) -> str:
        return "[::" + "; ".join(" " + read() for _ in range(count)) + "]"

    def numbers(self, count: int) -> Callable[[], str]:
        return lambda: self.times(count, self.number)

    def rows(self) -> str:
        return self.times(int(self.word()), lambda: self.numbers(int(self.word()))())

    def definitions(self) -> Iterator[str]:
        kind, n, k = self.word(), int(self.word()), self.index()
        if kind != "cardinality" or [self.word(), self.word()] != ["0", "0"]:
            raise NotCovered("a claim about a penalty, under conditions, or with a list, as a theorem of Rocq")
        D = self.number()
        if self.word() == "dense":
            matrix = f"Dense {self.times(n, self.numbers(n))}"
        else:
            r, unit = int(self.word()), self.number()
            matrix = f"Factor {r}%N {unit} {self.times(n, self.numbers(r))}"
        lower, upper, witness = self.number(), self.number(), self.numbers(n)()
        count = int(self.word())
        for at in range(count):
            kind = self.word()
            if kind == "weights":
                self.weights.add(str(at))
            yield f"Definition point{at} := {self.point(kind, n)}.\n"
        claim = f"{n}%N {k} {D}\n({matrix})\n{lower} {upper} {witness}"
        yield f"Definition c := Certificate {claim}\n{self.tree()}.\n"

    def point(self, kind: str, n: int) -> str:
        vector = self.numbers(n)

        def square() -> str:
            return self.times(n, vector)

        if kind == "weights":
            return f"Rowsum {vector()}"
        if kind == "perron":
            return f"Perron {square()} {square()}"
        r = int(self.word())
        columns = self.numbers(r)
        return f"Psi {r}%N {self.times(n, columns)} {self.times(n, columns)} {vector()} {self.number()}"

    def tree(self) -> str:
        kind = self.word()
        if kind == "split":
            return f"(Split {self.index()} {self.tree()}\n{self.tree()})"
        if kind == "void":
            return "(Leaf Void)"
        if kind == "spectral":
            return f"(Leaf (Spectral {self.number()} {self.rows()}))"
        if kind == "trace":
            return f"(Leaf (Trace {self.number()} {self.number()} {self.rows()}))"
        at = self.word()
        evidence = "" if at in self.weights else f" {self.number()} {self.rows()}"
        return f"(Leaf (point{at}{evidence}))"


if __name__ == "__main__":
    sys.stdout.write(theorem(translate(Certificate.load(sys.argv[1]))))
