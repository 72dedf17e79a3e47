(* Positive definite by elimination in whole numbers, for small matrices: no evidence is asked for. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports.

(* With a > 0 the first entry, and v the rest of the first row: a w - b v for every other row (b, w). *)
Definition eliminated (a : Z) (v : seq Z) (row : seq Z) : seq Z :=
  map (fun p => Z.sub (Z.mul a p.1) (Z.mul (head Z0 row) p.2)) (zip (behead row) v).

Fixpoint definite (m : nat) (rows : seq (seq Z)) : bool :=
  match m, rows with
  | m.+1, (a :: v) :: rest => Z.ltb Z0 a && definite m (map (eliminated a v) rest)
  | _, _ => eqn m 0
  end.

(* Is the form with these entries at most d x'x on l? *)
Definition is_at_most (l : seq nat) (d : Z) (o : nat -> nat -> Z) : bool :=
  definite (size l) (block l (fun i j => Z.sub (if eqn i j then d else Z0) (o i j))).

Section Elimination.

Variable R : realFieldType.
Notation val := (@value R).

Lemma definite_ge0 l (o : nat -> nat -> Z) (x : nat -> R) : definite (size l) (block l o) ->
  {in l &, forall i j, o i j = o j i} -> 0 <= form (fun i j => val (o i j)) l x.
Proof.
elim: l o => [|i l IH] o; first by rewrite /form big_nil.
rewrite /block /= => /andP[a_gt0]; rewrite -map_comp.
rewrite (_ : map _ l = block l (fun j h => Z.sub (Z.mul (o i i) (o j h)) (Z.mul (o j i) (o i h)))); last first.
  by apply: eq_map => j; rewrite /= /eliminated /= zip_map -map_comp.
move=> /IH{}IH sym; have il : i \in i :: l := mem_head i l; have sub j : j \in l -> j \in i :: l by rewrite inE => ->; rewrite orbT.
set a := val (o i i); pose b := \sum_(j <- l) val (o i j) * x j; pose f := form (fun j h => val (o j h)) l x.
have smaller : 0 <= a * f - b ^+ 2.
  apply: le_trans (IH _) _ => [j h /sub jl /sub hl|]; first by rewrite (sym j h) // (sym j i) // (sym i h) // (Z.mul_comm (o i j)).
  apply: eqW; rewrite /f -formZ expr2 {1}/b mulr_suml /form -sumrB.
  apply: eq_big_seq => j /sub jl; rewrite /b mulr_sumr -sumrB; apply: eq_big_seq => h /sub hl.
  by rewrite valueB !valueM (sym j i) // /a; ring.
have -> : form (fun j h => val (o j h)) (i :: l) x = a * x i ^+ 2 + 2%:R * (x i * b) + f.
  rewrite form_cons -/f -/a [2%:R * _]mulrCA /b !mulr_sumr; congr (_ + _ + _).
  by apply: eq_big_seq => j /sub jl; rewrite (sym j i) //; ring.
rewrite -(pmulr_rge0 _ (value_gt0 R a_gt0)) -/a.
rewrite [X in 0 <= X](_ : _ = (a * x i + b) ^+ 2 + (a * f - b ^+ 2)); last by ring.
by rewrite addr_ge0 ?sqr_ge0.
Qed.

Lemma definite_block T (d : Z) (o : nat -> nat -> Z) (x : nat -> R) : uniq T ->
  {in T &, forall i j, o i j = o j i} ->
  is_at_most T d o -> form (fun i j => val (o i j)) T x <= val d * square T x.
Proof.
move=> uT sym ok; rewrite -subr_ge0 /square mulr_sumr -form_diagonal //.
apply: le_trans (definite_ge0 x ok _) _ => [i j iT jT|]; first by rewrite !eqnE eq_sym sym.
rewrite -formB; apply: eqW; apply: eq_bigr => i _; apply: eq_bigr => j _.
by rewrite valueB eqnE; case: eqP.
Qed.

End Elimination.
