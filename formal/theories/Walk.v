(* A tree of sets of variables, whatever is checked at its leaves: each set belongs to one of them. *)
From SparseEigenvalue Require Import Setting Checker Supports Charges.

(* What a split or a restriction leaves. *)
Lemma fewer_in (a : pred nat) J F : {subset J ++ filter a F <= J ++ F}.
Proof. by apply: mem_subseq; rewrite cat_subseq ?filter_subseq. Qed.

Lemma more_in v J F : v \in F -> {subset (v :: J) ++ without v F <= J ++ F}.
Proof.
by move=> vF i; rewrite !mem_cat inE mem_without => /orP[/orP[/eqP ->|->]|/andP[_ ->]] //; rewrite ?vF orbT.
Qed.

Section Walk.

Variables (X : Type) (apart : nat -> nat -> bool) (check : seq nat -> seq nat -> X -> bool).
Variable loses_none : seq nat -> seq nat -> nat -> seq nat -> bool.
Variables (T base : seq nat) (bounded : Prop).
Hypothesis kept : {in T &, forall v j, apart v j -> j = v}.
Hypothesis lost : forall J F which some i, holds J F T -> {subset J ++ F <= base} -> loses_none J F which some ->
  i \in T -> i \in F -> i \notin some -> bounded.

Lemma walkP t J F : holds J F T -> {subset J ++ F <= base} -> walk apart check loses_none J F t ->
  bounded \/ exists J' F' r, [/\ holds J' F' T, {subset J' ++ F' <= base} & check J' F' r].
Proof.
elim: t J F => [r|v inside IHin outside IHout|w some child IH] J F node in_base /=.
- by right; exists J, F, r; split.
- rewrite has_eqb => /and3P[vF in_ok out_ok].
  have := splits node vF; case: ifP => [vT in_v|_ out_v].
    apply: IHin in_ok => [|i /fewer_in/(more_in vF)/in_base //].
    apply: (fewer_free in_v) => j jT; rewrite mem_without => /andP[jv _]; apply/negP => /(kept vT jT) jE.
    by rewrite jE eqxx in jv.
  by apply: IHout out_ok => // i /fewer_in/in_base.
case/andP=> none below; have [/hasP[i iT /andP[iF out]]|/hasPn all_kept] := boolP (has (fun i => (i \in F) && (i \notin some)) T).
  by left; apply: (lost node in_base none iT iF).
apply: IH below => [|i /fewer_in/in_base //].
by apply: (fewer_free node) => i iT iF; rewrite member_set; have := all_kept i iT; rewrite iF negbK.
Qed.

End Walk.
