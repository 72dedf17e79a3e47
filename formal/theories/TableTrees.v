(* A tree that bounds what several components explain together. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Cardinalities Multipliers Peaks Choices Beginnings.

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
      check_prices S n p copies is_disjoint k (forced sides) (free sides) U lost near M (mixed near S M) y shift best how threshold g L
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
- set V := present _ _ _ _; set near := filter _ V => check; have nearE : ascending n near = near.
    by rewrite /near /V /present -filter_predI ascendingK.
  have /and5P[/andP[symN /(value_ge0 R) shift0] semi _ _ /andP[/allP shown _]] := check.
  rewrite !amongE combined_block nearE in semi; rewrite amongE nearE in symN.
  have ME : {in near &, mixed near S M =2 entry M} by move=> i j il jl; rewrite mixedE il jl.
  have {}semi : semidefinite g L near (fun=> shift) (block near (rest_of S (mixed near S M))).
    by move: semi; congr semidefinite; apply/eq_in_map => i il; apply/eq_in_map => j jl; rewrite /rest_of ME.
  apply: (prices_bound symS part_lt shared _ _ apart off positive orthogonal _ _ _ _ _ semi ME loses _ check rE) => //.
  + by move=> t /nodes'[].
  + by move=> t /nodes'[].
  + by rewrite !filter_uniq ?iota_uniq.
  + by move=> i; rewrite mem_filter => /andP[].
  + by move=> i j _ _ /negPf out; rewrite mixedE out.
  + by move=> i j il jl; rewrite !ME // (symmetric_block symN).
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
