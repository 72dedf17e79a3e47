(* Claims about every matrix that has the block Sigma, beside it variables with bounded variances, and no eigenvalue
   below -shift: what is proved of the block, and of the variances, bounds x'Mx for every sparse x. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Families NearOptimal Projection.

(* The sum of the m largest. *)
Definition dearest_of (prices : seq Z) (m : nat) : Z :=
  let e := size prices in
  dearest (set_of (iota 0 e)) Z0 m (dearest_first (alone e) prices).

(* With b of the eliminated variables a support has k - b others: `proofs` has a tree for each b. *)
Definition check_eliminated (include exclude : seq nat) (c : certificate) (variances : seq Z) (shift : Z)
    (why : root) (proofs : seq (nodes leaf)) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let k := cardinality c in
  let tables := map (rows_of Z.abs (alone n) S [::]) (points_of c) in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n,
      check_witness S n k include exclude (lower_of c) (witness c), Z.leb Z0 shift,
      semidefinite why (iota 0 n) (fun=> shift) (whole n S) &
      all (fun b =>
        let left := Z.sub (upper_of c) (Z.add (dearest_of variances b) (Z.mul (Z.of_nat b) shift)) in
        [&& Z.leb left (upper_of c), Z.leb Z0 (Z.add left shift) &
          check_tree n [::] [:: (iota 0 n, (k - b)%nat)] S left tables [::] include exclude (nth (Rule Listed) proofs b)])
        (iota 0 (minn k (size variances)).+1)].

Section Parts.

Variable R : realFieldType.

(* p + C + r is x'Gx for x = a + b, G positive semidefinite. *)
Lemma parts_bound (p C r alpha gamma A B : R) : (forall s t, 0 <= s ^+ 2 * p + s * t * C + t ^+ 2 * r) ->
  0 <= alpha -> 0 <= gamma -> 0 <= A -> 0 <= B -> p <= alpha * A -> r <= gamma * B ->
  p + C + r <= (alpha + gamma) * (A + B).
Proof.
move=> psd alpha0 gamma0 A0 B0 pA rB.
have p0 : 0 <= p by have := psd 1 0; rewrite expr1n mul1r mulr0 mul0r expr0n mul0r !addr0.
have r0 : 0 <= r by have := psd 0 1; rewrite expr0n !mul0r expr1n mul1r !add0r.
have cross : C ^+ 2 <= 4%:R * (p * r).
  move: p0; rewrite le0r => /orP[/eqP p_eq0|p_gt0]; last first.
    have := psd (- C) (2%:R * p); rewrite (_ : _ + _ + _ = p * (4%:R * (p * r) - C ^+ 2)); last by ring.
    by rewrite pmulr_rge0 // subr_ge0.
  have [->|C_neq0] := eqVneq C 0; first by rewrite expr0n p_eq0 mul0r mulr0.
  have := psd (- (r + 1) / C) 1; rewrite p_eq0 mulr0 add0r mulr1 expr1n mul1r divfK // addrC opprD addrA subrr add0r.
  by rewrite oppr_ge0 ler10.
have bound : C <= alpha * B + gamma * A.
  have : (C / 2%:R) ^+ 2 <= alpha * B * (gamma * A).
    rewrite expr_div_n ler_pdivr_mulr ?exprn_gt0 ?ltr0n //; apply: le_trans cross _.
    rewrite (_ : alpha * B * (gamma * A) * _ = 4%:R * (alpha * A * (gamma * B))); last by ring.
    by rewrite ler_pmul2l ?ltr0n // ler_pmul.
  move=> /(pair_paid 1 1 (mulr_ge0 alpha0 B0) (mulr_ge0 gamma0 A0)).
  by rewrite expr1n !mulr1 mulrC divfK ?pnatr_eq0.
rewrite (_ : (alpha + gamma) * (A + B) = alpha * A + (alpha * B + gamma * A) + gamma * B); last by ring.
by rewrite !ler_add.
Qed.

(* Forms with two vectors, of a part of a matrix each. *)
Definition both m l (A : 'M[R]_(m, l)) (y : 'cV_m) (z : 'cV_l) : R := (y^T *m A *m z) 0 0.

Lemma bothZ m l (A : 'M_(m, l)) s t y z : both A (s *: y) (t *: z) = s * t * both A y z.
Proof. by rewrite /both [(s *: y)^T]linearZ /= -!scalemxAl -scalemxAr [LHS]mxE [X in _ * X]mxE mulrA. Qed.

Lemma both_parts n e (M : 'M_(n + e)) y z : quadratic M (col_mx y z) =
  both (ulsubmx M) y y + (both (ursubmx M) y z + both (dlsubmx M) z y) + both (drsubmx M) z z.
Proof.
rewrite /quadratic -{1}(submxK M) tr_col_mx mul_row_block mul_row_col !mulmxDl [LHS]mxE [X in X + _]mxE [X in _ + X]mxE /both.
by rewrite -!addrA; congr (_ + _); rewrite addrCA.
Qed.

Lemma norm2_parts n e (y : 'cV[R]_n) (z : 'cV_e) : norm2 (col_mx y z) = norm2 y + norm2 z.
Proof. by rewrite /norm2 tr_col_mx mul_row_col mxE. Qed.

Lemma norm2Z n s (y : 'cV[R]_n) : norm2 (s *: y) = s ^+ 2 * norm2 y.
Proof. by rewrite /norm2 [(s *: y)^T]linearZ /= -scalemxAl -scalemxAr [LHS]mxE [X in _ * X]mxE mulrA expr2. Qed.

End Parts.

Section Eliminated.

Variables (R : realFieldType) (c : certificate) (J E : seq nat) (variances : seq Z) (shift : Z) (why : root) (proofs : seq (nodes leaf)).
Notation n := (size_of c).
Notation k := (cardinality c).
Notation e := (size variances).
Notation D := (denominator c).
Notation d := (rational R shift D).
Hypothesis ok : check_eliminated J E c variances shift why proofs.

Variables (M : 'M[R]_(n + e)) (x : 'cV[R]_(n + e)).
Hypothesis block : forall i j : 'I_n, M (lshift e i) (lshift e j) = Sigma R c i j.
Hypothesis variance : forall j : 'I_e, M (rshift n j) (rshift n j) <= rational R (nth Z0 variances j) D.
Hypothesis psd : forall y : 'cV[R]_(n + e), 0 <= quadratic M y + d * norm2 y.
Hypothesis out : avoids E x.
Hypothesis used : (Used J x <= k)%N.

Notation I := (iota 0 e).
Let a := usubmx x.
Let v := dsubmx x.
Let U := filter (fun i => listed v i != 0) I.
Let A (i j : nat) : R := oapp (fun a => oapp (drsubmx M a) 0 (insub j)) 0 (insub i).
Let AE (i j : 'I_e) : drsubmx M i j = A i j. Proof. by rewrite /A !valK. Qed.
Let G i j := A i j + (if i == j then d else 0).

Let form_G y : form G I y = form A I y + d * square I y.
Proof. by rewrite /G formD form_diagonal ?iota_uniq // /square mulr_sumr. Qed.

Let psd_G y : 0 <= form G I y.
Proof.
have := psd (col_mx (0 *: 0) (1 *: \col_i y i)); rewrite both_parts norm2_parts !norm2Z !bothZ expr0n expr1n /= !(mulr0, mul0r, add0r, mul1r).
rewrite -[both _ _ _]/(quadratic (drsubmx M) _) (quadratic_listed _ AE) norm2_listed form_G.
congr (_ <= _ + _ * _); first by apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; rewrite !listed_col.
by apply: eq_big_seq => i iI; rewrite listed_col.
Qed.

Lemma count_used : (Used J a + size U <= k)%N.
Proof.
apply: leq_trans used; rewrite /Used /U size_filter -card_count -(card_imset _ (@lshift_inj n e)) -[X in (_ + X)%N](card_imset _ (@rshift_inj n e)).
rewrite -cardsUI [X in (_ + X)%N](_ : _ = 0%N) ?addn0; last first.
  by apply/eqP; rewrite cards_eq0; apply/eqP/setP => i; rewrite !inE; apply/andP => -[/imsetP[j _ ->] /imsetP[h _ /eqP]]; rewrite eq_lrshift.
apply/subset_leq_card/subsetP => i; rewrite !inE => /orP[] /imsetP[j + ->]; rewrite !inE ?listedE mxE //.
by move=> ->.
Qed.

(* The eliminated variables in use. *)
Lemma eliminated_bound : quadratic (drsubmx M) v + d * norm2 v <= (rational R (dearest_of variances (size U)) D + (size U)%:R * d) * norm2 v.
Proof.
have uI := iota_uniq 0 e; have uU : uniq U by rewrite filter_uniq.
have U_in : {subset U <= I} by move=> i; rewrite mem_filter => /andP[].
have off i : i \notin U -> listed v i = 0.
  by rewrite mem_filter; have [iI|/listed_out //] := boolP (i \in I); rewrite andbT negbK => /eqP.
rewrite (quadratic_listed v AE) norm2_listed -form_G (form_support _ uU uI U_in off) (square_support uU uI U_in off).
apply: le_trans (trace_paid (listed v) uU (psd_support uU uI U_in psd_G)) _; rewrite ler_wpmul2r ?square_ge0 //.
apply: le_trans (_ : \sum_(i <- U) (rational R (nth Z0 variances i) D + d) <= _).
  apply: sum_le => i /U_in; rewrite mem_iota /= => li; rewrite /G eqxx ler_add2r -[i]/(nat_of_ord (Ordinal li)) -AE !mxE.
  exact: variance.
rewrite big_split big_const_seq count_predT iter_addr addr0 -[d *+ _]mulr_natl ler_add2r.
have /and5P[/andP[/andP[D0 _] _] _ _ _ _] := ok; rewrite -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW (value_gt0 _ D0)) //.
have [js [js_first in_js sorted_js]] := @ranked_row id I e variances (fun j h => h).
rewrite /dearest_of [dearest_first _ _]js_first; apply: dearest_bound => // [j /U_in/in_js //||j]; first by rewrite map_id.
by move=> /U_in; rewrite member_set => ->; rewrite /member_of Z.testbit_0_l.
Qed.

Lemma eliminated_bounds : quadratic M x <= upper R c * norm2 x.
Proof.
have /and5P[/andP[shape sym] _ _ _ /allP each] := ok; set b := size U.
have be : (b <= e)%N by rewrite /b size_filter -[e in (_ <= e)%N](size_iota 0); apply: count_size.
have bk : (b <= k)%N by apply: leq_trans count_used; apply: leq_addl.
have /each/and3P[less room proved] : b \in iota 0 (minn k e).+1 by rewrite mem_iota ltnS leq_min bk.
set left := Z.sub _ _ in less room proved; pose w := rational R left D.
have D_gt0 := positive_D R shape.
have above : quadratic (Sigma R c) a <= w * norm2 a.
  apply: (scope_bounds shape sym proved) => [i iE|]; first by rewrite mxE out.
  by rewrite leq_subRL // addnC count_used.
have alpha0 : 0 <= w + d.
  rewrite /w /rational -mulrDl -valueD; apply: divr_ge0; [exact: value_ge0 | exact: ltW].
have leftE : w = upper R c - (rational R (dearest_of variances b) D + b%:R * d).
  by rewrite /w /upper /rational valueB valueD valueM value_nat; ring.
have gamma0 : 0 <= rational R (dearest_of variances b) D + b%:R * d.
  by rewrite -(subKr (upper R c) (_ + _)) -leftE subr_ge0 /w /rational ler_pmul2r ?invr_gt0 // value_le.
have ulE : ulsubmx M = Sigma R c by apply/matrixP => i j; rewrite -block !mxE.
have norm_ge0 m (y : 'cV[R]_m) : 0 <= norm2 y by rewrite norm2_listed square_ge0.
rewrite -(ler_add2r (d * norm2 x)) -mulrDl -(vsubmxK x) -/a -/v both_parts norm2_parts.
set C := both _ a v + _; rewrite (_ : _ + _ + _ + _ = both (ulsubmx M) a a + d * norm2 a + C + (both (drsubmx M) v v + d * norm2 v)); last by ring.
rewrite (_ : upper R c + d = w + d + (rational R (dearest_of variances b) D + b%:R * d)); last by rewrite leftE addrAC subrK.
apply: parts_bound => //; [|by rewrite ulE mulrDl ler_add2r|exact: eliminated_bound].
move=> s t; have := psd (col_mx (s *: a) (t *: v)); rewrite both_parts norm2_parts !norm2Z !bothZ; congr (_ <= _); rewrite /C; ring.
Qed.

End Eliminated.

(* For every such matrix M; and the block meets the condition itself. *)
Theorem check_eliminated_sound (R : realFieldType) (c : certificate) (include exclude : seq nat) (variances : seq Z) (shift : Z)
  (why : root) (proofs : seq (nodes leaf)) (e := size variances) (d := rational R shift (denominator c)) :
  check_eliminated include exclude c variances shift why proofs ->
  [/\ forall M : 'M[R]_(size_of c + e), M^T = M -> (forall i j, M (lshift e i) (lshift e j) = Sigma R c i j) ->
        (forall j, M (rshift _ j) (rshift _ j) <= rational R (nth Z0 variances j) (denominator c)) ->
        (forall y, 0 <= quadratic M y + d * norm2 y) ->
        forall x, avoids exclude x -> (Used include x <= cardinality c)%N -> quadratic M x <= upper R c * norm2 x,
      forall y, 0 <= quadratic (Sigma R c) y + d * norm2 y &
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
move=> ok; have /and5P[/andP[shape sym] /(check_witness_sound R shape) low _ semi _] := ok.
split=> // [M symM block variance psd x out used|y].
  exact: (eliminated_bounds ok).
have D_gt0 := positive_D R shape.
rewrite -(pmulr_lge0 _ D_gt0) mulrDl Sigma_form // mulrAC norm2_listed /d /rational divfK ?gt_eqF //.
rewrite wholeE in semi; have := semidefinite_ge0 (listed y) semi (iota_uniq _ _) (symS sym).
by rewrite -mulr_sumr.
Qed.
