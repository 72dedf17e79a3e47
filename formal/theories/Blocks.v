(* Matrices by their rows, and how one is shown to be positive semidefinite. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges.

Section Blocks.

Variables (X Y V : Type) (l : seq nat).
Implicit Types (o : nat -> nat -> X) (u : nat -> nat -> Y).

Lemma combined_block (f : X -> Y -> V) o u :
  combined f (block l o) (block l u) = block l (fun i j => f (o i j) (u i j)).
Proof. by rewrite /combined /block zip_map -map_comp; apply: eq_map => i /=; rewrite zip_map -map_comp. Qed.

Lemma transposed_block o : transposed (block l o) = block l (fun i j => o j i).
Proof.
have general s : foldr (fun row columns => map (fun a => a.1 :: a.2) (zip row columns)) (nseq (size l) [::])
    (map (fun i => map (o i) l) s) = map (fun j => map (fun i => o i j) s) l.
  elim: s => [|i s IH] /=; first by elim: (l) => //= j l' ->.
  by rewrite IH zip_map -map_comp.
by rewrite /transposed size_map general.
Qed.

Lemma all2_block (r : X -> Y -> bool) o u : all2 (all2 r) (block l o) (block l u) -> {in l &, forall i j, r (o i j) (u i j)}.
Proof.
rewrite all2E zip_map all_map => /andP[_ /allP rows] i j il jl; have := rows i il.
by rewrite /= all2E zip_map all_map => /andP[_ /allP]; apply.
Qed.

End Blocks.

Lemma symmetric_block l (o : nat -> nat -> Z) : is_symmetric (block l o) -> {in l &, forall i j, o i j = o j i}.
Proof. by rewrite /is_symmetric transposed_block => /all2_block sym i j il jl; apply/Z.eqb_eq/sym. Qed.

Lemma wholeE n A : whole n A = block (iota 0 n) (entry A).
Proof. by rewrite /whole fitE -map_comp; apply: eq_map => i /=; rewrite fitE. Qed.

Lemma symmetric_in S n : symmetric S n -> {in iota 0 n &, forall i j, entry S i j = entry S j i}.
Proof. by rewrite /symmetric wholeE; apply: symmetric_block. Qed.

Lemma ascending_uniq n l : uniq (ascending n l).
Proof. by rewrite filter_uniq ?iota_uniq. Qed.

Lemma ascendingK n a : ascending n (filter a (iota 0 n)) = filter a (iota 0 n).
Proof. by apply: eq_in_filter => i iI; rewrite member_set mem_filter iI andbT. Qed.

Lemma amongE n l A : among n l A = block (ascending n l) (entry A).
Proof.
rewrite /among !fitE /block /ascending filter_mask -map_mask -map_comp; apply: eq_map => i /=.
by rewrite fitE -map_mask.
Qed.

Section Semidefinite.

Variable R : realFieldType.
Notation val := (@value R).

(* No product with u v is more than what counts of an entry, times |u v|. *)
Definition counted (counts : Z -> Z) (u v : R) : Prop := forall a, 0 <= val (counts a) /\ val a * (u * v) <= val (counts a) * (`|u| * `|v|).

Lemma abs_counts u v : counted Z.abs u v.
Proof. by move=> a; rewrite value_abs -!normrM; split; rewrite ?normr_ge0 ?ler_norm. Qed.

(* P and N pay for the pairs, and so do weights a and b of two rows. *)
Lemma paid_pair counts l (P N : nat -> nat -> Z) (u v : R) : counted counts u v -> paid counts (block l P) (block l N) ->
  {in l &, forall i j, P i j = P j i /\ 2%:R * (val (P i j) * (u * v)) <= val (N i j) * u ^+ 2 + val (N j i) * v ^+ 2}.
Proof.
move=> uv; rewrite /paid combined_block transposed_block => /all2_block all_paid i j il jl.
have /and3P[/Z.eqb_eq symP Nij le_PN] := all_paid i j il jl; have /and3P[_ Nji _] := all_paid j i jl il.
split=> //; apply: le_trans (_ : 2%:R * (val (counts (P i j)) * (`|u| * `|v|)) <= _); first by rewrite ler_pmul2l ?ltr0n ?(uv _).2.
by rewrite -[u ^+ 2]real_normK ?num_real // -[v ^+ 2]real_normK ?num_real //; apply: pair_paid; rewrite ?value_ge0 // expr2 -!valueM value_le.
Qed.

Lemma weights_pair (s a b u v : R) : 0 < a -> 0 < b ->
  2%:R * (s * (u * v)) <= `|s| * b / a * u ^+ 2 + `|s| * a / b * v ^+ 2.
Proof.
move=> a0 b0; have [a_ge0 b_ge0] := (ltW a0, ltW b0); apply: pair_paid; rewrite ?divr_ge0 ?mulr_ge0 ?normr_ge0 //.
by rewrite mulrACA -invfM mulrACA -expr2 real_normK ?num_real // (mulrC b) mulfK // mulf_neq0 ?gt_eqF.
Qed.

Lemma value_dot P a b : (size a <= P)%N ->
  val (dot a b) = ip (iota 0 P) (fun q => val (nth Z0 a q)) (fun q => val (nth Z0 b q)).
Proof.
rewrite /ip sum_iota; elim: a b P => [|x a IH] [|y b] [|P] //= sP; rewrite ?big_ord0 //; last by rewrite big_ord_recl /= valueD valueM (IH b P).
all: by rewrite big1 // => q _; rewrite nth_nil ?mul0r ?mulr0.
Qed.

Lemma dotC a b : dot a b = dot b a.
Proof. by elim: a b => [|x a IH] [|y b] //=; rewrite IH Z.mul_comm. Qed.

Lemma semidefinite_ge0 why l d (o : nat -> nat -> Z) x : semidefinite why l d (block l o) -> uniq l ->
  {in l &, forall i j, o i j = o j i} ->
  0 <= form (fun i j => val (o i j)) l x + \sum_(i <- l) val (d i) * x i ^+ 2.
Proof.
move=> /andP[/andP[g0 h0] check] ul sym; pose row i := nth [::] (triangle why) (index i l); set g := multiple why in g0 check *.
have rowsE : zip l (fit [::] (size l) (triangle why)) = map (fun i => (i, row i)) l.
  apply: (eq_from_nth (x0 := (0%N, [::]))) => [|i]; rewrite fitE size_zip size_mkseq minnn ?size_map // => il.
  by rewrite nth_zip ?size_mkseq // nth_mkseq // (nth_map 0%N) // /row index_uniq.
rewrite -form_diagonal // -formD; set M := fun i j => _; pose P := \max_(i <- l) size (row i).
pose L i q := val (nth Z0 (row i) q); pose gram i j := ip (iota 0 P) (L i) (L j); pose h := val (grain why).
have dotE i j : i \in l -> val (dot (row i) (row j)) = gram i j by move=> il; apply: value_dot; apply: leq_bigmax_seq.
rewrite -(pmulr_rge0 _ (value_gt0 R g0)) -formZ.
have -> : form (fun i j => val g * M i j) l x =
  form (fun i j => val g * M i j - h * gram i j) l x + h * form gram l x.
  by rewrite -formZ -formD; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite subrK.
rewrite addr_ge0 //; last by rewrite mulr_ge0 ?value_ge0 // form_image square_ge0.
apply: dominant_ge0 => // [i j il jl | i il].
  by rewrite /gram ipC /M eq_sym sym //; case: eqP => [->|].
move: check; rewrite rowsE zip_map all_map => /allP/(_ i il) /=; rewrite zip_map foldr_map => /(value_le R).
rewrite value_total (bigD1_seq i) //= eqnE eqxx valueB !valueM valueD dotE // -ler_subr_addl sub0r opprB => low.
rewrite {2}/M eqxx; apply: le_trans low; rewrite big_seq_cond [X in _ <= X]big_seq_cond.
apply: ler_sum => j /andP[jl ji]; rewrite /M eq_sym (negPf ji) addr0 value_abs valueB !valueM dotE //.
Qed.

Lemma opposed_bounds why l m (o : nat -> nat -> Z) x :
  semidefinite why l (fun=> m) (block l (fun i j => Z.opp (o i j))) -> uniq l ->
  {in l &, forall i j, o i j = o j i} -> form (fun i j => val (o i j)) l x <= val m * square l x.
Proof.
move=> semi ul sym; rewrite /square mulr_sumr -subr_ge0 addrC.
apply: le_trans (semidefinite_ge0 x semi ul _) _ => [i j il jl|]; first by rewrite sym.
rewrite ler_add2r -mulN1r -formZ; apply: eqW; apply: eq_bigr => i _; apply: eq_bigr => j _.
by rewrite valueN mulN1r.
Qed.

End Semidefinite.
