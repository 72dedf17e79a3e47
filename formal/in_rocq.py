"""Write a certificate as a theorem of Rocq, which then trusts neither extraction nor OCaml, Zarith or a reader.

Rocq's kernel runs `check` itself, and concludes lower <= v_k <= upper for the matrix that is written there.
Its numbers are binary and its indices unary: this is for small matrices.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from integers import NotCovered
from prove import CHECKER
from translate import translate

from relaxspca.certificate import load_certificate

HEAD = """From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From SparseEigenvalue Require Import Checker Soundness NearOptimal.
Open Scope Z_scope.
"""
TAIL = """
Lemma accepted : check c.
Proof. by vm_compute. Qed.

Definition enclosed (R : rcfType) := @check_encloses R c accepted.
Check enclosed.
Print Assumptions enclosed.
"""


def theorem(path: Path, checker: Path = CHECKER) -> str:
    """Return a Rocq file that proves what a certificate claims, or fails to compile."""
    certificate = load_certificate(path)
    claim = certificate.claim
    more = (claim.one_of_each, claim.whole_groups, claim.nonnegative, claim.listed, certificate.eliminated)
    if claim.kind != "component" or claim.k is None or len(claim.include) + len(claim.exclude) or any(more):
        raise NotCovered("a claim that is not about v_k of one matrix alone, as a theorem of Rocq")
    term = subprocess.check_output([checker, path, "--term"], input=translate(certificate), text=True)
    return HEAD + term + TAIL


if __name__ == "__main__":
    sys.stdout.write(theorem(Path(sys.argv[1])))
