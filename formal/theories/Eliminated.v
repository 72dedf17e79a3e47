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
  let tables := map (rows_of (alone n) S) (points_of c) in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n,
      check_witness S n k include exclude (lower_of c) (witness c), Z.leb Z0 shift,
      semidefinite why (iota 0 n) (fun=> shift) (whole n S) &
      all (fun b =>
        let left := Z.sub (upper_of c) (Z.add (dearest_of variances b) (Z.mul (Z.of_nat b) shift)) in
        Z.leb left (upper_of c) && Z.leb Z0 (Z.add left shift) && (eqn b k ||
          check_tree n [::] [:: (iota 0 n, (k - b)%nat)] S left tables [::] include exclude (nth (Rule Listed) proofs b)))
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
  have X0 : 0 <= alpha * B + gamma * A by rewrite addr_ge0 ?mulr_ge0.
  rewrite leNgt; apply/negP => above; have C0 : 0 <= C by apply: le_trans X0 (ltW above).
  have : (alpha * B + gamma * A) ^+ 2 < C ^+ 2 by rewrite ltr_pexpn2r.
  rewrite ltNge => /negP[]; apply: le_trans cross _; apply: le_trans (_ : 4%:R * (alpha * A * (gamma * B)) <= _).
    by rewrite ler_pmul2l ?ltr0n // ler_pmul.
  rewrite -subr_ge0 (_ : _ - _ = (alpha * B - gamma * A) ^+ 2) ?sqr_ge0 //; ring.
rewrite (_ : (alpha + gamma) * (A + B) = alpha * A + (alpha * B + gamma * A) + gamma * B); last by ring.
by rewrite !ler_add.
Qed.

Lemma form_parts (G : nat -> nat -> R) l (x y : nat -> R) (s t : R) :
  form G l (fun i => s * x i + t * y i) = s ^+ 2 * form G l x +
    s * t * (\sum_(i <- l) \sum_(j <- l) G i j * (x i * y j + y i * x j)) + t ^+ 2 * form G l y.
Proof.
rewrite /form !mulr_sumr -!big_split; apply: eq_bigr => i _ /=.
by rewrite !mulr_sumr -!big_split; apply: eq_bigr => j _ /=; ring.
Qed.

End Parts.

Section Eliminated.

Variables (R : realFieldType) (c : certificate) (J E : seq nat) (variances : seq Z) (shift : Z) (why : root) (proofs : seq (nodes leaf)).
Notation n := (size_of c).
Notation k := (cardinality c).
Notation e := (size variances).
Notation D := (denominator c).
Notation val := (@value R).
Notation d := (rational R shift D).
Hypothesis ok : check_eliminated J E c variances shift why proofs.

Variables (M : 'M[R]_(n + e)) (x : 'cV[R]_(n + e)).
Hypothesis block : forall i j : 'I_n, M (lshift e i) (lshift e j) = Sigma R c i j.
Hypothesis variance : forall j : 'I_e, M (rshift n j) (rshift n j) <= rational R (nth Z0 variances j) D.
Hypothesis psd : forall y : 'cV[R]_(n + e), 0 <= quadratic M y + d * norm2 y.
Hypothesis out : avoids E x.
Hypothesis used : (Used J x <= k)%N.

Notation N := (n + e)%N.
Notation I := (iota 0 N).
Let A (i j : nat) : R := oapp (fun a => oapp (M a) 0 (insub j)) 0 (insub i).
Let G i j := A i j + (if i == j then d else 0).
Let X := listed x.
Let Xa i := if (i < n)%N then X i else 0.
Let Xb i := if (i < n)%N then 0 else X i.
Let b := count (fun i => X i != 0) (iota n e).
Let a : 'cV[R]_n := \col_i X i.

Let AE (i j : 'I_N) : M i j = A i j. Proof. by rewrite /A !valK. Qed.

Let form_G y : form G I y = form A I y + d * square I y.
Proof. by rewrite /G formD form_diagonal ?iota_uniq // /square mulr_sumr. Qed.

Let psd_G y : 0 <= form G I y.
Proof.
have := psd (\col_i y i); rewrite (quadratic_listed _ AE) norm2_listed form_G.
congr (_ <= _ + _ * _); first by apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; rewrite !listed_col.
by apply: eq_big_seq => i iI; rewrite listed_col.
Qed.

Let parts i : X i = 1 * Xa i + 1 * Xb i.
Proof. by rewrite !mul1r /Xa /Xb; case: ifP; rewrite ?addr0 ?add0r. Qed.

Lemma count_used : (Used J a + b <= k)%N.
Proof.
apply: leq_trans used; rewrite /Used.
have -> : #|[set i : 'I_N | (x i 0 != 0) || (Datatypes.id (nat_of_ord i) \in J)]| =
    count (fun i => (X i != 0) || (i \in J)) I.
  by rewrite -card_count; apply: eq_card => i; rewrite !inE /X listedE.
rewrite iotaD count_cat add0n leq_add //.
  by rewrite -card_count; apply: subset_leq_card; apply/subsetP => i; rewrite !inE mxE.
by apply: sub_count => i /= ->.
Qed.

(* The eliminated variables in use. *)
Let U := filter (fun i => X i != 0) (iota n e).

Let U_in : {subset U <= I}.
Proof. by move=> i; rewrite mem_filter !mem_iota add0n => /andP[_ /andP[_]]. Qed.

Let eliminated_bound : form G I Xb <= (rational R (dearest_of variances b) D + b%:R * d) * square I Xb.
Proof.
have uI := iota_uniq 0 N; have uU : uniq U by rewrite filter_uniq ?iota_uniq.
have off i : i \notin U -> Xb i = 0.
  rewrite mem_filter mem_iota /Xb; case: (ltnP i n) => //= ni /nandP[/negPn/eqP //|beyond].
  by apply: listed_out; rewrite mem_iota.
rewrite (form_support _ uU uI U_in off) (square_support uU uI U_in off).
apply: le_trans (trace_paid Xb uU (psd_support uU uI U_in psd_G)) _; rewrite ler_wpmul2r ?square_ge0 //.
have bE : size U = b by rewrite size_filter.
apply: le_trans (_ : \sum_(i <- U) (rational R (nth Z0 variances (i - n)) D + d) <= _).
  apply: sum_le => i iU; rewrite /G eqxx ler_add2r.
  have lj : (i - n < e)%N /\ (n <= i)%N.
    by move: iU; rewrite mem_filter mem_iota => /andP[_ /andP[ni lN]]; rewrite ltn_subLR.
  have -> : A i i = M (rshift n (Ordinal lj.1)) (rshift n (Ordinal lj.1)) by rewrite AE /= subnKC // lj.2.
  exact: variance (Ordinal lj.1).
rewrite big_split big_const_seq count_predT bE iter_addr addr0 -[d *+ b]mulr_natl ler_add2r.
rewrite -mulr_suml ler_wpmul2r ?invr_ge0 //.
  have /and5P[/andP[/andP[D0 _] _] _ _ _ _] := ok; by rewrite ltW // value_gt0.
have -> : \sum_(i <- U) val (nth Z0 variances (i - n)) = \sum_(j <- iota 0 e | X (n + j)%N != 0) val (nth Z0 variances j).
  rewrite /U big_filter -[n in iota n e]addn0 iotaDl big_map; apply: eq_bigr => j _; by rewrite addKn.
have -> : b = count (fun j => X (n + j)%N != 0) (iota 0 e) by rewrite /b -[n in iota n e]addn0 iotaDl count_map.
rewrite -big_filter -size_filter; have [js [js_first in_js sorted_js]] := @ranked_row id (iota 0 e) e variances (fun j h => h).
rewrite /dearest_of [dearest_first _ _]js_first; apply: dearest_bound => // [j||j].
- by rewrite mem_filter => /andP[_ /in_js].
- by rewrite map_id filter_uniq ?iota_uniq.
by rewrite mem_filter member_set => /andP[_ ->]; rewrite /member_of Z.testbit_0_l.
Qed.

Let kept_bound w : quadratic (Sigma R c) a <= w * norm2 a -> form G I Xa <= (w + d) * square I Xa.
Proof.
have uI := iota_uniq 0 N; have un := iota_uniq 0 n.
have sub : {subset iota 0 n <= I} by move=> i; rewrite !mem_iota /= => li; apply: leq_trans li (leq_addr _ _).
have off i : i \notin iota 0 n -> Xa i = 0 by rewrite mem_iota /= /Xa => /negPf ->.
rewrite form_G mulrDl ler_add2r (form_support _ un uI sub off) (square_support un uI sub off) => le_w.
have aE i : i \in iota 0 n -> listed a i = Xa i.
  rewrite mem_iota /= => li; rewrite -[i]/(nat_of_ord (Ordinal li)) listedE mxE /Xa ltn_ord //.
have Sigma_A (i j : 'I_n) : Sigma R c i j = A i j by rewrite -block AE.
move: le_w; rewrite (quadratic_listed a Sigma_A) norm2_listed; congr (_ <= _ * _).
  by apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; rewrite !aE.
by apply: eq_big_seq => i iI; rewrite aE.
Qed.

Let avoids_a : avoids E a.
Proof. move=> i iE; rewrite mxE /X -[nat_of_ord i]/(nat_of_ord (lshift e i)) listedE; exact: out. Qed.

Let square_X : square I X = square I Xa + square I Xb.
Proof.
by rewrite /square -big_split; apply: eq_bigr => i _; rewrite /Xa /Xb /=; case: ifP; rewrite expr0n ?addr0 ?add0r.
Qed.

Let form_X : form G I X = form G I Xa +
  \sum_(i <- I) \sum_(j <- I) G i j * (Xa i * Xb j + Xb i * Xa j) + form G I Xb.
Proof.
rewrite -[RHS](_ : form G I (fun i => 1 * Xa i + 1 * Xb i) = _); last by rewrite form_parts expr1n !mul1r.
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite -!parts.
Qed.

Lemma eliminated_bounds : quadratic M x <= upper R c * norm2 x.
Proof.
rewrite (quadratic_listed x AE) norm2_listed -(ler_add2r (d * square I X)) -form_G -mulrDl.
have /and5P[/andP[shape sym] _ _ _ /allP each] := ok.
have be : (b <= e)%N by rewrite -[e](size_iota n); apply: count_size.
have bk : (b <= k)%N by apply: leq_trans count_used; apply: leq_addl.
have /each/andP[/andP[less room] proved] : b \in iota 0 (minn k e).+1 by rewrite mem_iota ltnS leq_min bk.
set left := Z.sub _ _ in less room proved; pose w := rational R left D.
have D_gt0 := positive_D R shape.
have above : quadratic (Sigma R c) a <= w * norm2 a.
  have [bkE|lt_bk] := eqVneq b k.
    suff -> : a = 0 by rewrite /quadratic /norm2 trmx0 !mul0mx mxE mulr0.
    have := count_used; rewrite bkE -[X in (_ <= X)%N]add0n leq_add2r leqn0 cards_eq0 => /eqP/setP none.
    apply/matrixP => i j; rewrite ord1 [RHS]mxE; apply/eqP; have := none i; rewrite !inE => /negbT.
    by rewrite negb_or negbK => /andP[].
  move: proved; rewrite eqnE (negPf lt_bk) => proved.
  by apply: (scope_bounds shape sym proved avoids_a); rewrite leq_subRL // addnC count_used.
have alpha0 : 0 <= w + d.
  rewrite /w /rational -mulrDl -valueD; apply: divr_ge0; [exact: value_ge0 | exact: ltW].
have leftE : w = upper R c - (rational R (dearest_of variances b) D + b%:R * d).
  by rewrite /w /upper /rational valueB valueD valueM value_nat; ring.
have gamma0 : 0 <= rational R (dearest_of variances b) D + b%:R * d.
  by rewrite -(subKr (upper R c) (_ + _)) -leftE subr_ge0 /w /rational ler_pmul2r ?invr_gt0 // value_le.
rewrite form_X square_X (_ : upper R c + d = w + d + (rational R (dearest_of variances b) D + b%:R * d)); last first.
  by rewrite leftE addrAC subrK.
by apply: parts_bound (kept_bound above) eliminated_bound; rewrite ?square_ge0 // => s t; rewrite -form_parts.
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
