(* Claims about two forms: lower <= the least u with x'Ax <= u x'Bx for every sparse x <= upper; and about fits. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Leaves Soundness.

Local Open Scope ring_scope.

(* The tree bounds z'Mz by `most` z'z, M = D(A - mu B)D with D diagonal, and DBD - `least` I is positive semidefinite:
   for x = Dz then x'Ax <= mu x'Bx + most z'z <= upper x'Bx. Here mu and upper are in units of 1/unit. *)
Record excess := Excess {
  mu : Z;
  scale : seq Z;
  most_excess : Z;
  least_scaled : Z;
  multiple : Z;
  root : seq (seq Z) }.

Definition difference (A B : seq (seq Z)) (unit : Z) (n : nat) (v : excess) : seq (seq Z) :=
  map (fun i => map (fun j => Z.mul (Z.mul (nth Z0 (scale v) i) (nth Z0 (scale v) j))
    (Z.sub (Z.mul unit (entry A i j)) (Z.mul (mu v) (entry B i j)))) (iota 0 n)) (iota 0 n).

Definition check_forms (A B : seq (seq Z)) (unit : Z) (n k : nat) (J E : seq nat) (upper : Z) (v : excess) (t : tree) : bool :=
  let e i := nth Z0 (scale v) i in
  let F := left_free n J E in
  [&& check_scope n J E && (Nat.ltb 0 k && Nat.leb k (Nat.add (size J) (size F))), symmetric A n && symmetric B n,
      all (fun i => Z.ltb Z0 (e i)) (iota 0 n),
      [&& Z.leb (mu v) upper, Z.leb Z0 (least_scaled v) & Z.leb (most_excess v) (Z.mul (Z.sub upper (mu v)) (least_scaled v))],
      semidefinite (multiple v) (root v) (iota 0 n)
        (fun i => Z.sub (Z.mul (Z.mul (e i) (e i)) (entry B i i)) (least_scaled v))
        (fun i j => Z.mul (Z.mul (e i) (e j)) (entry B i j)) &
      check_tree (difference A B unit n v) k (most_excess v) [::] J F t].

(* A is the matrix of c, and B another in the same unit. *)
Definition with_matrix (c : certificate) (m : covariance) : certificate :=
  Certificate (size_of c) (cardinality c) (denominator c) m (lower_of c) (upper_of c) (witness c) (proof c).

Definition check_ratio (include exclude : seq nat) (c : certificate) (B : seq (seq Z)) (v : excess) : bool :=
  let A := entries (matrix c) in
  let n := size_of c in
  let D := denominator c in
  let l := support_of_witness n (witness c) in
  [&& check_matrix (matrix c) n D && check_matrix (Dense B) n D, Z.ltb Z0 (least_scaled v),
      check_witness B n (cardinality c) include exclude Z0 (witness c),
      Z.leb (Z.mul (lower_of c) (witness_form B l (witness c))) (Z.mul D (witness_form A l (witness c))) &
      check_forms A B D n (cardinality c) include exclude (upper_of c) v (proof c)].

(* Sums of squares: n columns of p observations, and a response, in units of 1/unit; with an intercept their means
   are taken off, in units of 1/(p unit). *)
Record fit := Fit {
  observations : nat;
  intercept : bool;
  unit_of_data : Z;
  columns : seq (seq Z);
  response : seq Z }.

Definition centred (d : fit) (a : seq Z) : seq Z :=
  if intercept d then
    let sum := foldr (fun b s => Z.add b s) Z0 a in
    map (fun b => Z.sub (Z.mul (Z.of_nat (observations d)) b) sum) a
  else a.

Definition unit_of_centred (d : fit) : Z :=
  if intercept d then Z.mul (Z.of_nat (observations d)) (unit_of_data d) else unit_of_data d.

(* The matrix of c is not looked at. *)
Definition check_fit (include exclude : seq nat) (c : certificate) (d : fit) (v : excess) : bool :=
  let n := size_of c in
  let p := observations d in
  let X := map (centred d) (columns d) in
  let b := map (dot (centred d (response d))) X in
  let A := map (fun s => map (Z.mul s) b) b in
  let h := Z.mul (unit_of_centred d) (unit_of_centred d) in
  let B := map (fun a => map (fun a' => Z.mul h (dot a a')) X) X in
  let l := support_of_witness n (witness c) in
  [&& [&& Z.ltb Z0 (denominator c), Z.ltb Z0 (unit_of_data d), Nat.ltb 0 p, Nat.eqb (size (response d)) p,
        Nat.eqb (size (columns d)) n & all (fun s => Nat.eqb (size s) p) (columns d)],
      Z.leb Z0 (upper_of c) && Z.ltb Z0 (witness_form B l (witness c)),
      check_witness B n (cardinality c) include exclude Z0 (witness c),
      Z.leb (Z.mul (lower_of c) (witness_form B l (witness c))) (Z.mul (denominator c) (witness_form A l (witness c))) &
      check_forms A B (denominator c) n (cardinality c) include exclude (upper_of c) v (proof c)].

Section Forms.

Variables (R : realFieldType) (A B : seq (seq Z)) (unit : Z) (c : certificate) (k : nat) (J E : seq nat) (upper : Z) (v : excess) (t : tree).
Notation val := (@value R).
Notation n := (size_of c).
Notation I := (iota 0 n).
Hypothesis ok : check_forms A B unit n k J E upper v t.

Let e i : R := val (nth Z0 (scale v) i).

Lemma scale_gt0 i : i \in I -> 0 < e i.
Proof. by move: ok => /and5P[_ _ /allP pos _ _] /pos/(value_gt0 R). Qed.

Lemma rescaled (N : nat -> nat -> R) (x : nat -> R) l : {subset l <= I} ->
  form (fun i j => e i * e j * N i j) l (fun i => x i / e i) = form N l x.
Proof.
move=> lI; apply: eq_big_seq => i /lI/scale_gt0 ei; apply: eq_big_seq => j /lI/scale_gt0 ej.
have -> : e i * e j * N i j * (x i / e i * (x j / e j)) = e i / e i * (e j / e j) * (N i j * (x i * x j)) by ring.
by rewrite !divff ?gt_eqF // !mul1r.
Qed.

Let symmetric_entries (S : seq (seq Z)) : symmetric S n -> {in I &, forall i j, entry S i j = entry S j i}.
Proof. by move=> /allP sym i j /sym/allP sym_i /sym_i/Z.eqb_eq. Qed.

Let entry_difference i j : i \in I -> j \in I -> entry (difference A B unit n v) i j =
  Z.mul (Z.mul (nth Z0 (scale v) i) (nth Z0 (scale v) j)) (Z.sub (Z.mul unit (entry A i j)) (Z.mul (mu v) (entry B i j))).
Proof.
rewrite !mem_iota /= => li lj.
by rewrite /entry /difference (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota.
Qed.

Lemma denominator_bounds (x : nat -> R) :
  val (least_scaled v) * square I (fun i => x i / e i) <= form (fun i j => val (entry B i j)) I x.
Proof.
have /and5P[_ /andP[_ /symmetric_entries symB] _ _ /andP[semi _]] := ok.
rewrite -rescaled // -subr_ge0.
have /= := semidefinite_ge0 (fun i => x i / e i) semi (iota_uniq 0 n) _; rewrite /square => psd.
rewrite mulr_sumr -form_diagonal ?iota_uniq //.
rewrite [X in _ - X](_ : _ = - form (fun i j => -1 * (if i == j then val (least_scaled v) else 0)) I (fun i => x i / e i)).
  rewrite opprK -formD; apply: le_trans (psd _) _ => [i j iI jI|].
    by rewrite symB // (Z.mul_comm (nth Z0 (scale v) j)).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; apply: eq_bigr => j _; congr (_ * _).
  case: eqP => [<-|_]; first by rewrite valueB !valueM mulN1r.
  by rewrite !valueM mulr0 addr0.
by rewrite formZ mulN1r opprK.
Qed.

Lemma forms_bound T (x : nat -> R) : support_of k J (left_free n J E) T -> (forall i, i \notin T -> x i = 0) ->
  val unit * form (fun i j => val (entry A i j)) I x <= val upper * form (fun i j => val (entry B i j)) I x.
Proof.
have /and5P[/andP[scope _] /andP[/symmetric_entries symA /symmetric_entries symB] _ /and3P[mu_le least0 most] /andP[_ proved]] := ok.
move=> node zero; have TI : {subset T <= I} by move=> i /(drawn_from node)/(@scope_within c _ _ scope).
have uI := iota_uniq 0 n; have uT := support_uniq node; pose z i := x i / e i.
have z0 i : i \notin T -> z i = 0 by move=> /zero xi; rewrite /z xi mul0r.
have k_gt0 : (0 < k)%N by have /andP[/andP[_ /andP[/PeanoNat.Nat.ltb_lt/ssrnat.ltP]]] := ok.
have sym_d : {in J ++ left_free n J E &, forall i j,
    entry (difference A B unit n v) i j = entry (difference A B unit n v) j i}.
  move=> i j /(@scope_within c _ _ scope) iI /(@scope_within c _ _ scope) jI.
  by rewrite !entry_difference // symA // symB // (Z.mul_comm (nth Z0 (scale v) j)).
have [bound|[]//] := tree_bounds k_gt0 z0 sym_d node proved.
have split : val unit * form (fun i j => val (entry A i j)) I x =
    val (mu v) * form (fun i j => val (entry B i j)) I x +
    form (fun i j => val (entry (difference A B unit n v) i j)) I z.
  rewrite -!formZ [X in _ = _ + X](_ : _ = form (fun i j => e i * e j *
    (val unit * val (entry A i j) + -1 * (val (mu v) * val (entry B i j)))) I z); last first.
    apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; congr (_ * _).
    by rewrite entry_difference // !valueM valueB !valueM mulN1r.
  by rewrite rescaled // formD !formZ mulN1r addrC subrK.
rewrite split (form_support _ uT uI TI z0); set b := form _ I x.
apply: le_trans (ler_add (lexx _) bound) _; rewrite -lter_sub_addl -mulrBl -valueB.
have le_b : val (least_scaled v) * square T z <= b.
  by rewrite -(square_support uT uI TI z0); apply: denominator_bounds.
apply: le_trans (_ : val (Z.sub upper (mu v)) * (val (least_scaled v) * square T z) <= _).
  by rewrite mulrA -valueM ler_wpmul2r ?square_ge0 // value_le.
by rewrite ler_wpmul2l // valueB subr_ge0 value_le.
Qed.

(* The same for vectors. *)
Lemma forms_bound_vector (x : 'cV[R]_n) : avoids E x -> (Used J x <= k)%N ->
  val unit * form (fun i j => val (entry A i j)) I (listed x) <= val upper * form (fun i j => val (entry B i j)) I (listed x).
Proof.
have /andP[/andP[scope /andP[_ /PeanoNat.Nat.leb_le/ssrnat.leP many]] _] := ok.
move=> out used; have [|T node zero] := @scope_support R c J E scope k x out; first by rewrite used.
exact: forms_bound node zero.
Qed.

Lemma denominator_gt0 (x : 'cV[R]_n) : Z.ltb Z0 (least_scaled v) -> x != 0 ->
  0 < form (fun i j => val (entry B i j)) I (listed x).
Proof.
move=> /(value_gt0 R) least x_neq0; apply: lt_le_trans (denominator_bounds _); rewrite mulr_gt0 //.
rewrite lt_def square_ge0 andbT; apply: contraNneq x_neq0 => z0; apply/eqP/matrixP => i j; rewrite ord1 [RHS]mxE.
have iI : nat_of_ord i \in I by rewrite mem_iota /= ltn_ord.
have /eqP := square_eq0 z0 iI; rewrite mulf_eq0 invr_eq0 (gt_eqF (scale_gt0 iI)) orbF listedE => /eqP ->.
by [].
Qed.

End Forms.

(* A and B, and how far apart they are: B is positive definite, and x'Ax is at most upper x'Bx. *)
Theorem check_ratio_sound (R : realFieldType) (c : certificate) (B : seq (seq Z)) (include exclude : seq nat) (v : excess)
  (MA := Sigma R c) (MB := Sigma R (with_matrix c (Dense B))) : check_ratio include exclude c B v ->
  [/\ MA^T = MA /\ MB^T = MB, forall x, x != 0 -> 0 < quadratic MB x,
      forall x, avoids exclude x -> (Used include x <= cardinality c)%N -> quadratic MA x <= upper R c * quadratic MB x &
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N &
          lower R c * quadratic MB (z R c) <= quadratic MA (z R c)]].
Proof.
case/and5P=> /andP[shapeA shapeB] least low attained ok; set c' := with_matrix c (Dense B).
have /andP[/andP[scope _] /andP[/andP[symA symB] _]] := ok.
have D_gt0 : 0 < value R (denominator c) by apply: value_gt0; case/andP: shapeA.
have formA := @Sigma_form R c shapeA; have formB := @Sigma_form R c' shapeB.
have [z_neq0 out used _] := @check_witness_sound R c' shapeB include exclude scope (witness c) _ _ low.
split; first by split; [exact: (Sigma_sym R shapeA symA) | exact: (@Sigma_sym R c' shapeB symB)].
- by move=> x x_neq0; rewrite -(pmulr_lgt0 _ D_gt0) formB (denominator_gt0 ok).
- move=> x out_x used_x; have := forms_bound_vector ok out_x used_x.
  rewrite -formA -[X in _ <= _ * X]formB !mulrA (ler_pmul2r D_gt0) => bound.
  by rewrite /upper /rational mulrAC ler_pdivl_mulr // [X in X <= _]mulrC; exact: bound.
split=> //; have [_ formAz] := @witness_is R c shapeA (witness c); have [_ formBz] := @witness_is R c' shapeB (witness c).
rewrite /lower /rational mulrAC ler_pdivr_mulr // -(ler_pmul2r D_gt0) -mulrA formBz [X in _ <= X]mulrAC formAz -!valueM.
by rewrite (Z.mul_comm (witness_form _ _ _) _); exact: value_le.
Qed.

(* What is claimed of data: how much of a response a fit of some variables leaves, with a constant t or without. *)
Section Data.

Variables (R : realFieldType) (c : certificate) (d : fit).
Notation n := (size_of c).
Notation p := (observations d).

Definition variables_of_data : 'M[R]_(p, n) := \matrix_(q, i) rational R (entry (columns d) i q) (unit_of_data d).
Definition response_of_data : 'cV[R]_p := \col_q rational R (nth Z0 (response d) q) (unit_of_data d).

Definition may_be_constant (t : R) : Prop := intercept d \/ t = 0.

Definition left_over (w : 'cV[R]_n) (t : R) : R :=
  \sum_q (response_of_data q 0 - (variables_of_data *m w) q 0 - t) ^+ 2.

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

Let mean (a : seq Z) : R := if intercept d then (\sum_(q < p) val (nth Z0 a q) / u) / p%:R else 0.
Let of_centred (a : seq Z) (q : nat) : R := val (nth Z0 (centred d a) q).

Lemma p_neq0 : p%:R != 0 :> R. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Lemma h_gt0 : 0 < h.
Proof. by rewrite /unit_of_centred; case: ifP => // _; rewrite valueM value_nat mulr_gt0 // ltr0n. Qed.

Lemma centredE a (q : 'I_p) : size a = p -> of_centred a q / h = val (nth Z0 a q) / u - mean a.
Proof.
move=> sa; rewrite /of_centred /centred /unit_of_centred /mean; case: (intercept d); last by rewrite subr0.
have -> : \sum_(j < p) val (nth Z0 a j) / u = (\sum_(b <- a) val b) / u.
  by rewrite (big_nth Z0) sa big_mkord mulr_suml.
rewrite (nth_map Z0) ?sa // valueB !valueM value_nat value_total; set s := \sum_(b <- a) _.
by field; rewrite p_neq0 gt_eqF.
Qed.

Lemma centred_sum a : size a = p -> intercept d -> \sum_(q < p) of_centred a q / h = 0.
Proof.
move=> sa is_in; under eq_bigr => q _ do rewrite centredE //.
rewrite sumrB sumr_const card_ord -mulr_natl /mean is_in mulrC divfK ?p_neq0 //.
by rewrite subrr.
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
  left_over d w t = \sum_(q < p) rest w q ^+ 2 + p%:R * shift w t ^+ 2.
Proof.
move=> may; rewrite /left_over.
have square q : (rest w q + shift w t) ^+ 2 = rest w q ^+ 2 + (2%:R * shift w t * rest w q + shift w t ^+ 2) by ring.
under eq_bigr => q _ do rewrite restE square.
rewrite big_split big_split /= sumr_const card_ord -[shift w t ^+ 2 *+ p]mulr_natl -mulr_sumr; congr (_ + _).
have [is_in|/negbTE not_in] := boolP (intercept d); first by rewrite rest_sum // mulr0 add0r.
by rewrite no_shift // mulr0 mul0r add0r.
Qed.

Lemma left_over_least w : exists2 t, may_be_constant d t & left_over d w t = \sum_(q < p) rest w q ^+ 2.
Proof.
pose t := shift w 0; have may : may_be_constant d t.
  have [is_in|/negbTE not_in] := boolP (intercept d); [by left | right; apply: no_shift => //; by right].
exists t => //; rewrite left_overE // (_ : shift w t = 0) ?expr0n ?mulr0 ?addr0 //.
by rewrite /t /shift subr0 subrr.
Qed.

Lemma energyE : energy R d = ip p cy cy / h ^+ 2.
Proof.
rewrite /energy /ip [RHS]mulr_suml; apply: eq_bigr => q _; rewrite -expr2 -expr_div_n centredE // mxE /rational.
congr ((_ - _) ^+ 2); rewrite /mean; case: (intercept d) => //; congr (_ / _); apply: eq_bigr => j _.
by rewrite mxE.
Qed.

Lemma rest_squares w : \sum_(q < p) rest w q ^+ 2 =
  energy R d + (ip p (image w) (image w) - 2%:R * ip p (image w) cy) / h ^+ 2.
Proof.
rewrite energyE -mulrDl /ip mulr_sumr -sumrB -big_split [RHS]mulr_suml; apply: eq_bigr => q _ /=.
by rewrite /rest expr_div_n; congr (_ / _); ring.
Qed.

(* What the program forms of the data. *)
Notation X := (map (centred d) (columns d)).
Notation b := (map (dot (centred d (response d))) X).
Hypothesis count_columns : size (columns d) = n.

Let size_centred a : size a = p -> (size (centred d a) <= p)%N.
Proof. by move=> sa; rewrite /centred; case: ifP; rewrite ?size_map sa. Qed.

Lemma numerator_form w :
  form (fun i j => val (entry (map (fun s => map (Z.mul s) b) b) i j)) I (listed w) = ip p (image w) cy ^+ 2.
Proof.
rewrite /image ip_image expr2 mulr_suml; apply: eq_big_seq => i; rewrite mem_iota /= => li.
rewrite mulr_sumr; apply: eq_big_seq => j; rewrite mem_iota /= => lj.
have b_ a : (a < n)%N -> val (nth Z0 b a) = ip p (cx a) cy.
  move=> la; rewrite (nth_map [::]) ?size_map ?count_columns // (nth_map [::]) ?count_columns // dotC.
  by rewrite (@value_dot _ p) // size_centred // size_columns.
rewrite /entry (nth_map Z0) ?size_map ?count_columns // (nth_map Z0) ?size_map ?count_columns // valueM !b_ //.
by ring.
Qed.

Lemma denominator_form w H :
  form (fun i j => val (entry (map (fun a => map (fun a' => Z.mul H (dot a a')) X) X) i j)) I (listed w) =
  val H * ip p (image w) (image w).
Proof.
rewrite -[ip p (image w) (image w)](@form_image _ p cx I (listed w)) -formZ.
apply: eq_big_seq => i; rewrite mem_iota /= => li; apply: eq_big_seq => j; rewrite mem_iota /= => lj; congr (_ * _).
rewrite /entry !(nth_map [::]) ?size_map ?count_columns // valueM; congr (_ * _).
by rewrite (@value_dot _ p) // size_centred // size_columns.
Qed.

Notation H := (Z.mul (unit_of_centred d) (unit_of_centred d)).
Notation fA w := (form (fun i j => val (entry (map (fun s => map (Z.mul s) b) b) i j)) I (listed w)).
Notation fB w := (form (fun i j => val (entry (map (fun a => map (fun a' => Z.mul H (dot a a')) X) X) i j)) I (listed w)).

Let h2_gt0 : 0 < h ^+ 2. Proof. by rewrite exprn_gt0 // h_gt0. Qed.

Lemma fit_above (U : R) w t : 0 <= U -> fA w <= U * fB w -> may_be_constant d t -> energy R d - U <= left_over d w t.
Proof.
rewrite numerator_form denominator_form valueM -expr2 => U0 bound may; rewrite left_overE //.
rewrite -[X in X <= _]addr0; apply: ler_add; last by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
rewrite rest_squares ler_add2l ler_pdivl_mulr // mulNr ler_oppl opprB ler_subl_addr.
have := pair_paid 1 1 (mulr_ge0 U0 (ltW h2_gt0)) (ip_ge0 p (image w)) _.
by rewrite -mulrA => /(_ _ bound); rewrite !expr1n !mulr1.
Qed.

Lemma fit_below (low : R) w : 0 < fB w -> low * fB w <= fA w ->
  exists s t, may_be_constant d t /\ left_over d (s *: w) t <= energy R d - low.
Proof.
rewrite numerator_form denominator_form valueM -expr2 pmulr_rgt0 // => S_gt0 attained.
set S := ip p (image w) (image w) in S_gt0 attained; set L := ip p (image w) cy in attained.
have [t may left] := left_over_least ((L / S) *: w); exists (L / S), t; split=> //.
have scaled q : image ((L / S) *: w) q = L / S * image w q.
  rewrite /image mulr_sumr; apply: eq_big_seq => i; rewrite mem_iota /= => li.
  by rewrite -[i]/(nat_of_ord (Ordinal li)) !listedE mxE mulrA.
have -> : left_over d ((L / S) *: w) t = energy R d - L ^+ 2 / S / h ^+ 2.
  rewrite left rest_squares (_ : ip p (image _) (image _) = (L / S) ^+ 2 * S); last first.
    by rewrite /S /ip mulr_sumr; apply: eq_bigr => q _; rewrite !scaled expr2 mulrACA.
  rewrite (_ : ip p (image _) cy = L / S * L); last first.
    by rewrite {2}/L /ip mulr_sumr; apply: eq_bigr => q _; rewrite scaled mulrA.
  by field; rewrite !gt_eqF // h_gt0.
by rewrite ler_add2l ler_opp2 ler_pdivl_mulr // ler_pdivl_mulr // -mulrA.
Qed.

End Centred.

(* No fit of the claim leaves less than energy - upper, and one leaves at most energy - lower. *)
Theorem check_fit_sound (R : realFieldType) (c : certificate) (d : fit) (include exclude : seq nat) (v : excess) :
  check_fit include exclude c d v ->
  (forall (w : 'cV[R]_(size_of c)) t, avoids exclude w -> (Used include w <= cardinality c)%N -> may_be_constant d t ->
     energy R d - upper R c <= left_over d w t) /\
  (exists (w : 'cV[R]_(size_of c)) t, [/\ avoids exclude w, (Used include w <= cardinality c)%N, may_be_constant d t &
     left_over d w t <= energy R d - lower R c]).
Proof.
case/and5P=> /and5P[/(value_gt0 R) D_gt0 /(value_gt0 R) u_gt0 /PeanoNat.Nat.ltb_lt/ssrnat.ltP p_gt0].
move=> /PeanoNat.Nat.eqb_eq size_y /andP[/PeanoNat.Nat.eqb_eq count /(all_nthP [::]) sizes].
have {}sizes i : (i < size_of c)%N -> size (nth [::] (columns d) i) = observations d.
  by rewrite -count => /sizes/PeanoNat.Nat.eqb_eq.
move=> /andP[/(value_ge0 R) upper0 square0] low attained ok.
have [/andP[scope _] _] := andP ok; split=> [w t out used may|].
  apply: (fit_above u_gt0 p_gt0 size_y sizes count) => //; first by rewrite divr_ge0 // ltW.
  by have := forms_bound_vector ok out used; rewrite /upper /rational mulrAC ler_pdivl_mulr // [X in X <= _ -> _]mulrC.
have /and4P[_ /(witness_avoids R) out /PeanoNat.Nat.leb_le/ssrnat.leP used _] := low.
have {}used : (Used include (vector R c (witness c)) <= cardinality c)%N by rewrite (witness_used R scope).
have [] := fit_below u_gt0 p_gt0 size_y sizes count (low := lower R c) (w := vector R c (witness c)).
- by rewrite witness_formE value_gt0.
- rewrite !witness_formE /lower /rational mulrAC ler_pdivr_mulr // [X in _ <= X]mulrC -!valueM; exact: value_le.
move=> s [t [may above]]; exists (s *: vector R c (witness c)), t; split=> //.
- by move=> i /out zi; rewrite mxE zi mulr0.
apply: leq_trans used; apply: subset_leq_card; apply/subsetP => i; rewrite !inE mxE => /orP[|-> //]; last by rewrite orbT.
by rewrite mulf_eq0 negb_or => /andP[_ ->].
Qed.
