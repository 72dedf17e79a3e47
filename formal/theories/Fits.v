(* Claims about least squares: what fits of few variables leave of a sum of squares, by a ratio of two forms. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Blocks Walk Leaves Soundness Families NearOptimal Ratios.

(* Sums of squares: n columns of p observations, and a response, in units of 1/unit; with an intercept their means
   are taken off, in units of 1/(p unit). The ridge, in units of 1/unit^2, is a price of squared coefficients. *)
Record fit := Fit {
  observations : nat;
  intercept : bool;
  ridge : Z;
  unit_of_data : Z;
  columns : seq (seq Z);
  response : seq Z }.

Definition centred (d : fit) (a : seq Z) : seq Z :=
  if intercept d then
    let sum := foldr (fun b s => Z.add b s) Z0 a in
    map (fun b => Z.sub (Z.mul (Z.of_nat (observations d)) b) sum) a
  else a.

Definition times_centred (d : fit) : Z := if intercept d then Z.of_nat (observations d) else Zpos xH.

Definition unit_of_centred (d : fit) : Z := Z.mul (times_centred d) (unit_of_data d).

(* A = bb' with b = X'y, and B = X'X and the ridge, both in units of the fourth power of that of centred data. *)
Definition numerator (d : fit) (n : nat) : seq (seq Z) :=
  let b := map (dot (centred d (response d))) (map (centred d) (columns d)) in
  block (iota 0 n) (fun i j => Z.mul (nth Z0 b i) (nth Z0 b j)).

Definition denominator_of (d : fit) (n : nat) : seq (seq Z) :=
  let X := map (centred d) (columns d) in
  let f := times_centred d in
  let h := unit_of_centred d in
  block (iota 0 n) (fun i j => Z.mul (Z.mul h h)
    (Z.add (dot (nth [::] X i) (nth [::] X j)) (if eqn i j then Z.mul (Z.mul f f) (ridge d) else Z0))).

(* The matrix of c is not looked at. *)
Definition check_fit (classes : seq nat) (quota : seq (seq nat * nat)) (include exclude : seq nat) (c : certificate) (d : fit)
    (others : Z) (list : seq member) (v : excess) : bool :=
  let n := size_of c in
  let p := observations d in
  let A := numerator d n in
  let B := denominator_of d n in
  let l := support_of_witness n (witness c) in
  [&& [&& Z.ltb Z0 (denominator c), Z.ltb Z0 (unit_of_data d), (0 < p)%N, eqn (size (response d)) p,
        eqn (size (columns d)) n & all (fun s => eqn (size s) p) (columns d)],
      [&& Z.leb Z0 (upper_of c), Z.leb Z0 others, all (fun m => Z.leb Z0 (most m)) list, Z.leb Z0 (ridge d) &
        Z.ltb Z0 (witness_form (entry B) l (witness c))],
      check_witness B n n include exclude Z0 (witness c) && uses_few classes quota include l,
      Z.leb (Z.mul (lower_of c) (witness_form (entry B) l (witness c)))
        (Z.mul (denominator c) (witness_form (entry A) l (witness c))) &
      check_forms A B (denominator c) n classes quota include exclude (upper_of c) others list v (points_of c) (proof c)].

(* What is claimed of data: how much of a response a fit of some variables leaves, with a constant t or without. *)
Section Data.

Variables (R : realFieldType) (c : certificate) (d : fit).
Notation n := (size_of c).
Notation p := (observations d).

Definition variables_of_data : 'M[R]_(p, n) := \matrix_(q, i) rational R (entry (columns d) i q) (unit_of_data d).
Definition response_of_data : 'cV[R]_p := \col_q rational R (nth Z0 (response d) q) (unit_of_data d).

Definition may_be_constant (t : R) : Prop := intercept d \/ t = 0.

Definition ridge_of_data : R := rational R (ridge d) (Z.mul (unit_of_data d) (unit_of_data d)).

Definition left_over (w : 'cV[R]_n) (t : R) : R :=
  \sum_q (response_of_data q 0 - (variables_of_data *m w) q 0 - t) ^+ 2 + ridge_of_data * norm2 w.

(* The sum of squares of the response, about its mean where there may be a constant. *)
Definition energy : R :=
  \sum_q (response_of_data q 0 - (if intercept d then (\sum_q' response_of_data q' 0) / p%:R else 0)) ^+ 2.

End Data.

Section Centred.

Variables (R : realFieldType) (c : certificate) (d : fit).
Notation val := (@value R).
Notation n := (size_of c).
Notation p := (observations d).
Notation I := (iota 0 n).
Notation u := (val (unit_of_data d)).
Notation h := (val (unit_of_centred d)).
Hypothesis u_gt0 : 0 < u.
Hypothesis p_gt0 : (0 < p)%N.

Hypothesis ridge_ge0 : 0 <= val (ridge d).

Let mean (a : seq Z) : R := if intercept d then (\sum_(q < p) val (nth Z0 a q) / u) / p%:R else 0.
Let of_centred (a : seq Z) (q : nat) : R := val (nth Z0 (centred d a) q).

Lemma p_neq0 : p%:R != 0 :> R. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Lemma h_gt0 : 0 < h.
Proof. by rewrite /unit_of_centred /times_centred valueM mulr_gt0 //; case: ifP => _; [rewrite value_nat ltr0n | exact: ltr01]. Qed.

Lemma centredE a (q : 'I_p) : size a = p -> of_centred a q / h = val (nth Z0 a q) / u - mean a.
Proof.
move=> sa; rewrite /of_centred /centred /unit_of_centred /times_centred /mean; case: (intercept d); last by rewrite valueM mul1r subr0.
have -> : \sum_(j < p) val (nth Z0 a j) / u = (\sum_(b <- a) val b) / u.
  by rewrite (big_nth Z0) sa big_mkord mulr_suml.
rewrite (nth_map Z0) ?sa // valueB !valueM value_nat value_total; set s := \sum_(b <- a) _.
by field; rewrite p_neq0 gt_eqF.
Qed.

Lemma centred_sum a : size a = p -> intercept d -> \sum_(q < p) of_centred a q / h = 0.
Proof.
move=> sa is_in; under eq_bigr => q _ do rewrite centredE //.
by rewrite sumrB sumr_const card_ord -mulr_natl /mean is_in mulrC divfK ?p_neq0 // subrr.
Qed.

Hypothesis size_response : size (response d) = p.
Hypothesis size_columns : forall i, (i < n)%N -> size (nth [::] (columns d) i) = p.

Let column i := nth [::] (columns d) i.
Let cy := of_centred (response d).
Let cx i := of_centred (column i).

Implicit Type w : 'cV[R]_n.
Let image w q := \sum_(i <- I) listed w i * cx i q.
Let rest w q := (cy q - image w q) / h.
Let shift w t := mean (response d) - \sum_(i <- I) listed w i * mean (column i) - t.

Let restE w t (q : 'I_p) :
  response_of_data R d q 0 - (variables_of_data R c d *m w) q 0 - t = rest w q + shift w t.
Proof.
rewrite /rest mulrBl centredE // /image mulr_suml !mxE /rational.
have -> : \sum_j variables_of_data R c d q j * w j 0 =
    \sum_(i <- I) listed w i * cx i q / h + \sum_(i <- I) listed w i * mean (column i).
  rewrite -big_split sum_iota; apply: eq_bigr => j _ /=.
  by rewrite !mxE -mulrA centredE ?size_columns // listedE -mulrDr subrK mulrC.
by rewrite /shift; ring.
Qed.

Let rest_sum w : intercept d -> \sum_(q < p) rest w q = 0.
Proof.
move=> is_in; rewrite /rest; under eq_bigr => q _ do rewrite mulrBl.
rewrite sumrB centred_sum // sub0r; apply/eqP; rewrite oppr_eq0; apply/eqP.
under eq_bigr => q _ do rewrite /image mulr_suml.
rewrite exchange_big big_seq big1 //= => i; rewrite mem_iota /= => lt_in.
under eq_bigr => q _ do rewrite -mulrA.
by rewrite -mulr_sumr centred_sum ?size_columns ?mulr0.
Qed.

Let no_shift w t : may_be_constant d t -> intercept d = false -> shift w t = 0.
Proof.
rewrite /may_be_constant /shift /mean => may not_in; move: may; rewrite not_in => -[//|->].
by rewrite big1 ?subr0 // => i _; rewrite mulr0.
Qed.

Lemma left_overE w t : may_be_constant d t ->
  left_over d w t = \sum_(q < p) rest w q ^+ 2 + ridge_of_data R d * norm2 w + p%:R * shift w t ^+ 2.
Proof.
move=> may; rewrite /left_over addrAC; congr (_ + _).
have square q : (rest w q + shift w t) ^+ 2 = rest w q ^+ 2 + (2%:R * shift w t * rest w q + shift w t ^+ 2) by ring.
under eq_bigr => q _ do rewrite restE square.
rewrite big_split big_split /= sumr_const card_ord -[shift w t ^+ 2 *+ p]mulr_natl -mulr_sumr; congr (_ + _).
have [is_in|/negbTE not_in] := boolP (intercept d); first by rewrite rest_sum // mulr0 add0r.
by rewrite no_shift // mulr0 mul0r add0r.
Qed.

Lemma left_over_least w : exists2 t, may_be_constant d t & left_over d w t = \sum_(q < p) rest w q ^+ 2 + ridge_of_data R d * norm2 w.
Proof.
pose t := shift w 0; have may : may_be_constant d t.
  have [is_in|/negbTE not_in] := boolP (intercept d); [by left | right; apply: no_shift => //; by right].
by exists t => //; rewrite left_overE // (_ : shift w t = 0) ?expr0n ?mulr0 ?addr0 // /t /shift subr0 subrr.
Qed.

(* What B says of w, in units of 1/h^2. *)
Let priced w := ip p (image w) (image w) + h ^+ 2 * ridge_of_data R d * norm2 w.

Lemma rest_squares w : \sum_(q < p) rest w q ^+ 2 + ridge_of_data R d * norm2 w =
  energy R d + (priced w - 2%:R * ip p (image w) cy) / h ^+ 2.
Proof.
have energyE : energy R d = ip p cy cy / h ^+ 2.
  rewrite /energy /ip [RHS]mulr_suml; apply: eq_bigr => q _; rewrite -expr2 -expr_div_n centredE // mxE /rational.
  by congr ((_ - _) ^+ 2); rewrite /mean; case: (intercept d) => //; congr (_ / _); apply: eq_bigr => j _; rewrite mxE.
have -> : \sum_(q < p) rest w q ^+ 2 = (ip p cy cy + ip p (image w) (image w) - 2%:R * ip p (image w) cy) / h ^+ 2.
  rewrite /ip mulr_sumr -big_split -sumrB mulr_suml; apply: eq_bigr => q _ /=.
  by rewrite /rest expr_div_n; congr (_ / _); ring.
by rewrite energyE /priced; field; rewrite gt_eqF ?h_gt0.
Qed.

(* What the program forms of the data. *)
Notation fA w := (form (fun i j => val (entry (numerator d n) i j)) I (listed w)).
Notation fB w := (form (fun i j => val (entry (denominator_of d n) i j)) I (listed w)).
Hypothesis count_columns : size (columns d) = n.

Let value_product i b : (i < n)%N -> val (dot (nth [::] (map (centred d) (columns d)) i) b) = ip p (cx i) (fun q => val (nth Z0 b q)).
Proof.
move=> li; rewrite (nth_map [::]) ?count_columns // (@value_dot _ p) //.
by rewrite /centred; case: ifP; rewrite ?size_map size_columns.
Qed.

Lemma numerator_form w : fA w = ip p (image w) cy ^+ 2.
Proof.
set b := map (dot (centred d (response d))) (map (centred d) (columns d)).
have b_ a : a \in I -> val (nth Z0 b a) = ip p (cx a) cy.
  rewrite mem_iota /= => la; rewrite (nth_map [::]) ?size_map ?count_columns // dotC; exact: value_product.
rewrite /image ip_image expr2 mulr_suml; apply: eq_big_seq => i iI; rewrite mulr_sumr; apply: eq_big_seq => j jI.
by rewrite (entry_made (fun i j => Z.mul (nth Z0 b i) (nth Z0 b j)) iI jI) valueM !b_ //; ring.
Qed.

Lemma denominator_form w : fB w = h ^+ 2 * priced w.
Proof.
set H := Z.mul (unit_of_centred d) (unit_of_centred d); set ridges := Z.mul (Z.mul (times_centred d) (times_centred d)) (ridge d).
have factor : val ridges = h ^+ 2 * ridge_of_data R d.
  by rewrite /ridges /ridge_of_data /rational /unit_of_centred !valueM; field; rewrite gt_eqF.
rewrite /priced norm2_listed -factor /square mulr_sumr -form_diagonal ?iota_uniq // -form_image -formD -formZ.
apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; congr (_ * _); set X := map (centred d) (columns d).
rewrite (entry_made (fun i j => Z.mul H (Z.add (dot (nth [::] X i) (nth [::] X j)) (if eqn i j then ridges else Z0))) iI jI).
rewrite !mem_iota /= in iI jI; rewrite valueM {1}/H (valueM R (unit_of_centred d)) -expr2 valueD value_product // eqnE.
congr (_ * (_ + _)); last by case: ifP.
by apply: eq_bigr => q _; rewrite /cx /of_centred (nth_map [::]) ?count_columns.
Qed.

Let h2_gt0 : 0 < h ^+ 2. Proof. by rewrite exprn_gt0 // h_gt0. Qed.

Lemma fit_above (U : R) w t : 0 <= U -> fA w <= U * fB w -> may_be_constant d t -> energy R d - U <= left_over d w t.
Proof.
rewrite numerator_form denominator_form => U0 bound may; rewrite left_overE //.
rewrite -[X in X <= _]addr0; apply: ler_add; last by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
rewrite rest_squares ler_add2l ler_pdivl_mulr // mulNr ler_oppl opprB ler_subl_addr.
have priced0 : 0 <= priced w.
  rewrite addr_ge0 ?ip_ge0 // mulr_ge0 ?norm2_listed ?square_ge0 // mulr_ge0 ?(ltW h2_gt0) //.
  by rewrite divr_ge0 // valueM mulr_ge0 // ltW.
have := pair_paid 1 1 (mulr_ge0 U0 (ltW h2_gt0)) priced0 _.
by rewrite -mulrA => /(_ _ bound); rewrite !expr1n !mulr1.
Qed.

Lemma fit_below (low : R) w : 0 < fB w -> low * fB w <= fA w ->
  exists s t, may_be_constant d t /\ left_over d (s *: w) t <= energy R d - low.
Proof.
rewrite numerator_form denominator_form pmulr_rgt0 // => S_gt0 attained.
set S := priced w in S_gt0 attained; set L := ip p (image w) cy in attained.
have [t may left] := left_over_least ((L / S) *: w); exists (L / S), t; split=> //.
have scaled i : i \in I -> listed ((L / S) *: w) i = L / S * listed w i.
  by rewrite mem_iota /= => li; rewrite -[i]/(nat_of_ord (Ordinal li)) !listedE mxE.
have image_scaled q : image ((L / S) *: w) q = L / S * image w q.
  by rewrite /image mulr_sumr; apply: eq_big_seq => i /scaled ->; rewrite mulrA.
have -> : left_over d ((L / S) *: w) t = energy R d - L ^+ 2 / S / h ^+ 2.
  rewrite left rest_squares (_ : priced _ = (L / S) ^+ 2 * S); last first.
    rewrite {3}/S /priced mulrDr /ip mulr_sumr; congr (_ + _); first by apply: eq_bigr => q _; rewrite !image_scaled expr2 mulrACA.
    rewrite [RHS]mulrCA; congr (_ * _); rewrite !norm2_listed /square mulr_sumr.
    by apply: eq_big_seq => i /scaled ->; rewrite exprMn.
  rewrite (_ : ip p (image _) cy = L / S * L); last first.
    by rewrite {2}/L /ip mulr_sumr; apply: eq_bigr => q _; rewrite image_scaled mulrA.
  by field; rewrite !gt_eqF // h_gt0.
by rewrite ler_add2l ler_opp2 ler_pdivl_mulr // ler_pdivl_mulr // -mulrA.
Qed.

End Centred.

(* No fit of the claim leaves less than energy - upper, and one leaves at most energy - lower; with a list. *)
Theorem check_fit_sound (R : realFieldType) (c : certificate) (d : fit) (others : Z) (list : seq member) (classes : seq nat)
  (quota : seq (seq nat * nat)) (include exclude : seq nat) (v : excess) (less := fun U => energy R d - rational R U (denominator c)) :
  check_fit classes quota include exclude c d others list v ->
  [/\ forall (w : 'cV[R]_(size_of c)) t, meets classes quota include exclude w -> may_be_constant d t ->
        less (upper_of c) <= left_over d w t,
      exists (w : 'cV[R]_(size_of c)) t, [/\ meets classes quota include exclude w, may_be_constant d t &
        left_over d w t <= less (lower_of c)],
      forall T, admissible (size_of c) classes quota include exclude T -> ~~ is_listed list T ->
        forall (w : 'cV[R]_(size_of c)) t, lies_on T w -> may_be_constant d t -> less others <= left_over d w t &
      forall m, List.In m list ->
        [/\ uniq (support m), size (support m) = sumn (map snd quota),
            forall (w : 'cV[R]_(size_of c)) t, lies_on (support m) w -> may_be_constant d t -> less (most m) <= left_over d w t &
            exists (w : 'cV[R]_(size_of c)) t, [/\ lies_on (support m) w, may_be_constant d t & left_over d w t <= less (least m)]]].
Proof.
case/and5P=> /and5P[/(value_gt0 R) D_gt0 /(value_gt0 R) u_gt0  p_gt0].
move=> /eqnP size_y /andP[/eqnP count /(all_nthP [::]) sizes].
have {}sizes i : (i < size_of c)%N -> size (nth [::] (columns d) i) = observations d.
  by rewrite -count => /sizes/eqnP.
move=> /and5P[upper0 others0 mosts0 /(value_ge0 R) ridge0 square0] /andP[low few] attained ok.
set fA := fun w : 'cV[R]_(size_of c) => form (fun i j => value R (entry (numerator d (size_of c)) i j)) (iota 0 (size_of c)) (listed w).
set fB := fun w : 'cV[R]_(size_of c) => form (fun i j => value R (entry (denominator_of d (size_of c)) i j)) (iota 0 (size_of c)) (listed w).
have [||all_w others_w listed_w] := forms_sound (Q := fA) (N := fB) ok ltr01 D_gt0; [by move=> w; rewrite mul1r.. |].
have above U w t : Z.leb Z0 U -> fA w <= rational R U (denominator c) * fB w -> may_be_constant d t -> less U <= left_over d w t.
  by move=> /(value_ge0 R) U0; apply: (fit_above u_gt0 p_gt0 ridge0 size_y sizes count); rewrite divr_ge0 // ltW.
have below L w : 0 < fB w -> rational R L (denominator c) * fB w <= fA w -> exists s t, may_be_constant d t /\ left_over d (s *: w) t <= less L.
  exact: (fit_below u_gt0 p_gt0 size_y sizes count).
split=> [w t ok_w||T adm other w t on_T|m m_in].
- by apply: above upper0 _; apply: all_w.
- have /and4P[_ /(witness_avoids R) out _ _] := low.
  have [||s [t [may le_left]]] := below (lower_of c) (vector R c (witness c)).
  + by rewrite /fB witness_formE value_gt0.
  + rewrite /fA /fB !witness_formE /rational mulrAC ler_pdivr_mulr // [X in _ <= X]mulrC -!valueM; exact: value_le.
  by exists (s *: vector R c (witness c)), t; split=> //; apply: meets_fewer (witness_meets out few) => i zi; rewrite mxE zi mulr0.
- by apply: above others0 _; apply: others_w on_T.
have [uT sT above_m [w [_ on_T N0 low_w]]] := listed_w m m_in; split=> // [w' t on_T'|].
  by apply: above (all_in mosts0 m_in) _; apply: above_m.
by have [s [t [may le_left]]] := below _ _ N0 low_w; exists (s *: w), t; split=> // i iT; rewrite mxE on_T ?mulr0.
Qed.
