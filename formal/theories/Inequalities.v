(* The inequalities behind the rules, about sums over lists of variables. *)
From SparseEigenvalue Require Import Setting.

Section Inequalities.

Variable R : realFieldType.
Implicit Types (A E G M N : nat -> nat -> R) (x y p : nat -> R) (l T F : seq nat).

(* x'Ax, u'v and x'x, over the variables of l. *)
Definition form A l x := \sum_(i <- l) \sum_(j <- l) A i j * (x i * x j).
Definition ip l x y := \sum_(i <- l) x i * y i.
Definition square l x := \sum_(i <- l) x i ^+ 2.

Lemma square_ge0 l x : 0 <= square l x.
Proof. by apply: sumr_ge0 => i _; apply: sqr_ge0. Qed.

Lemma square_eq0 T x i : square T x = 0 -> i \in T -> x i = 0.
Proof.
move=> /eqP; rewrite psumr_eq0 => [/allP zero iT|j _]; last exact: sqr_ge0.
by apply/eqP; rewrite -sqrf_eq0; apply: zero.
Qed.

Lemma eqW (a b : R) : a = b -> a <= b. Proof. by move=> ->. Qed.

Lemma sum_le (I : eqType) (l : seq I) (f h : I -> R) : {in l, forall i, f i <= h i} ->
  \sum_(i <- l) f i <= \sum_(i <- l) h i.
Proof. by move=> le_fh; rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum. Qed.

(* Only a support matters. *)
Lemma sum_support T l p : uniq T -> uniq l -> {subset T <= l} ->
  (forall i, i \notin T -> p i = 0) -> \sum_(i <- l) p i = \sum_(i <- T) p i.
Proof.
move=> uT ul sub zero; rewrite (bigID (mem T)) /= [X in _ + X]big1 ?addr0 => [|i /zero //].
rewrite -big_filter; apply: perm_big; apply: uniq_perm; rewrite ?filter_uniq // => i.
by rewrite mem_filter; apply: andb_idr => /sub.
Qed.

Lemma form_support A T l x : uniq T -> uniq l -> {subset T <= l} ->
  (forall i, i \notin T -> x i = 0) -> form A l x = form A T x.
Proof.
move=> uT ul sub zero; rewrite /form (sum_support uT) // => [|i /zero xi]; last first.
  by apply: big1 => j _; rewrite xi mul0r mulr0.
by apply: eq_bigr => i _; apply: (sum_support uT) => // j /zero ->; rewrite !mulr0.
Qed.

Lemma square_support T l x : uniq T -> uniq l -> {subset T <= l} ->
  (forall i, i \notin T -> x i = 0) -> square l x = square T x.
Proof. by move=> uT ul sub zero; apply: (sum_support uT) => // i /zero ->; rewrite expr0n. Qed.

Lemma psd_support A T l : uniq T -> uniq l -> {subset T <= l} -> (forall x, 0 <= form A l x) -> forall x, 0 <= form A T x.
Proof.
move=> uT ul sub psd x; pose y i := if i \in T then x i else 0.
have := psd y; rewrite (form_support _ uT) // => [|i /negPf]; last by rewrite /y => ->.
congr (_ <= _); apply: eq_big_seq => i iT; apply: eq_big_seq => j jT; by rewrite /y iT jT.
Qed.

(* Beside `near`, only a diagonal. *)
Lemma psd_beside A near l : uniq near -> uniq l -> (forall x, 0 <= form A near x) ->
  {in l &, forall i j, i != j -> ~~ ((i \in near) && (j \in near)) -> A i j = 0} ->
  {in l, forall i, i \notin near -> 0 <= A i i} -> forall x, 0 <= form A l x.
Proof.
move=> un ul psd zero diag x; rewrite /form (bigID (mem near)) /= -big_filter addr_ge0 //; last first.
  rewrite big_seq_cond; apply: sumr_ge0 => i /andP[il out]; rewrite (bigD1_seq i) //= big1_seq => [|j /andP[ji jl]].
    by rewrite addr0 mulr_ge0 ?diag // -expr2 sqr_ge0.
  by rewrite zero ?mul0r 1?eq_sym // negb_and out.
have sub : {subset filter (mem near) l <= near} by move=> i; rewrite mem_filter => /andP[].
have := psd_support (filter_uniq _ ul) un sub psd x; congr (_ <= _); apply: eq_big_seq => i.
rewrite mem_filter big_filter [RHS](bigID (mem near)) /= => /andP[inear il].
rewrite [X in _ = _ + X]big1_seq ?addr0 // => j /andP[out jl].
by rewrite zero ?mul0r ?negb_and ?out ?orbT //; apply: contraNneq out => <-.
Qed.

Lemma formD A M l x : form (fun i j => A i j + M i j) l x = form A l x + form M l x.
Proof. by rewrite -big_split; apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _; rewrite mulrDl. Qed.

Lemma formZ t A l x : form (fun i j => t * A i j) l x = t * form A l x.
Proof. by rewrite /form mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _; rewrite -mulrA. Qed.

Lemma formB A M l x : form (fun i j => A i j - M i j) l x = form A l x - form M l x.
Proof. by rewrite -[in RHS]sumrB; apply: eq_bigr => i _; rewrite -sumrB; apply: eq_bigr => j _; rewrite mulrBl. Qed.

Lemma form_diagonal p l x : uniq l ->
  form (fun i j => if i == j then p i else 0) l x = \sum_(i <- l) p i * x i ^+ 2.
Proof.
move=> ul; rewrite /form big_seq [RHS]big_seq; apply: eq_bigr => i il.
by rewrite (bigD1_seq i) //= eqxx big1 ?addr0 ?expr2 // => j ji; rewrite eq_sym (negPf ji) mul0r.
Qed.

Lemma form_cons A i l x : form A (i :: l) x =
  A i i * x i ^+ 2 + x i * (\sum_(j <- l) (A i j + A j i) * x j) + form A l x.
Proof.
rewrite /form !big_cons; under [X in _ + X = _]eq_bigr => j _ do rewrite big_cons.
rewrite big_split /= addrA -[X in X + _ = _]addrA -big_split mulr_sumr expr2; congr (_ + _ + _).
by apply: eq_bigr => j _ /=; ring.
Qed.

(* Where G is positive semidefinite each variable more adds at most its own entry to a bound. *)
Lemma many_more G T l x (a : R) : uniq (T ++ l) -> (forall y, 0 <= form G (T ++ l) y) -> 0 <= a ->
  form G l x <= a * square l x -> form G (T ++ l) x <= (a + \sum_(j <- T) G j j) * square (T ++ l) x.
Proof.
elim: T => [|j T IH] /= ul psd a0 bound; first by rewrite big_nil addr0.
have /andP[out uT] := ul; have sub : {subset T ++ l <= j :: T ++ l} by move=> i; rewrite inE orbC => ->.
have {IH} bound := IH uT (psd_support (l := j :: T ++ l) uT ul sub psd) a0 bound.
rewrite big_cons [G j j + _]addrC addrA; set b := a + _ in bound *; have b0 : 0 <= b.
  rewrite addr_ge0 // big_seq sumr_ge0 // => i iT; have one : {subset [:: i] <= j :: T ++ l}.
    by move=> h; rewrite inE => /eqP ->; rewrite sub // mem_cat iT.
  by have := psd_support (T := [:: i]) (l := j :: T ++ l) isT ul one psd (fun=> 1); rewrite /form !big_seq1 !mulr1.
move: (T ++ l) out psd bound => {sub uT ul a0}l' out psd; rewrite !form_cons /square big_cons -/(square l' x).
set A := square l' x; set p := form G l' x; set c := \sum_(i <- l') _ => bound.
have := square_ge0 l' x; rewrite -/A le0r => /orP[/eqP A0|A_gt0].
  have zero i : i \in l' -> x i = 0 by apply: square_eq0.
  rewrite /c /p /form !big1_seq ?mulr0 ?addr0 => [|i /zero xi|i /zero ->]; last by rewrite mulr0.
    by rewrite A0 addr0 mulrDl ler_addr mulr_ge0 ?sqr_ge0.
  by rewrite big1 // => h _; rewrite xi mul0r mulr0.
have := psd (fun i => if i == j then - A else x j * x i); rewrite form_cons eqxx.
have off i : i \in l' -> (i == j) = false by move=> il; apply: contraNF out => /eqP <-.
rewrite (_ : \sum_(i <- l') _ = x j * c) => [|]; last first.
  by rewrite mulr_sumr; apply: eq_big_seq => i /off ->; rewrite mulrCA.
rewrite (_ : form G l' _ = x j ^+ 2 * p) => [ge0|]; last first.
  by rewrite -formZ; apply: eq_big_seq => i /off ->; apply: eq_big_seq => h /off ->; ring.
rewrite -(ler_pmul2l A_gt0) -subr_ge0 [X in 0 <= X](_ : _ =
  G j j * (- A) ^+ 2 + - A * (x j * c) + x j ^+ 2 * p + (b * A - p) * (A + x j ^+ 2)); last by ring.
by rewrite addr_ge0 // mulr_ge0 ?subr_ge0 // addr_ge0 ?sqr_ge0 // ltW.
Qed.

(* Rows pay for pairs. *)
Lemma pairs_paid A N T x :
  (forall i j, i \in T -> j \in T ->
    2%:R * (A i j * (x i * x j)) <= N i j * x i ^+ 2 + N j i * x j ^+ 2) ->
  form A T x <= \sum_(i <- T) x i ^+ 2 * \sum_(j <- T) N i j.
Proof.
move=> paid; rewrite -(ler_pmul2l (ltr0Sn R 1)).
have -> : 2%:R * (\sum_(i <- T) x i ^+ 2 * \sum_(j <- T) N i j) = \sum_(i <- T) \sum_(j <- T) (N i j * x i ^+ 2 + N j i * x j ^+ 2).
  under [RHS]eq_bigr => i _ do rewrite big_split /=.
  rewrite big_split [X in _ = _ + X]exchange_big /= -big_split mulr_sumr; apply: eq_bigr => i _ /=.
  by rewrite -!mulr_suml -mulr2n mulr_natl mulrC.
rewrite mulr_sumr; apply: sum_le => i iT.
rewrite mulr_sumr; apply: sum_le => j jT; exact: paid.
Qed.

(* N_ij N_ji >= P_ij^2 pays for the pair (i, j). *)
Lemma pair_paid (a b c u v : R) : 0 <= a -> 0 <= b -> c ^+ 2 <= a * b ->
  2%:R * (c * (u * v)) <= a * u ^+ 2 + b * v ^+ 2.
Proof.
move=> a0 b0 cab; have [aE | an0] := eqVneq a 0.
  have -> : c = 0 by apply/eqP; rewrite -sqrf_eq0 eq_le sqr_ge0 andbT; move: cab; rewrite aE mul0r.
  by rewrite mul0r mulr0 aE mul0r add0r mulr_ge0 ?sqr_ge0.
have a_gt0 : 0 < a by rewrite lt_def an0.
rewrite -subr_ge0 -(pmulr_rge0 _ a_gt0).
have -> : a * (a * u ^+ 2 + b * v ^+ 2 - 2%:R * (c * (u * v))) =
  (a * u - c * v) ^+ 2 + (a * b - c ^+ 2) * v ^+ 2 by ring.
by rewrite addr_ge0 ?sqr_ge0 // mulr_ge0 ?sqr_ge0 ?subr_ge0.
Qed.

(* A sum of chosen prices, for any threshold t. *)
Lemma chosen_prices (X : Type) (a : pred X) (p : X -> R) (t : R) (F : seq X) :
  \sum_(j <- F | a j) p j <= (count a F)%:R * t + \sum_(j <- F) Num.max (p j - t) 0.
Proof.
elim: F => [|j F IH]; first by rewrite !big_nil mul0r addr0.
rewrite !big_cons /=; case: ifP => _; last first.
  by rewrite add0n addrCA (le_trans IH) // ler_addr le_maxr lexx orbT.
by rewrite natrD mulrDl mul1r addrACA ler_add // -ler_subl_addl le_maxr lexx.
Qed.

(* Positive semidefinite: a diagonal that dominates. *)
Lemma dominant_ge0 E l x : uniq l -> {in l &, forall i j, E i j = E j i} ->
  (forall i, i \in l -> \sum_(j <- l | j != i) `|E i j| <= E i i) -> 0 <= form E l x.
Proof.
move=> ul sym dominant.
pose A i j := if i == j then 0 else - E i j; pose N i j := if i == j then 0 else `|E i j|.
have -> : form E l x = \sum_(i <- l) E i i * x i ^+ 2 - form A l x.
  rewrite -form_diagonal // -formB; apply: eq_bigr => i _; apply: eq_bigr => j _; congr (_ * _).
  by rewrite /A; case: eqP => [->|_]; rewrite ?subr0 // sub0r opprK.
rewrite subr_ge0; apply: le_trans (@pairs_paid A N l x _) _ => [i j il jl|].
  rewrite /A /N eq_sym; case: eqP => _; first by rewrite !mul0r mulr0 addr0.
  by apply: pair_paid; rewrite ?normr_ge0 // (sym j i) // -expr2 real_normK ?num_real // sqrrN.
apply: sum_le => i il.
rewrite mulrC ler_wpmul2r ?sqr_ge0 //; apply: le_trans (dominant i il).
by rewrite [X in _ <= X]big_mkcond; apply: ler_sum => j _; rewrite /N eq_sym; case: (j == i).
Qed.

Lemma ipC l x y : ip l x y = ip l y x.
Proof. by apply: eq_bigr => i _; rewrite mulrC. Qed.

Lemma sum_iota n p : \sum_(i <- iota 0 n) p i = \sum_(i < n) p i.
Proof. by have := @big_mkord R 0 +%R n xpredT p; rewrite /index_iota subn0. Qed.

(* Sums of squares are forms. *)
Lemma form_rank_one p l x : form (fun i j => p i * p j) l x = ip l p x ^+ 2.
Proof.
rewrite expr2 /ip big_distrlr; apply: eq_bigr => i _; apply: eq_bigr => j _ /=.
by rewrite mulrACA.
Qed.

Lemma form_squares (I : Type) (s : seq I) (a : I -> nat -> R) l x :
  form (fun i j => \sum_(m <- s) a m i * a m j) l x = \sum_(m <- s) ip l (a m) x ^+ 2.
Proof.
under [RHS]eq_bigr => m _ do rewrite -form_rank_one /form.
rewrite [RHS]exchange_big; apply: eq_bigr => i _ /=.
by rewrite [RHS]exchange_big; apply: eq_bigr => j _; rewrite mulr_suml.
Qed.

Lemma cauchy_schwarz x y l : ip l x y ^+ 2 <= square l x * square l y.
Proof.
rewrite -form_rank_one [X in _ <= X]mulrC /square mulr_suml; apply: pairs_paid => i j _ _.
by rewrite -subr_ge0 [X in 0 <= X](_ : _ = (y i * x j - y j * x i) ^+ 2) ?sqr_ge0 //; ring.
Qed.

(* Vectors of numbers that l names. *)
Section Products.

Variable l : seq nat.
Implicit Types a u v w : nat -> R.

Lemma square_combined v a u (b c d : R) : square l (fun q => b * v q + c * a q + d * u q) =
  b ^+ 2 * square l v + c ^+ 2 * square l a + d ^+ 2 * square l u +
  2%:R * (b * c * ip l a v + b * d * ip l u v + c * d * ip l a u).
Proof. by rewrite /square /ip !mulr_sumr -!big_split mulr_sumr -big_split /=; apply: eq_bigr => q _; ring. Qed.

Lemma ip_combined v a u (b c d : R) :
  ip l u (fun q => b * v q + c * a q + d * u q) = b * ip l u v + c * ip l a u + d * square l u.
Proof. by rewrite /square /ip !mulr_sumr -!big_split /=; apply: eq_bigr => q _; ring. Qed.

(* When y y' + t I - a a' is positive semidefinite. *)
Lemma rank_one_paid a y v (t : R) : 0 < t ->
  square l a * (t + square l y) - ip l a y ^+ 2 <= t * (t + square l y) ->
  ip l a v ^+ 2 <= ip l y v ^+ 2 + t * square l v.
Proof.
move=> t_gt0 enough; set s := t + square l y in enough; have s_gt0 : 0 < s by rewrite ltr_paddr ?square_ge0.
pose u q := t * s * v q + (- (ip l a v * s)) * a q + ip l a v * ip l a y * y q.
have : 0 <= t * square l u + ip l y u ^+ 2 by rewrite addr_ge0 ?sqr_ge0 // mulr_ge0 ?square_ge0 // ltW.
rewrite /u square_combined ip_combined.
set aa := square l a in enough *; set ay := ip l a y in enough *; set av := ip l a v.
set yv := ip l y v; set vv := square l v; have -> : square l y = s - t by rewrite /s; ring.
move: aa ay av yv vv s enough s_gt0 {u} => aa ay av yv vv s enough s_gt0.
have -> : t * ((t * s) ^+ 2 * vv + (- (av * s)) ^+ 2 * aa + (av * ay) ^+ 2 * (s - t) +
      2%:R * (t * s * - (av * s) * av + t * s * (av * ay) * yv + - (av * s) * (av * ay) * ay)) +
    (t * s * yv + - (av * s) * ay + av * ay * (s - t)) ^+ 2 =
  t * s * (t * s * (t * vv + yv ^+ 2) - 2%:R * (t * s) * av ^+ 2 + av ^+ 2 * (aa * s - ay ^+ 2)) by ring.
have ts_gt0 : 0 < t * s by rewrite mulr_gt0.
rewrite pmulr_rge0 // => all_ge0; rewrite -subr_ge0 -(pmulr_rge0 _ ts_gt0); apply: le_trans all_ge0 _.
rewrite -subr_ge0 [X in 0 <= X](_ : _ = av ^+ 2 * (t * s - (aa * s - ay ^+ 2))); last by ring.
by rewrite mulr_ge0 ?sqr_ge0 // subr_ge0.
Qed.

(* The image Az of z, where column i of A is a_i. *)
Variables (a : nat -> nat -> R) (T : seq nat) (z : nat -> R).
Notation image := (fun q => ip T (a^~ q) z).

Lemma form_image : form (fun i j => ip l (a i) (a j)) T z = square l image.
Proof. exact: (form_squares l (fun q i => a i q)). Qed.

Lemma ip_image v : ip l image v = ip T z (fun i => ip l (a i) v).
Proof.
rewrite /ip; under eq_bigr => q _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => q _ /=.
by rewrite mulrAC mulrC mulrA.
Qed.

(* z'A'Az = |Az|^2 is at most mu z'z when AA' is at most mu I at Az. *)
Lemma gram_dual (mu : R) : 0 <= mu -> \sum_(i <- T) ip l (a i) image ^+ 2 <= mu * square l image ->
  form (fun i j => ip l (a i) (a j)) T z <= mu * square T z.
Proof.
move=> mu_ge0 le_mu; rewrite form_image; have := square_ge0 l image.
rewrite le0r => /orP[/eqP -> | image_gt0]; first by rewrite mulr_ge0 ?square_ge0.
rewrite -(ler_pmul2l image_gt0) -expr2 {1}[square l image](ip_image image).
apply: le_trans (cauchy_schwarz _ _ _) _; rewrite [X in _ <= X]mulrA [X in _ <= X]mulrC.
by rewrite ler_wpmul2l ?square_ge0 // mulrC.
Qed.

End Products.

End Inequalities.
