(* Claims about vectors whose entries are at least 0. Forced in means positive. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Blocks Walk Leaves Soundness.

(* A rule, for which entries of Sigma below 0 cost nothing; or positive weights of forced variables, with
   (Sigma w)_i <= upper w_i, so that taking them off x loses nothing. *)
Inductive signed_leaf :=
  | Ruled (rule : leaf)
  | Collatz (weights : seq Z).

Definition check_signed_leaf (S : seq (seq Z)) (n k : nat) (U : Z) (table : nat -> seq row) (J F : seq nat) (leaf : signed_leaf) : bool :=
  match leaf with
  | Ruled rule => check_leaf (alone n) [:: (iota 0 n, minn k (size (J ++ F)))] S U table [::] J F rule
  | Collatz w =>
      let weight i := nth Z0 w i in
      [&& all (fun i => Z.leb Z0 (weight i)) J, has (fun i => Z.ltb Z0 (weight i)) J, all (fun i => Z.eqb (weight i) Z0) F &
          all (fun i => Z.leb (total (fun j => Z.mul (entry S i j) (weight j)) J) (Z.mul U (weight i))) (J ++ F)]
  end.

Definition check_nonnegative (E : seq nat) (c : certificate) (t : nodes signed_leaf) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let k := cardinality c in
  let F := left_free n [::] E in
  let tables := map (rows_of (Z.max Z0) (alone n) S [::]) (points_of c) in
  [&& check_matrix (matrix c) n (denominator c) && symmetric S n, (0 < k)%N && (k <= size F)%N,
      check_witness S n k [::] E (lower_of c) (witness c), all (Z.leb Z0) (witness c) &
      walk (fun _ _ => false) (check_signed_leaf S n k (upper_of c) (nth [::] tables)) (fun _ _ _ _ => false) [::] F t].

Section Leaf.

Variables (R : realFieldType) (S : seq (seq Z)) (n k : nat) (U : Z) (table : nat -> seq row) (J F T : seq nat) (x : nat -> R).
Notation val := (@value R).
Notation I := (iota 0 n).
Notation sigma := (fun i j => val (entry S i j)).
Hypothesis node : holds J F T.
Hypothesis within : {subset J ++ F <= I}.
Hypothesis few : (size T <= k)%N.
Hypothesis x_ge0 : forall i, 0 <= x i.
Hypothesis in_T : forall i, (i \in T) = (x i != 0).
Hypothesis symS : {in I &, forall i j, entry S i j = entry S j i}.
Hypothesis tables_pay : forall which, pays_for R id S [::] (Z.max Z0) (table which).

Lemma ruled_bounds rule : check_signed_leaf S n k U table J F (Ruled rule) -> form sigma I x <= val U * square I x.
Proof.
move=> ok; have /andP[le_JT le_TJF] := support_sizes node; rewrite -size_cat in le_TJF.
have [|P [nodeP sP TP]] := @pad (mem T) (minn k (size (J ++ F))) J F (node_uniq node).
  rewrite (count_free node) subnKC // -size_cat leq_min few le_TJF /=; exact: geq_minr.
have zeroP i : i \notin P -> x i = 0.
  by move=> iP; apply/eqP; apply: contraNT iP; rewrite -in_T => iT; apply: TP; rewrite ?(drawn_from node).
have uP := support_uniq nodeP; have PI : {subset P <= I} by move=> i /(drawn_from nodeP)/within.
have [uQ allQ countQ] := one_part uP PI sP.
have counted_ge0 i j : counted (Z.max Z0) (x i) (x j).
  move=> a; rewrite value_max !ger0_norm //; split; first by rewrite le_maxr lexx.
  by rewrite ler_wpmul2r ?mulr_ge0 // le_maxr lexx orbT.
rewrite (form_support _ uP) ?iota_uniq // (square_support uP) ?iota_uniq //.
by have [//|[]//] := leaf_bounds (class := id) tables_pay uQ allQ countQ (fun _ _ _ _ h => h) zeroP counted_ge0 symS nodeP within ok.
Qed.

End Leaf.

(* Weights are taken off x until one of its entries is 0. *)
Section Taken.

Variables (R : realFieldType) (S : seq (seq Z)) (n k : nat) (U : Z) (J F T : seq nat) (x : nat -> R) (w : seq Z).
Notation val := (@value R).
Notation I := (iota 0 n).
Notation sigma := (fun i j => val (entry S i j)).
Hypothesis symS : {in I &, forall i j, entry S i j = entry S j i}.
Hypothesis node : holds J F T.
Hypothesis within : {subset J ++ F <= I}.
Hypothesis x_ge0 : forall i, 0 <= x i.
Hypothesis in_T : forall i, (i \in T) = (x i != 0).

Let v i : R := if i \in J then val (nth Z0 w i) else 0.

Lemma difference_of_forms (a b : nat -> R) :
  form sigma I a - form sigma I b = \sum_(i <- I) \sum_(j <- I) sigma i j * ((a i + b i) * (a j - b j)).
Proof.
have /eqP : \sum_(i <- I) \sum_(j <- I) sigma i j * (b i * a j) = \sum_(i <- I) \sum_(j <- I) sigma i j * (a i * b j).
  by rewrite exchange_big; apply: eq_big_seq => i iI; apply: eq_big_seq => j jI; rewrite symS // (mulrC (b j)).
rewrite -subr_eq0 => /eqP both; rewrite -[LHS]addr0 -[X in _ + X = _]both /form -!sumrB -big_split; apply: eq_bigr => i _.
by rewrite -!sumrB -big_split; apply: eq_bigr => j _ /=; ring.
Qed.

Lemma collatz_taken : all (fun i => Z.leb Z0 (nth Z0 w i)) J -> has (fun i => Z.ltb Z0 (nth Z0 w i)) J ->
  all (fun i => Z.eqb (nth Z0 w i) Z0) F ->
  all (fun i => Z.leb (total (fun j => Z.mul (entry S i j) (nth Z0 w j)) J) (Z.mul U (nth Z0 w i))) (J ++ F) ->
  exists y : nat -> R, [/\ forall i, 0 <= y i, forall i, x i = 0 -> y i = 0, exists2 i, x i != 0 & y i = 0 &
    form sigma I x - val U * square I x <= form sigma I y - val U * square I y].
Proof.
move=> /allP w_ge0 /hasP[a aJ wa] /allP w_F /allP paid.
have v_ge0 i : 0 <= v i by rewrite /v; case: ifP => // /w_ge0/(value_ge0 R).
have a_in : a \in filter (fun i => Z.ltb Z0 (nth Z0 w i)) J by rewrite mem_filter wa.
have [[b b_in] _ least] := arg_minP (fun b => x (ssval b) / v (ssval b)) (isT : xpredT (SeqSub a_in)).
have := b_in; rewrite mem_filter => /andP[wb bJ]; pose t := x b / v b.
have vb : 0 < v b by rewrite /v bJ value_gt0.
have t_ge0 : 0 <= t by rewrite divr_ge0.
have JT : {subset J <= T} := forced_in node.
have off i : i \notin T -> v i = 0 by rewrite /v => iT; case: ifP => // /JT iJ; rewrite iJ in iT.
pose y i := x i - t * v i; have y_ge0 i : 0 <= y i.
  rewrite /y subr_ge0; have [->|vi] := eqVneq (v i) 0; first by rewrite mulr0.
  have iJ : i \in J by apply: contraNT vi => iJ; rewrite /v (negPf iJ).
  have wi : Z.ltb Z0 (nth Z0 w i).
    by have := w_ge0 i iJ; move: vi; rewrite /v iJ value_eq0; case: (nth Z0 w i).
  have i_in : i \in filter (fun i => Z.ltb Z0 (nth Z0 w i)) J by rewrite mem_filter wi.
  rewrite -ler_pdivl_mulr; [exact: (least (SeqSub i_in)) | by rewrite /v iJ value_gt0].
exists y; split=> // [i xi||].
- by rewrite /y xi off ?mulr0 ?subr0 // in_T xi eqxx.
- by exists b; [rewrite -in_T JT | rewrite /y divfK ?subrr // gt_eqF].
have xy j : x j - y j = t * v j by rewrite /y opprB addrC subrK.
rewrite ler_subl_addr -addrA -ler_subl_addl [X in _ <= X]addrC.
have -> : val U * square I x - val U * square I y = \sum_(i <- I) (x i + y i) * (t * (val U * v i)).
  by rewrite -mulrBr /square -sumrB mulr_sumr; apply: eq_bigr => i _; rewrite subr_sqr xy; ring.
have uJ := forced_uniq node.
rewrite difference_of_forms; apply: sum_le => i iI.
under eq_bigr => j _ do rewrite xy mulrCA (mulrCA _ t).
have [iT|iT] := boolP (i \in T); last first.
  have xi : x i = 0 by apply/eqP; rewrite -[_ == _]negbK -in_T.
  by rewrite [y i]/y xi off // mulr0 subr0 addr0 mul0r big1 // => j _; rewrite mul0r.
have sum_ge0 : 0 <= x i + y i by apply: addr_ge0.
rewrite -!mulr_sumr ler_wpmul2l // ler_wpmul2l // (sum_support (T := J)) ?iota_uniq //; first last.
- by move=> j jJ; rewrite /v (negPf jJ) mulr0.
- by move=> j jJ; apply: within; rewrite mem_cat jJ.
have iJF := drawn_from node iT; have := value_le R (paid i iJF); rewrite value_total valueM.
rewrite (_ : val (nth Z0 w i) = v i); last first.
  by rewrite /v; case: ifP => // iJ; move: iJF; rewrite mem_cat iJ => /w_F/Z.eqb_eq ->.
by congr (_ <= _); apply: eq_big_seq => j jJ; rewrite valueM /v jJ.
Qed.

End Taken.

(* The claim. *)
Definition nonnegative (R : realFieldType) (n : nat) (x : 'cV[R]_n) : Prop := forall i, 0 <= x i 0.

Section Bound.

Variables (R : realFieldType) (c : certificate) (E : seq nat) (t : nodes signed_leaf).
Notation n := (size_of c).
Notation k := (cardinality c).
Notation val := (@value R).
Notation S := (entries (matrix c)).
Notation U := (upper_of c).
Notation F := (left_free n [::] E).
Notation bounded x := (form (fun i j => val (entry S i j)) (iota 0 n) x <= val U * square (iota 0 n) x).
Hypothesis sym : symmetric S n.
Variable ws : seq point.
Notation table := (nth [::] (map (rows_of (Z.max Z0) (alone n) S [::]) ws)).
Hypothesis proved : walk (fun _ _ => false) (check_signed_leaf S n k U table) (fun _ _ _ _ => false) [::] F t.

(* By induction on how many entries are not 0: a leaf of weights leaves a vector with fewer. *)
Lemma signed_bound (x : nat -> R) : (forall i, 0 <= x i) -> (forall i, i \notin F -> x i = 0) ->
  (count (fun i => x i != 0%R) (iota 0 n) <= k)%N -> bounded x.
Proof.
have [m] := ubnP (count (fun i => x i != 0) (iota 0 n)); elim: m x => // m IH x le_m x_ge0 x_zero few.
pose T := filter (fun i => x i != 0) (iota 0 n).
have FI : {subset F <= iota 0 n} by move=> i iF; apply: (@scope_within c [::] E isT).
have in_T i : (i \in T) = (x i != 0).
  by rewrite mem_filter andb_idr // => xi; apply: FI; apply: contraR xi => /x_zero ->; rewrite eqxx.
have node : holds [::] F T.
  split=> //=; rewrite ?filter_uniq ?iota_uniq // => i; rewrite in_T => xi.
  by apply: contraR xi => /x_zero ->; rewrite eqxx.
have sT : (size T <= k)%N by rewrite size_filter.
have [//|[J' [F' [r [node' below ok]]]]] := @walkP _ _ _ _ T F (bounded x) (fun _ _ _ _ h => False_ind _ (Bool.diff_false_true h)) (fun _ _ _ _ _ _ _ h => False_ind _ (Bool.diff_false_true h)) t _ _ node (fun i h => h) proved.
have within : {subset J' ++ F' <= iota 0 n} by move=> i /below/FI.
case: r ok => [rule|w]; first by move/(ruled_bounds node' within sT x_ge0 in_T (symS sym) (pays_for_nth R n id S [::] (Z.max Z0) ws)).
case/and4P=> w_ge0 some w_F /(collatz_taken (symS sym) node' within x_ge0 in_T w_ge0 some w_F).
case=> y [y_ge0 y_zero [i xi yi] less].
rewrite -subr_le0; apply: le_trans less _; rewrite subr_le0.
have fewer : (count (fun i => y i != 0%R) (iota 0 n) < count (fun i => x i != 0%R) (iota 0 n))%N.
  rewrite -!size_filter -/T (perm_size (perm_to_rem (_ : i \in T))) ?in_T //=.
  rewrite ltnS uniq_leq_size ?filter_uniq ?iota_uniq // => j; rewrite mem_filter => /andP[yj _].
  rewrite mem_rem_uniq ?filter_uniq ?iota_uniq // inE -[mem T j]/(j \in T) in_T; apply/andP; split.
    by apply: contra yj => /eqP ->; rewrite yi.
  by apply: contra yj => /eqP/y_zero ->.
by apply: IH => // [|j /x_zero/y_zero //|]; [apply: leq_trans fewer _ | apply: leq_trans few; apply: ltnW].
Qed.

End Bound.

(* Vectors whose entries are at least 0 explain at most upper; and one explains lower. *)
Theorem check_nonnegative_sound (R : realFieldType) (c : certificate) (exclude : seq nat) (t : nodes signed_leaf) :
  check_nonnegative exclude c t ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, nonnegative x -> avoids exclude x -> (Card x <= cardinality c)%N ->
        quadratic (Sigma R c) x <= upper R c * norm2 x &
      [/\ z R c != 0, nonnegative (z R c), avoids exclude (z R c), (Card (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)]].
Proof.
case/and5P=> /andP[shape sym] /andP[k0 _] low signs proved.
have [z_neq0 out few attained] := check_witness_sound R shape low.
split; [exact: Sigma_sym | move=> x x_ge0 out_x few_x | split=> //]; last first.
- by rewrite -UsedC.
- move=> i; rewrite mxE; have [le_i|lt_i] := leqP (size (witness c)) i; first by rewrite nth_default.
  by apply: value_ge0; move/(all_nthP Z0): signs; apply.
apply: (support_bound shape (iota_uniq 0 _) (fun i h => h) (@listed_out R _ x)).
apply: (signed_bound sym proved) => [i|i|].
- by rewrite /listed; case: insubP => // o _ _; apply: x_ge0.
- exact: (@zero_outside R c [::] exclude x out_x).
by rewrite -card_count; apply: leq_trans few_x; apply/subset_leq_card/subsetP => i; rewrite !inE listedE.
Qed.
