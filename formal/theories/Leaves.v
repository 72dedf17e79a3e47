(* Each rule of the checker bounds x'Sigma x over every support of its node. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks.

Section Rules.

Variable R : realFieldType.
Notation val := (@value R).

(* From here on: one support T of a node, and one x that is 0 off T. *)
Variables (n : nat) (class : nat -> nat) (S : seq (seq Z)) (U : Z) (J F T : seq nat) (parts : seq (seq nat * nat)) (x : nat -> R).
Notation variables := (mkseq (fun i => (i, class i)) n).
Hypothesis node : support_of (size T) J F T.
Hypothesis fam : family parts T.
Hypothesis class_inj : {in T &, injective class}.
Hypothesis within : {subset J ++ F <= iota 0 n}.
Hypothesis sym : {in J ++ F &, forall i j, entry S i j = entry S j i}.
Hypothesis zero : forall i, i \notin T -> x i = 0.

Notation sigma := (fun i j => val (entry S i j)).
Notation bounded := (form sigma T x <= val U * square T x).

Let inTJF : {subset T <= J ++ F}. Proof. exact: drawn_from node. Qed.
Let inT i : i \in T -> i \in iota 0 n. Proof. by move/inTJF/within. Qed.
Let uniqT := support_uniq node.

Lemma classE i : i \in T -> (i, Checker.class variables i) = (i, class i).
Proof. by move/inT; rewrite mem_iota => /= li; rewrite /Checker.class nth_mkseq. Qed.

Lemma rows_paid (N : nat -> nat -> R) (c : nat -> R) :
  (forall i, i \in T -> \sum_(j <- T) N i j <= c i) ->
  \sum_(i <- T) (x i ^+ 2 * \sum_(j <- T) N i j) <= \sum_(i <- T) c i * x i ^+ 2.
Proof.
move=> rows; apply: sum_le => i iT.
by rewrite mulrC ler_wpmul2r ?sqr_ge0 // rows.
Qed.

(* What row i of T costs with weights; light where that is no more than it may be. *)
Section Weights.

Variable w : seq Z.
Notation weight j := (nth Z0 w j).
Definition paid_by i j : R := val (Z.mul (if j == i then entry S i j else Z.abs (entry S i j)) (weight j)).
Definition is_light i : bool := \sum_(j <- T) paid_by i j <= val (Z.mul U (weight i)).

Definition priced_row i : row :=
  Row (i, class i) (Z.mul (entry S i i) (weight i)) (weight i)
    (dearest_first variables (mkseq (fun j => Z.mul (Z.abs (entry S i j)) (weight j)) n)).

Lemma rows_ofE : rows_of variables S w = mkseq priced_row n.
Proof.
rewrite /rows_of size_mkseq !fitE !zip_map /mkseq -map_comp; apply: eq_map => i /=.
by rewrite fitE zip_map -map_comp /priced_row.
Qed.

Lemma paid_byE i j : j \in iota 0 n ->
  paid_by i j = if j == i then val (own (priced_row i)) else val (nth Z0 (mkseq (fun j => Z.mul (Z.abs (entry S i j)) (weight j)) n) j).
Proof. by rewrite mem_iota => /= lj; rewrite /paid_by nth_mkseq //; case: eqP => [->|]. Qed.

Lemma light_rows_bound : {in T, forall i, 0 < val (weight i)} -> {in T, forall i, is_light i} -> bounded.
Proof.
move=> w_gt0 light; pose N i j := paid_by i j / val (weight i).
apply: le_trans (@pairs_paid R sigma N T x _) _ => [i j iT jT|]; last first.
  rewrite /square mulr_sumr; apply: rows_paid => i iT.
  by rewrite -mulr_suml ler_pdivr_mulr ?w_gt0 // -valueM; apply: light.
have [<- | ij] := eqVneq i j.
  by rewrite /N /paid_by eqxx valueM mulfK ?gt_eqF ?w_gt0 // expr2 mulr_natl mulr2n.
have NE a b : a != b -> N a b = `|sigma a b| * val (weight b) / val (weight a).
  by rewrite eq_sym => /negPf ab; rewrite /N /paid_by ab valueM value_abs.
by rewrite !NE // 1?eq_sym // (sym (inTJF jT) (inTJF iT)); apply: weights_pair; apply: w_gt0.
Qed.

Lemma rowsum_bounds table which : table which = [::] \/ table which = rows_of variables S w ->
  rowsum U table (sets_of parts) (J ++ F) which -> bounded.
Proof.
move=> tableE; rewrite /rowsum; case: tableE => [-> //|->]; rewrite rows_ofE.
case rowsE: (mkseq _ n) => // [r rows]; rewrite -{}rowsE => /(all_nthP (priced_row 0)); rewrite size_mkseq => check.
have row i : i \in T -> 0 < val (weight i) /\ is_light i.
  move=> iT; have := inT iT; rewrite mem_iota => /= li; have := check i li.
  rewrite nth_mkseq //= member_set inTJF //= => /andP[/(value_gt0 R) w0 /(value_le R) ok]; split=> //.
  rewrite /is_light; apply: le_trans ok; rewrite valueD.
  rewrite (eq_big_seq (fun j => if j == i then val (own (priced_row i)) else
    val (nth Z0 (mkseq (fun j => Z.mul (Z.abs (entry S i j)) (weight j)) n) j))) => [|j /inT]; last exact: paid_byE.
  exact: (row_bound fam uniqT class_inj _ (ranked_row _ _ inT)).
by apply: light_rows_bound => i /row[].
Qed.

(* Supports that have a variable i which is not kept are paid for by rows. *)
Lemma lost_bound quota table which some i : table which = [::] \/ table which = rows_of variables S w ->
  family ((J, size J) :: open_parts quota J F) T ->
  loses_none quota U table J F which some -> i \in T -> i \in F -> i \notin some -> bounded.
Proof.
move=> tableE fam'; rewrite /loses_none; case: tableE => [-> //|->]; rewrite rows_ofE.
case rowsE: (mkseq priced_row n) => // [r rows]; rewrite -{}rowsE.
move=> /(all_nthP (priced_row 0)); rewrite size_mkseq => check iT iF out.
have row h : h \in T -> 0 < val (weight h) /\ is_light h.
  move=> hT; have := inT hT; rewrite mem_iota => lh; have := check h lh.
  rewrite nth_mkseq // [variable _]/= member_set inTJF // orFb => /andP[/(value_gt0 R) w0 ok]; split=> //.
  rewrite /is_light (eq_big_seq _ (fun j jT => paid_byE h (inT jT))).
  by apply: (pays_bound R fam' uniqT class_inj (ranked_row _ _ inT) hT iT _ ok); rewrite member_set mem_filter member_set out.
by apply: light_rows_bound => h /row[].
Qed.

End Weights.

Lemma semidefinite_bounds g L l (d : nat -> Z) (o : nat -> nat -> Z) (c : nat -> R) A :
  semidefinite g L l d (block l o) -> uniq l -> l =i J ++ F -> {in J ++ F &, forall i j, o i j = o j i} ->
  {in T &, forall i j, val (o i j) = A i j - sigma i j} -> {in T, forall i, val (d i) = val U - c i} ->
  form A T x <= \sum_(i <- T) c i * x i ^+ 2 -> bounded.
Proof.
move=> check ul lJF symo oE dE paid; have sub : {subset T <= l} by move=> i /inTJF; rewrite lJF.
have := semidefinite_ge0 x check ul (fun i j il jl => symo i j (etrans (esym (lJF i)) il) (etrans (esym (lJF j)) jl)).
rewrite (form_support _ uniqT) // (sum_support uniqT) // => [|i /zero ->]; last by rewrite expr0n mulr0.
rewrite (eq_big_seq (fun i => (val U - c i) * x i ^+ 2)) => [|i /dE -> //].
have -> : form (fun i j => val (o i j)) T x = form A T x - form sigma T x.
  by rewrite -formB; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; rewrite oE.
rewrite addrAC subr_ge0 => /le_trans; apply; rewrite /square mulr_sumr -ler_subr_addr -sumrB.
by apply: le_trans paid _; apply: ler_sum => i _; rewrite -mulrBl opprB addrC subrK.
Qed.

Lemma perron_bounds P N g L : perron variables S U (sets_of parts) (J ++ F) P N g L -> bounded.
Proof.
rewrite /perron size_mkseq; cbv zeta; rewrite !amongE combined_block => /andP[pays check].
have inl := in_ascending within; have pair i j := paid_pair (x i) (x j) pays.
pose cost i := Z.add (entry N i i) (charge (sets_of parts) [:: (i, Checker.class variables i)] (dearest_first variables (nth [::] N i))).
apply: (semidefinite_bounds (c := fun i => val (cost i)) (A := fun i j => val (entry P i j)) check (ascending_uniq _ _) inl).
- by move=> i j iJF jJF; rewrite (pair i j i j _ _).1 ?inl // sym.
- by move=> i j _ _; rewrite valueB.
- by move=> i _; rewrite valueB.
apply: le_trans (pairs_paid (N := fun i j => val (entry N i j)) _) _ => [i j iT jT|].
  by apply: (pair i j i j _ _).2; rewrite inl inTJF.
apply: rows_paid => i iT; rewrite /cost valueD classE //.
apply: le_trans (row_bound fam uniqT class_inj (val (entry N i i)) (ranked_row class (nth [::] N i) inT) iT).
by apply: eqW; apply: eq_bigr => j _; case: eqP => [->|].
Qed.

Lemma total_eq f h l : f =1 h -> total f l = total h l.
Proof. by move=> fh; elim: l => //= i l ->; rewrite fh. Qed.

Lemma psi_bounds r A Y charges residual g L :
  psi variables S U (sets_of parts) J F r A Y charges residual g L -> bounded.
Proof.
move=> /and5P[enough /allP shapes dominant /allP tall check]; case: (node) => uJF uT _ _ _.
pose a i q := val (entry A i q); pose y i q := val (entry Y i q); pose t i := val (nth Z0 charges i).
have a_dot i b : i \in J ++ F -> val (dot (nth [::] A i) b) = ip r (a i) (fun q => val (nth Z0 b q)).
  by move=> /shapes/andP[size_a _]; apply: value_dot.
have y_dot i b : i \in J ++ F -> val (dot (nth [::] Y i) b) = ip r (y i) (fun q => val (nth Z0 b q)).
  by move=> /shapes/andP[_ size_y]; apply: value_dot.
pose mu := val U - val residual.
pose image q := \sum_(i <- T) x i * a i q.
have paid i v : i \in F -> 0 < t i /\ ip r (a i) v ^+ 2 <= ip r (y i) v ^+ 2 + t i * ip r v v.
  move=> iF; have il : i \in J ++ F by rewrite mem_cat iF orbT.
  have /andP[/(value_gt0 R) t_gt0 /(value_le R)] := tall i iF.
  rewrite !valueB !valueM !valueD !a_dot // y_dot // -expr2 => ok; split=> //; exact: rank_one_paid.
pose H p q := \sum_(i <- J) a i p * a i q + \sum_(i <- F) y i p * y i q.
have le_H : form H (iota 0 r) image + val (charge (sets_of parts) (map (fun i => (i, Checker.class variables i)) J) (dearest_first variables charges)) * ip r image image <=
    mu * ip r image image.
  pose Hz p q := Z.add (total (fun i => Z.mul (entry A i p) (entry A i q)) J)
    (total (fun i => Z.mul (entry Y i p) (entry Y i q)) F).
  have HzE p q : val (Hz p q) = H p q.
    by rewrite valueD !value_total; congr (_ + _); apply: eq_bigr => i _; rewrite valueM.
  have symH p q : Z.opp (Hz p q) = Z.opp (Hz q p).
    by congr (Z.opp (Z.add _ _)); apply: total_eq => i; apply: Z.mul_comm.
  set near := charge _ _ _; set nearest := Z.sub (Z.sub U residual) near.
  have {}check : semidefinite g L (iota 0 r) (fun=> nearest) (block (iota 0 r) (fun p q => Z.opp (Hz p q))) := check.
  have := semidefinite_ge0 image check (iota_uniq 0 r) (fun p q _ _ => symH p q).
  have -> : form (fun p q => val (Z.opp (Hz p q))) (iota 0 r) image = - form H (iota 0 r) image.
    by rewrite -mulN1r -formZ; apply: eq_bigr => p _; apply: eq_bigr => q _; rewrite valueN HzE mulN1r.
  have -> : \sum_(q <- iota 0 r) val nearest * image q ^+ 2 = (mu - val near) * ip r image image.
    by rewrite -mulr_sumr sum_iota /nearest !valueB.
  by rewrite addrC subr_ge0 mulrBl ler_subr_addr.
have le_image : \sum_(i <- T) ip r (a i) image ^+ 2 <= mu * ip r image image.
  apply: le_trans le_H; rewrite formD !form_squares (perm_big _ (support_split node)) big_cat /= -addrA.
  rewrite ler_add2l big_filter.
  apply: le_trans (_ : \sum_(i <- F | i \in T) (ip r (y i) image ^+ 2 + t i * ip r image image) <= _).
    by rewrite big_seq_cond [X in _ <= X]big_seq_cond; apply: ler_sum => i /andP[iF _]; have [] := paid i image iF.
  rewrite big_split /= -mulr_suml ler_add //.
    rewrite [X in _ <= X](bigID (mem T)) /= ler_addl; apply: sumr_ge0 => i _; exact: sqr_ge0.
  rewrite ler_wpmul2r ?ip_ge0 //; have uJ : uniq J by move: uJF; rewrite cat_uniq => /andP[].
  have -> : map (fun i => (i, Checker.class variables i)) J = map (fun i => (i, class i)) J.
    by apply/eq_in_map => i /(forced_in node); apply: classE.
  apply: le_trans (charge_bound R fam uniqT class_inj uJ (forced_in node) (ranked_row class charges inT)).
  rewrite [X in _ <= X]big_mkcond (perm_big _ (support_split node)) big_cat /= -!big_mkcond /=.
  rewrite [X in _ <= X + _]big_seq_cond [X in _ <= X + _]big_pred0 ?add0r => [|i]; last by case: (i \in J).
  rewrite big_filter_cond; apply: eqW; rewrite big_seq_cond [RHS]big_seq_cond.
  apply: eq_bigl => i; case iF: (i \in F) => //=; rewrite andb_idr // => _.
  by move: uJF; rewrite cat_uniq => /and3P[_ /hasPn/(_ i iF)].
have := gram_dual _ le_image; rewrite /mu subr_ge0 value_le // => /(_ isT) le_gram.
apply: (semidefinite_bounds (c := fun=> mu) (A := fun i j => ip r (a i) (a j)) dominant uJF) => // [i j il jl|i j iT jT|i _|].
- by rewrite dotC sym.
- by rewrite valueB a_dot ?inTJF.
- by rewrite /mu subKr.
by rewrite -mulr_sumr; exact: le_gram.
Qed.

End Rules.
