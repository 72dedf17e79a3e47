(* The vectors of a claim belong to supports of its tree: so many variables of each part, and no two of one class. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness.

Lemma all_in_map (X : Type) (Y : eqType) (P : pred X) (f : X -> Y) l a :
  all P l -> a \in map f l -> exists2 u, P u & f u = a.
Proof. by elim: l => //= b l IH /andP[Pb /IH more]; rewrite inE => /orP[/eqP ->|/more //]; exists b. Qed.

(* The claim: how many variables of a part x uses, those to include counted, and that no two of these are of one class. *)
Section Claim.

Variables (R : realFieldType) (n : nat) (classes : seq nat) (quota : seq (seq nat * nat)) (J E : seq nat).
Implicit Types x y : 'cV[R]_n.

Definition Used_in (X : seq nat) x : nat := count (fun i => (i \in J) || (listed x i != 0)) X.

Definition within_budgets x : Prop := forall b, b \in quota -> (Used_in b.1 x <= b.2)%N.

Definition one_of_each x : Prop := forall i j : 'I_n, (x i 0 != 0) || (val i \in J) -> (x j 0 != 0) || (val j \in J) ->
  class_of classes i = class_of classes j -> i = j.

Definition meets x : Prop := [/\ avoids E x, within_budgets x & one_of_each x].

Lemma meets_fewer x y : (forall i, x i 0 = 0 -> y i 0 = 0) -> meets x -> meets y.
Proof.
move=> zero [out few one]; have sub i : (y i 0 != 0) || (val i \in J) -> (x i 0 != 0) || (val i \in J).
  by case/orP=> [yi|->]; rewrite ?orbT //; apply/orP; left; apply: contraNneq yi => /zero ->.
split=> [i /out/zero //|b /few|i j /sub xi /sub]; [apply: leq_trans; apply: sub_count => i | exact: one].
rewrite /listed; case: insubP => //= o _ oi; have := sub o; rewrite -oi ![(_ != 0) || _]orbC; exact.
Qed.

End Claim.

Section Families.

Variables (R : realFieldType) (c : certificate) (classes : seq nat) (quota : seq (seq nat * nat)) (J E : seq nat).
Notation n := (size_of c).
Notation I := (iota 0 n).
Notation val := (@value R).
Notation class := (class_of classes).
Notation F := (left_free n J E).
Hypothesis ok : check_family n classes quota J E.

Let scope : check_scope n J E. Proof. by have /andP[] := ok. Qed.
Let uJF := @scope_uniq c J E scope.
Let inI := @scope_within c J E scope.
Let quota_uniq : uniq (flatten (map fst quota)). Proof. by have /and3P[] := ok. Qed.
Let quota_all : {subset I <= flatten (map fst quota)}.
Proof. by have /and4P[_ _ /allP all_in _] := ok; move=> i /all_in; rewrite member_set. Qed.

(* The supports of the tree. *)
Record in_family (T : seq nat) : Prop := InFamily {
  family_node : holds J F T;
  family_counts : {in quota, forall b, count (mem T) b.1 = b.2};
  family_classes : uniq (map class T) }.

Lemma family_within T : in_family T -> {subset T <= I}.
Proof. by case=> node _ _ i /(drawn_from node)/inI. Qed.

(* Classes lie within parts. *)
Lemma class_part b i j : b \in quota -> i \in b.1 -> j \in I -> class i = class j -> j \in b.1.
Proof.
have /and5P[_ _ _ _ /orP[|/nilP ->]] := ok; last by rewrite /class_of !nth_nil => _ + _ <-.
by case: quota quota_all => [|d [|]] //= all_in _; rewrite inE => /eqP -> _ /all_in; rewrite cats0.
Qed.

Lemma family_support (x : 'cV[R]_n) : meets classes quota J E x ->
  exists2 T, in_family T & forall i, i \notin T -> listed x i = 0.
Proof.
case=> out few one; pose a i := listed x i != 0.
have used i : i \in J ++ filter a F -> (i < n)%N /\ (i \in J) || a i.
  move=> iA; have : i \in J ++ F by apply: fewer_in iA.
  by move/inI; rewrite mem_iota => /= ->; move: iA; rewrite mem_cat mem_filter => /orP[->|/andP[-> _]]; rewrite ?orbT.
have uA : uniq (J ++ filter a F) by apply: subseq_uniq uJF; rewrite cat_subseq ?filter_subseq.
have [|T [node aT /andP[uC /allP most_b] most]] :=
    @grown (fun T => uniq (map class T) && all (fun b => count (mem b.1) T <= b.2)%N quota) a J F uJF.
  apply/andP; split.
    rewrite map_inj_in_uniq // => i j /used[li xi] /used[lj xj] ij; rewrite orbC in xi; rewrite orbC in xj.
    by have := one (Ordinal li) (Ordinal lj); rewrite -!listedE => /(_ xi xj ij)/(congr1 (@nat_of_ord n)).
  apply/allP => b b_in; rewrite count_swap ?(part_uniq quota_uniq) //; apply: leq_trans (few b b_in).
  by apply: sub_count => i /used[].
have uT := support_uniq node; exists T; last first.
  by move=> i; have [iJF|/(zero_outside out) //] := boolP (i \in J ++ F); apply: contraNeq => /(aT i iJF).
split=> // b b_in; have ub := part_uniq quota_uniq b_in; rewrite count_swap //.
apply/eqP; rewrite eqn_leq most_b // leqNgt; apply/negP => less.
have /and4P[_ _ _ /andP[/allP/(_ b b_in) many _]] := ok; move: many; rewrite leqNgt => /negP[]; apply: (leq_ltn_trans _ less).
rewrite -size_filter -(size_map class); apply: uniq_leq_size; rewrite ?undup_uniq // => k.
rewrite mem_undup => /mapP[i]; rewrite mem_filter member_set => /andP[iJF ib] ->; apply: contraT => new.
have new_T : class i \notin map class T.
  apply: contra new => /mapP[j jT ij]; rewrite ij map_f // mem_filter jT andbT.
  by apply: (class_part b_in ib) ij; apply/inI/(drawn_from node).
have := most i iJF (contra (@map_f _ _ class T i) new_T); rewrite /= new_T uC /= => /allPn[d d_in].
case id: (i \in d.1); last by rewrite add0n most_b.
by rewrite -(same_part quota_uniq b_in d_in ib id) add1n less.
Qed.

Lemma partedE S : {in I &, forall i j, entry (parted classes S n) i j =
  if same classes i j && negb (eqn i j) then Z0 else entry S i j}.
Proof.
rewrite /parted; case: classes => [|g l] i j iI jI; first by rewrite /same /class_of !nth_nil andbN.
exact: (entry_made _ iI jI).
Qed.

Lemma parted_form S T (x : nat -> R) : in_family T ->
  form (fun i j => val (entry (parted classes S n) i j)) T x = form (fun i j => val (entry S i j)) T x.
Proof.
move=> fam; have TI := family_within fam; apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; congr (_ * _).
rewrite partedE ?TI // /same !eqnE; case: eqP => //= /(different_inj (family_classes fam) iT jT) ->.
by rewrite eqxx.
Qed.

Lemma family_bounds S U ws known t T (x : nat -> R) : {in I &, forall i j, entry S i j = entry S j i} -> in_family T ->
  check_tree n classes quota (parted classes S n) U (map (rows_of Z.abs (grouped classes n) (parted classes S n) [::]) ws) known J E t ->
  (forall i, i \notin T -> x i = 0) ->
  form (fun i j => val (entry S i j)) T x <= val U * square T x \/ exists2 L, L \in known & {subset T <= L}.
Proof.
move=> symS fam /andP[_ proved] zero; have [node counts uC] := fam; rewrite -(parted_form S x fam).
have class_inj := different_inj uC.
have node' : holds J (filter (fun j => negb (has (same classes j) J)) F) T.
  apply: (fewer_free node) => j jT jF; apply/hasPn => i iJ; rewrite /same eqnE.
  apply/negP => /eqP/(class_inj j i jT (forced_in node iJ)) ji.
  by have := forced_not_free node iJ; rewrite -ji jF.
apply: (tree_bounds (pays_for_nth R n class _ [::] Z.abs ws) quota_uniq quota_all counts class_inj zero (fun i j => abs_counts _ _) _ _ node' _ proved).
- by move=> i j iI jI; rewrite !partedE // symS // /same !eqnE eq_sym (eq_sym i).
- by move=> v j vT jT; rewrite /same eqnE => /eqP/esym; apply: class_inj.
by move=> i /fewer_in/inI.
Qed.

End Families.

(* The vector of the file. *)
Lemma witness_meets (R : realFieldType) (c : certificate) classes quota J E (w : seq Z) : avoids E (vector R c w) ->
  uses_few classes quota J (support_of_witness (size_of c) w) -> meets classes quota J E (vector R c w).
Proof.
move=> out /andP[/allP few single]; split=> // [b /few|].
  by congr (_ <= _)%N; apply: eq_count => i; rewrite /inside !has_eqb (in_witness R).
have used (i : 'I_(size_of c)) : (vector R c w i 0 != 0) || (val i \in J) ->
    val i \in J ++ filter (fun i => negb (inside J i)) (support_of_witness (size_of c) w).
  by rewrite mem_cat mem_filter (in_witness R) /inside has_eqb listedE; case: (val i \in J); rewrite ?orbT ?orbF.
by move=> i j /used iU /used jU /(different_inj single iU jU)/val_inj.
Qed.

(* Claims about k variables, each a class of its own. *)
Lemma meets_alone (R : realFieldType) (c : certificate) (k : nat) (J E : seq nat) (x : 'cV[R]_(size_of c)) :
  meets [::] [:: (iota 0 (size_of c), k)] J E x <-> avoids E x /\ (Used J x <= k)%N.
Proof.
split=> [[out few _]|[out few]]; first by rewrite UsedE; split=> //; apply: few (mem_head _ _).
split=> // [b|i j _ _]; first by rewrite inE => /eqP ->; rewrite /Used_in -UsedE.
by rewrite /class_of !nth_nil => /val_inj.
Qed.

Lemma scope_bounds (R : realFieldType) (c : certificate) k J E U ws t (x : 'cV[R]_(size_of c)) (n := size_of c) (S := entries (matrix c)) :
  check_matrix (matrix c) n (denominator c) -> symmetric S n ->
  check_tree n [::] [:: (iota 0 n, k)] S U (map (rows_of Z.abs (alone n) S [::]) ws) [::] J E t -> avoids E x -> (Used J x <= k)%N ->
  quadratic (Sigma R c) x <= rational R U (denominator c) * norm2 x.
Proof.
have -> : alone n = grouped [::] n by apply: eq_map => i; rewrite /class_of nth_nil.
move=> shape sym proved out few; have /andP[ok _] := proved.
have [T fam zero] := family_support ok ((meets_alone k J E x).2 (conj out few)).
have [bound|[]//] := family_bounds ok (symS sym) fam (proved : check_tree n [::] _ (parted [::] S n) U _ [::] J E t) zero.
exact: (support_bound shape (support_uniq (family_node fam)) (family_within ok fam) zero bound).
Qed.
