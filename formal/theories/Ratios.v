(* Claims about two forms: lower <= the least u with x'Ax <= u x'Bx for every sparse x <= upper. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Families NearOptimal.

(* The tree bounds z'Mz by `most` z'z, M = D(A - mu B)D with D diagonal, and DBD - `least` I is positive semidefinite:
   for x = Dz then x'Ax <= mu x'Bx + most z'z <= upper x'Bx. Here mu and upper are in units of 1/unit. *)
Record excess := Excess {
  mu : Z;
  scale : seq Z;
  most_excess : Z;
  least_scaled : Z;
  why_least : root }.

Definition difference (A B : seq (seq Z)) (unit : Z) (n : nat) (v : excess) : seq (seq Z) :=
  map (fun i => map (fun j => Z.mul (Z.mul (nth Z0 (scale v) i) (nth Z0 (scale v) j))
    (Z.sub (Z.mul unit (entry A i j)) (Z.mul (mu v) (entry B i j)))) (iota 0 n)) (iota 0 n).

(* The claim of c about A and B, in the unit of its bounds; its own matrix is not looked at. *)
Definition check_forms (A B : seq (seq Z)) (c : certificate) (classes : seq nat) (quota : seq (seq nat * nat))
    (J E : seq nat) (others : Z) (list : seq member) (v : excess) : bool :=
  let n := size_of c in
  let z := witness c in
  let l := support_of_witness n z in
  let e i := nth Z0 (scale v) i in
  let M := parted classes (difference A B (denominator c) n v) n in
  [&& symmetric A n && symmetric B n,
      [&& all (fun i => Z.ltb Z0 (e i)) (iota 0 n), Z.leb others (upper_of c) &
        all (check_member (entry A) (entry B) (denominator c) (upper_of c) n (sumn (map snd quota))) list],
      [&& Z.leb (mu v) others, Z.leb Z0 (least_scaled v) & Z.leb (most_excess v) (Z.mul (Z.sub others (mu v)) (least_scaled v))],
      [&& check_witness B n n J E Z0 z, uses_few classes quota J l &
        Z.leb (Z.mul (lower_of c) (witness_form (entry B) l z)) (Z.mul (denominator c) (witness_form (entry A) l z))] &
      semidefinite (why_least v) (iota 0 n)
        (fun=> Z.opp (least_scaled v)) (block (iota 0 n) (fun i j => Z.mul (Z.mul (e i) (e j)) (entry B i j))) &&
      check_tree n classes quota M (most_excess v) (map (rows_of Z.abs (grouped classes n) M [::]) (points_of c))
        (map support list) J E (proof c)].

(* A is the matrix of c, and B another in the same unit. *)
Definition with_matrix (c : certificate) (m : covariance) : certificate :=
  Certificate (size_of c) (cardinality c) (denominator c) m (lower_of c) (upper_of c) (witness c) (points_of c) (proof c).

Definition check_ratio (classes : seq nat) (quota : seq (seq nat * nat)) (include exclude : seq nat) (c : certificate)
    (B : seq (seq Z)) (others : Z) (list : seq member) (v : excess) : bool :=
  let n := size_of c in
  let D := denominator c in
  [&& check_matrix (matrix c) n D && check_matrix (Dense B) n D, Z.ltb Z0 (least_scaled v) &
      check_forms (entries (matrix c)) B c classes quota include exclude others list v].

Section Forms.

Variables (R : realFieldType) (A B : seq (seq Z)) (c : certificate).
Variables (classes : seq nat) (quota : seq (seq nat * nat)) (J E : seq nat).
Variables (others : Z) (list : seq member) (v : excess).
Notation val := (@value R).
Notation n := (size_of c).
Notation I := (iota 0 n).
Notation unit := (denominator c).
Hypothesis ok : check_forms A B c classes quota J E others list v.

Let e i : R := val (nth Z0 (scale v) i).
Let fam : check_family n classes quota J E. Proof. by have /and5P[_ _ _ _ /and3P[]] := ok. Qed.
Let symA : {in I &, forall i j, entry A i j = entry A j i}. Proof. by have /andP[/andP[/symmetric_in]] := ok. Qed.
Let symB : {in I &, forall i j, entry B i j = entry B j i}. Proof. by have /andP[/andP[_ /symmetric_in]] := ok. Qed.
Let le_others : Z.leb others (upper_of c). Proof. by have /and3P[_ /and3P[]] := ok. Qed.
Let members : all (check_member (entry A) (entry B) unit (upper_of c) n (sumn (map snd quota))) list.
Proof. by have /and3P[_ /and3P[]] := ok. Qed.

Lemma scale_gt0 i : i \in I -> 0 < e i.
Proof. by move: ok => /and3P[_ /and3P[/allP pos _ _] _] /pos/(value_gt0 R). Qed.

(* The vector of the file. *)
Lemma forms_witness (x := vector R c (witness c))
    (form_of := fun M => form (fun i j => val (entry M i j)) I (listed x)) :
  0 < val unit -> [/\ x != 0, meets classes quota J E x & rational R (lower_of c) unit * form_of B <= form_of A].
Proof.
move=> D_gt0; have /and5P[_ _ _ /and3P[/and4P[some out _ _] few low] _] := ok; split; first exact: witness_neq0.
  by apply: witness_meets few; apply: witness_avoids.
rewrite /form_of !witness_formE /rational mulrAC ler_pdivr_mulr // [X in _ <= X]mulrC -!valueM; exact: value_le.
Qed.

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

Lemma forms_bound T (x : nat -> R) : in_family c classes quota J E T -> (forall i, i \notin T -> x i = 0) ->
  within_or_listed c (entry A) (entry B) unit others list T x.
Proof.
have /and5P[_ _ /and3P[mu_le least0 most] _ /andP[_ proved]] := ok.
move=> inT zero; have uT := support_uniq (family_node inT); have TI := family_within fam inT.
have uI := iota_uniq 0 n; pose z i := x i / e i.
have z0 i : i \notin T -> z i = 0 by move=> /zero xi; rewrite /z xi mul0r.
have sym_d : {in I &, forall i j, entry (difference A B unit n v) i j = entry (difference A B unit n v) j i}.
  by move=> i j iI jI; rewrite !entry_difference // symA // symB // (Z.mul_comm (nth Z0 (scale v) j)).
have [bound|] := family_bounds fam sym_d inT proved z0; [left|by right].
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
have /and4P[_ _ /and3P[_ /(value_ge0 R) least0 _] _] := ok; apply: le_trans (denominator_bounds x).
by rewrite mulr_ge0 ?square_ge0.
Qed.

Definition forms_sound Q N s s0 D0 QE NE :=
  lists_sound symA symB B_ge0 le_others members fam (Q := Q) (N := N) (D := unit) (s := s) s0 D0 QE NE forms_bound.

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
  (classes : seq nat) (quota : seq (seq nat * nat)) (include exclude : seq nat) (v : excess)
  (MA := Sigma R c) (MB := Sigma R (with_matrix c (Dense B))) : check_ratio classes quota include exclude c B others list v ->
  [/\ MA^T = MA /\ MB^T = MB, forall x, x != 0 -> 0 < quadratic MB x,
      list_claims (quadratic MA) (quadratic MB) (denominator c) classes quota include exclude (upper_of c) others list &
      [/\ z R c != 0, meets classes quota include exclude (z R c) & lower R c * quadratic MB (z R c) <= quadratic MA (z R c)]].
Proof.
case/and3P=> /andP[shapeA shapeB] least ok; set c' := with_matrix c (Dense B).
have /andP[/andP[symA symB] _] := ok; have D_gt0 := positive_D R shapeA.
have formA := @Sigma_form R c shapeA; have formB := @Sigma_form R c' shapeB.
have [z_neq0 z_meets low] := forms_witness ok D_gt0.
split; first by split; [exact: (Sigma_sym R shapeA symA) | exact: (@Sigma_sym R c' shapeB symB)].
- by move=> x x_neq0; rewrite -(pmulr_lgt0 _ D_gt0) formB (denominator_gt0 ok).
- apply: (forms_sound ok D_gt0 D_gt0) => x; first by rewrite -formA mulrA mulrAC.
  by rewrite -[LHS]formB mulrC.
by split=> //; rewrite -(ler_pmul2r D_gt0) -mulrA formB formA.
Qed.
