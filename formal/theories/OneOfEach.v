(* Claims about vectors that have at most one variable of each class; a class is a group, or one variable. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Walk Leaves Soundness Cardinalities Ratios.

Section Program.

Variable classes : seq nat.
Definition class (i : nat) : nat := nth 0%N classes i.
Definition same (i j : nat) : bool := Nat.eqb (class i) (class j).

Definition different (l : seq nat) : bool := distinct (map class l).

Definition count_classes (l : seq nat) : nat := size (undup (map class l)).

(* No support has two variables of a class: what they have in common does not count. *)
Definition parted (S : seq (seq Z)) (n : nat) : seq (seq Z) :=
  map (fun i => map (fun j => if same i j && negb (Nat.eqb i j) then Z0 else entry S i j) (iota 0 n)) (iota 0 n).

Definition check_one_of_each (J E : seq nat) (c : certificate) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let k := cardinality c in
  let l := support_of_witness n (witness c) in
  let F := left_free n J E in
  let M := parted S n in
  let variables := mkseq (fun i => (i, class i)) n in
  let table := nth [::] (map (rows_of variables M) (weights_of c)) in
  let quota := [:: (iota 0 n, k)] in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n,
      check_scope n J E && (Nat.ltb 0 k && Nat.leb k (count_classes (J ++ F))),
      check_witness S n k J E (lower_of c) (witness c),
      different (J ++ filter (fun i => negb (inside J i)) l) &
      walk same (check_leaf variables quota M (upper_of c) table [::]) (loses_none quota (upper_of c) table) J
        (filter (fun j => negb (has (same j) J)) F) (proof c)].

End Program.

Section Classes.

Variable classes : seq nat.
Notation class := (class classes).

Lemma sameE i j : same classes i j = (class i == class j). Proof. exact: eqbE. Qed.

(* A set with one of each class is padded to any number of classes that there are. *)
Lemma pad_classes (A l : seq nat) k : uniq (map class A) -> {subset A <= l} ->
  (size A <= k <= count_classes classes l)%N ->
  exists T, [/\ uniq (map class T), {subset A <= T}, {subset T <= l} & size T = k].
Proof.
move=> uA Al /andP[few many]; rewrite /count_classes in many.
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

Theorem check_one_of_each_sound (R : realFieldType) (c : certificate) (classes include exclude : seq nat) :
  check_one_of_each classes include exclude c ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, avoids exclude x -> (Used include x <= cardinality c)%N -> one_of_each classes include x ->
        quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N, one_of_each classes include (z R c) &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> /andP[shape sym] /and3P[scope]; rewrite ltbE lebE => k0 many low.
rewrite [different _ _]distinctE => single proved; have D_gt0 : 0 < value R (denominator c) by apply: value_gt0; case/andP: shape.
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
have zero i : i \notin T -> listed x i = 0.
  have [iI|/listed_out -> //] := boolP (i \in iota 0 n).
  by apply: contraNeq => xi; apply: AT; rewrite mem_filter xi.
have TI : {subset T <= iota 0 n} by move=> i /TF/(scope_within scope).
have entryE i j : i \in iota 0 n -> j \in iota 0 n -> entry (parted classes (entries (matrix c)) n) i j =
    if same classes i j && negb (Nat.eqb i j) then Z0 else entry (entries (matrix c)) i j.
  exact: entry_made.
set F' := filter _ _ in node proved.
have below i : i \in include ++ F' -> i \in iota 0 n.
  by rewrite mem_cat mem_filter => iF; apply: (scope_within scope); rewrite mem_cat; case/orP: iF => [->|/andP[_ ->]]; rewrite ?orbT.
have symP : {in include ++ F' &, forall i j, entry (parted classes (entries (matrix c)) n) i j =
    entry (parted classes (entries (matrix c)) n) j i}.
  move=> i j /below iI /below jI; rewrite !entryE // !sameE !eqbE (eq_sym i) (eq_sym (class _ i)).
  by rewrite (symS sym).
have [uQ allQ countQ] := one_part uT TI sT.
have [bound|[]//] := tree_bounds (tables_ok _ _ (weights_of c)) uQ allQ countQ class_inj zero kept node below symP proved.
rewrite -(ler_pmul2r D_gt0) (Sigma_form shape) norm2_listed /upper /rational mulrAC divfK ?gt_eqF //.
rewrite (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //; apply: le_trans bound.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; congr (_ * _).
rewrite entryE ?TI // eqbE; case: eqP => [->|ij]; first by rewrite andbF.
by case: ifP => //; rewrite andbT sameE => /eqP/(class_inj i j iT jT).
Qed.
