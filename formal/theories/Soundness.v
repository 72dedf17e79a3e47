(* The theorem: what the checker accepts is true. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ring.
From SparseEigenvalue Require Import Checker Numbers Inequalities Leaves.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Vector.

Variables (R : realFieldType) (n : nat).
Implicit Types (x : 'cV[R]_n).

Definition Card x : nat := #|[set i | x i 0 != 0]|.
Definition quadratic (M : 'M[R]_n) x : R := (x^T *m M *m x) 0 0.
Definition norm2 x : R := (x^T *m x) 0 0.

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
Definition z : 'cV[R]_n := \col_i value R (nth Z0 (witness c) i).

End Claim.

Section Soundness.

Variable R : realFieldType.
Notation val := (@value R).

Section Tree.

Variables (S : seq (seq Z)) (k : nat) (U : Z) (T : seq nat) (x : nat -> R).
Hypothesis k_gt0 : (0 < k)%N.
Hypothesis zero : forall i, i \notin T -> x i = 0.

Notation symmetric_on l := {in l &, forall i j, entry S i j = entry S j i}.
Notation bounded := (form (fun i j => val (entry S i j)) T x <= val U * square T x).

Lemma leaf_bounds J F rule : symmetric_on (J ++ F) -> support_of k J F T ->
  check_leaf S k U J F rule -> bounded.
Proof.
move=> sym node; rewrite /check_leaf; have /andP[le_Jk le_kJF] := support_sizes node.
have -> : Nat.ltb k (size J) = false by apply/PeanoNat.Nat.ltb_ge/ssrnat.leP.
have -> : Nat.ltb (Nat.add (size J) (size F)) k = false by apply/PeanoNat.Nat.ltb_ge/ssrnat.leP.
rewrite /= eqbE; set F' := if _ then _ else _.
have {}node : support_of k J F' T by rewrite /F'; case: eqP => // /(support_full node).
have {}sym : symmetric_on (J ++ F').
  by rewrite /F'; case: eqP => // _ i j iJ jJ; apply: sym; rewrite mem_cat -(cats0 J) ?iJ ?jJ.
case: rule => [//|w|g L|P N g L|d g L|V lambda prices W g L|r A Y charges residual g L].
- exact: (rowsum_bounds x node sym).
- exact: (spectral_bounds node sym zero).
- exact: (perron_bounds node sym zero).
- exact: (trace_bounds x node sym k_gt0).
- exact: (pairwise_bounds node sym zero k_gt0).
- exact: (psi_bounds node sym zero).
Qed.

Lemma tree_bounds t J F : symmetric_on (J ++ F) -> support_of k J F T ->
  check_tree S k U J F t -> bounded.
Proof.
elim: t J F => [rule|v inside IHin outside IHout] J F sym node /=; first exact: leaf_bounds.
rewrite has_eqb => /and3P[vF inside_ok outside_ok].
have smaller J' : {subset J' <= v :: J} -> symmetric_on (J' ++ without v F).
  move=> sub; have incl i : i \in J' ++ without v F -> i \in J ++ F.
    rewrite !mem_cat mem_without => /orP[/sub|/andP[_ ->]]; last by rewrite orbT.
    by rewrite inE => /orP[/eqP ->|->] //; rewrite vF orbT.
  by move=> i j /incl iJF /incl jJF; apply: sym.
have [in_v|out_v] := splits node vF.
  by apply: IHin inside_ok => //; apply: smaller.
by apply: IHout outside_ok => //; apply: smaller => i iJ; rewrite inE iJ orbT.
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
Proof.
rewrite /norm2 mxE /square sum_iota; apply: eq_bigr => i _.
by rewrite mxE listedE expr2.
Qed.

Lemma quadratic_listed (M : 'M[R]_n) (A : nat -> nat -> R) x :
  (forall i j : 'I_n, M i j = A i j) -> quadratic M x = form A (iota 0 n) (listed x).
Proof.
move=> MA; rewrite /quadratic mxE /form sum_iota.
under eq_bigr => j _ do rewrite mxE mulr_suml.
rewrite exchange_big; apply: eq_bigr => i _; rewrite sum_iota; apply: eq_bigr => j _.
by rewrite mxE MA !listedE mulrA (mulrC (A i j)).
Qed.

Lemma Card_listed x : Card x = count (fun i => listed x i != 0) (iota 0 n).
Proof.
rewrite /Card -sum1_count -sum1_card /= big_mkcond [RHS]big_mkcond.
have := @big_mkord nat 0%N addn n xpredT (fun i => if listed x i != 0 then 1%N else 0%N); rewrite /index_iota subn0 => ->.
apply: eq_bigr => i _; by rewrite inE listedE.
Qed.

Lemma listed_out x i : i \notin iota 0 n -> listed x i = 0.
Proof. by rewrite mem_iota add0n leq0n /= /listed; case: insubP => // o ->. Qed.

(* A support may be padded to exactly k variables. *)
Lemma padding x k J F : uniq (J ++ F) -> (size J + count (fun i => listed x i != 0%R) F <= k <= size J + size F)%N ->
  (forall i, i \notin J ++ F -> listed x i = 0) ->
  exists2 T, support_of k J F T & forall i, i \notin T -> listed x i = 0.
Proof.
move=> uJF /andP[few many] zero; pose a i := listed x i != 0.
pose l := (J ++ filter a F) ++ filter (predC a) F.
have perm : perm_eq l (J ++ F) by rewrite /l -catA perm_cat2l perm_filterC.
have size_used : (size (J ++ filter a F) <= k)%N by rewrite size_cat size_filter.
have takeE : take k l = (J ++ filter a F) ++ take (k - size (J ++ filter a F)) (filter (predC a) F).
  by rewrite take_cat ltnNge size_used.
exists (take k l).
  split=> //.
  - by rewrite take_uniq // (perm_uniq perm).
  - by rewrite size_takel // (perm_size perm) size_cat.
  - by move=> i iJ; rewrite takeE !mem_cat iJ.
  - by move=> i /mem_take; rewrite (perm_mem perm).
move=> i; have [iJF|/zero //] := boolP (i \in J ++ F).
rewrite takeE !mem_cat !negb_or mem_filter => /andP[/andP[iJ]].
by move: iJF; rewrite mem_cat (negPf iJ) /= => ->; rewrite andbT negbK => /eqP.
Qed.

End Vectors.

Variable c : certificate.
Notation n := (size_of c).
Notation S := (entries (matrix c)).
Notation D := (denominator c).
Hypothesis shape : check_matrix (matrix c) n D.
Hypothesis sym : symmetric S n.

Let D_gt0 : 0 < val D. Proof. by apply: value_gt0; move: shape => /andP[]. Qed.

Lemma symS : {in iota 0 n &, forall i j, entry S i j = entry S j i}.
Proof. by move: sym => /allP sym' i j /sym'/allP symi /symi/Z.eqb_eq. Qed.

Lemma SigmaE i j : Sigma R c i j = val (entry S i j) / val D.
Proof.
have /andP[_] := shape; rewrite /Sigma; case: (matrix c) => [rows _|r a columns]; first by rewrite mxE.
case/and4P=> _ /Z.eqb_eq <- /PeanoNat.Nat.eqb_eq sc /(all_nthP [::]) sr.
rewrite mxE /entry (nth_map [::]) ?sc ?ltn_ord // (nth_map [::]) ?sc ?ltn_ord //.
rewrite (@value_dot R r); last first.
  by have /PeanoNat.Nat.eqb_eq -> : Nat.eqb (size (nth [::] columns i)) r by apply: sr; rewrite sc.
rewrite mulr_suml; apply: eq_bigr => q _; rewrite !mxE /rational /entry valueM invfM.
by rewrite mulrACA.
Qed.

Lemma Sigma_sym : (Sigma R c)^T = Sigma R c.
Proof. by apply/matrixP => i j; rewrite mxE !SigmaE symS // mem_iota /= ltn_ord. Qed.

Lemma Sigma_form x : quadratic (Sigma R c) x * val D = form (fun i j => val (entry S i j)) (iota 0 n) (listed x).
Proof.
rewrite (@quadratic_listed n _ (fun i j => (val D)^-1 * val (entry S i j))) => [|i j]; last first.
  by rewrite SigmaE mulrC.
by rewrite formZ mulrC mulrA mulfV ?mul1r // gt_eqF.
Qed.

Lemma node_bounds k U J F t x : (0 < k)%N -> uniq (J ++ F) -> {subset J ++ F <= iota 0 n} ->
  (size J + count (fun i => listed x i != 0%R) F <= k <= size J + size F)%N ->
  (forall i, i \notin J ++ F -> listed x i = 0) -> check_tree S k U J F t ->
  quadratic (Sigma R c) x <= rational R U D * norm2 x.
Proof.
move=> k0 uJF inI sizes out proved; have [T node zero] := padding uJF sizes out.
rewrite -(ler_pmul2r D_gt0) Sigma_form norm2_listed /rational mulrAC divfK ?gt_eqF //.
have uI := iota_uniq 0 n; have uT := support_uniq node.
have TI : {subset T <= iota 0 n} by move=> i /(drawn_from node)/inI.
rewrite (form_support _ uT) ?(square_support uT) //.
by apply: tree_bounds proved => // i j /inI iI /inI; apply: symS.
Qed.

Lemma upper_bounds k U t x : (0 < k <= n)%N -> check_tree S k U [::] (iota 0 n) t -> (Card x <= k)%N ->
  quadratic (Sigma R c) x <= rational R U D * norm2 x.
Proof.
move=> /andP[k0 kn] proved; rewrite Card_listed => few.
apply: node_bounds proved => //; rewrite ?iota_uniq ?few ?size_iota //.
exact: listed_out.
Qed.

Lemma witness_is (l := support_of_witness n (witness c)) :
  [/\ Card (z R c) = size l, norm2 (z R c) = val (witness_square l (witness c)) &
      quadratic (Sigma R c) (z R c) * val D = val (witness_form S l (witness c))].
Proof.
pose y i := val (nth Z0 (witness c) i).
have inl i : (i \in l) = (y i != 0) && (i < n)%N by rewrite mem_filter mem_iota value_eq0.
have uI := iota_uniq 0 n; have ul : uniq l by rewrite filter_uniq.
have lI : {subset l <= iota 0 n} by move=> i; rewrite mem_filter => /andP[].
have zE i : (i < n)%N -> listed (z R c) i = y i.
  by move=> lt_in; rewrite -[i]/(nat_of_ord (Ordinal lt_in)) listedE mxE.
have zl i : i \in l -> listed (z R c) i = y i by rewrite inl => /andP[_ /zE].
have z0 i : i \notin l -> listed (z R c) i = 0.
  rewrite inl /listed; case: insubP => //= o lt_in <-.
  by rewrite mxE -/(y o) ltn_ord andbT negbK => /eqP.
split.
- rewrite Card_listed size_filter; apply: eq_in_count => i; rewrite mem_iota /= => lt_in.
  by rewrite zE // value_eq0.
- rewrite norm2_listed (square_support ul) // value_total.
  by apply: eq_big_seq => i il; rewrite zl // valueM expr2.
rewrite Sigma_form (form_support _ ul) // value_total.
apply: eq_big_seq => i il; rewrite valueM value_total mulr_sumr; apply: eq_big_seq => j jl.
by rewrite !zl // valueM -/(y i) -/(y j); ring.
Qed.

Lemma witness_attains (U : Z) (l := support_of_witness n (witness c)) : Nat.ltb 0 (size l) ->
  Z.leb (Z.mul U (witness_square l (witness c))) (witness_form S l (witness c)) ->
  z R c != 0 /\ rational R U D * norm2 (z R c) <= quadratic (Sigma R c) (z R c).
Proof.
have [Card_z norm2_z form_z] := witness_is; move=> /PeanoNat.Nat.ltb_lt/ssrnat.ltP some attained; split.
  apply: contraTneq some => zz; rewrite -Card_z zz /Card eq_card0 // => i.
  by rewrite inE mxE eqxx.
rewrite -(ler_pmul2r D_gt0) form_z /rational mulrAC divfK ?gt_eqF // norm2_z -valueM.
exact: value_le.
Qed.

End Soundness.

Theorem check_sound (R : realFieldType) (c : certificate) : check c ->
  [/\ (Sigma R c)^T = Sigma R c, (0 < cardinality c <= size_of c)%N,
      forall x, (Card x <= cardinality c)%N -> quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, (Card (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> shape /PeanoNat.Nat.ltb_lt/ssrnat.ltP k0 /PeanoNat.Nat.leb_le/ssrnat.leP kn sym.
case/andP=> /and3P[some /PeanoNat.Nat.leb_le/ssrnat.leP few attained] proved.
have k_bounds : (0 < cardinality c <= size_of c)%N by rewrite k0.
have [Card_z _ _] := witness_is R shape; have [z_neq0 low] := witness_attains R shape some attained.
split=> //; first exact: Sigma_sym; last by rewrite Card_z.
by move=> x; apply: upper_bounds proved.
Qed.

(* Claims under conditions: how many variables x uses when those to include are counted as used. *)
Definition Used (R : realFieldType) n (include : seq nat) (x : 'cV[R]_n) : nat :=
  #|[set i : 'I_n | (x i 0 != 0) || (val i \in include)]|.

Definition avoids (R : realFieldType) n (exclude : seq nat) (x : 'cV[R]_n) : Prop :=
  forall i : 'I_n, val i \in exclude -> x i 0 = 0.

Lemma Used_listed (R : realFieldType) n include (x : 'cV[R]_n) :
  Used include x = size (filter (fun i => (listed x i != 0) || (i \in include)) (iota 0 n)).
Proof.
rewrite size_filter /Used -sum1_count -sum1_card /= big_mkcond [RHS]big_mkcond.
have := @big_mkord nat 0%N addn n xpredT (fun i => if (listed x i != 0) || (i \in include) then 1%N else 0%N).
rewrite /index_iota subn0 => ->; apply: eq_bigr => i _; by rewrite inE listedE.
Qed.

Lemma distinct_uniq l : distinct l = uniq l.
Proof. by elim: l => //= i l ->; rewrite /inside has_eqb. Qed.

Theorem check_conditions_sound (R : realFieldType) (c : certificate) (include exclude : seq nat) :
  check_conditions c include exclude ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, avoids exclude x -> (Used include x <= cardinality c)%N ->
        quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> shape sym /and4P[distinct_J within k0 many] /and4P[some apart few attained] proved.
move: k0 many few => /PeanoNat.Nat.ltb_lt/ssrnat.ltP k0 /PeanoNat.Nat.leb_le/ssrnat.leP many
  /PeanoNat.Nat.leb_le/ssrnat.leP few.
rewrite !plusE in many few.
set n := size_of c in within many *; set F := left_free n include exclude in many proved.
have uJ : uniq include by rewrite -distinct_uniq.
have JP i : i \in include -> (i < n)%N /\ i \notin exclude.
  by move/(allP within)/andP=> [/PeanoNat.Nat.ltb_lt/ssrnat.ltP lt_in]; rewrite /inside has_eqb.
have inF i : (i \in F) = [&& i \notin include, i \notin exclude & (i < n)%N].
  by rewrite mem_filter mem_iota /inside !has_eqb negb_or -andbA.
have uJF : uniq (include ++ F).
  rewrite cat_uniq uJ filter_uniq ?iota_uniq // andbT.
  by apply/hasPn => i; rewrite inF => /andP[].
have inI : {subset include ++ F <= iota 0 n}.
  move=> i; rewrite mem_cat mem_iota /= => /orP[/JP[] //|]; by rewrite inF => /and3P[].
have [Card_z _ _] := witness_is R shape; have [z_neq0 low] := witness_attains R shape some attained.
split; first exact: Sigma_sym.
  move=> x out; rewrite Used_listed => used.
  have zero i : i \notin include ++ F -> listed x i = 0.
    rewrite mem_cat negb_or inF; case: (boolP (i \in include)) => //= _; rewrite negb_and negbK.
    case/orP=> [i_out|]; last by move=> lt; apply: listed_out; rewrite mem_iota.
    have [lt_in|] := boolP (i < n)%N; last by move=> lt; apply: listed_out; rewrite mem_iota.
    by rewrite -[i]/(val (Ordinal lt_in)) listedE out.
  apply: (node_bounds shape sym k0 uJF inI _ zero proved); rewrite many andbT.
  apply: leq_trans used; rewrite -size_filter -size_cat uniq_leq_size //.
    rewrite cat_uniq uJ filter_uniq ?filter_uniq ?iota_uniq // andbT.
    by apply/hasPn => i; rewrite mem_filter inF => /and3P[].
  move=> i; rewrite mem_cat mem_filter => /orP[iJ|/andP[xi iF]].
    by rewrite mem_filter iJ orbT inI // mem_cat iJ.
  by rewrite mem_filter xi inI // mem_cat iF orbT.
have zE i : (i \in support_of_witness n (witness c)) = (listed (z R c) i != 0).
  rewrite mem_filter mem_iota /=; have [lt_in|] := boolP (i < n)%N; last first.
    by move=> lt; rewrite andbF listed_out ?eqxx // mem_iota.
  by rewrite andbT -[i]/(val (Ordinal lt_in)) listedE mxE value_eq0.
split=> //.
  move=> i i_out; apply/eqP/negPn/negP => zi.
  have := allP apart (val i); rewrite zE listedE => /(_ zi).
  by rewrite /inside has_eqb i_out.
rewrite Used_listed; apply: leq_trans few; rewrite -size_cat uniq_leq_size ?filter_uniq ?iota_uniq //.
move=> i; rewrite mem_filter mem_cat mem_filter /inside has_eqb zE => /andP[/orP[zi|-> //] _].
by rewrite zi andbT; case: (i \in include).
Qed.

(* The penalised claim; no x at all, the vector 0, has the value 0. *)
Theorem check_penalised_sound (R : realFieldType) (c : certificate) (rho : Z) (proofs : seq tree)
  (price := rational R rho (denominator c)) : check_penalised c rho proofs ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, norm2 x <= 1 -> quadratic (Sigma R c) x - price * (Card x)%:R <= upper R c &
      lower R c <= 0 \/ z R c != 0 /\
        (lower R c + price * (Card (z R c))%:R) * norm2 (z R c) <= quadratic (Sigma R c) (z R c)].
Proof.
case/and5P=> shape sym /andP[rho0 upper0] low proved.
have D_gt0 : 0 < value R (denominator c) by apply: value_gt0; move: shape => /andP[].
have price_ge0 : 0 <= price by apply: divr_ge0; [apply: value_ge0 | apply: ltW].
have upper_ge0 : 0 <= upper R c by apply: divr_ge0; [apply: value_ge0 | apply: ltW].
have most_ge0 k : 0 <= upper R c + price * k%:R.
  by apply: addr_ge0 => //; apply: mulr_ge0 => //; apply: ler0n.
have priced U k : rational R (Z.add U (Z.mul rho (Z.of_nat k))) (denominator c) =
    rational R U (denominator c) + price * k%:R.
  by rewrite /price /rational valueD valueM value_nat mulrDl mulrAC.
split; first exact: Sigma_sym.
  move=> x x1; rewrite ler_subl_addr; have [card0|card_gt0] := posnP (Card x).
    have -> : x = 0.
      apply/matrixP => i j; rewrite ord1 mxE; apply/eqP; move/eqP: card0.
      by rewrite cards_eq0 => /eqP/setP/(_ i); rewrite !inE => /negbT; rewrite negbK.
    by rewrite /quadratic mulmx0 mxE; apply: most_ge0.
  have cardn : (0 < Card x <= size_of c)%N by rewrite card_gt0 -[X in (_ <= X)%N]card_ord max_card.
  have := allP proved (Card x); rewrite mem_iota add1n ltnS => /(_ cardn) ok.
  apply: le_trans (upper_bounds shape sym cardn ok (leqnn _)) _; rewrite priced.
  by rewrite ler_pimulr //; apply: most_ge0.
case/orP: low => [low|/andP[some low]]; [left | right].
  by rewrite /lower /rational pmulr_lle0 ?invr_gt0 // -(value0 R) value_le.
have [Card_z _ _] := witness_is R shape.
by have := witness_attains R shape some low; rewrite priced Card_z.
Qed.

(* The same with unit vectors, which are there when roots are: lower <= v_k <= upper. *)
Corollary check_encloses (R : rcfType) (c : certificate) : check c ->
  (forall x : 'cV[R]_(size_of c), norm2 x = 1 -> (Card x <= cardinality c)%N ->
     quadratic (Sigma R c) x <= upper R c) /\
  (exists x : 'cV[R]_(size_of c), [/\ norm2 x = 1, (Card x <= cardinality c)%N &
     lower R c <= quadratic (Sigma R c) x]).
Proof.
move=> /(check_sound R)[_ _ above [z_neq0 few attained]]; split.
  by move=> x unit /above; rewrite unit mulr1.
set v := z R c in z_neq0 few attained *; pose s := Num.sqrt (norm2 v).
have v_gt0 : 0 < norm2 v.
  have norm2E : norm2 v = \sum_i v i 0 ^+ 2.
    by rewrite /norm2 mxE; apply: eq_bigr => i _; rewrite mxE expr2.
  rewrite lt_def norm2E sumr_ge0 ?andbT => [|i _]; last exact: sqr_ge0.
  apply: contraNneq z_neq0 => /eqP; rewrite psumr_eq0 => [/allP zero|i _]; last exact: sqr_ge0.
  apply/eqP/matrixP => i j; rewrite ord1 [RHS]mxE; apply/eqP; rewrite -sqrf_eq0.
  by apply: zero; rewrite mem_index_enum.
have s2 : s ^+ 2 = norm2 v by rewrite sqr_sqrtr // ltW.
have s_neq0 : s != 0 by rewrite -sqrf_eq0 s2 gt_eqF.
have scaled (M : 'M[R]_(size_of c)) : quadratic M (s^-1 *: v) = quadratic M v / norm2 v.
  by rewrite /quadratic !linearZ /= -scalemxAl -scalemxAl !mxE mulrA -invfM -expr2 s2 mulrC.
exists (s^-1 *: v); split.
- have := scaled 1%:M; rewrite /quadratic !mulmx1 -!/(norm2 _) => ->.
  by rewrite divff ?gt_eqF.
- rewrite /Card (_ : [set i | _] = [set i | v i 0 != 0]) //.
  by apply/setP => i; rewrite !inE mxE mulf_eq0 invr_eq0 (negPf s_neq0).
by rewrite scaled ler_pdivl_mulr.
Qed.

