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

Definition same_set (a b : seq nat) : bool := Z.eqb (set_of a) (set_of b).

Section Program.

Variables (Sigma : seq (seq Z)) (n r : nat) (single : bool) (k : nat -> nat) (J F : nat -> seq nat) (U : Z).

(* Component t is of the group `group t`; components of a group may exchange their sets. Beginnings of choices
   are bounded with the first point. *)
Variables (points : seq table_point) (group : seq nat) (evidence : seq (seq (seq (Z * seq Z)))).

Let V := present n r J F.
Definition point_at (q : nat) : table_point := nth no_point points q.
Definition shift_at (q : nat) : Z := (point_at q).1.2.
Definition cost_at (q j : nat) : Z := Z.add (rest_of Sigma (point_at q).1.1 j j) (shift_at q).
Definition shifts (q : nat) : Z := Z.mul (Z.of_nat r) (shift_at q).

Definition check_point (q : table_point) : bool :=
  let '(M, shift, why) := q in
  let inner := among n V M in
  is_symmetric inner && semidefinite why (ascending n V) (fun=> shift) (combined Z.sub (among n V Sigma) inner).

Definition group_of (t : nat) : nat := nth 0%N group t.
Definition members (g : nat) : seq nat := filter (fun t => eqn (group_of t) g) (iota 0 r).
Definition lead (g : nat) : nat := head 0%N (members g).
Definition alike (s t : nat) : bool := [&& eqn (k s) (k t), same_set (J s) (J t) & same_set (F s) (F t)].

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

(* All sets are chosen. The variables V of the leaf are found once. *)
Definition final (V : seq nat) (chosen : seq candidate) : bool :=
  let W := filter (fun j => has (fun c => has (eqn j) c.1) chosen) V in
  let is_enough q := enough U (map (peak_at q) chosen) (Z.sub (total (cost_at q) W) (shifts q)) in
  has is_enough (iota 0 (size points)).

(* With m components of a group to come, which have the sets of `own`, and `base` for all that comes later. *)
Fixpoint visit (base : Z) (next : seq candidate -> bool) (m : nat) (chosen own : seq candidate) : bool :=
  match m with
  | O => next chosen
  | S m' =>
      (fix each (own : seq candidate) : bool :=
        match own with
        | [::] => true
        | c :: own' =>
            if all (fits c) chosen then
              enough U (map (peak_at 0) chosen) (Z.add base (Z.mul (Z.of_nat m) (top_at 0 c))) ||
              visit base next m' (c :: chosen) own && each own'
            else each own'
        end) own
  end.

Fixpoint plan (g : nat) (evidence : seq (seq (seq (Z * seq Z)))) : Z * (seq candidate -> bool) :=
  match evidence with
  | [::] => (Z.sub (total (fun j => Z.max (cost_at 0 j) Z0) V) (shifts 0), final V)
  | own :: evidence' =>
      let (base, next) := plan (S g) evidence' in
      let m := size (members g) in
      let own := candidates g own in
      let top := top_at 0 (head ([::], [::]) own) in
      (Z.add base (Z.mul (Z.of_nat m) top), fun chosen => visit base next m chosen own)
  end.

Definition check_choices : bool :=
  [&& (0 < size points)%N, all check_point points, all (fun t => (group_of t < size evidence)%N) (iota 0 r),
      all (fun g => check_group g (nth [::] evidence g)) (iota 0 (size evidence)) & (plan 0 evidence).2 [::]].

End Program.

Lemma fewP (a : pred nat) m F : (count a F <= m)%N -> filter a F \in few m F.
Proof.
move=> few_a; apply/flattenP; exists (choices (count a F) F); last exact: choicesP.
by apply: (map_f (fun s => choices s F)); rewrite mem_iota.
Qed.

Lemma same_setE a b : same_set a b -> a =i b.
Proof. by move/Z.eqb_eq => ab i; rewrite -!member_set ab. Qed.

Lemma some_pairP (X : Type) (f : X -> X -> bool) (h : nat -> X) l : uniq l -> some_pair f (map h l) ->
  exists s t, [/\ s \in l, t \in l, s != t & f (h s) (h t)].
Proof.
elim: l => //= s l IH /andP[out ul] /orP[|/(IH ul)[u [v [ul' vl' uv fuv]]]]; last first.
  by exists u, v; rewrite !inE ul' vl' !orbT.
by rewrite has_map => /hasP[t tl fst]; exists s, t; rewrite !inE eqxx tl orbT; split=> //; apply: contraNneq out => ->.
Qed.
