(* A leaf of a claim about several components whose tables are divided into cases. A case has groups of components, each
   with its support in the family of the group. A price matrix drops supports with which every table explains too little;
   then the tables are told apart by how many components of a group have a support among some of its family. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Cardinalities Leaves Elimination Prices Peaks Choices.

Local Open Scope ring_scope.

(* A number of components, and the supports that they may have. *)
Definition family : Type := nat * seq (seq nat).

Inductive case :=
  | Empty                                                                 (* some components have no support left *)
  | Drop (point : nat) (tops : seq Z) (next : case)                       (* tops bound what is left of each family *)
  | Divide (group : nat) (named : seq (seq nat)) (next : seq case).       (* none, one, two, ... have one that is named *)

Section Program.

Variables (Sigma : seq (seq Z)) (n r : nat) (k : nat -> nat) (J F : nat -> seq nat) (U : Z) (points : seq table_point).

(* What variables cost at most at a point. *)
Definition everything (q : nat) : Z :=
  Z.sub (total (fun j => Z.max (cost Sigma points q j) Z0) (present n r J F)) (shifts r points q).

(* What all tables of a case explain at most, and what a support comes to with which they explain U. *)
Definition total_of (q : nat) (groups : seq (family * Z)) : Z :=
  Z.add (everything q) (foldr (fun p s => Z.add (Z.mul (Z.of_nat p.1.1) p.2) s) Z0 groups).

Definition limit (all top : Z) : Z := Z.min top (Z.add (Z.sub U all) top).

Definition stays (M : seq (seq Z)) (all : Z) (p : family * Z) : family :=
  let d := limit all p.2 in (p.1.1, filter (fun T => negb (below M d T)) p.1.2).

Fixpoint check_case (groups : seq family) (c : case) : bool :=
  match c with
  | Empty => has (fun g => Nat.ltb 0 g.1 && nilp g.2) groups
  | Drop q tops next =>
      let M := (point_at points q).1.1.1 in
      let given := zip groups tops in
      let left := map (stays M (total_of q given)) given in
      [&& Nat.ltb q (size points), Nat.eqb (size tops) (size groups),
          all (fun p => all (below M p.2) p.1.2) (zip left tops) & check_case left next]
  | Divide g named next =>
      match rot g groups with
      | [::] => false
      | (m, own) :: others =>
          let is_named T := has (same T) named in
          let with_them := filter is_named own in
          let without := filter (predC is_named) own in
          Nat.eqb (size next) (S m) &&
          (fix each (i : nat) (next : seq case) : bool :=
            match next with
            | [::] => true
            | c :: next' =>
                check_case (filter (fun g => Nat.ltb 0 g.1) ((i, with_them) :: (Nat.sub m i, without) :: others)) c &&
                each (S i) next'
            end) 0%N next
      end
  end.

Definition supports (t : nat) : seq (seq nat) := map (cat (J t)) (choices (Nat.sub (k t) (size (J t))) (F t)).

(* Components of a group may exchange their supports; each is in one group. *)
Definition check_cases (groups : seq (seq nat)) (c : case) : bool :=
  [&& all (check_point Sigma n r J F) points, same (iota 0 r) (flatten groups),
      all (fun l => all (fun t => alike k J F t (head 0%N l)) l) groups &
      check_case (map (fun l => (size l, supports (head 0%N l))) groups) c].

End Program.

Lemma limit_le U all top : Z.leb (limit U all top) top /\ Z.leb (limit U all top) (Z.add (Z.sub U all) top).
Proof. by split; apply/Z.leb_le; [apply: Z.le_min_l | apply: Z.le_min_r]. Qed.

Section Bound.

Variables (R : realFieldType) (Sigma : seq (seq Z)) (n r : nat) (k : nat -> nat) (J F : nat -> seq nat).
Variables (U : Z) (Ts : nat -> seq nat) (x : nat -> nat -> R).
Notation val := (@value R).
Notation I := (iota 0 n).
Hypothesis symS : {in I &, forall i j, entry Sigma i j = entry Sigma j i}.
Hypothesis node : forall t, (t < r)%N -> support_of (k t) (J t) (F t) (Ts t).
Hypothesis within : forall t, (t < r)%N -> {subset J t ++ F t <= I}.
Hypothesis off : forall t i, (t < r)%N -> i \notin Ts t -> x t i = 0.
Hypothesis positive : forall t, (t < r)%N -> 0 < square I (x t).
Hypothesis orthogonal : forall s t, (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- I) x s i * x t i = 0.

Variable points : seq table_point.
Hypothesis points_ok : all (check_point Sigma n r J F) points.
Notation bounded := (\sum_(t < r) form (fun i j => val (entry Sigma i j)) I (x t) / square I (x t) <= val U).
Notation matrix q := (point_at points q).1.1.1.

Let f q t := form (fun i j => val (entry (matrix q) i j)) I (x t) / square I (x t).

Lemma rest_paid q : (q < size points)%N ->
  \sum_(t < r) form (fun i j => val (entry Sigma i j) - val (entry (matrix q) i j)) I (x t) / square I (x t) <=
  val (everything Sigma n r J F points q).
Proof.
move=> qp; have [symM [g [L semi]]] := point_ok points_ok qp.
have := left_paid (part := id) symS (fun t tr => tr) node within off positive orthogonal symM semi.
move/le_trans; apply; rewrite /everything /shifts valueB value_total valueM value_nat ler_add2r.
rewrite big_filter big_mkcond; apply: ler_sum => j _; rewrite value_max /cost /rest_of.
by rewrite valueD valueB le_maxr; case: ifP; rewrite ?lexx ?orbT.
Qed.

Lemma all_paid q : (q < size points)%N ->
  \sum_(t < r) form (fun i j => val (entry Sigma i j)) I (x t) / square I (x t) <=
  \sum_(t < r) f q t + val (everything Sigma n r J F points q).
Proof.
move=> /rest_paid; rewrite -(ler_add2l (\sum_(t < r) f q t)); congr (_ <= _); rewrite -big_split.
apply: eq_bigr => t _ /=; rewrite -mulrDl -formD; congr (_ / _).
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite addrC subrK.
Qed.

Lemma below_bounds q d t T : (q < size points)%N -> (t < r)%N -> perm_eq T (Ts t) -> below (matrix q) d T -> f q t <= val d.
Proof.
move=> qp tr perm ok; have uT : uniq T by rewrite (perm_uniq perm) (support_uniq (node tr)).
have drawn i : i \in T -> i \in J t ++ F t by rewrite (perm_mem perm); apply: (drawn_from (node tr)).
have zero i : i \notin T -> x t i = 0 by rewrite (perm_mem perm); apply: off.
have sub : {subset T <= I} by move=> i /drawn/(within tr).
rewrite /f ler_pdivr_mulr ?positive // (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //.
apply: (@definite_block R T d (entry (matrix q)) (x t) uT _ ok) => i j /drawn iT /drawn jT.
by apply: (point_ok points_ok qp).1; apply: (drawn_present within tr).
Qed.

(* A component with its support. The members of the groups of a case are all components. *)
Notation member := (nat * seq nat)%type.
Notation state := (seq (seq member * family)).
Implicit Type s : state.

Definition all_members s : seq member := flatten (map fst s).

Definition is_state s : Prop :=
  [/\ perm_eq (map fst (all_members s)) (iota 0 r), {in all_members s, forall c, perm_eq c.2 (Ts c.1)} &
      {in s, forall p, size p.1 = p.2.1 /\ {in p.1, forall c, c.2 \in p.2.2}}].

Lemma in_members s p c : p \in s -> c \in p.1 -> c \in all_members s.
Proof. by move=> ps cp; apply/flattenP; exists p.1 => //; apply: map_f. Qed.

(* One term is smaller by e. *)
Lemma sum_less (A : eqType) (a b : A -> R) l y e : y \in l -> {in l, forall z, a z <= b z} -> a y <= b y - e ->
  \sum_(z <- l) a z <= \sum_(z <- l) b z - e.
Proof.
move=> yl le_ab le_y; rewrite !(perm_big _ (perm_to_rem yl)) !big_cons /= addrAC ler_add //.
by rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => z /mem_rem/le_ab.
Qed.

Lemma all_members_sum (h : nat -> R) s : perm_eq (map fst (all_members s)) (iota 0 r) ->
  \sum_(c <- all_members s) h c.1 = \sum_(t < r) h t.
Proof. by move=> perm; rewrite -(sum_iota r h) -(perm_big _ perm) big_map. Qed.

Notation checked groups c := (check_case Sigma n r J F U points groups c).

Lemma empty_bounds s : is_state s -> checked (map snd s) Empty -> bounded.
Proof.
case=> _ _ each; rewrite /= has_map => /hasP[p ps /= /andP[]]; have [sizes inD] := each p ps.
rewrite ltbE -sizes => some /nilP none; case: (p.1) some inD => // c l _ /(_ c (mem_head _ _)).
by rewrite none.
Qed.

Lemma less_is_enough (all_tops top d rest u : R) : d <= u - (rest + all_tops) + top -> all_tops - (top - d) + rest <= u.
Proof. by rewrite -[d <= _]subr_ge0 -[_ <= u]subr_ge0; congr (_ <= _); ring. Qed.

Lemma zip_maps (A B C : Type) (g : A -> B) (h : A -> C) l : zip (map g l) (map h l) = map (fun a => (g a, h a)) l.
Proof. by elim: l => //= a l ->. Qed.

Lemma drop_bounds s q tops next : is_state s -> (forall s, is_state s -> checked (map snd s) next -> bounded) ->
  checked (map snd s) (Drop q tops next) -> bounded.
Proof.
case=> perm supp each next_ok; rewrite [check_case _ _ _ _ _ _ _ _ _]/= ltbE eqbE size_map.
case/and4P=> qp /eqP sizes; pose z := zip s tops.
have sE : s = map fst z by rewrite -/(unzip1 z) unzip1_zip ?sizes.
have tE : tops = map snd z by rewrite -/(unzip2 z) unzip2_zip ?sizes.
rewrite tE sE -!map_comp !zip_maps -!map_comp zip_maps all_map.
set everyone := total_of _ _ _ _ _ _ _ _; pose d top := limit U everyone top.
move: z sE tE => z sE tE in everyone d *; rewrite sE in perm supp each.
have in_r c : c \in all_members (map fst z) -> (c.1 < r)%N.
  by move=> cs; have := perm_mem perm c.1; rewrite mem_iota map_f //= => /esym.
have known p c : p \in z -> c \in p.1.1 -> [/\ size p.1.1 = p.1.2.1, (c.1 < r)%N, perm_eq c.2 (Ts c.1) & c.2 \in p.1.2.2].
  move=> pz cp; have ps : p.1 \in map fst z by apply: map_f.
  by have [sizes_p inD] := each _ ps; have cs := in_members ps cp; split; [|apply: in_r|apply: supp|apply: inD].
move=> /allP tops_ok ok.
have le_top p c : p \in z -> c \in p.1.1 -> f q c.1 <= val p.2.
  move=> pz cp; have [_ cr c_supp cD] := known p c pz cp.
  have [out|stay] := boolP (below (matrix q) (d p.2) c.2); last first.
    apply: below_bounds qp cr c_supp _; apply: (allP (tops_ok p pz)); by rewrite mem_filter stay.
  apply: le_trans (below_bounds qp cr c_supp out) (value_le R (limit_le U everyone p.2).1).
have totalE : val everyone = val (everything Sigma n r J F points q) + \sum_(p <- z) p.1.2.1%:R * val p.2.
  by rewrite valueD value_total big_map; congr (_ + _); apply: eq_bigr => p _; rewrite valueM value_nat.
have [/hasP[p pz /hasP[c cp out]]|/hasPn none] := boolP (has (fun p => has (fun c => below (matrix q) (d p.2) c.2) p.1.1) z).
  have const p' : p' \in z -> \sum_(c <- p'.1.1) val p'.2 = p'.1.2.1%:R * val p'.2.
    move=> pz'; have [<- _] := each _ (map_f fst pz').
    by rewrite big_const_seq count_predT iter_addr addr0 mulr_natl.
  have [_ cr c_supp _] := known p c pz cp.
  have le_f : \sum_(t < r) f q t <= \sum_(p <- z) p.1.2.1%:R * val p.2 - (val p.2 - val (d p.2)).
    rewrite -(all_members_sum (f q) perm) /all_members -map_comp big_flatten big_map; apply: (sum_less pz) => [p' pz'|].
      by rewrite -const //= big_seq [X in _ <= X]big_seq; apply: ler_sum => c' /(le_top _ _ pz').
    rewrite -const //; apply: (sum_less cp) => [c' /(le_top _ _ pz) //|].
    by rewrite opprB addrC subrK; apply: below_bounds qp cr c_supp out.
  apply: le_trans (all_paid qp) _; apply: le_trans (ler_add le_f (lexx _)) _.
  apply: less_is_enough; rewrite -totalE -valueB -valueD; exact: value_le (limit_le U everyone p.2).2.
pose s' := [seq (p.1.1, stays U (matrix q) everyone (p.1.2, p.2)) | p <- z].
have membersE : all_members s' = all_members (map fst z) by rewrite /all_members -!map_comp.
apply: (next_ok s'); last by rewrite -map_comp.
split; rewrite ?membersE // => p' /mapP[p pz ->] /=; have [_ inD] := each _ (map_f fst pz).
split; first by have [] := each _ (map_f fst pz).
move=> c cp; rewrite mem_filter inD // andbT.
by have /hasPn/(_ c cp) := none p pz.
Qed.

(* Groups of no components may go. *)
Definition some_of (g : family) : bool := Nat.ltb 0 g.1.

Lemma without_none s : {in s, forall p, size p.1 = p.2.1} ->
  all_members (filter (fun p => some_of p.2) s) = all_members s.
Proof.
rewrite /all_members; elim: s => //= p s IH sizes; rewrite -IH => [|p' p's]; last by apply: sizes; rewrite inE p's orbT.
have := sizes p (mem_head _ _); rewrite /some_of ltbE; case: (p.2.1) => [|m] //= /size0nil ->.
by [].
Qed.

Lemma each_nth (check : nat -> case -> bool) j next i : (i < size next)%N ->
  (fix each i next := if next is c :: next' then check i c && each i.+1 next' else true) j next ->
  check (j + i)%N (nth Empty next i).
Proof.
elim: next j i => //= c next IH j [|i] lt_i /andP[ok more]; first by rewrite addn0.
by rewrite addnS -addSn; apply: IH.
Qed.

Lemma divide_bounds s g named next : is_state s ->
  (forall i s, (i < size next)%N -> is_state s -> checked (map snd s) (nth Empty next i) -> bounded) ->
  checked (map snd s) (Divide g named next) -> bounded.
Proof.
case=> perm supp each next_ok; rewrite [check_case _ _ _ _ _ _ _ _ _]/= -map_rot.
case rotE: (rot g s) => [//|[l [m own]] others] /=; rewrite eqbE; set is_named := fun T => has (same T) named.
case/andP=> /eqP sizes ok; pose P (c : member) := is_named c.2; pose i := count P l.
pose s' := [:: (filter P l, (i, filter is_named own)), (filter (predC P) l, (Nat.sub m i, filter (predC is_named) own)) & others].
have in_s p : p \in (l, (m, own)) :: others -> size p.1 = p.2.1 /\ {in p.1, forall c, c.2 \in p.2.2}.
  by rewrite -rotE mem_rot; apply: each.
have [/= size_l inD] := in_s _ (mem_head _ _).
have i_next : (i < size next)%N by rewrite sizes ltnS -size_l count_size.
have each' : {in s', forall p, size p.1 = p.2.1 /\ {in p.1, forall c, c.2 \in p.2.2}}.
  move=> p; rewrite !inE => /or3P[/eqP ->|/eqP ->|po]; last by apply: in_s; rewrite inE po orbT.
    by rewrite /= size_filter; split=> // c; rewrite !mem_filter => /andP[named_c /inD ->]; rewrite andbT.
  rewrite /= size_filter; split; first by rewrite -[Nat.sub _ _]/(m - i)%N -size_l -(count_predC P l) addKn.
  by move=> c; rewrite !mem_filter => /andP[named_c /inD ->]; rewrite andbT.
have perm' : perm_eq (all_members s') (all_members s).
  apply: perm_trans (_ : perm_eq (all_members (rot g s)) _); last by apply/perm_flatten/perm_map; rewrite perm_rot.
  by rewrite rotE /all_members /= catA perm_cat2r perm_filterC.
have members_ok := without_none (fun p ps => (each' p ps).1).
have := each_nth i_next ok; rewrite add0n => ok_i.
apply: (next_ok i (filter (fun p => some_of p.2) s') i_next).
  split; rewrite ?members_ok.
  - by apply: perm_trans perm; apply: perm_map.
  - by move=> c; rewrite (perm_mem perm'); apply: supp.
  by move=> p; rewrite mem_filter => /andP[_ /each'].
rewrite -(filter_map snd); exact: ok_i.
Qed.

Lemma case_bounds c s : is_state s -> checked (map snd s) c -> bounded.
Proof.
move: c s; fix IH 1 => [[|q tops next|g named next]] s ok.
- exact: empty_bounds.
- apply: drop_bounds ok _ => s'; exact: IH.
apply: divide_bounds ok _; elim: next => [//|c next IHnext] [|i] s' lt_i; first exact: IH.
exact: IHnext.
Qed.

Theorem cases_bound groups c : check_cases Sigma n r k J F U points groups c -> bounded.
Proof.
case/and4P=> _ all_in /allP alike_ok; pose member_of u t : member := (t, J u ++ filter (mem (Ts t)) (F u)).
pose s := [seq (map (member_of (head 0%N l)) l, (size l, supports k J F (head 0%N l))) | l <- groups].
move=> ok; apply: (@case_bounds c s); last by rewrite -map_comp; exact: ok.
have fstE : map fst (all_members s) = flatten groups.
  rewrite /all_members map_flatten -!map_comp; congr flatten; rewrite -[RHS]map_id; apply: eq_map => l /=.
  by rewrite -map_comp map_id.
have perm : perm_eq (flatten groups) (iota 0 r).
  move: all_in; rewrite /same eqbE => /andP[/eqP sizes /allP sub].
  have {}sub : {subset iota 0 r <= flatten groups} by move=> t /sub; rewrite has_eqb.
  have few := eq_leq (esym sizes); rewrite perm_sym; apply: uniq_perm (iota_uniq 0 r) (leq_size_uniq (iota_uniq 0 r) sub few) _.
  exact: (uniq_min_size (iota_uniq 0 r) sub few).2.
have own l t : l \in groups -> t \in l -> let u := head 0%N l in
    perm_eq (J u ++ filter (mem (Ts t)) (F u)) (Ts t) /\ J u ++ filter (mem (Ts t)) (F u) \in supports k J F u.
  move=> lg tl; have in_r v : v \in l -> (v < r)%N.
    by move=> vl; rewrite -[(v < r)%N](mem_iota 0 r) -(perm_mem perm); apply/flattenP; exists l.
  have tr := in_r t tl; set u := head 0%N l; have ur : (u < r)%N.
    by apply: in_r; rewrite /u; case: (l) tl => // a l' _; apply: mem_head.
  have := allP (alike_ok l lg) t tl; rewrite -/u => /and3P[/PeanoNat.Nat.eqb_eq kE].
  have := node_uniq (node tr); have := node_uniq (node ur); rewrite !cat_uniq => /and3P[uJ' _ uF'] /and3P[uJ _ uF].
  move=> /(sameP uJ uJ') permJ /(sameP uF uF') permF; split.
    rewrite perm_sym; apply: perm_trans (support_split (node tr)) _.
    by rewrite perm_cat // perm_filter.
  apply: map_f; have := choicesP (mem (Ts t)) (F u).
  by rewrite -(seq.permP permF) (count_free (node tr)) kE (perm_size permJ).
split; rewrite ?fstE //.
  by move=> c' /flattenP[l' /mapP[p /mapP[l lg ->] ->] /mapP[t tl ->]]; have [] := own l t lg tl.
move=> p /mapP[l lg ->] /=; rewrite size_map; split=> // c' /mapP[t tl ->] /=.
by have [] := own l t lg tl.
Qed.

End Bound.
