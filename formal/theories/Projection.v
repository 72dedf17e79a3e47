(* Orthogonal vectors x_t on the variables of U: the sum of x_t'G x_t / x_t'x_t is at most the trace of G there,
   if G is positive semidefinite. No eigenvalues: Q = I - sum x_t x_t' / x_t'x_t is symmetric and Q Q = Q, so
   what is left, the trace of G Q, is the sum of q_i'G q_i over the columns of Q. *)
From SparseEigenvalue Require Import Setting Inequalities.

Section Projection.

Variables (R : realFieldType) (G : nat -> nat -> R) (U : seq nat) (r : nat) (x : nat -> nat -> R).
Hypothesis uU : uniq U.
Hypothesis psd : forall v, 0 <= form G U v.
Hypothesis positive : forall t, (t < r)%N -> 0 < square U (x t).
Hypothesis orthogonal : forall s t, (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- U) x s i * x t i = 0.

Let p i a := \sum_(t < r) x t i * x t a / square U (x t).
Let delta (i a : nat) : R := (i == a)%:R.

Lemma projection_idempotent a b : \sum_(i <- U) p i a * p i b = p a b.
Proof.
under eq_bigr => i _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => t _ /=; have t0 := positive (ltn_ord t).
under eq_bigr => i _ do rewrite mulr_sumr.
rewrite exchange_big /= (bigD1 t) //= [X in _ + X]big1 ?addr0 => [|s st]; last first.
  rewrite (_ : \sum_(i <- U) _ = x t a / square U (x t) * (x s b / square U (x s)) * \sum_(i <- U) x t i * x s i).
    by rewrite orthogonal ?mulr0 // eq_sym; apply: contra st => /eqP st; apply/eqP/val_inj.
  by rewrite mulr_sumr; apply: eq_bigr => i _; ring.
set s := square U (x t) in t0 *.
rewrite (_ : \sum_(i <- U) _ = x t a * x t b * (s^-1 * s^-1) * \sum_(i <- U) x t i ^+ 2).
  by rewrite -/(square U (x t)) -/s -!mulrA mulVf ?mulr1 // gt_eqF.
by rewrite mulr_sumr; apply: eq_bigr => i _; ring.
Qed.

Lemma sum_delta a (f : nat -> R) : a \in U -> \sum_(i <- U) delta i a * f i = f a.
Proof. by move=> aU; rewrite (bigD1_seq a) //= /delta eqxx mul1r big1 ?addr0 // => i /negPf ->; rewrite mul0r. Qed.

Lemma projection_paid : \sum_(t < r) form G U (x t) / square U (x t) <= \sum_(i <- U) G i i.
Proof.
pose q i a := delta i a - p i a.
have idempotent a b : a \in U -> b \in U -> \sum_(i <- U) q i a * q i b = delta a b - p a b.
  move=> aU bU; rewrite (_ : \sum_(i <- U) _ =
      \sum_(i <- U) (delta i a * delta i b - delta i a * p i b - delta i b * p i a + p i a * p i b)); last first.
    by apply: eq_bigr => i _; rewrite /q; ring.
  rewrite !big_split /= !sumrN !sum_delta // projection_idempotent (_ : p b a = p a b); [ring | by apply: eq_bigr => t _; rewrite (mulrC (x t b))].
have : 0 <= \sum_(i <- U) form G U (q i) by apply: sumr_ge0 => i _; apply: psd.
have -> : \sum_(i <- U) form G U (q i) = \sum_(a <- U) \sum_(b <- U) G a b * (delta a b - p a b).
  rewrite /form exchange_big; apply: eq_big_seq => a aU /=; rewrite exchange_big; apply: eq_big_seq => b bU /=.
  by rewrite -mulr_sumr idempotent.
have -> : \sum_(a <- U) \sum_(b <- U) G a b * (delta a b - p a b) =
    \sum_(a <- U) G a a - \sum_(t < r) form G U (x t) / square U (x t).
  rewrite /form; under [X in _ = _ - X]eq_bigr => t _ do rewrite mulr_suml.
  rewrite [X in _ = _ - X]exchange_big -sumrB /=; apply: eq_big_seq => a aU.
  under [X in _ = _ - X]eq_bigr => t _ do rewrite mulr_suml.
  rewrite [X in _ = _ - X]exchange_big /=.
  rewrite -[X in _ = X - _](sum_delta (fun b => G a b) aU) -sumrB; apply: eq_bigr => b _.
  by rewrite mulrBr /p mulr_sumr /delta (eq_sym a) mulrC; congr (_ - _); apply: eq_bigr => t _; rewrite mulrA.
by rewrite subr_ge0.
Qed.

End Projection.
