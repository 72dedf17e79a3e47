(* Claims about several components: lower <= max { sum over t of x_t'Sigma x_t : x_1, ..., x_r orthonormal and sparse } <= upper. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Cardinalities Multipliers Peaks Choices Beginnings TableTrees.

(* Supports are free to overlap, or disjoint, or all in one set of k variables. *)
Inductive table_kind := Orthogonal | Disjoint | Common.

(* Tables of these sizes explain no more than a number, as a tree says of one component or of several. *)
Inductive known_proof :=
  | OfOne of nodes leaf
  | OfSeveral of seq table_tree.

Definition is_common (kind : table_kind) : bool := match kind with Common => true | _ => false end.
Definition is_disjoint (kind : table_kind) : bool := match kind with Disjoint => true | _ => false end.

(* Conditions: the variables of E are in no support, those that are held are in that of component t; of a common
   support there is one list. *)
Definition held (kind : table_kind) (J : seq (seq nat)) (t : nat) : seq nat :=
  nth [::] J (if is_common kind then 0%N else t).

(* The vectors of the file, with numbers `values` that they attain at least, each for itself. *)
Definition check_vectors (S : seq (seq Z)) (n : nat) (kind : table_kind) (J : seq (seq nat)) (E sizes : seq nat) (lower : Z)
    (vectors : seq (seq Z)) (values : seq Z) : bool :=
  let r := size sizes in
  let z t := nth [::] vectors t in
  let used t := held kind J t ++ support_of_witness n (z t) in
  let pairs f := all (fun s => all (fun t => Nat.eqb s t || f s t) (iota 0 r)) (iota 0 r) in
  [&& all (fun t => check_witness S n (nth 0%N sizes t) (held kind J t) E (nth Z0 values t) (z t)) (iota 0 r),
      pairs (fun s t => Z.eqb (total (fun i => Z.mul (nth Z0 (z s) i) (nth Z0 (z t) i)) (iota 0 n)) Z0),
      negb (is_disjoint kind) || pairs (fun s t => all (fun i => negb (inside (used s) i)) (used t)),
      negb (is_common kind) || Nat.leb
        (size (filter (fun i => has (fun t => inside (used t) i) (iota 0 r)) (iota 0 n))) (nth 0%N sizes 0) &
      Z.leb lower (total (fun t => nth Z0 values t) (iota 0 r))].

(* Supports are padded to exactly these cardinalities: those of the claim, or, of disjoint supports for which there are
   too few variables, each choice of smaller ones that uses every variable. *)
Definition padded_sizes (m : nat) (kind : table_kind) (sizes : seq nat) : seq (seq nat) :=
  if is_disjoint kind && Nat.ltb m (foldr Nat.add 0%N sizes) then ways sizes m else [:: sizes].

(* No table explains more than U, if `known` is true. *)
Definition check_table_bound (S : seq (seq Z)) (n : nat) (kind : table_kind) (J : seq (seq nat)) (E : seq nat) (U : Z)
    (sizes : seq nat) (tables : seq (seq row)) (known : seq (seq nat * Z)) (proofs : seq table_tree) : bool :=
  let r := size sizes in
  let p := if is_common kind then 1%N else r in
  let copies := if is_common kind then r else 1%N in
  let V := left_free n [::] E in
  let most := size V in
  [&& Nat.ltb 0 r, all (fun k => Nat.leb k most) sizes, all (fun t => check_scope n (held kind J t) E) (iota 0 r) &
      all2 (fun sizes => check_table_tree S n p copies (is_disjoint kind) (fun t => nth 0%N sizes t) U tables
        known (map (fun t => (held kind J t, left_free n (held kind J t) E)) (iota 0 p))) (padded_sizes most kind sizes) proofs].

(* Each is shown with those after it. *)
Fixpoint check_known (S : seq (seq Z)) (n : nat) (kind : table_kind) (E : seq nat) (tables : seq (seq row))
    (known : seq (seq nat * Z * known_proof)) : bool :=
  match known with
  | [::] => true
  | (sizes, u, proof) :: known' =>
      match proof with
      | OfSeveral proofs => check_table_bound S n kind [::] E u sizes tables (map fst known') proofs
      | OfOne tree =>
          let k := head 0%N sizes in
          [&& Nat.eqb (size sizes) 1, Nat.leb k (size (left_free n [::] E)) &
              check_tree n [:: (iota 0 n, k)] S u tables [::] [::] (left_free n [::] E) tree]
      end && check_known S n kind E tables known'
  end.

Definition check_table (c : certificate) (kind : table_kind) (include : seq (seq nat)) (exclude sizes : seq nat)
    (vectors : seq (seq Z)) (values : seq Z) (known : seq (seq nat * Z * known_proof)) (proofs : seq table_tree) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let tables := tables_of c in
  [&& check_matrix (matrix c) n (denominator c), symmetric S n,
      check_vectors S n kind include exclude sizes (lower_of c) vectors values, check_known S n kind exclude tables known &
      check_table_bound S n kind include exclude (upper_of c) sizes tables (map fst known) proofs].

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
Notation tables ws := (map (rows_of (alone n) S) ws).
Notation val_of := (@nat_of_ord _).
Notation V := (left_free n [::] E).
Notation H := (held kind J).
Hypothesis shape : check_matrix (matrix c) n D.
Hypothesis sym : symmetric S n.

Let D_gt0 := positive_D R shape.
Let uV : uniq V. Proof. by rewrite filter_uniq ?iota_uniq. Qed.

Lemma held_in t i : check_scope n (H t) E -> i \in H t -> (i < n)%N /\ i \in V.
Proof. by move=> scope /(scope_in scope)[lt_in out]; rewrite free_in out lt_in. Qed.

(* What is known is true. *)
Definition known_ok (known : seq (seq nat * Z)) : Prop := forall sizes u, is_known known sizes u ->
  forall x : 'I_(size sizes) -> 'cV[R]_n, is_table kind [::] E sizes x -> explained (Sigma R c) x <= rational R u D.

(* What a component uses may be used. *)
Lemma uses_within r (x : 'I_r -> 'cV[R]_n) (t : 'I_r) (i : 'I_n) : check_scope n (H t) E -> avoids E (x t) -> i \in uses kind J x t ->
  val_of i \in V.
Proof.
move=> scope out; rewrite inE => /orP[xi|/(held_in scope)[] //].
by rewrite free_in ltn_ord andbT; apply: contra xi => /out ->.
Qed.

Lemma size_within : size V = #|[set i : 'I_n | val_of i \in V]|.
Proof.
rewrite (card_count n (mem V)) size_filter; apply: eq_in_count => i; rewrite mem_iota => /= lt_in.
by rewrite free_in lt_in /inside has_eqb !andbT.
Qed.

Section Sizes.

Variables (r : nat) (sizes : seq nat).
Notation k := (fun t => nth 0%N sizes t).
Notation p := (if is_common kind then 1%N else r).
Hypothesis scopes : forall t, (t < r)%N -> check_scope n (H t) E.

(* Supports of exactly k_t variables for the vectors of a table. *)
Section Padded.

Variable x : 'I_r -> 'cV[R]_n.
Hypothesis table : is_table kind J E sizes x.
Hypothesis r_gt0 : (0 < r)%N.
Hypothesis small : forall t, (t < r)%N -> (k t <= size V)%N.
Hypothesis fit : kind = Disjoint -> (\sum_(0 <= t < r) k t <= size V)%N.

Definition at_variable (t i : nat) : R := oapp (fun o => listed (x o) i) 0 (insub t).

Lemma at_variableE (t : 'I_r) i : at_variable t i = listed (x t) i.
Proof. by rewrite /at_variable valK. Qed.

Let a t i := (at_variable t i != 0) || (i \in H t).
Let part t := if is_common kind then 0%N else t.

Lemma uses_count (P : pred nat) (A : {set 'I_n}) : (forall i : 'I_n, P i -> i \in A) -> (count P V <= #|A|)%N.
Proof.
move=> sub; apply: leq_trans (_ : count P (iota 0 n) <= _)%N.
  by rewrite count_filter; apply: sub_count => i /andP[].
by rewrite -card_count; apply/subset_leq_card/subsetP => i; rewrite inE; apply: sub.
Qed.

Lemma held_node t T : (t < r)%N -> support_of (k t) [::] V T -> {in V, forall i, a t i -> i \in T} ->
  support_of (k t) (H t) (left_free n (H t) E) T.
Proof.
move=> tr [_ uT sT _ TV] inT; have scope := scopes tr; split=> // [|i iH|i /TV]; first exact: scope_uniq.
  by have [_ iV] := held_in scope iH; apply: inT; rewrite // /a iH orbT.
by rewrite /= mem_cat !free_in => /and3P[_ -> ->]; rewrite !andbT orbN.
Qed.

Lemma padded : exists Ts : nat -> seq nat,
  [/\ forall t, (t < p)%N -> support_of (k t) (H t) (left_free n (H t) E) (Ts t),
      is_disjoint kind -> forall j, (count (fun t => j \in Ts t) (iota 0 p) <= 1)%N &
      forall t i, (t < r)%N -> i \notin Ts (part t) -> at_variable t i = 0].
Proof.
have [own _ few disjoint common] := table.
have usesE (t : 'I_r) (i : 'I_n) : a t i = (i \in uses kind J x t) by rewrite inE /a at_variableE listedE.
have fewer (t : 'I_r) : (count (a t) V <= k t)%N by apply: leq_trans (few t); apply: uses_count => i; rewrite usesE.
have zero t T i : (t < r)%N -> (i \in V -> a t i -> i \in T) -> i \notin T -> at_variable t i = 0.
  move=> tr; rewrite -[t]/(nat_of_ord (Ordinal tr)) => inT iT; have [iV|iV] := boolP (i \in V).
    by apply/eqP; apply: contraNT iT => xi; apply: inT; rewrite // /a xi.
  by rewrite at_variableE (zero_outside (J := [::]) (own _).2).
rewrite /part; set h := held kind J; case kindE: kind => /=.
- have each (t : 'I_r) : exists T, support_of (k t) [::] V T /\ {in V, forall i, a t i -> i \in T}.
    have [|T node inT] := @pad (a t) (k t) [::] V uV; [by rewrite add0n fewer small | by exists T].
  have [f fP] := fin_all_exists each.
  exists (fun t => oapp f [::] (insub t)); split=> // [t tr|t i tr]; rewrite insubT /=; have [node inT] := fP (Ordinal tr).
    exact: held_node node inT.
  by apply: zero => // iV; apply: inT.
- have [t tr||s t i iV sr tr|Ts TsP one] := @pad_disjoint V r a k uV; [exact: (fewer (Ordinal tr))|exact: fit| |].
    move: iV; rewrite free_in => /and3P[_ _ lt_in]; rewrite -[s]/(nat_of_ord (Ordinal sr)) -[t]/(nat_of_ord (Ordinal tr)).
    rewrite -[i]/(nat_of_ord (Ordinal lt_in)) !usesE => xs xt; apply/eqP; apply: contraTT xt => st.
    by rewrite (disjointFr (disjoint kindE (Ordinal sr) (Ordinal tr) st)).
  exists Ts; split=> // [t tr|t i tr]; have [node inT] := TsP t tr; first exact: held_node.
  by apply: zero => // iV; apply: inT.
have [|T node inT] := @pad (fun i => [exists t : 'I_r, a t i]) (k 0%N) [::] V uV.
  rewrite add0n small // andbT; apply: leq_trans (common kindE); apply: uses_count => i /existsP[t].
  by rewrite usesE => it; apply/bigcupP; exists t.
have {}inT t i : (t < r)%N -> i \in V -> a t i -> i \in T.
  by move=> tr iV ai; apply: inT => //; apply/existsP; exists (Ordinal tr).
exists (fun=> T); split=> // [[]// _|t i tr]; last by apply: zero => //; apply: inT.
by apply: held_node node _ => // i iV; apply: inT.
Qed.

End Padded.

(* Some of the components of a table are one, of which conditions are forgotten. *)
Lemma known_of_some known (x : 'I_r -> 'cV[R]_n) ts u (f : nat -> R) (part := fun t => if is_common kind then 0%N else t) :
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
  - apply: leq_trans (subset_leq_card (sub i)) _; rewrite sizeE /part; case kindE: kind => /=; rewrite -?kindE ?few //.
    by apply: leq_trans (common kindE); apply/subset_leq_card/(bigcup_sup (at_ i)).
  - exact: disjointW (sub i) (sub j) (disjoint kindE _ _ (differ i j ij)).
  have [s0|s_gt0] := posnP (size sizes'); first by rewrite big1 ?cards0 // => i; have := ltn_ord i; rewrite {2}s0.
  rewrite (sizeE (Ordinal s_gt0)) /part kindE /= -kindE; apply: leq_trans (common kindE); apply/subset_leq_card/bigcupsP => i _.
  exact: subset_trans (sub i) (bigcup_sup (at_ i) isT).
have := ok _ _ is_k _ table; congr (_ <= _); rewrite (big_nth 0%N) big_mkord -(size_map (fun t => k (part t)) ts).
by apply: eq_bigr => i _; rewrite -atE fE.
Qed.

(* One tree bounds the tables whose supports may be padded to these sizes. *)
Lemma sizes_bound U ws known proof (x : 'I_r -> 'cV[R]_n) : (0 < r)%N -> (forall t, (t < r)%N -> (k t <= size V)%N) ->
  (kind = Disjoint -> (\sum_(0 <= t < r) k t <= size V)%N) ->
  known_ok known -> check_table_tree S n p (if is_common kind then r else 1%N) (is_disjoint kind) k U (tables ws) known
    (map (fun t => (H t, left_free n (H t) E)) (iota 0 p)) proof ->
  is_table kind J E sizes x -> explained (Sigma R c) x <= rational R U D.
Proof.
move=> r0 small fit alone_ok proved table; have [own orth few _ common] := table.
have [Ts [nodes apart off]] := padded table r0 small fit; pose X := at_variable x.
have squareE (t : 'I_r) : square (iota 0 n) (X t) = norm2 (x t).
  by rewrite norm2_listed /square; apply: eq_bigr => i _; rewrite /X at_variableE.
have formE (t : 'I_r) : form (fun i j => val (entry S i j)) (iota 0 n) (X t) = quadratic (Sigma R c) (x t) * val D.
  by rewrite (Sigma_form shape); apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /X !at_variableE.
have bound : \sum_(t < r) form (fun i j => val (entry S i j)) (iota 0 n) (X t) / square (iota 0 n) (X t) <= val U.
  apply: (table_tree_bounds (symS sym) _ _ _ _ apart off _ _ _ _ _ proved).
  - by move=> t tr; case: (is_common kind).
  - move=> f; case: (is_common kind); last by rewrite mul1r sum_iota.
    by rewrite big_const_ord iter_addr addr0 /= big_cons big_nil addr0 mulr_natl.
  - by case: (is_common kind); rewrite ?muln1 ?mul1n.
  - by case: (is_common kind) => // -> [].
  - by move=> t tr; rewrite -[t]/(nat_of_ord (Ordinal tr)) squareE norm2_gt0 // (own _).1.
  - move=> s t sr tr st; have := orth (Ordinal sr) (Ordinal tr) st => /matrixP/(_ 0 0); rewrite !mxE => dot0.
    rewrite -[RHS]dot0 sum_iota; apply: eq_bigr => i _; rewrite mxE -!listedE.
    by rewrite -(at_variableE x (Ordinal sr)) -(at_variableE x (Ordinal tr)).
  - by case: (is_common kind); rewrite ?eqxx.
  - move=> ts u uts tsr is_k; have D_neq0 : val D != 0 by rewrite gt_eqF.
    rewrite -(divfK D_neq0 (val u)) -ler_pdivr_mulr // mulr_suml.
    by apply: (known_of_some r0 alone_ok table uts tsr is_k) => t; rewrite squareE formE mulrAC mulfK.
  move=> t tp; rewrite /forced /free (nth_map 0%N) ?size_iota // nth_iota //=; split; first exact: nodes.
  by apply: scope_within; apply: scopes; apply: leq_trans tp _; case: (is_common kind).
rewrite -(ler_pmul2r D_gt0) /rational divfK ?gt_eqF //; apply: le_trans bound.
by rewrite /explained mulr_suml; apply: ler_sum => t _; rewrite mulrAC formE squareE.
Qed.

End Sizes.

Lemma disjoint_few r (x : 'I_r -> 'cV[R]_n) : (forall t : 'I_r, check_scope n (H t) E) ->
  (forall t, avoids E (x t)) -> (forall s t, s != t -> [disjoint uses kind J x s & uses kind J x t]) ->
  (\sum_t #|uses kind J x t| <= size V)%N.
Proof.
move=> scopes out apart; rewrite size_within; apply: leq_trans (_ : #|\bigcup_t uses kind J x t| <= _)%N.
  by rewrite -sum1_card (partition_disjoint_bigcup _ _ apart); apply: leq_sum => t _; rewrite sum1_card.
apply/subset_leq_card/subsetP => i /bigcupP[t _ it]; rewrite inE; exact: uses_within (scopes t) (out t) it.
Qed.

Lemma uses_gt0 r (x : 'I_r -> 'cV[R]_n) (t : 'I_r) : x t != 0 -> (0 < #|uses kind J x t|)%N.
Proof.
apply: contraNltn; rewrite leqn0 cards_eq0 => /eqP/setP none; apply/eqP/matrixP => i j; rewrite ord1 [RHS]mxE.
by have := none i; rewrite !inE => /norP[/negPn/eqP].
Qed.

Lemma table_bound r sizes U ws known proofs (x : 'I_r -> 'cV[R]_n) : r = size sizes ->
  known_ok known -> check_table_bound S n kind J E U sizes (tables ws) known proofs -> is_table kind J E sizes x -> explained (Sigma R c) x <= rational R U D.
Proof.
move=> rE alone_ok; rewrite /check_table_bound -rE ltbE => /and4P[r0 /(all_nthP 0%N) small /allP scopes ok] table.
have {}small t : (t < r)%N -> (nth 0%N sizes t <= size V)%N by rewrite rE => /small; rewrite lebE.
have {}scopes t : (t < r)%N -> check_scope n (H t) E by move=> tr; apply: scopes; rewrite mem_iota.
have sum_nth l : r = size l -> (\sum_(0 <= t < r) nth 0%N l t)%N = sumn l.
  by move=> ->; rewrite -(big_nth 0%N xpredT id) sumnE.
move: ok; rewrite /padded_sizes ltbE; have [/andP[kindE many]|few] := boolP (is_disjoint kind && _) => ok; last first.
  case: proofs ok => [//|proof proofs] /andP[proved _]; apply: sizes_bound alone_ok proved table => // kindE.
  by rewrite sum_nth // leqNgt; move: few; rewrite kindE.
have [own orth card disjoint _] := table; pose a := [seq #|uses kind J x t| | t <- enum 'I_r].
have {}kindE : kind = Disjoint by case: (kind) kindE.
have a_nth (t : 'I_r) : nth 0%N a t = #|uses kind J x t| by rewrite (nth_map t) ?size_enum_ord // nth_ord_enum.
have size_a : size a = r by rewrite size_map size_enum_ord.
have [||l [al l_sizes sum]] := @fill a sizes (size V).
- by apply: at_mostP; rewrite size_a // => t tr; rewrite -[t]/(nat_of_ord (Ordinal tr)) a_nth card.
- rewrite (ltnW many) andbT /a sumnE big_map big_enum; apply: disjoint_few (disjoint kindE) => t; first exact: scopes.
  exact: (own t).2.
have [size_l l_nth] := at_most_nth l_sizes; have [_ a_l] := at_most_nth al.
have rl : r = size l by rewrite size_l.
have l_in : l \in ways sizes (size V).
  rewrite -[X in ways _ X]sum; apply: waysP => //; apply/(all_nthP 0%N) => t; rewrite -rl => tr.
  by apply: leq_trans (a_l t); rewrite -[t]/(nat_of_ord (Ordinal tr)) a_nth uses_gt0 // (own _).1.
have [proof proved] := all2_in ok l_in; apply: sizes_bound alone_ok proved _ => //.
- by move=> t tr; apply: leq_trans (l_nth t) (small t tr).
- by rewrite sum_nth // sum.
by split=> // [t|]; [apply: leq_trans (a_l t); rewrite a_nth | rewrite kindE].
Qed.

Lemma vectors_table sizes low vectors values : (forall t, (t < size sizes)%N -> check_scope n (H t) E) ->
  check_vectors S n kind J E sizes low vectors values ->
  exists2 x : 'I_(size sizes) -> 'cV[R]_n, is_table kind J E sizes x & rational R low D <= explained (Sigma R c) x.
Proof.
set r := size sizes; move=> scopes /and5P[/allP each orth disjoint common least].
pose w t := nth [::] vectors t; pose x (t : 'I_r) : 'cV[R]_n := vector R c (w t).
have in_range (t : 'I_r) : val_of t \in iota 0 r by rewrite mem_iota ltn_ord.
have attains (t : 'I_r) := check_witness_sound R shape (scopes t (ltn_ord t)) (each t (in_range t)).
have pairs (f : nat -> nat -> bool) (s t : 'I_r) : s != t ->
    all (fun s => all (fun t => Nat.eqb s t || f s t) (iota 0 r)) (iota 0 r) -> f s t.
  move=> st /allP/(_ s (in_range s))/allP/(_ t (in_range t)); rewrite eqbE => /orP[/eqP/ord_inj st'|//].
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
  move: common; rewrite kindE /= -kindE => /PeanoNat.Nat.leb_le/ssrnat.leP; apply: leq_trans.
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
  check_known S n kind E (map (rows_of (alone n) S) ws) known -> known_ok R c kind E (map fst known).
Proof.
move=> shape sym; elim: known => [|[[sizes u] proof] known IH] //= /andP[ok /IH more] sizes' u'.
rewrite /is_known /= => /orP[/andP[/eqP <- /(value_le R) le_u]|]; last exact: more.
move=> x table; apply: le_trans (_ : rational R u (denominator c) <= _); last first.
  by rewrite /rational ler_wpmul2r // invr_ge0 ltW // positive_D.
case: proof ok => [tree|proofs]; last by move=> ok; apply: (table_bound shape sym _ more ok table).
rewrite eqbE lebE => /and3P[size1 many ok]; case: sizes size1 many ok x table => [|k []] //= _ many ok x [own _ few _ _].
have [x_neq0 out] := own ord0; rewrite /explained big_ord_recl big_ord0 addr0 ler_pdivr_mulr ?norm2_gt0 //.
apply: (scope_bounds shape sym (isT : check_scope n [::] E) many ok out); apply: leq_trans (few ord0).
by apply/subset_leq_card/subsetP => i; rewrite !inE /held nth_nil.
Qed.

Theorem check_table_sound (R : realFieldType) (c : certificate) (kind : table_kind) include exclude (sizes : seq nat)
    vectors values known proofs : check_table c kind include exclude sizes vectors values known proofs ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x : 'I_(size sizes) -> 'cV[R]_(size_of c), is_table kind include exclude sizes x ->
        explained (Sigma R c) x <= upper R c &
      exists2 x : 'I_(size sizes) -> 'cV[R]_(size_of c), is_table kind include exclude sizes x &
        lower R c <= explained (Sigma R c) x].
Proof.
case/and5P=> shape sym vectors_ok /(known_sound (R := R) shape sym) known_true proved; split; first exact: Sigma_sym.
  by move=> x; apply: (table_bound shape sym _ known_true proved).
apply: vectors_table vectors_ok => // t tr; have /and4P[_ _ /allP scopes _] := proved.
by apply: scopes; rewrite mem_iota.
Qed.
