(* Each rule of the checker bounds x'Sigma x over every support of its node. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports.

Local Open Scope ring_scope.

Section Rules.

Variable R : realFieldType.
Notation val := (@value R).

Lemma value_dearest (X : Type) (a : pred X) (p : X -> Z) F :
  \sum_(j <- F | a j) val (p j) <= val (dearest (map p F) (count a F)).
Proof.
rewrite /dearest; set t := nth _ _ _; rewrite valueD valueM value_nat.
apply: le_trans (chosen_prices a (fun j => val (p j)) (val t) F) _.
rewrite value_total big_map ler_add2l; apply: ler_sum => j _.
by rewrite value_max valueB.
Qed.

Lemma value_largest p l j : j \in l -> val (p j) <= val (largest p l).
Proof.
case: l => //= i l; elim: l => [|h l IH]; first by rewrite inE => /eqP ->.
rewrite value_max le_maxr !inE orbCA => /orP[/eqP ->|jl]; first by rewrite lexx.
by rewrite IH ?orbT.
Qed.

(* The parts of F, of each of which T has at most one variable. *)
Definition parts_of (F T : seq nat) (parts : seq (seq nat)) : Prop :=
  perm_eq (flatten parts) F /\ {in parts, forall l, count (mem T) l <= 1}%N.

Lemma parts_alone F T : parts_of F T (alone F).
Proof. by split=> [|_ /mapP[j _ ->]]; rewrite ?flatten_seq1 //= addn0 leq_b1. Qed.

Lemma value_parts (T : seq nat) p parts : {in parts, forall l, count (mem T) l <= 1}%N ->
  \sum_(j <- flatten parts | j \in T) val (p j) <= val (dearest (map (largest p) parts) (count (mem T) (flatten parts))).
Proof.
move=> one; have -> : count (mem T) (flatten parts) = count (has (mem T)) parts.
  rewrite count_flatten; elim: parts one => //= l parts IH one; rewrite IH => [|l' in_parts]; last first.
    by apply: one; rewrite inE in_parts orbT.
  by have := one l (mem_head _ _); rewrite has_count; case: (count _ l) => [|[]].
apply: le_trans (value_dearest (has (mem T)) (largest p) parts).
rewrite big_flatten [X in _ <= X]big_mkcond big_seq [X in _ <= X]big_seq; apply: ler_sum => l /one.
rewrite -big_filter has_count -size_filter; case lT: (filter _ l) => [|j [|]] //= _; first by rewrite big_nil.
have : j \in filter (mem T) l by rewrite lT mem_head.
by rewrite mem_filter big_cons big_nil addr0 => /andP[_ /value_largest].
Qed.

Lemma value_cost k J F T parts p i : support_of k J F T -> parts_of F T parts -> i \in T ->
  \sum_(j <- T) val (p j) <= val (cost J parts (k - size J) p i).
Proof.
move=> node [partsF one] iT; rewrite (perm_big _ (support_split node)) big_cat /= /cost.
have free : count (mem T) (flatten parts) = (k - size J)%N by rewrite (permP partsF) (count_free node).
rewrite big_filter -(perm_big _ partsF) /=; case: ifP => iF; last first.
  by rewrite valueD value_total ler_add2l -free value_parts.
set others := filter _ parts.
have {}split : perm_eq (filter (mem T) (flatten parts)) (i :: filter (mem T) (flatten others)).
  have perm := perm_flatten (permEl (perm_filterC (fun l => inside l i) parts)).
  have : uniq (flatten parts) by rewrite (perm_uniq partsF); case: node; rewrite cat_uniq => /and3P[].
  move=> uP; move: (uP); rewrite -(perm_uniq perm) flatten_cat cat_uniq => /and3P[_ _ u_others].
  have without_i l : l \in others -> i \notin l by rewrite mem_filter /inside has_eqb => /andP[].
  have {}iF : i \in flatten parts.
    by case/hasP: iF => l l_in; rewrite /inside has_eqb => il; apply/flattenP; exists l.
  apply: uniq_perm => [||j]; rewrite /= ?filter_uniq // ?andbT.
    by rewrite mem_filter; apply/nandP; right; apply/flattenP => -[l /without_i/negP].
  rewrite inE !mem_filter; case: eqVneq => [->|ji] /=; first by rewrite iT iF.
  case jT: (j \in T) => //=; apply/flattenP/flattenP => -[l l_in jl]; exists l => //; last first.
    by move: l_in; rewrite mem_filter => /andP[].
  rewrite mem_filter l_in andbT /inside has_eqb; apply/negP => il; have := one l l_in.
  have : i \in filter (mem T) l by rewrite mem_filter /= iT.
  have : j \in filter (mem T) l by rewrite mem_filter /= jT.
  by rewrite -size_filter; case: (filter _ l) => [|b [|]] //; rewrite !inE => /eqP jb /eqP ib; rewrite jb ib eqxx in ji.
have -> : (k - size J - 1 = count (mem T) (flatten others))%N.
  by rewrite -free -size_filter (perm_size split) /= subn1 size_filter.
rewrite -[X in _ + X]big_filter (perm_big _ split) big_cons (valueD R (Z.add _ _)) (valueD R (p i)) value_total /= addrCA addrA.
rewrite ler_add2l big_filter; apply: value_parts => l; rewrite mem_filter => /andP[_]; exact: one.
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
move=> /andP[g0 /allP check] ul sym; pose row i := nth [::] L (find (Nat.eqb i) l).
have dominant i : i \in l -> Z.leb
    (total (fun j => if Nat.eqb i j then Z0 else Z.abs (Z.sub (Z.mul g (o i j)) (dot (row i) (row j)))) l)
    (Z.sub (Z.mul g (d i)) (dot (row i) (row i))) by move/check.
pose M i j := if i == j then val (d i) else val (o i j); rewrite -/M; pose P := \max_(i <- l) size (row i).
pose gram i j := \sum_(q < P) val (nth Z0 (row i) q) * val (nth Z0 (row j) q).
have dotE i j : i \in l -> val (dot (row i) (row j)) = gram i j.
  by move=> il; apply: value_dot; apply: leq_bigmax_seq.
have gramC i j : gram i j = gram j i by apply: eq_bigr => q _; rewrite mulrC.
rewrite -(pmulr_rge0 _ (value_gt0 R g0)) -formZ.
have -> : form (fun i j => val g * M i j) l x =
  form (fun i j => val g * M i j - gram i j) l x + form gram l x.
  by rewrite -formD; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite subrK.
rewrite addr_ge0 //; last exact: (@gram_ge0 R P (fun i q => val (nth Z0 (row i) q))).
apply: dominant_ge0 => // [i j il jl | i il].
  rewrite gramC /M eq_sym; congr (_ * _ - _).
  by case: eqP => [-> //|_]; rewrite sym.
have /(value_le R) := dominant i il; rewrite value_total valueB valueM dotE // {2}/M eqxx.
apply: le_trans; rewrite big_mkcond big_seq [X in _ <= X]big_seq; apply: ler_sum => j jl.
rewrite eqbE /M (eq_sym j); case: eqP => //= _; rewrite ?value0 //.
by rewrite value_abs valueB valueM dotE.
Qed.

(* From here on: one support T of a node, and one x that is 0 off T. *)
Variables (S : seq (seq Z)) (U : Z) (k : nat) (J F T : seq nat) (parts : seq (seq nat)) (x : nat -> R).
Hypothesis node : support_of k J F T.
Hypothesis partsF : parts_of F T parts.
Hypothesis sym : {in J ++ F &, forall i j, entry S i j = entry S j i}.
Hypothesis zero : forall i, i \notin T -> x i = 0.

Notation sigma := (fun i j => val (entry S i j)).
Notation bounded := (form sigma T x <= val U * square T x).

Let inTJF : {subset T <= J ++ F}. Proof. exact: drawn_from node. Qed.

Lemma rows_paid (N : nat -> nat -> R) (c : nat -> R) :
  (forall i, i \in T -> \sum_(j <- T) N i j <= c i) ->
  \sum_(i <- T) (x i ^+ 2 * \sum_(j <- T) N i j) <= \sum_(i <- T) c i * x i ^+ 2.
Proof.
move=> rows; rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => i iT.
by rewrite mulrC ler_wpmul2r ?sqr_ge0 // rows.
Qed.

Lemma rowsum_bounds w : rowsum S U J F parts (k - size J) w -> bounded.
Proof.
move=> /allP check; pose w' i := val (nth Z0 w i).
pose p i j := Z.mul (if Nat.eqb i j then entry S i j else Z.abs (entry S i j)) (nth Z0 w j).
have w_gt0 i : i \in T -> 0 < w' i by move=> /inTJF /check /andP[/(value_gt0 R)].
pose N i j := val (p i j) / w' i.
apply: le_trans (@pairs_paid R sigma N T x _) _ => [i j iT jT|]; last first.
  rewrite /square mulr_sumr; apply: rows_paid => i iT.
  rewrite -mulr_suml ler_pdivr_mulr ?w_gt0 //; apply: le_trans (value_cost (p i) node partsF iT) _.
  by rewrite -valueM; apply: value_le; have /andP[] := check i (inTJF iT).
have [<- | ij] := eqVneq i j.
  by rewrite /N /p eqbE eqxx valueM mulfK ?gt_eqF ?w_gt0 // expr2 mulr_natl mulr2n.
have NE a b : a != b -> N a b = `|sigma a b| * w' b / w' a.
  by move=> /negPf ab; rewrite /N /p eqbE ab valueM value_abs.
have size_ge0 a b : a \in T -> b \in T -> 0 <= `|sigma a b| * w' b / w' a.
  by move=> aT bT; rewrite divr_ge0 ?mulr_ge0 ?normr_ge0 // ltW ?w_gt0.
rewrite !NE // 1?eq_sym //; apply: pair_paid; rewrite ?size_ge0 //.
rewrite (sym (inTJF jT) (inTJF iT)) mulrACA -invfM mulrACA -expr2 real_normK ?num_real //.
by rewrite (mulrC (w' j)) mulfK // mulf_neq0 ?gt_eqF ?w_gt0.
Qed.

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
  rewrite -!formD; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT.
  by rewrite split ?inTJF // mulN1r.
rewrite addrA subr_ge0 => /le_trans; apply; rewrite /square mulr_sumr -ler_subr_addl.
apply: le_trans paid _; rewrite -sumrB; apply: ler_sum => i _.
by rewrite -mulrBl opprB addrC subrK.
Qed.

Lemma spectral_bounds g L : spectral S U (J ++ F) g L -> bounded.
Proof.
move=> check; apply: (semidefinite_bounds (c := fun=> 0) (A := fun _ _ => 0) check) => [i j il jl|i j _ _|].
- by rewrite sym.
- by rewrite subr0 valueB valueN sub0r; case: eqP => [->|]; rewrite ?add0r.
by rewrite /form !big1 // => i _; rewrite ?mul0r // big1 // => j _; rewrite mul0r.
Qed.

Lemma perron_bounds P N g L : perron S U J F parts (k - size J) P N g L -> bounded.
Proof.
move=> /andP[/allP paid check].
have pay i j : i \in J ++ F -> j \in J ++ F -> [&& Z.eqb (entry P i j) (entry P j i),
    Z.leb Z0 (entry N i j) & Z.leb (Z.mul (entry P i j) (entry P i j)) (Z.mul (entry N i j) (entry N j i))].
  by move=> il jl; have /allP := paid i il; apply.
have symP : {in J ++ F &, forall i j, entry P i j = entry P j i}.
  by move=> i j il jl; have /and3P[/Z.eqb_eq] := pay i j il jl.
pose c i := val (cost J parts (k - size J) (entry N i) i).
apply: (semidefinite_bounds (c := c) (A := fun i j => val (entry P i j)) check).
- by move=> i j il jl; rewrite symP // sym.
- move=> i j _ _; rewrite !valueB valueD valueB -/(c i); case: eqP => [->|_]; last by rewrite add0r.
  by ring.
apply: le_trans (@pairs_paid R _ (fun i j => val (entry N i j)) T x _) _ => [i j iT jT|].
  have /and3P[_ Nij le_PN] := pay i j (inTJF iT) (inTJF jT).
  have /and3P[_ Nji _] := pay j i (inTJF jT) (inTJF iT).
  by apply: pair_paid; rewrite ?value_ge0 // expr2 -!valueM; apply: value_le.
by apply: rows_paid => i iT; apply: value_cost node partsF iT.
Qed.

Lemma trace_bounds d g L : (0 < k)%N -> trace S k U J F (k - size J) d g L -> bounded.
Proof.
move=> k_gt0 /andP[check enough]; case: (node) => uJF uT sT _ _.
pose G i j := sigma i j + (if i == j then val d else 0).
have psd y : 0 <= form G T y.
  pose y' i := if i \in T then y i else 0.
  have := semidefinite_ge0 y' check uJF sym; rewrite (form_support _ uT) // => [|i /negPf]; last first.
    by rewrite /y' => ->.
  congr (_ <= _); rewrite /form big_seq [RHS]big_seq; apply: eq_bigr => i iT.
  rewrite big_seq [RHS]big_seq; apply: eq_bigr => j jT; rewrite /y' iT jT /G; congr (_ * _).
  by case: eqP => [->|]; rewrite ?valueD ?addr0.
have symG : {in T &, forall i j, G i j = G j i}.
  by move=> i j iT jT; rewrite /G eq_sym sym ?inTJF //; case: eqP => [->|].
have := trace_paid x uT symG psd; rewrite {1}/G formD form_diagonal // -mulr_sumr -/(square T x).
rewrite -ler_subr_addr -mulrBl => /le_trans; apply; rewrite ler_wpmul2r ?square_ge0 //.
apply: le_trans (value_le R enough).
rewrite (valueD R (Z.add _ _)) (valueD R (total _ _)) valueM value_nat value_total ler_subl_addr.
have -> : \sum_(j <- T) G j j = \sum_(j <- T) sigma j j + k%:R * val d.
  under eq_bigr => j _ do rewrite /G eqxx.
  by rewrite big_split /= big_const_seq count_predT iter_addr addr0 sT mulr_natl.
have -> : (k%:R : R) = (k - 1)%:R + 1 by rewrite -[in LHS](prednK k_gt0) -addn1 natrD subn1.
rewrite mulrDl mul1r addrA !ler_add2r (perm_big _ (support_split node)) big_cat /= ler_add2l.
rewrite big_filter -(count_free node).
exact: value_dearest.
Qed.

Lemma total_eq f h l : f =1 h -> total f l = total h l.
Proof. by move=> fh; elim: l => //= i l ->; rewrite fh. Qed.

Lemma psi_bounds r A Y charges residual g L :
  psi S U J F (k - size J) r A Y charges residual g L -> bounded.
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
  rewrite !valueB !valueM !valueD !a_dot // y_dot // -expr2 => ok; split=> //.
  exact: rank_one_paid.
pose H p q := \sum_(i <- J) a i p * a i q + \sum_(i <- F) y i p * y i q.
have le_H : form H (iota 0 r) image + val (dearest (map (nth Z0 charges) F) (k - size J)) * ip r image image <=
    mu * ip r image image.
  pose Hz p q := Z.add (total (fun i => Z.mul (entry A i p) (entry A i q)) J)
    (total (fun i => Z.mul (entry Y i p) (entry Y i q)) F).
  have HzE p q : val (Hz p q) = H p q.
    by rewrite valueD !value_total; congr (_ + _); apply: eq_bigr => i _; rewrite valueM.
  have symH p q : Z.opp (Hz p q) = Z.opp (Hz q p).
    by congr (Z.opp (Z.add _ _)); apply: total_eq => i; apply: Z.mul_comm.
  set near := dearest _ _; set nearest := Z.sub (Z.sub U residual) near.
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
  rewrite ler_wpmul2r ?ip_ge0 // -(count_free node); exact: value_dearest.
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
rewrite subr_ge0 => /le_trans; apply; rewrite -ler_subr_addr -mulrBl.
exact: le_gram.
Qed.

End Rules.
