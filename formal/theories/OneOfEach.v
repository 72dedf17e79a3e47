(* Claims about vectors that have at most one variable of each class; a class is a group, or one variable. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Leaves Soundness Cardinalities Walk.

Local Open Scope ring_scope.

Section Program.

Variable classes : seq nat.
Definition class (i : nat) : nat := nth 0%N classes i.
Definition same (i j : nat) : bool := Nat.eqb (class i) (class j).

Definition different (l : seq nat) : bool := distinct (map class l).

Fixpoint count_classes (l : seq nat) : nat :=
  match l with
  | i :: l' => if has (same i) l' then count_classes l' else S (count_classes l')
  | [::] => 0
  end.

(* No support has two variables of a class: what they have in common does not count. *)
Definition parted (S : seq (seq Z)) (n : nat) : seq (seq Z) :=
  map (fun i => map (fun j => if same i j && negb (Nat.eqb i j) then Z0 else entry S i j) (iota 0 n)) (iota 0 n).

(* The variables of each class are a part. *)
Fixpoint insert (i : nat) (parts : seq (seq nat)) : seq (seq nat) :=
  match parts with
  | l :: rest => if has (same i) l then (i :: l) :: rest else l :: insert i rest
  | [::] => [:: [:: i]]
  end.

Definition by_class : seq nat -> seq (seq nat) := foldr insert [::].

Definition check_leaf_of_classes (S : seq (seq Z)) (k : nat) (U : Z) (J F : seq nat) (rule : leaf) : bool :=
  Nat.ltb (count_classes (J ++ F)) k || check_leaf_in S k U [::] by_class J F rule.

Definition check_one_of_each (J E : seq nat) (c : certificate) (t : nodes leaf) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let k := cardinality c in
  let l := support_of_witness n (witness c) in
  let F := left_free n J E in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n,
      check_scope n J E && (Nat.ltb 0 k && Nat.leb k (count_classes (J ++ F))),
      check_witness S n k J E (lower_of c) (witness c),
      different (J ++ filter (fun i => negb (inside J i)) l) &
      walk same (check_leaf_of_classes (parted S n) k (upper_of c)) J
        (filter (fun j => negb (has (same j) J)) F) t].

End Program.

Section Classes.

Variable classes : seq nat.
Notation class := (class classes).

Lemma sameE i j : same classes i j = (class i == class j). Proof. exact: eqbE. Qed.

Lemma differentE l : different classes l = uniq (map class l).
Proof. by rewrite /different; elim: (map class l) => //= i m ->; rewrite /inside has_eqb. Qed.

Lemma different_inj l : uniq (map class l) -> {in l &, injective class}.
Proof.
elim: l => //= a l IH /andP[new ul] i j; rewrite !inE => /orP[/eqP ->|il] /orP[/eqP ->|jl] // ij.
- by rewrite ij map_f in new.
- by rewrite -ij map_f in new.
exact: IH.
Qed.

Lemma count_classesE l : count_classes classes l = size (undup (map class l)).
Proof.
elim: l => //= i l ->; rewrite (_ : has (same classes i) l = (class i \in map class l)); first by case: ifP.
by elim: l => //= j l ->; rewrite sameE inE.
Qed.

Lemma by_classE l : perm_eq (flatten (by_class classes l)) l.
Proof.
elim: l => //= i l IH; apply: perm_trans (_ : perm_eq _ (i :: flatten (by_class classes l))) _; last by rewrite perm_cons.
elim: (by_class classes l) => //= part parts {}IH; case: ifP => //= _.
by rewrite (perm_trans (perm_cat (perm_refl part) IH)) // (perm_catCA part [:: i]).
Qed.

Lemma by_class_alike l : {in by_class classes l, forall part, {in part &, forall i j, class i = class j}}.
Proof.
elim: l => //= a l; elim: (by_class classes l) => [|part parts IH] alike.
  by move=> _ /[1!inE]/eqP -> i j; rewrite !inE => /eqP -> /eqP ->.
have first := alike part (mem_head _ _).
have others : {in parts, forall part, {in part &, forall i j, class i = class j}}.
  by move=> l' in_parts; apply: alike; rewrite inE in_parts orbT.
rewrite /=; case: ifP => [/hasP[b b_in /[1!sameE]/eqP ab]|_] l' /predU1P[->|].
- move=> i j; rewrite !inE => /predU1P[->|i_in] /predU1P[->|j_in] //.
  + by rewrite ab; apply: first.
  + by rewrite ab; apply: first.
  exact: first.
- exact: others.
- exact: first.
exact: IH.
Qed.

(* A support with one variable of each class has one of each part. *)
Lemma parts_by_class T F : {in T &, injective class} -> uniq F -> parts_of F T (by_class classes F).
Proof.
move=> class_inj uF; split=> [|part in_parts]; first exact: by_classE.
have upart : uniq part.
  move: uF; rewrite -(perm_uniq (by_classE F)); elim: (by_class classes F) in_parts => //= l parts IH.
  by rewrite inE cat_uniq => /predU1P[-> /and3P[]//|/IH{}IH /and3P[_ _ /IH]].
rewrite -size_filter; have := filter_uniq (mem T) upart; case inT: (filter _ part) => [|i [|j l]] //=.
have : i \in filter (mem T) part by rewrite inT mem_head.
have : j \in filter (mem T) part by rewrite inT !inE eqxx orbT.
rewrite !mem_filter => /andP[jT jp] /andP[iT ip]; rewrite inE negb_or => /andP[/andP[/eqP ij _] _]; case: ij.
by apply: class_inj => //; apply: by_class_alike in_parts _ _ _ _.
Qed.

(* A set with one of each class is padded to any number of classes that there are. *)
Lemma pad_classes (A l : seq nat) k : uniq (map class A) -> {subset A <= l} ->
  (size A <= k <= count_classes classes l)%N ->
  exists T, [/\ uniq (map class T), {subset A <= T}, {subset T <= l} & size T = k].
Proof.
move=> uA Al /andP[few many]; rewrite count_classesE in many.
have [m kE] : exists m, k = (size A + m)%N by exists (k - size A)%N; rewrite subnKC.
elim: m A uA Al {few} k kE many => [|m IH] A uA Al k -> many.
  by exists A; rewrite addn0; split.
have [/hasP[b]|/hasPn none] := boolP (has (fun b => b \notin map class A) (undup (map class l))); last first.
  have : (size (undup (map class l)) <= size (map class A))%N.
    by apply: uniq_leq_size; rewrite ?undup_uniq // => b /none /negPn.
  by move/(leq_trans many); rewrite size_map addnS ltnNge leq_addr.
rewrite mem_undup => /mapP[i il ->] new.
have [||||T [uT AT Tl sT]] := IH (i :: A) _ _ (size A + m.+1)%N.
- by rewrite /= new.
- by move=> j; rewrite inE => /orP[/eqP ->|/Al].
- by rewrite addSnnS.
- by [].
by exists T; split=> // j jA; apply: AT; rewrite inE jA orbT.
Qed.

End Classes.

(* The claim: two variables that x uses, or that are to be included, are of two classes. *)
Definition one_of_each (R : realFieldType) (n : nat) (classes include : seq nat) (x : 'cV[R]_n) : Prop :=
  forall i j : 'I_n, (x i 0 != 0) || (val i \in include) -> (x j 0 != 0) || (val j \in include) ->
    nth 0%N classes i = nth 0%N classes j -> i = j.

Theorem check_one_of_each_sound (R : realFieldType) (c : certificate) (classes include exclude : seq nat) (t : nodes leaf) :
  check_one_of_each classes include exclude c t ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, avoids exclude x -> (Used include x <= cardinality c)%N -> one_of_each classes include x ->
        quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N, one_of_each classes include (z R c) &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> /andP[shape sym] /and3P[scope]; rewrite ltbE lebE => k0 many low.
rewrite differentE => single proved; have D_gt0 : 0 < value R (denominator c) by apply: value_gt0; case/andP: shape.
have [z_neq0 out few attained] := check_witness_sound R shape scope low.
split; [exact: Sigma_sym | move=> x out_x few_x one | split=> //]; last first.
  have used (i : 'I_(size_of c)) : (z R c i 0 != 0) || (val i \in include) ->
      val i \in include ++ filter (fun i => negb (inside include i)) (support_of_witness (size_of c) (witness c)).
    rewrite mem_cat mem_filter (in_witness R) /inside has_eqb listedE.
    by case: (val i \in include); rewrite ?orbT ?orbF.
  by move=> i j /used iU /used jU /(different_inj single iU jU)/val_inj.
set n := size_of c in x out_x few_x one *; set F := left_free n include exclude in many proved.
pose A := filter (fun i => (listed x i != 0) || (i \in include)) (iota 0 n).
have inA i : i \in include -> i \in A.
  by move=> iJ; have [lt_in _] := scope_in scope iJ; rewrite mem_filter iJ orbT mem_iota.
have classA : {in A &, injective (class classes)}.
  move=> i j; rewrite !mem_filter !mem_iota /= => /andP[xi li] /andP[xj lj] ij.
  by have := one (Ordinal li) (Ordinal lj); rewrite -!listedE => /(_ xi xj ij)/(congr1 val).
have [|||T [uT AT TF sT]] := @pad_classes classes A (include ++ F) (cardinality c).
- by rewrite map_inj_in_uniq ?filter_uniq ?iota_uniq.
- move=> i; rewrite mem_filter => /andP[/orP[xi|iJ] _]; last by rewrite mem_cat iJ.
  by apply: contraR xi => /(zero_outside out_x) ->; rewrite eqxx.
- by rewrite many andbT -UsedE.
have class_inj := different_inj uT; have {}uT := map_uniq uT.
have node : holds include (filter (fun j => negb (has (same classes j) include)) F) T.
  apply: (@fewer_free _ _ F T); first split=> //.
  - exact: scope_uniq.
  - by move=> i /inA/AT.
  move=> j jT jF; apply/hasPn => i iJ; rewrite sameE; apply/negP => /eqP/(class_inj j i jT (AT i (inA i iJ))) ji.
  by have := scope_uniq scope; rewrite cat_uniq => /and3P[_ /hasPn/(_ j jF)]; rewrite /= ji iJ.
have kept : {in T &, forall v j, same classes v j -> j = v}.
  by move=> v j vT jT; rewrite sameE => /eqP/esym; apply: class_inj.
have [J' [F' [r [node' below ok]]]] := walkP node kept proved.
have zero i : i \notin T -> listed x i = 0.
  have [iI|/listed_out -> //] := boolP (i \in iota 0 n).
  by apply: contraNeq => xi; apply: AT; rewrite mem_filter xi.
have TI : {subset T <= iota 0 n} by move=> i /TF/(scope_within scope).
case/orP: ok => [|ok].
  rewrite ltbE count_classesE ltnNge -sT -(size_map (class classes)) uniq_leq_size //.
    by rewrite map_inj_in_uniq.
  by move=> b /mapP[i iT ->]; rewrite mem_undup map_f // (drawn_from node').
have entryE i j : i \in iota 0 n -> j \in iota 0 n -> entry (parted classes (entries (matrix c)) n) i j =
    if same classes i j && negb (Nat.eqb i j) then Z0 else entry (entries (matrix c)) i j.
  rewrite !mem_iota /= => li lj; by rewrite /entry (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota.
have below_n i : i \in J' ++ F' -> i \in iota 0 n.
  move/below; rewrite mem_cat mem_filter => iF; apply: (scope_within scope).
  by rewrite mem_cat; case/orP: iF => [->|/andP[_ ->]]; rewrite ?orbT.
have symP : {in J' ++ F' &, forall i j, entry (parted classes (entries (matrix c)) n) i j =
    entry (parted classes (entries (matrix c)) n) j i}.
  move=> i j /below_n iI /below_n jI; rewrite !entryE // !sameE !eqbE (eq_sym i) (eq_sym (class _ i)).
  by rewrite (symS sym).
rewrite /holds sT in node'; have [bound|[]//] := leaf_bounds_in k0 zero (fun F => parts_by_class class_inj) symP node' ok.
rewrite -(ler_pmul2r D_gt0) (Sigma_form shape) norm2_listed /upper /rational mulrAC divfK ?gt_eqF //.
rewrite (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //; apply: le_trans bound.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; congr (_ * _).
rewrite entryE ?TI // eqbE; case: eqP => [->|ij]; first by rewrite andbF.
by case: ifP => //; rewrite andbT sameE => /eqP/(class_inj i j iT jT).
Qed.
