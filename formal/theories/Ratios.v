(* Claims about two forms: lower <= the least u with x'Ax <= u x'Bx for every sparse x <= upper. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness NearOptimal.

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

(* Every variable is in one of the parts, and those of J and others fill each part. *)
Definition check_parts (n : nat) (quota : seq (seq nat * nat)) (J E : seq nat) : bool :=
  let l := flatten (map fst quota) in
  let F := left_free n J E in
  [&& uniq l, all (inside l) (iota 0 n) &
      all (fun b => (b.2 <= count (inside J) b.1 + count (inside F) b.1)%N) quota].

Definition check_forms (A B : seq (seq Z)) (unit : Z) (n : nat) (quota : seq (seq nat * nat)) (J E : seq nat) (upper others : Z)
    (list : seq member) (v : excess) (ws : seq (seq Z)) (t : nodes leaf) : bool :=
  let e i := nth Z0 (scale v) i in
  let F := left_free n J E in
  let M := difference A B unit n v in
  [&& check_scope n J E && check_parts n quota J E, symmetric A n && symmetric B n,
      [&& all (fun i => Z.ltb Z0 (e i)) (iota 0 n), Z.leb others upper &
        all (check_member (entry A) (entry B) unit upper n (sumn (map snd quota))) list],
      [&& Z.leb (mu v) others, Z.leb Z0 (least_scaled v) & Z.leb (most_excess v) (Z.mul (Z.sub others (mu v)) (least_scaled v))],
      semidefinite (multiple v) (root v) (iota 0 n)
        (fun=> Z.opp (least_scaled v)) (block (iota 0 n) (fun i j => Z.mul (Z.mul (e i) (e j)) (entry B i j))) &
      check_tree n quota M (most_excess v) (map (rows_of (alone n) M) ws) (map support list) J F t].

(* So many variables of each part, those of J counted. *)
Definition uses_few (quota : seq (seq nat * nat)) (J l : seq nat) : bool :=
  all (fun b => (count (fun i => inside J i || inside l i) b.1 <= b.2)%N) quota.

(* A is the matrix of c, and B another in the same unit. *)
Definition with_matrix (c : certificate) (m : covariance) : certificate :=
  Certificate (size_of c) (cardinality c) (denominator c) m (lower_of c) (upper_of c) (witness c) (weights_of c) (proof c).

Definition check_ratio (quota : seq (seq nat * nat)) (include exclude : seq nat) (c : certificate) (B : seq (seq Z)) (others : Z)
    (list : seq member) (v : excess) : bool :=
  let A := entries (matrix c) in
  let n := size_of c in
  let D := denominator c in
  let l := support_of_witness n (witness c) in
  [&& check_matrix (matrix c) n D && check_matrix (Dense B) n D, Z.ltb Z0 (least_scaled v),
      check_witness B n n include exclude Z0 (witness c) && uses_few quota include l,
      Z.leb (Z.mul (lower_of c) (witness_form (entry B) l (witness c))) (Z.mul D (witness_form (entry A) l (witness c))) &
      check_forms A B D n quota include exclude (upper_of c) others list v (weights_of c) (proof c)].

(* How many variables of a part x uses, those to include counted. *)
Definition Used_in (R : realFieldType) (n : nat) (X include : seq nat) (x : 'cV[R]_n) : nat :=
  count (fun i => (i \in include) || (listed x i != 0)) X.

Definition within_budgets (R : realFieldType) (n : nat) (quota : seq (seq nat * nat)) (include : seq nat) (x : 'cV[R]_n) : Prop :=
  forall b, b \in quota -> (Used_in b.1 include x <= b.2)%N.

Lemma uses_fewP (R : realFieldType) (c : certificate) quota J (w : seq Z) :
  uses_few quota J (support_of_witness (size_of c) w) -> within_budgets quota J (vector R c w).
Proof.
move=> /allP few b /few; apply: leq_trans; rewrite /Used_in.
by rewrite leq_eqVlt; apply/orP; left; apply/eqP/eq_count => i; rewrite /inside !has_eqb (in_witness R).
Qed.

Section Forms.

Variables (R : realFieldType) (A B : seq (seq Z)) (unit : Z) (c : certificate) (quota : seq (seq nat * nat)) (J E : seq nat) (upper others : Z) (list : seq member) (v : excess).
Variables (ws : seq (seq Z)) (t : nodes leaf).
Notation val := (@value R).
Notation n := (size_of c).
Notation I := (iota 0 n).
Hypothesis ok : check_forms A B unit n quota J E upper others list v ws t.

Let e i : R := val (nth Z0 (scale v) i).
Let scope : check_scope n J E. Proof. by have /andP[/andP[]] := ok. Qed.
Let symA : {in I &, forall i j, entry A i j = entry A j i}. Proof. by have /and5P[_ /andP[/symmetric_in]] := ok. Qed.
Let symB : {in I &, forall i j, entry B i j = entry B j i}. Proof. by have /and5P[_ /andP[_ /symmetric_in]] := ok. Qed.
Let le_others : Z.leb others upper. Proof. by have /and5P[_ _ /and3P[]] := ok. Qed.
Let members : all (check_member (entry A) (entry B) unit upper n (sumn (map snd quota))) list.
Proof. by have /and5P[_ _ /and3P[]] := ok. Qed.

Lemma scale_gt0 i : i \in I -> 0 < e i.
Proof. by move: ok => /and5P[_ _ /and3P[/allP pos _ _] _ _] /pos/(value_gt0 R). Qed.

Lemma rescaled (N : nat -> nat -> R) (x : nat -> R) l : {subset l <= I} ->
  form (fun i j => e i * e j * N i j) l (fun i => x i / e i) = form N l x.
Proof.
move=> lI; apply: eq_big_seq => i /lI/scale_gt0 ei; apply: eq_big_seq => j /lI/scale_gt0 ej.
have -> : e i * e j * N i j * (x i / e i * (x j / e j)) = e i / e i * (e j / e j) * (N i j * (x i * x j)) by ring.
by rewrite !divff ?gt_eqF // !mul1r.
Qed.

Let entry_difference i j : i \in I -> j \in I -> entry (difference A B unit n v) i j =
  Z.mul (Z.mul (nth Z0 (scale v) i) (nth Z0 (scale v) j)) (Z.sub (Z.mul unit (entry A i j)) (Z.mul (mu v) (entry B i j))).
Proof. exact: entry_made. Qed.

Lemma denominator_bounds (x : nat -> R) :
  val (least_scaled v) * square I (fun i => x i / e i) <= form (fun i j => val (entry B i j)) I x.
Proof.
have /and5P[_ _ _ _ /andP[semi _]] := ok.
rewrite -rescaled // -subr_ge0; apply: le_trans (semidefinite_ge0 (fun i => x i / e i) semi (iota_uniq 0 n) _) _ => [i j iI jI|].
  by rewrite symB // (Z.mul_comm (nth Z0 (scale v) j)).
rewrite valueN -mulr_sumr -/(square I _) mulNr ler_add2r; apply: eqW.
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !valueM.
Qed.

Notation bounded_or_listed := (within_or_listed c (entry A) (entry B) unit others list).

Lemma forms_bound T (x : nat -> R) : holds J (left_free n J E) T -> {in quota, forall b, count (mem T) b.1 = b.2} ->
  (forall i, i \notin T -> x i = 0) -> bounded_or_listed T x.
Proof.
have /and5P[/andP[_ /and3P[uQ /allP all_in _]] _ _ /and3P[mu_le least0 most] /andP[_ proved]] := ok.
move=> node counts zero; have TI : {subset T <= I} by move=> i /(drawn_from node)/(@scope_within c _ _ scope).
have uI := iota_uniq 0 n; have uT := support_uniq node; pose z i := x i / e i.
have z0 i : i \notin T -> z i = 0 by move=> /zero xi; rewrite /z xi mul0r.
have sym_d : {in J ++ left_free n J E &, forall i j,
    entry (difference A B unit n v) i j = entry (difference A B unit n v) j i}.
  move=> i j /(@scope_within c _ _ scope) iI /(@scope_within c _ _ scope) jI.
  by rewrite !entry_difference // symA // symB // (Z.mul_comm (nth Z0 (scale v) j)).
have all_in' : {subset I <= flatten (map fst quota)} by move=> i /all_in; rewrite /inside has_eqb.
have [bound|] := tree_bounds (tables_ok (alone n) (difference A B unit n v) ws) uQ all_in' counts (fun i j _ _ h => h) z0
  (apart := fun _ _ => false) (fun _ _ _ _ h => ltac:(by [])) node (@scope_within c _ _ scope) sym_d proved; [left|by right].
have split : val unit * form (fun i j => val (entry A i j)) I x =
    val (mu v) * form (fun i j => val (entry B i j)) I x +
    form (fun i j => val (entry (difference A B unit n v) i j)) I z.
  rewrite -!formZ [X in _ = _ + X](_ : _ = form (fun i j => e i * e j *
    (val unit * val (entry A i j) + -1 * (val (mu v) * val (entry B i j)))) I z); last first.
    apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; congr (_ * _).
    by rewrite entry_difference // !valueM valueB !valueM mulN1r.
  by rewrite rescaled // formD !formZ mulN1r addrC subrK.
rewrite /within split (form_support _ uT uI TI z0); set b := form _ I x.
apply: le_trans (ler_add (lexx _) bound) _; rewrite -lter_sub_addl -mulrBl -valueB.
have le_b : val (least_scaled v) * square T z <= b.
  by rewrite -(square_support uT uI TI z0); apply: denominator_bounds.
apply: le_trans (_ : val (Z.sub others (mu v)) * (val (least_scaled v) * square T z) <= _).
  by rewrite mulrA -valueM ler_wpmul2r ?square_ge0 // value_le.
by rewrite ler_wpmul2l // valueB subr_ge0 value_le.
Qed.

Lemma B_ge0 (x : nat -> R) : 0 <= form (fun i j => val (entry B i j)) I x.
Proof.
have /and5P[_ _ _ /and3P[_ /(value_ge0 R) least0 _] _] := ok; apply: le_trans (denominator_bounds x).
by rewrite mulr_ge0 ?square_ge0.
Qed.

(* The same for vectors. *)
Lemma forms_bound_vector (x : 'cV[R]_n) : avoids E x -> within_budgets quota J x -> within c (entry A) (entry B) unit upper (listed x).
Proof.
have /andP[/andP[_ /and3P[uQ /allP all_in /allP many]] _] := ok.
move=> out few; have uJF := @scope_uniq c _ _ scope.
have count_in l X : count (inside l) X = count (mem l) X by apply: eq_count => i; rewrite /inside has_eqb.
have [||T [node counts inT]] := @pad_parts (fun i => listed x i != 0) quota J (left_free n J E) uJF uQ.
- by move=> i /(@scope_within c _ _ scope)/all_in; rewrite /inside has_eqb.
- move=> b b_in; have := many b b_in; rewrite !count_in => ->; rewrite andbT.
  apply: leq_trans (few b b_in); rewrite /Used_in -count_predUI (@eq_count _ (predI _ _) pred0) ?count_pred0 ?addn0.
    by apply: sub_count => i /= /orP[-> //|/andP[_ ->]]; rewrite orbT.
  by move=> i /=; move: uJF; rewrite cat_uniq => /and3P[_ /hasPn JF _]; apply/negP => /andP[iJ /andP[/JF/negP]].
have {inT} zero i : i \notin T -> listed x i = 0; last first.
  exact: (within_all symA symB B_ge0 le_others members (forms_bound node counts zero)).
have [/inT|out_JF _] := boolP (i \in J ++ left_free n J E).
  by move=> some; apply: contraNeq => /some.
exact: (@zero_outside R c J E x out).
Qed.

Lemma forms_others T (x : 'cV[R]_n) : admissible n quota J E T -> ~~ is_listed list T -> lies_on T x ->
  within c (entry A) (entry B) unit others (listed x).
Proof.
move=> adm other /lies_listed zero; have [_ _ counts _ _] := adm.
exact: within_others (forms_bound (admissible_node scope adm) counts zero) other.
Qed.

Definition forms_listed := listed_member symA symB B_ge0 members.

Lemma denominator_gt0 (x : 'cV[R]_n) : Z.ltb Z0 (least_scaled v) -> x != 0 ->
  0 < form (fun i j => val (entry B i j)) I (listed x).
Proof.
move=> /(value_gt0 R) least x_neq0; apply: lt_le_trans (denominator_bounds _); rewrite mulr_gt0 //.
rewrite lt_def square_ge0 andbT; apply: contraNneq x_neq0 => z0; apply/eqP/matrixP => i j; rewrite ord1 [RHS]mxE.
have iI : nat_of_ord i \in I by rewrite mem_iota /= ltn_ord.
by have /eqP := square_eq0 z0 iI; rewrite mulf_eq0 invr_eq0 (gt_eqF (scale_gt0 iI)) orbF listedE => /eqP.
Qed.

End Forms.

(* A and B, and how far apart they are: B is positive definite, and x'Ax is at most upper x'Bx; with a list. *)
Theorem check_ratio_sound (R : realFieldType) (c : certificate) (B : seq (seq Z)) (others : Z) (list : seq member)
  (quota : seq (seq nat * nat)) (include exclude : seq nat) (v : excess) (price := fun U => rational R U (denominator c))
  (MA := Sigma R c) (MB := Sigma R (with_matrix c (Dense B))) : check_ratio quota include exclude c B others list v ->
  [/\ MA^T = MA /\ MB^T = MB, forall x, x != 0 -> 0 < quadratic MB x,
      (forall x, avoids exclude x -> within_budgets quota include x -> quadratic MA x <= upper R c * quadratic MB x) /\
      [/\ z R c != 0, avoids exclude (z R c), within_budgets quota include (z R c) &
          lower R c * quadratic MB (z R c) <= quadratic MA (z R c)],
      forall T, admissible (size_of c) quota include exclude T -> ~~ is_listed list T ->
        forall x, lies_on T x -> quadratic MA x <= price others * quadratic MB x &
      forall m, List.In m list ->
        [/\ uniq (support m), size (support m) = sumn (map snd quota),
            forall x, lies_on (support m) x -> quadratic MA x <= price (most m) * quadratic MB x &
            exists x, [/\ x != 0, lies_on (support m) x & price (least m) * quadratic MB x <= quadratic MA x]]].
Proof.
case/and5P=> /andP[shapeA shapeB] least /andP[low few] attained ok; set c' := with_matrix c (Dense B).
have /andP[/andP[scope _] /andP[/andP[symA symB] _]] := ok.
have D_gt0 := positive_D R shapeA.
have formA := @Sigma_form R c shapeA; have formB := @Sigma_form R c' shapeB.
have [z_neq0 out _ _] := @check_witness_sound R c' shapeB include exclude scope (witness c) _ _ low.
have withinE U x : within c (entry (entries (matrix c))) (entry B) (denominator c) U (listed x) -> quadratic MA x <= price U * quadratic MB x.
  rewrite /within -formA -[X in _ <= _ * X]formB !mulrA (ler_pmul2r D_gt0) /price /rational mulrAC ler_pdivl_mulr //.
  by rewrite [X in X <= _]mulrC.
have attains L x : value R L * form (fun i j => value R (entry B i j)) (iota 0 (size_of c)) (listed x) <=
    value R (denominator c) * form (fun i j => value R (entry (entries (matrix c)) i j)) (iota 0 (size_of c)) (listed x) ->
    price L * quadratic MB x <= quadratic MA x.
  rewrite -formA -[X in _ * X <= _]formB !mulrA (ler_pmul2r D_gt0) /price /rational mulrAC ler_pdivr_mulr //.
  by rewrite [X in _ <= X]mulrC.
split; first by split; [exact: (Sigma_sym R shapeA symA) | exact: (@Sigma_sym R c' shapeB symB)].
- by move=> x x_neq0; rewrite -(pmulr_lgt0 _ D_gt0) formB (denominator_gt0 ok).
- split=> [x out_x used_x|]; first by apply/withinE/(forms_bound_vector ok).
  split=> //; first exact: (@uses_fewP R c).
  by apply: attains; rewrite !witness_formE -!valueM; apply: value_le.
- by move=> T adm other x on_T; apply/withinE/(forms_others ok adm).
move=> m /(forms_listed R ok)[uT sT above [x [x0 on_T _ low_x]]]; split=> // [x' /above/withinE //|].
by exists x; split=> //; apply: attains.
Qed.
