(* Supports of a node, and how a set of variables is padded to one. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From SparseEigenvalue Require Import Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope nat_scope.

Lemma eqbE i j : Nat.eqb i j = (i == j).
Proof. by apply/idP/eqP => [/PeanoNat.Nat.eqb_eq | ->] //; apply: PeanoNat.Nat.eqb_refl. Qed.

Lemma has_eqb i l : has (Nat.eqb i) l = (i \in l).
Proof. by elim: l => //= j l ->; rewrite eqbE in_cons. Qed.

Lemma mem_without i j l : (j \in without i l) = (j != i) && (j \in l).
Proof. by rewrite mem_filter eqbE eq_sym. Qed.

(* T is a support of the node that forces J in and leaves F free. *)
Record support_of (k : nat) (J F T : seq nat) : Prop := SupportOf {
  node_uniq : uniq (J ++ F);
  support_uniq : uniq T;
  support_size : size T = k;
  forced_in : {subset J <= T};
  drawn_from : {subset T <= J ++ F} }.

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

(* Sets a_t, t < p, no two of which meet, are padded to k_t variables each so that still no two meet. *)
Section Disjoint.

Variables (V : seq nat) (p : nat) (a : nat -> pred nat) (k : nat -> nat).
Hypothesis uV : uniq V.
Hypothesis few : forall t, t < p -> count (a t) V <= k t.
Hypothesis fit : \sum_(0 <= t < p) k t <= size V.
Hypothesis apart : forall s t i, i \in V -> s < p -> t < p -> a s i -> a t i -> s = t.

Let taken i := has (fun t => a t i) (iota 0 p).
Let free := filter (predC taken) V.
Let lack t := k t - count (a t) V.
Let start t := \sum_(0 <= s < t) lack s.
Let padding t := take (lack t) (drop (start t) free).

Lemma enough t : t < p -> start t + lack t <= size free.
Proof.
move=> tp; have : start t + lack t <= start p.
  by rewrite /start -big_nat_recr //= [X in _ <= X](@big_cat_nat _ _ _ t.+1) //= leq_addr.
move/leq_trans; apply; rewrite -(leq_add2l (count taken V)) size_filter count_predC.
apply: leq_trans (leq_add (count_has a (iota 0 p) V) (leqnn _)) _.
have -> : \sum_(t <- iota 0 p) count (a t) V = \sum_(0 <= t < p) count (a t) V.
  by rewrite /index_iota subn0.
rewrite -big_split /=; apply: leq_trans fit; rewrite big_nat_cond [X in _ <= X]big_nat_cond.
by apply: leq_sum => s /andP[/andP[_ sp] _]; rewrite subnKC ?few.
Qed.

Lemma padding_index t i : t < p -> i \in padding t -> i \in free /\ start t <= index i free < start t + lack t.
Proof.
move=> tp ip; have inF := mem_drop (mem_take ip); split=> //; have /(nthP 0)[q] := ip.
have room : lack t <= size (drop (start t) free) by rewrite size_drop leq_subRL ?enough // (leq_trans (leq_addr _ _) (enough tp)).
rewrite size_takel // => ql <-; rewrite nth_take // nth_drop index_uniq ?filter_uniq //.
  by rewrite leq_addr ltn_add2l.
by apply: leq_trans (enough tp); rewrite ltn_add2l.
Qed.

Lemma pad_disjoint : exists2 Ts : nat -> seq nat,
  forall t, t < p -> support_of (k t) [::] V (Ts t) /\ {in V, forall i, a t i -> i \in Ts t} &
  forall j, count (fun t => j \in Ts t) (iota 0 p) <= 1.
Proof.
exists (fun t => filter (a t) V ++ padding t) => [t tp|j].
  have free_not i : i \in free -> a t i = false.
    rewrite mem_filter => /andP[/hasPn no _]; apply/negP => ai.
    by have := no t; rewrite mem_iota tp ai => /(_ isT).
  split; last by move=> i iI ai; rewrite mem_cat mem_filter ai iI.
  split=> //=.
  - rewrite cat_uniq filter_uniq // take_uniq ?drop_uniq ?filter_uniq // andbT.
    by apply/hasPn => i /(padding_index tp)[/free_not ai _]; rewrite /= mem_filter ai.
  - rewrite size_cat size_filter size_takel ?subnKC ?few //.
    by rewrite size_drop leq_subRL ?enough // (leq_trans (leq_addr _ _) (enough tp)).
  move=> i; rewrite mem_cat mem_filter => /orP[/andP[] //|/(padding_index tp)[]].
  by rewrite mem_filter => /andP[].
have one s t : s < p -> t < p -> j \in filter (a s) V ++ padding s ->
    j \in filter (a t) V ++ padding t -> s = t.
  move=> sp tp; rewrite !mem_cat !mem_filter => /orP[/andP[as_ jI]|/(padding_index sp)[js /andP[s1 s2]]].
    case/orP=> [/andP[at_ _]|/(padding_index tp)[]]; first exact: apart jI _ _ as_ at_.
    by rewrite mem_filter => /andP[/hasPn/(_ s)]; rewrite mem_iota sp as_ => /(_ isT).
  case/orP=> [/andP[at_ _]|/(padding_index tp)[_ /andP[t1 t2]]].
    by move: js; rewrite mem_filter => /andP[/hasPn/(_ t)]; rewrite mem_iota tp at_ => /(_ isT).
  have later u v : u < v -> start u + lack u <= start v.
    by move=> uv; rewrite /start -big_nat_recr //= [X in _ <= X](@big_cat_nat _ _ _ u.+1) //= leq_addr.
  case: (ltngtP s t) => // [/later st|/later ts].
    by have := leq_trans (leq_trans s2 st) t1; rewrite ltnn.
  by have := leq_trans (leq_trans t2 ts) s1; rewrite ltnn.
rewrite -size_filter; set l := filter _ _; have : uniq l by rewrite filter_uniq ?iota_uniq.
have inl t : t \in l -> t < p /\ j \in filter (a t) V ++ padding t.
  by rewrite mem_filter mem_iota => /andP[].
case: l inl => [|s [|t l]] //= inl; have [sp js] := inl s (mem_head _ _).
have [|tp jt] := inl t; first by rewrite !inE eqxx orbT.
by rewrite (one s t) // inE eqxx.
Qed.

End Disjoint.
