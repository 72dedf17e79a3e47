(* The checker, as a program: nothing is proved in this file.

   A claim is: for the symmetric n x n matrix Sigma, given exactly, and 1 <= k <= n,

       lower <= v_k <= upper,      v_k = max { x'Sigma x : |x| = 1, x has at most k entries that are not 0 }.

   Every number is a whole number in units of 1 / denominator, so Sigma_ij = S_ij / D.
   Weights, and the rows L of the evidence for "is positive semidefinite", have no unit. *)
From Coq Require Import ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool ssrnat seq path.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope Z_scope.

(* Sigma, or a factor A with columns of which Sigma = A'A. *)
Inductive covariance :=
  | Dense of seq (seq Z)
  | Factor (rows : nat) (unit : Z) (columns : seq (seq Z)).  (* A, in units of 1 / unit *)

(* What bounds x'Sigma x over the supports of a node. `g` and L say that a matrix M is positive
   semidefinite: g M - LL' has a diagonal that dominates its rows. *)
Inductive leaf :=
  | Void
  | Listed
  | Rowsum (weights : seq Z)
  | Spectral (g : Z) (L : seq (seq Z))
  | Perron (P N : seq (seq Z)) (g : Z) (L : seq (seq Z))
  | Trace (d g : Z) (L : seq (seq Z))
  | Psi (r : nat) (A Y : seq (seq Z)) (charges : seq Z) (residual g : Z) (L : seq (seq Z)).

Inductive tree :=
  | Leaf of leaf
  | Split (variable : nat) (inside outside : tree).

Record certificate := Certificate {
  size_of : nat;
  cardinality : nat;
  denominator : Z;
  matrix : covariance;
  lower_of : Z;
  upper_of : Z;
  witness : seq Z;
  proof : tree }.

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

(* A bound on the sum of any m of the prices. It is true for every threshold t; the m-th largest
   price makes it the sum of the m largest. *)
Definition dearest (prices : seq Z) (m : nat) : Z :=
  let t := nth 0 (sort (fun a b => b <=? a) prices) (m - 1) in
  Z.of_nat m * t + foldr (fun p s => Z.max (p - t) 0 + s) 0 prices.

Definition inside (l : seq nat) (i : nat) : bool := has (Nat.eqb i) l.

Definition without (i : nat) (l : seq nat) : seq nat := filter (fun j => negb (Nat.eqb i j)) l.

(* F is given in parts. A support has at most one variable of a part, which costs what the largest does. *)
Definition alone : seq nat -> seq (seq nat) := map (fun j => [:: j]).

Definition largest (p : nat -> Z) (part : seq nat) : Z :=
  match part with j :: l => foldr (fun i most => Z.max (p i) most) (p j) l | [::] => 0 end.

(* What row i costs at most, when a support has J and m members of the parts, at the prices p. *)
Definition cost (J : seq nat) (parts : seq (seq nat)) (m : nat) (p : nat -> Z) (i : nat) : Z :=
  let forced := total p J in
  if has (fun l => inside l i) parts
  then p i + forced + dearest (map (largest p) (filter (fun l => negb (inside l i)) parts)) (m - 1)
  else forced + dearest (map (largest p) parts) m.

(* Is the matrix with this diagonal, and these other entries, positive semidefinite on l? *)
Definition semidefinite (g : Z) (L : seq (seq Z)) (l : seq nat) (diagonal : nat -> Z) (other : nat -> nat -> Z) :=
  let row i := nth [::] L (find (Nat.eqb i) l) in
  (0 <? g) &&
  all (fun i =>
    let a := row i in
    total (fun j => if Nat.eqb i j then 0 else Z.abs (g * other i j - dot a (row j))) l
      <=? g * diagonal i - dot a a) l.

Section Leaves.

Variables (S : seq (seq Z)) (k : nat) (U : Z).

Definition rowsum (J F : seq nat) (parts : seq (seq nat)) (m : nat) (w : seq Z) : bool :=
  all (fun i =>
    let s := nth [::] S i in
    let p j := (if Nat.eqb i j then nth 0 s j else Z.abs (nth 0 s j)) * nth 0 w j in
    (0 <? nth 0 w i) && (cost J parts m p i <=? U * nth 0 w i)) (J ++ F).

Definition spectral (l : seq nat) (g : Z) (L : seq (seq Z)) : bool :=
  semidefinite g L l (fun i => U - entry S i i) (fun i j => - entry S i j).

Definition paid (P N : seq (seq Z)) (l : seq nat) : bool :=
  all (fun i => all (fun j =>
    let p := entry P i j in
    [&& p =? entry P j i, 0 <=? entry N i j & p * p <=? entry N i j * entry N j i]) l) l.

Definition perron (J F : seq nat) (parts : seq (seq nat)) (m : nat) (P N : seq (seq Z)) (g : Z) (L : seq (seq Z)) : bool :=
  paid P N (J ++ F) &&
  semidefinite g L (J ++ F)
    (fun i => U - entry S i i + entry P i i - cost J parts m (entry N i) i)
    (fun i j => entry P i j - entry S i j).

Definition trace (J F : seq nat) (m : nat) (d g : Z) (L : seq (seq Z)) : bool :=
  let diagonal i := entry S i i in
  semidefinite g L (J ++ F) (fun i => diagonal i + d) (entry S) &&
  (total diagonal J + dearest (map diagonal F) m + Z.of_nat (k - 1) * d <=? U).

(* A and Y hold columns a_i and y_i of r numbers, with A'A + residual I >= Sigma and y_i y_i' + charge_i I >= a_i a_i'. *)
Definition psi (J F : seq nat) (m : nat) (r : nat) (A Y : seq (seq Z)) (charges : seq Z) (residual : Z)
    (g : Z) (L : seq (seq Z)) : bool :=
  let l := J ++ F in
  let a i := nth [::] A i in
  let charge i := nth 0 charges i in
  let mu := U - residual - dearest (map charge F) m in
  let H p q := total (fun i => entry A i p * entry A i q) J + total (fun i => entry Y i p * entry Y i q) F in
  [&& residual <=? U,
      all (fun i => Nat.leb (size (a i)) r && Nat.leb (size (nth [::] Y i)) r) l,
      semidefinite 1 [::] l (fun i => dot (a i) (a i) - entry S i i + residual) (fun i j => dot (a i) (a j) - entry S i j),
      all (fun i =>
        let y := nth [::] Y i in
        let t := charge i in
        let room := t + dot y y in
        (0 <? t) && (dot (a i) (a i) * room - dot (a i) y * dot (a i) y <=? t * room)) F &
      semidefinite g L (iota 0 r) (fun q => mu - H q q) (fun p q => - H p q)].

(* A leaf with J forced in and F free. It has no support at all unless |J| <= k <= |J| + |F|. A leaf
   `Listed` has one support, which is one of those `known`, of which the tree need not prove anything. *)
Variable known : seq (seq nat).

Definition check_leaf_in (parts : seq nat -> seq (seq nat)) (J F : seq nat) (rule : leaf) : bool :=
  if Nat.ltb k (size J) || Nat.ltb (Nat.add (size J) (size F)) k then true else
  let m := (k - size J)%nat in
  let F := if Nat.eqb m 0 then [::] else F in
  match rule with
  | Void => false
  | Listed => Nat.eqb (size (J ++ F)) k && has (fun T => all (inside T) (J ++ F)) known
  | Rowsum w => rowsum J F (parts F) m w
  | Spectral g L => spectral (J ++ F) g L
  | Perron P N g L => perron J F (parts F) m P N g L
  | Trace d g L => trace J F m d g L
  | Psi r A Y charges residual g L => psi J F m r A Y charges residual g L
  end.

Definition check_leaf : seq nat -> seq nat -> leaf -> bool := check_leaf_in alone.

Fixpoint check_tree (J F : seq nat) (t : tree) : bool :=
  match t with
  | Leaf rule => check_leaf J F rule
  | Split v inside outside =>
      [&& has (Nat.eqb v) F,
          check_tree (v :: J) (without v F) inside & check_tree J (without v F) outside]
  end.

End Leaves.

(* The entries of the witness that are not 0; z'z and z'Sigma z. *)
Definition support_of_witness (n : nat) (z : seq Z) : seq nat :=
  filter (fun i => negb (nth 0 z i =? 0)) (iota 0 n).

Definition witness_square (l : seq nat) (z : seq Z) : Z := total (fun i => nth 0 z i * nth 0 z i) l.

Definition witness_form (S : seq (seq Z)) (l : seq nat) (z : seq Z) : Z :=
  total (fun i => nth 0 z i * total (fun j => entry S i j * nth 0 z j) l) l.

Definition symmetric (S : seq (seq Z)) (n : nat) : bool :=
  all (fun i => all (fun j => entry S i j =? entry S j i) (iota 0 n)) (iota 0 n).

(* Shapes, and units: D > 0, and Sigma = A'A is in units of the square of those of A. *)
Definition check_matrix (m : covariance) (n : nat) (D : Z) : bool :=
  (0 <? D) &&
  match m with
  | Dense rows => Nat.eqb (size rows) n && all (fun s => Nat.eqb (size s) n) rows
  | Factor r a columns =>
      [&& 0 <? a, a * a =? D, Nat.eqb (size columns) n & all (fun s => Nat.eqb (size s) r) columns]
  end.

(* Supports have exactly k variables: those of J, and others of F, which are all but those of J and E. *)
Fixpoint distinct (l : seq nat) : bool :=
  match l with i :: l' => negb (inside l' i) && distinct l' | [::] => true end.

Definition left_free (n : nat) (J E : seq nat) : seq nat :=
  filter (fun i => negb (inside J i || inside E i)) (iota 0 n).

Definition check_scope (n : nat) (J E : seq nat) : bool :=
  distinct J && all (fun i => Nat.ltb i n && negb (inside E i)) J.

(* The witness attains the lower bound. With those of J it uses at most k variables, and none of E. *)
Definition check_witness (S : seq (seq Z)) (n k : nat) (J E : seq nat) (lower : Z) (z : seq Z) : bool :=
  let l := support_of_witness n z in
  [&& Nat.ltb 0 (size l), all (fun i => negb (inside E i)) l,
      Nat.leb (Nat.add (size J) (size (filter (fun i => negb (inside J i)) l))) k &
      lower * witness_square l z <=? witness_form S l z].

Definition check_bounds (S : seq (seq Z)) (n k : nat) (J E : seq nat) (lower : Z) (z : seq Z) (upper : Z)
    (known : seq (seq nat)) (t : tree) : bool :=
  let F := left_free n J E in
  [&& check_scope n J E, Nat.ltb 0 k && Nat.leb k (Nat.add (size J) (size F)),
      check_witness S n k J E lower z & check_tree S k upper known J F t].

(* The claim of a certificate about the supports that have all variables of `include` and none of `exclude`. *)
Definition check_under (include exclude : seq nat) (c : certificate) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  [&& check_matrix (matrix c) n (denominator c), symmetric S n &
      check_bounds S n (cardinality c) include exclude (lower_of c) (witness c) (upper_of c) [::] (proof c)].

Definition check : certificate -> bool := check_under [::] [::].
