(* What the theorems say, and what they rest on. *)
From SparseEigenvalue Require Import Setting Checker Soundness Penalised NearOptimal Eliminated TableTrees Tables Ratios Fits Nonnegative WholeGroups.

Check check_sound.
Check check_encloses.
Check check_penalised_sound.
Check check_near_optimal_sound.
Check check_eliminated_sound.
Check check_table_sound.
Check check_ratio_sound.
Check check_fit_sound.
Check check_nonnegative_sound.
Check check_whole_groups_sound.

Definition theorems := (check_sound, check_encloses, check_penalised_sound, check_near_optimal_sound, check_eliminated_sound,
  check_table_sound, check_ratio_sound, check_fit_sound, check_nonnegative_sound, check_whole_groups_sound).
Print Assumptions theorems.
