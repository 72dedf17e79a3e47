(* What a row of a support costs at most: its dearest free variables of each part, of different classes. *)
From Coq Require Import Lia.
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports.

(* Sets as bits of a number. *)
Lemma member_with s i j : member_of (with_member s i) j = (j == i) || member_of s j.
Proof.
rewrite /member_of /with_member Z.setbit_eqb; last exact: Zle_0_nat.
congr (_ || _); apply/Z.eqb_spec/eqP => [/Nat2Z.inj -> //|->//].
Qed.

Lemma member_set l j : member_of (set_of l) j = (j \in l).
Proof.
elim: l => [|i l IH]; first by rewrite /member_of Z.testbit_0_l.
by rewrite [set_of _]/= member_with IH inE.
Qed.

Lemma fitE (X : Type) (x : X) n l : fit x n l = mkseq (nth x l) n.
Proof.
have size_fit : size (fit x n l) = n.
  by rewrite size_take size_cat size_nseq; case: ltnP => //; rewrite leq_eqVlt ltnNge leq_addl orbF => /eqP.
apply: (eq_from_nth (x0 := x)); rewrite size_fit ?size_mkseq // => i li.
by rewrite nth_mkseq // nth_take // nth_cat nth_nseq; case: ltnP => // /(nth_default x) ->; rewrite if_same.
Qed.

Lemma different_inj (class : nat -> nat) l : uniq (map class l) -> {in l &, injective class}.
Proof.
elim: l => //= a l IH /andP[new ul] i j; rewrite !inE => /orP[/eqP ->|il] /orP[/eqP ->|jl] // ij.
- by rewrite ij map_f in new.
- by rewrite -ij map_f in new.
exact: IH.
Qed.

(* A set T has so many variables of each part, and none outside them. *)
Record family (parts : seq (seq nat * nat)) (T : seq nat) : Prop := Family {
  parts_uniq : uniq (flatten (map fst parts));
  parts_cover : {subset T <= flatten (map fst parts)};
  parts_count : {in parts, forall b, count (mem T) b.1 = b.2} }.

Section Charges.

Variables (R : realFieldType) (class : nat -> nat).
Notation val := (@value R).
Definition priced (p : nat -> Z) (j : nat) : price := (p j, (j, class j)).

Lemma first_dearest (X : eqType) (p : X -> Z) a l b :
  sorted (fun a b => Z.leb (p b) (p a)) (a :: l) -> b \in a :: l -> val (p b) <= val (p a).
Proof.
rewrite inE => in_order /orP[/eqP -> // | b_in]; apply: value_le; apply: (allP (order_path_min _ in_order)) => //.
by move=> y x z /Z.leb_le xy /Z.leb_le yz; apply/Z.leb_le; lia.
Qed.

Lemma dearest_bound p js A m free taken : sorted (fun a b => Z.leb (p b) (p a)) js -> {subset A <= js} ->
  uniq (map class A) -> {in A, forall j, member_of free j && ~~ member_of taken (class j)} -> size A = m ->
  \sum_(j <- A) val (p j) <= val (dearest free taken m (map (priced p) js)).
Proof.
elim: js A m taken => [|b js IH] A m taken.
  by case: A => [_ _ _ _ <-|a A _ sub]; [rewrite big_nil | have := sub a (mem_head _ _)].
move=> sorted_js sub uA okA sA; case: m sA => [/size0nil ->|m sA]; first by rewrite big_nil.
have le_b j : j \in b :: js -> val (p j) <= val (p b) := first_dearest sorted_js.
have {}sorted_js := path_sorted sorted_js.
rewrite /=; case: ifP => [b_free|not_b]; last first.
  apply: IH => // j jA; have := sub j jA; rewrite inE => /orP[/eqP jb|//].
  by have := okA j jA; rewrite jb not_b.
have [a aA only] : exists2 a, a \in A & forall j, j \in A -> class j = class b -> j = a.
  have [/hasP[a aA /eqP ab]|/hasPn none] := boolP (has (fun j => class j == class b) A).
    by exists a => // j jA jb; apply: (different_inj uA) => //; rewrite jb.
  case: A sA none {uA okA sub} => // a A _ none; exists a; first exact: mem_head.
  by move=> j /none/eqP.
have uniqA := map_uniq uA; rewrite (perm_big _ (perm_to_rem aA)) big_cons valueD ler_add ?le_b ?sub //.
have in_rem j : j \in rem a A -> j \in A /\ class j != class b.
  by rewrite mem_rem_uniq // inE => /andP[ja jA]; split=> //; apply: contraNneq ja => /(only j jA) ->.
apply: IH => //.
- by move=> j /in_rem[/sub + jb]; rewrite inE => /orP[/eqP jE|//]; rewrite jE eqxx in jb.
- by apply: subseq_uniq uA; apply: map_subseq; apply: rem_subseq.
- by move=> j /in_rem[/okA/andP[-> ntaken] jb]; rewrite member_with negb_or jb.
by rewrite size_rem // sA.
Qed.

Section Support.

Variables (parts : seq (seq nat * nat)) (T : seq nat).
Hypothesis fam : family parts T.
Hypothesis uT : uniq T.
Hypothesis class_inj : {in T &, injective class}.

(* The prices p of variables, all those of T among them, the dearest first. *)
Definition ranked (p : nat -> Z) (l : seq price) : Prop := exists js,
  [/\ l = map (priced p) js, {subset T <= js} & sorted (fun a b => Z.leb (p b) (p a)) js].

Lemma ranked_sort p js : {subset T <= js} -> ranked p (by_price (map (priced p) js)).
Proof.
move=> Tj; exists (sort (fun a b => Z.leb (p b) (p a)) js); rewrite /by_price sort_map; split=> // [i /Tj|]; first by rewrite mem_sort.
by apply: sort_sorted => a b; case: (Z.leb_spec (p b) (p a)) => //= /Z.lt_le_incl/Z.leb_le.
Qed.

Lemma ranked_row n row : {subset T <= iota 0 n} -> ranked (nth Z0 row) (dearest_first (mkseq (fun i => (i, class i)) n) row).
Proof. by rewrite /dearest_first size_mkseq fitE zip_map; apply: ranked_sort. Qed.

Lemma sum_over_parts (a : pred nat) (f : nat -> R) :
  \sum_(j <- T | a j) f j = \sum_(b <- parts) \sum_(j <- b.1 | (j \in T) && a j) f j.
Proof.
have [uP cover _] := fam; have perm : perm_eq T (filter (mem T) (flatten (map fst parts))).
  apply: uniq_perm; rewrite ?filter_uniq // => j; rewrite mem_filter /=; apply/idP/andP => [jT|[]//].
  by split=> //; apply: cover.
by rewrite (perm_big _ perm) big_filter_cond big_flatten big_map.
Qed.

Lemma count_set (b C : seq nat) : count (preim (fun i => (i, class i)) (fun c => member_of (set_of b) c.1)) C = count (mem b) C.
Proof. by apply: eq_count => i; rewrite /= member_set. Qed.

(* Variables C of T, whatever they cost, and for all others what is dearest. *)
Lemma charge_bound C p l : uniq C -> {subset C <= T} -> ranked p l ->
  \sum_(j <- T | j \notin C) val (p j) <= val (charge (sets_of parts) (map (fun i => (i, class i)) C) l).
Proof.
move=> uC CT [js [-> Tj sorted_js]]; rewrite sum_over_parts /charge /sets_of foldr_map value_total.
apply: sum_le => b b_in; have ub := part_uniq (parts_uniq fam) b_in.
rewrite -big_filter /=; apply: dearest_bound => //.
- by move=> j; rewrite mem_filter => /andP[/andP[/Tj]].
- rewrite map_inj_in_uniq ?filter_uniq // => i j; rewrite !mem_filter => /andP[/andP[iT _] _] /andP[/andP[jT _] _].
  exact: class_inj.
- move=> j; rewrite mem_filter => /andP[/andP[jT jC] jb] /=; rewrite !member_set jb /=.
  by apply: contra jC => /mapP[c /mapP[i iC ->] /= ij]; suff -> : j = i by []; apply: class_inj => //; apply: CT.
rewrite size_filter -(parts_count fam b_in) count_map count_set (count_swap ub uC).
have -> : count (mem T) b.1 = (count (mem C) b.1 + count (fun i => (i \in T) && (i \notin C)) b.1)%N.
  rewrite -size_filter -(count_predC (mem C)) !count_filter; congr (_ + _)%N; apply: eq_count => i /=.
    by apply: andb_idr => /CT.
  by rewrite andbC.
by rewrite addKn.
Qed.

(* What row h costs: what the variables of C do, h among them, and for all others what is dearest. *)
Lemma known_bound (own : R) p l h C (cost := fun j => if j == h then own else val (p j)) : ranked p l -> uniq C -> {subset C <= T} ->
  h \in C -> \sum_(j <- T) cost j <= \sum_(j <- C) cost j + val (charge (sets_of parts) (map (fun i => (i, class i)) C) l).
Proof.
move=> pl uC CT hC; rewrite (bigID (mem C)) /= -big_filter (perm_big C); last first.
  by apply: uniq_perm; rewrite ?filter_uniq // => j; rewrite mem_filter; apply: andb_idr => /CT.
rewrite ler_add2l; apply: le_trans (charge_bound uC CT pl); apply: eqW; apply: eq_bigr => j jC.
by rewrite /cost; case: eqP jC => // ->; rewrite hC.
Qed.

Lemma row_bound (own : R) p l i : ranked p l -> i \in T ->
  \sum_(j <- T) (if j == i then own else val (p j)) <= own + val (charge (sets_of parts) [:: (i, class i)] l).
Proof.
move=> pl iT; have := @known_bound own p l i [:: i] pl isT; rewrite big_seq1 eqxx; apply; last exact: mem_head.
by move=> j; rewrite inE => /eqP ->.
Qed.

(* A row h of a support with a variable i of `some`. *)
Lemma pays_bound U r p some h i : variable r = (h, class h) -> ranked p (beside r) -> h \in T -> i \in T -> member_of some i ->
  pays U (sets_of parts) r some -> \sum_(j <- T) (if j == h then val (own r) else val (p j)) <= val (Z.mul U (weight r)).
Proof.
case: r => v own w l /= -> pl hT iT some_i; set r := Row _ _ _ _; have [js [pE Tj _]] := pl.
have fits C : uniq C -> {subset C <= T} -> has (fun b => (b.2 < count (fun c => member_of b.1 c.1)
    (map (fun i => (i, class i)) C))%N) (sets_of parts) = false.
  move=> uC CT; rewrite /sets_of has_map; apply/negbTE/hasPn => b b_in; rewrite [preim _ _ _]/= count_map.
  apply/negP; rewrite -(parts_count fam b_in) count_set ltnNge => /negP[].
  rewrite -!size_filter; apply: uniq_leq_size; first by rewrite filter_uniq.
  by move=> j; rewrite !mem_filter => /andP[/= -> /CT ->].
rewrite /pays [X in all _ X]pE all_map => /allP/(_ i (Tj i iT)) ok.
have {ok} : negb (member_of some i) ||
  if eqn i h then is_paid U (sets_of parts) r Z0 (map (fun i => (i, class i)) [:: h])
  else is_paid U (sets_of parts) r (p i) (map (fun i => (i, class i)) [:: i; h]) := ok.
rewrite some_i /= -/(map _ _) eqnE.
case: eqVneq => [_|ih]; rewrite /is_paid.
  rewrite (fits [:: h]) //= => [/(value_le R)|a]; last by rewrite inE => /eqP ->.
  by apply: le_trans; rewrite Z.add_0_r valueD row_bound.
have CT : {subset [:: i; h] <= T} by move=> a; rewrite !inE => /orP[] /eqP ->.
rewrite (fits [:: i; h]) //= ?inE ?ih // => /(value_le R); apply: le_trans.
apply: le_trans (known_bound (C := [:: i; h]) (val own) pl _ CT _) _; rewrite /= ?inE ?ih ?eqxx ?orbT //.
by rewrite big_cons big_seq1 eqxx (negPf ih) (valueD R (Z.add _ _)) (valueD R own) [val (p i) + _]addrC.
Qed.

End Support.

End Charges.

(* The parts of a family at a node: J, and what is free of each part. *)
Section Node.

Variables (n : nat) (class : nat -> nat) (quota : seq (seq nat * nat)) (J F T : seq nat).
Hypothesis node : holds J F T.
Hypothesis quota_uniq : uniq (flatten (map fst quota)).
Hypothesis quota_cover : {subset F <= flatten (map fst quota)}.
Hypothesis quota_count : {in quota, forall b, count (mem T) b.1 = b.2}.
Hypothesis class_inj : {in T &, injective class}.
Hypothesis within : {subset J ++ F <= iota 0 n}.

Let uT := support_uniq node.
Let JT := forced_in node.
Let TJF := drawn_from node.

(* T has so many free variables of a part. *)
Lemma count_part b : b \in quota ->
  count (mem T) b.1 = (count (mem J) b.1 + count (mem T) (filter (mem F) b.1))%N.
Proof.
move=> b_in; rewrite count_filter -(@eq_count _ (fun i => (i \in T) && (i \in J)) (mem J)) => [|i /=]; last first.
  by apply: andb_idl => /JT.
rewrite -count_predUI (@eq_count _ (predI _ _) pred0) ?count_pred0 ?addn0 => [|i /=]; last first.
  by apply/negP => /andP[/andP[_ iJ] /andP[_ iF]]; have := forced_not_free node iJ; rewrite iF.
by apply: eq_count => i /=; case iT: (i \in T) => //=; have := TJF iT; rewrite mem_cat => ->.
Qed.

Notation F' := (flatten (map fst (open_parts quota J F))).

Lemma in_open i : i \in F' -> i \in F.
Proof. by case/flattenP=> l /mapP[b /mapP[d _ ->] ->]; rewrite mem_filter member_set => /andP[/andP[]]. Qed.

Lemma count_open d : d \in quota -> (d.2 - count (member_of (set_of J)) d.1)%N = count (mem T) (filter (mem F) d.1).
Proof. by move=> d_in; rewrite (eq_count (member_set J)) -(quota_count d_in) (count_part d_in) addKn. Qed.

Lemma family_of_node : family ((J, size J) :: open_parts quota J F) T.
Proof.
split=> [|i iT|b] /=.
- rewrite cat_uniq (forced_uniq node) /=; apply/andP; split.
    by apply/hasPn => i /in_open; apply: contraL => /(forced_not_free node).
  by apply: subseq_uniq quota_uniq; rewrite -map_comp; elim: (quota) => //= d q; apply: cat_subseq (filter_subseq _ _).
- rewrite mem_cat; case: (boolP (i \in J)) => //= iJ; have iF : i \in F by have := TJF iT; rewrite mem_cat (negPf iJ).
  have /flattenP[l /mapP[d d_in ->] id] := quota_cover iF; apply/flattenP.
  exists (filter (fun i => (0 < d.2 - count (member_of (set_of J)) d.1)%N && member_of (set_of F) i) d.1).
    by rewrite -map_comp; apply: map_f d_in.
  by rewrite mem_filter id member_set iF !andbT count_open // -has_count; apply/hasP; exists i; rewrite // mem_filter /= iF.
rewrite inE => /orP[/eqP -> /=|/mapP[d d_in ->] /=]; first by apply/eqP; rewrite -all_count; apply/allP.
rewrite count_open //; case: posnP => [-> |_] /=; first by rewrite (eq_filter (a2 := pred0)) ?filter_pred0.
by congr (count _ _); apply: eq_filter => i; rewrite /= member_set.
Qed.

Lemma node_left : holds J F' T.
Proof. by have [uF' TF' _] := family_of_node. Qed.

(* A family of which a part lacks variables, or classes, has no support. *)
Lemma not_empty : is_empty (mkseq (fun i => (i, class i)) n) quota J F = false.
Proof.
apply/negP => /orP[] /hasP[b b_in].
  by rewrite (eq_count (member_set J)) -(quota_count b_in) (count_part b_in) ltnNge leq_addr.
have fam := family_of_node; have {}b_in : b \in (J, size J) :: open_parts quota J F by rewrite inE b_in orbT.
rewrite -(parts_count fam b_in) -size_filter; set A := filter (mem T) b.1.
have -> : map (fun v => (Zpos xH, v)) (mkseq (fun i => (i, class i)) n) = map (priced class (fun=> Zpos xH)) (iota 0 n).
  by rewrite /mkseq -map_comp.
move=> /(value_lt rat_realFieldType); rewrite value_nat ltNge => /negP[].
have -> : (size A)%:R = \sum_(j <- A) value rat_realFieldType (Zpos xH) by rewrite big_const_seq count_predT iter_addr addr0.
have in_A j : j \in A -> j \in T /\ j \in b.1 by rewrite mem_filter => /andP[].
apply: (@dearest_bound _ class (fun=> Zpos xH)) => //.
- by case: (iota 0 n) => //= i l; elim: l i => //= j l IH i; rewrite IH.
- by move=> j /in_A[/TJF/within].
- rewrite map_inj_in_uniq ?filter_uniq ?(part_uniq (parts_uniq fam) b_in) // => i j /in_A[iT _] /in_A[jT _]; exact: class_inj.
by move=> j /in_A[_ jb]; rewrite member_set jb /= /member_of Z.testbit_0_l.
Qed.

End Node.
