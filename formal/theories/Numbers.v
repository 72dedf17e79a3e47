(* Whole numbers of the checker as members of an ordered field. *)
From Coq Require Import Lia.
From mathcomp Require Import ssrZ.
From SparseEigenvalue Require Import Setting.

Section Value.

Variable R : realFieldType.

Definition value (z : Z) : R :=
  match z with Z0 => 0 | Zpos p => (Pos.to_nat p)%:R | Zneg p => - (Pos.to_nat p)%:R end.

Lemma valueN z : value (- z) = - value z.
Proof. by case: z => [|p|p] /=; rewrite ?oppr0 ?opprK. Qed.

Lemma value_nat m : value (Z.of_nat m) = m%:R.
Proof. by case: m => [//|m] /=; rewrite SuccNat2Pos.id_succ. Qed.

(* The same by MathComp's integers. *)
Lemma valueE z : value z = (int_of_Z z)%:~R.
Proof. by case: z => // p; rewrite /= NegzE prednK ?mulrNz //; apply/ssrnat.ltP/Pos2Nat.is_pos. Qed.

Lemma valueD a b : value (a + b) = value a + value b.
Proof. by rewrite !valueE -intrD -rmorphD. Qed.

Lemma valueB a b : value (a - b) = value a - value b.
Proof. by rewrite -Z.add_opp_r valueD valueN. Qed.

Lemma valueM a b : value (a * b) = value a * value b.
Proof. by case: a b => [|a|a] [|b|b]; rewrite /= ?mul0r ?mulr0 // Pos2Nat.inj_mul multE natrM ?mulrN ?mulNr ?opprK. Qed.

Lemma value_ge0 (a : Z) : Z.leb Z0 a -> 0 <= value a.
Proof. by case: a => //= p _; rewrite ler0n. Qed.

Lemma value_gt0 (a : Z) : Z.ltb Z0 a -> 0 < value a.
Proof. by case: a => //= p _; rewrite ltr0n; apply/ssrnat.ltP; apply: Pos2Nat.is_pos. Qed.

Lemma value_le (a b : Z) : Z.leb a b -> value a <= value b.
Proof. by rewrite -subr_ge0 -valueB => ab; apply: value_ge0; lia. Qed.

Lemma value_lt (a b : Z) : Z.ltb a b -> value a < value b.
Proof. by rewrite -subr_gt0 -valueB => ab; apply: value_gt0; lia. Qed.

Lemma value_abs a : value (Z.abs a) = `|value a|.
Proof. by case: a => [|p|p] /=; rewrite ?normr0 ?normrN ?normr_nat. Qed.

Lemma value_eq0 a : (value a == 0) = (Z.eqb a Z0).
Proof.
by case: a => [|p|p] /=; rewrite ?eqxx ?oppr_eq0 // pnatr_eq0; apply/eqP => p0;
  have := Pos2Nat.is_pos p; rewrite p0 => /ssrnat.ltP.
Qed.

Lemma value_max a b : value (Z.max a b) = Num.max (value a) (value b).
Proof.
case: (Z.leb_spec a b) => ab.
  by rewrite Z.max_r // max_r //; apply: value_le; lia.
by rewrite Z.max_l ?max_l //; [apply: value_le; lia|lia].
Qed.

Lemma value_total (I : Type) (f : I -> Z) l : value (foldr (fun i s => Z.add (f i) s) Z0 l) = \sum_(i <- l) value (f i).
Proof. by elim: l => [|i l IH] /=; rewrite ?big_nil // big_cons valueD IH. Qed.

End Value.
