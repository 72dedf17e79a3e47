(* Choices of sets are gone through from their beginnings, and every choice of a leaf is bounded. *)
From Coq Require Import Lia.
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Walk Components Leaves Multipliers Peaks Choices.

Section Bound.

Variables (R : realFieldType) (Sigma : seq (seq Z)) (n r : nat) (kind : table_kind) (smaller : bool) (k : nat -> nat).
Variables (J F : nat -> seq nat) (U : Z) (Ts : nat -> seq nat) (x : nat -> nat -> R).
Notation val := (@value R).
Notation I := (iota 0 n).
Hypothesis symS : {in I &, forall i j, entry Sigma i j = entry Sigma j i}.
Hypothesis not_common : is_common kind = false.
Hypothesis table : leaf_table n r kind smaller k Ts x.
Hypothesis node : forall t, (t < r)%N -> holds (J t) (F t) (Ts t).
Hypothesis within : forall t, (t < r)%N -> {subset J t ++ F t <= I}.
Let partsE : parts_of kind r = r. Proof. by rewrite /parts_of not_common. Qed.
Let off t i (tr : (t < r)%N) : i \notin Ts t -> x t i = 0.
Proof. by have := off table (i := i) tr; rewrite /part_of not_common. Qed.

Variables (points : seq table_point) (early : nat) (group : seq nat).
Let V := present n r J F.
Hypothesis points_ok : all (check_point Sigma n r J F) points.
Notation bounded := (\sum_(t < r) form (fun i j => val (entry Sigma i j)) I (x t) / square I (x t) <= val U).

Notation valid := (valid J F x points).

Section Chosen.

Variable cand : nat -> candidate.
Hypothesis cand_ok : forall t, (t < r)%N -> valid t (cand t).
Let used := filter (fun j => has (fun t => j \in (cand t).1) (iota 0 r)) V.
Let enough_bounds := enough_bounds (U := U) symS table within points_ok cand_ok.

Lemma valid_fits s t : (s < r)%N -> (t < r)%N -> s != t -> fits (is_disjoint kind) (cand s) (cand t).
Proof.
move=> sr tr st; have [us drawn inS _] := cand_ok sr; have [_ _ inT _] := cand_ok tr.
rewrite /fits eqnE; set common := filter _ _.
have inC j : (j \in common) = (x s j != 0) && (x t j != 0) by rewrite mem_filter has_eqb inS inT andbC.
have uC : uniq common by rewrite filter_uniq.
have in_Ts j u : (u < r)%N -> x u j != 0 -> j \in Ts u by move=> ur; apply: contraNT => out; rewrite off.
have both j : j \in common -> [:: s; t] =i [:: s; t] /\ {subset [:: s; t] <= filter (fun u => j \in Ts u) (iota 0 r)}.
  rewrite inC => /andP[js jt]; split=> // u; rewrite !inE mem_filter mem_iota.
  by case/orP=> /eqP ->; rewrite ?sr ?tr in_Ts.
case: ifP => is_single.
  case: common {uC inC} both => // j l both; have [_ sub] := both j (mem_head _ _).
  have := uniq_leq_size (_ : uniq [:: s; t]) sub; rewrite /= inE st size_filter => /(_ isT) many.
  by have := apart table is_single j; rewrite partsE => /(leq_trans many).
apply/negP => /eqP one; move: both uC inC one; case: common => [|j []] // _ _ inC _.
have := inC j; rewrite mem_head => /esym/andP[js jt].
have := orthogonal table sr tr st; rewrite (@sum_support R [:: j]) ?iota_uniq //.
- by rewrite big_seq1 => /eqP; rewrite mulf_eq0 (negPf js) (negPf jt).
- by move=> i; rewrite inE => /eqP ->; apply: (within sr); apply: drawn; rewrite inS.
move=> i out; have := inC i; rewrite (negPf out) => /esym/negbT; rewrite negb_and !negbK.
by case/orP=> /eqP ->; rewrite ?mul0r ?mulr0.
Qed.

Notation fixed q := (\sum_(j <- used) val (cost Sigma points q j) - val (shifts r points q)).
Hypothesis early_le : (early <= size points)%N.

Lemma tops_within q (l : seq nat) (top : R) : (forall t, t \in l -> val (top_at q (cand t)) <= top) ->
  \sum_(t <- l) val (top_at q (cand t)) <= (size l)%:R * top.
Proof.
move=> each; rewrite big_seq; apply: le_trans (ler_sum _ (fun t tl => each t tl)) _.
by rewrite -big_seq big_const_seq count_predT iter_addr addr0 mulr_natl.
Qed.

Lemma left_out_bounds bases (m : nat) top ci rest later q : (q < early)%N -> perm_eq (ci ++ rest ++ later) (iota 0 r) ->
  (forall q, (q < early)%N -> \sum_(t <- later) val (top_at q (cand t)) + fixed q <= val (nth Z0 bases q)) ->
  (forall t, t \in rest -> val (top_at q (cand t)) <= val (top q)) -> size rest = m ->
  left_out U bases m top (map cand ci) q -> bounded.
Proof.
move=> qe perm le_bases le_top <-; rewrite /left_out => ok.
apply: (enough_bounds (leq_trans qe early_le) perm _ ok); rewrite valueD valueM value_nat big_cat /=.
by rewrite -addrA addrC ler_add ?le_bases ?tops_within.
Qed.

Lemma visit_bounds bases tops (next : seq candidate -> bool) m (ci : seq nat) (own : seq candidate) (rest later : seq nat) :
  size rest = m -> perm_eq (ci ++ rest ++ later) (iota 0 r) ->
  (forall t, t \in rest -> cand t \in own) -> sorted higher own ->
  (forall q c, (q < early)%N -> c \in own -> val (top_at q c) <= val (nth Z0 tops q)) ->
  (forall q, (q < early)%N -> \sum_(t <- later) val (top_at q (cand t)) + fixed q <= val (nth Z0 bases q)) ->
  (forall l, perm_eq (l ++ later) (iota 0 r) -> next (map cand l) -> bounded) ->
  visit (is_disjoint kind) U early bases tops next m (map cand ci) own -> bounded.
Proof.
move=> + + + + + le_bases next_ok.
elim: m ci own rest => [|m IHm] ci own rest; first by case: rest => // _ perm _ _ _; apply: next_ok.
move=> sizeE perm; elim: own => [|c own IHown] in_own is_sorted le_tops.
  by case: rest sizeE {perm} in_own => // t rest _ /(_ t (mem_head _ _)).
have in_r t : t \in ci ++ rest -> (t < r)%N.
  by have := perm_mem perm t; rewrite mem_iota /= => <-; rewrite !mem_cat => /orP[]->; rewrite ?orbT.
have next_own : {in rest, forall t, cand t != c} ->
    visit (is_disjoint kind) U early bases tops next m.+1 (map cand ci) own -> bounded.
  move=> none; apply: IHown; first by move=> t tr; have := in_own t tr; rewrite inE (negPf (none t tr)).
    by apply: path_sorted is_sorted.
  by move=> q d qe d_own; apply: le_tops; rewrite // inE d_own orbT.
have out_ci t : t \in rest -> t \notin ci.
  have := iota_uniq 0 r; rewrite -(perm_uniq perm) catA cat_uniq => /andP[]; rewrite cat_uniq => /and3P[_ /hasPn out _] _.
  exact: out.
rewrite [visit _ _ _ _ _ _ _ _ _]/=; case: ifP => [_ /orP[/andP[e0 out]|/andP[here others]]|/negbT unfit]; first 1 last.
- have [/hasP[t t_rest /eqP cE]|/hasPn none] := boolP (has (fun t => cand t == c) rest); last exact: next_own.
  have perm_t : perm_eq ((t :: ci) ++ rem t rest ++ later) (iota 0 r).
    apply: perm_trans perm; rewrite perm_sym; apply: perm_trans (_ : perm_eq (ci ++ (t :: rem t rest) ++ later) _).
      by rewrite perm_cat2l perm_cat2r perm_to_rem.
    by rewrite cat_cons -[t :: (rem t rest ++ later)]cat1s perm_catCA.
  have size_t : size (rem t rest) = m by rewrite size_rem // sizeE.
  have in_rem u : u \in rem t rest -> cand u \in c :: own by move=> /mem_rem/in_own.
  move: here; rewrite -cE -/(map cand (t :: ci)) => /orP[/hasP[q]|ok].
    by rewrite mem_iota => /= qe out; apply: (left_out_bounds qe perm_t le_bases _ size_t out) => u /in_rem/le_tops ->.
  by apply: (IHm (t :: ci) (cand t :: own) (rem t rest)) ok; rewrite ?cE.
- apply: next_own => t t_rest; apply: contraNneq unfit => <-; rewrite all_map; apply/allP => u uc /=.
  by apply: valid_fits; [| |apply: contraNneq (out_ci t t_rest) => ->]; rewrite // in_r // mem_cat ?uc ?t_rest ?orbT.
apply: (left_out_bounds _ perm le_bases _ sizeE out); first by [].
move=> t /in_own; rewrite inE => /orP[/eqP -> //|t_own]; apply: value_le.
have trans : transitive higher by move=> b a d; rewrite /higher => /Z.leb_le ba /Z.leb_le db; apply/Z.leb_le; lia.
by have := order_path_min trans is_sorted => /allP/(_ _ t_own).
Qed.

(* Components of this group and those after it. *)
Variable evidence : seq (seq (seq (Z * seq Z))).
Notation group_of := (group_of group).
Notation own g := (candidates r k J F group g (nth [::] evidence g)).
Hypothesis grouped : forall t, (t < r)%N -> (group_of t < size evidence)%N.
Hypothesis cand_own : forall t, (t < r)%N -> cand t \in own (group_of t).
Let from g := filter (fun t => g <= group_of t)%N (iota 0 r).

Lemma from_split g : perm_eq (from g) (members r group g ++ from g.+1).
Proof.
rewrite /members /from -(perm_filterC (fun t => eqn (group_of t) g) (filter _ _)) -!filter_predI.
rewrite perm_sym; apply/permP => a; rewrite !count_cat; congr (count a _ + count a _)%N; apply: eq_filter => t /=.
  by rewrite eqnE; case: eqP => // ->; rewrite leqnn.
by rewrite eqnE ltn_neqAle eq_sym.
Qed.

Lemma nth_early (h : nat -> Z) q : (q < early)%N -> nth Z0 (map h (iota 0 early)) q = h q.
Proof. by move=> qe; rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma plan_bounds g : (g <= size evidence)%N ->
  let p := plan Sigma n r (is_disjoint kind) k J F U points early group g (drop g evidence) in
  (forall q, (q < early)%N -> \sum_(t <- from g) val (top_at q (cand t)) + fixed q <= val (nth Z0 p.1 q)) /\
  (forall l, perm_eq (l ++ from g) (iota 0 r) -> p.2 (map cand l) -> bounded).
Proof.
move: {2}(size evidence - g)%N (erefl (size evidence - g)%N) => m; elim: m g => [|m IH] g mE ge.
  have -> : g = size evidence by apply/eqP; rewrite eqn_leq ge -subn_eq0 mE.
  have nil : from (size evidence) = [::].
    by apply/eqP; rewrite -[_ == _]negbK -has_filter; apply/hasPn => t; rewrite mem_iota -ltnNge => /grouped.
  rewrite drop_size nil /=; split=> [q qe|l].
    rewrite big_nil add0r nth_early // valueB value_total ler_add2r /used big_filter big_mkcond; apply: ler_sum => j _.
    by rewrite value_max; case: ifP; rewrite le_maxr lexx ?orbT.
  rewrite cats0 /final => perm /hasP[q]; rewrite mem_iota => /= qp; apply: (enough_bounds (rest := [::])) => //.
    by rewrite cats0.
  rewrite big_nil add0r valueB value_total ler_add2r; apply: eqW.
  set W := filter (fun j => has (fun c => has (eqn j) c.1) (map cand l)) V; have -> : W = used.
    by apply: eq_filter => j; rewrite has_map -(perm_has _ perm); apply: eq_has => t /=; rewrite has_eqb.
  apply: eq_big_seq => j; rewrite !mem_filter mem_iota => /and3P[_ _ /= jn].
  by rewrite /all_costs (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota.
have lt_g : (g < size evidence)%N by rewrite -subn_gt0 mE.
rewrite (drop_nth [::] lt_g) /=; have {IH} := IH g.+1 _ lt_g; case: (plan _ _ _ _ _ _ _ _ _ _ _ _ _) => bases next.
case=> [|/= le_bases next_ok]; first by rewrite subnS mE.
have in_own t : t \in members r group g -> cand t \in own g.
  by rewrite mem_filter eqnE mem_iota => /andP[/eqP <- /cand_own].
set tops := [seq foldr _ _ _ | q <- _].
have le_tops q c : (q < early)%N -> c \in own g -> val (top_at q c) <= val (nth Z0 tops q).
  move=> qe c_own; rewrite /tops nth_early //; apply: value_le.
  by elim: (own g) c_own => //= b l IH; rewrite inE => /orP[/eqP ->|/IH /Z.leb_le le_c]; apply/Z.leb_le; lia.
split=> [q qe|l perm].
  rewrite nth_early // valueD valueM value_nat (perm_big _ (from_split g)) big_cat /= -addrA addrC.
  by rewrite ler_add ?le_bases ?tops_within // => t /in_own; apply: le_tops.
apply: (visit_bounds (rest := members r group g) (later := from g.+1)) => //.
- by apply: perm_trans perm; rewrite perm_cat2l perm_sym from_split.
- by apply: sort_sorted => a b; rewrite /higher; do 2?case: Z.leb_spec => //; lia.
Qed.

End Chosen.

(* Where x_t is not 0 is one of the sets of the first component of its group. *)
Lemma own_set t l : (t < r)%N -> (l < r)%N -> alike k J F t l ->
  let T := filter (fun i => x t i != 0) (J l) ++ filter (fun i => x t i != 0) (F l) in
  [/\ T \in sets k J F l, uniq T, {subset T <= J t ++ F t} & forall i, (i \in T) = (x t i != 0)].
Proof.
move=> tr lr; have [uJF _ _ _ TJF] := node tr; have [uJF' _ _ _ _] := node lr.
move: (uJF) (uJF'); rewrite !cat_uniq => /and3P[uJ _ uF] /and3P[uJ' _ uF'].
case/and3P=> /eqnP kE /sameE/(uniq_perm uJ uJ') permJ /sameE/(uniq_perm uF uF') permF T.
have TE : T = filter (fun i => x t i != 0) (J l ++ F l) by rewrite filter_cat.
have inT i : (i \in T) = (x t i != 0).
  rewrite TE mem_filter; apply: andb_idr => xi; rewrite mem_cat -(perm_mem permJ) -(perm_mem permF) -mem_cat.
  by apply: TJF; apply: contraNT xi => out; rewrite off.
split=> //; first last.
- by move=> i; rewrite TE mem_filter !mem_cat (perm_mem permJ) (perm_mem permF) => /andP[].
- by rewrite TE filter_uniq.
rewrite mem_filter; apply/andP; split.
  rewrite lt0n size_eq0; apply/eqP => T0; have := positive table tr.
  by rewrite /square big1 ?ltxx // => i _; have := inT i; rewrite T0 => /esym/negbFE/eqP ->; rewrite expr0n.
apply/flattenP; exists (map (cat (filter (fun i => x t i != 0) (J l))) (few (k l - size (J l)) (F l))).
  by apply: (map_f (fun A => map (cat A) _)); apply: fewP; apply: count_size.
apply: map_f; apply: fewP; rewrite -kE -(perm_size permJ) -(seq.permP permF).
have /sizes_le size_T : size (Ts t) \in sizes_of smaller (k t) by apply: (sized table); rewrite partsE.
apply: leq_trans (leq_sub2r _ size_T); rewrite -(count_free (node tr)).
by apply: sub_count => i; apply: contraNT => out; rewrite /= off.
Qed.

Theorem choices_bound evidence : check_choices Sigma n r (is_disjoint kind) k J F U points early group evidence -> bounded.
Proof.
case/and5P=> early_le _ /allP in_group /allP groups.
have grouped t : (t < r)%N -> (group_of group t < size evidence)%N.
  by move=> tr; apply: in_group; rewrite mem_iota.
pose own g := candidates r k J F group g (nth [::] evidence g).
have found (t : 'I_r) : exists c, c \in own (group_of group t) /\ valid t c.
  have tr := ltn_ord t; set g := group_of group t; have := groups g; rewrite mem_iota (grouped t tr) => /(_ isT).
  case/andP=> /allP alike_lead ok; have t_in : nat_of_ord t \in members r group g.
    by rewrite mem_filter mem_iota eqnE eqxx tr.
  have lr : (lead r group g < r)%N.
    have : lead r group g \in members r group g by rewrite /lead; case: (members _ _ _) t_in => // a l _; apply: mem_head.
    by rewrite mem_filter mem_iota => /andP[].
  have [T_in uT sub inT] := own_set tr lr (alike_lead _ t_in); set T := _ ++ _ in T_in uT sub inT.
  move: ok; rewrite all2E => /andP[/eqP sizes ok]; set s := sets k J F _ in T_in sizes ok.
  set es := nth [::] (nth [::] evidence g) (index T s).
  have pair : (T, es) \in zip s (nth [::] evidence g).
    rewrite [X in X \in _](_ : _ = nth ([::], [::]) (zip s (nth [::] evidence g)) (index T s)).
      by apply: mem_nth; rewrite size_zip -sizes minnn index_mem.
    by rewrite nth_zip // nth_index.
  exists (T, map (peak_of T) es); split; last by split=> //; exists es => //; apply: (allP ok _ pair).
  rewrite /own /candidates mem_sort; exact: (map_f (fun p => (p.1, map (peak_of p.1) p.2)) pair).
have [f_ fP] := fin_all_exists found; pose cand t := oapp f_ ([::], [::]) (insub t).
have candP t : (t < r)%N -> cand t \in own (group_of group t) /\ valid t (cand t).
  by move=> tr; rewrite /cand insubT; apply: fP (Ordinal tr).
have [_ all_ok] := plan_bounds (fun t tr => (candP t tr).2) early_le grouped (fun t tr => (candP t tr).1) (leq0n _).
rewrite -[evidence]drop0; apply: (all_ok [::]); rewrite /= (eq_filter (a2 := xpredT)) ?filter_predT //.
Qed.

End Bound.
