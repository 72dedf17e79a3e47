(* A tree that bounds what several components explain together. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Components Multipliers Peaks Choices Beginnings.

Inductive table_leaf :=
  | NoTable   (* sizes do not fit, fewer variables than components, or one would be in two disjoint supports *)
  | Prices (own : seq nat) (M : seq (seq Z)) (y : seq Z) (shift : Z) (best : seq Z) (how : seq part_proof)
      (threshold : Z) (why : root)
  | Choices (points : seq table_point) (group : seq nat) (evidence : seq (seq (seq (Z * seq Z)))).

(* What bounds the tables of which a part has a variable that is not kept: a leaf, or rows with weights for that part
   alone and, for groups of the other components, what is known of components of these sizes. *)
Inductive lost_proof :=
  | Together of table_leaf
  | Apart (point : nat) (level : Z) (groups : seq (seq nat * Z)).

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
Definition settled (smaller : bool) (k : nat) (J F : seq nat) : side :=
  if (k <= size J)%N then (J, [::])
  else if ~~ smaller && (size J + size F <= k)%N then (J ++ F, [::]) else (J, F).

Section Program.

Variables (S : seq (seq Z)) (n r : nat) (kind : table_kind) (smaller : bool) (k : nat -> nat) (U : Z).
Variables (tables : seq (seq row)) (known : seq (seq nat * Z)).
Notation p := (parts_of kind r).

Definition changed (sides : seq side) (part : nat) (J F : seq nat) : seq side := set_nth ([::], [::]) sides part (J, F).

(* Where a part of which the same is said has the variable, an exchange of the two gives it to this one. *)
Definition none_has (v part : nat) (sides : seq side) : seq side :=
  let J := forced sides in
  let F := free sides in
  map (fun t => (J t, if alike k J F t part then without v (F t) else F t)) (iota 0 p).

Definition check_table_leaf (lost : nat -> option Z) (sides : seq side) (leaf : table_leaf) : bool :=
  let sides := map (fun t => settled smaller (k t) (forced sides t) (free sides t)) (iota 0 p) in
  let J := forced sides in
  let F := free sides in
  match leaf with
  | NoTable =>
      let least t := least_size smaller (k t) in
      [|| has (fun t => (k t < size (J t))%N || (size (J t) + size (F t) < least t)%N) (iota 0 p),
        (size (present n p J F) < r)%N | is_disjoint kind && has (fun j => (1 < must p J j)%N) (iota 0 n)]
  | Prices own M y shift best how threshold why =>
      let near := filter (inside own) (present n p J F) in
      check_prices S n r kind smaller k J F U lost near (mixed n near S M) y shift best how threshold why
  | Choices points group evidence =>
      ~~ is_common kind && check_choices S n r (is_disjoint kind) k J F U points group evidence
  end.

Definition check_lost (sides : seq side) (part : nat) (kept : seq nat) (proof : lost_proof) : bool :=
  let J := forced sides part in
  let F := free sides part in
  match proof with
  | Together leaf => check_table_leaf (fun t => if eqn t part then Some (lost_of kept F) else None) sides leaf
  | Apart which level groups =>
      [&& all (fun m => loses_none [:: (iota 0 n, m)] level (nth [::] tables) J F which kept) (sizes_of smaller (k part)),
          perm_eq (flatten (map fst groups)) (without part (iota 0 p)),
          all (fun g => is_known known (map k g.1) g.2) groups &
          Z.leb (Z.add (Z.mul (Z.of_nat (copies_of kind r)) level) (foldr (fun g s => Z.add g.2 s) Z0 groups)) U]
  end.

Fixpoint check_table_tree (sides : seq side) (t : table_tree) : bool :=
  match t with
  | TableLeaf leaf => check_table_leaf (fun=> None) sides leaf
  | TableSplit part v inside outside =>
      let F := free sides part in
      [&& (part < p)%N, has (eqn v) F,
          check_table_tree (changed sides part (v :: forced sides part) (without v F)) inside &
          check_table_tree (none_has v part sides) outside]
  | TableKeep part kept leaf child =>
      let F := free sides part in
      [&& (part < p)%N, check_lost sides part kept leaf &
          check_table_tree (changed sides part (forced sides part) (filter (member_of (set_of kept)) F)) child]
  end.

End Program.

Section Tree.

Variables (R : realFieldType) (S : seq (seq Z)) (n r : nat) (kind : table_kind) (smaller : bool) (k : nat -> nat) (U : Z).
Variables (ws : seq point) (known : seq (seq nat * Z)).
Notation I := (iota 0 n).
Notation p := (parts_of kind r).
Notation part := (part_of kind).
Notation tables := (map (rows_of Z.abs (alone n) S [::]) ws).
Hypothesis symS : {in I &, forall i j, entry S i j = entry S j i}.

(* Tables and their supports, of which those of the node are bounded. *)
Notation value_of x t := (form (fun i j => value R (entry S i j)) (iota 0 n) (x t) / square (iota 0 n) (x t)).
Notation bounded x := (\sum_(t < r) value_of x t <= value R U).
Notation node Ts sides := (forall t, (t < p)%N -> holds (forced sides t) (free sides t) (Ts t) /\
  {subset forced sides t ++ free sides t <= iota 0 n}).
Definition follows (x : nat -> nat -> R) : Prop := forall ts u, uniq ts -> {subset ts <= iota 0 r} ->
  is_known known (map (fun t => k (part t)) ts) u -> \sum_(t <- ts) value_of x t <= value R u.

Section Table.

Variables (Ts : nat -> seq nat) (x : nat -> nat -> R).
Hypothesis table : leaf_table n r kind smaller k Ts x.
Hypothesis known_bounds : follows x.

Lemma settled_node t J F (side := settled smaller (k t) J F) : (t < p)%N -> holds J F (Ts t) -> {subset J ++ F <= I} ->
  holds side.1 side.2 (Ts t) /\ {subset side.1 ++ side.2 <= I}.
Proof.
move=> tp node inI; have := sizesP (sized table tp); rewrite {}/side /settled /least_size => /andP[least most].
case: leqP => [full|_] /=.
  split=> [|i]; last by rewrite cats0 => iJ; apply: inI; rewrite mem_cat iJ.
  by apply: (support_full node); apply: leq_trans full.
case: smaller least => //= least; case: leqP => [full|_] //=; rewrite cats0; split=> //.
case: node => uJF uT JT TJF; split; rewrite ?cats0 // => i; rewrite (uniq_min_size uT TJF _).2 //.
by rewrite size_cat (leq_trans full).
Qed.

Lemma table_leaf_bounds lost sides leaf :
  (forall t, (t < p)%N -> if lost t is Some gone then has (member_of gone) (Ts t) else true) -> node Ts sides ->
  check_table_leaf S n r kind smaller k U lost sides leaf -> bounded x.
Proof.
move=> loses nodes; rewrite /check_table_leaf; set sides' := map _ _; have nodes' : node Ts sides'.
  move=> t tp; have [nodet inI] := nodes t tp.
  by rewrite /forced /free (nth_map 0%N) ?size_iota // nth_iota //; apply: settled_node.
have node t (tp : (t < p)%N) := (nodes' t tp).1; have within t (tp : (t < p)%N) := (nodes' t tp).2.
case: leaf => [/or3P[/hasP[t]|few|/andP[is_single /hasP[j _]]]|own M y shift best how threshold why|q g e /andP[/negbTE own]].
- rewrite mem_iota => tp; have /andP[few many] := support_sizes (node t tp).
  have /andP[least most] := sizesP (sized table tp).
  by case/orP; rewrite ltnNge ?(leq_trans few) // (leq_trans least).
- have uV : uniq (present n p (forced sides') (free sides')) by rewrite filter_uniq ?iota_uniq.
  have := enough_variables uV _ _ (positive table) (orthogonal table); rewrite leqNgt few => absurd.
  suff : false by []; apply: absurd => [j /in_V //|t j tr out]; apply: (off table tr).
  by apply: contra out; apply: (Ts_present node within) (part_lt kind tr) _.
- rewrite count_must ltnNge => /negP[]; apply: leq_trans (apart table is_single j).
  by apply: sub_count_in => t; rewrite mem_iota => tp; apply: (forced_in (node t tp)).
- by move=> ok; apply: (prices_bound symS table node within ok loses).
move=> check; have pr : p = r by rewrite /parts_of own.
have /and5P[_ points_ok _ _ _] := check.
by apply: (choices_bound symS own table _ _ points_ok check) => t tr; [apply: node | apply: within]; rewrite pr.
Qed.

(* Of a part that has lost variables rows say enough, and of the others what is known. *)
Lemma apart_bounds sides q which level groups kept : node Ts sides -> (q < p)%N ->
  has (member_of (lost_of kept (free sides q))) (Ts q) ->
  check_lost S n r kind smaller k U tables known sides q kept (Apart which level groups) -> bounded x.
Proof.
move=> nodes qp /hasP[i iT lost] /and4P[/allP/(_ _ (sized table qp)) rows perm all_known /(value_le R)].
rewrite valueD valueM value_nat value_total; apply: le_trans.
have [nodeq within] := nodes q qp; have uT := support_uniq nodeq.
have TI : {subset Ts q <= I} by move=> a /(drawn_from nodeq)/within.
have [uQ allQ countQ] := one_part uT TI (erefl _).
have of_q t : (t < r)%N -> part t = q -> value_of x t <= value R level.
  move=> tr tq; have zero a : a \notin Ts q -> x t a = 0 by rewrite -tq; apply: (off table).
  rewrite ler_pdivr_mulr ?(positive table) // (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //.
  move: lost; rewrite /lost_of member_set mem_filter member_set => /andP[out iF].
  by apply: (lost_bounds (pays_for_nth R n id S [::] Z.abs ws) uQ allQ countQ _ _ symS nodeq within rows iT iF out) => // *; apply: abs_counts.
set others := without q (iota 0 p) in perm.
have in_others t : (t \in others) = (t != q) && (t < p)%N by rewrite mem_without mem_iota.
have other t : t \in others -> (t < r)%N /\ part t = t.
  by rewrite in_others; move: qp; rewrite /parts_of /part_of; case: is_common => [|_ /andP[]//]; case: (t) (q) => [|?] [].
apply: le_trans (_ : (copies_of kind r)%:R * value R level + \sum_(t <- others) value_of x t <= _).
  move: qp of_q in_others; rewrite /others /parts_of /part_of /copies_of; case: is_common => qp of_q in_others.
    rewrite [without _ _](_ : _ = [::]); last by case: (q) qp => [|[]].
    rewrite big_nil addr0 -sum_const; apply: ler_sum => t _; apply: of_q => //; by case: (q) qp => [|[]].
  rewrite mul1r -(sum_iota r (fun t => value_of x t)) (bigD1_seq q) ?iota_uniq ?mem_iota //= ler_add ?of_q //.
  rewrite -big_filter; apply: eqW; apply: perm_big.
  by apply: uniq_perm; rewrite ?filter_uniq ?iota_uniq // => t; rewrite in_others mem_filter mem_iota.
rewrite ler_add2l -(perm_big _ perm) big_flatten big_map; apply: sum_le => g g_in.
have in_flat t : t \in g.1 -> t \in others.
  by move=> tg; rewrite -(perm_mem perm); apply/flattenP; exists g.1 => //; apply: map_f.
apply: known_bounds.
- apply: (part_uniq (quota := map (fun g => (g.1, 0%N)) groups) (b := (g.1, 0%N))); last exact: (map_f (fun g => (g.1, 0%N))).
  by rewrite -map_comp (perm_uniq perm) filter_uniq ?iota_uniq.
- by move=> t /in_flat/other[tr _]; rewrite mem_iota.
by rewrite (eq_in_map _ k g.1).1 => [|t /in_flat/other[_ ->]] //; apply: (allP all_known).
Qed.

End Table.

(* Two components of one size are exchanged. *)
Lemma exchanged s q Ts x (f := fun t => if t == s then q else if t == q then s else t) :
  is_common kind = false -> (s < p)%N -> (q < p)%N -> k s = k q -> leaf_table n r kind smaller k Ts x -> follows x ->
  [/\ leaf_table n r kind smaller k (Ts \o f) (x \o f), follows (x \o f) & bounded (x \o f) -> bounded x].
Proof.
move=> own; have pE : p = r by rewrite /parts_of own.
rewrite pE => sr qr ks [sized apart off positive orthogonal] follows; have fK : involutive f.
  move=> t; rewrite /f; have [->|ts] := eqVneq t s; first by rewrite eqxx; case: eqP.
  by have [->|tq] := eqVneq t q; rewrite ?eqxx ?(negPf ts) ?(negPf tq).
have inj := inv_inj fK; have lt t : (t < r)%N -> (f t < r)%N by rewrite /f; do 2?case: eqP.
have kE t : k (f t) = k t by rewrite /f; do 2?case: eqP => [->|].
have perm : perm_eq (map f (iota 0 r)) (iota 0 r).
  apply: uniq_perm; rewrite ?(map_inj_uniq inj) ?iota_uniq // => t; rewrite -{1}[t]fK (mem_map inj) !mem_iota /=.
  by apply/idP/idP => /lt; rewrite ?fK.
have partE t : part t = t by rewrite /part_of own.
split.
- split=> [t|is_single j|t i /lt tr|t /lt/positive //|t u /lt tr /lt ur tu]; rewrite ?pE ?partE /=.
  + by rewrite -kE => /lt tr; apply: sized; rewrite pE.
  + by rewrite -(count_map f (fun t => j \in Ts t)) (seq.permP perm) -[r]pE; apply: apart.
  + by rewrite -{1}(partE (f t)); apply: off.
  + by apply: orthogonal; rewrite ?(inj_eq inj).
- move=> ts u uts sub is_k; rewrite -(big_map f xpredT (fun t => value_of x t)); apply: follows.
  + by rewrite map_inj_uniq.
  + by move=> _ /mapP[t /sub + ->]; rewrite !mem_iota => /lt.
  + by rewrite -map_comp (eq_map (_ : _ =1 fun t => k (part t))) // => t /=; rewrite !partE.
by rewrite -!(sum_iota r (fun t => value_of _ t)) -(big_map f xpredT (fun t => value_of x t)) (perm_big _ perm).
Qed.

(* Equal lists in another order. *)
Lemma equal_holds J F J' F' T T' : J =i J' -> F =i F' -> holds J F T -> holds J' F' T' -> holds J' F' T.
Proof.
move=> JE FE [_ uT JT TJF] [uJF _ _ _]; split=> // i; first by rewrite -JE; apply: JT.
by rewrite mem_cat -JE -FE -mem_cat; apply: TJF.
Qed.

Lemma table_tree_bounds tree Ts x sides : leaf_table n r kind smaller k Ts x -> follows x -> node Ts sides ->
  check_table_tree S n r kind smaller k U tables known sides tree -> bounded x.
Proof.
elim: tree Ts x sides => [leaf|q v inside IHin outside IHout|q kept leaf child IH] Ts x sides table known_bounds nodes.
- exact: (table_leaf_bounds table).
all: set J := forced sides; set F := free sides.
all: have changed Ts' J' F' : node Ts' sides -> holds J' F' (Ts' q) -> {subset J' ++ F' <= J q ++ F q} -> (q < p)%N ->
  node Ts' (changed sides q J' F').
1,3: move=> nodes' node' sub qp t tp; rewrite /forced /free nth_set_nth /=; case: eqP => [->|_]; last exact: nodes'.
1,2: by split=> // i /sub; case: (nodes q qp) => _; apply.
  case/and4P=> qp; rewrite has_eqb => vF in_ok out_ok.
  have [/hasP[s sp /andP[like vT]]|/hasPn none] := boolP (has (fun s => alike k J F s q && (v \in Ts s)) (iota 0 p)).
    have has_v Ts' x' : leaf_table n r kind smaller k Ts' x' -> follows x' -> node Ts' sides -> v \in Ts' q ->
        bounded x'.
      move=> table' follows' nodes' vq; apply: (IHin Ts' x') in_ok => //; apply: changed => //; last exact: more_in.
      by have := splits (nodes' q qp).1 vF; rewrite vq.
    rewrite mem_iota in sp; case/and3P: like; rewrite eqnE => /eqP kE /same_setE JE /same_setE FE.
    case own: (is_common kind).
      by apply: (has_v Ts x) => //; move: sp qp vT; rewrite /parts_of own; case: (s) (q) => [|?] [].
    have [table' follows' bound] := exchanged own sp qp kE table known_bounds; apply: bound.
    apply: (has_v _ _ table' follows') => [t tp|] /=; last by rewrite eqxx; case: eqP => // ->.
    have [[node_s node_q] [node_t within]] := ((nodes s sp).1, (nodes q qp).1, nodes t tp); split=> //.
    case: eqP => [->|_]; first exact: (equal_holds (fsym JE) (fsym FE) node_q node_s).
    by case: eqP => [->|_] //; apply: (equal_holds JE FE node_s node_q).
  apply: (IHout Ts x) out_ok => // t tp; rewrite /forced /free !(nth_map 0%N) ?size_iota // nth_iota //=.
  have [nodet within] := nodes t tp; case: ifP => // like; split; last by move=> i /fewer_in/within.
  apply: (fewer_free nodet) => i iT _; rewrite eqnE; apply: contraTneq iT => <-.
  by have := none t; rewrite mem_iota like => ->.
case/and3P=> qp lost_ok child_ok; have [meet|none] := boolP (has (member_of (lost_of kept (F q))) (Ts q)).
  case: leaf lost_ok => [leaf lost_ok|which level groups]; last exact: (apart_bounds table known_bounds nodes qp meet).
  by apply: (table_leaf_bounds table _ nodes lost_ok) => t tp; rewrite eqnE; case: eqP => [->|].
apply: (IH Ts x) child_ok => //; apply: changed => //; last exact: fewer_in.
apply: (fewer_free (nodes q qp).1) => i iT iF.
by have := hasPn none i iT; rewrite /lost_of member_set mem_filter iF andbT negbK.
Qed.

End Tree.
