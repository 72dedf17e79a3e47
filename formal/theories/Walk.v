(* A tree of sets of variables, whatever is checked at its leaves: each set belongs to one of them. *)
From SparseEigenvalue Require Import Setting Checker Supports.

Inductive nodes (X : Type) :=
  | Rule of X
  | Branch (variable : nat) (inside outside : nodes X).

(* With a variable inside, those that are `apart` from it are not free any more. *)
Section Walk.

Variables (X : Type) (apart : nat -> nat -> bool) (check : seq nat -> seq nat -> X -> bool).

Fixpoint walk (J F : seq nat) (t : nodes X) : bool :=
  match t with
  | Rule r => check J F r
  | Branch v inside outside =>
      let left := without v F in
      [&& has (Nat.eqb v) F, walk (v :: J) (filter (fun j => negb (apart v j)) left) inside & walk J left outside]
  end.

(* Sets of any size. *)
Definition holds (J F T : seq nat) : Prop := support_of (size T) J F T.

Lemma fewer_free (a : pred nat) J F T : holds J F T -> {in T, forall j, j \in F -> a j} -> holds J (filter a F) T.
Proof.
case=> uJF uT _ JT TJF keep; split=> //.
  move: uJF; rewrite !cat_uniq => /and3P[-> /hasPn JF uF] /=; rewrite filter_uniq // andbT.
  by apply/hasPn => j; rewrite mem_filter => /andP[_ /JF].
move=> j jT; have := TJF j jT; rewrite !mem_cat mem_filter => /orP[-> //|jF].
by rewrite jF (keep j) // orbT.
Qed.

Lemma walkP T J F t : holds J F T -> {in T &, forall v j, apart v j -> j = v} -> walk J F t ->
  exists J' F' r, [/\ holds J' F' T, {subset J' ++ F' <= J ++ F} & check J' F' r].
Proof.
move=> node kept; elim: t J F node => [r|v inside IHin outside IHout] J F node /=; first by exists J, F, r; split.
rewrite has_eqb => /and3P[vF in_ok out_ok].
have sub J' F' : {subset J' <= v :: J} -> {subset F' <= F} -> {subset J' ++ F' <= J ++ F}.
  move=> subJ subF i; rewrite !mem_cat => /orP[/subJ|/subF ->]; last by rewrite orbT.
  by rewrite inE => /orP[/eqP ->|->] //; rewrite vF orbT.
have subF : {subset without v F <= F} by move=> i; rewrite mem_filter => /andP[].
have [in_v|out_v] := splits node vF.
  have vT : v \in T by apply: (forced_in in_v); rewrite mem_head.
  have [|J' [F' [r [node' below ok]]]] := IHin _ _ _ in_ok.
    apply: (fewer_free in_v) => j jT; rewrite mem_without => /andP[jv _]; apply/negP => /(kept v j vT jT) jE.
    by rewrite jE eqxx in jv.
  by exists J', F', r; split=> // i /below; apply: sub => // j; rewrite mem_filter => /andP[_ /subF].
have [J' [F' [r [node' below ok]]]] := IHout _ _ out_v out_ok.
by exists J', F', r; split=> // i /below; apply: sub => // j jJ; rewrite inE jJ orbT.
Qed.

End Walk.
