(* A leaf of a claim about several components: a price matrix Z = Sigma - M stands between the components and a price
   for every use of a variable; what is left is one component after another, each over all of its supports. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Walk Leaves Elimination Projection.

(* Every choice of m members of F. *)
Fixpoint choices (m : nat) (F : seq nat) : seq (seq nat) :=
  match F, m with
  | _, O => [:: [::]]
  | [::], _ => [::]
  | i :: F', S m' => map (cons i) (choices m' F') ++ choices m F'
  end.

(* How the best of a part is shown: every support is tried, a single component explains no more, or rows pay; or
   supports with a variable that is not kept are told from the others. *)
Inductive part_proof :=
  | Tried
  | Single
  | ByRows (P N : seq (seq Z)) (costs : seq Z) (g : Z) (L : seq (seq Z))
  | Within (kept : seq nat) (within beside : part_proof).

Definition lost_of (kept F : seq nat) : Z :=
  let stay := set_of kept in set_of (filter (fun i => negb (member_of stay i)) F).

(* Part t of a table has a support with J t forced in and F t free; there are p parts, and `copies` components use
   each of them. `single` says that no variable is in the supports of two parts. `best t` bounds what a component
   with a support T explains of M, with the prices y of T added; where part t has lost some variables, if T has one
   of them. `singles` bound what a component of so many variables explains of Sigma. *)
Section Program.

Variables (S : seq (seq Z)) (n p copies : nat) (single : bool) (k : nat -> nat) (J F : nat -> seq nat) (U : Z).
Variables (singles : seq (nat * Z)) (lost : nat -> option Z).
Variables (M : seq (seq Z)) (y : seq Z) (shift : Z) (best : seq Z) (how : seq part_proof) (threshold g : Z) (L : seq (seq Z)).

Definition may_use (t j : nat) : bool := inside (J t ++ F t) j.
Definition present : seq nat := filter (fun j => has (fun t => may_use t j) (iota 0 p)) (iota 0 n).
Definition must (j : nat) : nat := size (filter (fun t => inside (J t) j) (iota 0 p)).
Definition may (j : nat) : nat := size (filter (fun t => may_use t j) (iota 0 p)).
Definition uses (j : nat) : nat := if Nat.eqb (must j) 0 then 1%N else must j.

Definition price (j : nat) : Z := nth Z0 y j.
Definition rest_of (i j : nat) : Z := Z.sub (entry S i j) (entry M i j).
Definition excess (j : nat) : Z :=
  Z.sub (Z.add (rest_of j j) shift) (Z.mul (Z.of_nat (Nat.mul copies (uses j))) (price j)).

Definition room : nat := foldr (fun t s => Nat.add (Nat.sub (k t) (size (J t))) s) 0%N (iota 0 p).

Definition is_best (t : nat) (T : seq nat) : bool := is_at_most T (Z.sub (nth Z0 best t) (total price T)) (entry M).

Definition is_sigma : bool :=
  let V := present in all (fun i => Z.eqb (price i) Z0 && all (fun j => Z.eqb (entry S i j) (entry M i j)) V) V.

(* Row i of P costs N_ij + y_j for each other variable j of its support. *)
Definition row_of (N : seq (seq Z)) (i : nat) : row :=
  let prices := map (fun a => Z.add a.1 a.2) (zip (fit Z0 n (nth [::] N i)) (fit Z0 n y)) in
  Row (i, i) (Z.add (entry N i i) (price i)) (Zpos xH) (dearest_first (alone n) prices).

Fixpoint check_part (t : nat) (F : seq nat) (lost : option Z) (proof : part_proof) : bool :=
  match proof with
  | Tried => all (fun T => is_best t (J t ++ T)) (choices (Nat.sub (k t) (size (J t))) F)
  | Single => has (fun s => Nat.eqb s.1 (k t) && Z.leb s.2 (nth Z0 best t)) singles && is_sigma
  | ByRows P N costs g L =>
      let l := J t ++ F in
      let parts := sets_of [:: (J t, size (J t)); (F, Nat.sub (k t) (size (J t)))] in
      let cost i := nth Z0 costs i in
      [&& paid P N l,
          all (fun i => pays (cost i) parts (row_of N i) (if lost is Some gone then gone else set_of [:: i])) l &
          semidefinite g L l (fun i => Z.sub (Z.add (Z.sub (nth Z0 best t) (entry M i i)) (entry P i i)) (cost i))
            (fun i j => Z.sub (entry P i j) (entry M i j))]
  | Within kept within beside =>
      check_part t (filter (member_of (set_of kept)) F) None within && check_part t F (Some (lost_of kept F)) beside
  end.

Definition check_prices : bool :=
  let V := present in
  let forced := filter (fun j => Nat.ltb 0 (must j)) V in
  let others := filter (fun j => Nat.eqb (must j) 0) V in
  [&& all (fun i => all (fun j => Z.eqb (entry M i j) (entry M j i)) V) V,
      semidefinite g L V (fun j => Z.add (rest_of j j) shift) rest_of,
      all (fun j => [|| single, Z.leb Z0 (price j) | Nat.leb (may j) (uses j)]) V,
      Nat.eqb p 1 || Z.leb Z0 threshold &
      all (fun t => check_part t (F t) (lost t) (nth Tried how t)) (iota 0 p) &&
      Z.leb
        (Z.add (Z.mul (Z.of_nat copies) (total (fun t => nth Z0 best t) (iota 0 p)))
        (Z.add (total excess forced)
        (Z.sub (Z.add (Z.mul (Z.of_nat room) threshold) (total (fun j => Z.max (Z.sub (excess j) threshold) Z0) others))
          (Z.mul (Z.of_nat (Nat.mul copies p)) shift)))) U].

End Program.

Lemma choicesP (a : pred nat) F : filter a F \in choices (count a F) F.
Proof.
elim: F => [|i F IH] //=; case: (a i) => /=; last first.
  by case: (count a F) IH => [|m] IH; rewrite ?mem_cat ?IH ?orbT //; move: IH; case: (F) => [|? ?] //=; rewrite inE.
by rewrite mem_cat; apply/orP; left; apply: map_f.
Qed.

Section Bound.

Variable R : realFieldType.
Notation val := (@value R).

(* Tables of a leaf: supports Ts, and orthogonal vectors x, each 0 off the support of its part. *)
Variables (S : seq (seq Z)) (n p copies r : nat) (single : bool) (k : nat -> nat) (J F : nat -> seq nat) (U : Z).
Variables (part : nat -> nat) (Ts : nat -> seq nat) (x : nat -> nat -> R).
Hypothesis symS : {in iota 0 n &, forall i j, entry S i j = entry S j i}.
Hypothesis part_lt : forall t, (t < r)%N -> (part t < p)%N.
Hypothesis shared : forall f : nat -> R, \sum_(t < r) f (part t) = copies%:R * \sum_(t <- iota 0 p) f t.
Hypothesis node : forall t, (t < p)%N -> support_of (k t) (J t) (F t) (Ts t).
Hypothesis within : forall t, (t < p)%N -> {subset J t ++ F t <= iota 0 n}.
Hypothesis apart : single -> forall j, (count (fun t => j \in Ts t) (iota 0 p) <= 1)%N.
Hypothesis off : forall t i, (t < r)%N -> i \notin Ts (part t) -> x t i = 0.
Hypothesis positive : forall t, (t < r)%N -> 0 < square (iota 0 n) (x t).
Hypothesis orthogonal : forall s t, (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- iota 0 n) x s i * x t i = 0.

Let V := present n p J F.
Let in_use j := has (fun t => j \in Ts t) (iota 0 p).
Let used := filter in_use V.
Let times j := count (fun t => j \in Ts t) (iota 0 p).

Lemma in_iota t : (t \in iota 0 p) = (t < p)%N. Proof. by rewrite mem_iota. Qed.

Lemma uniq_used : uniq used. Proof. by rewrite !filter_uniq ?iota_uniq. Qed.

Lemma drawn_present t : (t < p)%N -> {subset J t ++ F t <= V}.
Proof.
move=> tp j jJF; rewrite mem_filter (within tp jJF) andbT.
by apply/hasP; exists t; rewrite ?in_iota // /may_use /inside has_eqb.
Qed.

Lemma Ts_present t : (t < p)%N -> {subset Ts t <= V}.
Proof. by move=> tp j /(drawn_from (node tp))/(drawn_present tp). Qed.

Lemma Ts_used t : (t < p)%N -> {subset Ts t <= used}.
Proof.
by move=> tp j jT; rewrite mem_filter (Ts_present tp jT) andbT; apply/hasP; exists t; rewrite ?in_iota.
Qed.

Lemma used_within : {subset used <= iota 0 n}.
Proof. by move=> j; rewrite !mem_filter => /and3P[]. Qed.

Lemma count_must j : must p J j = count (fun t => j \in J t) (iota 0 p).
Proof. by rewrite /must size_filter; apply: eq_count => t; rewrite /inside has_eqb. Qed.

Lemma count_may j : may p J F j = count (fun t => j \in J t ++ F t) (iota 0 p).
Proof. by rewrite /may size_filter; apply: eq_count => t; rewrite /may_use /inside has_eqb. Qed.

Lemma sub_count_in (a b : pred nat) l : {in l, forall t, a t -> b t} -> (count a l <= count b l)%N.
Proof.
elim: l => //= t l IH sub; apply: leq_add; last by apply: IH => u ul; apply: sub; rewrite inE ul orbT.
by have := sub t (mem_head _ _); case: (a t) => // ->.
Qed.

Lemma uses_between j : j \in used -> (uses p J j <= times j <= may p J F j)%N.
Proof.
rewrite mem_filter => /andP[some _]; apply/andP; split; last first.
  by rewrite count_may; apply: sub_count_in => t; rewrite in_iota => tp; apply: (drawn_from (node tp)).
rewrite /uses eqbE; case: eqP => _; first by rewrite /times -has_count.
by rewrite count_must; apply: sub_count_in => t; rewrite in_iota => tp; apply: (forced_in (node tp)).
Qed.

Lemma square_used t : (t < r)%N -> square (iota 0 n) (x t) = square used (x t).
Proof.
move=> tr; apply: square_support => [|||i]; rewrite ?uniq_used ?iota_uniq //; first exact: used_within.
by move=> out; apply: off => //; apply: contra out; apply: Ts_used; apply: part_lt.
Qed.

Lemma orthogonal_used s t : (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- used) x s i * x t i = 0.
Proof.
move=> sr tr st; rewrite -[RHS](orthogonal sr tr st) [RHS](sum_support (T := used)) ?uniq_used ?iota_uniq //.
  exact: used_within.
by move=> i out; rewrite (off (t := s)) ?mul0r //; apply: contra out; apply: Ts_used; apply: part_lt.
Qed.

(* So many orthogonal vectors need as many variables. *)
Lemma enough_variables : (r <= size V)%N.
Proof.
pose one (i j : nat) : R := if i == j then 1 else 0.
have oneE v : form one used v = square used v.
  by rewrite form_diagonal ?uniq_used //; apply: eq_bigr => i _; rewrite mul1r.
have psd v : 0 <= form one used v by rewrite oneE square_ge0.
have positive_used t : (t < r)%N -> 0 < square used (x t) by move=> tr; rewrite -square_used ?positive.
have := projection_paid uniq_used psd positive_used orthogonal_used.
rewrite (eq_bigr (fun=> 1)) => [|t _]; last by rewrite oneE divff // gt_eqF ?positive_used.
rewrite [X in _ <= X](eq_bigr (fun=> 1)) => [|i _]; last by rewrite /one eqxx.
rewrite big_const_ord iter_addr addr0 big_const_seq count_predT iter_addr addr0 ler_nat.
by move/leq_trans; apply; rewrite size_filter count_size.
Qed.

(* What is left of Sigma is at most what the variables in use cost. *)
Variables (M : seq (seq Z)) (y : seq Z) (shift : Z) (best : seq Z) (how : seq part_proof) (threshold g : Z) (L : seq (seq Z)).
Variables (singles : seq (nat * Z)) (lost : nat -> option Z).
Notation Zv i j := (val (entry S i j) - val (entry M i j)).
Hypothesis symM : {in V &, forall i j, entry M i j = entry M j i}.
Hypothesis semi : semidefinite g L V (fun j => Z.add (rest_of S M j j) shift) (rest_of S M).

Lemma in_V j : j \in V -> j \in iota 0 n.
Proof. by rewrite mem_filter => /andP[]. Qed.

Lemma form_to_used (A : nat -> nat -> R) t : (t < r)%N -> form A (iota 0 n) (x t) = form A used (x t).
Proof.
move=> tr; apply: form_support => [|||i]; rewrite ?uniq_used ?iota_uniq //; first exact: used_within.
by move=> out; apply: off => //; apply: contra out; apply: Ts_used; apply: part_lt.
Qed.

Lemma left_paid : \sum_(t < r) form (fun i j => Zv i j) (iota 0 n) (x t) / square (iota 0 n) (x t) <=
  \sum_(j <- used) (Zv j j + val shift) - r%:R * val shift.
Proof.
pose G i j := Zv i j + (if i == j then val shift else 0).
have psd v : 0 <= form G used v.
  have uV : uniq V by rewrite filter_uniq ?iota_uniq.
  have symZ : {in V &, forall i j, rest_of S M i j = rest_of S M j i}.
    by move=> i j iV jV; rewrite /rest_of symM // symS // in_V.
  apply: (psd_support uniq_used uV) => [i|y']; first by rewrite mem_filter => /andP[].
  have := semidefinite_ge0 y' semi uV symZ; congr (_ <= _); apply: eq_bigr => i _; apply: eq_bigr => j _.
  by congr (_ * _); rewrite /G /rest_of; case: eqP => [->|_]; rewrite ?(valueD R (Z.sub _ _)) valueB ?addr0.
have paid : \sum_(t < r) form G used (x t) / square used (x t) <= \sum_(i <- used) G i i.
  by apply: (projection_paid uniq_used psd _ orthogonal_used) => t tr; rewrite -square_used ?positive.
rewrite ler_subr_addr; move: paid; congr (_ <= _); last first.
  by apply: eq_bigr => i _; rewrite /G eqxx.
rewrite (eq_bigr (fun t : 'I_r => form (fun i j => Zv i j) (iota 0 n) (x t) / square (iota 0 n) (x t) + val shift)).
  by rewrite big_split /= big_const_ord iter_addr addr0 mulr_natl.
move=> t _; rewrite form_to_used // square_used // /G formD form_diagonal ?uniq_used // -mulr_sumr mulrDl.
by rewrite -/(square used (x t)) mulfK // gt_eqF // -square_used // positive.
Qed.

Lemma sum_of_both : \sum_(t < r) form (fun i j => val (entry S i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) =
    \sum_(t < r) form (fun i j => val (entry M i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) +
    \sum_(t < r) form (fun i j => Zv i j) (iota 0 n) (x t) / square (iota 0 n) (x t).
Proof.
rewrite -big_split; apply: eq_bigr => t _ /=; rewrite -mulrDl -formD; congr (_ / _).
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite addrC subrK.
Qed.

(* What M has is paid by the best supports of the parts. *)
Notation beta t := (val (nth Z0 best t)).
Notation cost j := (val (price y j)).
Hypothesis single_bounds : forall t u, (t < r)%N -> has (fun s => Nat.eqb s.1 (k (part t)) && Z.leb s.2 u) singles ->
  form (fun i j => val (entry S i j)) (iota 0 n) (x t) <= val u * square (iota 0 n) (x t).
Notation has_lost lost T := (if lost is Some gone then has (member_of gone) T else true).
Hypothesis loses : forall t, (t < p)%N -> has_lost (lost t) (Ts t).
Hypothesis shown : forall t, (t < p)%N ->
  check_part S n p k J F singles M y best t (F t) (lost t) (nth Tried how t).

(* The best of a part, for each way in which it is shown. *)
Lemma part_paid t proof F' lost' (q := part t) (T := Ts q) : (t < r)%N ->
  support_of (k q) (J q) F' T -> {subset F' <= F q} -> has_lost lost' T ->
  check_part S n p k J F singles M y best q F' lost' proof ->
  form (fun i j => val (entry M i j)) T (x t) <= (beta q - \sum_(j <- T) cost j) * square T (x t).
Proof.
move=> tr; have qp := part_lt tr; have uT := support_uniq (node qp); have sT := support_size (node qp).
have TV : {subset T <= V} by apply: Ts_present.
have zero i : i \notin T -> x t i = 0 by apply: off.
elim: proof F' lost' => [||P N costs g' L'|kept inner IHin beside IHout] F' lost' nodeF sub meets.
- set A := filter (mem T) F'; have perm := support_split nodeF; rewrite -/A in perm.
  have inA : A \in choices (Nat.sub (k q) (size (J q))) F'.
    by have := choicesP (mem T) F'; rewrite (count_free nodeF).
  move/allP/(_ _ inA)/definite_block; rewrite -(perm_uniq perm) => /(_ R (x t) uT); rewrite /form /square.
  under eq_bigr => i _ do rewrite -(perm_big _ perm).
  rewrite -!(perm_big _ perm) valueB value_total -(perm_big _ perm); apply.
  by move=> i j; rewrite -!(perm_mem perm) => /TV iV /TV; apply: symM.
- case/andP=> /(single_bounds tr) + /allP same; have TI : {subset T <= iota 0 n} by move=> i /TV/in_V.
  rewrite (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq // => bound.
  rewrite [\sum_(j <- T) _]big1_seq ?subr0 => [|j /TV/same/andP[/Z.eqb_eq -> //]].
  apply: le_trans bound; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_big_seq => i /TV/same/andP[_ /allP eq_i].
  by apply: eq_big_seq => j /TV/eq_i/Z.eqb_eq ->.
- case/and3P=> paid_ok /allP rows check; have inJF := drawn_from nodeF.
  have subV : {subset J q ++ F' <= V}.
    by move=> i; rewrite mem_cat => iJF; apply: (drawn_present qp); rewrite mem_cat; case/orP: iJF => [->//|/sub ->]; rewrite orbT.
  have [symP pairs] := paid_pairs (x t) inJF paid_ok.
  have node' : support_of (size T) (J q) F' T by rewrite sT.
  have inI : {subset T <= iota 0 n} by move=> i /TV/in_V.
  have fam : family [:: (J q, size (J q)); (F', (k q - size (J q))%N)] T.
    have uJF := node_uniq nodeF; split; rewrite /= ?cats0 // => b; rewrite !inE => /orP[] /eqP ->.
      by apply/eqP; rewrite -all_count; apply/allP; apply: (forced_in nodeF).
    by rewrite /= (count_free nodeF).
  pose paid_y := total (price y) T; have yT : val paid_y = \sum_(j <- T) cost j by rewrite value_total.
  pose c i := val (nth Z0 costs i) - val paid_y; rewrite -yT -valueB.
  apply: (@semidefinite_bounds R M _ (J q) F' T (x t) node' zero g' L' _ _ c (fun i j => val (entry P i j)) check).
  + by move=> i j il jl; rewrite symP // symM ?subV.
  + move=> i j _ _; rewrite /c !(valueB, valueD); case: eqP => [->|_]; last by rewrite add0r.
    by ring.
  apply: le_trans pairs _; apply: rows_paid => i iT; rewrite /c ler_subr_addr yT -big_split /=.
  pose prices := map (fun a => Z.add a.1 a.2) (zip (fit Z0 n (nth [::] N i)) (fit Z0 n y)).
  rewrite (eq_big_seq (fun j => if j == i then val (Z.add (entry N i i) (price y i)) else val (nth Z0 prices j))) => [|j /inI].
    have := rows i (inJF _ iT); rewrite -[X in _ <= val X]Z.mul_1_r.
    case: (lost') meets => [gone /hasP[j jT]|_]; last by apply: (pays_bound R fam uT (fun a b _ _ h => h) inI iT iT); rewrite member_set mem_head.
    exact: (pays_bound R fam uT (fun a b _ _ h => h) inI iT jT).
  rewrite mem_iota /= => lj; rewrite /prices !fitE zip_map -map_comp (nth_map 0%N) ?size_iota // nth_iota //=.
  by case: eqP => [->|_]; rewrite valueD.
case/andP=> in_ok out_ok; have [meet|none] := boolP (has (member_of (lost_of kept F')) T); first exact: IHout out_ok.
apply: (IHin _ None) in_ok => // [|i]; last by rewrite mem_filter => /andP[_ /sub].
move: nodeF; rewrite -sT => /fewer_free; apply=> i iT iF; have := hasPn none i iT.
by rewrite /lost_of member_set mem_filter iF andbT negbK.
Qed.

Lemma block_paid t : (t < r)%N ->
  form (fun i j => val (entry M i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) <=
  beta (part t) - \sum_(j <- Ts (part t)) cost j.
Proof.
move=> tr; have tp := part_lt tr; have uT := support_uniq (node tp).
have TI : {subset Ts (part t) <= iota 0 n} by move=> i /(drawn_from (node tp))/(within tp).
have zero i : i \notin Ts (part t) -> x t i = 0 by apply: off.
rewrite ler_pdivr_mulr ?positive // (form_support _ uT) ?iota_uniq // (square_support uT) ?iota_uniq //.
exact: part_paid (node tp) _ (loses tp) (shown tp).
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
Let forced := filter (fun j => Nat.ltb 0 (must p J j)) V.
Let others := filter (fun j => Nat.eqb (must p J j) 0) V.

Lemma forcedE j : Nat.ltb 0 (must p J j) = has (fun t => j \in J t) (iota 0 p).
Proof. by rewrite has_count -count_must; case: (must p J j). Qed.

Lemma othersE j : Nat.eqb (must p J j) 0 = ~~ Nat.ltb 0 (must p J j).
Proof. by case: (must p J j). Qed.

Lemma open_places t : (t < p)%N -> (count (mem (Ts t)) others <= k t - size (J t))%N.
Proof.
move=> tp; rewrite -(count_free (node tp)) -!size_filter; apply: uniq_leq_size.
  by rewrite !filter_uniq ?iota_uniq.
move=> j; rewrite !mem_filter => /and3P[/= jT + _]; rewrite jT othersE forcedE => /hasPn free.
have := drawn_from (node tp) jT; rewrite mem_cat => /orP[jJ|//].
by have := free t; rewrite in_iota tp jJ => /(_ isT).
Qed.

Lemma roomE : room p k J = (\sum_(t <- iota 0 p) (k t - size (J t)))%N.
Proof. by rewrite /room; elim: (iota 0 p) => [|t l IH]; rewrite ?big_nil // big_cons /= IH. Qed.

Lemma most_others : (count in_use others <= room p k J)%N.
Proof.
apply: leq_trans (count_has (fun t j => j \in Ts t) _ _) _; rewrite roomE big_seq [X in (_ <= X)%N]big_seq.
by apply: leq_sum => t; rewrite in_iota; apply: open_places.
Qed.

Lemma all_others : p = 1%N -> count in_use others = room p k J.
Proof.
move=> p1; have tp : (0 < p)%N by rewrite p1.
rewrite roomE p1 /= big_cons big_nil addn0 -(count_free (node tp)) -!size_filter; apply/perm_size/uniq_perm.
- by rewrite !filter_uniq ?iota_uniq.
- by rewrite filter_uniq //; have := node_uniq (node tp); rewrite cat_uniq => /and3P[].
move=> j; rewrite !mem_filter /in_use othersE forcedE p1 /= !orbF; case jT: (j \in Ts 0%N) => //=.
have := drawn_from (node tp) jT; have := node_uniq (node tp); rewrite cat_uniq mem_cat => /and3P[_ /hasPn JF _].
have := within tp; rewrite /may_use /inside has_eqb mem_cat => inI.
case jJ: (j \in J 0%N) => /=; first by move=> _; apply/esym/negP => /JF; rewrite /= jJ.
by move=> jF; rewrite jF inI // mem_cat jF orbT.
Qed.

Notation ex j := (val (excess S p copies J M y shift j)).

Lemma excess_paid : Nat.eqb p 1 || Z.leb Z0 threshold ->
  \sum_(j <- used) ex j <= \sum_(j <- forced) ex j + ((room p k J)%:R * val threshold + \sum_(j <- others) Num.max (ex j - val threshold) 0).
Proof.
move=> sign; rewrite [X in X <= _]big_filter (bigID (fun j => Nat.ltb 0 (must p J j))) /= ler_add //.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite [RHS]big_filter.
  rewrite [LHS]big_seq_cond [RHS]big_seq_cond; apply: eq_bigl => j; case jV: (j \in V) => //=.
  rewrite andbC; apply: andb_idr; rewrite forcedE => /hasP[t]; rewrite in_iota => tp jJ.
  by apply/hasP; exists t; rewrite ?in_iota //; apply: (forced_in (node tp)).
rewrite (eq_bigl (fun j => Nat.eqb (must p J j) 0 && in_use j)) => [|j]; last by rewrite othersE andbC.
rewrite -big_filter_cond; apply: le_trans (chosen_prices in_use _ (val threshold) _) _; rewrite ler_add2r.
case/orP: sign => [/PeanoNat.Nat.eqb_eq/all_others -> //|/(value_ge0 R) t0].
by rewrite ler_wpmul2r // ler_nat most_others.
Qed.

Theorem prices_bound : check_prices S n p copies single k J F U singles lost M y shift best how threshold g L -> r = (copies * p)%N ->
  \sum_(t < r) form (fun i j => val (entry S i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) <= val U.
Proof.
case/and5P=> _ _ /allP signs sign /andP[_ enough] rE.
rewrite sum_of_both; apply: le_trans (_ : copies%:R * (\sum_(t <- iota 0 p) beta t - \sum_(j <- used) cost j * (times j)%:R) +
    (\sum_(j <- used) (Zv j j + val shift) - r%:R * val shift) <= _).
  apply: ler_add left_paid; rewrite -prices_exchanged -sumrB -shared; apply: ler_sum => t _.
  exact: block_paid.
have paid : \sum_(j <- used) (Zv j j + val shift) - copies%:R * (\sum_(j <- used) cost j * (times j)%:R) <=
    \sum_(j <- used) ex j.
  rewrite mulr_sumr -sumrB big_seq [X in _ <= X]big_seq; apply: ler_sum => j ju.
  rewrite /excess valueB valueD valueB valueM value_nat ler_add2l ler_opp2 natrM -mulrA ler_wpmul2l ?ler0n //.
  have /andP[low high] := uses_between ju; rewrite mulrC.
  have := signs j; rewrite mem_filter in ju; case/andP: ju => ju jV => /(_ jV)/or3P[one|/(value_ge0 R) c0|fix_].
  - have : (times j <= uses p J j)%N.
      apply: leq_trans (apart one j) _; rewrite /uses eqbE; case: eqP => // /eqP; by rewrite -lt0n.
    by move=> up; rewrite (_ : times j = uses p J j) //; apply/eqP; rewrite eqn_leq up low.
  - by rewrite ler_wpmul2l // ler_nat.
  move/PeanoNat.Nat.leb_le/ssrnat.leP: fix_ => up; rewrite (_ : times j = uses p J j) //.
  by apply/eqP; rewrite eqn_leq low andbT (leq_trans high).
have := value_le R enough; rewrite !(valueD, valueB, valueM) !value_total !value_nat.
under [X in _ + (_ + (_ + X - _)) <= _ -> _]eq_bigr => j _ do rewrite value_max valueB.
have le_ab := le_trans paid (excess_paid sign); move=> /(le_trans _); apply.
rewrite rE multE mulrBr -addrA ler_add2l !addrA ler_add2r [X in X <= _]addrC -addrA.
exact: le_ab.
Qed.

End Bound.
