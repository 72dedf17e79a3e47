(* Claims about several components: lower <= max { sum over t of x_t'Sigma x_t : x_1, ..., x_r orthonormal and sparse } <= upper. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Walk Leaves Soundness Cardinalities Multipliers Peaks Choices Beginnings.

(* Supports are free to overlap, or disjoint, or all in one set of k variables. *)
Inductive table_kind := Orthogonal | Disjoint | Common.

Inductive table_leaf :=
  | NoTable   (* fewer variables than components, or a variable would be in two disjoint supports *)
  | Prices (own : seq nat) (M : seq (seq Z)) (y : seq Z) (shift : Z) (best : seq Z) (how : seq part_proof) (threshold g : Z) (L : seq (seq Z))
  | Choices (points : seq table_point) (early : nat) (group : seq nat) (evidence : seq (seq (seq (Z * seq Z)))).

(* What bounds the tables of which a part has a variable that is not kept: a leaf, or rows with weights for that part
   alone and, for groups of the other components, what is known of components of these sizes. *)
Inductive lost_proof :=
  | Together of table_leaf
  | Apart (weights : nat) (level : Z) (groups : seq (seq nat * Z)).

Inductive table_tree :=
  | TableLeaf of table_leaf
  | TableSplit (part variable : nat) (inside outside : table_tree)
  | TableKeep (part : nat) (kept : seq nat) (lost : lost_proof) (child : table_tree).

(* Tables of these sizes explain no more than a number, as a tree says of one component or of several. *)
Inductive known_proof :=
  | OfOne of nodes leaf
  | OfSeveral of seq table_tree.

Definition is_known (known : seq (seq nat * Z)) (sizes : seq nat) (u : Z) : bool :=
  has (fun s => (s.1 == sizes) && Z.leb s.2 u) known.

Definition side : Type := seq nat * seq nat.
Definition forced (sides : seq side) (t : nat) : seq nat := (nth ([::], [::]) sides t).1.
Definition free (sides : seq side) (t : nat) : seq nat := (nth ([::], [::]) sides t).2.

(* Where the size decides, nothing is free. *)
Definition settled (k : nat) (J F : seq nat) : side :=
  if Nat.eqb (Nat.sub k (size J)) 0 then (J, [::])
  else if Nat.eqb (Nat.add (size J) (size F)) k then (J ++ F, [::]) else (J, F).

Section Program.

Variables (S : seq (seq Z)) (n p copies : nat) (is_disjoint : bool) (k : nat -> nat) (U : Z).
Variables (tables : seq (seq row)) (known : seq (seq nat * Z)).

Definition changed (sides : seq side) (part : nat) (J F : seq nat) : seq side := set_nth ([::], [::]) sides part (J, F).

Definition check_table_leaf (lost : nat -> option Z) (sides : seq side) (leaf : table_leaf) : bool :=
  let J := forced sides in
  let F := free sides in
  if has (fun t => Nat.ltb (k t) (size (J t)) || Nat.ltb (Nat.add (size (J t)) (size (F t))) (k t)) (iota 0 p)
  then true else
  let sides := map (fun t => settled (k t) (J t) (F t)) (iota 0 p) in
  match leaf with
  | NoTable =>
      Nat.ltb (size (present n p (forced sides) (free sides))) (Nat.mul copies p) ||
      (is_disjoint && has (fun j => Nat.ltb 1 (must p (forced sides) j)) (iota 0 n))
  | Prices own M y shift best how threshold g L =>
      let near := filter (inside own) (present n p (forced sides) (free sides)) in
      check_prices S n p copies is_disjoint k (forced sides) (free sides) U lost near (mixed near S S) (mixed near S M)
        y shift best how threshold g L
  | Choices points early group evidence =>
      Nat.eqb copies 1 && check_choices S n p is_disjoint k (forced sides) (free sides) U points early group evidence
  end.

Definition check_lost (sides : seq side) (part : nat) (kept : seq nat) (proof : lost_proof) : bool :=
  let J := forced sides part in
  let F := free sides part in
  match proof with
  | Together leaf => check_table_leaf (fun t => if Nat.eqb t part then Some (lost_of kept F) else None) sides leaf
  | Apart which level groups =>
      [&& loses_none [:: (iota 0 n, k part)] level (nth [::] tables) J F which kept,
          perm_eq (flatten (map fst groups)) (without part (iota 0 p)),
          all (fun g => is_known known (map k g.1) g.2) groups &
          Z.leb (Z.add (Z.mul (Z.of_nat copies) level) (foldr (fun g s => Z.add g.2 s) Z0 groups)) U]
  end.

Fixpoint check_table_tree (sides : seq side) (t : table_tree) : bool :=
  match t with
  | TableLeaf leaf => check_table_leaf (fun=> None) sides leaf
  | TableSplit part v inside outside =>
      let F := without v (free sides part) in
      [&& Nat.ltb part p, has (Nat.eqb v) (free sides part),
          check_table_tree (changed sides part (v :: forced sides part) F) inside &
          check_table_tree (changed sides part (forced sides part) F) outside]
  | TableKeep part kept leaf child =>
      let F := free sides part in
      [&& Nat.ltb part p, check_lost sides part kept leaf &
          check_table_tree (changed sides part (forced sides part) (filter (member_of (set_of kept)) F)) child]
  end.

End Program.

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

Section Tree.

Variables (R : realFieldType) (S : seq (seq Z)) (n p copies r : nat) (single : bool) (k : nat -> nat) (U : Z).
Variables (part : nat -> nat) (Ts : nat -> seq nat) (x : nat -> nat -> R).
Hypothesis symS : {in iota 0 n &, forall i j, entry S i j = entry S j i}.
Hypothesis part_lt : forall t, (t < r)%N -> (part t < p)%N.
Hypothesis shared : forall f : nat -> R, \sum_(t < r) f (part t) = copies%:R * \sum_(t <- iota 0 p) f t.
Hypothesis rE : r = (copies * p)%N.
Hypothesis own_part : copies = 1%N -> forall t, (t < r)%N -> part t = t.
Hypothesis apart : single -> forall j, (count (fun t => j \in Ts t) (iota 0 p) <= 1)%N.
Hypothesis off : forall t i, (t < r)%N -> i \notin Ts (part t) -> x t i = 0.
Hypothesis positive : forall t, (t < r)%N -> 0 < square (iota 0 n) (x t).
Hypothesis orthogonal : forall s t, (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- iota 0 n) x s i * x t i = 0.

Hypothesis all_in_one : copies != 1%N -> p = 1%N.
Notation value_of t := (form (fun i j => value R (entry S i j)) (iota 0 n) (x t) / square (iota 0 n) (x t)).

Variables (ws : seq (seq Z)) (known : seq (seq nat * Z)).
Notation tables := (map (rows_of (alone n) S) ws).
Hypothesis known_bounds : forall ts u, uniq ts -> {subset ts <= iota 0 r} -> is_known known (map (fun t => k (part t)) ts) u ->
  \sum_(t <- ts) value_of t <= value R u.

Notation node sides := (forall t, (t < p)%N -> support_of (k t) (forced sides t) (free sides t) (Ts t) /\
  {subset forced sides t ++ free sides t <= iota 0 n}).
Notation bounded := (\sum_(t < r) value_of t <= value R U).

Lemma settled_node t J F : support_of (k t) J F (Ts t) -> {subset J ++ F <= iota 0 n} ->
  support_of (k t) (settled (k t) J F).1 (settled (k t) J F).2 (Ts t) /\
  {subset (settled (k t) J F).1 ++ (settled (k t) J F).2 <= iota 0 n}.
Proof.
move=> node inI; rewrite /settled eqbE; case: eqP => [full|_] /=.
  by split; [exact: (support_full node full) | move=> i iJ; apply: inI; rewrite mem_cat -(cats0 J) iJ].
rewrite eqbE; case: eqP => [full|_] //=; rewrite cats0; split=> //; case: node => uJF uT sT JT TJF.
split; rewrite ?cats0 //; have sizes : size (Ts t) = size (J ++ F) by rewrite size_cat sT -full.
by move=> i; rewrite (uniq_min_size uT TJF _).2 // sizes.
Qed.

Lemma table_leaf_bounds lost sides leaf : (forall t, (t < p)%N -> if lost t is Some gone then has (member_of gone) (Ts t) else true) ->
  node sides -> check_table_leaf S n p copies single k U lost sides leaf -> bounded.
Proof.
move=> loses nodes; rewrite /check_table_leaf; case: ifP => [/hasP[t]|_].
  rewrite mem_iota => tp; have [nodet _] := nodes t tp; have /andP[few many] := support_sizes nodet.
  by case/orP=> /PeanoNat.Nat.ltb_lt/ssrnat.ltP; rewrite ltnNge ?plusE ?few ?many.
set settled_sides := map _ _; have nodes' : node settled_sides.
  move=> t tp; have [nodet inI] := nodes t tp.
  by rewrite /forced /free (nth_map 0%N) ?size_iota // nth_iota //; apply: settled_node.
case: leaf => [/orP[few|/andP[is_single /hasP[j _ /PeanoNat.Nat.ltb_lt/ssrnat.ltP]]]|own M y shift best how threshold g L|q m g e /andP[]].
- have := enough_variables part_lt (fun t tp => (nodes' t tp).1) (fun t tp => (nodes' t tp).2) off positive orthogonal.
  by move/PeanoNat.Nat.ltb_lt/ssrnat.ltP: few; rewrite rE ltnNge multE => /negPf ->.
- rewrite count_must ltnNge => /negP[]; apply: leq_trans (apart is_single j).
  by apply: sub_count_in => t; rewrite mem_iota => tp; have [nodet _] := nodes' t tp; apply: (forced_in nodet).
- set V := present _ _ _ _; set near := filter _ V => check; have /and5P[/andP[symN /(value_ge0 R) shift0] semi _ _ /andP[/allP shown _]] := check.
  apply: (prices_bound symS part_lt shared _ _ apart off positive orthogonal _ _ _ _ _ _ semi loses _ check rE) => //.
  + by move=> t /nodes'[].
  + by move=> t /nodes'[].
  + by move=> i j; rewrite mixedE; case: ifP.
  + by rewrite !filter_uniq ?iota_uniq.
  + by move=> i; rewrite mem_filter => /andP[].
  + by move=> i j _ _ /negPf out; rewrite mixedE out.
  + by move=> i j /(allP symN)/allP sym_i /sym_i/Z.eqb_eq.
  by move=> t tp; apply: shown; rewrite mem_iota.
move=> /PeanoNat.Nat.eqb_eq one check; have pE : p = r by rewrite rE one mul1n.
have r_p t : (t < r)%N -> (t < p)%N by rewrite pE.
have off_r t i : (t < r)%N -> i \notin Ts t -> x t i = 0 by move=> tr out; apply: off; rewrite ?own_part.
have apart_r := apart; rewrite pE in check apart_r.
have /and5P[_ points_ok _ _ _] := check.
by apply: (choices_bound symS _ _ apart_r off_r positive orthogonal points_ok check) => t /r_p/nodes'[].
Qed.

(* Of a part that has lost variables rows say enough, and of the others what is known. *)
Lemma apart_bounds sides q which level groups kept : node sides -> (q < p)%N ->
  has (member_of (lost_of kept (free sides q))) (Ts q) ->
  check_lost S n p copies single k U tables known sides q kept (Apart which level groups) -> bounded.
Proof.
move=> nodes qp /hasP[i iT lost] /and4P[rows perm all_known /(value_le R)].
rewrite valueD valueM value_nat value_total; apply: le_trans.
have [nodeq within] := nodes q qp; have uT := support_uniq nodeq; have sT := support_size nodeq.
have TI : {subset Ts q <= iota 0 n} by move=> a /(drawn_from nodeq)/within.
have [uQ allQ countQ] := one_part uT TI sT; have nodeT : holds (forced sides q) (free sides q) (Ts q) by rewrite /holds sT.
have of_q t : (t < r)%N -> part t = q -> value_of t <= value R level.
  move=> tr tq; have zero a : a \notin Ts q -> x t a = 0 by rewrite -tq; apply: off.
  rewrite ler_pdivr_mulr ?positive // (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //.
  move: lost; rewrite /lost_of member_set mem_filter member_set => /andP[out iF].
  apply: (lost_bound (class := id) (x t) nodeT _ within _ (tables_ok (alone n) S ws which) _ rows iT iF out) => //.
    by move=> a b /within aI /within; apply: symS.
  by apply: (family_of_node nodeT uQ _ countQ) => a aF; apply: allQ; apply: within; rewrite mem_cat aF orbT.
set others := without q (iota 0 p) in perm.
have in_others t : (t \in others) = (t != q) && (t < p)%N by rewrite mem_without mem_iota.
apply: le_trans (_ : copies%:R * value R level + \sum_(t <- others) value_of t <= _).
  have [one|many] := eqVneq copies 1%N; last first.
    have p1 := all_in_one many; have -> : others = [::] by rewrite /others p1; move: qp; rewrite p1; case: (q).
    rewrite big_nil addr0 mulr_natl -(card_ord copies) -sumr_const -[copies]muln1 -p1 -rE; apply: ler_sum => t _.
    by apply: of_q => //; have := part_lt (ltn_ord t); rewrite p1; move: qp; rewrite p1; case: (q) (part t) => [|?] [|?].
  have pr : p = r by rewrite rE one mul1n.
  rewrite one mul1r -(sum_iota r (fun t => value_of t)) -pr (bigD1_seq q) ?iota_uniq ?mem_iota //= ler_add //.
    by apply: of_q; rewrite -?pr // own_part // -pr.
  rewrite -big_filter le_eqVlt; apply/orP; left; apply/eqP; apply: perm_big.
  by apply: uniq_perm; rewrite ?filter_uniq ?iota_uniq // => t; rewrite in_others mem_filter mem_iota.
rewrite ler_add2l -(perm_big _ perm) big_flatten big_map big_seq [X in _ <= X]big_seq; apply: ler_sum => g g_in.
have in_flat t : t \in g.1 -> t \in flatten (map fst groups) by move=> tg; apply/flattenP; exists g.1 => //; apply: map_f.
have pr : {subset others <= iota 0 r}.
  move=> t; rewrite in_others mem_iota /= => /andP[tq tp]; have [one|/all_in_one p1] := eqVneq copies 1%N; first by rewrite rE one mul1n.
  by move: tq tp qp; rewrite p1; case: (t) (q) => [|?] [|?].
have own t : t \in g.1 -> part t = t.
  move=> /in_flat; rewrite (perm_mem perm) => t_in; have := pr t t_in; rewrite mem_iota => /own_part; apply.
  apply/eqP/negPn/negP => /all_in_one p1; move: t_in qp; rewrite in_others p1; by case: (t) (q) => [|?] [|?].
apply: known_bounds.
- apply: (part_uniq (quota := map (fun g => (g.1, 0%N)) groups) (b := (g.1, 0%N))); last exact: (map_f (fun g => (g.1, 0%N))).
  by rewrite -map_comp (perm_uniq perm) filter_uniq ?iota_uniq.
- by move=> t /in_flat; rewrite (perm_mem perm); apply: pr.
by rewrite (eq_in_map _ k g.1).1 => [|t /own ->] //; apply: (allP all_known).
Qed.

Lemma table_tree_bounds tree sides : node sides -> check_table_tree S n p copies single k U tables known sides tree -> bounded.
Proof.
elim: tree sides => [leaf|q v inside IHin outside IHout|q kept leaf child IH] sides nodes; first exact: table_leaf_bounds.
all: set J := forced sides q; set F := free sides q.
all: have changed J' F' : (q < p)%N -> support_of (k q) J' F' (Ts q) -> {subset J' ++ F' <= J ++ F} -> node (changed sides q J' F').
1,3: move=> qp node' sub t tp; rewrite /forced /free nth_set_nth /=; case: eqP => [->|_]; last exact: nodes.
1,2: by split=> // i /sub; case: (nodes q qp) => _; apply.
  case/and4P=> /PeanoNat.Nat.ltb_lt/ssrnat.ltP qp; rewrite has_eqb => vF in_ok out_ok.
  have [in_v|out_v] := splits (nodes q qp).1 vF; [apply: IHin in_ok|apply: IHout out_ok]; apply: changed => // i.
    by rewrite !mem_cat inE mem_without => /orP[/orP[/eqP ->|->]|/andP[_ ->]] //; rewrite ?vF orbT.
  by rewrite !mem_cat mem_without => /orP[->|/andP[_ ->]] //; rewrite orbT.
case/and3P=> /PeanoNat.Nat.ltb_lt/ssrnat.ltP qp lost_ok child_ok.
have [meet|none] := boolP (has (member_of (lost_of kept F)) (Ts q)).
  case: leaf lost_ok => [leaf lost_ok|which level groups]; last exact: apart_bounds.
  by apply: table_leaf_bounds nodes lost_ok => t tp; rewrite eqbE; case: eqP => [->|].
apply: IH child_ok; apply: changed => // [|i]; last by rewrite !mem_cat mem_filter => /orP[->|/andP[_ ->]]; rewrite ?orbT.
have [nodeq _] := nodes q qp; move: nodeq (support_size nodeq) => + sT; rewrite -sT => /fewer_free; apply=> i iT iF.
by have := hasPn none i iT; rewrite /lost_of member_set mem_filter iF andbT negbK.
Qed.

End Tree.

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
