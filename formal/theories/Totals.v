(* Claims about several components whose cardinalities add up to a total, however it is split between them. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Leaves Soundness Cardinalities Multipliers Tables.

Local Open Scope ring_scope.

(* What one component of at most so many variables explains at most, with the tree that proves it. *)
Record single := Single { most_variables : nat; most_explained : Z; single_proof : tree }.

Definition check_single (S : seq (seq Z)) (n : nat) (s : single) : bool :=
  let k := most_variables s in
  [&& Nat.ltb 0 k, Nat.leb k n & check_tree S k (most_explained s) [::] [::] (left_free n [::] [::]) (single_proof s)].

(* The first of the bounds about at least k variables. *)
Definition speaks_of (k : nat) (s : single) : bool := Nat.leb k (most_variables s).
Definition nothing : single := Single 0 Z0 (Leaf Void).
Definition explains (singles : seq single) (k : nat) : Z :=
  most_explained (nth nothing singles (find (speaks_of k) singles)).

(* Of components with cardinalities l: they are among the tables of these sizes, or one by one they explain little. *)
Definition is_covered (U : Z) (tables : seq (seq nat)) (singles : seq single) (l : seq nat) : bool :=
  has (at_most l) tables || (all (fun k => has (speaks_of k) singles) l && Z.leb (total (explains singles) l) U).

(* The vectors of the file have the first of these sizes. *)
Definition check_total (c : certificate) (kind : table_kind) (sizes : seq nat) (vectors : seq (seq Z)) (values : seq Z)
    (proofs : seq table_tree) (beside : seq (seq nat * seq table_tree)) (singles : seq single) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let r := size sizes in
  let tables := (sizes, proofs) :: beside in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n, negb (is_common kind),
      check_vectors S n kind sizes (lower_of c) vectors values,
      all (fun t => Nat.eqb (size t.1) r && check_table_bound S n kind (upper_of c) t.1 t.2) tables &
      all (check_single S n) singles &&
      all (is_covered (upper_of c) (map fst tables) singles) (ways true n (nseq r n) (foldr Nat.add 0%N sizes))].

Section Claim.

Variables (R : realFieldType) (n r : nat) (kind : table_kind) (K : nat).
Implicit Type x : 'I_r -> 'cV[R]_n.

Definition is_table_of_total x : Prop :=
  [/\ forall t, x t != 0, forall s t, s != t -> (x s)^T *m x t = 0, (\sum_t Card (x t) <= K)%N &
      kind = Disjoint -> forall s t i, s != t -> x s i 0 = 0 \/ x t i 0 = 0].

End Claim.

Section Total.

Variables (R : realFieldType) (c : certificate).
Notation n := (size_of c).
Notation val := (@value R).
Notation S := (entries (matrix c)).
Notation D := (denominator c).
Hypothesis shape : check_matrix (matrix c) n D.
Hypothesis sym : symmetric S n.

Let D_gt0 : 0 < val D. Proof. by apply: value_gt0; case/andP: shape. Qed.

Lemma single_bound s (x : 'cV[R]_n) : check_single S n s -> x != 0 -> (Card x <= most_variables s)%N ->
  quadratic (Sigma R c) x / norm2 x <= rational R (most_explained s) D.
Proof.
case/and3P; rewrite ltbE lebE => k0 kn proved x_neq0 few; rewrite ler_pdivr_mulr ?norm2_gt0 //.
have scope : check_scope n [::] [::] by [].
apply: (scope_bounds shape sym scope _ proved) => //.
  by rewrite k0 add0n /left_free (eq_filter (a2 := predT)) // filter_predT size_iota.
by apply: leq_trans few; apply: subset_leq_card; apply/subsetP => i; rewrite !inE orbF.
Qed.

Lemma all_has (X : Type) (a b : pred X) l : all a l -> has b l -> exists2 t, a t & b t.
Proof. by elim: l => //= t l IH /andP[at_ al] /orP[bt|bl]; [exists t | apply: IH]. Qed.

Lemma covered_bound r kind U tables singles l (x : 'I_r -> 'cV[R]_n) :
  all (fun t => Nat.eqb (size t.1) r && check_table_bound S n kind U t.1 t.2) tables -> all (check_single S n) singles ->
  is_covered U (map fst tables) singles l -> size l = r ->
  is_table kind l x -> explained (Sigma R c) x <= rational R U D.
Proof.
move=> tables_ok singles_ok covered size_l [x_neq0 orth few apart common].
case/orP: covered => [|/andP[/(all_nthP 0%N) known enough]].
  rewrite has_map => /(all_has tables_ok)[t]; rewrite eqbE => /andP[/eqP size_t ok] /at_most_nth[_ le_sizes].
  apply: (table_bound shape sym (esym size_t) ok); split=> // [s|kindE]; first exact: leq_trans (few s) (le_sizes s).
  exact: leq_trans (common kindE) (le_sizes 0%N).
apply: le_trans (_ : rational R (total (explains singles) l) D <= _); last first.
  by rewrite /rational ler_wpmul2r ?value_le // invr_ge0 ltW.
rewrite /rational value_total mulr_suml (big_nth 0%N) size_l big_mkord; apply: ler_sum => t _.
have := known t; rewrite size_l => /(_ (ltn_ord t)) speaks; have := nth_find nothing speaks.
rewrite /speaks_of lebE => few_t; apply: single_bound (x_neq0 t) (leq_trans (few t) few_t).
by move/(all_nthP nothing): singles_ok; apply; rewrite -has_find.
Qed.

(* Components may be exchanged so that their cardinalities do not rise. *)
Lemma sorted_table r kind K (x : 'I_r -> 'cV[R]_n) : is_table_of_total kind K x -> kind <> Common ->
  (K <= r * n)%N ->
  exists l (y : 'I_r -> 'cV[R]_n), [/\ l \in ways true n (nseq r n) K, size l = r, is_table kind l y &
    explained (Sigma R c) y = explained (Sigma R c) x].
Proof.
move=> [x_neq0 orth few apart] not_common Krn.
pose a := [seq Card (x t) | t <- enum 'I_r]; have size_a : size a = r by rewrite size_map size_enum_ord.
have a_nth (t : 'I_r) : nth 0%N a t = Card (x t) by rewrite (nth_map t) ?size_enum_ord // nth_ord_enum.
have [||l [al l_caps sum]] := @fill a (nseq r n) K.
- apply: at_mostP; rewrite ?size_nseq // => t; rewrite size_a nth_nseq => tr; rewrite tr.
  by rewrite -[t]/(nat_of_ord (Ordinal tr)) a_nth -[X in (_ <= X)%N]card_ord max_card.
- by rewrite sumn_nseq mulnC Krn andbT /a sumnE big_map big_enum.
have [size_l l_nth] := at_most_nth l_caps; have [_ a_l] := at_most_nth al.
rewrite size_nseq in size_l; have most_l (t : 'I_r) : (nth 0%N l t <= n)%N.
  by apply: leq_trans (l_nth t) _; rewrite nth_nseq ltn_ord.
pose order := sort_tuple (fun s t : 'I_r => geq (nth 0%N l s) (nth 0%N l t)) (ord_tuple r).
have perm : perm_eq order (enum 'I_r) by rewrite perm_sort val_ord_tuple.
have inj : injective (tnth order) by apply/tuple_uniqP; rewrite (perm_uniq perm) enum_uniq.
set l' := map (fun t : 'I_r => nth 0%N l t) order; have size_l' : size l' = r by rewrite size_map size_tuple.
exists l', (fun t => x (tnth order t)); split.
- have <- : sumn l' = K.
    rewrite sumnE big_map (perm_big _ perm) big_enum /= -sum sumnE.
    by rewrite [RHS](big_nth 0%N) size_l big_mkord.
  apply: waysP => [||| _].
  + apply: at_mostP; rewrite ?size_nseq // => t; rewrite size_l' nth_nseq => tr; rewrite tr.
    by rewrite (nth_map (Ordinal tr)) ?size_tuple.
  + by rewrite all_map; apply/allP => t _ /=; apply: leq_trans (a_l t); rewrite a_nth Card_gt0.
  + by rewrite all_map; apply/allP => t _ /=; apply: most_l.
  rewrite sorted_map; apply: sort_sorted => s t; exact: leq_total.
- by [].
- split=> [t|s t st|t|kindE s t i st|//].
  + exact: x_neq0.
  + by apply: orth; rewrite (inj_eq inj).
  + rewrite (nth_map t) ?size_tuple // -tnth_nth; apply: leq_trans (a_l _); by rewrite a_nth.
  + by apply: apart => //; rewrite (inj_eq inj).
rewrite /explained -(big_tuple _ _ order xpredT (fun t => quadratic (Sigma R c) (x t) / norm2 (x t))) (perm_big _ perm).
by rewrite big_enum.
Qed.

End Total.

(* Whichever way the total is split, no table explains more than upper; and one explains lower. *)
Theorem check_total_sound (R : realFieldType) (c : certificate) (kind : table_kind) (sizes : seq nat) vectors values proofs
  beside singles (K := sumn sizes) : check_total c kind sizes vectors values proofs beside singles ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x : 'I_(size sizes) -> 'cV[R]_(size_of c), is_table_of_total kind K x -> explained (Sigma R c) x <= upper R c &
      exists2 x : 'I_(size sizes) -> 'cV[R]_(size_of c), is_table_of_total kind K x & lower R c <= explained (Sigma R c) x].
Proof.
case/and5P=> /andP[shape sym] not_common vectors_ok tables_ok /andP[singles_ok /allP covered].
have kind_neq : kind <> Common by move=> kindE; move: not_common; rewrite kindE.
have [own _] := andP tables_ok; have /andP[_ /and3P[r0 /(all_nthP 0%N) small _]] := own.
split; first exact: Sigma_sym.
  move=> x table; have [|l [y [l_in size_l table_y <-]]] := sorted_table table kind_neq.
    rewrite /K mulnC -sumn_nseq; apply: sumn_le; apply: at_mostP; rewrite ?size_nseq // => t tr.
    by rewrite nth_nseq tr -lebE small.
  exact: (covered_bound shape sym tables_ok singles_ok (covered l l_in) size_l).
have [x [x_neq0 orth few apart _] low] := vectors_table R shape vectors_ok; exists x => //; split=> //.
rewrite /K sumnE (big_nth 0%N) big_mkord; exact: leq_sum.
Qed.
