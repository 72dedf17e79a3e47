(* Several components: how many parts their supports are, what a leaf may use, and what orthogonality leaves. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Blocks Walk Projection.

(* Supports are free to overlap, or disjoint, or all in one set of k variables. *)
Inductive table_kind := Orthogonal | Disjoint | Common.

Definition is_common (kind : table_kind) : bool := match kind with Common => true | _ => false end.
Definition is_disjoint (kind : table_kind) : bool := match kind with Disjoint => true | _ => false end.

(* Each of r components has a part of its own for its support, or all of them have one. *)
Definition part_of (kind : table_kind) (t : nat) : nat := if is_common kind then 0%N else t.
Definition parts_of (kind : table_kind) (r : nat) : nat := if is_common kind then 1%N else r.
Definition copies_of (kind : table_kind) (r : nat) : nat := if is_common kind then r else 1%N.

(* How many variables a support has: k, or at most k where the sizes do not fit together. *)
Definition sizes_of (smaller : bool) (k : nat) : seq nat := if smaller then iota 1 k else [:: k].
Definition least_size (smaller : bool) (k : nat) : nat := if smaller then 1%N else k.

(* Part t has a support with J t forced in and F t free, t < p. *)
Section Program.

Variables (S : seq (seq Z)) (n p : nat) (J F : nat -> seq nat).

Definition may_use (t j : nat) : bool := inside (J t ++ F t) j.
Definition present : seq nat := filter (fun j => has (fun t => may_use t j) (iota 0 p)) (iota 0 n).
Definition must (j : nat) : nat := size (filter (fun t => inside (J t) j) (iota 0 p)).
Definition may (j : nat) : nat := size (filter (fun t => may_use t j) (iota 0 p)).
Definition uses (j : nat) : nat := if eqn (must j) 0 then 1%N else must j.

Definition rest_of (M : seq (seq Z)) (i j : nat) : Z := Z.sub (entry S i j) (entry M i j).

End Program.

(* Orthogonal vectors x_t, each 0 off the support of its part. *)
Record leaf_table (R : realFieldType) (n r : nat) (kind : table_kind) (smaller : bool) (k : nat -> nat)
    (Ts : nat -> seq nat) (x : nat -> nat -> R) : Prop := LeafTable {
  sized : forall t, (t < parts_of kind r)%N -> size (Ts t) \in sizes_of smaller (k t);
  apart : is_disjoint kind -> forall j, (count (fun t => j \in Ts t) (iota 0 (parts_of kind r)) <= 1)%N;
  off : forall t i, (t < r)%N -> i \notin Ts (part_of kind t) -> x t i = 0;
  positive : forall t, (t < r)%N -> 0 < square (iota 0 n) (x t);
  orthogonal : forall s t, (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- iota 0 n) x s i * x t i = 0 }.

Lemma sizesP smaller k m : m \in sizes_of smaller k -> (least_size smaller k <= m <= k)%N.
Proof. by case: smaller => /=; [rewrite mem_iota add1n ltnS | rewrite inE => /eqP ->; rewrite leqnn]. Qed.

Lemma sizes_le smaller k m : m \in sizes_of smaller k -> (m <= k)%N.
Proof. by case/sizesP/andP. Qed.

Lemma in_iota p t : (t \in iota 0 p) = (t < p)%N. Proof. by rewrite mem_iota. Qed.

Section Parts.

Variables (R : realFieldType) (kind : table_kind) (r : nat).
Notation p := (parts_of kind r).

Lemma part_lt t : (t < r)%N -> (part_of kind t < p)%N.
Proof. by rewrite /part_of /parts_of; case: is_common. Qed.

Lemma shared (f : nat -> R) : \sum_(t < r) f (part_of kind t) = (copies_of kind r)%:R * \sum_(t <- iota 0 p) f t.
Proof.
rewrite /part_of /copies_of /parts_of; case: is_common; last by rewrite mul1r sum_iota.
by rewrite sumr_const card_ord /= big_seq1 mulr_natl.
Qed.

End Parts.

Section Drawn.

Variables (n p : nat) (J F Ts : nat -> seq nat).
Hypothesis node : forall t, (t < p)%N -> holds (J t) (F t) (Ts t).
Hypothesis within : forall t, (t < p)%N -> {subset J t ++ F t <= iota 0 n}.
Notation V := (present n p J F).

Lemma in_V j : j \in V -> j \in iota 0 n. Proof. by rewrite mem_filter => /andP[]. Qed.

Lemma drawn_present t : (t < p)%N -> {subset J t ++ F t <= V}.
Proof.
move=> tp j jJF; rewrite mem_filter (within tp jJF) andbT.
by apply/hasP; exists t; rewrite ?in_iota // /may_use /inside has_eqb.
Qed.

Lemma Ts_present t : (t < p)%N -> {subset Ts t <= V}.
Proof. by move=> tp j /(drawn_from (node tp))/(drawn_present tp). Qed.

Lemma count_must j : must p J j = count (fun t => j \in J t) (iota 0 p).
Proof. by rewrite /must size_filter; apply: eq_count => t; rewrite /inside has_eqb. Qed.

Lemma sub_count_in (a b : pred nat) l : {in l, forall t, a t -> b t} -> (count a l <= count b l)%N.
Proof.
move=> ab; rewrite (@eq_in_count _ a (predI a b)) ?sub_count // => [t /andP[] //|t /ab] /=.
by case: (a t) => [/(_ isT) ->|].
Qed.

End Drawn.

(* Vectors that are 0 outside W. *)
Section Left.

Variables (R : realFieldType) (S : seq (seq Z)) (n r : nat) (x : nat -> nat -> R) (W : seq nat).
Notation val := (@value R).
Notation I := (iota 0 n).
Hypothesis uW : uniq W.
Hypothesis WI : {subset W <= I}.
Hypothesis out : forall t i, (t < r)%N -> i \notin W -> x t i = 0.
Hypothesis positive : forall t, (t < r)%N -> 0 < square I (x t).
Hypothesis orthogonal : forall s t, (s < r)%N -> (t < r)%N -> s != t -> \sum_(i <- I) x s i * x t i = 0.

Lemma projected (G : nat -> nat -> R) : (forall v, 0 <= form G W v) ->
  \sum_(t < r) form G I (x t) / square I (x t) <= \sum_(i <- W) G i i.
Proof.
move=> psd; have squareE t : (t < r)%N -> square I (x t) = square W (x t).
  by move=> tr; apply: square_support uW (iota_uniq _ _) WI _ => i; apply: out.
rewrite (eq_bigr (fun t : 'I_r => form G W (x t) / square W (x t))) => [|t _]; last first.
  by rewrite squareE // (form_support _ uW) ?iota_uniq // => i; apply: out.
apply: projection_paid => // [t tr|s t sr tr st]; first by rewrite -squareE ?positive.
rewrite -[RHS](orthogonal sr tr st); apply/esym/(sum_support uW (iota_uniq _ _) WI) => i iW.
by rewrite (out sr iW) mul0r.
Qed.

Lemma sum_const (a : R) : \sum_(t < r) a = r%:R * a. Proof. by rewrite sumr_const card_ord mulr_natl. Qed.

(* So many orthogonal vectors need as many variables. *)
Lemma enough_variables : (r <= size W)%N.
Proof.
pose one (i j : nat) : R := if i == j then 1 else 0.
have oneE l v : uniq l -> form one l v = square l v.
  by move=> ul; rewrite form_diagonal //; apply: eq_bigr => i _; rewrite mul1r.
have psd v : 0 <= form one W v by rewrite oneE ?square_ge0.
have := projected psd; rewrite (eq_bigr (fun=> 1)) => [|t _]; last by rewrite oneE ?iota_uniq // divff // gt_eqF ?positive.
rewrite sum_const mulr1 [X in _ <= X](eq_bigr (fun=> 1)) => [|i _]; last by rewrite /one eqxx.
by rewrite big_const_seq count_predT iter_addr addr0 ler_nat.
Qed.

(* What is left of Sigma is at most what the variables of W cost. *)
Variables (M : seq (seq Z)) (shift : Z) (near : seq nat) (why : root).
Notation Zv i j := (val (entry S i j) - val (entry M i j)).
Hypothesis symS : {in I &, forall i j, entry S i j = entry S j i}.
Hypothesis near_uniq : uniq near.
Hypothesis near_in : {subset near <= I}.
Hypothesis beside : {in W &, forall i j, ~~ ((i \in near) && (j \in near)) -> entry M i j = entry S i j}.
Hypothesis shift_ge0 : {in W, forall j, j \notin near -> 0 <= val shift}.
Hypothesis symN : {in near &, forall i j, entry M i j = entry M j i}.
Hypothesis semi : semidefinite why near (fun=> shift) (block near (rest_of S M)).

Lemma left_paid : \sum_(t < r) form (fun i j => Zv i j) I (x t) / square I (x t) <=
  \sum_(j <- W) (Zv j j + val shift) - r%:R * val shift.
Proof.
pose G i j := Zv i j + (if i == j then val shift else 0).
have psd v : 0 <= form G W v.
  apply: (psd_beside near_uniq uW) => [v'|i j iW jW /negPf ij apart|i iW apart]; first 1 last.
  - by rewrite /G ij beside // subrr addr0.
  - by rewrite /G eqxx beside ?andbb // subrr add0r (shift_ge0 iW).
  rewrite /G formD form_diagonal // [form _ near v'](_ : _ = form (fun i j => val (rest_of S M i j)) near v').
    by apply: semidefinite_ge0 semi near_uniq _ => i j il jl; rewrite /rest_of symN // symS // near_in.
  by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite valueB.
rewrite ler_subr_addr; have := projected psd; congr (_ <= _); last by apply: eq_bigr => i _; rewrite /G eqxx.
rewrite -sum_const -big_split; apply: eq_bigr => t _ /=; rewrite /G formD form_diagonal ?iota_uniq //.
by rewrite -mulr_sumr mulrDl -/(square I (x t)) mulfK // gt_eqF // positive.
Qed.

Lemma sum_of_both : \sum_(t < r) form (fun i j => val (entry S i j)) I (x t) / square I (x t) =
  \sum_(t < r) form (fun i j => val (entry M i j)) I (x t) / square I (x t) +
  \sum_(t < r) form (fun i j => Zv i j) I (x t) / square I (x t).
Proof.
rewrite -big_split; apply: eq_bigr => t _ /=; rewrite -mulrDl -formD; congr (_ / _).
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite addrC subrK.
Qed.

End Left.
