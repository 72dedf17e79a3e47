(* Claims about vectors that use whole groups of variables, k of them: groups take the place of variables. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Blocks Walk Leaves Soundness Families.
From SparseEigenvalue Require Import Elimination.

Section Program.

Variables (S : seq (seq Z)) (groups : seq (seq nat)) (N : seq (seq Z)).

Definition members (g : nat) : seq nat := nth [::] groups g.
Definition variables_of (l : seq nat) : seq nat := flatten (map members l).

(* C'C for the block C of the rows of one group. *)
Definition gram_of_block (G : seq nat) (i j : nat) : Z := total (fun q => Z.mul (entry S q i) (entry S q j)) G.

Definition is_norm (g h : nat) : bool :=
  let b := entry N g h in
  if eqn g h then is_at_most (members g) b (entry S)
  else Z.leb Z0 b && is_at_most (members h) (Z.mul b b) (gram_of_block (members g)).

Definition check_groups (n : nat) : bool :=
  let p := iota 0 (size groups) in
  all (fun g => uniq (members g) && all (fun i => (i < n)%N) (members g)) p &&
  all (fun g => all (fun h => [&& eqn g h || all (fun i => negb (inside (members h) i)) (members g),
    is_norm g h & Z.eqb (entry N g h) (entry N h g)]) p) p.

(* All variables of some groups at once. *)
Definition is_union (U : Z) (l : seq nat) (why : root) : bool :=
  let V := variables_of l in
  [&& uniq l, all (fun g => (g < size groups)%N) l &
      semidefinite why V (fun=> U) (block V (fun i j => Z.opp (entry S i j)))].

End Program.

(* The tree is one of groups; it need not prove anything of `unions`. *)
Definition check_whole_groups (c : certificate) (groups : seq (seq nat)) (N : seq (seq Z))
    (unions : seq (seq nat * root)) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let p := size groups in
  let U := upper_of c in
  let z := witness c in
  let l := support_of_witness n z in
  let tables := map (rows_of Z.abs (grouped [::] p) N [::]) (points_of c) in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n, check_groups S groups N n,
      [&& (0 < size l)%N, all (fun i => has (fun G => inside G i) groups) l,
        (size (filter (has (fun i => negb (Z.eqb (nth Z0 z i) Z0))) groups) <= cardinality c)%N &
        Z.leb (Z.mul (lower_of c) (witness_form delta l z)) (witness_form (entry S) l z)],
      all (fun u => is_union S groups U u.1 u.2) unions &
      check_tree p [::] [:: (iota 0 p, cardinality c)] N U tables (map fst unions) [::] [::] (proof c)].

(* The claim: x is 0 outside the groups, and meets so many of them. *)
Section Claim.

Variables (R : realFieldType) (n : nat) (groups : seq (seq nat)).
Implicit Type x : 'cV[R]_n.

Definition in_groups x : Prop := forall i, x i 0 != 0 -> val i \in flatten groups.
Definition Met x : nat := count (fun G => [exists i, (val i \in G) && (x i 0 != 0)]) groups.

End Claim.

Section Blocks.

Variables (R : rcfType) (S : seq (seq Z)) (n : nat) (groups : seq (seq nat)) (N : seq (seq Z)) (x : nat -> R).
Notation val := (@value R).
Notation sigma := (fun i j => val (entry S i j)).
Notation p := (size groups).
Notation member g := (members groups g).
Hypothesis symS : {in iota 0 n &, forall i j, entry S i j = entry S j i}.
Hypothesis ok : check_groups S groups N n.

Lemma member_within g : {subset member g <= iota 0 n} /\ uniq (member g).
Proof.
have [gp|gp] := ltnP g p; last by rewrite /members nth_default.
have /andP[/allP/(_ g) + _] := ok; rewrite mem_iota gp => /(_ isT)/andP[] => -> /allP within.
by split=> // i /within; rewrite mem_iota.
Qed.

Lemma pair_ok g h : (g < p)%N -> (h < p)%N -> [/\ g != h -> {in member g, forall i, i \notin member h},
  is_norm S groups N g h & entry N g h = entry N h g].
Proof.
move=> gp hp; have /andP[_ /allP/(_ g)] := ok; rewrite mem_iota gp => /(_ isT)/allP/(_ h).
rewrite mem_iota hp => /(_ isT)/and3P[apart norm /Z.eqb_eq sym]; split=> // gh i iG.
by move: apart; rewrite eqnE (negPf gh) /= => /allP/(_ i iG); rewrite /inside has_eqb.
Qed.

Let y g : R := Num.sqrt (square (member g) x).

Lemma y2 g : y g ^+ 2 = square (member g) x. Proof. by rewrite sqr_sqrtr ?square_ge0. Qed.

Lemma block_bound g h : (g < p)%N -> (h < p)%N ->
  \sum_(i <- member g) \sum_(j <- member h) sigma i j * (x i * x j) <= val (entry N g h) * (y g * y h).
Proof.
move=> gp hp; have [_ + _] := pair_ok gp hp; have [GI uG] := member_within g; have [HI uH] := member_within h.
rewrite /is_norm eqnE; case: eqP => [<-|_].
  move/(definite_block x uG); rewrite -expr2 y2; apply=> i j iG jG; by apply: symS; apply: GI.
case/andP=> /(value_ge0 R) b0 /(definite_block x uH) bound.
have {}bound : form (fun i j => val (gram_of_block S (member g) i j)) (member h) x <=
    val (entry N g h) ^+ 2 * square (member h) x.
  rewrite expr2 -valueM; apply: bound => i j _ _; apply: total_eq => q; exact: Z.mul_comm.
pose image i := \sum_(j <- member h) sigma i j * x j.
have -> : \sum_(i <- member g) \sum_(j <- member h) sigma i j * (x i * x j) = \sum_(i <- member g) x i * image i.
  by apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mulrCA.
apply: le_trans (ler_norm _) _; rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 ?sqrtr_ge0 // real_normK ?num_real //.
apply: le_trans (cauchy_schwarz x image _) _; rewrite !exprMn !y2 mulrCA.
rewrite ler_wpmul2l ?square_ge0 //; apply: le_trans bound; apply: eqW.
rewrite /form; under [RHS]eq_bigr => i _ do under eq_bigr => j _ do rewrite value_total mulr_suml.
under [RHS]eq_bigr => i _ do rewrite exchange_big.
rewrite exchange_big; apply: eq_bigr => q _; rewrite expr2 /image big_distrlr /=.
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite valueM mulrACA.
Qed.

Lemma norms_bound T (U : R) : {subset T <= iota 0 p} -> form (fun g h => val (entry N g h)) T y <= U * square T y ->
  form sigma (variables_of groups T) x <= U * square (variables_of groups T) x.
Proof.
have -> : square (variables_of groups T) x = square T y.
  by rewrite /square /variables_of big_flatten big_map; apply: eq_bigr => g _; rewrite y2.
move=> Tp; apply: le_trans; rewrite /form /variables_of big_flatten big_map.
apply: sum_le => g /Tp; rewrite mem_iota => /= gp; under eq_bigr => i _ do rewrite big_flatten big_map.
rewrite exchange_big; apply: sum_le => h /Tp; rewrite mem_iota => /= hp; exact: block_bound.
Qed.

Lemma variables_uniq T : uniq T -> {subset T <= iota 0 p} -> uniq (variables_of groups T).
Proof.
elim: T => //= g T IH /andP[gT uT] sub; rewrite /variables_of /= cat_uniq (member_within g).2 /=.
have gp : (g < p)%N by have := sub g (mem_head _ _); rewrite mem_iota.
rewrite IH ?andbT // => [|h hT]; last by apply: sub; rewrite inE hT orbT.
apply/hasPn => i /flattenP[H /mapP[h hT ->] iH]; apply/negP => /= iG.
have hp : (h < p)%N by have := sub h; rewrite inE hT orbT mem_iota => /(_ isT).
have [apart _ _] := pair_ok gp hp; have := apart _ i iG; rewrite iH => /(_ _)/negP; apply=> //.
by apply: contraNneq gT => ->.
Qed.

End Blocks.

(* Vectors that use k groups explain at most upper; and one explains lower. Norms are roots: R has them. *)
Theorem check_whole_groups_sound (R : rcfType) (c : certificate) (groups : seq (seq nat)) N unions :
  check_whole_groups c groups N unions ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, in_groups groups x -> (Met groups x <= cardinality c)%N -> quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, in_groups groups (z R c), (Met groups (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> /andP[shape sym] ok /and4P[some /allP inside_groups few attained] unions_ok proved.
set n := size_of c in ok inside_groups attained *; set S := entries (matrix c) in ok attained unions_ok *.
split; [exact: Sigma_sym | move=> x x_in few_x | ]; last first.
  split; [exact: witness_neq0 | move=> i zi | | exact: witness_attains].
    have := inside_groups (val i); rewrite (in_witness R) listedE => /(_ zi)/hasP[G GG]; rewrite /inside has_eqb => iG.
    by apply/flattenP; exists G.
  apply: leq_trans few; rewrite size_filter; apply: sub_count => G /existsP[i /andP[iG zi]]; apply/hasP; exists (val i) => //.
  by move: zi; rewrite mxE value_eq0.
have symS' : {in iota 0 n &, forall i j, entry S i j = entry S j i} := symS sym.
set p := size groups in proved *; pose y g : R := Num.sqrt (square (members groups g) (listed x)).
have y0 g i : y g = 0 -> i \in members groups g -> listed x i = 0.
  by move=> yg; apply: square_eq0; rewrite -y2 -/(y g) yg expr0n.
have yE g : listed (\col_(h < p) y h) g = y g.
  have [gp|out] := boolP (g \in iota 0 p); [exact: (listed_col y) | rewrite listed_out //].
  by rewrite /y /members nth_default ?/square ?big_nil ?sqrtr0 //; rewrite mem_iota -leqNgt in out.
have used : (Used [::] (\col_(h < p) y h) <= cardinality c)%N.
  rewrite UsedE; apply: leq_trans few_x; rewrite /Met -[X in (_ <= count _ X)%N](mkseq_nth [::]) count_map.
  apply: sub_count => g; rewrite /= yE; apply: contraR => /existsPn none.
  rewrite /y (_ : square _ _ = 0) ?sqrtr0 // /square big1_seq // => i /= iG.
  have [lt_in|out] := boolP (i < n)%N; last by rewrite listed_out ?expr0n // mem_iota.
  by have := none (Ordinal lt_in); rewrite iG negbK -listedE => /eqP ->; rewrite expr0n.
pose cN := Certificate p (cardinality c) (denominator c) (Dense N) Z0 Z0 [::] [::] (Rule Listed).
have /andP[family_ok _] := proved.
have [|T fam off] := @family_support R cN _ _ _ _ family_ok (\col_h y h); first exact/(@meets_alone R cN).
have [uT TI] := (support_uniq (family_node fam), @family_within cN _ _ _ _ family_ok T fam).
have sub (a b : seq nat) : {subset a <= b} -> {subset variables_of groups a <= variables_of groups b}.
  by move=> ab i /flattenP[G /mapP[g /ab gb ->] iG]; apply/flattenP; exists (members groups g) => //; apply: map_f.
have XI (l : seq nat) : {subset variables_of groups l <= iota 0 n}.
  by move=> i /flattenP[G /mapP[g _ ->]]; apply: (member_within ok g).1.
have uX := variables_uniq ok uT TI.
have zero i : i \notin variables_of groups T -> listed x i = 0.
  have [lt_in|] := boolP (i < n)%N; last by move=> lt _; apply: listed_out; rewrite mem_iota.
  apply: contraNeq => xi; have := x_in (Ordinal lt_in); rewrite -listedE => /(_ xi)/flattenP[G /(nthP [::])[g gp <-] iG].
  apply/flattenP; exists (members groups g) => //; apply: map_f.
  by apply: contraR xi => /off; rewrite yE => /y0 ->.
apply: (support_bound shape uX (XI T) zero).
have symN : {in iota 0 p &, forall g h, entry N g h = entry N h g}.
  by move=> g h gp hp; rewrite !mem_iota in gp hp; have [] := pair_ok ok gp hp.
have offy g : g \notin T -> y g = 0 by move=> /off; rewrite yE.
have [bound|[L L_in TL]] := family_bounds (c := cN) family_ok symN fam proved offy.
  exact: (norms_bound symS' ok TI).
have [[l why] /and3P[/= ul /allP lp semi] lE] := all_in_map unions_ok L_in; rewrite -{}lE in TL.
have uY : uniq (variables_of groups l) by apply: (variables_uniq ok) => // g /lp; rewrite mem_iota.
rewrite -(form_support _ uX uY (sub _ _ TL) zero) -(square_support uX uY (sub _ _ TL) zero).
by apply: opposed_bounds semi uY _ => i j /XI iI /XI jI; apply: symS'.
Qed.
