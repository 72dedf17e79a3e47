(* Whole numbers of the checker as members of an ordered field. *)
From mathcomp Require Import ssrZ zify.
From SparseEigenvalue Require Import Setting.

Section Value.

Variable R : realFieldType.

Definition value (z : Z) : R := (int_of_Z z)%:~R.

Lemma valueD a b : value (a + b) = value a + value b.
Proof. by rewrite /value -!rmorphD. Qed.

Lemma valueB a b : value (a - b) = value a - value b.
Proof. by rewrite /value -!rmorphB. Qed.

Lemma valueN z : value (- z) = - value z.
Proof. by rewrite /value -!rmorphN. Qed.

Lemma valueM a b : value (a * b) = value a * value b.
Proof. by rewrite /value -!rmorphM. Qed.

Lemma value_nat m : value (Z.of_nat m) = m%:R.
Proof. by rewrite /value (_ : int_of_Z _ = m) //; lia. Qed.

Lemma value_abs a : value (Z.abs a) = `|value a|.
Proof. by rewrite /value -intr_norm; congr (_%:~R); lia. Qed.

Lemma value_max a b : value (Z.max a b) = Num.max (value a) (value b).
Proof. by rewrite /value /Num.max ltr_int; case: ifP => ab; congr (_%:~R); lia. Qed.

Lemma value_eq0 a : (value a == 0) = (Z.eqb a Z0).
Proof. by rewrite /value intr_eq0; lia. Qed.

Lemma value_le (a b : Z) : Z.leb a b -> value a <= value b.
Proof. by rewrite /value ler_int; lia. Qed.

Lemma value_lt (a b : Z) : Z.ltb a b -> value a < value b.
Proof. by rewrite /value ltr_int; lia. Qed.

Definition value_ge0 a : Z.leb Z0 a -> 0 <= value a := @value_le Z0 a.
Definition value_gt0 a : Z.ltb Z0 a -> 0 < value a := @value_lt Z0 a.

Lemma value_total (I : Type) (f : I -> Z) l : value (foldr (fun i s => Z.add (f i) s) Z0 l) = \sum_(i <- l) value (f i).
Proof. by elim: l => [|i l IH] /=; rewrite ?big_nil // big_cons valueD IH. Qed.

End Value.
