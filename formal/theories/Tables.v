(* Claims about several components: lower <= max { sum over t of x_t'Sigma x_t : x_1, ..., x_r orthonormal and sparse } <= upper. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Families Components Multipliers Peaks Choices Beginnings TableTrees.

(* Tables of these sizes explain no more than a number, as a tree says of one component or of several. *)
Inductive known_proof :=
  | OfOne of nodes leaf
  | OfSeveral of table_tree.

(* Conditions: the variables of E are in no support, those that are held are in that of component t; of a common
   support there is one list. *)
Definition held (kind : table_kind) (J : seq (seq nat)) (t : nat) : seq nat := nth [::] J (part_of kind t).

(* The vectors of the file, with numbers `values` that they attain at least, each for itself. *)
Definition check_vectors (S : seq (seq Z)) (n : nat) (kind : table_kind) (J : seq (seq nat)) (E sizes : seq nat) (lower : Z)
    (vectors : seq (seq Z)) (values : seq Z) : bool :=
  let r := size sizes in
  let z t := nth [::] vectors t in
  let used t := held kind J t ++ support_of_witness n (z t) in
  let pairs f := all (fun s => all (fun t => eqn s t || f s t) (iota 0 r)) (iota 0 r) in
  [&& all (fun t => check_witness S n (nth 0%N sizes t) (held kind J t) E (nth Z0 values t) (z t)) (iota 0 r),
      pairs (fun s t => Z.eqb (total (fun i => Z.mul (nth Z0 (z s) i) (nth Z0 (z t) i)) (iota 0 n)) Z0),
      negb (is_disjoint kind) || pairs (fun s t => all (fun i => negb (inside (used s) i)) (used t)),
      negb (is_common kind) ||
        (size (filter (fun i => has (fun t => inside (used t) i) (iota 0 r)) (iota 0 n)) <= nth 0 sizes 0)%N &
      Z.leb lower (total (fun t => nth Z0 values t) (iota 0 r))].

(* No table explains more than U, if `known` is true. *)
Definition check_table_bound (S : seq (seq Z)) (n : nat) (kind : table_kind) (J : seq (seq nat)) (E : seq nat) (U : Z)
    (sizes : seq nat) (tables : seq (seq row)) (known : seq (seq nat * Z)) (proof : table_tree) : bool :=
  let r := size sizes in
  let most := size (left_free n [::] E) in
  let smaller := is_disjoint kind && (most < sumn sizes)%N in
  [&& (0 < r)%N, all (geq most) sizes, all (fun t => check_scope n (held kind J t) E) (iota 0 r) &
      check_table_tree S n r kind smaller (fun t => nth 0%N sizes t) U tables known
        (map (fun t => (held kind J t, left_free n (held kind J t) E)) (iota 0 (parts_of kind r))) proof].

(* Each is shown with those after it. *)
Fixpoint check_known (S : seq (seq Z)) (n : nat) (kind : table_kind) (E : seq nat) (tables : seq (seq row))
    (known : seq (seq nat * Z * known_proof)) : bool :=
  match known with
  | [::] => true
  | (sizes, u, proof) :: known' =>
      match proof with
      | OfSeveral tree => check_table_bound S n kind [::] E u sizes tables (map fst known') tree
      | OfOne tree =>
          let k := head 0%N sizes in
          eqn (size sizes) 1 && check_tree n [::] [:: (iota 0 n, k)] S u tables [::] [::] E tree
      end && check_known S n kind E tables known'
  end.

Definition check_table (c : certificate) (kind : table_kind) (include : seq (seq nat)) (exclude sizes : seq nat)
    (vectors : seq (seq Z)) (values : seq Z) (known : seq (seq nat * Z * known_proof)) (proof : table_tree) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let tables := map (rows_of Z.abs (alone n) S [::]) (points_of c) in
  [&& check_matrix (matrix c) n (denominator c), symmetric S n,
      check_vectors S n kind include exclude sizes (lower_of c) vectors values, check_known S n kind exclude tables known &
      check_table_bound S n kind include exclude (upper_of c) sizes tables (map fst known) proof].

(* The claim. *)
Section Claim.

Variables (R : realFieldType) (n r : nat) (kind : table_kind) (include : seq (seq nat)) (exclude sizes : seq nat).
Implicit Type x : 'I_r -> 'cV[R]_n.

(* What component t uses, the variables that are held counted. *)
Definition uses x (t : 'I_r) : {set 'I_n} := [set i | (x t i 0 != 0) || (val i \in held kind include t)].

Definition is_table x : Prop :=
  [/\ forall t, x t != 0 /\ avoids exclude (x t), forall s t, s != t -> (x s)^T *m x t = 0,
      forall t, (#|uses x t| <= nth 0%N sizes t)%N,
      kind = Disjoint -> forall s t, s != t -> [disjoint uses x s & uses x t] &
      kind = Common -> (#|\bigcup_t uses x t| <= nth 0%N sizes 0)%N].

Definition explained (M : 'M[R]_n) x : R := \sum_t quadratic M (x t) / norm2 (x t).

End Claim.

Section Table.

Variables (R : realFieldType) (c : certificate) (kind : table_kind) (J : seq (seq nat)) (E : seq nat).
Notation n := (size_of c).
Notation val := (@value R).
Notation S := (entries (matrix c)).
Notation D := (denominator c).
Notation tables ws := (map (rows_of Z.abs (alone n) S [::]) ws).
Notation val_of := (@nat_of_ord _).
Notation V := (left_free n [::] E).
Notation H := (held kind J).
Hypothesis shape : check_matrix (matrix c) n D.
Hypothesis sym : symmetric S n.

Let D_gt0 := positive_D R shape.
Let uV : uniq V. Proof. by rewrite filter_uniq ?iota_uniq. Qed.

(* What is known is true. *)
Definition known_ok (known : seq (seq nat * Z)) : Prop := forall sizes u, is_known known sizes u ->
  forall x : 'I_(size sizes) -> 'cV[R]_n, is_table kind [::] E sizes x -> explained (Sigma R c) x <= rational R u D.

Section Sizes.

Variable sizes : seq nat.
Notation r := (size sizes).
Notation k := (fun t => nth 0%N sizes t).
Notation p := (parts_of kind r).

(* Supports for the vectors of a table, of exactly k_t variables where there are enough. *)
Section Padded.

Variable x : 'I_r -> 'cV[R]_n.
Hypothesis table : is_table kind J E sizes x.
Hypothesis scopes : forall t, (t < r)%N -> check_scope n (H t) E.
Hypothesis r_gt0 : (0 < r)%N.
Hypothesis small : forall t, (t < r)%N -> (k t <= size V)%N.

Definition at_variable (t i : nat) : R := oapp (fun o => listed (x o) i) 0 (insub t).

Lemma at_variableE (t : 'I_r) i : at_variable t i = listed (x t) i.
Proof. by rewrite /at_variable valK. Qed.

Let a t i := (at_variable t i != 0) || (i \in H t).

Lemma uses_count (P : pred nat) (A : {set 'I_n}) : (forall i : 'I_n, P i -> i \in A) -> (count P V <= #|A|)%N.
Proof.
move=> sub; apply: leq_trans (_ : count P (iota 0 n) <= _)%N.
  by rewrite count_filter; apply: sub_count => i /andP[].
by rewrite -card_count; apply/subset_leq_card/subsetP => i; rewrite inE; apply: sub.
Qed.

Lemma held_node t T : (t < r)%N -> holds [::] V T -> {in V, forall i, a t i -> i \in T} ->
  holds (H t) (left_free n (H t) E) T.
Proof.
move=> tr [_ uT _ TV] inT; have scope := scopes tr; split=> // [|i iH|i /TV]; first exact: scope_uniq.
  by have [lt_in out] := scope_in scope iH; apply: inT; rewrite /a ?iH ?orbT // free_in out lt_in.
by rewrite /= mem_cat !free_in => /and3P[_ -> ->]; rewrite !andbT orbN.
Qed.

Lemma square_at (t : 'I_r) : square (iota 0 n) (at_variable t) = norm2 (x t).
Proof. by rewrite norm2_listed /square; apply: eq_bigr => i _; rewrite at_variableE. Qed.

Lemma padded (smaller := is_disjoint kind && (size V < sumn sizes)%N) : exists2 Ts : nat -> seq nat,
  forall t, (t < p)%N -> holds (H t) (left_free n (H t) E) (Ts t) & leaf_table n r kind smaller k Ts at_variable.
Proof.
have [own orth few disjoint common] := table.
have positive t : (t < r)%N -> 0 < square (iota 0 n) (at_variable t).
  by move=> tr; rewrite -[t]/(nat_of_ord (Ordinal tr)) square_at norm2_gt0 // (own _).1.
have in_V t i : (t < r)%N -> at_variable t i != 0 -> i \in V.
  move=> tr; rewrite -[t]/(nat_of_ord (Ordinal tr)) at_variableE; apply: contraR => iV.
  by rewrite (zero_outside (J := [::]) (own _).2).
suff [Ts [nodes one inT]] : exists Ts : nat -> seq nat,
    [/\ forall t, (t < p)%N -> holds [::] V (Ts t) /\ size (Ts t) \in sizes_of smaller (k t),
      is_disjoint kind -> forall j, (count (fun t => j \in Ts t) (iota 0 p) <= 1)%N &
      forall t i, (t < r)%N -> i \in V -> a t i -> i \in Ts (part_of kind t)].
  exists Ts => [t tp|].
    have [tr tE] : (t < r)%N /\ part_of kind t = t.
      by move: tp; rewrite /parts_of /part_of; case: is_common => //; case: (t) => [|[]].
    apply: (held_node tr (nodes t tp).1) => i iV ai; rewrite -tE; exact: (inT t i tr iV ai).
  split=> // [t /nodes[] //|t i tr iT|s t sr tr st].
    by apply/eqP; apply: contraNT iT => xi; apply: inT; rewrite // ?(in_V t) // /a xi.
  have := orth (Ordinal sr) (Ordinal tr) st => /matrixP/(_ 0 0); rewrite !mxE => dot0.
  rewrite -[RHS]dot0 sum_iota; apply: eq_bigr => i _; rewrite mxE -!listedE.
  by rewrite -(at_variableE (Ordinal sr)) -(at_variableE (Ordinal tr)).
have usesE (t : 'I_r) (i : 'I_n) : a t i = (i \in uses kind J x t) by rewrite inE /a at_variableE listedE.
have fewer (t : 'I_r) : (count (a t) V <= k t)%N by apply: leq_trans (few t); apply: uses_count => i; rewrite usesE.
rewrite {}/smaller; case kindE: kind => /=.
- have each (t : 'I_r) : exists T, [/\ holds [::] V T, size T = k t & {in V, forall i, a t i -> i \in T}].
    by apply: (pad (J := [::])) => //; rewrite add0n fewer small.
  have [f fP] := fin_all_exists each; exists (fun t => oapp f [::] (insub t)).
  split=> // [t tr|t i tr iV]; rewrite insubT /=; have [node sT inT] := fP (Ordinal tr); last exact: inT.
  by rewrite inE sT eqxx.
- have one s t i : i \in V -> (s < r)%N -> (t < r)%N -> a s i -> a t i -> s = t.
    rewrite free_in => /and3P[_ _ lt_in] sr tr; rewrite -[s]/(nat_of_ord (Ordinal sr)) -[t]/(nat_of_ord (Ordinal tr)).
    rewrite -[i]/(nat_of_ord (Ordinal lt_in)) !usesE => xs xt; apply/eqP; apply: contraTT xt => st.
    by rewrite (disjointFr (disjoint kindE (Ordinal sr) (Ordinal tr) st)).
  have at_most t (tr : (t < r)%N) : (count (a t) V <= k t)%N := fewer (Ordinal tr).
  have [many|fit] := ltnP (size V) (sumn sizes).
    exists (fun t => filter (a t) V); split=> [t tr|_ j|t i tr iV ai]; last by rewrite mem_filter ai.
      split; first by split; rewrite ?(filter_uniq _ uV) // => i; rewrite mem_filter => /andP[].
      rewrite size_filter mem_iota add1n ltnS at_most // andbT -has_count; apply: contraT => /hasPn none.
      have := positive t tr; rewrite /square big1 ?ltxx // => i _; apply/eqP; rewrite sqrf_eq0.
      by apply: contraT => xi; have := none i (in_V t i tr xi); rewrite /a xi.
    rewrite -[parts_of _ _]/r -size_filter; case sE: (filter _ _) => [|s [|t l]] //.
    have := filter_uniq (fun t => j \in filter (a t) V) (iota_uniq 0 r).
    have in_l u : u \in [:: s, t & l] -> [/\ j \in V, (u < r)%N & a u j].
      by rewrite -sE mem_filter mem_iota => /andP[]; rewrite mem_filter => /andP[-> ->] /= ->.
    have [jV sr sj] := in_l s (mem_head _ _); have [|_ tr tj] := in_l t; first by rewrite !inE eqxx orbT.
    by rewrite sE /= inE (one s t j) ?eqxx.
  have [|Ts TsP apart] := pad_disjoint uV at_most _ one; first by move: fit; rewrite sumnE (big_nth 0%N).
  exists Ts; split=> // [t tr|t i tr iV]; have [node sT inT] := TsP t tr; last exact: inT.
  by rewrite inE sT eqxx.
have [|T [node sT inT]] := @pad (fun i => [exists t : 'I_r, a t i]) (k 0%N) [::] V uV.
  rewrite add0n small // andbT; apply: leq_trans (common kindE); apply: uses_count => i /existsP[t].
  by rewrite usesE => it; apply/bigcupP; exists t.
exists (fun=> T); split=> // [[]// _|t i tr iV ai]; first by rewrite inE sT eqxx.
by apply: inT => //; apply/existsP; exists (Ordinal tr).
Qed.

End Padded.

(* Some of the components of a table are one, of which conditions are forgotten. *)
Lemma known_of_some known (x : 'I_r -> 'cV[R]_n) ts u (f : nat -> R) (part := part_of kind) :
  (0 < r)%N -> known_ok known -> is_table kind J E sizes x -> uniq ts -> {subset ts <= iota 0 r} ->
  is_known known (map (fun t => k (part t)) ts) u ->
  (forall t : 'I_r, f t = quadratic (Sigma R c) (x t) / norm2 (x t)) -> \sum_(t <- ts) f t <= rational R u D.
Proof.
move=> r0 ok [own orth few disjoint common] uts tsr is_k fE; set sizes' := map _ ts in is_k.
pose at_ (i : 'I_(size sizes')) : 'I_r := insubd (Ordinal r0) (nth 0%N ts i).
have lt_i (i : 'I_(size sizes')) : (i < size ts)%N by rewrite -(size_map (fun t => k (part t)) ts); apply: ltn_ord.
have atE i : nat_of_ord (at_ i) = nth 0%N ts i.
  by rewrite /at_ val_insubd; have := tsr _ (mem_nth 0%N (lt_i i)); rewrite mem_iota => /= ->.
have sizeE (i : 'I_(size sizes')) : nth 0%N sizes' i = k (part (at_ i)) by rewrite atE (nth_map 0%N).
have sub i : uses kind [::] (fun i => x (at_ i)) i \subset uses kind J x (at_ i).
  by apply/subsetP => a; rewrite !inE /held nth_nil => /orP[->|].
have differ i j : i != j -> at_ i != at_ j.
  by apply: contra => /eqP/(congr1 val_of); rewrite !atE => /eqP; rewrite nth_uniq // => /eqP/ord_inj ->.
have table : is_table kind [::] E sizes' (fun i => x (at_ i)).
  split=> [i|i j ij|i|kindE i j ij|kindE].
  - exact: own.
  - by apply: orth; apply: differ.
  - apply: leq_trans (subset_leq_card (sub i)) _; rewrite sizeE /part /part_of; case kindE: kind => /=; rewrite -?kindE ?few //.
    by apply: leq_trans (common kindE); apply/subset_leq_card/(bigcup_sup (at_ i)).
  - exact: disjointW (sub i) (sub j) (disjoint kindE _ _ (differ i j ij)).
  have [s0|s_gt0] := posnP (size sizes'); first by rewrite big1 ?cards0 // => i; have := ltn_ord i; rewrite {2}s0.
  rewrite (sizeE (Ordinal s_gt0)) /part /part_of kindE /= -kindE; apply: leq_trans (common kindE).
  apply/subset_leq_card/bigcupsP => i _.
  exact: subset_trans (sub i) (bigcup_sup (at_ i) isT).
have := ok _ _ is_k _ table; congr (_ <= _); rewrite (big_nth 0%N) big_mkord -(size_map (fun t => k (part t)) ts).
by apply: eq_bigr => i _; rewrite -atE fE.
Qed.

(* A tree bounds what they explain. *)
Lemma table_bound U ws known proof (x : 'I_r -> 'cV[R]_n) : known_ok known ->
  check_table_bound S n kind J E U sizes (tables ws) known proof -> is_table kind J E sizes x ->
  explained (Sigma R c) x <= rational R U D.
Proof.
move=> alone_ok /and4P[r0 /(all_nthP 0%N) small /allP scopes_ok proved] table.
have scopes t (tr : (t < r)%N) : check_scope n (H t) E by apply: scopes_ok; rewrite mem_iota.
have [Ts nodes leaf] := padded table scopes r0 small; pose X := at_variable x.
have formE (t : 'I_r) : form (fun i j => val (entry S i j)) (iota 0 n) (X t) = quadratic (Sigma R c) (x t) * val D.
  by rewrite (Sigma_form shape); apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /X !at_variableE.
have bound : \sum_(t < r) form (fun i j => val (entry S i j)) (iota 0 n) (X t) / square (iota 0 n) (X t) <= val U.
  apply: (table_tree_bounds (symS sym) leaf _ _ proved) => [ts u uts tsr is_k|t tp].
    have D_neq0 : val D != 0 by rewrite gt_eqF.
    rewrite -(divfK D_neq0 (val u)) -ler_pdivr_mulr // mulr_suml.
    by apply: (known_of_some r0 alone_ok table uts tsr is_k) => t; rewrite square_at formE mulrAC mulfK.
  rewrite /forced /free (nth_map 0%N) ?size_iota // nth_iota //=; split; first exact: nodes.
  by apply/scope_within/scopes; apply: leq_trans tp _; rewrite /parts_of; case: is_common.
rewrite -(ler_pmul2r D_gt0) /rational divfK ?gt_eqF //; apply: le_trans bound.
by rewrite /explained mulr_suml; apply: ler_sum => t _; rewrite mulrAC formE square_at.
Qed.

End Sizes.

Lemma vectors_table sizes low vectors values :
  check_vectors S n kind J E sizes low vectors values ->
  exists2 x : 'I_(size sizes) -> 'cV[R]_n, is_table kind J E sizes x & rational R low D <= explained (Sigma R c) x.
Proof.
set r := size sizes; case/and5P=> /allP each orth disjoint common least.
pose w t := nth [::] vectors t; pose x (t : 'I_r) : 'cV[R]_n := vector R c (w t).
have in_range (t : 'I_r) : val_of t \in iota 0 r by rewrite mem_iota ltn_ord.
have attains (t : 'I_r) := check_witness_sound R shape (each t (in_range t)).
have pairs (f : nat -> nat -> bool) (s t : 'I_r) : s != t ->
    all (fun s => all (fun t => eqn s t || f s t) (iota 0 r)) (iota 0 r) -> f s t.
  move=> st /allP/(_ s (in_range s))/allP/(_ t (in_range t)); rewrite eqnE => /orP[/eqP/ord_inj st'|//].
  by rewrite st' eqxx in st.
have usesE (t : 'I_r) (i : 'I_n) : (i \in uses kind J x t) = (val_of i \in H t ++ support_of_witness n (w t)).
  by rewrite inE mem_cat (in_witness R) listedE orbC.
exists x; first split=> [t|s t st|t|kindE s t st|kindE].
  - by have [] := attains t.
  - apply/matrixP => i j; rewrite !ord1 [RHS]mxE mxE; have := pairs _ s t st orth; move/Z.eqb_eq/(congr1 val).
    by rewrite value_total sum_iota => dot0; rewrite -[RHS]/(val Z0) -dot0; apply: eq_bigr => q _; rewrite !mxE valueM.
  - by have [] := attains t.
  - move: disjoint; rewrite kindE /= -kindE => /(pairs _ s t st)/allP apart.
    by apply/pred0P => i /=; rewrite !usesE; apply/andP => -[is_ /apart]; rewrite /inside has_eqb is_.
  move: common; rewrite kindE /= -kindE; apply: leq_trans.
  rewrite size_filter -card_count; apply/subset_leq_card/subsetP => i /bigcupP[t _]; rewrite usesE inE => it.
  by apply/hasP; exists (val_of t); rewrite ?in_range // /inside has_eqb.
apply: le_trans (_ : rational R (total (fun t => nth Z0 values t) (iota 0 r)) D <= _).
  by rewrite /rational ler_wpmul2r ?value_le // invr_ge0 ltW.
rewrite /rational value_total sum_iota mulr_suml; apply: ler_sum => t _; have [x_neq0 _ _ attained] := attains t.
by rewrite ler_pdivl_mulr ?norm2_gt0.
Qed.

End Table.

Lemma known_sound (R : realFieldType) (c : certificate) (kind : table_kind) E ws known (n := size_of c) (S := entries (matrix c)) :
  check_matrix (matrix c) n (denominator c) -> symmetric S n ->
  check_known S n kind E (map (rows_of Z.abs (alone n) S [::]) ws) known -> known_ok R c kind E (map fst known).
Proof.
move=> shape sym; elim: known => [|[[sizes u] proof] known IH] //= /andP[ok /IH more] sizes' u'.
rewrite /is_known /= => /orP[/andP[/eqP <- /(value_le R) le_u]|]; last exact: more.
move=> x table; apply: le_trans (_ : rational R u (denominator c) <= _); last first.
  by rewrite /rational ler_wpmul2r // invr_ge0 ltW // positive_D.
case: proof ok => [tree|tree]; last by move=> ok; apply: (table_bound shape sym more ok table).
rewrite eqnE => /andP[size1 ok]; case: sizes size1 ok x table => [|k []] //= _ ok x [own _ few _ _].
have [x_neq0 out] := own ord0; rewrite /explained big_ord_recl big_ord0 addr0 ler_pdivr_mulr ?norm2_gt0 //.
apply: (scope_bounds shape sym ok out); apply: leq_trans (few ord0).
by apply/subset_leq_card/subsetP => i; rewrite !inE /held nth_nil.
Qed.

Theorem check_table_sound (R : realFieldType) (c : certificate) (kind : table_kind) include exclude (sizes : seq nat)
    vectors values known proof : check_table c kind include exclude sizes vectors values known proof ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x : 'I_(size sizes) -> 'cV[R]_(size_of c), is_table kind include exclude sizes x ->
        explained (Sigma R c) x <= upper R c &
      exists2 x : 'I_(size sizes) -> 'cV[R]_(size_of c), is_table kind include exclude sizes x &
        lower R c <= explained (Sigma R c) x].
Proof.
case/and5P=> shape sym vectors_ok /(known_sound (R := R) shape sym) known_true proved; split; first exact: Sigma_sym.
  by move=> x; apply: (table_bound shape sym known_true proved).
exact: vectors_table vectors_ok.
Qed.
