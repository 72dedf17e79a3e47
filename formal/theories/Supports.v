(* Supports of a node, and how a set of variables is padded to one. *)
From SparseEigenvalue Require Import Setting Checker.

Local Open Scope nat_scope.

Lemma eqbE i j : Nat.eqb i j = (i == j).
Proof. by apply/idP/eqP => [/PeanoNat.Nat.eqb_eq | ->] //; apply: PeanoNat.Nat.eqb_refl. Qed.

Lemma has_eqb i l : has (Nat.eqb i) l = (i \in l).
Proof. by elim: l => //= j l ->; rewrite eqbE in_cons. Qed.

Lemma distinctE l : distinct l = uniq l.
Proof. by elim: l => //= i l ->; rewrite /inside has_eqb. Qed.

Lemma mem_without i j l : (j \in without i l) = (j != i) && (j \in l).
Proof. by rewrite mem_filter eqbE eq_sym. Qed.

(* T is a support of the node that forces J in and leaves F free. *)
Record support_of (k : nat) (J F T : seq nat) : Prop := SupportOf {
  node_uniq : uniq (J ++ F);
  support_uniq : uniq T;
  support_size : size T = k;
  forced_in : {subset J <= T};
  drawn_from : {subset T <= J ++ F} }.

(* All variables in one part, of which T has k. *)
Lemma one_part n k T (q := [:: (iota 0 n, k)]) : uniq T -> {subset T <= iota 0 n} -> size T = k ->
  [/\ uniq (flatten (map fst q)), {subset iota 0 n <= flatten (map fst q)} & {in q, forall b, count (mem T) b.1 = b.2}].
Proof.
rewrite /q => uT TI <-; rewrite /= cats0; split=> //; rewrite ?iota_uniq // => b; rewrite inE => /eqP -> /=.
rewrite -size_filter; apply/perm_size/uniq_perm; rewrite ?filter_uniq ?iota_uniq // => i; rewrite mem_filter.
by apply: andb_idr => /TI.
Qed.

Section Supports.

Variables (k : nat) (J F T : seq nat).
Hypothesis node : support_of k J F T.

Lemma support_split : perm_eq T (J ++ filter (mem T) F).
Proof.
case: node => uJF uT _ JT TJF; apply: uniq_perm => // [|i].
  move: uJF; rewrite !cat_uniq => /and3P[-> /hasPn JF uF] /=; rewrite filter_uniq // andbT.
  by apply/hasPn => i; rewrite mem_filter => /andP[_ /JF].
rewrite mem_cat mem_filter /=; apply/idP/orP => [iT | [/JT //|/andP[] //]].
by have := TJF i iT; rewrite mem_cat iT => /orP.
Qed.

Lemma count_free : count (mem T) F = (k - size J)%N.
Proof. by rewrite -(support_size node) (perm_size support_split) size_cat addKn size_filter. Qed.

Lemma support_sizes : (size J <= k <= size J + size F)%N.
Proof.
rewrite -(support_size node) -size_cat (perm_size support_split) !size_cat leq_addr leq_add2l.
by rewrite size_filter count_size.
Qed.

Lemma support_full : (k - size J = 0)%N -> support_of k J [::] T.
Proof.
move=> full; case: (node) => uJF uT sT JT TJF; split; rewrite ?cats0 //.
  by move: uJF; rewrite cat_uniq => /andP[].
move=> i iT; have := TJF i iT; rewrite mem_cat => /orP[// | iF].
have /hasPn/(_ i iF) : ~~ has (mem T) F by rewrite has_count count_free full.
by rewrite /= iT.
Qed.

Lemma splits v : v \in F ->
  support_of k (v :: J) (without v F) T \/ support_of k J (without v F) T.
Proof.
case: node => uJF uT sT JT TJF vF.
move: (uJF); rewrite cat_uniq => /and3P[uJ /hasPn JF uF].
have free i : i \in T -> i != v -> i \in J ++ without v F.
  by move=> /TJF; rewrite !mem_cat mem_without => iJF ->.
have disjoint : ~~ has (mem J) (without v F).
  by apply/hasPn => i; rewrite mem_without => /andP[_ /JF].
case vT: (v \in T); [left | right]; split=> //.
- rewrite /= mem_cat negb_or mem_without eqxx andbT (JF v vF) /=.
  by rewrite cat_uniq uJ disjoint filter_uniq.
- by move=> i; rewrite inE => /orP[/eqP -> //|/JT].
- by move=> i iT; rewrite /= inE; case: eqP => //= /eqP; apply: free.
- by rewrite cat_uniq uJ disjoint filter_uniq.
- by move=> i iT; apply: free => //; apply: contraTneq iT => ->; rewrite vT.
Qed.

End Supports.

(* A set `a` of variables is padded to exactly k. *)
Lemma pad (a : pred nat) k J F : uniq (J ++ F) -> size J + count a F <= k <= size J + size F ->
  exists2 T, support_of k J F T & {in J ++ F, forall i, a i -> i \in T}.
Proof.
move=> uJF /andP[few many]; pose l := (J ++ filter a F) ++ filter (predC a) F.
have perm : perm_eq l (J ++ F) by rewrite /l -catA perm_cat2l perm_filterC.
have size_used : size (J ++ filter a F) <= k by rewrite size_cat size_filter.
have takeE : take k l = (J ++ filter a F) ++ take (k - size (J ++ filter a F)) (filter (predC a) F).
  by rewrite take_cat ltnNge size_used.
exists (take k l).
  split=> //.
  - by rewrite take_uniq // (perm_uniq perm).
  - by rewrite size_takel // (perm_size perm) size_cat.
  - by move=> i iJ; rewrite takeE !mem_cat iJ.
  - by move=> i /mem_take; rewrite (perm_mem perm).
move=> i; rewrite takeE !mem_cat mem_filter => /orP[-> //|iF ai].
by rewrite ai iF orbT.
Qed.

(* The same with a number of variables in each part. *)
Lemma pad_parts (a : pred nat) (quota : seq (seq nat * nat)) J F : uniq (J ++ F) -> uniq (flatten (map fst quota)) ->
  {subset J ++ F <= flatten (map fst quota)} ->
  {in quota, forall b, count (mem J) b.1 + count (predI (mem F) a) b.1 <= b.2 <= count (mem J) b.1 + count (mem F) b.1} ->
  exists T, [/\ support_of (size T) J F T, {in quota, forall b, count (mem T) b.1 = b.2} & {in J ++ F, forall i, a i -> i \in T}].
Proof.
move=> uJF uQ cover sizes.
have [T [uT TQ JT aT counts]] : exists T, [/\ uniq T, {subset T <= filter (mem (J ++ F)) (flatten (map fst quota))},
    {in J, forall i, i \in flatten (map fst quota) -> i \in T},
    {in J ++ F, forall i, i \in flatten (map fst quota) -> a i -> i \in T} &
    {in quota, forall b, count (mem T) b.1 = b.2}].
  elim: (quota) uQ sizes {cover} => [|b q IH] /=; first by exists [::].
  rewrite cat_uniq => /and3P[ub /hasPn apart uq] sizes.
  have [|T [uT TQ JT aT counts]] := IH uq; first by move=> d dq; apply: sizes; rewrite inE dq orbT.
  have JF i : i \in J -> i \in F = false.
    by move: uJF; rewrite cat_uniq => /and3P[_ /hasPn JF _] iJ; apply/negP => /JF; rewrite /= iJ.
  have [||P nodeP aP] := @pad a b.2 (filter (mem J) b.1) (filter (mem F) b.1).
  - rewrite cat_uniq !filter_uniq //= andbT; apply/hasPn => i; rewrite mem_filter => /andP[/= iF _].
    by rewrite mem_filter; apply/negP => /andP[/= iJ _]; have := JF i iJ; rewrite iF.
  - rewrite !size_filter count_filter; have := sizes b (mem_head _ _); congr (_ <= _ <= _)%N; congr (_ + _)%N.
    by apply: eq_count => i; rewrite /= andbC.
  have Pb i : i \in P -> (i \in b.1) && (i \in J ++ F).
    by move/(drawn_from nodeP); rewrite !mem_cat !mem_filter /= => /orP[/andP[-> ->]|/andP[-> ->]]; rewrite ?orbT.
  have Tq i : i \in T -> (i \in flatten (map fst q)) && (i \in J ++ F).
    by move/TQ; rewrite mem_filter andbC.
  exists (P ++ T); split.
  - rewrite cat_uniq uT (support_uniq nodeP) andbT; apply/hasPn => i /Tq/andP[/apart + _].
    by apply: contra => /Pb/andP[].
  - move=> i; rewrite mem_cat mem_filter /= (mem_cat i b.1) => /orP[/Pb|/Tq] /andP[-> ->] //.
    by rewrite orbT.
  - move=> i iJ; rewrite !mem_cat => /orP[ib|iq]; last by rewrite JT ?orbT.
    by rewrite (forced_in nodeP) // mem_filter /= iJ.
  - move=> i iJF; rewrite !mem_cat => /orP[ib|iq] ai; last by rewrite aT ?orbT.
    by rewrite aP // mem_cat !mem_filter /= ib !andbT -mem_cat.
  move=> d; rewrite inE => /orP[/eqP ->|dq].
    rewrite -(support_size nodeP) -size_filter; apply/perm_size/uniq_perm; rewrite ?filter_uniq ?(support_uniq nodeP) // => i.
    rewrite mem_filter /= mem_cat; apply/andP/idP => [[/orP[//|/Tq/andP[/apart/negP + _]] ib]|iP]; first by [].
    by rewrite iP; have /andP[] := Pb i iP.
  rewrite -(counts d dq); apply: eq_in_count => i id; rewrite /= mem_cat orb_idl // => /Pb/andP[ib _].
  by have := apart i; rewrite /= ib => /(_ _)/negP; case; [apply/flattenP; exists d.1 => //; apply: map_f|].
exists T; split=> //; last by move=> i iJF; apply: aT => //; apply: cover.
split=> // [i iJ|i /TQ]; last by rewrite mem_filter => /andP[].
by apply: JT => //; apply: cover; rewrite mem_cat iJ.
Qed.

Lemma count_has (P : nat -> pred nat) (l s : seq nat) :
  count (fun j => has (fun t => P t j) l) s <= \sum_(t <- l) count (P t) s.
Proof.
elim: l => [|t l IH]; first by rewrite big_nil (eq_count (a2 := pred0)) ?count_pred0.
rewrite big_cons; apply: leq_trans (leq_add (leqnn _) IH).
by rewrite -count_predUI leq_addr.
Qed.

(* Sets a_t, t < p, no two of which meet, are padded to k_t variables each so that still no two meet: one after another. *)
Lemma pad_disjoint (V : seq nat) p (a : nat -> pred nat) (k : nat -> nat) : uniq V ->
  (forall t, t < p -> count (a t) V <= k t) -> \sum_(0 <= t < p) k t <= size V ->
  (forall s t i, i \in V -> s < p -> t < p -> a s i -> a t i -> s = t) ->
  exists2 Ts : nat -> seq nat,
    forall t, t < p -> support_of (k t) [::] V (Ts t) /\ {in V, forall i, a t i -> i \in Ts t} &
    forall j, count (fun t => j \in Ts t) (iota 0 p) <= 1.
Proof.
move=> uV few fit apart.
have [Ts [fits full meet]] : exists Ts : nat -> seq nat,
    [/\ forall t, t < p -> [/\ uniq (Ts t), {subset Ts t <= V}, {in V, forall i, a t i -> i \in Ts t} & size (Ts t) <= k t],
        forall t, t < p -> size (Ts t) = k t & forall s t i, s < p -> t < p -> i \in Ts s -> i \in Ts t -> s = t].
  elim: {1 4}p (leqnn p) => [_|m IH mp].
    exists (fun t => filter (a t) V); split=> // [t tp|s t i sp tp]; last first.
      by rewrite !mem_filter => /andP[si iV] /andP[ti _]; apply: (apart s t i).
    by split; rewrite ?filter_uniq ?size_filter ?few // => i; rewrite mem_filter; [case/andP|move=> -> ->].
  have [Ts [fits full meet]] := IH (ltnW mp); have [uT TV aT le_k] := fits m mp.
  pose free := filter (fun i => ~~ has (fun t => i \in Ts t) (iota 0 p)) V; pose T := Ts m ++ take (k m - size (Ts m)) free.
  have inT i : i \in T -> i \in Ts m \/ i \in V /\ forall t, t < p -> i \notin Ts t.
    rewrite mem_cat => /orP[->|/mem_take]; first by left.
    by rewrite mem_filter => /andP[/hasPn none iV]; right; split=> // t tp; apply: none; rewrite mem_iota.
  have sT : size T = k m.
    have taken : count (fun i => has (fun t => i \in Ts t) (iota 0 p)) V <= size (Ts m) + \sum_(t <- iota 0 p | t != m) k t.
      apply: leq_trans (count_has (fun t i => i \in Ts t) _ _) _.
      apply: leq_trans (_ : \sum_(t <- iota 0 p) size (Ts t) <= _); first rewrite big_seq [X in _ <= X]big_seq.
        apply: leq_sum => t; rewrite mem_iota => /fits[ut _ _ _]; rewrite -size_filter uniq_leq_size ?filter_uniq // => i.
        by rewrite mem_filter => /andP[].
      rewrite (bigD1_seq m) ?iota_uniq ?mem_iota //= leq_add2l big_seq_cond [X in _ <= X]big_seq_cond.
      by apply: leq_sum => t; rewrite mem_iota => /andP[/fits[]].
    rewrite size_cat size_takel ?subnKC // leq_subLR size_filter -(leq_add2r (\sum_(t <- iota 0 p | t != m) k t)).
    rewrite -(bigD1_seq m) ?iota_uniq ?mem_iota //; move: fit; rewrite /index_iota subn0 => /leq_trans; apply.
    by rewrite addnAC -(count_predC (fun i => has (fun t => i \in Ts t) (iota 0 p)) V) leq_add2r.
  exists (fun t => if t == m then T else Ts t); split=> [t tp|t|s t i sp tp].
  - case: eqP => [->|_]; last exact: fits.
    split; rewrite ?sT //; last by move=> i iV /aT; rewrite mem_cat => ->.
      rewrite cat_uniq uT take_uniq ?filter_uniq // andbT; apply/hasPn => i /mem_take.
      by rewrite mem_filter => /andP[/hasPn/(_ m)]; rewrite mem_iota mp => ->.
    by move=> i /inT[/TV //|[]].
  - by case: eqP => [->|/eqP tm] //; rewrite ltnS leq_eqVlt (negPf tm) => /full.
  case: eqP => [->|_]; case: eqP => [->|_] //; last exact: meet.
    by move=> /inT[im it|[_ none] it]; [apply: meet im it | rewrite (negPf (none t tp)) in it].
  by move=> is_ /inT[im|[_ none]]; [apply: meet is_ im | rewrite (negPf (none s sp)) in is_].
exists Ts => [t tp|j].
  by have [uT TV aT _] := fits t tp; split=> //; split; rewrite ?full.
rewrite -size_filter; set l := filter _ _; have : uniq l by rewrite filter_uniq ?iota_uniq.
have inl t : t \in l -> t < p /\ j \in Ts t by rewrite mem_filter mem_iota => /andP[].
case: l inl => [|s [|t l]] //= inl; have [sp js] := inl s (mem_head _ _).
have [|tp jt] := inl t; first by rewrite !inE eqxx orbT.
by rewrite (meet s t j) // inE eqxx.
Qed.
