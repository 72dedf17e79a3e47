(* A leaf of a claim about several components: a price matrix Z = Sigma - M stands between the components and a price
   for every use of a variable; what is left is one component after another, each over all of its supports. *)
From mathcomp Require Import ssrZ.
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Elimination Components.

(* Every choice of m members of F. *)
Fixpoint choices (m : nat) (F : seq nat) : seq (seq nat) :=
  match F, m with
  | _, O => [:: [::]]
  | [::], _ => [::]
  | i :: F', S m' => map (cons i) (choices m' F') ++ choices m F'
  end.

(* How the best of a part is shown: every support is tried, or rows pay. Or supports with a variable that is not kept are told
   from the others. *)
Inductive part_proof :=
  | Tried
  | ByRows (rows : point)
  | Within (kept : seq nat) (within beside : part_proof).

(* The entries of A where both variables are near, and those of S elsewhere. *)
Definition mixed (n : nat) (near : seq nat) (S A : seq (seq Z)) : seq (seq Z) :=
  let is_near := member_of (set_of near) in
  let row s a := map (fun b => if is_near b.1 then b.2.2 else b.2.1) (zip (iota 0 n) (zip (fit Z0 n s) (fit Z0 n a))) in
  map (fun b => if is_near b.1 then row b.2.1 b.2.2 else b.2.1) (zip (iota 0 n) (zip (fit [::] n S) (fit [::] n A))).

(* `best t` bounds what a component with a support T of part t explains of M, with the prices y of T added; where the part
   has lost some variables, if T has one of them. M is Sigma but between variables that are near. *)
Section Program.

Variables (S : seq (seq Z)) (n r : nat) (kind : table_kind) (smaller : bool) (k : nat -> nat) (J F : nat -> seq nat) (U : Z).
Variables (lost : nat -> option Z) (near : seq nat) (M : seq (seq Z)) (y : seq Z).
Variables (shift : Z) (best : seq Z) (how : seq part_proof) (threshold : Z) (why : root).
Notation p := (parts_of kind r).
Notation copies := (copies_of kind r).

Definition price (j : nat) : Z := nth Z0 y j.
Definition excess (j : nat) : Z :=
  Z.sub (Z.add (rest_of S M j j) shift) (Z.mul (Z.of_nat (copies * uses p J j)) (price j)).

(* How many free variables a support of a part has, and at most all of them together. *)
Definition rooms (t : nat) : seq nat :=
  map (fun m => m - size (J t))%N (filter (leq (size (J t))) (sizes_of smaller (k t))).
Definition room : nat := sumn (map (fun t => k t - size (J t))%N (iota 0 p)).

Fixpoint check_part (t : nat) (F : seq nat) (lost : option Z) (proof : part_proof) : bool :=
  let most := nth Z0 best t in
  match proof with
  | Tried =>
      let is_paid T := is_at_most (J t ++ T) (Z.sub most (total price (J t ++ T))) (entry M) in
      all (fun m => all is_paid (choices m F)) (rooms t)
  | ByRows p =>
      let rows := rows_of Z.abs (alone n) M y p in
      let some r := if lost is Some gone then gone else set_of [:: (variable r).1] in
      let passes m r := pays most (sets_of [:: (J t, size (J t)); (F, m)]) r (some r) in
      all (fun m => all_rows (passes m) rows (J t ++ F)) (rooms t)
  | Within kept within beside =>
      check_part t (filter (member_of (set_of kept)) F) None within && check_part t F (Some (lost_of kept F)) beside
  end.

Definition check_prices : bool :=
  let V := present n p J F in
  let forced := filter (fun j => (0 < must p J j)%N) V in
  let others := filter (fun j => eqn (must p J j) 0) V in
  let inner := among n near M in
  let paid_forced := total excess forced in
  let paid_others := total (fun j => Z.max (Z.sub (excess j) threshold) Z0) others in
  let paid_parts := Z.mul (Z.of_nat copies) (total (fun t => nth Z0 best t) (iota 0 p)) in
  [&& is_symmetric inner && Z.leb Z0 shift,
      semidefinite why (ascending n near) (fun=> shift) (combined Z.sub (among n near S) inner),
      all (fun j => [|| is_disjoint kind, Z.leb Z0 (price j) | (may p J F j <= uses p J j)%N]) V,
      Z.leb Z0 threshold &
      all (fun t => check_part t (F t) (lost t) (nth Tried how t)) (iota 0 p) &&
      Z.leb (Z.add paid_parts (Z.add paid_forced
        (Z.sub (Z.add (Z.mul (Z.of_nat room) threshold) paid_others) (Z.mul (Z.of_nat r) shift)))) U].

End Program.

Lemma choicesP (a : pred nat) F : filter a F \in choices (count a F) F.
Proof.
elim: F => [|i F IH] //=; case: (a i) => /=; last first.
  by case: (count a F) IH => [|m] IH; rewrite ?mem_cat ?IH ?orbT //; move: IH; case: (F) => [|? ?] //=; rewrite inE.
by rewrite mem_cat; apply/orP; left; apply: map_f.
Qed.

Lemma mixedE n near S A : {in iota 0 n &, forall i j,
  entry (mixed n near S A) i j = if (i \in near) && (j \in near) then entry A i j else entry S i j}.
Proof.
have zipE X (f : nat -> X) : zip (iota 0 n) (map f (iota 0 n)) = map (fun i => (i, f i)) (iota 0 n).
  by rewrite -{1}(map_id (iota 0 n)) zip_map.
move=> i j; rewrite !mem_iota /= => li lj; rewrite /entry /mixed !fitE zip_map zipE -map_comp (nth_map 0%N) ?size_iota // nth_iota //=.
rewrite -!member_set; case: ifP => //= _; rewrite !fitE zip_map zipE -map_comp (nth_map 0%N) ?size_iota // nth_iota //=.
Qed.

Section Bound.

Variable R : realFieldType.
Notation val := (@value R).

Variables (S : seq (seq Z)) (n r : nat) (kind : table_kind) (smaller : bool) (k : nat -> nat) (J F : nat -> seq nat) (U : Z).
Variables (Ts : nat -> seq nat) (x : nat -> nat -> R).
Notation I := (iota 0 n).
Notation p := (parts_of kind r).
Notation part := (part_of kind).
Hypothesis symS : {in I &, forall i j, entry S i j = entry S j i}.
Hypothesis table : leaf_table n r kind smaller k Ts x.
Hypothesis node : forall t, (t < p)%N -> holds (J t) (F t) (Ts t).
Hypothesis within : forall t, (t < p)%N -> {subset J t ++ F t <= I}.

Let V := present n p J F.
Let in_use j := has (fun t => j \in Ts t) (iota 0 p).
Let used := filter in_use V.
Let times j := count (fun t => j \in Ts t) (iota 0 p).
Let Ts_V := Ts_present node within.
Let V_in : {subset V <= I}. Proof. by move=> j /in_V. Qed.

Lemma uniq_used : uniq used. Proof. by rewrite !filter_uniq ?iota_uniq. Qed.

Lemma used_V : {subset used <= V}. Proof. by move=> j; rewrite mem_filter => /andP[]. Qed.

Lemma Ts_used t : (t < p)%N -> {subset Ts t <= used}.
Proof. by move=> tp j jT; rewrite mem_filter (Ts_V tp jT) andbT; apply/hasP; exists t; rewrite ?in_iota. Qed.

Lemma uses_between j : j \in used -> (uses p J j <= times j <= may p J F j)%N.
Proof.
rewrite mem_filter => /andP[some _]; apply/andP; split; last first.
  rewrite /may size_filter; apply: sub_count_in => t; rewrite in_iota /may_use /inside has_eqb => tp.
  exact: (drawn_from (node tp)).
rewrite /uses eqnE; case: eqP => _; first by rewrite /times -has_count.
by rewrite count_must; apply: sub_count_in => t; rewrite in_iota => tp; apply: (forced_in (node tp)).
Qed.

Lemma zero_unused t i : (t < r)%N -> i \notin used -> x t i = 0.
Proof. by move=> tr iU; apply: (off table tr); apply: contra iU; apply/Ts_used/part_lt. Qed.

Variables (named : seq nat) (A : seq (seq Z)) (y : seq Z) (shift : Z) (best : seq Z) (how : seq part_proof).
Variables (threshold : Z) (why : root) (lost : nat -> option Z).
Let near := filter (inside named) V.
Let M := mixed n near S A.
Notation Zv i j := (val (entry S i j) - val (entry M i j)).
Hypothesis check : check_prices S n r kind smaller k J F U lost near M y shift best how threshold why.

Let nearE : ascending n near = near. Proof. by rewrite /near /V /present -filter_predI ascendingK. Qed.

Let symM : {in I &, forall i j, entry M i j = entry M j i}.
Proof.
move=> i j iI jI; rewrite !mixedE // (andbC (j \in near)); case: ifP => [/andP[il jl]|_]; last exact: symS.
have /andP[/andP[+ _] _] := check; rewrite amongE nearE => /symmetric_block/(_ _ _ il jl).
by rewrite !mixedE // il jl.
Qed.

(* What M has is paid by the best supports of the parts. *)
Notation beta t := (val (nth Z0 best t)).
Notation cost j := (val (price y j)).
Notation has_lost lost T := (if lost is Some gone then has (member_of gone) T else true).
Hypothesis loses : forall t, (t < p)%N -> has_lost (lost t) (Ts t).

(* The best of a part, for each way in which it is shown. *)
Lemma part_paid t proof F' lost' (q := part t) (T := Ts q) : (t < r)%N ->
  holds (J q) F' T -> has_lost lost' T -> check_part n smaller k J M y best q F' lost' proof ->
  form (fun i j => val (entry M i j)) T (x t) <= (beta q - \sum_(j <- T) cost j) * square T (x t).
Proof.
move=> tr; have qp := part_lt kind tr; have uT := support_uniq (node qp).
have TV : {subset T <= V} := Ts_V qp; have zero i : i \notin T -> x t i = 0 := off table (i := i) tr.
pose c := (size T - size (J q))%N; have c_room F1 : holds (J q) F1 T -> c \in rooms smaller k J q.
  move=> nodeF; apply: (map_f (fun m => m - size (J q))%N); rewrite mem_filter (sized table qp) andbT.
  by have /andP[] := support_sizes nodeF.
elim: proof F' lost' => [|p|kept inner IHin out IHout] F' lost' nodeF meets.
- set own := filter (mem T) F'; have perm := support_split nodeF; rewrite -/own in perm.
  have in_own : own \in choices c F' by have := choicesP (mem T) F'; rewrite (count_free nodeF).
  move/allP/(_ _ (c_room _ nodeF))/allP/(_ _ in_own)/definite_block; rewrite -(perm_uniq perm) => /(_ R (x t) uT).
  rewrite /form /square.
  under eq_bigr => i _ do rewrite -(perm_big _ perm).
  rewrite -!(perm_big _ perm) valueB value_total -(perm_big _ perm); apply.
  by move=> i j; rewrite -!(perm_mem perm) => /TV/V_in iI /TV/V_in; apply: symM.
- move/allP/(_ _ (c_room _ nodeF)) => rows; have uJF := node_uniq nodeF; have inJF := drawn_from nodeF.
  have fam : family [:: (J q, size (J q)); (F', c)] T.
    split; rewrite /= ?cats0 // => b; rewrite !inE => /orP[] /eqP ->.
      by apply/eqP; rewrite -all_count; apply/allP; apply: (forced_in nodeF).
    by rewrite /= (count_free nodeF).
  apply: (light_bound (rows_pay R n id M y Z.abs p) rows) => //.
  - by move=> i j /TV/V_in iI /TV/V_in; apply: symM.
  - by move=> i j; apply: abs_counts.
  move=> i row price_of iT vE pl; rewrite /is_light vE.
  case: (lost') meets => [gone /hasP[j jT]|_]; first exact: (pays_bound R fam uT (fun a b _ _ h => h) vE pl iT jT).
  by apply: (pays_bound R fam uT (fun a b _ _ h => h) vE pl iT iT); rewrite member_set mem_head.
case/andP=> in_ok out_ok; have [meet|none] := boolP (has (member_of (lost_of kept F')) T); first exact: IHout out_ok.
apply: (IHin _ None) in_ok => //.
apply: (fewer_free nodeF) => i iT iF; have := hasPn none i iT.
by rewrite /lost_of member_set mem_filter iF andbT negbK.
Qed.

Lemma block_paid t : (t < r)%N ->
  form (fun i j => val (entry M i j)) I (x t) / square I (x t) <= beta (part t) - \sum_(j <- Ts (part t)) cost j.
Proof.
move=> tr; have tp := part_lt kind tr; have uT := support_uniq (node tp).
have TI : {subset Ts (part t) <= I} by move=> i /(drawn_from (node tp))/(within tp).
have zero i : i \notin Ts (part t) -> x t i = 0 := off table (i := i) tr.
rewrite ler_pdivr_mulr ?(positive table) // (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //.
apply: part_paid (node tp) (loses tp) _ => //; have /and5P[_ _ _ _ /andP[/allP shown _]] := check.
by apply: shown; rewrite in_iota.
Qed.

Lemma prices_exchanged : \sum_(t <- iota 0 p) \sum_(j <- Ts t) cost j = \sum_(j <- used) cost j * (times j)%:R.
Proof.
have count_sum (P : pred nat) l : (count P l)%:R = \sum_(t <- l) (P t)%:R :> R.
  by elim: l => [|t l IH]; rewrite ?big_nil // big_cons /= natrD IH.
under [RHS]eq_bigr => j _ do rewrite /times count_sum mulr_sumr.
rewrite [RHS]exchange_big; apply: eq_big_seq => t; rewrite in_iota => tp /=.
rewrite [RHS](@sum_support R (Ts t)) ?uniq_used ?(support_uniq (node tp)) //.
- by apply: eq_big_seq => j ->; rewrite mulr1.
- exact: Ts_used.
by move=> j /negPf ->; rewrite mulr0.
Qed.

(* How many variables are in use besides those forced in. *)
Let forced := filter (fun j => (0 < must p J j)%N) V.
Let others := filter (fun j => eqn (must p J j) 0) V.

Lemma forcedE j : (0 < must p J j)%N = has (fun t => j \in J t) (iota 0 p).
Proof. by rewrite has_count -count_must; case: (must p J j). Qed.

Lemma open_places t : (t < p)%N -> (count (mem (Ts t)) others <= k t - size (J t))%N.
Proof.
move=> tp; apply: leq_trans (leq_sub2r _ (sizes_le (sized table tp))); rewrite -(count_free (node tp)) -!size_filter.
apply: uniq_leq_size.
  by rewrite !filter_uniq ?iota_uniq.
move=> j; rewrite !mem_filter => /and3P[/= jT + _]; rewrite jT eqnE eqn0Ngt forcedE => /hasPn free.
have := drawn_from (node tp) jT; rewrite mem_cat => /orP[jJ|//].
by have := free t; rewrite in_iota tp jJ => /(_ isT).
Qed.

Lemma most_others : (count in_use others <= room r kind k J)%N.
Proof.
apply: leq_trans (count_has (fun t j => j \in Ts t) _ _) _; rewrite /room sumnE big_map big_seq [X in (_ <= X)%N]big_seq.
by apply: leq_sum => t; rewrite in_iota; apply: open_places.
Qed.

Notation ex j := (val (excess S r kind J M y shift j)).

Lemma excess_paid : Z.leb Z0 threshold ->
  \sum_(j <- used) ex j <= \sum_(j <- forced) ex j +
    ((room r kind k J)%:R * val threshold + \sum_(j <- others) Num.max (ex j - val threshold) 0).
Proof.
move=> /(value_ge0 R) t0; rewrite [X in X <= _]big_filter (bigID (fun j => (0 < must p J j)%N)) /= ler_add //.
  apply: eqW; rewrite [RHS]big_filter.
  rewrite [LHS]big_seq_cond [RHS]big_seq_cond; apply: eq_bigl => j; case jV: (j \in V) => //=.
  rewrite andbC; apply: andb_idr; rewrite forcedE => /hasP[t]; rewrite in_iota => tp jJ.
  by apply/hasP; exists t; rewrite ?in_iota //; apply: (forced_in (node tp)).
rewrite (eq_bigl (fun j => eqn (must p J j) 0 && in_use j)) => [|j]; last by rewrite eqnE eqn0Ngt andbC.
rewrite -big_filter_cond; apply: le_trans (chosen_prices in_use _ (val threshold) _) _; rewrite ler_add2r.
by rewrite ler_wpmul2r // ler_nat most_others.
Qed.

Theorem prices_bound : \sum_(t < r) form (fun i j => val (entry S i j)) I (x t) / square I (x t) <= val U.
Proof.
have /and5P[/andP[_ /(value_ge0 R) shift_ge0] semi /allP signs sign /andP[_ enough]] := check.
rewrite !amongE combined_block nearE in semi; set copies := copies_of kind r in enough; rewrite (sum_of_both S n r x M).
apply: le_trans (_ : copies%:R * (\sum_(t <- iota 0 p) beta t - \sum_(j <- used) cost j * (times j)%:R) +
    (\sum_(j <- used) (Zv j j + val shift) - r%:R * val shift) <= _).
  apply: ler_add; first by rewrite -prices_exchanged -sumrB -shared; apply: ler_sum => t _; apply: block_paid.
  have near_I i : i \in near -> i \in I by rewrite mem_filter => /andP[_ /V_in].
  apply: (left_paid uniq_used _ zero_unused (positive table) (orthogonal table) symS _ near_I _ _ _ semi) => //.
  - by move=> j /used_V/V_in.
  - by rewrite !filter_uniq ?iota_uniq.
  - by move=> i j /used_V/V_in iI /used_V/V_in jI /negPf out; rewrite mixedE // out.
  by move=> i j /near_I iI /near_I; apply: symM.
have paid : \sum_(j <- used) (Zv j j + val shift) - copies%:R * (\sum_(j <- used) cost j * (times j)%:R) <=
    \sum_(j <- used) ex j.
  rewrite mulr_sumr -sumrB; apply: sum_le => j ju.
  rewrite /excess /rest_of valueB valueD valueB valueM value_nat ler_add2l ler_opp2 natrM -mulrA ler_wpmul2l ?ler0n //.
  have /andP[low high] := uses_between ju; rewrite mulrC.
  have [up|c0] : (times j <= uses p J j)%N \/ 0 <= cost j; last by rewrite ler_wpmul2l // ler_nat.
    have /or3P[one|/(value_ge0 R)|few] := signs j (used_V ju); [left | by right | by left; apply: leq_trans few].
    by apply: leq_trans (apart table one j) _; rewrite /uses eqnE; case: eqP => // /eqP; rewrite -lt0n.
  by rewrite (_ : times j = uses p J j) //; apply/eqP; rewrite eqn_leq up low.
have := value_le R enough; rewrite !(valueD, valueB, valueM) !value_total !value_nat.
under [X in _ + (_ + (_ + X - _)) <= _ -> _]eq_bigr => j _ do rewrite value_max valueB.
have le_ab := le_trans paid (excess_paid sign); move=> /(le_trans _); apply.
by rewrite mulrBr -addrA ler_add2l !addrA ler_add2r [X in X <= _]addrC -addrA.
Qed.

End Bound.
