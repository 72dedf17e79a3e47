(* Claims about every matrix that has the block Sigma, beside it variables with bounded variances, and no eigenvalue
   below -shift: what is proved of the block, and of the variances, bounds x'Mx for every sparse x. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Families.

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
        Z.leb Z0 (Z.add left shift) &&
        check_tree n [::] [:: (iota 0 n, (k - b)%nat)] S left tables [::] include exclude (nth (Rule Listed) proofs b))
        (iota 0 (minn k (size variances)).+1)].

Section Eliminated.

Variables (R : realFieldType) (c : certificate) (J E : seq nat) (variances : seq Z) (shift : Z) (why : root).
Variable proofs : seq (nodes leaf).
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

Notation I := (iota 0 (n + e)).
Notation X := (listed x).
Let A (i j : nat) : R := oapp (fun a => oapp (M a) 0 (insub j)) 0 (insub i).
Let AE (i j : 'I_(n + e)) : M i j = A i j. Proof. by rewrite /A !valK. Qed.
Let G i j := A i j + (if i == j then d else 0).

(* The eliminated variables in use, and all others. *)
Let V := filter (fun i => X (n + i) != 0) (iota 0 e).
Let T := map (addn n) V ++ iota 0 n.

Let IE : I = iota 0 n ++ map (addn n) (iota 0 e).
Proof. by rewrite iotaD add0n -iotaDl addn0. Qed.

Let uT : uniq T.
Proof.
rewrite /T uniq_catC; apply: subseq_uniq (iota_uniq 0 (n + e)).
by rewrite IE cat_subseq // map_subseq // filter_subseq.
Qed.

Let TI : {subset T <= I}.
Proof.
move=> i; rewrite IE !mem_cat => /orP[/mapP[h + ->]|->//]; rewrite mem_filter => /andP[_ hI].
by rewrite map_f ?orbT.
Qed.

Let off i : i \notin T -> X i = 0.
Proof.
have [|/listed_out //] := boolP (i \in I).
rewrite IE !mem_cat negb_or => /orP[->|/mapP[h hI ->] /andP[no _]]; first by rewrite andbF.
by apply: contraNeq no => Xh; rewrite map_f // mem_filter Xh.
Qed.

Let form_G l y : uniq l -> form G l y = form A l y + d * square l y.
Proof. by move=> ul; rewrite /G formD form_diagonal // /square mulr_sumr. Qed.

Let psd_G y : 0 <= form G I y.
Proof.
have := psd (\col_i y i); rewrite (quadratic_listed _ AE) norm2_listed -form_G ?iota_uniq //.
by congr (_ <= _); apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; rewrite !listed_col.
Qed.

Let usedE i : i \in iota 0 n -> listed (usubmx x) i = X i.
Proof.
rewrite mem_iota /= => li; rewrite -[i in LHS]/(nat_of_ord (Ordinal li)) listedE mxE -listedE.
by [].
Qed.

Lemma count_used : (Used J (usubmx x) + size V <= k)%N.
Proof.
apply: leq_trans used; rewrite !UsedE IE count_cat count_map size_filter leq_add //.
  by apply/eq_leq/eq_in_count => i /usedE ->.
by apply: sub_count => i Xi /=; rewrite Xi orbT.
Qed.

Lemma variances_bound :
  \sum_(j <- map (addn n) V) G j j <= rational R (dearest_of variances (size V)) D + (size V)%:R * d.
Proof.
rewrite big_map; apply: le_trans (_ : \sum_(i <- V) (rational R (nth Z0 variances i) D + d) <= _).
  apply: sum_le => i; rewrite mem_filter mem_iota => /andP[_ /= li]; rewrite /G eqxx ler_add2r.
  by rewrite -[(n + i)%N]/(nat_of_ord (rshift n (Ordinal li))) -AE (variance (Ordinal li)).
rewrite big_split big_const_seq count_predT iter_addr addr0 -[d *+ _]mulr_natl ler_add2r.
have /and4P[/andP[/andP[D0 _] _] _ _ _] := ok.
rewrite -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW (value_gt0 _ D0)) //.
have VI : {subset V <= iota 0 e} by move=> i; rewrite mem_filter => /andP[].
have [js [js_first in_js sorted_js]] := @ranked_row id (iota 0 e) e variances (fun j h => h).
rewrite /dearest_of [dearest_first _ _]js_first; apply: dearest_bound => // [j /VI/in_js //||j].
  by rewrite map_id filter_uniq ?iota_uniq.
by move=> /VI; rewrite member_set => ->; rewrite /member_of Z.testbit_0_l.
Qed.

Lemma eliminated_bounds : quadratic M x <= upper R c * norm2 x.
Proof.
have /and5P[/andP[shape sym] _ _ _ /allP each] := ok; set b := size V; have D_gt0 := positive_D R shape.
have bk : (b <= k)%N by apply: leq_trans count_used; apply: leq_addl.
have be : (b <= e)%N by rewrite /b size_filter -[e in (_ <= e)%N](size_iota 0); apply: count_size.
have /each/andP[room proved] : b \in iota 0 (minn k e).+1 by rewrite mem_iota ltnS leq_min bk.
set left := Z.sub _ _ in room proved; pose w := rational R left D.
have inner : form G (iota 0 n) X <= (w + d) * square (iota 0 n) X.
  rewrite form_G ?iota_uniq // mulrDl ler_add2r.
  have : quadratic (Sigma R c) (usubmx x) <= w * norm2 (usubmx x).
    by apply: (scope_bounds shape sym proved) => [i iE|]; rewrite ?mxE ?out // leq_subRL // addnC count_used.
  rewrite norm2_listed (@quadratic_listed _ _ _ A) => [|i j]; last by rewrite -block AE.
  congr (_ <= _ * _); last by apply: eq_big_seq => i /usedE ->.
  by apply: eq_big_seq => i /usedE ->; apply: eq_big_seq => j /usedE ->.
rewrite -(ler_add2r (d * norm2 x)) -mulrDl (quadratic_listed _ AE) norm2_listed -form_G ?iota_uniq //.
rewrite (form_support _ uT) ?(square_support uT) ?iota_uniq //.
apply: le_trans (many_more uT (psd_support uT (iota_uniq _ _) TI psd_G) _ inner) _.
  by rewrite /w /rational -mulrDl -valueD divr_ge0 ?(value_ge0 R room) // ltW.
rewrite ler_wpmul2r ?square_ge0 //; apply: le_trans (ler_add (lexx _) variances_bound) _.
by rewrite -/b /w /upper /rational valueB valueD valueM value_nat; apply: eqW; ring.
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
