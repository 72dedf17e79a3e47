(* Positive definite by elimination in whole numbers, for small matrices: no evidence is asked for. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports.

(* With a > 0 the first entry, and v the rest of the first row: a w - b v for every other row (b, w). *)
Definition eliminated (a : Z) (v : seq Z) (row : seq Z) : seq Z :=
  map (fun p => Z.sub (Z.mul a p.1) (Z.mul (head Z0 row) p.2)) (zip (behead row) v).

Fixpoint definite (m : nat) (rows : seq (seq Z)) : bool :=
  match m, rows with
  | m.+1, (a :: v) :: rest => Z.ltb Z0 a && definite m (map (eliminated a v) rest)
  | _, _ => Nat.eqb m 0
  end.

(* Is the form with these entries at most d x'x on l? *)
Definition is_at_most (l : seq nat) (d : Z) (o : nat -> nat -> Z) : bool :=
  definite (size l) (map (fun i => map (fun j => Z.sub (if Nat.eqb i j then d else Z0) (o i j)) l) l).

Section Elimination.

Variable R : realFieldType.
Notation val := (@value R).

Definition square_of m (rows : seq (seq Z)) := size rows = m /\ all (fun row => size row == m) rows.

Lemma entry_eliminated m a v rest i j : square_of m.+1 ((a :: v) :: rest) -> (i < m)%N -> (j < m)%N ->
  entry (map (eliminated a v) rest) i j =
  Z.sub (Z.mul a (entry rest i j.+1)) (Z.mul (entry rest i 0) (nth Z0 v j)).
Proof.
case=> [[size_rest]]; rewrite /= => /andP[/eqP[size_v] sizes] im jm; rewrite /entry (nth_map [::]) ?size_rest //.
have /eqP size_row : size (nth [::] rest i) == m.+1 by move/(all_nthP [::]): sizes; apply; rewrite size_rest.
have size_b : size (behead (nth [::] rest i)) = m by rewrite size_behead size_row.
rewrite /eliminated (nth_map (Z0, Z0)) ?size_zip ?size_b ?size_v ?minnn // nth_zip ?size_b ?size_v //=.
by rewrite nth_behead -nth0.
Qed.

Lemma square_eliminated m a v rest : square_of m.+1 ((a :: v) :: rest) -> square_of m (map (eliminated a v) rest).
Proof.
case=> [[size_rest]]; rewrite /= => /andP[/eqP[size_v] sizes]; split; first by rewrite size_map.
rewrite all_map; apply: sub_all sizes => row /eqP size_row /=.
by rewrite size_map size_zip size_behead size_row size_v minnn.
Qed.

Lemma definite_ge0 m rows (x : nat -> R) : square_of m rows -> definite m rows ->
  {in iota 0 m &, forall i j, entry rows i j = entry rows j i} ->
  0 <= form (fun i j => val (entry rows i j)) (iota 0 m) x.
Proof.
elim: m rows x => [|m IH] rows x sq; first by rewrite /form big_nil.
case: rows sq => [[] // |[|a v] rest] sq /=; first by case: sq => _ /andP[/eqP].
move=> /andP[a_gt0 ok] sym; set y := fun i => x i.+1.
have {}sym i j : (i < m.+1)%N -> (j < m.+1)%N -> entry ((a :: v) :: rest) i j = entry ((a :: v) :: rest) j i.
  by move=> im jm; apply: sym; rewrite -[_ :: _]/(iota 0 m.+1) mem_iota.
have symE i : (i < m)%N -> entry rest i 0 = nth Z0 v i.
  by move=> im; have := sym i.+1 0%N im isT.
have := IH _ y (square_eliminated sq) ok; have -> : form (fun i j => val (entry (map (eliminated a v) rest) i j)) (iota 0 m) y =
    val a * form (fun i j => val (entry rest i j.+1)) (iota 0 m) y - (\sum_(j <- iota 0 m) val (nth Z0 v j) * y j) ^+ 2.
  rewrite -formZ expr2 mulr_suml -sumrN -big_split /=; apply: eq_big_seq => i.
  rewrite mem_iota => /= im; rewrite mulr_sumr -sumrN -big_split /=; apply: eq_big_seq => j.
  by rewrite mem_iota => /= jm; rewrite (entry_eliminated sq) // symE // valueB !valueM; ring.
set b := \sum_(j <- _) _ => smaller.
have {}smaller : 0 <= val a * form (fun i j => val (entry rest i j.+1)) (iota 0 m) y - b ^+ 2.
  apply: smaller => i j; rewrite !mem_iota => /= im jm; rewrite !(entry_eliminated sq) // !symE //.
  have sij : entry rest i j.+1 = entry rest j i.+1 := sym i.+1 j.+1 im jm.
  by rewrite [entry rest i j.+1]sij [Z.mul (nth _ _ i) _]Z.mul_comm.
have iotaS : iota 0 m.+1 = 0%N :: map S (iota 0 m) by rewrite /= -[1%N]addn0 iotaDl.
rewrite -(pmulr_rge0 _ (value_gt0 R a_gt0)).
have -> : form (fun i j => val (entry ((a :: v) :: rest) i j)) (iota 0 m.+1) x =
    val a * x 0%N ^+ 2 + 2%:R * (x 0%N * b) + form (fun i j => val (entry rest i j.+1)) (iota 0 m) y.
  rewrite iotaS /form big_cons big_map big_cons big_map.
  under [X in _ + X = _]eq_bigr => i _ do rewrite big_cons big_map.
  rewrite big_split /=.
  have -> : \sum_(j <- iota 0 m) val (entry ((a :: v) :: rest) 0 j.+1) * (x 0%N * x j.+1) = x 0%N * b.
    by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite [entry _ 0 _](_ : _ = nth Z0 v j) // /y; ring.
  have -> : \sum_(i <- iota 0 m) val (entry ((a :: v) :: rest) i.+1 0) * (x i.+1 * x 0%N) = x 0%N * b.
    rewrite mulr_sumr; apply: eq_big_seq => i; rewrite mem_iota => /= im.
    by rewrite [entry _ _ _](symE i im) /y; ring.
  rewrite -[X in _ + (_ + X)]/(form (fun i j => val (entry rest i j.+1)) (iota 0 m) y).
  rewrite -[X in _ = _ + X]/(form (fun i j => val (entry rest i j.+1)) (iota 0 m) y).
  by rewrite [entry _ 0 0](_ : _ = a) //; ring.
move: (form _ _ y) smaller => f smaller.
rewrite [X in 0 <= X](_ : _ = (val a * x 0%N + b) ^+ 2 + (val a * f - b ^+ 2)); last by ring.
by rewrite addr_ge0 ?sqr_ge0.
Qed.

Lemma definite_block T (d : Z) (o : nat -> nat -> Z) (x : nat -> R) : uniq T ->
  {in T &, forall i j, o i j = o j i} ->
  is_at_most T d o ->
  form (fun i j => val (o i j)) T x <= val d * square T x.
Proof.
move=> uT sym; rewrite /is_at_most; set rows := map _ T => ok.
have entryE i j : (i < size T)%N -> (j < size T)%N -> entry rows i j =
    Z.sub (if nth 0%N T i == nth 0%N T j then d else Z0) (o (nth 0%N T i) (nth 0%N T j)).
  by move=> iT jT; rewrite /entry (nth_map 0%N) // (nth_map 0%N) // eqbE.
have sq : square_of (size T) rows.
  by split; rewrite ?size_map // all_map; apply/allP => i _ /=; rewrite size_map.
have sym_rows : {in iota 0 (size T) &, forall i j, entry rows i j = entry rows j i}.
  move=> i j; rewrite !mem_iota => /= iT jT; rewrite !entryE // eq_sym; congr Z.sub.
  by apply: sym; apply: mem_nth.
have := definite_ge0 (fun i => x (nth 0%N T i)) sq ok sym_rows.
have indexed (f : nat -> R) : \sum_(i <- T) f i = \sum_(i <- iota 0 (size T)) f (nth 0%N T i).
  by rewrite -[in LHS](mkseq_nth 0%N T) /mkseq big_map.
rewrite (_ : form _ _ _ = val d * square T x - form (fun i j => val (o i j)) T x) ?subr_ge0 //.
rewrite /square mulr_sumr -form_diagonal // /form -sumrB indexed; apply: eq_big_seq => i.
rewrite mem_iota => /= iT; rewrite -sumrB indexed; apply: eq_big_seq => j; rewrite mem_iota => /= jT.
by rewrite entryE // valueB -mulrBl; case: ifP.
Qed.

End Elimination.
