(* Lists of supports: what those listed explain, and what no other support of k variables exceeds. *)
From SparseEigenvalue Require Import Setting Checker Numbers Inequalities Supports Charges Walk Leaves Soundness.

(* A support that is listed, bounds on what it explains, and a vector that attains the lower one. *)
Record member := Member {
  support : seq nat;
  least : Z;
  most : Z;
  loadings : seq Z;
  evidence : nodes leaf }.

Definition check_near_optimal (include exclude : seq nat) (c : certificate) (others : Z) (list : seq member) : bool :=
  let S := entries (matrix c) in
  let n := size_of c in
  let k := cardinality c in
  let tables := tables_of c in
  [&& check_matrix (matrix c) n (denominator c), symmetric S n, Z.leb others (upper_of c),
      check_bounds S n k include exclude (lower_of c) (witness c) others tables (map support list) (proof c) &
      all (fun m => eqn (size (support m)) k &&
        check_bounds S n k (support m) (filter (fun i => negb (inside (support m) i)) (iota 0 n))
          (least m) (loadings m) (Z.min (most m) (upper_of c)) tables [::] (evidence m)) list].

Section NearOptimal.

Variables (R : realFieldType) (c : certificate) (include exclude : seq nat) (others : Z) (list : seq member).
Notation n := (size_of c).

(* The supports of the claim: k variables, those of `include` among them and none of `exclude`. *)
Definition admissible (T : {set 'I_n}) : Prop :=
  [/\ #|T| = cardinality c, forall i : 'I_n, val i \in include -> i \in T &
      forall i : 'I_n, val i \in exclude -> i \notin T].

Definition chosen (l : seq nat) : {set 'I_n} := [set i : 'I_n | val i \in l].

Definition lies_on (T : {set 'I_n}) (x : 'cV[R]_n) : Prop := forall i, i \notin T -> x i 0 = 0.

Definition in_force (m : member) : Z := Z.min (most m) (upper_of c).

Lemma all_in (P : pred member) l m : all P l -> List.In m l -> P m.
Proof. by elim: l => //= a l IH /andP[Pa Pl] [<- //|]; apply: IH. Qed.

Lemma listed_enum T x : lies_on T x -> forall i, i \notin map val (enum T) -> listed x i = 0.
Proof.
move=> zero i out; rewrite /listed; case: insubP => //= j _ ji; apply: zero.
by apply: contra out => jT; rewrite -ji map_f // mem_enum.
Qed.

Theorem check_near_optimal_sound (tau := rational R others (denominator c)) :
  check_near_optimal include exclude c others list ->
  [/\ (Sigma R c)^T = Sigma R c,
      forall x, avoids exclude x -> (Used include x <= cardinality c)%N ->
        quadratic (Sigma R c) x <= upper R c * norm2 x,
      [/\ z R c != 0, avoids exclude (z R c), (Used include (z R c) <= cardinality c)%N &
          lower R c * norm2 (z R c) <= quadratic (Sigma R c) (z R c)],
      forall T, admissible T -> T \notin [seq chosen (support m) | m <- list] ->
        forall x, lies_on T x -> quadratic (Sigma R c) x <= tau * norm2 x &
      forall m, List.In m list ->
        [/\ #|chosen (support m)| = cardinality c,
            forall x, lies_on (chosen (support m)) x ->
              quadratic (Sigma R c) x <= rational R (most m) (denominator c) * norm2 x &
            exists x, [/\ x != 0, lies_on (chosen (support m)) x &
              rational R (least m) (denominator c) * norm2 x <= quadratic (Sigma R c) x]]].
Proof.
case/and5P=> shape sym le_others /and4P[scope /andP[_ many] low proved] members.
have weaker (a b : Z) x : Z.leb a b -> quadratic (Sigma R c) x <= rational R a (denominator c) * norm2 x ->
    quadratic (Sigma R c) x <= rational R b (denominator c) * norm2 x.
  move=> ab /le_trans; apply; rewrite ler_wpmul2r ?norm2_listed ?square_ge0 // /rational ler_wpmul2r ?value_le //.
  by rewrite invr_ge0 ltW // value_gt0 //; case/andP: shape.
have of_member m : List.In m list ->
    [/\ #|chosen (support m)| = cardinality c,
        forall x, lies_on (chosen (support m)) x ->
          quadratic (Sigma R c) x <= rational R (in_force m) (denominator c) * norm2 x &
        exists x, [/\ x != 0, lies_on (chosen (support m)) x &
          rational R (least m) (denominator c) * norm2 x <= quadratic (Sigma R c) x]].
  move/(all_in members)=> /andP[/eqnP size_m /and4P[scope_m _ low_m proved_m]].
  have uniq_m : uniq (support m) by have := scope_uniq scope_m; rewrite cat_uniq => /andP[].
  have card_m : #|chosen (support m)| = cardinality c.
    rewrite (card_count n (mem (support m))) count_swap ?iota_uniq // -size_m; apply/eqP; rewrite -all_count.
    by apply/allP => i /(scope_in scope_m)[lt_in _]; rewrite /= mem_iota.
  have off i : i \in filter (fun i => negb (inside (support m) i)) (iota 0 n) = (i \notin support m) && (i < n)%N.
    by rewrite mem_filter mem_iota /inside has_eqb.
  have lies x : lies_on (chosen (support m)) x <-> avoids (filter (fun i => negb (inside (support m) i)) (iota 0 n)) x.
    split=> [zero i|out i]; first by rewrite off => /andP[im _]; apply: zero; rewrite inE.
    by rewrite inE => im; apply: out; rewrite off im ltn_ord.
  split=> // [x zero|].
    apply: (scope_bounds shape sym scope_m _ proved_m ((lies x).1 zero)); first by rewrite size_m leq_addr.
    rewrite -card_m; apply/subset_leq_card/subsetP => i; rewrite !inE => /orP[|//].
    by apply: contraNT => im; rewrite zero ?inE.
  have [z_neq0 out _ attained] := check_witness_sound R shape scope_m low_m.
  by exists (vector R c (loadings m)); split=> //; apply/lies.
have from_list L : L \in map support list -> exists2 m, List.In m list & support m = L.
  elim: (list) => //= m l IH; rewrite inE => /orP[/eqP -> | /IH[m' m'l <-]]; first by exists m; [left|].
  by exists m'; [right|].
split; first exact: Sigma_sym.
- move=> x out used; have [|T node zero] := scope_support (k := cardinality c) scope out; first by rewrite used.
  have [above|[L /from_list[m in_list <-] TL]] := node_bounds shape sym scope proved node zero.
    exact: weaker above.
  have [_ above _] := of_member m in_list; apply: (weaker (in_force m)); first by apply/Z.leb_le/Z.le_min_r.
  apply: above => i; rewrite inE => im; rewrite -listedE zero //; apply: contra im; exact: TL.
- exact: check_witness_sound low.
- move=> T [sizeT JT ET] other x lies.
  have node : support_of (cardinality c) include (left_free n include exclude) (map val (enum T)).
    split=> [|||i iJ|i /mapP[j]]; rewrite ?(scope_uniq scope) ?(map_inj_uniq val_inj) ?enum_uniq ?size_map -?cardE //.
      by have [lt_in _] := scope_in scope iJ; apply/mapP; exists (Ordinal lt_in); rewrite // mem_enum JT.
    rewrite mem_enum => jT ->; rewrite mem_cat free_in ltn_ord andbT.
    by case: (boolP (val j \in include)) => //= _; apply: contraL jT; apply: ET.
  have [//|[L /from_list[m in_list <-] TL]] := node_bounds shape sym scope proved node (listed_enum lies).
  case/negP: other; have -> : T = chosen (support m).
    apply/eqP; rewrite eqEcard sizeT; have [-> _ _] := of_member m in_list; rewrite leqnn andbT.
    by apply/subsetP => i iT; rewrite inE TL // map_f // mem_enum.
  by elim: (list) in_list => //= a l IH [->|/IH]; rewrite inE ?eqxx // => ->; rewrite orbT.
move=> m in_list; have [size_m above attained] := of_member m in_list; split=> // x lies.
apply: (weaker (in_force m)); [exact/Z.leb_le/Z.le_min_l | exact: above].
Qed.

End NearOptimal.
