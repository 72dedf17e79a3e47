(* What every file of proofs begins with: MathComp, its names and notations for ordered fields, and arguments left to be inferred. *)
From Coq Require Export ZArith.
From mathcomp Require Export all_ssreflect all_algebra ring.

Export GRing.Theory Num.Theory Order.TTheory.

#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.
#[export] Open Scope ring_scope.
