(* What a price matrix says of the sets of variables where components are not 0: of each, and of two of them, which
   orthogonal vectors cannot both use to the full. *)
From mathcomp Require Export ssrZ.
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Projection Elimination Multipliers.

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
Lemma two_lose l (w w' x y : nat -> R) d : uniq l -> 0 < square l x -> 0 < square l y -> ip l x y = 0 ->
  d < ip l w w -> d * (ip l w w + ip l w' w' - d) <= ip l w w' ^+ 2 ->
  ip l w x ^+ 2 / square l x + ip l w' y ^+ 2 / square l y <= ip l w w + ip l w' w' - d.
Proof.
rewrite -![ip l w w]/(square l w) -![ip l w' w']/(square l w') => ul x0 y0 orth; rewrite -subr_gt0; set mu := _ - d => mu0 far.
have bessel : ip l w' x ^+ 2 / square l x + ip l w' y ^+ 2 / square l y <= square l w'.
  have := @projection_paid R (fun i j => w' i * w' j) l 2 (fun t => if t is 0%N then x else y) ul.
  rewrite big_ord_recl big_ord1 /= !form_rank_one; apply=> [v|[|[]] //|[|[]] // [|[]] // _ _ _].
    by rewrite form_rank_one sqr_ge0.
  by rewrite -[RHS]orth ipC.
rewrite [X in _ <= X](_ : _ = square l w' + mu); last by rewrite /mu; ring.
apply: le_trans (ler_add bessel (lexx mu)); rewrite addrAC ler_add2r -[mu](mulfK (lt0r_neq0 x0)) -mulrDl.
rewrite ler_pmul2r ?invr_gt0 //; apply: rank_one_paid => //.
by rewrite -subr_ge0; move: far; rewrite -subr_ge0; congr (_ <= _); rewrite /mu; ring.
Qed.

End Peaks.
