(* Choices of sets are gone through from their beginnings, and every choice of a leaf is bounded. *)
From Coq Require Import Lia.
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk.
From SparseEigenvalue Require Import Components Leaves Multipliers Peaks Choices.

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
Let positive := positive table.
Let orthogonal := orthogonal table.
Let partsE : parts_of kind r = r. Proof. by rewrite /parts_of not_common. Qed.
Let off t i (tr : (t < r)%N) : i \notin Ts t -> x t i = 0.
Proof. by have := off table (i := i) tr; rewrite /part_of not_common. Qed.

Variables (points : seq table_point) (group : seq nat).
Let V := present n r J F.
Notation matrix q := (point_at points q).1.1.
Hypothesis points_ok : all (check_point Sigma n r J F) points.
Notation bounded := (\sum_(t < r) form (fun i j => val (entry Sigma i j)) I (x t) / square I (x t) <= val U).

(* The candidate of component t. *)
Definition valid t (c : candidate) : Prop :=
  [/\ uniq c.1, {subset c.1 <= J t ++ F t}, forall i, (i \in c.1) = (x t i != 0) &
    exists2 es, c.2 = map (peak_of c.1) es & all2 (is_peak c.1) points es].

Let f q t := form (fun i j => val (entry (matrix q) i j)) I (x t) / square I (x t).

Lemma point_ok q : (q < size points)%N -> {in V &, forall i j, entry (matrix q) i j = entry (matrix q) j i} /\
  exists why, semidefinite why V (fun=> shift_at points q) (block V (rest_of Sigma (matrix q))).
Proof.
move/(all_nthP no_point points_ok); rewrite /shift_at -/(point_at _ _); case: (point_at _ _) => [[M shift] why] /=.
rewrite !amongE combined_block ascendingK => /andP[sym semi]; split; first exact: symmetric_block.
by exists why.
Qed.

Lemma peak_valid q t c : (q < size points)%N -> (t < r)%N -> valid t c -> exists e,
  (peak_at q c).2 = peak_of c.1 e /\ f q t <= val e.1 + ip I (fun i => val (weight c.1 e.2 i)) (x t) ^+ 2 / square I (x t).
Proof.
move=> qp tr [uT sub inT [es cE ok]]; have := ok; rewrite all2E => /andP[/eqP sizes _].
exists (nth (Z0, [::]) es q); split; first by rewrite /peak_at cE (nth_map (Z0, [::])) -?sizes.
rewrite /f ler_pdivr_mulr ?positive // mulrDl divfK ?gt_eqF ?positive //; apply: peak_bounds => //.
- by move=> i /sub/within; apply.
- by move=> i j /sub iT /sub jT; apply: (point_ok qp).1; apply: (drawn_present within tr).
- by move=> i; rewrite inT negbK => /eqP.
move: ok; rewrite all2E => /andP[_ /(all_nthP (no_point, (Z0, [::])))/(_ q)].
by rewrite size_zip -sizes minnn nth_zip //; apply.
Qed.

Lemma sub_valid t c : (t < r)%N -> valid t c -> {subset c.1 <= I}.
Proof. by move=> tr [_ sub _ _] i /sub; apply: within. Qed.

Lemma top_bounds q t c : (q < size points)%N -> (t < r)%N -> valid t c -> f q t <= val (top_at q c).
Proof.
move=> qp tr ok; have [e [peakE le_f]] := peak_valid qp tr ok; have [uT _ _ _] := ok.
apply: le_trans le_f _; rewrite /top_at peakE /= valueD (value_product _ _ _ _ uT (sub_valid tr ok)).
by rewrite ler_add2l ler_pdivr_mulr ?positive //; apply: cauchy_schwarz.
Qed.

Lemma loses_bounds q s t b c d : (q < size points)%N -> (s < r)%N -> (t < r)%N -> s != t -> valid s b -> valid t c ->
  loses d (peak_at q b) (peak_at q c) -> f q s + f q t <= val (top_at q b) + val (top_at q c) - val d.
Proof.
move=> qp sr tr st okb okc; have [e [eE le_s]] := peak_valid qp sr okb; have [e' [eE' le_t]] := peak_valid qp tr okc.
have [ub _ _ _] := okb; have [uc _ _ _] := okc.
have productE := value_product R _ _ _ ub (sub_valid sr okb).
have productE' := value_product R _ _ _ uc (sub_valid tr okc).
rewrite /loses /top_at eE eE' /= => /and3P[small _ /(value_le R)].
rewrite !valueM valueB valueD !productE !productE' -expr2 => far.
have {}small : val d < ip I (fun i => val (weight b.1 e.2 i)) (fun i => val (weight b.1 e.2 i)).
  rewrite -productE -subr_gt0 -valueB; apply: value_gt0; apply/Z.ltb_lt/Z.lt_0_sub/Z.ltb_lt; exact: small.
have orth : ip I (x s) (x t) = 0 by apply: orthogonal.
have le_pair := two_lose (iota_uniq 0 n) (positive sr) (positive tr) orth small far.
rewrite !valueD !productE !productE'; apply: le_trans (ler_add le_s le_t) _.
rewrite [X in X <= _]addrACA [X in _ <= X - _]addrACA -[X in _ <= X]addrA; rewrite ler_add2l; exact: le_pair.
Qed.

Section Chosen.

Variable cand : nat -> candidate.
Hypothesis cand_ok : forall t, (t < r)%N -> valid t (cand t).
Notation top q t := (val (top_at q (cand t))).
Let used := filter (fun j => has (fun t => j \in (cand t).1) (iota 0 r)) V.

Lemma cost_paid q : (q < size points)%N ->
  \sum_(t < r) form (fun i j => val (entry Sigma i j) - val (entry (matrix q) i j)) I (x t) / square I (x t) <=
  \sum_(j <- used) val (cost_at Sigma points q j) - val (shifts r points q).
Proof.
move=> qp; have [symM [why semi]] := point_ok qp.
have zero t i : (t < r)%N -> i \notin used -> x t i = 0.
  move=> tr iU; have [_ sub inT _] := cand_ok tr; apply/eqP; apply: contraNT iU; rewrite -inT => iT.
  by rewrite mem_filter (drawn_present within tr (sub i iT)) andbT; apply/hasP; exists t; rewrite ?in_iota.
have uV : uniq V by rewrite filter_uniq ?iota_uniq.
have used_V i : i \in used -> i \in V by rewrite mem_filter => /andP[].
have V_in i : i \in V -> i \in I by apply: in_V.
apply: le_trans (left_paid (filter_uniq _ uV) (fun i iU => V_in i (used_V i iU)) zero positive orthogonal symS uV V_in
  _ _ symM semi) _ => [i j /used_V -> /used_V -> //|j /used_V -> //|].
rewrite /shifts valueM value_nat ler_add2r; apply: eqW.
by apply: eq_bigr => j _; rewrite /cost_at /rest_of valueD valueB.
Qed.

Lemma enough_bounds q l rest extra : (q < size points)%N -> perm_eq (l ++ rest) (iota 0 r) ->
  \sum_(t <- rest) top q t + (\sum_(j <- used) val (cost_at Sigma points q j) - val (shifts r points q)) <= val extra ->
  enough U (map (peak_at q) (map cand l)) extra -> bounded.
Proof.
move=> qp perm le_extra; rewrite -map_comp /enough => ok.
have in_r t : t \in l ++ rest -> (t < r)%N by rewrite (perm_mem perm) mem_iota.
have lr t : t \in l -> (t < r)%N by move=> tl; apply: in_r; rewrite mem_cat tl.
have tops m : {subset m <= l ++ rest} -> \sum_(t <- m) f q t <= \sum_(t <- m) top q t.
  by move=> sub; apply: sum_le => t /sub/in_r tr; apply: top_bounds (cand_ok tr).
have chosen : \sum_(t <- l) f q t <= val U - val extra.
  move: ok; set d := Z.sub _ U; have dE : val d = \sum_(t <- l) top q t + val extra - val U.
    rewrite /d valueB; congr (_ - _).
    by elim: (l) => [|a l' IH] /=; rewrite ?big_nil ?add0r // big_cons valueD IH addrA.
  have le_d : val U - val extra = \sum_(t <- l) top q t - val d by rewrite dE; ring.
  rewrite le_d; case/orP=> [/(value_le R) d0|pair].
    by apply: le_trans (tops l _) _; [move=> t tl; rewrite mem_cat tl | rewrite ler_addl oppr_ge0].
  have ul : uniq l by have := iota_uniq 0 r; rewrite -(perm_uniq perm) cat_uniq => /and3P[].
  have [s [t [sl tl st lost]]] := some_pairP ul pair.
  have tl' : t \in rem s l by rewrite (rem_filter s ul) mem_filter /= eq_sym st.
  have perm2 : perm_eq l (s :: t :: rem t (rem s l)).
    by apply: perm_trans (perm_to_rem sl) _; rewrite perm_cons perm_to_rem.
  rewrite !(perm_big _ perm2) !big_cons /= !addrA [X in _ <= X]addrAC; apply: ler_add.
    exact: (loses_bounds qp (lr s sl) (lr t tl) st (cand_ok (lr s sl)) (cand_ok (lr t tl)) lost).
  by apply: tops => u /mem_rem/mem_rem ul'; rewrite mem_cat ul'.
rewrite (sum_of_both Sigma n r x (matrix q)); apply: le_trans (ler_add (lexx _) (cost_paid qp)) _.
rewrite -(sum_iota r (f q)) -(perm_big _ perm) big_cat /=.
rewrite -addrA -(subrK (val extra) (val U)); apply: ler_add => //.
apply: le_trans le_extra; rewrite ler_add2r; apply: tops => t tl; by rewrite mem_cat tl orbT.
Qed.

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
have := orthogonal sr tr st; rewrite (@sum_support R [:: j]) ?iota_uniq //.
- by rewrite big_seq1 => /eqP; rewrite mulf_eq0 (negPf js) (negPf jt).
- by move=> i; rewrite inE => /eqP ->; apply: (within sr); apply: drawn; rewrite inS.
move=> i out; have := inC i; rewrite (negPf out) => /esym/negbT; rewrite negb_and !negbK.
by case/orP=> /eqP ->; rewrite ?mul0r ?mulr0.
Qed.

Notation fixed q := (\sum_(j <- used) val (cost_at Sigma points q j) - val (shifts r points q)).
Notation first_top t := (val (top_at 0 (cand t))).
Hypothesis some_points : (0 < size points)%N.

(* Of sets in their order the first has the largest top. *)
Let higher_top c own d : sorted higher (c :: own) -> d \in c :: own -> val (top_at 0 d) <= val (top_at 0 c).
Proof. exact: first_dearest. Qed.

Lemma tops_within (l : seq nat) (top : R) : (forall t, t \in l -> first_top t <= top) ->
  \sum_(t <- l) first_top t <= (size l)%:R * top.
Proof.
move=> each; rewrite big_seq; apply: le_trans (ler_sum _ (fun t tl => each t tl)) _.
by rewrite -big_seq big_const_seq count_predT iter_addr addr0 mulr_natl.
Qed.

Lemma visit_bounds base (next : seq candidate -> bool) m (ci : seq nat) own (rest later : seq nat) :
  size rest = m -> perm_eq (ci ++ rest ++ later) (iota 0 r) ->
  (forall t, t \in rest -> cand t \in own) -> sorted higher own ->
  \sum_(t <- later) first_top t + fixed 0%N <= val base ->
  (forall l, perm_eq (l ++ later) (iota 0 r) -> next (map cand l) -> bounded) ->
  visit (is_disjoint kind) U base next m (map cand ci) own -> bounded.
Proof.
move=> + + + + le_base next_ok.
elim: m ci own rest => [|m IHm] ci own rest; first by case: rest => // _ perm _ _; apply: next_ok.
move=> sizeE perm; elim: own => [|c own IHown] in_own is_sorted.
  by case: rest sizeE {perm} in_own => // t rest _ /(_ t (mem_head _ _)).
have in_r t : t \in ci ++ rest -> (t < r)%N.
  by have := perm_mem perm t; rewrite mem_iota /= => <-; rewrite !mem_cat => /orP[]->; rewrite ?orbT.
have next_own : {in rest, forall t, cand t != c} ->
    visit (is_disjoint kind) U base next m.+1 (map cand ci) own -> bounded.
  move=> none; apply: IHown; last exact: path_sorted is_sorted.
  by move=> t tr; have := in_own t tr; rewrite inE (negPf (none t tr)).
have out_ci t : t \in rest -> t \notin ci.
  have := iota_uniq 0 r; rewrite -(perm_uniq perm) catA cat_uniq => /andP[]; rewrite cat_uniq => /and3P[_ /hasPn out _] _.
  exact: out.
rewrite [visit _ _ _ _ _ _ _]/=; case: ifP => [_ /orP[out|/andP[here others]]|/negbT unfit].
- have {}out : enough U (map (peak_at 0) (map cand ci)) (Z.add base (Z.mul (Z.of_nat (size rest)) (top_at 0 c)))
    by rewrite sizeE.
  apply: (enough_bounds some_points perm _ out); rewrite valueD valueM value_nat big_cat /= -addrA addrC.
  by rewrite ler_add // tops_within // => t /in_own; apply: higher_top.
- have [/hasP[t t_rest /eqP cE]|/hasPn none] := boolP (has (fun t => cand t == c) rest); last exact: next_own.
  have perm_t : perm_eq ((t :: ci) ++ rem t rest ++ later) (iota 0 r).
    apply: perm_trans perm; rewrite perm_sym; apply: perm_trans (_ : perm_eq (ci ++ (t :: rem t rest) ++ later) _).
      by rewrite perm_cat2l perm_cat2r perm_to_rem.
    by rewrite cat_cons -[t :: (rem t rest ++ later)]cat1s perm_catCA.
  move: here; rewrite -cE -/(map cand (t :: ci)).
  apply: (IHm (t :: ci) (cand t :: own) (rem t rest)) => //; rewrite ?cE //.
    by rewrite size_rem // sizeE.
  by move=> u /mem_rem/in_own.
apply: next_own => t t_rest; apply: contraNneq unfit => <-; rewrite all_map; apply/allP => u uc /=.
by apply: valid_fits; [| |apply: contraNneq (out_ci t t_rest) => ->]; rewrite // in_r // mem_cat ?uc ?t_rest ?orbT.
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

Lemma plan_bounds g : (g <= size evidence)%N ->
  let p := plan Sigma n r (is_disjoint kind) k J F U points group g (drop g evidence) in
  \sum_(t <- from g) first_top t + fixed 0%N <= val p.1 /\
  (forall l, perm_eq (l ++ from g) (iota 0 r) -> p.2 (map cand l) -> bounded).
Proof.
move: {2}(size evidence - g)%N (erefl (size evidence - g)%N) => m; elim: m g => [|m IH] g mE ge.
  have -> : g = size evidence by apply/eqP; rewrite eqn_leq ge -subn_eq0 mE.
  have nil : from (size evidence) = [::].
    by apply/eqP; rewrite -[_ == _]negbK -has_filter; apply/hasPn => t; rewrite mem_iota -ltnNge => /grouped.
  rewrite drop_size nil /=; split=> [|l].
    rewrite big_nil add0r valueB value_total ler_add2r /used big_filter big_mkcond; apply: ler_sum => j _.
    by rewrite value_max; case: ifP; rewrite le_maxr lexx ?orbT.
  rewrite cats0 /final => perm /hasP[q]; rewrite mem_iota => /= qp; apply: (enough_bounds (rest := [::])) => //.
    by rewrite cats0.
  rewrite big_nil add0r valueB value_total ler_add2r; apply: eqW.
  set W := filter (fun j => has (fun c => has (eqn j) c.1) (map cand l)) V; have -> // : W = used.
  by apply: eq_filter => j; rewrite has_map -(perm_has _ perm); apply: eq_has => t /=; rewrite has_eqb.
have lt_g : (g < size evidence)%N by rewrite -subn_gt0 mE.
rewrite (drop_nth [::] lt_g) /=; have {IH} := IH g.+1 _ lt_g; case: (plan _ _ _ _ _ _ _ _ _ _ _ _) => base next.
case=> [|/= le_base next_ok]; first by rewrite subnS mE.
have in_own t : t \in members r group g -> cand t \in own g.
  by rewrite mem_filter eqnE mem_iota => /andP[/eqP <- /cand_own].
have is_sorted : sorted higher (own g).
  by apply: sort_sorted => a b; rewrite /higher; do 2?case: Z.leb_spec => //; lia.
split=> [|l perm].
  rewrite valueD valueM value_nat (perm_big _ (from_split g)) big_cat /= -addrA addrC ler_add // tops_within //.
  move=> t /in_own; move: is_sorted; case: (own g) => // c l; exact: higher_top.
apply: (visit_bounds (rest := members r group g) (later := from g.+1)) => //.
by apply: perm_trans perm; rewrite perm_cat2l perm_sym from_split.
Qed.

End Chosen.

(* Where x_t is not 0 is one of the sets of the first component of its group. *)
Lemma own_set t l : (t < r)%N -> (l < r)%N -> alike k J F t l ->
  let T := filter (fun i => x t i != 0) (J l) ++ filter (fun i => x t i != 0) (F l) in
  [/\ T \in sets k J F l, uniq T, {subset T <= J t ++ F t} & forall i, (i \in T) = (x t i != 0)].
Proof.
move=> tr lr; have [uJF _ _ TJF] := node tr; have [uJF' _ _ _] := node lr.
move: (uJF) (uJF'); rewrite !cat_uniq => /and3P[uJ _ uF] /and3P[uJ' _ uF'].
case/and3P=> /eqnP kE /same_setE/(uniq_perm uJ uJ') permJ /same_setE/(uniq_perm uF uF') permF T.
have TE : T = filter (fun i => x t i != 0) (J l ++ F l) by rewrite filter_cat.
have inT i : (i \in T) = (x t i != 0).
  rewrite TE mem_filter; apply: andb_idr => xi; rewrite mem_cat -(perm_mem permJ) -(perm_mem permF) -mem_cat.
  by apply: TJF; apply: contraNT xi => out; rewrite off.
split=> //; first last.
- by move=> i; rewrite TE mem_filter !mem_cat (perm_mem permJ) (perm_mem permF) => /andP[].
- by rewrite TE filter_uniq.
rewrite mem_filter; apply/andP; split.
  rewrite lt0n size_eq0; apply/eqP => T0; have := positive tr.
  by rewrite /square big1 ?ltxx // => i _; have := inT i; rewrite T0 => /esym/negbFE/eqP ->; rewrite expr0n.
apply/flattenP; exists (map (cat (filter (fun i => x t i != 0) (J l))) (few (k l - size (J l)) (F l))).
  by apply: (map_f (fun A => map (cat A) _)); apply: fewP; apply: count_size.
apply: map_f; apply: fewP; rewrite -kE -(perm_size permJ) -(seq.permP permF).
have /sizes_le size_T : size (Ts t) \in sizes_of smaller (k t) by apply: (sized table); rewrite partsE.
apply: leq_trans (leq_sub2r _ size_T); rewrite -(count_free (node tr)).
by apply: sub_count => i; apply: contraNT => out; rewrite /= off.
Qed.

Theorem choices_bound evidence : check_choices Sigma n r (is_disjoint kind) k J F U points group evidence -> bounded.
Proof.
case/and5P=> some_points _ /allP in_group /allP groups.
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
have [_ all_ok] := plan_bounds (fun t tr => (candP t tr).2) some_points grouped (fun t tr => (candP t tr).1) (leq0n _).
rewrite -[evidence]drop0; apply: (all_ok [::]); rewrite /= (eq_filter (a2 := xpredT)) ?filter_predT //.
Qed.

End Bound.
