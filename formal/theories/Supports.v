(* Supports of a node, and how a set of variables is padded to one. *)
From SparseEigenvalue Require Import Setting Checker.

Local Open Scope nat_scope.

Lemma has_eqb i l : has (eqn i) l = (i \in l).
Proof. by elim: l => //= j l ->; rewrite eqnE in_cons. Qed.

Lemma mem_without i j l : (j \in without i l) = (j != i) && (j \in l).
Proof. by rewrite mem_filter eqnE eq_sym. Qed.

Lemma count_swap (s t : seq nat) : uniq s -> uniq t -> count (mem s) t = count (mem t) s.
Proof.
by move=> us ut; rewrite -!size_filter; apply/perm_size/uniq_perm; rewrite ?filter_uniq // => i; rewrite !mem_filter andbC.
Qed.

(* T is a support of the node that forces J in and leaves F free. *)
Record holds (J F T : seq nat) : Prop := Holds {
  node_uniq : uniq (J ++ F);
  support_uniq : uniq T;
  forced_in : {subset J <= T};
  drawn_from : {subset T <= J ++ F} }.

(* All variables in one part, of which T has k. *)
Lemma one_part n k T (q := [:: (iota 0 n, k)]) : uniq T -> {subset T <= iota 0 n} -> size T = k ->
  [/\ uniq (flatten (map fst q)), {subset iota 0 n <= flatten (map fst q)} & {in q, forall b, count (mem T) b.1 = b.2}].
Proof.
rewrite /q => uT TI <-; rewrite /= cats0; split=> //; rewrite ?iota_uniq // => b; rewrite inE => /eqP -> /=.
by rewrite count_swap ?iota_uniq //; apply/eqP; rewrite -all_count; apply/allP.
Qed.

Section Supports.

Variables J F T : seq nat.
Hypothesis node : holds J F T.

Lemma forced_uniq : uniq J.
Proof. by case: node; rewrite cat_uniq => /andP[]. Qed.

Lemma forced_not_free i : i \in J -> i \notin F.
Proof. by case: node; rewrite cat_uniq => /and3P[_ /hasPn out _] _ _ _; apply: contraL => /out. Qed.

Lemma support_split : perm_eq T (J ++ filter (mem T) F).
Proof.
case: node => uJF uT JT TJF; apply: uniq_perm => // [|i].
  by apply: subseq_uniq uJF; rewrite cat_subseq ?filter_subseq.
rewrite mem_cat mem_filter /=; apply/idP/orP => [iT | [/JT //|/andP[] //]].
by have := TJF i iT; rewrite mem_cat iT => /orP.
Qed.

Lemma count_free : count (mem T) F = (size T - size J)%N.
Proof. by rewrite (perm_size support_split) size_cat addKn size_filter. Qed.

Lemma support_sizes : (size J <= size T <= size J + size F)%N.
Proof.
rewrite -size_cat (perm_size support_split) !size_cat leq_addr leq_add2l.
by rewrite size_filter count_size.
Qed.

Lemma fewer_free (a : pred nat) : {in T, forall j, j \in F -> a j} -> holds J (filter a F) T.
Proof.
case: node => uJF uT JT TJF keep; split=> //; first by apply: subseq_uniq uJF; rewrite cat_subseq ?filter_subseq.
by move=> j jT; have := TJF j jT; rewrite !mem_cat mem_filter => /orP[-> //|jF]; rewrite jF (keep j) // orbT.
Qed.

Lemma support_full : (size T <= size J)%N -> holds J [::] T.
Proof.
rewrite -subn_eq0 -count_free eqn0Ngt -has_count => /hasPn full.
by rewrite -(filter_pred0 F); apply: fewer_free => i iT iF; have := full i iF; rewrite /= iT.
Qed.

Lemma splits v : v \in F -> holds (if v \in T then v :: J else J) (without v F) T.
Proof.
move=> vF; case: ifP => vT; last first.
  by apply: fewer_free => i iT _; rewrite eqnE; apply: contraFneq vT => ->.
case: (node) => uJF uT JT TJF; split=> // [|i|i /TJF].
- rewrite /= mem_cat negb_or mem_without eqxx andbT (subseq_uniq _ uJF) ?cat_subseq ?filter_subseq // andbT.
  by apply: contraL vF => /forced_not_free.
- by rewrite inE => /orP[/eqP -> //|/JT].
by rewrite /= inE !mem_cat mem_without; case: eqP.
Qed.

End Supports.

(* A list of members of l is made longer, one after another, as long as it may be. *)
Lemma grow (X : eqType) (ok : pred (seq X)) (l A : seq X) : uniq A -> {subset A <= l} -> ok A -> exists T,
  [/\ uniq T, {subset A <= T}, {subset T <= l}, ok T & {in l, forall i, i \notin T -> ~~ ok (i :: T)}].
Proof.
have [m] := ubnP (size l - size A); elim: m A => // m IH A le_m uA Al okA.
have [/hasP[i il /andP[iA ok_i]]|/hasPn none] := boolP (has (fun i => (i \notin A) && ok (i :: A)) l); last first.
  by exists A; split=> // i il iA; have := none i il; rewrite iA.
have uiA : uniq (i :: A) by rewrite /= iA.
have iAl : {subset i :: A <= l} by move=> j; rewrite inE => /orP[/eqP ->|/Al].
have [|T [uT AT Tl okT most]] := IH (i :: A) _ uiA iAl ok_i; last first.
  by exists T; split=> // j jA; apply: AT; rewrite inE jA orbT.
by rewrite /= subnS prednK ?subn_gt0 ?(uniq_leq_size uiA iAl).
Qed.

(* The set of J and of those of F for which a is true, made longer in this way. *)
Lemma grown (ok : pred (seq nat)) (a : pred nat) J F : uniq (J ++ F) -> ok (J ++ filter a F) -> exists T,
  [/\ holds J F T, {in J ++ F, forall i, a i -> i \in T}, ok T & {in J ++ F, forall i, i \notin T -> ~~ ok (i :: T)}].
Proof.
move=> uJF okA; have [||T [uT AT Tl okT most]] := grow _ _ okA (l := J ++ F).
- by apply: subseq_uniq uJF; rewrite cat_subseq ?filter_subseq.
- by move=> i; rewrite !mem_cat mem_filter => /orP[->//|/andP[_ ->]]; rewrite orbT.
exists T; split=> // [|i]; first by split=> // i iJ; apply: AT; rewrite mem_cat iJ.
by rewrite mem_cat => iJF ai; apply: AT; rewrite mem_cat mem_filter ai.
Qed.

(* A set `a` of variables is padded to exactly k. *)
Lemma pad (a : pred nat) k J F : uniq (J ++ F) -> size J + count a F <= k <= size J + size F ->
  exists T, [/\ holds J F T, size T = k & {in J ++ F, forall i, a i -> i \in T}].
Proof.
move=> uJF /andP[few many]; have [|T [node aT le_k most]] := @grown (fun T => size T <= k) a J F uJF.
  by rewrite size_cat size_filter.
exists T; split=> //; apply/eqP; rewrite eqn_leq le_k leqNgt; apply/negP => less; move: many; rewrite -size_cat leqNgt => /negP[].
by apply: (leq_ltn_trans _ less); apply: uniq_leq_size => // i iJF; apply: contraT => /(most i iJF); rewrite /= less.
Qed.

Lemma same_part (quota : seq (seq nat * nat)) b d i : uniq (flatten (map fst quota)) ->
  b \in quota -> d \in quota -> i \in b.1 -> i \in d.1 -> b = d.
Proof.
elim: quota => //= e q IH; rewrite cat_uniq => /and3P[_ /hasPn apart uq].
have out c : c \in q -> i \in c.1 -> i \in e.1 = false.
  by move=> cq ic; apply/negbTE/apart/flattenP; exists c.1 => //; apply: map_f.
by rewrite !inE => /orP[/eqP ->|bq] /orP[/eqP ->|dq] // ib id; [rewrite (out d) in ib|rewrite (out b) in id|apply: IH].
Qed.

Lemma part_uniq (quota : seq (seq nat * nat)) b : uniq (flatten (map fst quota)) -> b \in quota -> uniq b.1.
Proof. elim: quota => //= d l IH; rewrite inE cat_uniq => /and3P[ud _ ul] /orP[/eqP -> //|]; exact: IH. Qed.

Lemma count_has (X : Type) (P : nat -> pred X) (l : seq nat) (s : seq X) :
  count (fun j => has (fun t => P t j) l) s <= \sum_(t <- l) count (P t) s.
Proof.
elim: l => [|t l IH]; first by rewrite big_nil (eq_count (a2 := pred0)) ?count_pred0.
by rewrite big_cons; apply: leq_trans (leq_add (leqnn _) IH); rewrite -count_predUI leq_addr.
Qed.

(* Sets a_t, t < p, no two of which meet, are padded to k_t variables each so that still no two meet: the last of them
   with variables that no other has, and then the others without it. *)
Lemma pad_disjoint (V : seq nat) p (a : nat -> pred nat) (k : nat -> nat) : uniq V ->
  (forall t, t < p -> count (a t) V <= k t) -> \sum_(0 <= t < p) k t <= size V ->
  (forall s t i, i \in V -> s < p -> t < p -> a s i -> a t i -> s = t) ->
  exists2 Ts : nat -> seq nat,
    forall t, t < p -> [/\ holds [::] V (Ts t), size (Ts t) = k t & {in V, forall i, a t i -> i \in Ts t}] &
    forall j, count (fun t => j \in Ts t) (iota 0 p) <= 1.
Proof.
elim: p V => [|p IH] V uV few; first by exists (fun=> [::]).
rewrite big_nat_recr // => fit apart; rewrite /= in fit; have lt_p t : t < p -> t < p.+1 by apply: ltnW.
pose taken i := has (fun t => a t i) (iota 0 p); pose W := filter (predC taken) V.
have [||T [[_ uT _ TW] sT aT]] := @pad (a p) (k p) [::] W; first by rewrite cat0s filter_uniq.
  rewrite !add0n; apply/andP; split.
    by rewrite count_filter; apply: leq_trans (few p (ltnSn p)); apply: sub_count => i /andP[].
  rewrite size_filter -(leq_add2l (count taken V)) count_predC; apply: leq_trans fit; rewrite leq_add2r.
  apply: leq_trans (count_has a _ _) _; rewrite /index_iota subn0 big_seq [X in _ <= X]big_seq.
  by apply: leq_sum => t; rewrite mem_iota => /= /lt_p/few.
have T_free i : i \in T -> (i \in V) && ~~ taken i by move=> /TW; rewrite mem_filter andbC.
pose V' := filter (fun i => i \notin T) V; have V'V i : i \in V' -> i \in V by rewrite mem_filter => /andP[].
have [|t tp||s t i /V'V iV sp tp|Ts nodes one] := IH V'; first by rewrite filter_uniq.
- by rewrite count_filter; apply: leq_trans (few t (lt_p t tp)); apply: sub_count => i /andP[].
- rewrite -(leq_add2r (k p)); apply: leq_trans fit _; rewrite -sT size_filter addnC -(count_predC (mem T)) leq_add2r.
  by rewrite (count_swap uT uV) count_size.
- by apply: apart => //; apply: lt_p.
exists (fun t => if t == p then T else Ts t) => [t|j].
  rewrite ltnS leq_eqVlt; case: eqP => [-> _|_ /= tp].
    split=> // [|i iV ai]; first by split=> // i /T_free/andP[].
    apply: aT => //; rewrite /= mem_filter iV andbT; apply/hasPn => s; rewrite mem_iota => /= sp.
    by apply: contraL (sp) => as_i; rewrite (apart s p i) ?ltnn // lt_p.
  have [[_ uTs _ TV'] sTs aTs] := nodes t tp; split=> // [|i iV ai]; first by split=> // i /TV'/V'V.
  apply: aTs => //; rewrite mem_filter iV andbT; apply/negP => /T_free/andP[_ /hasPn/(_ t)].
  by rewrite mem_iota ai => /(_ tp).
rewrite -[p.+1]addn1 iotaD count_cat /= eqxx addn0.
rewrite (@eq_in_count _ _ (fun t => j \in Ts t)) => [|t]; last by rewrite mem_iota => /= tp; rewrite (ltn_eqF tp).
have [jT|_] := boolP (j \in T); last by rewrite addn0.
rewrite (@eq_in_count _ _ pred0) ?count_pred0 // => t; rewrite mem_iota => /= tp.
by have [[_ _ _ TV'] _ _] := nodes t tp; apply/negP => /TV'; rewrite /= mem_filter jT.
Qed.
