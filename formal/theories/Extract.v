(* The checker as an OCaml program. Whole numbers are Zarith's (whole.ml is another name for its module Z),
   indices and sizes are machine integers, and nothing else is replaced. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From mathcomp Require Import ssrnat.
From SparseEigenvalue Require Import Checker Penalised NearOptimal Eliminated Tables Ratios Fits Nonnegative WholeGroups.

Extract Inductive positive => "Whole.t"
  [ "(fun p -> Whole.succ (Whole.shift_left p 1))" "(fun p -> Whole.shift_left p 1)" "Whole.one" ]
  "(fun odd even one p -> if Whole.equal p Whole.one then one () else (if Whole.is_odd p then odd else even) (Whole.shift_right p 1))".
Extract Inductive Z => "Whole.t" [ "Whole.zero" "" "Whole.neg" ]
  "(fun zero pos neg z -> let s = Whole.sign z in if s = 0 then zero () else if s > 0 then pos z else neg (Whole.neg z))".

Extract Inlined Constant Z.add => "Whole.add".
Extract Inlined Constant Z.sub => "Whole.sub".
Extract Inlined Constant Z.mul => "Whole.mul".
Extract Inlined Constant Z.opp => "Whole.neg".
Extract Inlined Constant Z.abs => "Whole.abs".
Extract Inlined Constant Z.max => "Whole.max".
Extract Inlined Constant Z.min => "Whole.min".
Extract Inlined Constant Z.leb => "Whole.leq".
Extract Inlined Constant Z.ltb => "Whole.lt".
Extract Inlined Constant Z.eqb => "Whole.equal".
Extract Inlined Constant Z.of_nat => "Whole.of_int".
Extract Inlined Constant Z.testbit => "Whole.has_bit".
Extract Inlined Constant Z.setbit => "Whole.with_bit".

(* Indices are compared as machine integers, not by OCaml's slow equality of all things; pairs are OCaml's too. *)
Extract Inlined Constant eqn => "Int.equal".
Extract Inlined Constant leq => "(<=)".
Extract Inlined Constant fst => "Stdlib.fst".
Extract Inlined Constant snd => "Stdlib.snd".

Extraction "sparse_checker.ml" check_penalised check_near_optimal check_eliminated check_table check_ratio check_fit
  check_nonnegative check_whole_groups.
