(* The checker, as a program: nothing is proved in this file.

   A claim is: for the symmetric n x n matrix Sigma, given exactly, and 1 <= k <= n,

       lower <= v_k <= upper,      v_k = max { x'Sigma x : |x| = 1, x has at most k entries that are not 0 }.

   Every number is a whole number in units of 1 / denominator, so Sigma_ij = S_ij / D.
   Weights, and the numbers of a `root`, have no unit. *)
From Coq Require Import ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope Z_scope.

(* Sigma, or a factor A with columns of which Sigma = A'A. *)
Inductive covariance :=
  | Dense of seq (seq Z)
  | Factor (rows : nat) (unit : Z) (columns : seq (seq Z)).  (* A, in units of 1 / unit *)

(* Why a matrix M is positive semidefinite: g M - h LL' has a diagonal that dominates its rows. *)
Record root := Root {
  multiple : Z;  (* g *)
  grain : Z;  (* h *)
  triangle : seq (seq Z) }.  (* L *)

(* What rows pay with for the pairs of variables of a matrix M: between those that are near N, for a matrix P where P - M
   with `rest` on its diagonal is positive semidefinite; and weights for all others. A variable without weight has no row. *)
Record point := Point {
  near : seq nat;
  for_pairs : seq (seq Z);  (* P *)
  paying : seq (seq Z);  (* N *)
  rest : seq Z;
  why_rest : root;
  weights : seq Z }.

(* What bounds x'Sigma x over the supports of a node. Points are named by their number. *)
Inductive leaf :=
  | Listed
  | Rows (point : nat)
  | Psi (r : nat) (A Y : seq (seq Z)) (charges : seq Z) (residual : Z) (why : root).

(* A tree of families of supports. `Keep`: only these variables are free below; rows of this point pay for the
   supports that have another. *)
Inductive nodes (X : Type) :=
  | Rule of X
  | Branch (variable : nat) (inside outside : nodes X)
  | Keep (point : nat) (kept : seq nat) (child : nodes X).

Arguments Rule {X}.
Arguments Branch {X}.
Arguments Keep {X}.

Record certificate := Certificate {
  size_of : nat;
  cardinality : nat;
  denominator : Z;
  matrix : covariance;
  lower_of : Z;
  upper_of : Z;
  witness : seq Z;
  points_of : seq point;
  proof : nodes leaf }.

(* Sums, entries and inner products. *)
Definition total (f : nat -> Z) (l : seq nat) : Z := foldr (fun i s => f i + s) 0 l.

Definition entry (rows : seq (seq Z)) (i j : nat) : Z := nth 0 (nth [::] rows i) j.

Fixpoint dot (a b : seq Z) : Z :=
  match a, b with x :: a', y :: b' => x * y + dot a' b' | _, _ => 0 end.

Definition entries (m : covariance) : seq (seq Z) :=
  match m with
  | Dense rows => rows
  | Factor _ _ columns => map (fun a => map (dot a) columns) columns
  end.

(* A list made as long as it has to be. *)
Definition fit (X : Type) (x : X) (n : nat) (l : seq X) : seq X := take n (l ++ nseq n x).

Definition inside (l : seq nat) (i : nat) : bool := has (eqn i) l.

Definition without (i : nat) (l : seq nat) : seq nat := filter (fun j => negb (eqn i j)) l.

(* Sets of variables as the bits of a number. *)
Definition member_of (s : Z) (i : nat) : bool := Z.testbit s (Z.of_nat i).

Definition with_member (s : Z) (i : nat) : Z := Z.setbit s (Z.of_nat i).

Definition set_of (l : seq nat) : Z := foldr (fun i s => with_member s i) 0 l.

(* Prices of variables, each with the variable and its class, the dearest first; and the m dearest of those that
   are free, of different classes and of none that is taken. *)
Definition price : Type := Z * (nat * nat).

Definition by_price : seq price -> seq price := sort (fun a b => b.1 <=? a.1).

Definition dearest_first (variables : seq (nat * nat)) (prices : seq Z) : seq price :=
  by_price (zip (fit 0 (size variables) prices) variables).

Fixpoint dearest (free taken : Z) (m : nat) (l : seq price) : Z :=
  match m, l with
  | S m', (p, (j, c)) :: l' =>
      if member_of free j && negb (member_of taken c) then p + dearest free (with_member taken c) m' l'
      else dearest free taken m l'
  | _, _ => 0
  end.

(* A support has a number of variables of each part. What it costs at most, without those variables of it that are
   known and paid for already. *)
Definition charge (parts : seq (Z * nat)) (known : seq (nat * nat)) (l : seq price) : Z :=
  let taken := set_of (map snd known) in
  foldr (fun b s => dearest b.1 taken (b.2 - count (fun c => member_of b.1 c.1) known) l + s) 0 parts.

(* A row of a point: what its own entry and those beside it cost. *)
Record row := Row {
  variable : nat * nat;
  own : Z;
  weight : Z;
  beside : seq price }.

(* Matrices by their rows: made of a function; of two matrices; and the columns in the place of the rows. *)
Definition block (X : Type) (l : seq nat) (o : nat -> nat -> X) : seq (seq X) := map (fun i => map (o i) l) l.

Definition combined (X Y V : Type) (f : X -> Y -> V) (A : seq (seq X)) (B : seq (seq Y)) : seq (seq V) :=
  map (fun rows => map (fun a => f a.1 a.2) (zip rows.1 rows.2)) (zip A B).

Definition transposed (X : Type) (A : seq (seq X)) : seq (seq X) :=
  foldr (fun row columns => map (fun a => a.1 :: a.2) (zip row columns)) (nseq (size A) [::]) A.

(* The rows and columns of A that are in l, of variables below n, in ascending order. *)
Definition ascending (n : nat) (l : seq nat) : seq nat := filter (member_of (set_of l)) (iota 0 n).

Definition among (n : nat) (l : seq nat) (A : seq (seq Z)) : seq (seq Z) :=
  let m := map (member_of (set_of l)) (iota 0 n) in
  map (fun row => mask m (fit 0 n row)) (mask m (fit [::] n A)).

Definition whole (n : nat) (A : seq (seq Z)) : seq (seq Z) := map (fit 0 n) (fit [::] n A).

Definition is_symmetric (A : seq (seq Z)) : bool := all2 (all2 Z.eqb) A (transposed A).

(* Is A, the rows and columns of l with d added to the diagonal, positive semidefinite? *)
Definition semidefinite (why : root) (l : seq nat) (d : nat -> Z) (A : seq (seq Z)) : bool :=
  let g := multiple why in
  let h := grain why in
  let rows := zip l (fit [::] (size l) (triangle why)) in
  (0 <? g) && (0 <=? h) &&
  all (fun a => let '((i, r), s) := a in
    foldr (fun b t => (if eqn i b.1.1 then h * dot r r - g * (b.2 + d i) else Z.abs (g * b.2 - h * dot r b.1.2)) + t)
      0 (zip rows s) <=? 0) (zip rows A).

(* P is symmetric, and N pays for what counts of its pairs. *)
Definition paid (counts : Z -> Z) (P N : seq (seq Z)) : bool :=
  let both := combined pair P N in
  all2 (all2 (fun a b => [&& a.1 =? b.1, 0 <=? a.2 & counts a.1 * counts a.1 <=? a.2 * b.2])) both (transposed both).

(* The rows of a point, sorted once for all leaves, with a price y for each variable; there are none where the point is not what
   it is said to be. What counts of an entry is its absolute value, or for vectors of one sign only what is above 0. *)
Definition rows_of (counts : Z -> Z) (variables : seq (nat * nat)) (M : seq (seq Z)) (y : seq Z) (p : point) : seq row :=
  let n := size variables in
  let among := among n (near p) in
  let is_near := member_of (set_of (near p)) in
  let columns := zip variables (zip (fit 0 n y) (fit 0 n (weights p))) in
  let heavy X (l : seq X) := filter (fun a => 0 <? a.1.2.2) (zip columns l) in
  let row_at a :=
    let '((v, (yi, wi)), (m, (d, e))) := a in
    let near_i := is_near v.1 in
    let price b :=
      let '((u, (yj, wj)), (mj, dj)) := b in
      ((if near_i && is_near u.1 then wi * dj else counts mj * wj) + wi * yj, u) in
    Row v (((if near_i then nth 0 d v.1 + e else nth 0 m v.1) + yi) * wi) wi
      (by_price (map price (heavy _ (zip (fit 0 n m) (fit 0 n d))))) in
  if [&& is_symmetric (among M), paid counts (among (for_pairs p)) (among (paying p)) &
      semidefinite (why_rest p) (ascending n (near p)) (nth 0 (rest p)) (combined Z.sub (among (for_pairs p)) (among M))]
  then map row_at (heavy _ (zip (fit [::] n M) (zip (fit [::] n (paying p)) (fit 0 n (rest p)))))
  else [::].

(* All variables of l have a row, which passes. *)
Definition all_rows (passes : row -> bool) (rows : seq row) (l : seq nat) : bool :=
  let used := set_of l in
  let found := set_of (map (fun r => (variable r).1) rows) in
  all (member_of found) l &&
  all (fun r => negb (member_of used (variable r).1) || passes r) rows.

(* The parts of a family: so many variables of each set. Those that J does not have are drawn from F, if there are any. *)
Section Family.

Variables (variables : seq (nat * nat)) (quota : seq (seq nat * nat)).

Definition open_parts (J F : seq nat) : seq (seq nat * nat) :=
  let j := set_of J in
  let f := set_of F in
  map (fun b =>
    let left := (b.2 - count (member_of j) b.1)%nat in (filter (fun i => (0 < left)%N && member_of f i) b.1, left)) quota.

(* There are supports only if no part has more variables in J than it may, and each has enough classes in F. *)
Definition is_empty (J F : seq nat) : bool :=
  let j := set_of J in
  let units := map (fun v => (1, v)) variables in
  has (fun b => b.2 < count (member_of j) b.1)%N quota ||
  has (fun b => dearest (set_of b.1) 0 b.2 units <? Z.of_nat b.2) (open_parts J F).

End Family.

Definition sets_of (parts : seq (seq nat * nat)) : seq (Z * nat) := map (fun b => (set_of b.1, b.2)) parts.

Section Leaves.

Variables (variables : seq (nat * nat)) (quota : seq (seq nat * nat)).
Variables (S : seq (seq Z)) (U : Z) (table : nat -> seq row).

Definition class (i : nat) : nat := (nth (0, 0)%nat variables i).2.

Definition rows (parts : seq (Z * nat)) (l : seq nat) (which : nat) : bool :=
  all_rows (fun r => own r + charge parts [:: variable r] (beside r) <=? U * weight r) (table which) l.

(* A and Y hold columns a_i and y_i of r numbers, with A'A + residual I >= Sigma and y_i y_i' + charge_i I >= a_i a_i'. *)
Definition psi (parts : seq (Z * nat)) (J F : seq nat) (r : nat) (A Y : seq (seq Z)) (charges : seq Z) (residual : Z)
    (why : root) : bool :=
  let l := J ++ F in
  let a i := nth [::] A i in
  let mu := U - residual - charge parts (map (fun i => (i, class i)) J) (dearest_first variables charges) in
  let H p q := total (fun i => entry A i p * entry A i q) J + total (fun i => entry Y i p * entry Y i q) F in
  [&& residual <=? U,
      all (fun i => (size (a i) <= r)%N && (size (nth [::] Y i) <= r)%N) l,
      semidefinite (Root 1 0 [::]) l (fun=> residual) (block l (fun i j => dot (a i) (a j) - entry S i j)),
      all (fun i =>
        let y := nth [::] Y i in
        let t := nth 0 charges i in
        let room := t + dot y y in
        (0 <? t) && (dot (a i) (a i) * room - dot (a i) y * dot (a i) y <=? t * room)) F &
      semidefinite why (iota 0 r) (fun=> mu) (block (iota 0 r) (fun p q => - H p q))].

(* A leaf with J forced in and F free. A leaf `Listed` has one support, which is one of those `known`, of which the
   tree need not prove anything. *)
Variable known : seq (seq nat).

Definition check_leaf (J F : seq nat) (rule : leaf) : bool :=
  if is_empty variables quota J F then true else
  let parts := open_parts quota J F in
  let F := flatten (map fst parts) in
  let all_parts := sets_of ((J, size J) :: parts) in
  let l := J ++ F in
  match rule with
  | Listed => has (fun T => all (inside T) l) known
  | Rows which => rows all_parts l which
  | Psi r A Y charges residual why => psi all_parts J F r A Y charges residual why
  end.

(* What a row with these variables costs is nowhere more than it may be, or no support has them. *)
Definition is_paid (parts : seq (Z * nat)) (r : row) (price : Z) (known : seq (nat * nat)) : bool :=
  has (fun b => (b.2 < count (fun c => member_of b.1 c.1) known)%N) parts ||
  (own r + price + charge parts known (beside r) <=? U * weight r).

(* No support with a variable of `some` has this row cost more than it may. *)
Definition pays (parts : seq (Z * nat)) (r : row) (some : Z) : bool :=
  all (fun a => negb (member_of some a.2.1) ||
    if eqn a.2.1 (variable r).1 then is_paid parts r 0 [:: variable r]
    else is_paid parts r a.1 [:: a.2; variable r]) (beside r).

(* The free variables that are not kept. *)
Definition lost_of (kept F : seq nat) : Z :=
  let stay := set_of kept in set_of (filter (fun i => negb (member_of stay i)) F).

(* No support with a free variable that is not kept has a row that costs more than it may. *)
Definition loses_none (J F : seq nat) (which : nat) (kept : seq nat) : bool :=
  let parts := sets_of ((J, size J) :: open_parts quota J F) in
  let lost := lost_of kept F in
  all_rows (fun r => pays parts r lost) (table which) (J ++ F).

End Leaves.

(* Whatever is checked at the leaves. With a variable inside, those that are `apart` from it are not free any more. *)
Section Walk.

Variables (X : Type) (apart : nat -> nat -> bool) (check : seq nat -> seq nat -> X -> bool).
Variable loses_none : seq nat -> seq nat -> nat -> seq nat -> bool.

Fixpoint walk (J F : seq nat) (t : nodes X) : bool :=
  match t with
  | Rule r => check J F r
  | Branch v inside outside =>
      let left := without v F in
      [&& has (eqn v) F, walk (v :: J) (filter (fun j => negb (apart v j)) left) inside & walk J left outside]
  | Keep which kept child => loses_none J F which kept && walk J (filter (member_of (set_of kept)) F) child
  end.

End Walk.

(* Every variable is a class of its own. *)
Definition alone (n : nat) : seq (nat * nat) := map (fun i => (i, i)) (iota 0 n).

(* Groups: variables of one class, which the least of them names. Without a list every variable is a class of its own. *)
Section Classes.

Variable classes : seq nat.

Definition class_of (i : nat) : nat := nth i classes i.
Definition same (i j : nat) : bool := eqn (class_of i) (class_of j).
Definition count_classes (l : seq nat) : nat := size (undup (map class_of l)).
Definition grouped (n : nat) : seq (nat * nat) := map (fun i => (i, class_of i)) (iota 0 n).

(* No support has two variables of a class: what they have in common does not count. *)
Definition parted (S : seq (seq Z)) (n : nat) : seq (seq Z) :=
  if classes is [::] then S else
  map (fun i => map (fun j => if same i j && negb (eqn i j) then 0 else entry S i j) (iota 0 n)) (iota 0 n).

End Classes.

(* Supports have exactly k variables: those of J, and others of F, which are all but those of J and E. *)
Definition left_free (n : nat) (J E : seq nat) : seq nat :=
  filter (fun i => negb (inside J i || inside E i)) (iota 0 n).

Definition check_scope (n : nat) (J E : seq nat) : bool :=
  uniq J && all (fun i => (i < n)%N && negb (inside E i)) J.

(* Every variable is in a part, each of which has enough classes among J and what is free; classes lie within parts. *)
Definition check_family (n : nat) (classes : seq nat) (quota : seq (seq nat * nat)) (J E : seq nat) : bool :=
  let l := flatten (map fst quota) in
  let open := set_of (J ++ left_free n J E) in
  [&& check_scope n J E, uniq l, all (member_of (set_of l)) (iota 0 n),
      all (fun b => b.2 <= count_classes classes (filter (member_of open) b.1))%N quota & (size quota <= 1)%N || nilp classes].

Definition check_tree (n : nat) (classes : seq nat) (quota : seq (seq nat * nat)) (S : seq (seq Z)) (U : Z)
    (tables : seq (seq row)) (known : seq (seq nat)) (J E : seq nat) (t : nodes leaf) : bool :=
  let table := nth [::] tables in
  check_family n classes quota J E &&
  walk (same classes) (check_leaf (grouped classes n) quota S U table known) (loses_none quota U table) J
    (filter (fun j => negb (has (same classes j) J)) (left_free n J E)) t.

(* The entries of the witness that are not 0, and its form with a matrix: z'z with `delta`. *)
Definition support_of_witness (n : nat) (z : seq Z) : seq nat :=
  filter (fun i => negb (nth 0 z i =? 0)) (iota 0 n).

Definition delta (i j : nat) : Z := if eqn i j then 1 else 0.

Definition witness_form (A : nat -> nat -> Z) (l : seq nat) (z : seq Z) : Z :=
  total (fun i => nth 0 z i * total (fun j => A i j * nth 0 z j) l) l.

Definition symmetric (S : seq (seq Z)) (n : nat) : bool := is_symmetric (whole n S).

(* Shapes, and units: D > 0, and Sigma = A'A is in units of the square of those of A. *)
Definition check_matrix (m : covariance) (n : nat) (D : Z) : bool :=
  (0 <? D) &&
  match m with
  | Dense rows => eqn (size rows) n && all (fun s => eqn (size s) n) rows
  | Factor r a columns =>
      [&& 0 <? a, a * a =? D, eqn (size columns) n & all (fun s => eqn (size s) r) columns]
  end.

(* The witness attains the lower bound. With those of J it uses at most k variables, and none of E. *)
Definition check_witness (S : seq (seq Z)) (n k : nat) (J E : seq nat) (lower : Z) (z : seq Z) : bool :=
  let l := support_of_witness n z in
  [&& (0 < size l)%N, all (fun i => negb (inside E i)) l,
      (count (fun i => inside J i || inside l i) (iota 0 n) <= k)%N &
      lower * witness_form delta l z <=? witness_form (entry S) l z].

(* The entries that are not 0, those of l, and J: so many of each part, and no two of one class. *)
Definition uses_few (classes : seq nat) (quota : seq (seq nat * nat)) (J l : seq nat) : bool :=
  all (fun b => (count (fun i => inside J i || inside l i) b.1 <= b.2)%N) quota &&
  uniq (map (class_of classes) (J ++ filter (fun i => negb (inside J i)) l)).

(* A support that is listed, bounds on what it explains, a vector that attains the lower one, and what shows the other. *)
Record member := Member {
  support : seq nat;
  least : Z;
  most : Z;
  loadings : seq Z;
  why : root }.

(* Of two forms: on the k variables of the support A is at most `most` B, and at most `upper` B, in units of 1 / unit. *)
Definition check_member (A B : nat -> nat -> Z) (unit upper : Z) (n k : nat) (m : member) : bool :=
  let T := support m in
  let z := loadings m in
  let l := support_of_witness n z in
  [&& uniq T && eqn (size T) k && all (fun i => i < n)%N T, [&& (0 < size l)%N, all (inside T) l & 0 <? witness_form B l z],
      least m * witness_form B l z <=? unit * witness_form A l z &
      semidefinite (why m) T (fun=> 0)
        (block T (fun i j => Z.min (most m) upper * B i j - unit * A i j))].

(* The claim of a certificate about the supports that have all variables of `include`, none of `exclude`, and no two of
   one class: what those of a list explain, and that no other explains more than `others`. *)
Definition check_near_optimal (classes include exclude : seq nat) (c : certificate) (others : Z) (list : seq member) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let k := cardinality c in
  let M := parted classes S n in
  let z := witness c in
  let quota := [:: (iota 0 n, k)] in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n, (0 < k)%N && (others <=? upper_of c),
      check_witness S n n include exclude (lower_of c) z && uses_few classes quota include (support_of_witness n z),
      all (check_member (entry S) delta 1 (upper_of c) n k) list &
      check_tree n classes quota M others (map (rows_of Z.abs (grouped classes n) M [::]) (points_of c)) (map support list) include exclude
        (proof c)].

(* Without conditions, classes and a list. *)
Definition check (c : certificate) : bool := check_near_optimal [::] [::] [::] c (upper_of c) [::].
