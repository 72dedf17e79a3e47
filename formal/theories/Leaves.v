(* Each rule of the checker bounds x'Sigma x over every support of its node. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges.

Section Rules.

Variable R : realFieldType.
Notation val := (@value R).

(* P and N pay for the pairs, and so do weights a and b of two rows. *)
Lemma paid_pair (P N : nat -> nat -> Z) l (u v : R) : paid P N l -> {in l &, forall i j, P i j = P j i /\
  2%:R * (val (P i j) * (u * v)) <= val (N i j) * u ^+ 2 + val (N j i) * v ^+ 2}.
Proof.
move=> /allP all_paid i j il jl; have /and3P[/Z.eqb_eq symP Nij le_PN] := allP (all_paid i il) j jl.
have /and3P[_ Nji _] := allP (all_paid j jl) i il; split=> //.
by apply: pair_paid; rewrite ?value_ge0 // expr2 -!valueM value_le.
Qed.

Lemma weights_pair (s a b u v : R) : 0 < a -> 0 < b ->
  2%:R * (s * (u * v)) <= `|s| * b / a * u ^+ 2 + `|s| * a / b * v ^+ 2.
Proof.
move=> a0 b0; have [a_ge0 b_ge0] := (ltW a0, ltW b0); apply: pair_paid; rewrite ?divr_ge0 ?mulr_ge0 ?normr_ge0 //.
by rewrite mulrACA -invfM mulrACA -expr2 real_normK ?num_real // (mulrC b) mulfK // mulf_neq0 ?gt_eqF.
Qed.

Lemma value_dot P a b : (size a <= P)%N ->
  val (dot a b) = \sum_(q < P) val (nth Z0 a q) * val (nth Z0 b q).
Proof.
elim: a b P => [|x a IH] [|y b] [|P] //= sP; rewrite ?big_ord0 //.
- by rewrite big1 // => q _; rewrite nth_nil mul0r.
- by rewrite big1 // => q _; rewrite nth_nil mul0r.
- by rewrite big1 // => q _; rewrite nth_nil mulr0.
by rewrite big_ord_recl /= valueD valueM (IH b P).
Qed.

Lemma dotC a b : dot a b = dot b a.
Proof. by elim: a b => [|x a IH] [|y b] //=; rewrite IH Z.mul_comm. Qed.

Lemma semidefinite_ge0 g L l d o x : semidefinite g L l d o -> uniq l ->
  {in l &, forall i j, o i j = o j i} ->
  0 <= form (fun i j => if i == j then val (d i) else val (o i j)) l x.
Proof.
move=> /andP[g0 check] ul sym; pose row i := nth [::] L (index i l).
have {}check : all (fun i => Z.leb
    (total (fun j => if Nat.eqb i j then Z0 else Z.abs (Z.sub (Z.mul g (o i j)) (dot (row i) (row j)))) l)
    (Z.sub (Z.mul g (d i)) (dot (row i) (row i)))) l.
  have rowsE : zip l (fit [::] (size l) L) = map (fun i => (i, row i)) l.
    apply: (eq_from_nth (x0 := (0%N, [::]))) => [|i]; rewrite fitE size_zip size_mkseq minnn ?size_map // => il.
    by rewrite nth_zip ?size_mkseq // nth_mkseq // (nth_map 0%N) // /row index_uniq.
  by move: check; rewrite rowsE all_map; apply: sub_all => i /=; rewrite foldr_map.
pose M i j := if i == j then val (d i) else val (o i j); rewrite -/M; pose P := \max_(i <- l) size (row i).
pose gram i j := \sum_(q < P) val (nth Z0 (row i) q) * val (nth Z0 (row j) q).
have dotE i j : i \in l -> val (dot (row i) (row j)) = gram i j.
  by move=> il; apply: value_dot; apply: leq_bigmax_seq.
have gramC i j : gram i j = gram j i by apply: eq_bigr => q _; rewrite mulrC.
rewrite -(pmulr_rge0 _ (value_gt0 R g0)) -formZ.
have -> : form (fun i j => val g * M i j) l x =
  form (fun i j => val g * M i j - gram i j) l x + form gram l x.
  by rewrite -formD; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite subrK.
rewrite addr_ge0 //; last by rewrite (form_image P (fun i q => val (nth Z0 (row i) q))) ip_ge0.
apply: dominant_ge0 => // [i j il jl | i il].
  by rewrite gramC /M eq_sym; congr (_ * _ - _); case: eqP => [-> //|_]; rewrite sym.
have /(value_le R) := allP check i il; rewrite value_total valueB valueM dotE // {2}/M eqxx.
apply: le_trans; rewrite big_mkcond big_seq [X in _ <= X]big_seq; apply: ler_sum => j jl.
by rewrite eqbE /M (eq_sym j); case: eqP => //= _; rewrite ?value0 // value_abs valueB valueM dotE.
Qed.

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
move=> rows; rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => i iT.
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

Lemma semidefinite_bounds g L (d : nat -> Z) (o : nat -> nat -> Z) (c : nat -> R) A :
  semidefinite g L (J ++ F) d o -> {in J ++ F &, forall i j, o i j = o j i} ->
  {in J ++ F &, forall i j, (if i == j then val (d i) else val (o i j)) =
     (if i == j then val U - c i else 0) + (A i j - sigma i j)} ->
  form A T x <= \sum_(i <- T) c i * x i ^+ 2 -> bounded.
Proof.
case: (node) => uJF uT _ _ _ check symo split paid.
have := semidefinite_ge0 x check uJF symo; rewrite (form_support _ uT) //.
have -> : form (fun i j => if i == j then val (d i) else val (o i j)) T x =
  \sum_(i <- T) (val U - c i) * x i ^+ 2 + (form A T x - form sigma T x).
  rewrite -form_diagonal //; have -> : - form sigma T x = form (fun i j => -1 * sigma i j) T x.
    by rewrite formZ mulN1r.
  by rewrite -!formD; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; rewrite split ?inTJF // mulN1r.
rewrite addrA subr_ge0 => /le_trans; apply; rewrite /square mulr_sumr -ler_subr_addl.
by apply: le_trans paid _; rewrite -sumrB; apply: ler_sum => i _; rewrite -mulrBl opprB addrC subrK.
Qed.

Lemma perron_bounds P N g L : perron variables S U (sets_of parts) (J ++ F) P N g L -> bounded.
Proof.
move=> /andP[pays check]; have pair i j := paid_pair (x i) (x j) pays.
pose cost i := Z.add (entry N i i) (charge (sets_of parts) [:: (i, Checker.class variables i)] (dearest_first variables (nth [::] N i))).
pose c i := val (cost i).
apply: (semidefinite_bounds (c := c) (A := fun i j => val (entry P i j)) check).
- by move=> i j il jl; rewrite (pair i j i j il jl).1 sym.
- move=> i j _ _; rewrite !(valueB _ _ (entry S _ _)) (valueB _ _ (cost i)) valueD valueB -/(c i); case: eqP => [->|_]; last by rewrite add0r.
  by ring.
apply: le_trans (pairs_paid (N := fun i j => val (entry N i j)) _) _ => [i j /inTJF iT /inTJF jT|].
  exact: (pair i j i j iT jT).2.
apply: rows_paid => i iT; rewrite /c /cost valueD classE //.
apply: le_trans (row_bound fam uniqT class_inj (val (entry N i i)) (ranked_row class (nth [::] N i) inT) iT).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => j _; case: eqP => [->|].
Qed.

Lemma total_eq f h l : f =1 h -> total f l = total h l.
Proof. by move=> fh; elim: l => //= i l ->; rewrite fh. Qed.

Lemma psi_bounds r A Y charges residual g L :
  psi variables S U (sets_of parts) J F r A Y charges residual g L -> bounded.
Proof.
move=> /and5P[enough /allP shapes dominant /allP tall check]; case: (node) => uJF uT _ _ _.
pose a i q := val (entry A i q); pose y i q := val (entry Y i q); pose t i := val (nth Z0 charges i).
have size_of_a i : i \in J ++ F -> (size (nth [::] A i) <= r)%N.
  by move/shapes => /andP[/PeanoNat.Nat.leb_le/ssrnat.leP].
have size_of_y i : i \in J ++ F -> (size (nth [::] Y i) <= r)%N.
  by move/shapes => /andP[_ /PeanoNat.Nat.leb_le/ssrnat.leP].
have a_dot i b : i \in J ++ F -> val (dot (nth [::] A i) b) = ip r (a i) (fun q => val (nth Z0 b q)).
  by move=> il; apply: value_dot; apply: size_of_a.
have y_dot i b : i \in J ++ F -> val (dot (nth [::] Y i) b) = ip r (y i) (fun q => val (nth Z0 b q)).
  by move=> il; apply: value_dot; apply: size_of_y.
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
  have {}check : semidefinite g L (iota 0 r) (fun q => Z.sub nearest (Hz q q)) (fun p q => Z.opp (Hz p q)).
    exact: check.
  have := semidefinite_ge0 image check (iota_uniq 0 r) (fun p q _ _ => symH p q).
  have -> : form (fun p q => if p == q then val (Z.sub nearest (Hz p p)) else val (Z.opp (Hz p q))) (iota 0 r) image =
      (val U - val residual - val near) * ip r image image - form H (iota 0 r) image.
    apply/eqP; rewrite eq_sym subr_eq -formD; apply/eqP.
    transitivity (form (fun p q => if p == q then val nearest else 0) (iota 0 r) image).
      by rewrite form_diagonal ?iota_uniq // -mulr_sumr sum_iota /nearest !valueB; congr (_ * _).
    apply: eq_bigr => p _; apply: eq_bigr => q _; congr (_ * _); rewrite -HzE.
    by case: eqP => [<-|_]; rewrite ?valueB ?valueN ?subrK ?addNr.
  by rewrite subr_ge0 mulrBl -/mu ler_subr_addr.
have le_image : \sum_(i <- T) ip r (a i) image ^+ 2 <= mu * ip r image image.
  apply: le_trans le_H; rewrite formD !form_squares (perm_big _ (support_split node)) big_cat /= -addrA.
  rewrite ler_add2l big_filter.
  apply: le_trans (_ : \sum_(i <- F | i \in T) (ip r (y i) image ^+ 2 + t i * ip r image image) <= _).
    rewrite big_seq_cond [X in _ <= X]big_seq_cond; apply: ler_sum => i /andP[iF _].
    by have [] := paid i image iF.
  rewrite big_split /= -mulr_suml ler_add //.
    rewrite [X in _ <= X](bigID (mem T)) /= ler_addl; apply: sumr_ge0 => i _; exact: sqr_ge0.
  rewrite ler_wpmul2r ?ip_ge0 //; have uJ : uniq J by move: uJF; rewrite cat_uniq => /andP[].
  have -> : map (fun i => (i, Checker.class variables i)) J = map (fun i => (i, class i)) J.
    by apply/eq_in_map => i /(forced_in node); apply: classE.
  apply: le_trans (charge_bound R fam uniqT class_inj uJ (forced_in node) (ranked_row class charges inT)).
  rewrite [X in _ <= X]big_mkcond (perm_big _ (support_split node)) big_cat /= -!big_mkcond /=.
  rewrite [X in _ <= X + _]big_seq_cond [X in _ <= X + _]big_pred0 ?add0r => [|i]; last by case: (i \in J).
  rewrite big_filter_cond le_eqVlt; apply/orP; left; apply/eqP; rewrite big_seq_cond [RHS]big_seq_cond.
  apply: eq_bigl => i; case iF: (i \in F) => //=; rewrite andb_idr // => _.
  by move: uJF; rewrite cat_uniq => /and3P[_ /hasPn/(_ i iF)].
have := gram_dual _ le_image; rewrite /mu subr_ge0 value_le // => /(_ isT) le_gram.
have symA : {in J ++ F &, forall i j, Z.sub (dot (nth [::] A i) (nth [::] A j)) (entry S i j) =
    Z.sub (dot (nth [::] A j) (nth [::] A i)) (entry S j i)}.
  by move=> i j il jl; rewrite sym // dotC.
have := semidefinite_ge0 x dominant uJF symA; rewrite (form_support _ uT) //.
have -> : form (fun i j => if i == j
      then val (Z.add (Z.sub (dot (nth [::] A i) (nth [::] A i)) (entry S i i)) residual)
      else val (Z.sub (dot (nth [::] A i) (nth [::] A j)) (entry S i j))) T x =
    form (fun i j => ip r (a i) (a j)) T x + val residual * square T x - form sigma T x.
  apply/eqP; rewrite eq_sym subr_eq -formD mulr_sumr -form_diagonal // -formD; apply/eqP.
  apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; congr (_ * _); rewrite -a_dot ?inTJF //.
  by case: eqP => [<-|_]; rewrite ?(valueD R (Z.sub _ _)) valueB; ring.
rewrite subr_ge0 => /le_trans; apply; rewrite -ler_subr_addr -mulrBl; exact: le_gram.
Qed.

End Rules.
