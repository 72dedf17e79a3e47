(* Claims about vectors that have at most one variable of each class; a class is a group, or one variable. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Ratios.

Section Program.

Variable classes : seq nat.
Definition class (i : nat) : nat := nth 0%N classes i.
Definition same (i j : nat) : bool := eqn (class i) (class j).

Definition count_classes (l : seq nat) : nat := size (undup (map class l)).

(* No support has two variables of a class: what they have in common does not count. *)
Definition parted (S : seq (seq Z)) (n : nat) : seq (seq Z) :=
  map (fun i => map (fun j => if same i j && negb (eqn i j) then Z0 else entry S i j) (iota 0 n)) (iota 0 n).

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
      check_scope n J E && ((0 < k)%N && (k <= count_classes (J ++ F))%N),
      check_witness S n k J E (lower_of c) (witness c),
      uniq (map class (J ++ filter (fun i => negb (inside J i)) l)) &
      walk same (check_leaf variables quota M (upper_of c) table [::]) (loses_none quota (upper_of c) table) J
        (filter (fun j => negb (has (same j) J)) F) (proof c)].

End Program.

Lemma sameE classes i j : same classes i j = (class classes i == class classes j). Proof. by rewrite /same eqnE. Qed.

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
case/and5P=> /andP[shape sym] /and3P[scope k0 many] low.
move=> single proved; have [z_neq0 out few attained] := check_witness_sound R shape scope low.
split; [exact: Sigma_sym | move=> x out_x few_x one | split=> //]; last first.
  have used (i : 'I_(size_of c)) : (z R c i 0 != 0) || (val i \in include) ->
      val i \in include ++ filter (fun i => negb (inside include i)) (support_of_witness (size_of c) (witness c)).
    rewrite mem_cat mem_filter (in_witness R) /inside has_eqb listedE.
    by case: (val i \in include); rewrite ?orbT ?orbF.
  by move=> i j /used iU /used jU /(different_inj single iU jU)/val_inj.
set n := size_of c in x out_x few_x one *; set F := left_free n include exclude in many proved.
have uJF := scope_uniq scope; pose a i := listed x i != 0.
have used i : i \in include ++ filter a F -> (i < n)%N /\ a i || (i \in include).
  rewrite mem_cat mem_filter => iA; have : i \in include ++ F by rewrite mem_cat; case/orP: iA => [->|/andP[_ ->]]; rewrite ?orbT.
  by move/(scope_within scope); rewrite mem_iota => /= ->; split=> //; case/orP: iA => [->|/andP[->]]; rewrite ?orbT.
(* A set with one of each class is padded to any number of classes that there are. *)
have [|T [node0 aT /andP[uC le_k] most]] := @grown (fun T => uniq (map (class classes) T) && (size T <= cardinality c)%N) a _ _ uJF.
  rewrite (leq_trans (used_free scope x)) // map_inj_in_uniq ?andbT; first by apply: subseq_uniq uJF; rewrite cat_subseq ?filter_subseq.
  move=> i j /used[li xi] /used[lj xj] ij.
  by have := one (Ordinal li) (Ordinal lj); rewrite -!listedE => /(_ xi xj ij)/(congr1 val).
have sT : size T = cardinality c.
  apply/eqP; rewrite eqn_leq le_k leqNgt; apply/negP => less; move: many; rewrite leqNgt => /negP[].
  apply: (leq_ltn_trans _ less); rewrite -(size_map (class classes)); apply: uniq_leq_size; rewrite ?undup_uniq // => b.
  rewrite mem_undup => /mapP[i iJF ->]; apply: contraT => new; have := most i iJF (contra (@map_f _ _ (class classes) T i) new).
  by rewrite /= new uC less.
have class_inj := different_inj uC; have uT := support_uniq node0.
have node : holds include (filter (fun j => negb (has (same classes j) include)) F) T.
  apply: (fewer_free node0) => j jT jF; apply/hasPn => i iJ; rewrite sameE.
  apply/negP => /eqP/(class_inj j i jT (forced_in node0 iJ)) ji.
  by move: uJF; rewrite cat_uniq => /and3P[_ /hasPn/(_ j jF)]; rewrite /= ji iJ.
have kept : {in T &, forall v j, same classes v j -> j = v}.
  by move=> v j vT jT; rewrite sameE => /eqP/esym; apply: class_inj.
have zero i : i \notin T -> listed x i = 0.
  by have [iJF|/(zero_outside out_x) //] := boolP (i \in include ++ F); apply: contraNeq => /(aT i iJF).
have TI : {subset T <= iota 0 n} by move=> i /(drawn_from node0)/(scope_within scope).
have entryE i j : i \in iota 0 n -> j \in iota 0 n -> entry (parted classes (entries (matrix c)) n) i j =
    if same classes i j && negb (eqn i j) then Z0 else entry (entries (matrix c)) i j.
  exact: entry_made.
set F' := filter _ _ in node proved.
have below i : i \in include ++ F' -> i \in iota 0 n.
  by rewrite mem_cat mem_filter => iF; apply: (scope_within scope); rewrite mem_cat; case/orP: iF => [->|/andP[_ ->]]; rewrite ?orbT.
have symP : {in include ++ F' &, forall i j, entry (parted classes (entries (matrix c)) n) i j =
    entry (parted classes (entries (matrix c)) n) j i}.
  by move=> i j /below iI /below jI; rewrite !entryE // !sameE !eqnE (eq_sym i) (eq_sym (class _ i)) (symS sym).
have [uQ allQ countQ] := one_part uT TI sT.
have [bound|[]//] := tree_bounds (tables_ok _ _ (weights_of c)) uQ allQ countQ class_inj zero kept node below symP proved.
apply: (support_bound shape uT TI zero); apply: le_trans bound.
apply: eqW; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; congr (_ * _).
rewrite entryE ?TI // eqnE; case: eqP => [->|ij]; first by rewrite andbF.
by case: ifP => //; rewrite andbT sameE => /eqP/(class_inj i j iT jT).
Qed.
