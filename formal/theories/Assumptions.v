(* What the theorem says, and what it rests on. *)
From mathcomp Require Import all_ssreflect all_algebra.
From SparseEigenvalue Require Import Checker Soundness.

Import Num.Theory.
Local Open Scope ring_scope.

Check check_sound.
Print Assumptions check_sound.
Check check_encloses.
Print Assumptions check_encloses.
Check check_conditions_sound.
Print Assumptions check_conditions_sound.
Check check_penalised_sound.
Print Assumptions check_penalised_sound.
