(* Lists of supports: what those listed explain, and what no other support of k variables exceeds. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness Families.

Lemma all_in (X : Type) (P : pred X) (l : seq X) a : all P l -> List.In a l -> P a.
Proof. by elim: l => //= b l IH /andP[Pb Pl] [<- //|]; apply: IH. Qed.

(* Vectors that are 0 outside T. *)
Definition lies_on (R : realFieldType) (n : nat) (T : seq nat) (x : 'cV[R]_n) : Prop := forall i : 'I_n, val i \notin T -> x i 0 = 0.

(* Supports with all of J, none of E, so many variables of each part, and no two of one class. *)
Definition admissible (n : nat) (classes : seq nat) (quota : seq (seq nat * nat)) (J E T : seq nat) : Prop :=
  [/\ uniq (map (class_of classes) T), {subset T <= iota 0 n}, {in quota, forall b, count (mem T) b.1 = b.2}, {subset J <= T} &
      forall i, i \in E -> i \notin T].

(* No part of a support that is listed. *)
Definition is_listed (list : seq member) (T : seq nat) : bool := has (fun L => all (mem L) T) (map support list).

(* Of two forms Q and N: what vectors of the claim have, supports that are not listed, and those that are; in units of 1 / D. *)
Definition list_claims (R : realFieldType) (n : nat) (Q N : 'cV[R]_n -> R) (D : Z) (classes : seq nat) (quota : seq (seq nat * nat))
    (J E : seq nat) (upper others : Z) (list : seq member) : Prop :=
  [/\ forall x, meets classes quota J E x -> Q x <= rational R upper D * N x,
      forall T, admissible n classes quota J E T -> ~~ is_listed list T -> forall x, lies_on T x -> Q x <= rational R others D * N x &
      forall m, List.In m list ->
        [/\ uniq (support m), size (support m) = sumn (map snd quota), forall x, lies_on (support m) x -> Q x <= rational R (most m) D * N x &
            exists x, [/\ x != 0, lies_on (support m) x, 0 < N x & rational R (least m) D * N x <= Q x]]].

(* What the tree proves of whole numbers, and of those listed the program. *)
Section Lists.

Variables (R : realFieldType) (c : certificate) (A B : nat -> nat -> Z) (unit others upper : Z) (list : seq member).
Variables (classes : seq nat) (quota : seq (seq nat * nat)) (J E : seq nat).
Notation n := (size_of c).
Notation I := (iota 0 n).
Notation k := (sumn (map snd quota)).
Notation val := (@value R).
Notation fA x := (form (fun i j => val (A i j)) I x).
Notation fB x := (form (fun i j => val (B i j)) I x).
Hypothesis symA : {in I &, forall i j, A i j = A j i}.
Hypothesis symB : {in I &, forall i j, B i j = B j i}.
Hypothesis B_ge0 : forall x, 0 <= fB x.
Hypothesis le_others : Z.leb others upper.
Hypothesis members : all (check_member A B unit upper n k) list.
Hypothesis family_ok : check_family n classes quota J E.

Definition within (U : Z) (x : nat -> R) : Prop := val unit * fA x <= val U * fB x.
Definition within_or_listed (T : seq nat) (x : nat -> R) : Prop :=
  within others x \/ exists2 L, L \in map support list & {subset T <= L}.

Lemma weaker a b x : Z.leb a b -> within a x -> within b x.
Proof. by move=> ab /le_trans; apply; rewrite ler_wpmul2r // value_le. Qed.

Lemma lies_listed T (x : 'cV[R]_n) : lies_on T x -> forall i, i \notin T -> listed x i = 0.
Proof. by move=> zero i iT; rewrite /listed; case: insubP => //= o _ oi; apply: zero; move: iT; rewrite -oi. Qed.

Lemma member_within m x : check_member A B unit upper n k m -> (forall i, i \notin support m -> x i = 0) ->
  within (Z.min (most m) upper) x.
Proof.
case/and4P=> /andP[/andP[uT _] /allP TI] _ _ semi zero.
have {}TI : {subset support m <= I} by move=> i /TI; rewrite mem_iota.
rewrite /within !(form_support _ uT) ?iota_uniq // -subr_ge0 -!formZ -formB.
apply: le_trans (semidefinite_ge0 x semi uT _) _ => [i j /TI iI /TI jI|]; first by rewrite symA // symB.
rewrite [X in _ + X]big1 ?addr0 => [|i _]; last by rewrite mul0r.
by apply: eqW; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite valueB !valueM.
Qed.

Lemma within_all T x : within_or_listed T x -> (forall i, i \notin T -> x i = 0) -> within upper x.
Proof.
case=> [others_ok _|[L L_in TL] zero]; first exact: weaker others_ok.
have [m m_ok mL] := all_in_map members L_in.
apply: weaker (member_within m_ok _) => [|i]; first exact/Z.leb_le/Z.le_min_r.
by rewrite mL => iL; apply: zero; apply: contra iL; apply: TL.
Qed.

Lemma lists_sound (Q N : 'cV[R]_n -> R) (D : Z) (s : R) : 0 < s -> 0 < val D ->
  (forall x, val unit * fA (listed x) = s * val D * Q x) -> (forall x, fB (listed x) = s * N x) ->
  (forall T x, in_family c classes quota J E T -> (forall i, i \notin T -> x i = 0) -> within_or_listed T x) ->
  list_claims Q N D classes quota J E upper others list.
Proof.
move=> s0 D0 QE NE tree; have [s_neq0 D_neq0] := (gt_eqF s0, gt_eqF D0).
have scaled U x : (Q x <= rational R U D * N x) = (val unit * fA (listed x) <= val U * fB (listed x)).
  rewrite QE NE (_ : val U * (s * N x) = s * val D * (rational R U D * N x)) ?ler_pmul2l ?mulr_gt0 //.
  by rewrite /rational; field; rewrite D_neq0.
split=> [x ok_x|T adm other x /lies_listed zero|m m_in]; rewrite ?scaled.
- by have [T fam zero] := family_support family_ok ok_x; apply: within_all (tree _ _ fam zero) zero.
- have /andP[scope _] := family_ok; have [uC TI counts JT ET] := adm.
  have fam : in_family c classes quota J E T.
    split=> //; split=> // [||i iT]; [exact: scope_uniq scope | exact: map_uniq uC |].
    rewrite mem_cat free_in; case: (boolP (i \in J)) => //= _; have := TI i iT; rewrite mem_iota => /= ->.
    by rewrite andbT; apply: contraL iT; apply: ET.
  by case: (tree _ _ fam zero) => // -[L L_in TL]; case/hasPn/(_ L L_in)/negP: other; apply/allP.
have m_ok := all_in members m_in.
have /and4P[/andP[/andP[uT /eqnP sT] _] /and3P[some /allP inT /(value_gt0 R) fB0] low _] := m_ok; split=> //.
  by move=> x /lies_listed zero; rewrite scaled; apply: weaker (member_within m_ok zero); apply/Z.leb_le/Z.le_min_l.
have fBE := witness_formE R c (loadings m) B; exists (vector R c (loadings m)); split; first exact: witness_neq0.
- by move=> i out; apply/eqP; apply: contraNT out; rewrite -listedE -in_witness => /inT; rewrite /inside has_eqb.
- by rewrite -(pmulr_rgt0 _ s0) -NE fBE.
rewrite -(ler_pmul2l (mulr_gt0 s0 D0)) -QE.
rewrite (_ : s * val D * (rational R (least m) D * N (vector R c (loadings m))) = val (least m) * (s * N (vector R c (loadings m)))).
  by rewrite -NE !witness_formE -!valueM; apply: value_le.
by rewrite /rational; field; rewrite D_neq0.
Qed.

End Lists.

(* The claim of a certificate under conditions, with classes and a list. *)
Theorem check_near_optimal_sound (R : realFieldType) (c : certificate) (classes include exclude : seq nat) (others : Z)
  (list : seq member) (quota := [:: (iota 0 (size_of c), cardinality c)]) :
  check_near_optimal classes include exclude c others list ->
  [/\ (Sigma R c)^T = Sigma R c,
      list_claims (quadratic (Sigma R c)) (@norm2 R _) (denominator c) classes quota include exclude (upper_of c) others list &
      [/\ z R c != 0, meets classes quota include exclude (z R c) & lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> /andP[shape sym] /andP[_ le_others] /andP[low few] members proved; have /andP[ok _] := proved.
have [z_neq0 out _ attained] := check_witness_sound R shape low.
split; [exact: Sigma_sym | | by split=> //; apply: witness_meets].
apply: (lists_sound (B := delta) (unit := Zpos xH) (symS sym) _ _ le_others _ ok ltr01 (positive_D R shape)) => [i j _ _|x||x|x|T x fam zero].
- by rewrite /delta !eqnE eq_sym.
- by rewrite form_delta square_ge0.
- by rewrite /= addn0.
- by rewrite -Sigma_form // !mul1r mulrC.
- by rewrite form_delta -norm2_listed mul1r.
have [bound|] := family_bounds ok (symS sym) fam proved zero; [left | by right].
have [uT TI] := (support_uniq (family_node fam), family_within ok fam).
by rewrite /within form_delta mul1r (form_support _ uT) ?(square_support uT) ?iota_uniq.
Qed.

Theorem check_sound (R : realFieldType) (c : certificate) : check c ->
  [/\ (Sigma R c)^T = Sigma R c, (0 < cardinality c <= size_of c)%N,
      forall x, (Card x <= cardinality c)%N -> quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, (Card (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
move=> ok; have [sym [above _ _] [z_neq0 /meets_alone[_ few] low]] := check_near_optimal_sound R ok.
have /and5P[_ /andP[k0 _] _ _ /andP[/and5P[_ _ _ many _] _]] := ok; split=> //.
- rewrite k0; have /andP[/leq_trans many_n _] := many; apply: many_n; apply: leq_trans (size_undup _) _.
  by rewrite size_map size_filter -[X in (_ <= X)%N](size_iota 0) count_size.
- by move=> x; rewrite -UsedC => few_x; apply: above; apply/meets_alone.
by rewrite -UsedC.
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
have v_gt0 : 0 < norm2 v by apply: norm2_gt0.
have s2 : s ^+ 2 = norm2 v by rewrite sqr_sqrtr // ltW.
have s_neq0 : s != 0 by rewrite -sqrf_eq0 s2 gt_eqF.
have scaled (M : 'M[R]_(size_of c)) : quadratic M (s^-1 *: v) = quadratic M v / norm2 v.
  by rewrite /quadratic !linearZ /= -scalemxAl -scalemxAl !mxE mulrA -invfM -expr2 s2 mulrC.
exists (s^-1 *: v); split.
- by have := scaled 1%:M; rewrite /quadratic !mulmx1 -!/(norm2 _) => ->; rewrite divff ?gt_eqF.
- rewrite /Card (_ : [set i | _] = [set i | v i 0 != 0]) //.
  by apply/setP => i; rewrite !inE mxE mulf_eq0 invr_eq0 (negPf s_neq0).
by rewrite scaled ler_pdivl_mulr.
Qed.

