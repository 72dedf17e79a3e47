(* A leaf of a claim about several components: a price matrix Z = Sigma - M stands between the components and a price
   for every use of a variable; what is left is one component after another, each over all of its supports. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Elimination Projection.

(* Every choice of m members of F. *)
Fixpoint choices (m : nat) (F : seq nat) : seq (seq nat) :=
  match F, m with
  | _, O => [:: [::]]
  | [::], _ => [::]
  | i :: F', S m' => map (cons i) (choices m' F') ++ choices m F'
  end.

(* How the best of a part is shown: every support is tried, or rows pay: P and N for the pairs of variables that are
   near, weights for the others. Or supports with a variable that is not kept are told from the others. *)
Inductive part_proof :=
  | Tried
  | ByRows (weights : seq Z) (P N : seq (seq Z)) (costs : seq Z) (g : Z) (L : seq (seq Z))
  | Within (kept : seq nat) (within beside : part_proof).

Definition lost_of (kept F : seq nat) : Z :=
  let stay := set_of kept in set_of (filter (fun i => negb (member_of stay i)) F).

(* The entries of A where both variables are near, and those of S elsewhere. *)
Definition mixed (near : seq nat) (S A : seq (seq Z)) : nat -> nat -> Z :=
  let set := set_of near in
  fun i j => if member_of set i && member_of set j then entry A i j else entry S i j.

(* Row i costs w_i (N_ij + y_j) for each other variable j of its support if both are near, else |S_ij| w_j + w_i y_j. *)
Definition row_of (S : seq (seq Z)) (n : nat) (y : seq Z) (near used : Z) (w : seq Z) (N : seq (seq Z)) (i : nat) : row :=
  let wi := nth Z0 w i in
  let is_near := member_of near i in
  let price a :=
    let '(j, (v, yj, (s, wj))) := a in
    (Z.add (if is_near && member_of near j then Z.mul wi v else Z.mul (Z.abs s) wj) (Z.mul wi yj), (j, j)) in
  let all := zip (iota 0 n) (zip (zip (fit Z0 n (nth [::] N i)) (fit Z0 n y)) (zip (fit Z0 n (nth [::] S i)) (fit Z0 n w))) in
  Row (i, i) (Z.mul (Z.add (if is_near then entry N i i else entry S i i) (nth Z0 y i)) wi) wi
    (sort (fun a b : Checker.price => Z.leb b.1 a.1) (map price (filter (fun a => member_of used a.1) all))).

(* Part t of a table has a support with J t forced in and F t free; there are p parts, and `copies` components use
   each of them. `single` says that no variable is in the supports of two parts. `best t` bounds what a component
   with a support T explains of M, with the prices y of T added; where part t has lost some variables, if T has one
   of them. M is Sigma but between variables that are near, where it is A. *)
Section Program.

Variables (S : seq (seq Z)) (n p copies : nat) (single : bool) (k : nat -> nat) (J F : nat -> seq nat) (U : Z).
Variables (lost : nat -> option Z) (near : seq nat) (A : seq (seq Z)) (M : nat -> nat -> Z) (y : seq Z).
Variables (shift : Z) (best : seq Z) (how : seq part_proof) (threshold g : Z) (L : seq (seq Z)).

Definition may_use (t j : nat) : bool := inside (J t ++ F t) j.
Definition present : seq nat := filter (fun j => has (fun t => may_use t j) (iota 0 p)) (iota 0 n).
Definition must (j : nat) : nat := size (filter (fun t => inside (J t) j) (iota 0 p)).
Definition may (j : nat) : nat := size (filter (fun t => may_use t j) (iota 0 p)).
Definition uses (j : nat) : nat := if Nat.eqb (must j) 0 then 1%N else must j.

Definition price (j : nat) : Z := nth Z0 y j.
Definition rest_of (i j : nat) : Z := Z.sub (entry S i j) (M i j).
Definition excess (j : nat) : Z :=
  Z.sub (Z.add (rest_of j j) shift) (Z.mul (Z.of_nat (Nat.mul copies (uses j))) (price j)).

Definition room : nat := foldr (fun t s => Nat.add (Nat.sub (k t) (size (J t))) s) 0%N (iota 0 p).

Fixpoint check_part (t : nat) (F : seq nat) (lost : option Z) (proof : part_proof) : bool :=
  let most := nth Z0 best t in
  match proof with
  | Tried => all (fun T => is_at_most (J t ++ T) (Z.sub most (total price (J t ++ T))) M) (choices (Nat.sub (k t) (size (J t))) F)
  | ByRows w P N costs g L =>
      let l := J t ++ F in
      let close := set_of near in
      let own := filter (member_of close) l in
      let among := among n own in
      let parts := sets_of [:: (J t, size (J t)); (F, Nat.sub (k t) (size (J t)))] in
      let cost i := nth Z0 costs i in
      let row := row_of S n y (set_of own) (set_of l) w N in
      let P := among P in
      [&& paid P (among N),
          all (fun i => [&& Z.ltb Z0 (nth Z0 w i), member_of close i || Z.leb (cost i) most &
            pays (cost i) parts (row i) (if lost is Some gone then gone else set_of [:: i])]) l &
          semidefinite g L (ascending n own) (fun i => Z.sub most (cost i)) (combined Z.sub P (among A))]
  | Within kept within beside =>
      check_part t (filter (member_of (set_of kept)) F) None within && check_part t F (Some (lost_of kept F)) beside
  end.

Definition check_prices : bool :=
  let V := present in
  let forced := filter (fun j => Nat.ltb 0 (must j)) V in
  let others := filter (fun j => Nat.eqb (must j) 0) V in
  let inner := among n near A in
  [&& is_symmetric inner && Z.leb Z0 shift,
      semidefinite g L (ascending n near) (fun=> shift) (combined Z.sub (among n near S) inner),
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

Lemma mixedE near S A i j : mixed near S A i j = if (i \in near) && (j \in near) then entry A i j else entry S i j.
Proof. by rewrite /mixed !member_set. Qed.

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
Proof. by move=> tp j jT; rewrite mem_filter (Ts_present tp jT) andbT; apply/hasP; exists t; rewrite ?in_iota. Qed.

Lemma used_within : {subset used <= iota 0 n}.
Proof. by move=> j; rewrite !mem_filter => /and3P[]. Qed.

Lemma count_must j : must p J j = count (fun t => j \in J t) (iota 0 p).
Proof. by rewrite /must size_filter; apply: eq_count => t; rewrite /inside has_eqb. Qed.

Lemma sub_count_in (a b : pred nat) l : {in l, forall t, a t -> b t} -> (count a l <= count b l)%N.
Proof.
elim: l => //= t l IH sub; apply: leq_add; last by apply: IH => u ul; apply: sub; rewrite inE ul orbT.
by have := sub t (mem_head _ _); case: (a t) => // ->.
Qed.

Lemma uses_between j : j \in used -> (uses p J j <= times j <= may p J F j)%N.
Proof.
rewrite mem_filter => /andP[some _]; apply/andP; split; last first.
  rewrite /may size_filter; apply: sub_count_in => t; rewrite in_iota /may_use /inside has_eqb => tp.
  exact: (drawn_from (node tp)).
rewrite /uses eqbE; case: eqP => _; first by rewrite /times -has_count.
by rewrite count_must; apply: sub_count_in => t; rewrite in_iota => tp; apply: (forced_in (node tp)).
Qed.

Lemma zero_unused t i : (t < r)%N -> i \notin used -> x t i = 0.
Proof. by move=> tr out; apply: off => //; apply: contra out; apply: Ts_used; apply: part_lt. Qed.

Lemma square_used t : (t < r)%N -> square (iota 0 n) (x t) = square used (x t).
Proof. by move=> tr; apply: square_support uniq_used (iota_uniq _ _) used_within _ => i; apply: zero_unused. Qed.

Lemma orthogonal_used s t : (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- used) x s i * x t i = 0.
Proof.
move=> sr tr st; rewrite -[RHS](orthogonal sr tr st); apply/esym/(sum_support uniq_used (iota_uniq _ _) used_within) => i out.
by rewrite (zero_unused sr out) mul0r.
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
Variables (A : seq (seq Z)) (M : nat -> nat -> Z) (near : seq nat) (y : seq Z) (shift : Z) (best : seq Z) (how : seq part_proof).
Variables (threshold g : Z) (L : seq (seq Z)) (lost : nat -> option Z).
Notation Zv i j := (val (entry S i j) - val (M i j)).
Hypothesis near_uniq : uniq near.
Hypothesis near_in : {subset near <= V}.
Hypothesis beside : {in V &, forall i j, ~~ ((i \in near) && (j \in near)) -> M i j = entry S i j}.
Hypothesis shift_ge0 : {in V, forall j, j \notin near -> 0 <= val shift}.
Hypothesis symN : {in near &, forall i j, M i j = M j i}.
Hypothesis semi : semidefinite g L near (fun=> shift) (block near (rest_of S M)).

Lemma in_V j : j \in V -> j \in iota 0 n.
Proof. by rewrite mem_filter => /andP[]. Qed.

Lemma symM : {in V &, forall i j, M i j = M j i}.
Proof.
move=> i j iV jV; have [/andP[il jl]|out] := boolP ((i \in near) && (j \in near)); first exact: symN.
by rewrite !beside // 1?andbC // symS // in_V.
Qed.

Lemma form_to_used (B : nat -> nat -> R) t : (t < r)%N -> form B (iota 0 n) (x t) = form B used (x t).
Proof. by move=> tr; apply: form_support uniq_used (iota_uniq _ _) used_within _ => i; apply: zero_unused. Qed.

Lemma left_paid : \sum_(t < r) form (fun i j => Zv i j) (iota 0 n) (x t) / square (iota 0 n) (x t) <=
  \sum_(j <- used) (Zv j j + val shift) - r%:R * val shift.
Proof.
pose G i j := Zv i j + (if i == j then val shift else 0).
have psd v : 0 <= form G used v.
  have inV j : j \in used -> j \in V by rewrite mem_filter => /andP[].
  apply: (psd_beside near_uniq uniq_used) => [v'|i j /inV iV /inV jV /negPf ij out|i /inV iV out]; first 1 last.
  - by rewrite /G ij beside // subrr addr0.
  - by rewrite /G eqxx beside ?andbb // subrr add0r (shift_ge0 iV).
  have restE : form (fun i j => val (rest_of S M i j)) near v' = form (fun i j => Zv i j) near v'.
    by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite valueB.
  rewrite /G formD form_diagonal // -restE; apply: semidefinite_ge0 semi near_uniq _ => i j il jl.
  by rewrite /rest_of symN // symS // in_V ?near_in.
have paid : \sum_(t < r) form G used (x t) / square used (x t) <= \sum_(i <- used) G i i.
  by apply: (projection_paid uniq_used psd _ orthogonal_used) => t tr; rewrite -square_used ?positive.
rewrite ler_subr_addr; move: paid; congr (_ <= _); last by apply: eq_bigr => i _; rewrite /G eqxx.
rewrite (eq_bigr (fun t : 'I_r => form (fun i j => Zv i j) (iota 0 n) (x t) / square (iota 0 n) (x t) + val shift)).
  by rewrite big_split /= big_const_ord iter_addr addr0 mulr_natl.
move=> t _; rewrite form_to_used // square_used // /G formD form_diagonal ?uniq_used // -mulr_sumr mulrDl.
by rewrite -/(square used (x t)) mulfK // gt_eqF // -square_used // positive.
Qed.

Lemma sum_of_both : \sum_(t < r) form (fun i j => val (entry S i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) =
    \sum_(t < r) form (fun i j => val (M i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) +
    \sum_(t < r) form (fun i j => Zv i j) (iota 0 n) (x t) / square (iota 0 n) (x t).
Proof.
rewrite -big_split; apply: eq_bigr => t _ /=; rewrite -mulrDl -formD; congr (_ / _).
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite addrC subrK.
Qed.

(* What M has is paid by the best supports of the parts. *)
Hypothesis ME : {in near &, M =2 entry A}.
Notation beta t := (val (nth Z0 best t)).
Notation cost j := (val (price y j)).
Notation has_lost lost T := (if lost is Some gone then has (member_of gone) T else true).
Hypothesis loses : forall t, (t < p)%N -> has_lost (lost t) (Ts t).
Hypothesis shown : forall t, (t < p)%N ->
  check_part S n k J near A M y best t (F t) (lost t) (nth Tried how t).

(* The best of a part, for each way in which it is shown. *)
Lemma part_paid t proof F' lost' (q := part t) (T := Ts q) : (t < r)%N ->
  support_of (k q) (J q) F' T -> {subset F' <= F q} -> has_lost lost' T ->
  check_part S n k J near A M y best q F' lost' proof ->
  form (fun i j => val (M i j)) T (x t) <= (beta q - \sum_(j <- T) cost j) * square T (x t).
Proof.
move=> tr; have qp := part_lt tr; have uT := support_uniq (node qp); have sT := support_size (node qp).
have TV : {subset T <= V} by apply: Ts_present.
have zero i : i \notin T -> x t i = 0 by apply: off.
elim: proof F' lost' => [|w P N costs g' L'|kept inner IHin out IHout] F' lost' nodeF sub meets.
- set own := filter (mem T) F'; have perm := support_split nodeF; rewrite -/own in perm.
  have in_own : own \in choices (Nat.sub (k q) (size (J q))) F' by have := choicesP (mem T) F'; rewrite (count_free nodeF).
  move/allP/(_ _ in_own)/definite_block; rewrite -(perm_uniq perm) => /(_ R (x t) uT); rewrite /form /square.
  under eq_bigr => i _ do rewrite -(perm_big _ perm).
  rewrite -!(perm_big _ perm) valueB value_total -(perm_big _ perm); apply.
  by move=> i j; rewrite -!(perm_mem perm) => /TV iV /TV; apply: symM.
- case/and3P=> paid_ok /allP rows check; have inJF := drawn_from nodeF.
  have subV : {subset J q ++ F' <= V}.
    by move=> i; rewrite mem_cat => iJF; apply: (drawn_present qp); rewrite mem_cat; case/orP: iJF => [->//|/sub ->]; rewrite orbT.
  set close := filter _ _ in paid_ok rows check; rewrite !amongE combined_block in paid_ok check.
  have a_close i : i \in T -> (i \in close) = (i \in near) by move=> iT; rewrite mem_filter member_set inJF // andbT.
  set own := ascending n close in paid_ok check; have uown : uniq own by apply: ascending_uniq.
  have ownE : own =i close by apply: in_ascending => i; rewrite mem_filter => /andP[_ /subV/in_V].
  have a_own i : i \in T -> (i \in own) = (i \in near) by rewrite ownE; apply: a_close.
  have fam : family [:: (J q, size (J q)); (F', (k q - size (J q))%N)] T.
    have uJF := node_uniq nodeF; split; rewrite /= ?cats0 // => b; rewrite !inE => /orP[] /eqP ->.
      by apply/eqP; rewrite -all_count; apply/allP; apply: (forced_in nodeF).
    by rewrite /= (count_free nodeF).
  pose weight i := val (nth Z0 w i); pose c i := val (nth Z0 costs i).
  have w_gt0 i : i \in T -> 0 < weight i by move=> iT; have /and3P[/(value_gt0 R)] := rows i (inJF i iT).
  (* P and N where both are near, weights elsewhere. *)
  pose both i j := (i \in near) && (j \in near).
  pose Pf i j := if both i j then val (entry P i j) else val (M i j).
  pose Nf i j := if both i j then val (entry N i j) else if i == j then val (entry S i i) else
    `|val (entry S i j)| * weight j / weight i.
  have pairs : form Pf T (x t) <= \sum_(i <- T) x t i ^+ 2 * \sum_(j <- T) Nf i j.
    apply: pairs_paid => i j iT jT; rewrite /Pf /Nf /both (andbC (j \in near)).
    have [/andP[il jl]|out] := boolP (_ && _).
      by rewrite -!a_own // in il jl; apply: (paid_pair (x t i) (x t j) paid_ok il jl).2.
    rewrite beside ?TV // eq_sym; case: eqP => [->|_]; first by rewrite expr2 mulr_natl mulr2n.
    by rewrite (symS (in_V (TV j jT)) (in_V (TV i iT))); apply: weights_pair; apply: w_gt0.
  have row i : i \in T -> \sum_(j <- T) Nf i j + \sum_(j <- T) cost j <= c i.
    move=> iT; have /and3P[_ _ pays_i] := rows i (inJF i iT); rewrite -big_split /= -(ler_pmul2r (w_gt0 i iT)) mulr_suml.
    pose near_i j := member_of (set_of close) i && member_of (set_of close) j.
    pose prices j := Z.add (if near_i j then Z.mul (nth Z0 w i) (entry N i j) else Z.mul (Z.abs (entry S i j)) (nth Z0 w j))
      (Z.mul (nth Z0 w i) (price y j)).
    set rowi := row_of _ _ _ _ _ _ _ _ in pays_i.
    have ranked_i : ranked id T prices (Checker.beside rowi).
      rewrite /rowi /row_of [Checker.beside _]/= !fitE !zip_map -{1}(map_id (iota 0 n)) zip_map filter_map -map_comp.
      by apply: ranked_sort => j jT; rewrite mem_filter /= member_set inJF // in_V ?TV.
    have ok : \sum_(j <- T) (if j == i then val (Checker.own rowi) else val (prices j)) <= val (Z.mul (nth Z0 costs i) (nth Z0 w i)).
      case: (lost') meets pays_i => [gone /hasP[j jT]|_]; last first.
        by apply: (pays_bound R fam uT (fun a b _ _ h => h) ranked_i iT iT); rewrite member_set mem_head.
      exact: (pays_bound R fam uT (fun a b _ _ h => h) ranked_i iT jT).
    rewrite -valueM; apply: le_trans ok; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_big_seq => j jT.
    rewrite mulrDl /Nf /both eq_sym; case: eqP => [->|_].
      rewrite /= andbb member_set a_close // valueM valueD mulrDl; by case: ifP.
    rewrite /prices /near_i !member_set !a_close // valueD [val (Z.mul _ (price _ _))]valueM [cost j * _]mulrC; congr (_ + _).
    by case: ifP => _; rewrite valueM; [rewrite mulrC | rewrite value_abs divfK // gt_eqF ?w_gt0].
  (* What is left is positive semidefinite. *)
  pose E i j := (if i == j then beta q - c i else 0) + (Pf i j - val (M i j)).
  have semi_E : 0 <= form E T (x t).
    apply: (psd_beside uown uT) => [v|i j iT jT /negPf ij|i iT]; rewrite ?a_own //; first 1 last.
    - by rewrite /E /Pf /both ij => /negPf ->; rewrite subrr addr0.
    - move=> /negPf out; have /and3P[_ + _] := rows i (inJF i iT); rewrite member_set out /= => /(value_le R).
      by rewrite /E /Pf /both eqxx out /= subrr addr0 subr_ge0.
    have near_of i : i \in own -> i \in near by rewrite ownE mem_filter member_set => /andP[].
    have symP i j : i \in own -> j \in own -> entry P i j = entry P j i by move=> il jl; apply: (paid_pair 0 0 paid_ok il jl).1.
    apply: le_trans (semidefinite_ge0 v check uown _) _ => [i j il jl|].
      by rewrite symP // -!ME ?near_of // symN ?near_of.
    rewrite /E formD form_diagonal // addrC le_eqVlt; apply/orP; left; apply/eqP; congr (_ + _).
      by apply: eq_bigr => i _; rewrite valueB.
    by apply: eq_big_seq => i il; apply: eq_big_seq => j jl; rewrite valueB /Pf /both !near_of //= ME ?near_of.
  move: semi_E; rewrite /E formD form_diagonal // formB addrA subr_ge0 => /le_trans; apply; rewrite addrC.
  rewrite -ler_subr_addr; apply: le_trans pairs _; rewrite ler_subr_addr -big_split /square mulr_sumr big_seq [X in _ <= X]big_seq /=.
  apply: ler_sum => i iT; rewrite [x t i ^+ 2 * _]mulrC -mulrDl ler_wpmul2r ?sqr_ge0 //.
  move: (row i iT); move: (\sum_(j <- T) Nf i j) (\sum_(j <- T) cost j) (c i) (beta q) => s u ci b.
  by rewrite -subr_ge0 => gap; rewrite -subr_ge0; move: gap; congr (_ <= _); ring.
case/andP=> in_ok out_ok; have [meet|none] := boolP (has (member_of (lost_of kept F')) T); first exact: IHout out_ok.
apply: (IHin _ None) in_ok => // [|i]; last by rewrite mem_filter => /andP[_ /sub].
move: nodeF; rewrite -sT => /fewer_free; apply=> i iT iF; have := hasPn none i iT.
by rewrite /lost_of member_set mem_filter iF andbT negbK.
Qed.

Lemma block_paid t : (t < r)%N ->
  form (fun i j => val (M i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) <=
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

Theorem prices_bound : check_prices S n p copies single k J F U lost near A M y shift best how threshold g L -> r = (copies * p)%N ->
  \sum_(t < r) form (fun i j => val (entry S i j)) (iota 0 n) (x t) / square (iota 0 n) (x t) <= val U.
Proof.
case/and5P=> _ _ /allP signs sign /andP[_ enough] rE.
rewrite sum_of_both; apply: le_trans (_ : copies%:R * (\sum_(t <- iota 0 p) beta t - \sum_(j <- used) cost j * (times j)%:R) +
    (\sum_(j <- used) (Zv j j + val shift) - r%:R * val shift) <= _).
  by apply: ler_add left_paid; rewrite -prices_exchanged -sumrB -shared; apply: ler_sum => t _; apply: block_paid.
have paid : \sum_(j <- used) (Zv j j + val shift) - copies%:R * (\sum_(j <- used) cost j * (times j)%:R) <=
    \sum_(j <- used) ex j.
  rewrite mulr_sumr -sumrB big_seq [X in _ <= X]big_seq; apply: ler_sum => j ju.
  rewrite /excess /rest_of valueB valueD valueB valueM value_nat ler_add2l ler_opp2 natrM -mulrA ler_wpmul2l ?ler0n //.
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
by rewrite rE multE mulrBr -addrA ler_add2l !addrA ler_add2r [X in X <= _]addrC -addrA.
Qed.

End Bound.
