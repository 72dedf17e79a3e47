(* What a price matrix says of the sets of variables where components are not 0: of each, and of two of them, which
   orthogonal vectors cannot both use to the full. *)
From mathcomp Require Export ssrZ.
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Elimination Multipliers.

(* A price matrix M, and evidence that Sigma - M + shift I is positive semidefinite. *)
Definition table_point : Type := seq (seq Z) * Z * root.
Definition no_point : table_point := ([::], Z0, Root Z0 Z0 [::]).

(* What a point says of a set: (top, w'w, w), for x on the set x'Mx <= (top - w'w) x'x + (w'x)^2 <= top x'x. *)
Definition peak : Type := Z * Z * seq Z.

(* A set, and what each point says of it. *)
Definition candidate : Type := seq nat * seq peak.

Fixpoint weight (T : seq nat) (w : seq Z) (i : nat) : Z :=
  match T, w with
  | j :: T', a :: w' => if eqn i j then a else weight T' w' i
  | _, _ => Z0
  end.

Definition product (T T' : seq nat) (w w' : seq Z) : Z :=
  total (fun i => Z.mul (weight T w i) (weight T' w' i)) T.

Definition peak_of (T : seq nat) (e : Z * seq Z) : peak :=
  let norm := product T T e.2 e.2 in (Z.add e.1 norm, norm, e.2).

Definition is_peak (T : seq nat) (q : table_point) (e : Z * seq Z) : bool :=
  is_at_most T e.1 (fun i j => Z.sub (entry q.1.1 i j) (Z.mul (weight T e.2 i) (weight T e.2 j))).

Definition peak_at (q : nat) (c : candidate) : seq nat * peak := (c.1, nth (Z0, Z0, [::]) c.2 q).
Definition top_at (q : nat) (c : candidate) : Z := (peak_at q c).2.1.1.

(* Two orthogonal vectors have d less than their tops together, if the vectors w, w' of their sets are far from orthogonal. *)
Definition loses (d : Z) (a b : seq nat * peak) : bool :=
  [&& Z.ltb d a.2.1.2, Z.ltb d b.2.1.2 &
      let c := product a.1 b.1 a.2.2 b.2.2 in Z.leb (Z.mul d (Z.sub (Z.add a.2.1.2 b.2.1.2) d)) (Z.mul c c)].

(* What a peak says of vectors, and of two that are orthogonal. *)
Section Peaks.

Variables (R : realFieldType) (n : nat).
Notation val := (@value R).
Notation I := (iota 0 n).
Notation weights T w := (fun i => val (weight T w i)).

Lemma ip_square l (x : nat -> R) : ip l x x = square l x. Proof. by []. Qed.

Lemma weight_out T w i : i \notin T -> weight T w i = Z0.
Proof. by elim: T w => [|j T IH] [|a w] //; rewrite inE negb_or /= eqnE => /andP[/negPf -> /IH]. Qed.

Lemma ip_weights T w (x : nat -> R) : uniq T -> {subset T <= I} -> ip I (weights T w) x = ip T (weights T w) x.
Proof. by move=> uT sub; apply: (sum_support uT) => // [|i out]; rewrite ?iota_uniq // weight_out ?mul0r. Qed.

Lemma value_product T T' w w' : uniq T -> {subset T <= I} ->
  val (product T T' w w') = ip I (weights T w) (weights T' w').
Proof. by move=> uT sub; rewrite ip_weights // /product value_total; apply: eq_bigr => i _; rewrite valueM. Qed.

Lemma peak_bounds T (q : table_point) e (x : nat -> R) : uniq T -> {subset T <= I} ->
  {in T &, forall i j, entry q.1.1 i j = entry q.1.1 j i} -> (forall i, i \notin T -> x i = 0) -> is_peak T q e ->
  form (fun i j => val (entry q.1.1 i j)) I x <= val e.1 * square I x + ip I (weights T e.2) x ^+ 2.
Proof.
move=> uT sub sym zero; set o := fun i j => Z.sub (entry q.1.1 i j) (Z.mul (weight T e.2 i) (weight T e.2 j)).
move=> /(@definite_block R T e.1 o x uT) paid; rewrite (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //.
rewrite ip_weights // -form_rank_one -ler_subl_addr -formB.
apply: le_trans (eqW _) (paid _) => [|i j iT jT]; last by rewrite /o sym // Z.mul_comm.
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /o valueB valueM.
Qed.

(* The second vector is orthogonal to the first, so w'y is what w'x leaves (Bessel). *)
Lemma two_lose l (w w' x y : nat -> R) d : 0 < square l x -> 0 < square l y -> ip l x y = 0 ->
  d < ip l w w -> d * (ip l w w + ip l w' w' - d) <= ip l w w' ^+ 2 ->
  ip l w x ^+ 2 / square l x + ip l w' y ^+ 2 / square l y <= ip l w w + ip l w' w' - d.
Proof.
rewrite !ip_square => x0 y0 orth; rewrite -subr_gt0; set mu := _ - d => mu0 far.
have first : ip l w x ^+ 2 <= ip l w' x ^+ 2 + mu * square l x.
  by apply: rank_one_paid => //; rewrite -subr_ge0; move: far; rewrite -subr_ge0; congr (_ <= _); rewrite /mu; ring.
have := square_ge0 l (fun q => 1 * w' q + - (ip l w' x / square l x) * x q + - (ip l w' y / square l y) * y q).
rewrite square_combined (ipC l y w') (ipC l x w') orth.
set a := ip l w' x in first *; set b := ip l w' y; set xx := square l x in x0 first *; set yy := square l y in y0 *.
have -> : 1 ^+ 2 * square l w' + (- (a / xx)) ^+ 2 * xx + (- (b / yy)) ^+ 2 * yy +
    2%:R * (1 * - (a / xx) * a + 1 * - (b / yy) * b + - (a / xx) * - (b / yy) * 0) =
    square l w' - a ^+ 2 / xx - b ^+ 2 / yy by field; rewrite !gt_eqF.
have : ip l w x ^+ 2 / xx <= a ^+ 2 / xx + mu by rewrite ler_pdivr_mulr // mulrDl divfK ?gt_eqF.
move: (_ / xx) (_ / xx) (_ / yy) => p q s le_p; rewrite subr_ge0 ler_subr_addr => le_s.
rewrite -addrA (addrC _ (- d)) addrA -/mu; apply: le_trans (ler_add le_p (lexx _)) _.
by rewrite addrAC addrC ler_add2l addrC.
Qed.

End Peaks.
