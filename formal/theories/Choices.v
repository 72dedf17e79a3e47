(* A leaf of a claim about several components that goes through their supports together: a *set* of a component is where
   it is not 0. Two sets never share exactly one variable, as then the vectors would not be orthogonal. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Components Leaves Multipliers Peaks.

(* Every set of at most m members of F. *)
Definition few (m : nat) (F : seq nat) : seq (seq nat) := flatten (map (fun s => choices s F) (iota 0 (S m))).

Fixpoint some_pair (X : Type) (f : X -> X -> bool) (l : seq X) : bool :=
  match l with a :: l' => has (f a) l' || some_pair f l' | [::] => false end.

(* The table has at most the sum of the tops and `extra`, less what two components lose. *)
Definition enough (U : Z) (chosen : seq (seq nat * peak)) (extra : Z) : bool :=
  let d := Z.sub (foldr (fun a s => Z.add a.2.1.1 s) extra chosen) U in
  Z.leb d Z0 || some_pair (loses d) chosen.

Definition same (a b : seq nat) : bool := Z.eqb (set_of a) (set_of b).

Section Program.

Variables (Sigma : seq (seq Z)) (n r : nat) (single : bool) (k : nat -> nat) (J F : nat -> seq nat) (U : Z).

(* Component t is of the group `group t`; components of a group may exchange their sets. The first `early` points are
   those with which beginnings of choices are bounded. *)
Variables (points : seq table_point) (early : nat) (group : seq nat) (evidence : seq (seq (seq (Z * seq Z)))).

Let V := present n r J F.
Definition point_at (q : nat) : table_point := nth no_point points q.
Definition shift_at (q : nat) : Z := (point_at q).1.2.
Definition cost (q j : nat) : Z := Z.add (rest_of Sigma (point_at q).1.1 j j) (shift_at q).
Definition shifts (q : nat) : Z := Z.mul (Z.of_nat r) (shift_at q).

Definition check_point (q : table_point) : bool :=
  let '(M, shift, why) := q in
  let inner := among n V M in
  is_symmetric inner && semidefinite why (ascending n V) (fun=> shift) (combined Z.sub (among n V Sigma) inner).

Definition group_of (t : nat) : nat := nth 0%N group t.
Definition members (g : nat) : seq nat := filter (fun t => eqn (group_of t) g) (iota 0 r).
Definition lead (g : nat) : nat := head 0%N (members g).
Definition alike (s t : nat) : bool := [&& eqn (k s) (k t), same (J s) (J t) & same (F s) (F t)].

Definition sets (t : nat) : seq (seq nat) :=
  filter (fun T => (0 < size T)%N)
    (flatten (map (fun A => map (cat A) (few (k t - size (J t))%N (F t))) (few (size (J t)) (J t)))).

Definition higher (a b : candidate) : bool := Z.leb (top_at 0 b) (top_at 0 a).

Definition candidates (g : nat) (own : seq (seq (Z * seq Z))) : seq candidate :=
  sort higher (map (fun p => (p.1, map (peak_of p.1) p.2)) (zip (sets (lead g)) own)).

Definition check_group (g : nat) (own : seq (seq (Z * seq Z))) : bool :=
  all (fun t => alike t (lead g)) (members g) && all2 (fun T es => all2 (is_peak T) points es) (sets (lead g)) own.

(* May these be sets of two components? *)
Definition fits (a b : candidate) : bool :=
  let common := size (filter (fun i => has (eqn i) b.1) a.1) in
  if single then eqn common 0 else negb (eqn common 1).

(* The variables of the leaf, and what they cost at each point, are found once. *)
Definition all_costs : seq (seq Z) := map (fun q => map (cost q) (iota 0 n)) (iota 0 (size points)).

Definition final (V : seq nat) (costs : seq (seq Z)) (chosen : seq candidate) : bool :=
  let W := filter (fun j => has (fun c => has (eqn j) c.1) chosen) V in
  has (fun q => let own := nth [::] costs q in
    enough U (map (peak_at q) chosen) (Z.sub (total (fun j => nth Z0 own j) W) (shifts q))) (iota 0 (size points)).

(* With m components of a group to come, and `bases` for all that comes after them. *)
Definition left_out (bases : seq Z) (m : nat) (top : nat -> Z) (chosen : seq candidate) (q : nat) : bool :=
  enough U (map (peak_at q) chosen) (Z.add (nth Z0 bases q) (Z.mul (Z.of_nat m) (top q))).

Fixpoint visit (bases tops : seq Z) (next : seq candidate -> bool) (m : nat) (chosen own : seq candidate) : bool :=
  match m with
  | O => next chosen
  | S m' =>
      (fix each (own : seq candidate) : bool :=
        match own with
        | [::] => true
        | c :: own' =>
            if all (fits c) chosen then
              ((0 < early)%N && left_out bases m (fun q => top_at q c) chosen 0) ||
              ((has (left_out bases m' (fun q => nth Z0 tops q) (c :: chosen)) (iota 0 early) ||
                visit bases tops next m' (c :: chosen) own) && each own')
            else each own'
        end) own
  end.

Fixpoint plan (g : nat) (evidence : seq (seq (seq (Z * seq Z)))) : seq Z * (seq candidate -> bool) :=
  match evidence with
  | [::] =>
      let costs := all_costs in
      (map (fun q => Z.sub (total (fun j => Z.max (cost q j) Z0) V) (shifts q)) (iota 0 early), fun chosen => final V costs chosen)
  | own :: evidence' =>
      let (bases, next) := plan (S g) evidence' in
      let m := size (members g) in
      let own := candidates g own in
      let tops := map (fun q => foldr (fun c s => Z.max (top_at q c) s) Z0 own) (iota 0 early) in
      (map (fun q => Z.add (nth Z0 bases q) (Z.mul (Z.of_nat m) (nth Z0 tops q))) (iota 0 early),
       fun chosen => visit bases tops next m chosen own)
  end.

Definition check_choices : bool :=
  [&& (early <= size points)%N, all check_point points, all (fun t => (group_of t < size evidence)%N) (iota 0 r),
      all (fun g => check_group g (nth [::] evidence g)) (iota 0 (size evidence)) & (plan 0 evidence).2 [::]].

End Program.

Lemma fewP (a : pred nat) m F : (count a F <= m)%N -> filter a F \in few m F.
Proof.
move=> few_a; apply/flattenP; exists (choices (count a F) F); last exact: choicesP.
by apply: (map_f (fun s => choices s F)); rewrite mem_iota.
Qed.

Lemma sameE a b : same a b -> a =i b.
Proof. by move/Z.eqb_eq => ab i; rewrite -!member_set ab. Qed.

Lemma some_pairP (X : Type) (f : X -> X -> bool) (h : nat -> X) l : uniq l -> some_pair f (map h l) ->
  exists s t, [/\ s \in l, t \in l, s != t & f (h s) (h t)].
Proof.
elim: l => //= s l IH /andP[out ul] /orP[|/(IH ul)[u [v [ul' vl' uv fuv]]]]; last first.
  by exists u, v; rewrite !inE ul' vl' !orbT.
by rewrite has_map => /hasP[t tl fst]; exists s, t; rewrite !inE eqxx tl orbT; split=> //; apply: contraNneq out => ->.
Qed.

Section Bound.

Variables (R : realFieldType) (Sigma : seq (seq Z)) (n r : nat) (kind : table_kind) (smaller : bool) (k : nat -> nat).
Variables (J F : nat -> seq nat) (U : Z) (Ts : nat -> seq nat) (x : nat -> nat -> R).
Notation val := (@value R).
Notation I := (iota 0 n).
Hypothesis symS : {in I &, forall i j, entry Sigma i j = entry Sigma j i}.
Hypothesis table : leaf_table n r kind smaller k Ts x.
Hypothesis within : forall t, (t < r)%N -> {subset J t ++ F t <= I}.
Let positive := positive table.
Let orthogonal := orthogonal table.

Variable points : seq table_point.
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
  [/\ (peak_at q c).2 = peak_of c.1 e & form (fun i j => val (entry (matrix q) i j)) I (x t) <=
    val e.1 * square I (x t) + ip n (fun i => val (weight c.1 e.2 i)) (x t) ^+ 2].
Proof.
move=> qp tr [uT sub inT [es cE ok]]; have := ok; rewrite all2E => /andP[/eqP sizes _].
exists (nth (Z0, [::]) es q); split; first by rewrite /peak_at cE (nth_map (Z0, [::])) -?sizes.
apply: peak_bounds => //.
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
rewrite /f ler_pdivr_mulr ?positive // /top_at peakE /= valueD (value_product _ _ _ _ uT (sub_valid tr ok)).
by apply: le_trans le_f _; rewrite mulrDl ler_add2l -ip_square ip_cauchy.
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
have {}small : val d < ip n (fun i => val (weight b.1 e.2 i)) (fun i => val (weight b.1 e.2 i)).
  rewrite -productE -subr_gt0 -valueB; apply: value_gt0; apply/Z.ltb_lt/Z.lt_0_sub/Z.ltb_lt; exact: small.
have orth : ip n (x s) (x t) = 0 by rewrite /ip -(sum_iota n (fun i => x s i * x t i)) orthogonal.
have := two_lose _ _ orth small far; rewrite !(@ip_square R n (x _)) !positive // => /(_ isT isT) le_pair.
rewrite !valueD !productE !productE' /f.
have part z (a : R) w : 0 < square I z -> form (fun i j => val (entry (matrix q) i j)) I z <= a * square I z + w ->
    form (fun i j => val (entry (matrix q) i j)) I z / square I z <= a + w / square I z.
  by move=> z0; rewrite ler_pdivr_mulr // mulrDl divfK ?gt_eqF.
apply: le_trans (ler_add (part _ _ _ (positive sr) le_s) (part _ _ _ (positive tr) le_t)) _.
rewrite [X in X <= _]addrACA [X in _ <= X - _]addrACA -[X in _ <= X]addrA; rewrite ler_add2l; exact: le_pair.
Qed.

Section Chosen.

Variable cand : nat -> candidate.
Hypothesis cand_ok : forall t, (t < r)%N -> valid t (cand t).
Notation top q t := (val (top_at q (cand t))).
Let used := filter (fun j => has (fun t => j \in (cand t).1) (iota 0 r)) V.

Lemma cost_paid q : (q < size points)%N ->
  \sum_(t < r) form (fun i j => val (entry Sigma i j) - val (entry (matrix q) i j)) I (x t) / square I (x t) <=
  \sum_(j <- used) val (cost Sigma points q j) - val (shifts r points q).
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
by apply: eq_bigr => j _; rewrite /cost /rest_of valueD valueB.
Qed.

Lemma enough_bounds q l rest extra : (q < size points)%N -> perm_eq (l ++ rest) (iota 0 r) ->
  \sum_(t <- rest) top q t + (\sum_(j <- used) val (cost Sigma points q j) - val (shifts r points q)) <= val extra ->
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

End Chosen.

End Bound.
