(* The theorem: what the checker accepts is true. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves.

Section Vector.

Variables (R : realFieldType) (n : nat).
Implicit Types (x : 'cV[R]_n).

Definition Card x : nat := #|[set i | x i 0 != 0]|.
Definition quadratic (M : 'M[R]_n) x : R := (x^T *m M *m x) 0 0.
Definition norm2 x : R := (x^T *m x) 0 0.

(* How many variables x uses when those to include are counted as used. *)
Definition Used (include : seq nat) x : nat :=
  #|[set i : 'I_n | (x i 0 != 0) || (val i \in include)]|.

Definition avoids (exclude : seq nat) x : Prop := forall i : 'I_n, val i \in exclude -> x i 0 = 0.

End Vector.

(* What a certificate claims, over any ordered field. *)
Section Claim.

Variables (R : realFieldType) (c : certificate).
Notation n := (size_of c).

Definition rational (z d : Z) : R := value R z / value R d.

Definition Sigma : 'M[R]_n :=
  match matrix c with
  | Dense rows => \matrix_(i, j) rational (entry rows i j) (denominator c)
  | Factor r unit columns =>
      let A : 'M[R]_(r, n) := \matrix_(q, i) rational (entry columns i q) unit in A^T *m A
  end.

Definition lower : R := rational (lower_of c) (denominator c).
Definition upper : R := rational (upper_of c) (denominator c).
Definition vector (z : seq Z) : 'cV[R]_n := \col_i value R (nth Z0 z i).
Definition z : 'cV[R]_n := vector (witness c).

End Claim.

Section Soundness.

Variable R : realFieldType.
Notation val := (@value R).

(* A matrix made of a function. *)
Lemma entry_made (f : nat -> nat -> Z) n : {in iota 0 n &, entry (map (fun i => map (f i) (iota 0 n)) (iota 0 n)) =2 f}.
Proof. by move=> i j; rewrite !mem_iota /entry => li lj; rewrite !(nth_map 0%N) ?size_iota // !nth_iota. Qed.

Lemma form_delta n (x : nat -> R) : form (fun i j => val (delta i j)) (iota 0 n) x = square (iota 0 n) x.
Proof.
rewrite -[RHS]mul1r /square mulr_sumr -form_diagonal ?iota_uniq //.
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /delta eqnE; case: eqP.
Qed.

Section Tree.

Variables (n : nat) (class : nat -> nat) (quota : seq (seq nat * nat)) (S : seq (seq Z)) (U : Z).
Variables (table : nat -> seq row) (known : seq (seq nat)) (T : seq nat) (x : nat -> R) (counts : Z -> Z).
Notation variables := (mkseq (fun i => (i, class i)) n).
Hypothesis tables : forall which, pays_for R class S [::] counts (table which).
Hypothesis quota_uniq : uniq (flatten (map fst quota)).
Hypothesis quota_all : {subset iota 0 n <= flatten (map fst quota)}.
Hypothesis quota_count : {in quota, forall b, count (mem T) b.1 = b.2}.
Hypothesis class_inj : {in T &, injective class}.
Hypothesis zero : forall i, i \notin T -> x i = 0.
Hypothesis ok_x : forall i j, counted counts (x i) (x j).

Hypothesis symS : {in iota 0 n &, forall i j, entry S i j = entry S j i}.
Notation bounded := (form (fun i j => val (entry S i j)) T x <= val U * square T x).
Notation bounded_or_known := (bounded \/ exists2 L, L \in known & {subset T <= L}).

Let cover J F (within : {subset J ++ F <= iota 0 n}) : {subset F <= flatten (map fst quota)}.
Proof. by move=> i iF; apply/quota_all/within; rewrite mem_cat iF orbT. Qed.

Lemma leaf_bounds J F rule : holds J F T -> {subset J ++ F <= iota 0 n} ->
  check_leaf variables quota S U table known J F rule -> bounded_or_known.
Proof.
move=> node within; rewrite /check_leaf.
rewrite (not_empty node quota_uniq (cover within) quota_count class_inj within); set F' := flatten _.
have node' : holds J F' T := node_left node quota_uniq (cover within) quota_count.
have fam := family_of_node node quota_uniq (cover within) quota_count.
have below : {subset J ++ F' <= J ++ F} by move=> i; rewrite !mem_cat => /orP[-> //|/in_open ->]; rewrite orbT.
have within' : {subset J ++ F' <= iota 0 n} by move=> i /below/within.
case: rule => [|which|r A Y charges residual why].
- case/hasP=> L knownL /allP inL; right; exists L => // i iT.
  by have := inL i (drawn_from node' iT); rewrite /inside has_eqb.
- by move/(all_rows_bound node' fam class_inj within' symS ok_x (tables which)); rewrite no_cost // subr0; left.
by move/(psi_bounds node' fam class_inj within' symS zero); left.
Qed.

Lemma lost_bounds J F which some i : holds J F T -> {subset J ++ F <= iota 0 n} ->
  loses_none quota U table J F which some -> i \in T -> i \in F -> i \notin some -> bounded.
Proof.
move=> node within; rewrite -[val U]subr0 -(no_cost R (erefl [::]) T).
by apply: (lost_bound node class_inj within symS ok_x (tables which)); apply: family_of_node (cover within) quota_count.
Qed.

Lemma tree_bounds (apart : nat -> nat -> bool) J F t : {in T &, forall v j, apart v j -> j = v} -> holds J F T ->
  {subset J ++ F <= iota 0 n} ->
  walk apart (check_leaf variables quota S U table known) (loses_none quota U table) J F t -> bounded_or_known.
Proof.
move=> kept node within ok.
have [|[J' [F' [r [node' within' leaf_ok]]]]] := walkP kept lost_bounds node within ok; first by left.
exact: leaf_bounds leaf_ok.
Qed.

End Tree.

(* From columns of numbers to lists. *)
Section Vectors.

Variable n : nat.
Implicit Types x : 'cV[R]_n.

Definition listed x (i : nat) : R := oapp (fun o => x o 0) 0 (insub i).

Lemma listedE x (i : 'I_n) : listed x i = x i 0.
Proof. by rewrite /listed valK. Qed.

Lemma norm2_listed x : norm2 x = square (iota 0 n) (listed x).
Proof. by rewrite /norm2 mxE /square sum_iota; apply: eq_bigr => i _; rewrite mxE listedE expr2. Qed.

Lemma quadratic_listed (M : 'M[R]_n) (A : nat -> nat -> R) x :
  (forall i j : 'I_n, M i j = A i j) -> quadratic M x = form A (iota 0 n) (listed x).
Proof.
move=> MA; rewrite /quadratic mxE /form sum_iota.
under eq_bigr => j _ do rewrite mxE mulr_suml.
rewrite exchange_big; apply: eq_bigr => i _; rewrite sum_iota; apply: eq_bigr => j _.
by rewrite mxE MA !listedE mulrA (mulrC (A i j)).
Qed.

Lemma card_count (a : pred nat) : #|[set i : 'I_n | a i]| = count a (iota 0 n).
Proof. by rewrite cardsE cardE size_filter -val_enum_ord enumT count_map. Qed.

Lemma UsedE J x : Used J x = count (fun i => (i \in J) || (listed x i != 0)) (iota 0 n).
Proof. by rewrite -card_count; apply: eq_card => i; rewrite !inE listedE orbC. Qed.

Lemma UsedC x : Used [::] x = Card x.
Proof. by apply: eq_card => i; rewrite !inE orbF. Qed.

Lemma listed_col (f : nat -> R) i : i \in iota 0 n -> listed (\col_j f j) i = f i.
Proof. by rewrite mem_iota /= => li; rewrite -[i]/(nat_of_ord (Ordinal li)) listedE mxE. Qed.

Lemma listed_out x i : i \notin iota 0 n -> listed x i = 0.
Proof. by rewrite mem_iota add0n leq0n /= /listed; case: insubP => // o ->. Qed.

Lemma norm2_gt0 x : x != 0 -> 0 < norm2 x.
Proof.
rewrite norm2_listed lt_def square_ge0 andbT; apply: contraNneq => x0; apply/eqP/matrixP => i j.
by rewrite ord1 mxE -listedE (square_eq0 x0) // mem_iota /= ltn_ord.
Qed.

End Vectors.

Variable c : certificate.
Notation n := (size_of c).
Notation S := (entries (matrix c)).
Notation D := (denominator c).
Hypothesis shape : check_matrix (matrix c) n D.
Hypothesis sym : symmetric S n.

Lemma positive_D : 0 < val D. Proof. by apply: value_gt0; move: shape => /andP[]. Qed.
Let D_gt0 := positive_D.

Lemma symS : {in iota 0 n &, forall i j, entry S i j = entry S j i}. Proof. exact: symmetric_in. Qed.

Lemma SigmaE i j : Sigma R c i j = val (entry S i j) / val D.
Proof.
have /andP[_] := shape; rewrite /Sigma; case: (matrix c) => [rows _|r a columns]; first by rewrite mxE.
case/and4P=> _ /Z.eqb_eq <- /eqnP sc /(all_nthP [::]) sr.
rewrite mxE /entry (nth_map [::]) ?sc ?ltn_ord // (nth_map [::]) ?sc ?ltn_ord //.
rewrite (@value_dot R r); last first.
  by have /eqnP -> : eqn (size (nth [::] columns i)) r by apply: sr; rewrite sc.
by rewrite /ip sum_iota mulr_suml; apply: eq_bigr => q _; rewrite !mxE /rational /entry valueM invfM mulrACA.
Qed.

Lemma Sigma_sym : (Sigma R c)^T = Sigma R c.
Proof. by apply/matrixP => i j; rewrite mxE !SigmaE symS // mem_iota /= ltn_ord. Qed.

Lemma Sigma_form x : quadratic (Sigma R c) x * val D = form (fun i j => val (entry S i j)) (iota 0 n) (listed x).
Proof.
rewrite (@quadratic_listed n _ (fun i j => (val D)^-1 * val (entry S i j))) => [|i j]; last by rewrite SigmaE mulrC.
by rewrite formZ mulrC mulrA mulfV ?mul1r // gt_eqF.
Qed.

(* The variables left free under conditions, and the vectors that meet these. *)
Variables J E : seq nat.
Notation F := (left_free n J E).
Hypothesis scope : check_scope n J E.

Lemma free_in i : (i \in F) = [&& i \notin J, i \notin E & (i < n)%N].
Proof. by rewrite mem_filter mem_iota /inside !has_eqb negb_or -andbA. Qed.

Lemma scope_in i : i \in J -> (i < n)%N /\ i \notin E.
Proof.
have /andP[_ /allP within] := scope.
by move/within/andP=> [lt_in]; rewrite /inside has_eqb.
Qed.

Lemma scope_uniq : uniq (J ++ F).
Proof.
rewrite cat_uniq filter_uniq ?iota_uniq // andbT.
by have /andP[-> _] := scope; apply/hasPn => i; rewrite free_in => /andP[].
Qed.

Lemma scope_within : {subset J ++ F <= iota 0 n}.
Proof. by move=> i; rewrite mem_cat mem_iota /= => /orP[/scope_in[] //|]; rewrite free_in => /and3P[]. Qed.

Lemma zero_outside (x : 'cV[R]_n) : avoids E x -> forall i, i \notin J ++ F -> listed x i = 0.
Proof.
move=> out i; rewrite mem_cat negb_or free_in; have [lt_in|lt] := boolP (i < n)%N; last by rewrite listed_out ?mem_iota.
rewrite andbT; case: (boolP (i \in J)) => //= _; rewrite negbK => iE.
by rewrite -[i]/(nat_of_ord (Ordinal lt_in)) listedE out.
Qed.

Lemma used_most (x : 'cV[R]_n) : avoids E x -> (Used J x <= size J + size F)%N.
Proof.
move=> out; rewrite UsedE -size_cat -size_filter uniq_leq_size ?filter_uniq ?iota_uniq // => i.
rewrite mem_filter => /andP[/orP[iJ _|xi _]]; first by rewrite mem_cat iJ.
by apply: contraR xi => /(zero_outside out) ->; rewrite eqxx.
Qed.

Lemma support_bound U T (x : 'cV[R]_n) : uniq T -> {subset T <= iota 0 n} -> (forall i, i \notin T -> listed x i = 0) ->
  form (fun i j => val (entry S i j)) T (listed x) <= val U * square T (listed x) -> quadratic (Sigma R c) x <= rational R U D * norm2 x.
Proof.
move=> uT TI zero bound; rewrite -(ler_pmul2r D_gt0) Sigma_form norm2_listed /rational mulrAC divfK ?gt_eqF //.
by rewrite (form_support _ uT) ?(square_support uT) ?iota_uniq.
Qed.

(* What a vector of the file attains. *)
Variable w : seq Z.
Notation l := (support_of_witness n w).

Lemma in_witness i : (i \in l) = (listed (vector R c w) i != 0).
Proof.
rewrite mem_filter; have [iI|out] := boolP (i \in iota 0 n); last by rewrite andbF listed_out ?eqxx.
by rewrite andbT (listed_col (fun j => val (nth Z0 w j))) // value_eq0.
Qed.

Let witness_uniq : uniq l. Proof. by rewrite filter_uniq ?iota_uniq. Qed.
Let witness_within : {subset l <= iota 0 n}. Proof. by move=> i; rewrite mem_filter => /andP[]. Qed.
Let witness_zero i : i \notin l -> listed (vector R c w) i = 0. Proof. by rewrite in_witness negbK => /eqP. Qed.
Let witness_entry i : i \in l -> listed (vector R c w) i = val (nth Z0 w i).
Proof. by move/witness_within; apply: (listed_col (fun j => val (nth Z0 w j))). Qed.

Lemma witness_formE A : form (fun i j => val (A i j)) (iota 0 n) (listed (vector R c w)) = val (witness_form A l w).
Proof.
rewrite (@form_support _ _ l) ?iota_uniq // value_total.
apply: eq_big_seq => i il; rewrite valueM value_total mulr_sumr; apply: eq_big_seq => j jl.
by rewrite !witness_entry // valueM; ring.
Qed.

Lemma witness_neq0 : (0 < size l)%N -> vector R c w != 0.
Proof.
apply: contraTneq => zz; rewrite -leqNgt leqn0 size_eq0; apply/eqP/nilP; rewrite /nilp -leqn0 leqNgt.
apply/negP => /(mem_nth 0%N); rewrite in_witness zz => /negP[]; rewrite /listed.
by case: insubP => //= i _ _; rewrite mxE.
Qed.

Lemma witness_attains (U : Z) : Z.leb (Z.mul U (witness_form delta l w)) (witness_form (entry S) l w) ->
  rational R U D * norm2 (vector R c w) <= quadratic (Sigma R c) (vector R c w).
Proof.
rewrite -(ler_pmul2r D_gt0) Sigma_form witness_formE /rational mulrAC divfK ?gt_eqF //.
by rewrite norm2_listed -form_delta witness_formE -valueM; apply: value_le.
Qed.

Lemma witness_used : Used J (vector R c w) = count (fun i => inside J i || inside l i) (iota 0 n).
Proof. by rewrite UsedE; apply: eq_count => i; rewrite /inside !has_eqb in_witness. Qed.

Lemma witness_avoids : all (fun i => negb (inside E i)) l -> avoids E (vector R c w).
Proof.
move=> /allP apart i iE; apply/eqP/negPn/negP => zi.
by have := apart i; rewrite in_witness listedE => /(_ zi); rewrite /inside has_eqb iE.
Qed.

Lemma check_witness_sound k low : check_witness S n k J E low w ->
  [/\ vector R c w != 0, avoids E (vector R c w), (Used J (vector R c w) <= k)%N &
      rational R low D * norm2 (vector R c w) <= quadratic (Sigma R c) (vector R c w)].
Proof.
case/and4P=> some apart few attained; split; [exact: witness_neq0 | exact: witness_avoids | by rewrite witness_used |].
exact: witness_attains.
Qed.

End Soundness.
