(* Lists of cardinalities that add up to a number. *)
From SparseEigenvalue Require Import Setting Checker Supports.

Local Open Scope nat_scope.

(* Every list l of whole numbers, l_t from 1 to caps_t, that adds up to m. There are none if m is too small or too
   large. *)
Fixpoint ways (caps : seq nat) (m : nat) : seq (seq nat) :=
  if Nat.ltb m (size caps) || Nat.ltb (foldr Nat.add 0 caps) m then [::] else
  match caps with
  | [::] => if Nat.eqb m 0 then [:: [::]] else [::]
  | cap :: caps' =>
      flatten (map (fun i => map (cons i) (ways caps' (Nat.sub m i))) (iota 1 (minn cap m)))
  end.

Definition at_most : seq nat -> seq nat -> bool := all2 Nat.leb.

Lemma lebE a b : Nat.leb a b = (a <= b).
Proof. by apply/idP/idP => [/PeanoNat.Nat.leb_le/ssrnat.leP|/ssrnat.leP/PeanoNat.Nat.leb_le]. Qed.

Lemma ltbE a b : Nat.ltb a b = (a < b).
Proof. by rewrite /Nat.ltb lebE. Qed.

Lemma all2_in (X : eqType) (Y : Type) (f : X -> Y -> bool) s t a : all2 f s t -> a \in s -> exists b, f a b.
Proof. by elim: s t => [|b s IH] [|d t] //= /andP[ok /IH more]; rewrite inE => /orP[/eqP ->|/more //]; exists d. Qed.

Lemma at_most_nth a b : at_most a b -> size a = size b /\ forall t, nth 0 a t <= nth 0 b t.
Proof.
by rewrite /at_most; elim: a b => [|i a IH] [|j b] //=; rewrite lebE => /andP[ij /IH[-> le_ab]]; split=> // [[|t]] /=.
Qed.

Lemma at_mostP a b : size a = size b -> (forall t, t < size a -> nth 0 a t <= nth 0 b t) -> at_most a b.
Proof.
rewrite /at_most all2E => size_ab le_ab; rewrite size_ab eqxx /=; apply/(all_nthP (0, 0)) => t.
by rewrite size_zip size_ab minnn => tb; rewrite nth_zip //= lebE le_ab ?size_ab.
Qed.

Lemma sumn_le a b : at_most a b -> sumn a <= sumn b.
Proof. by rewrite /at_most; elim: a b => [|i a IH] [|j b] //=; rewrite lebE => /andP[ij /IH]; apply: leq_add. Qed.

Lemma sum_between caps l : at_most l caps -> all (leq 1) l -> size caps <= sumn l <= foldr Nat.add 0 caps.
Proof.
rewrite /at_most; elim: caps l => [|cap caps IH] [|i l] //= /andP[i_cap l_caps] /andP[i1 l1].
by have /andP[few many] := IH l l_caps l1; rewrite -add1n leq_add // leq_add // -lebE.
Qed.

Lemma waysP caps l : at_most l caps -> all (leq 1) l -> l \in ways caps (sumn l).
Proof.
elim: caps l => [|cap caps IH] [|i l] // l_caps l_ge1.
have /andP[few many] := sum_between l_caps l_ge1; move: l_caps l_ge1 few many.
rewrite /at_most /= !ltbE => /andP[i_cap l_caps] /andP[i1 l1] few many; rewrite ltnNge few ltnNge many /=.
apply/flattenP; exists (map (cons i) (ways caps (sumn l))); last by apply: map_f; apply: IH.
apply/mapP; exists i; last by rewrite -[Nat.sub _ _]/(i + sumn l - i) addKn.
by rewrite mem_iota i1 add1n ltnS leq_min -lebE i_cap leq_addr.
Qed.

(* Cardinalities may be raised, as long as there is room, until they add up to m. *)
Lemma fill a caps m : at_most a caps -> sumn a <= m <= sumn caps ->
  exists l, [/\ at_most a l, at_most l caps & sumn l = m].
Proof.
rewrite /at_most; elim: a caps m => [|i a IH] [|cap caps] m //=; first by case: m => // _ _; exists [::].
rewrite lebE => /andP[i_cap a_caps] /andP[low high]; pose j := minn cap (m - sumn a).
have le_am : sumn a <= m by apply: leq_trans low; rewrite leq_addl.
have le_ij : i <= j by rewrite leq_min i_cap leq_subRL // addnC.
have jm : j <= m by rewrite (leq_trans (geq_minr _ _)) // leq_subr.
have [|l [al lcaps sum]] := IH caps (m - j) a_caps.
  rewrite leq_subRL // leq_subLR /j; case: (leqP cap (m - sumn a)) => [le|_]; first by rewrite addnC -leq_subRL // le.
  by rewrite addnC subnKC // leqnn -leq_subLR subKn // sumn_le.
by exists (j :: l); rewrite /= !lebE le_ij geq_minl; split=> //; rewrite sum subnKC.
Qed.
