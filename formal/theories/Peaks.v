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
Notation weights T w := (fun i => val (weight T w i)).

Lemma ip_square (x : nat -> R) : ip n x x = square (iota 0 n) x.
Proof. by rewrite /ip -(sum_iota n (fun i => x i * x i)); apply: eq_bigr => i _; rewrite expr2. Qed.

Lemma ip_cauchy (u v : nat -> R) : ip n u v ^+ 2 <= ip n u u * ip n v v.
Proof. by rewrite !ip_square /ip -(sum_iota n (fun q => u q * v q)); apply: cauchy_schwarz. Qed.

Lemma weight_out T w i : i \notin T -> weight T w i = Z0.
Proof. by elim: T w => [|j T IH] [|a w] //; rewrite inE negb_or /= eqnE => /andP[/negPf -> /IH]. Qed.

Lemma ip_weights T w (x : nat -> R) : uniq T -> {subset T <= iota 0 n} ->
  ip n (weights T w) x = \sum_(i <- T) val (weight T w i) * x i.
Proof.
move=> uT sub; rewrite /ip -(sum_iota n (fun i => val (weight T w i) * x i)).
by rewrite (sum_support uT) ?iota_uniq // => i out; rewrite weight_out ?mul0r.
Qed.

Lemma value_product T T' w w' : uniq T -> {subset T <= iota 0 n} ->
  val (product T T' w w') = ip n (weights T w) (weights T' w').
Proof. by move=> uT sub; rewrite ip_weights // /product value_total; apply: eq_bigr => i _; rewrite valueM. Qed.

Lemma peak_bounds T (q : table_point) e (x : nat -> R) : uniq T -> {subset T <= iota 0 n} ->
  {in T &, forall i j, entry q.1.1 i j = entry q.1.1 j i} -> (forall i, i \notin T -> x i = 0) -> is_peak T q e ->
  form (fun i j => val (entry q.1.1 i j)) (iota 0 n) x <=
  val e.1 * square (iota 0 n) x + ip n (weights T e.2) x ^+ 2.
Proof.
move=> uT sub sym zero; set o := fun i j => Z.sub (entry q.1.1 i j) (Z.mul (weight T e.2 i) (weight T e.2 j)).
move=> /(@definite_block R T e.1 o x uT) paid; rewrite (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //.
rewrite ip_weights //; set s := \sum_(i <- T) _.
rewrite (_ : form _ T x = form (fun i j => val (o i j)) T x + s ^+ 2).
  by rewrite ler_add2r paid // => i j iT jT; rewrite /o sym // Z.mul_comm.
rewrite (_ : s ^+ 2 = form (fun i j => val (weight T e.2 i) * val (weight T e.2 j)) T x) -?formD.
  by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /o valueB valueM subrK.
rewrite expr2 /s mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _ /=; ring.
Qed.

(* The second vector is orthogonal to the first, so w'y is what w'x leaves (Bessel). *)
Lemma two_lose (w w' x y : nat -> R) d : 0 < ip n x x -> 0 < ip n y y -> ip n x y = 0 ->
  d < ip n w w -> d * (ip n w w + ip n w' w' - d) <= ip n w w' ^+ 2 ->
  ip n w x ^+ 2 / ip n x x + ip n w' y ^+ 2 / ip n y y <= ip n w w + ip n w' w' - d.
Proof.
move=> x0 y0 orth; rewrite -subr_gt0; set mu := _ - d => mu0 far.
have first : ip n w x ^+ 2 <= ip n w' x ^+ 2 + mu * ip n x x.
  by apply: rank_one_paid => //; rewrite -subr_ge0; move: far; rewrite -subr_ge0; congr (_ <= _); rewrite /mu; ring.
have := ip_ge0 n (fun q => 1 * w' q + - (ip n w' x / ip n x x) * x q + - (ip n w' y / ip n y y) * y q).
have ipC (u v : nat -> R) : ip n u v = ip n v u by apply: eq_bigr => i _; rewrite mulrC.
rewrite ip_combined (ipC y w') (ipC x w') orth.
set a := ip n w' x in first *; set b := ip n w' y; set xx := ip n x x in x0 first *; set yy := ip n y y in y0 *.
have -> : 1 ^+ 2 * ip n w' w' + (- (a / xx)) ^+ 2 * xx + (- (b / yy)) ^+ 2 * yy +
    2%:R * (1 * - (a / xx) * a + 1 * - (b / yy) * b + - (a / xx) * - (b / yy) * 0) =
    ip n w' w' - a ^+ 2 / xx - b ^+ 2 / yy by field; rewrite !gt_eqF.
have : ip n w x ^+ 2 / xx <= a ^+ 2 / xx + mu by rewrite ler_pdivr_mulr // mulrDl divfK ?gt_eqF.
move: (_ / xx) (_ / xx) (_ / yy) => p q s le_p; rewrite subr_ge0 ler_subr_addr => le_s.
rewrite -addrA (addrC _ (- d)) addrA -/mu; apply: le_trans (ler_add le_p (lexx _)) _.
by rewrite addrAC addrC ler_add2l addrC.
Qed.

End Peaks.
