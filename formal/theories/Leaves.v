(* Each rule of the checker bounds x'Sigma x over every support of its node. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks.

(* The rows of a point, each of which costs so much of every support; light where that is no more than it may be. *)
Section Points.

Variables (R : realFieldType) (n : nat) (class : nat -> nat) (M : seq (seq Z)) (y : seq Z) (counts : Z -> Z).
Notation val := (@value R).
Notation variables := (mkseq (fun i => (i, class i)) n).
Notation sigma := (fun i j => val (entry M i j)).

Definition cost (T : seq nat) : R := \sum_(j <- T) val (nth Z0 y j).

(* A row of T costs no more than it may. *)
Definition is_light (U : Z) (T : seq nat) (r : row) (p : nat -> Z) : bool :=
  \sum_(j <- T) (if j == (variable r).1 then val (own r) else val (p j)) <= val (Z.mul U (weight r)).

(* Where rows that pass are light x'Mx is bounded for x that is 0 off T, whatever passes. *)
Record pays_for (rows : seq row) : Prop := PaysFor { light_bound passes l U T (x : nat -> R) : all_rows passes rows l ->
  uniq T -> {subset T <= l} -> {in T &, forall i j, entry M i j = entry M j i} ->
  (forall i j, counted counts (x i) (x j)) ->
  (forall i r p, i \in T -> variable r = (i, class i) -> ranked class T p (beside r) -> passes r -> is_light U T r p) ->
  form sigma T x <= (val U - cost T) * square T x }.

Lemma no_rows_pay : pays_for [::].
Proof.
split=> passes l U [|i T] x /andP[/allP none _] _ Tl _ _ _; first by rewrite /form /square !big_nil mulr0.
by have := none i (Tl i (mem_head _ _)); rewrite member_set.
Qed.

(* N pays for pairs of variables that are near, weights for the others, and what N leaves is positive semidefinite. *)
Lemma rows_pay p : pays_for (rows_of counts variables M y p).
Proof.
rewrite /rows_of size_mkseq !amongE combined_block; set l' := ascending n (near p); case: ifP => [/and3P[symM pays check]|_]; last first.
  exact: no_rows_pay.
pose w i := nth Z0 (weights p) i; pose l := filter (fun i => Z.ltb Z0 (w i)) (iota 0 n); pose near_at := member_of (set_of (near p)).
pose price i j := Z.add (if near_at i && near_at j then Z.mul (w i) (entry (paying p) i j) else Z.mul (counts (entry M i j)) (w j))
  (Z.mul (w i) (nth Z0 y j)).
pose row_at i := Row (i, class i) (Z.mul (Z.add (if near_at i then Z.add (entry (paying p) i i) (nth Z0 (rest p) i) else entry M i i)
  (nth Z0 y i)) (w i)) (w i) (by_price (map (priced class (price i)) l)).
set rows := map _ _; have {rows} -> : rows = map row_at l.
  rewrite /rows !fitE !zip_map filter_map -map_comp; apply: eq_map => i /=; congr (Row _ _ _ (by_price _)).
  by rewrite !fitE !zip_map filter_map -map_comp.
split=> passes l0 U T x; rewrite /all_rows all_map => /andP[/allP covered /allP each] uT Tl0 sym ok light.
have Tl : {subset T <= l} by move=> i /Tl0/covered; rewrite member_set -map_comp => /mapP[j jl ->].
have {light} light i : i \in T -> is_light U T (row_at i) (price i).
  move=> iT; apply: (light i) => //; first exact: ranked_sort.
  by have := each i (Tl i iT); rewrite /= member_set (Tl0 i iT).
have w_gt0 i : i \in T -> 0 < val (w i) by move=> /Tl; rewrite mem_filter => /andP[/(value_gt0 R)].
have near_in i : i \in T -> (i \in l') = near_at i.
  by move=> /Tl; rewrite !mem_filter => /andP[_ ->]; rewrite andbT.
pose both i j := near_at i && near_at j.
pose P i j := if both i j then val (entry (for_pairs p) i j) else sigma i j.
pose N i j := if both i j then val (entry (paying p) i j) else if j == i then sigma i i else val (counts (entry M i j)) * val (w j) / val (w i).
pose left i := if near_at i then val (nth Z0 (rest p) i) else 0.
have pairs : form P T x <= \sum_(i <- T) x i ^+ 2 * \sum_(j <- T) N i j.
  apply: pairs_paid => i j iT jT; rewrite /P /N /both (andbC (near_at j)).
  case: ifP => [/andP[il jl]|_]; first by apply: (paid_pair (ok i j) pays _ _).2; rewrite near_in.
  rewrite eq_sym; case: eqP => [->|_]; first by rewrite expr2 mulr_natl mulr2n.
  have [counts0 le_counts] := ok i j (entry M i j); rewrite (sym j i) //.
  apply: le_trans (_ : 2%:R * (val (counts (entry M i j)) * (`|x i| * `|x j|)) <= _); first by rewrite ler_pmul2l ?ltr0n.
  rewrite -{2 3}(ger0_norm counts0).
  rewrite -[x i ^+ 2]real_normK ?num_real // -[x j ^+ 2]real_normK ?num_real //.
  by apply: weights_pair; apply: w_gt0.
have row i : i \in T -> left i + \sum_(j <- T) N i j <= val U - cost T.
  move=> iT; have wi := w_gt0 i iT; have := light i iT; rewrite /is_light /= [X in _ <= X]valueM => le_U; rewrite ler_subr_addr -(ler_pmul2r wi).
  apply: le_trans le_U; rewrite -addrA -big_split mulrDl mulr_suml (bigD1_seq i) //= [X in _ <= X](bigD1_seq i) //= eqxx addrA ler_add //.
    rewrite valueM valueD /N /both /left andbb eqxx -mulrDl; apply: eqW; congr (_ * _).
    by case: (near_at i); rewrite ?valueD ?add0r // addrA [val (nth Z0 (rest p) i) + _]addrC.
  apply: eqW; apply: eq_bigr => j ji; rewrite (negPf ji) /price valueD mulrDl /N (negPf ji) -/(both i j).
  by case: ifP => _; rewrite !valueM ?divfK ?gt_eqF // ![_ * val (w i)]mulrC.
pose E i j := (if i == j then left i else 0) + (P i j - sigma i j).
have : 0 <= form E T x.
  have rank i : i \in l' -> near_at i by rewrite mem_filter => /andP[].
  apply: (psd_beside (ascending_uniq n (near p)) uT) => [v|i j iT jT /negPf ij|i iT]; rewrite -/l' ?near_in //; first 1 last.
  - by rewrite /E /P /both ij => /negPf ->; rewrite subrr addr0.
  - by move=> /negPf out; rewrite /E /P /both /left eqxx out subrr addr0.
  apply: le_trans (semidefinite_ge0 v check (ascending_uniq n _) _) _ => [i j il jl|].
    by rewrite (paid_pair (ok 0%N 0%N) pays il jl).1 (symmetric_block symM).
  rewrite /E formD form_diagonal ?ascending_uniq // addrC; apply: eqW; congr (_ + _).
    by apply: eq_big_seq => i /rank; rewrite /left => ->.
  by apply: eq_big_seq => i il; apply: eq_big_seq => j jl; rewrite valueB /P /both !rank.
rewrite /E formD form_diagonal // formB addrA subr_ge0 => /le_trans; apply.
apply: le_trans (ler_add (lexx _) pairs) _; rewrite -big_split /square mulr_sumr /=.
by apply: sum_le => i iT; rewrite [x i ^+ 2 * _]mulrC -mulrDl ler_wpmul2r ?sqr_ge0 // row.
Qed.

Lemma pays_for_nth ps which : pays_for (nth [::] (map (rows_of counts variables M y) ps) which).
Proof.
have [lt_w|le_w] := ltnP which (size ps); last by rewrite nth_default ?size_map //; apply: no_rows_pay.
by rewrite (nth_map (Point [::] [::] [::] [::] (Root Z0 Z0 [::]) [::])) //; apply: rows_pay.
Qed.

Lemma no_cost : y = [::] -> forall T, cost T = 0.
Proof. by move=> y0 T; rewrite /cost y0 big1 // => j _; rewrite nth_nil. Qed.

End Points.

Section Rules.

Variable R : realFieldType.
Notation val := (@value R).

(* From here on: one support T of a node, and one x that is 0 off T. *)
Variables (n : nat) (class : nat -> nat) (S : seq (seq Z)) (U : Z) (J F T : seq nat) (parts : seq (seq nat * nat)) (x : nat -> R).
Variables (counts : Z -> Z) (prices : seq Z).
Notation variables := (mkseq (fun i => (i, class i)) n).
Hypothesis node : holds J F T.
Hypothesis fam : family parts T.
Hypothesis class_inj : {in T &, injective class}.
Hypothesis within : {subset J ++ F <= iota 0 n}.
Hypothesis sym : {in iota 0 n &, forall i j, entry S i j = entry S j i}.
Hypothesis zero : forall i, i \notin T -> x i = 0.
Hypothesis ok_x : forall i j, counted counts (x i) (x j).

Notation sigma := (fun i j => val (entry S i j)).
Notation bounded := (form sigma T x <= (val U - cost R prices T) * square T x).

Let inTJF : {subset T <= J ++ F}. Proof. exact: drawn_from node. Qed.
Let inT i : i \in T -> i \in iota 0 n. Proof. by move/inTJF/within. Qed.
Let uniqT := support_uniq node.

Let symT : {in T &, forall i j, entry S i j = entry S j i}.
Proof. by move=> i j iT jT; apply: sym; apply: inT. Qed.

Lemma all_rows_bound table which : pays_for R class S prices counts (table which) ->
  rows U table (sets_of parts) (J ++ F) which -> bounded.
Proof.
move=> paid ok; apply: (light_bound paid ok) => // i r p iT vE pl /(value_le R); apply: le_trans.
by rewrite valueD vE; apply: (row_bound fam).
Qed.

(* Supports that have a variable i which is not kept are paid for by rows. *)
Lemma lost_bound quota table which some i : pays_for R class S prices counts (table which) ->
  family ((J, size J) :: open_parts quota J F) T ->
  loses_none quota U table J F which some -> i \in T -> i \in F -> i \notin some -> bounded.
Proof.
move=> paid fam' ok iT iF out; apply: (light_bound paid ok) => // h r p hT vE pl; rewrite /is_light vE.
by apply: (pays_bound R fam' uniqT class_inj vE pl hT iT); rewrite member_set mem_filter member_set out.
Qed.

Lemma total_eq f h l : f =1 h -> total f l = total h l.
Proof. by move=> fh; elim: l => //= i l ->; rewrite fh. Qed.

Lemma psi_bounds r A Y charges residual why :
  psi variables S U (sets_of parts) J F r A Y charges residual why -> form sigma T x <= val U * square T x.
Proof.
move=> /and5P[enough /allP shapes dominant /allP tall check]; case: (node) => uJF uT _ _; pose Q := iota 0 r.
pose a i q := val (entry A i q); pose y i q := val (entry Y i q); pose t i := val (nth Z0 charges i).
have a_dot i b : i \in J ++ F -> val (dot (nth [::] A i) b) = ip Q (a i) (fun q => val (nth Z0 b q)).
  by move=> /shapes/andP[size_a _]; apply: value_dot.
have y_dot i b : i \in J ++ F -> val (dot (nth [::] Y i) b) = ip Q (y i) (fun q => val (nth Z0 b q)).
  by move=> /shapes/andP[_ size_y]; apply: value_dot.
pose mu := val U - val residual.
pose image q := ip T (a^~ q) x.
have paid i v : i \in F -> 0 < t i /\ ip Q (a i) v ^+ 2 <= ip Q (y i) v ^+ 2 + t i * square Q v.
  move=> iF; have il : i \in J ++ F by rewrite mem_cat iF orbT.
  have /andP[/(value_gt0 R) t_gt0 /(value_le R)] := tall i iF.
  rewrite !valueB !valueM !valueD !a_dot // y_dot // -expr2 => ok; split=> //; exact: rank_one_paid.
pose H p q := \sum_(i <- J) a i p * a i q + \sum_(i <- F) y i p * y i q.
set variables_of_J := map (fun i => (i, Checker.class variables i)) J in check.
set near := charge _ _ _ in check.
have le_H : form H Q image + val near * square Q image <= mu * square Q image.
  pose Hz p q := Z.add (total (fun i => Z.mul (entry A i p) (entry A i q)) J)
    (total (fun i => Z.mul (entry Y i p) (entry Y i q)) F).
  have HzE p q : val (Hz p q) = H p q.
    by rewrite valueD !value_total; congr (_ + _); apply: eq_bigr => i _; rewrite valueM.
  have symH p q : Hz p q = Hz q p by congr (Z.add _ _); apply: total_eq => i; apply: Z.mul_comm.
  have := opposed_bounds (o := Hz) image check (iota_uniq 0 r) (fun p q _ _ => symH p q).
  rewrite (_ : form _ Q image = form H Q image) ?valueB ?mulrBl ?ler_subr_addr //.
  by apply: eq_bigr => p _; apply: eq_bigr => q _; rewrite HzE.
have le_image : \sum_(i <- T) ip Q (a i) image ^+ 2 <= mu * square Q image.
  apply: le_trans le_H; rewrite formD !form_squares (perm_big _ (support_split node)) big_cat /= -addrA.
  rewrite ler_add2l big_filter.
  apply: le_trans (_ : \sum_(i <- F | i \in T) (ip Q (y i) image ^+ 2 + t i * square Q image) <= _).
    by rewrite big_seq_cond [X in _ <= X]big_seq_cond; apply: ler_sum => i /andP[iF _]; have [] := paid i image iF.
  rewrite big_split /= -mulr_suml ler_add //.
    rewrite [X in _ <= X](bigID (mem T)) /= ler_addl; apply: sumr_ge0 => i _; exact: sqr_ge0.
  rewrite ler_wpmul2r ?square_ge0 // /near; have -> : variables_of_J = map (fun i => (i, class i)) J.
    by apply/eq_in_map => i /(forced_in node)/inT; rewrite mem_iota => /= li; rewrite /Checker.class nth_mkseq.
  have ranked_charges := ranked_row class charges inT.
  apply: le_trans (charge_bound R fam uniqT class_inj (forced_uniq node) (forced_in node) ranked_charges).
  rewrite [X in _ <= X]big_mkcond (perm_big _ (support_split node)) big_cat /= -!big_mkcond /=.
  rewrite [X in _ <= X + _]big_seq_cond [X in _ <= X + _]big_pred0 ?add0r => [|i]; last by case: (i \in J).
  rewrite big_filter_cond; apply: eqW; rewrite big_seq_cond [RHS]big_seq_cond.
  apply: eq_bigl => i; case iF: (i \in F) => //=; rewrite andb_idr // => _.
  by apply: contraL iF => /(forced_not_free node).
have := gram_dual _ le_image; rewrite /mu subr_ge0 value_le // => /(_ isT) le_gram.
have := semidefinite_ge0 x dominant uJF; rewrite -mulr_sumr -/(square _ x) (square_support uT uJF inTJF zero).
rewrite (form_support _ uT uJF inTJF zero) => /(_ _)/le_trans ge0.
rewrite -subr_ge0; apply: ge0 => [i j il jl|].
  by rewrite dotC sym //; apply: within.
rewrite -(subrK (val residual) (val U)) mulrDl addrAC ler_add2r ler_subr_addr; apply: le_trans le_gram.
rewrite -formD; apply: eqW; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT.
by rewrite valueB a_dot ?inTJF // subrK.
Qed.

End Rules.
