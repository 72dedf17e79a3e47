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

Definition check_fit (classes : seq nat) (quota : seq (seq nat * nat)) (include exclude : seq nat) (c : certificate) (d : fit)
    (others : Z) (list : seq member) (v : excess) : bool :=
  let n := size_of c in
  let p := observations d in
  let B := denominator_of d n in
  [&& [&& Z.ltb Z0 (denominator c), Z.ltb Z0 (unit_of_data d), (0 < p)%N, eqn (size (response d)) p,
        eqn (size (columns d)) n & all (fun s => eqn (size s) p) (columns d)],
      [&& Z.leb Z0 (upper_of c), Z.leb Z0 others, all (fun m => Z.leb Z0 (most m)) list, Z.leb Z0 (ridge d) &
        Z.ltb Z0 (witness_form (entry B) (support_of_witness n (witness c)) (witness c))] &
      check_forms (numerator d n) B c classes quota include exclude others list v].

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
Notation P := (iota 0 p).
Notation u := (val (unit_of_data d)).
Notation h := (val (unit_of_centred d)).
Notation ridge_price := (ridge_of_data R d).
Hypothesis u_gt0 : 0 < u.
Hypothesis p_gt0 : (0 < p)%N.
Hypothesis ridge_ge0 : 0 <= val (ridge d).
Hypothesis size_response : size (response d) = p.
Hypothesis size_columns : forall i, (i < n)%N -> size (nth [::] (columns d) i) = p.
Hypothesis count_columns : size (columns d) = n.

Let p_neq0 : p%:R != 0 :> R. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Let h_gt0 : 0 < h.
Proof.
rewrite /unit_of_centred /times_centred valueM mulr_gt0 //.
by case: ifP => _; [rewrite value_nat ltr0n | exact: ltr01].
Qed.

(* The mean where there may be a constant, which is the best one, and what is left. *)
Let middle (f : 'I_p -> R) : R := if intercept d then (\sum_q f q) / p%:R else 0.
Let spread (f : 'I_p -> R) : R := \sum_q (f q - middle f) ^+ 2.

Lemma spread_least f t : may_be_constant d t -> spread f <= \sum_q (f q - t) ^+ 2.
Proof.
rewrite /may_be_constant /spread /middle; case: (intercept d) => [_|[//|-> //]].
set m := _ / _; have zero : \sum_q (f q - m) = 0.
  by rewrite sumrB sumr_const card_ord -mulr_natl /m mulrC divfK ?p_neq0 // subrr.
rewrite -subr_ge0 -sumrB (eq_bigr (fun q => 2%:R * (m - t) * (f q - m) + (m - t) ^+ 2)) => [|q _]; last by ring.
by rewrite big_split /= -mulr_sumr zero mulr0 add0r sumr_ge0 // => q _; apply: sqr_ge0.
Qed.

(* A column of the data, and what the program makes of it. *)
Let datum (a : seq Z) (q : 'I_p) : R := val (nth Z0 a q) / u.
Let of_centred (a : seq Z) (q : nat) : R := val (nth Z0 (centred d a) q) / h.

Lemma centredE a (q : 'I_p) : size a = p -> of_centred a q = datum a q - middle (datum a).
Proof.
move=> sa; rewrite /of_centred /centred /unit_of_centred /times_centred /middle /datum.
case: (intercept d); last by rewrite valueM mul1r subr0.
have -> : \sum_(j < p) val (nth Z0 a j) / u = (\sum_(b <- a) val b) / u.
  by rewrite (big_nth Z0) sa big_mkord mulr_suml.
rewrite (nth_map Z0) ?sa // valueB !valueM value_nat value_total; set s := \sum_(b <- a) _.
by field; rewrite p_neq0 gt_eqF.
Qed.

Lemma dot_centred a b : size a = p ->
  val (dot (centred d a) (centred d b)) = h ^+ 2 * ip P (of_centred a) (of_centred b).
Proof.
move=> sa; rewrite (@value_dot _ p) /ip ?mulr_sumr; last by rewrite /centred; case: ifP; rewrite ?size_map sa.
by apply: eq_bigr => q _; rewrite /of_centred; field; rewrite gt_eqF.
Qed.

Implicit Type w : 'cV[R]_n.
Let column i := nth [::] (columns d) i.
Let y := of_centred (response d).
Let image w q := ip I (fun i => of_centred (column i) q) (listed w).
Let inner w := ip P (image w) y.
Let priced w := square P (image w) + ridge_price * norm2 w.
Let left w (q : 'I_p) : R := response_of_data R d q 0 - (variables_of_data R c d *m w) q 0.

Let leftE s w (q : 'I_p) : left (s *: w) q - middle (left (s *: w)) = y q - s * image w q.
Proof.
have {}leftE q' : left (s *: w) q' = datum (response d) q' - s * \sum_(i < n) datum (column i) q' * w i 0.
  by rewrite /left -scalemxAr !mxE; congr (_ - s * _); apply: eq_bigr => i _; rewrite mxE.
have -> : middle (left (s *: w)) =
    middle (datum (response d)) - s * \sum_(i < n) middle (datum (column i)) * w i 0.
  rewrite /middle; case: (intercept d); last by rewrite big1 ?mulr0 ?subr0 // => i _; rewrite mul0r.
  under eq_bigr => q' _ do rewrite leftE.
  rewrite sumrB mulrBl -mulr_sumr -mulrA exchange_big; congr (_ - s * _); rewrite mulr_suml.
  by apply: eq_bigr => i _; rewrite -mulr_suml mulrAC.
have -> : image w q = \sum_(i < n) datum (column i) q * w i 0 - \sum_(i < n) middle (datum (column i)) * w i 0.
  rewrite -sumrB /image /ip sum_iota; apply: eq_bigr => i _.
  by rewrite listedE centredE ?size_columns // mulrBl.
by rewrite leftE /y centredE //; ring.
Qed.

Lemma left_squares s w : spread (left (s *: w)) + ridge_price * norm2 (s *: w) =
  energy R d + (s ^+ 2 * priced w - 2%:R * s * inner w).
Proof.
have -> : energy R d = square P y.
  rewrite /energy /square sum_iota; apply: eq_bigr => q _; rewrite /y centredE // mxE.
  congr ((_ - _) ^+ 2); rewrite /middle; case: (intercept d) => //; congr (_ / _).
  by apply: eq_bigr => j _; rewrite mxE.
have -> : norm2 (s *: w) = s ^+ 2 * norm2 w.
  by rewrite /norm2 [(s *: w)^T]linearZ /= -scalemxAl -scalemxAr [LHS]mxE [X in _ * X]mxE mulrA expr2.
rewrite /priced mulrDr mulrCA addrAC addrA; congr (_ + _); rewrite addrA.
rewrite /spread /inner /square /ip !mulr_sumr -!big_split -sumrB sum_iota; apply: eq_bigr => q _ /=.
by rewrite leftE; ring.
Qed.

(* What the program forms of the data. *)
Notation fA w := (form (fun i j => val (entry (numerator d n) i j)) I (listed w)).
Notation fB w := (form (fun i j => val (entry (denominator_of d n) i j)) I (listed w)).

Lemma numerator_form w : fA w = (h ^+ 2) ^+ 2 * inner w ^+ 2.
Proof.
set b := map (dot (centred d (response d))) (map (centred d) (columns d)).
rewrite -exprMn (_ : h ^+ 2 * inner w = ip I (fun i => val (nth Z0 b i)) (listed w)).
  rewrite -form_rank_one; apply: eq_big_seq => i iI; apply: eq_big_seq => j jI.
  by rewrite (entry_made (fun i j => Z.mul (nth Z0 b i) (nth Z0 b j)) iI jI) valueM.
rewrite /inner (ip_image P (fun i => of_centred (column i)) I) /ip mulr_sumr.
apply: eq_big_seq => i; rewrite mem_iota /= => li.
rewrite !(nth_map [::]) ?size_map ?count_columns // dotC dot_centred ?size_columns //.
by rewrite mulrCA mulrC.
Qed.

Lemma denominator_form w : fB w = (h ^+ 2) ^+ 2 * priced w.
Proof.
rewrite /priced -(form_image P (fun i => of_centred (column i)) I) norm2_listed /square mulr_sumr.
rewrite -form_diagonal ?iota_uniq // -formD -formZ; apply: eq_big_seq => i iI; apply: eq_big_seq => j jI.
congr (_ * _); rewrite /denominator_of /block entry_made // eqnE; rewrite !mem_iota /= in iI jI.
rewrite !(nth_map [::]) ?count_columns // (valueM R (Z.mul _ _)) (valueM R (unit_of_centred d)) valueD.
rewrite dot_centred ?size_columns // -expr2 [in RHS]expr2 -mulrA [in RHS]mulrDr; congr (_ * (_ + _)).
case: eqP => _; last by rewrite mulr0.
by rewrite /ridge_of_data /rational /unit_of_centred !valueM; field; rewrite gt_eqF.
Qed.

Let h4_gt0 : 0 < (h ^+ 2) ^+ 2. Proof. by rewrite !exprn_gt0. Qed.

Lemma fit_above (U : R) w t : 0 <= U -> fA w <= U * fB w -> may_be_constant d t ->
  energy R d - U <= left_over d w t.
Proof.
rewrite numerator_form denominator_form [U * _]mulrCA ler_pmul2l // => U0 bound may; rewrite -(scale1r w).
apply: le_trans (ler_add (spread_least (left (1 *: w)) may) (lexx (ridge_price * norm2 (1 *: w)))).
rewrite left_squares ler_add2l expr1n mul1r mulr1 ler_subr_addl ler_subl_addr addrC.
have priced0 : 0 <= priced w.
  rewrite addr_ge0 ?square_ge0 // mulr_ge0 ?norm2_listed ?square_ge0 //.
  by rewrite divr_ge0 // valueM mulr_ge0 // ltW.
by have := pair_paid 1 1 U0 priced0 bound; rewrite !expr1n !mulr1.
Qed.

Lemma fit_below (low : R) w : 0 < fB w -> low * fB w <= fA w ->
  exists s t, may_be_constant d t /\ left_over d (s *: w) t <= energy R d - low.
Proof.
rewrite numerator_form denominator_form pmulr_rgt0 // [low * _]mulrCA ler_pmul2l // => S_gt0 attained.
exists (inner w / priced w), (middle (left ((inner w / priced w) *: w))); split.
  by rewrite /may_be_constant /middle; case: (intercept d); [left | right].
rewrite -[left_over _ _ _]/(spread _ + _) left_squares ler_add2l.
rewrite (_ : _ - _ = - (inner w ^+ 2 / priced w)); last by field; rewrite gt_eqF.
by rewrite ler_opp2 ler_pdivl_mulr.
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
case/and3P=> /and5P[/(value_gt0 R) D_gt0 /(value_gt0 R) u_gt0  p_gt0].
move=> /eqnP size_y /andP[/eqnP count /(all_nthP [::]) sizes].
have {}sizes i : (i < size_of c)%N -> size (nth [::] (columns d) i) = observations d.
  by rewrite -count => /sizes/eqnP.
move=> /and5P[upper0 others0 mosts0 /(value_ge0 R) ridge0 square0] ok.
set fA := fun w : 'cV[R]_(size_of c) => form (fun i j => value R (entry (numerator d (size_of c)) i j)) (iota 0 (size_of c)) (listed w).
set fB := fun w : 'cV[R]_(size_of c) => form (fun i j => value R (entry (denominator_of d (size_of c)) i j)) (iota 0 (size_of c)) (listed w).
have [||all_w others_w listed_w] := forms_sound (Q := fA) (N := fB) ok ltr01 D_gt0; [by move=> w; rewrite mul1r.. |].
have above U w t : Z.leb Z0 U -> fA w <= rational R U (denominator c) * fB w -> may_be_constant d t -> less U <= left_over d w t.
  by move=> /(value_ge0 R) U0; apply: (fit_above u_gt0 p_gt0 ridge0 size_y sizes count); rewrite divr_ge0 // ltW.
have below L w : 0 < fB w -> rational R L (denominator c) * fB w <= fA w -> exists s t, may_be_constant d t /\ left_over d (s *: w) t <= less L.
  exact: (fit_below u_gt0 p_gt0 size_y sizes count).
split=> [w t ok_w||T adm other w t on_T|m m_in].
- by apply: above upper0 _; apply: all_w.
- have [_ z_meets low] := forms_witness ok D_gt0.
  have [|s [t [may le_left]]] := below (lower_of c) (vector R c (witness c)) _ low.
    by rewrite /fB witness_formE value_gt0.
  exists (s *: vector R c (witness c)), t; split=> //.
  by apply: meets_fewer z_meets => i zi; rewrite mxE zi mulr0.
- by apply: above others0 _; apply: others_w on_T.
have [uT sT above_m [w [_ on_T N0 low_w]]] := listed_w m m_in; split=> // [w' t on_T'|].
  by apply: above (all_in mosts0 m_in) _; apply: above_m.
by have [s [t [may le_left]]] := below _ _ N0 low_w; exists (s *: w), t; split=> // i iT; rewrite mxE on_T ?mulr0.
Qed.
