(* What the theorem says, and what it rests on. *)
From mathcomp Require Import all_ssreflect all_algebra.
From SparseEigenvalue Require Import Checker Soundness Penalised NearOptimal Eliminated Tables Ratios Fits OneOfEach Nonnegative WholeGroups.

Import Num.Theory.
Local Open Scope ring_scope.

Check check_sound.
Print Assumptions check_sound.
Check check_encloses.
Print Assumptions check_encloses.
Check check_under_sound.
Print Assumptions check_under_sound.
Check check_penalised_sound.
Print Assumptions check_penalised_sound.
Check check_near_optimal_sound.
Print Assumptions check_near_optimal_sound.
Check check_eliminated_sound.
Print Assumptions check_eliminated_sound.
Check check_table_sound.
Print Assumptions check_table_sound.
Check check_ratio_sound.
Print Assumptions check_ratio_sound.
Check check_fit_sound.
Print Assumptions check_fit_sound.
Check check_one_of_each_sound.
Print Assumptions check_one_of_each_sound.
Check check_nonnegative_sound.
Print Assumptions check_nonnegative_sound.
Check check_whole_groups_sound.
Print Assumptions check_whole_groups_sound.
