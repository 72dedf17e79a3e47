(* Claims about a penalty: lower <= max { x'Sigma x - rho Card(x) : |x| <= 1 } <= upper, under conditions too.

   The certificate's cardinality and proof are not looked at; there is one proof for each cardinality, 0 too. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Walk Leaves Soundness Families.

(* The variables of `include` are paid for whether they are used or not. If there are none, 0 is attained by x = 0. *)
Definition check_penalised (include exclude : seq nat) (c : certificate) (rho : Z) (proofs : seq (nodes leaf)) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let tables := map (rows_of Z.abs (alone n) S [::]) (points_of c) in
  let F := left_free n include exclude in
  let l := support_of_witness n (witness c) in
  let used := count (fun i => inside include i || inside l i) (iota 0 n) in
  let may_be_zero := eqn (size include) 0 in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n, check_scope n include exclude,
      Z.leb Z0 rho && (negb may_be_zero || Z.leb Z0 (upper_of c)),
      may_be_zero && Z.leb (lower_of c) Z0 ||
        check_witness S n used include exclude (Z.add (lower_of c) (Z.mul rho (Z.of_nat used))) (witness c) &
      all (fun k => check_tree n [::] [:: (iota 0 n, k)] S (Z.add (upper_of c) (Z.mul rho (Z.of_nat k))) tables [::]
        include exclude (nth (Rule Listed) proofs k)) (iota 0 (size include + size F).+1)].

Theorem check_penalised_sound (R : realFieldType) (c : certificate) (include exclude : seq nat) (rho : Z)
  (proofs : seq (nodes leaf)) (price := rational R rho (denominator c)) : check_penalised include exclude c rho proofs ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, avoids exclude x -> norm2 x = 1 \/ include = [::] /\ norm2 x <= 1 ->
        quadratic (Sigma R c) x - price * (Used include x)%:R <= upper R c &
      include = [::] /\ lower R c <= 0 \/
      [/\ z R c != 0, avoids exclude (z R c) &
          (lower R c + price * (Used include (z R c))%:R) * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> /andP[shape sym] scope /andP[rho0 upper0] low proved.
have D_gt0 := positive_D R shape.
have rational_ge0 a : Z.leb Z0 a -> 0 <= rational R a (denominator c).
  by move=> a0; apply: divr_ge0; [apply: value_ge0 | apply: ltW].
have price_ge0 : 0 <= price by apply: rational_ge0.
have priced U k : rational R (Z.add U (Z.mul rho (Z.of_nat k))) (denominator c) =
    rational R U (denominator c) + price * k%:R.
  by rewrite /price /rational valueD valueM value_nat mulrDl mulrAC.
split; first exact: Sigma_sym.
  move=> x out unit; rewrite ler_subl_addr; set k := Used include x.
  have := allP proved k; rewrite mem_iota ltnS used_most // => /(_ isT) ok.
  have bound := scope_bounds shape sym ok out (leqnn _).
  apply: le_trans bound _; rewrite priced; case: unit => [->|[J0 x1]]; first by rewrite mulr1.
  move: upper0; rewrite J0 /= => /rational_ge0 upper0.
  by rewrite ler_pimulr //; apply: addr_ge0 => //; apply: mulr_ge0 => //; apply: ler0n.
case/orP: low => [/andP[/eqnP/size0nil J0 low]|]; last first.
  by move=> /(check_witness_sound R shape)[z_neq0 apart _]; rewrite priced -(witness_used R); right.
by left; rewrite J0; split=> //; rewrite /lower /rational pmulr_lle0 ?invr_gt0 // -[0]/(value R Z0) value_le.
Qed.
