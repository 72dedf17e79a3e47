(* Lists of supports: what those listed explain, and what no other support of k variables exceeds. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness.

Lemma all_in (X : Type) (P : pred X) (l : seq X) a : all P l -> List.In a l -> P a.
Proof. by elim: l => //= b l IH /andP[Pb Pl] [<- //|]; apply: IH. Qed.

(* Vectors that are 0 outside T. *)
Definition lies_on (R : realFieldType) (n : nat) (T : seq nat) (x : 'cV[R]_n) : Prop := forall i : 'I_n, val i \notin T -> x i 0 = 0.

(* Supports with all of J and none of E, and that are no part of one that is listed; so many variables of each set. *)
Definition admissible (n : nat) (quota : seq (seq nat * nat)) (J E T : seq nat) : Prop :=
  [/\ uniq T, {subset T <= iota 0 n}, {in quota, forall b, count (mem T) b.1 = b.2}, {subset J <= T} &
      forall i, i \in E -> i \notin T].

Definition is_listed (list : seq member) (T : seq nat) : bool := has (fun L => all (mem L) T) (map support list).

(* What the tree proves of two forms, and of those listed the program. *)
Section Lists.

Variables (R : realFieldType) (c : certificate) (A B : nat -> nat -> Z) (unit others upper : Z) (k : nat) (list : seq member).
Notation n := (size_of c).
Notation I := (iota 0 n).
Notation val := (@value R).
Notation fA x := (form (fun i j => val (A i j)) I x).
Notation fB x := (form (fun i j => val (B i j)) I x).
Hypothesis symA : {in I &, forall i j, A i j = A j i}.
Hypothesis symB : {in I &, forall i j, B i j = B j i}.
Hypothesis B_ge0 : forall x, 0 <= fB x.
Hypothesis le_others : Z.leb others upper.
Hypothesis members : all (check_member A B unit upper n k) list.

Definition within (U : Z) (x : nat -> R) : Prop := val unit * fA x <= val U * fB x.
Definition within_or_listed (T : seq nat) (x : nat -> R) : Prop :=
  within others x \/ exists2 L, L \in map support list & {subset T <= L}.

Lemma weaker a b x : Z.leb a b -> within a x -> within b x.
Proof. by move=> ab /le_trans; apply; rewrite ler_wpmul2r // value_le. Qed.

Lemma lies_listed T (x : 'cV[R]_n) : lies_on T x -> forall i, i \notin T -> listed x i = 0.
Proof. by move=> zero i iT; rewrite /listed; case: insubP => //= o _ oi; apply: zero; move: iT; rewrite -oi. Qed.

Lemma member_within m x : List.In m list -> (forall i, i \notin support m -> x i = 0) -> within (Z.min (most m) upper) x.
Proof.
case/(all_in members)/and4P=> /andP[/andP[uT _] /allP TI] _ _ semi zero.
have {}TI : {subset support m <= I} by move=> i /TI; rewrite mem_iota.
rewrite /within !(form_support _ uT) ?iota_uniq // -subr_ge0 -!formZ -formB.
apply: le_trans (semidefinite_ge0 x semi uT _) _ => [i j /TI iI /TI jI|]; first by rewrite symA // symB.
rewrite [X in _ + X]big1 ?addr0 => [|i _]; last by rewrite mul0r.
by apply: eqW; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite valueB !valueM.
Qed.

(* What is claimed of a member. *)
Lemma listed_member m : List.In m list -> [/\ uniq (support m), size (support m) = k,
    forall x : 'cV[R]_n, lies_on (support m) x -> within (most m) (listed x) &
    exists x : 'cV[R]_n, [/\ x != 0, lies_on (support m) x, 0 < fB (listed x) & val (least m) * fB (listed x) <= val unit * fA (listed x)]].
Proof.
move=> m_in; have /and4P[/andP[/andP[uT /eqnP sT] _] /and3P[some /allP inT /(value_gt0 R) fB0] low _] := all_in members m_in; split=> //.
  by move=> x /lies_listed zero; apply: weaker (member_within m_in zero); apply/Z.leb_le/Z.le_min_l.
exists (vector R c (loadings m)); rewrite witness_neq0 //; split=> // [i out||].
  by apply/eqP; apply: contraNT out; rewrite -listedE -in_witness => /inT; rewrite /inside has_eqb.
  by rewrite witness_formE.
by rewrite !witness_formE -!valueM; apply: value_le.
Qed.

Lemma within_all T x : within_or_listed T x -> (forall i, i \notin T -> x i = 0) -> within upper x.
Proof.
case=> [others_ok _|[L L_in TL] zero]; first exact: weaker others_ok.
have [m m_in mL] : exists2 m, List.In m list & support m = L.
  by elim: (list) L_in => //= m l IH; rewrite inE => /orP[/eqP -> | /IH[m' m'l <-]]; [exists m; [left|] | exists m'; [right|]].
apply: weaker (member_within (m := m) _ _) => // [|i]; first exact/Z.leb_le/Z.le_min_r.
by rewrite mL => iL; apply: zero; apply: contra iL; apply: TL.
Qed.

Lemma within_others T x : within_or_listed T x -> ~~ is_listed list T -> within others x.
Proof. by case=> // -[L L_in TL] /hasPn/(_ L L_in)/negP[]; apply/allP. Qed.

(* Admissible supports belong to the root of the tree. *)
Lemma admissible_node quota J E T : check_scope n J E -> admissible n quota J E T -> holds J (left_free n J E) T.
Proof.
move=> scope [uT TI _ JT ET]; split=> // [|i iT]; first exact: scope_uniq scope.
rewrite mem_cat free_in; case: (boolP (i \in J)) => //= _; have := TI i iT; rewrite mem_iota => /= ->.
by rewrite andbT; apply: contraL iT; apply: ET.
Qed.

End Lists.

(* The claim of a certificate under conditions, with a list. *)
Theorem check_near_optimal_sound (R : realFieldType) (c : certificate) (include exclude : seq nat) (others : Z) (list : seq member)
  (price := fun U => rational R U (denominator c)) : check_near_optimal include exclude c others list ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, avoids exclude x -> (Used include x <= cardinality c)%N ->
        quadratic (Sigma R c) x <= upper R c * norm2 x,
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)],
      forall T, admissible (size_of c) [:: (iota 0 (size_of c), cardinality c)] include exclude T -> ~~ is_listed list T ->
        forall x : 'cV[R]_(size_of c), lies_on T x -> quadratic (Sigma R c) x <= price others * norm2 x &
      forall m, List.In m list ->
        [/\ uniq (support m), size (support m) = cardinality c,
            forall x : 'cV[R]_(size_of c), lies_on (support m) x -> quadratic (Sigma R c) x <= price (most m) * norm2 x &
            exists x, [/\ x != 0, lies_on (support m) x & price (least m) * norm2 x <= quadratic (Sigma R c) x]]].
Proof.
case/and5P=> /andP[shape sym] /and3P[scope _ many] low /andP[le_others members] proved.
have D_gt0 := positive_D R shape; have symS' := symS sym; have uI := iota_uniq 0 (size_of c).
have sym_delta : {in iota 0 (size_of c) &, forall i j, delta i j = delta j i} by move=> i j _ _; rewrite /delta !eqnE eq_sym.
have B_ge0 x : 0 <= form (fun i j => value R (delta i j)) (iota 0 (size_of c)) x by rewrite form_delta square_ge0.
have withinE U x : within c (entry (entries (matrix c))) delta (Zpos xH) U (listed x) <->
    quadratic (Sigma R c) x <= rational R U (denominator c) * norm2 x.
  by rewrite /within form_delta -norm2_listed -Sigma_form // mul1r /rational mulrAC ler_pdivl_mulr.
have tree T (x : 'cV[R]_(size_of c)) : support_of (cardinality c) include (left_free (size_of c) include exclude) T ->
    (forall i, i \notin T -> listed x i = 0) -> within_or_listed c (entry (entries (matrix c))) delta (Zpos xH) others list T (listed x).
  by move=> node zero; have [ok|] := node_bounds shape sym scope proved node zero; [left; exact: (withinE others x).2 | right].
split; [exact: Sigma_sym | | exact: check_witness_sound low | |].
- move=> x out used; have [|T node zero] := scope_support (k := cardinality c) scope out; first by rewrite used.
  by apply: (withinE (upper_of c) x).1; apply: (within_all symS' sym_delta B_ge0 le_others members (tree T x node zero)).
- move=> T ok other x /lies_listed zero; apply: (withinE others x).1; apply: within_others other; apply: tree => //.
  have [uT TI sizes _ _] := ok; have := admissible_node scope ok; rewrite /holds.
  rewrite (_ : size T = cardinality c) //; have /= <- := sizes _ (mem_head _ _); rewrite count_swap //.
  by apply/eqP; rewrite eq_sym -all_count; apply/allP.
move=> m m_in; have [uT sT above [x [x0 on_T _ low_x]]] := listed_member symS' sym_delta B_ge0 members m_in; split=> //.
  by move=> x' /above; apply: (withinE (most m) x').1.
exists x; split=> //; move: low_x.
by rewrite form_delta -norm2_listed -Sigma_form // mul1r /price /rational mulrAC ler_pdivr_mulr.
Qed.

(* The claim of a certificate under conditions; without any it is that of every certificate about v_k. *)
Theorem check_under_sound (R : realFieldType) (c : certificate) (include exclude : seq nat) :
  check_under include exclude c ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, avoids exclude x -> (Used include x <= cardinality c)%N ->
        quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof. by case/(check_near_optimal_sound R). Qed.

Theorem check_sound (R : realFieldType) (c : certificate) : check c ->
  [/\ (Sigma R c)^T = Sigma R c, (0 < cardinality c <= size_of c)%N,
      forall x, (Card x <= cardinality c)%N -> quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, (Card (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
move=> ok; have UsedC x : Used [::] x = Card x :> nat.
  by apply: eq_card => i; rewrite !inE orbF.
have [sym above [z_neq0 _ few low]] := check_under_sound R ok.
have /and5P[_ /and3P[_ k0 many] _ _ _] := ok; split=> //.
- by rewrite k0 (leq_trans many) // -[X in (_ <= X)%N](size_iota 0) size_filter count_size.
- by move=> x; rewrite -UsedC; apply: above.
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

