"""Topics of a bag of words as certified sparse components of a few words each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, counted, in_line
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits
from relaxspca.problem.observations import whole_number
from relaxspca.results.claims import claim_of, recorded
from relaxspca.results.digits import between
from relaxspca.results.one_component import ProvedComponent
from relaxspca.results.printable import Printable, Table
from relaxspca.results.relative_difference import gap_cell
from relaxspca.results.rows import ListOfRows
from relaxspca.results.sentences import verdict
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.tasks.solve import solve

__all__ = ["Topic", "Topics", "topics"]


@dataclass(frozen=True, eq=False, repr=False)
class Topic(ProvedComponent, Printable):
    """One component, on the words that no earlier topic uses.

    Attributes
    ----------
    candidate : Candidate
        Its positions are in `certificate.names`, the words of no earlier topic. They are no columns of the
        counts: take words by name, from `words`, `support` or `loadings`.
    lower, upper : float
        Proved bounds on the largest variance of so many words (counts squared); `lower` is attained.
    status : Status
    certificate : Certificate
        For all words of no earlier topic, those eliminated included.
    seconds : float
        Wall-clock time.
    """

    candidate: Candidate
    lower: float
    upper: float
    status: Status
    certificate: Certificate
    seconds: float

    _figure = "plot_judged"

    @property
    def k(self) -> int:
        """Number of words asked for."""
        return self.certificate.k or self.candidate.k

    @property
    def indices(self) -> tuple[int, ...]:
        """Positions in `certificate.names`, the words of no earlier topic; not columns of the counts."""
        return super().indices

    @property
    def words(self) -> tuple[str, ...]:
        """The words by decreasing absolute weight; a minus sign marks a negative weight."""
        used, x = self.candidate.indices, self.candidate.loadings
        order = used[np.argsort(-np.abs(x[used]), kind="stable")]
        return tuple(("-" if x[i] < 0 else "") + self.candidate.names[i] for i in order)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the topic as one flat dict; decimals of bounds are rounded outwards."""
        return [
            {"k": self.k, "words": in_line(self.words, "; ")}
            | recorded(self.lower, self.upper)
            | {"gap": self.gap, "share": self.share, "status": str(self.status)}
            | {"support": in_line(self.support, "; "), "seconds": self.seconds}
        ]

    def _statement(self) -> list[str]:
        return [
            f"Words: {in_line(self.words)}.",
            claim_of(self.certificate),
            verdict(self.status, self.lower, self.upper, self.gap),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Topics(ListOfRows[Topic], Printable):
    """Topics that share no word; indexed and counted like a list of `Topic`.

    Attributes
    ----------
    rows : tuple of Topic
    """

    rows: tuple[Topic, ...]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dict per topic."""
        return [{"topic": at + 1} | row.to_records()[0] for at, row in enumerate(self.rows)]

    def _statement(self) -> list[str]:
        proved = sum(row.status is Status.OPTIMAL for row in self.rows)
        return [
            f"{counted(len(self.rows), 'topic')} of {counted(self.rows[0].k, 'word')}, each of the words that "
            f"the previous ones leave: {proved} proved optimal."
        ]

    def _tables(self) -> list[Table]:
        rows = [
            [
                str(at + 1),
                between(row.lower, row.upper).brief,
                gap_cell(row.lower, row.upper, row.gap),
                str(row.status),
            ]
            + [in_line(row.words)]
            for at, row in enumerate(self.rows)
        ]
        return [Table(("topic", "variance", "gap %", "status", "words"), rows, (0, 1, 2), wrapped=(4,))]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {f"topic{at + 1}": row.certificate for at, row in enumerate(self.rows)}


def topics(
    counts: Any,
    k: int,
    n_topics: int = 5,
    *,
    vocabulary: Sequence[str] | None = None,
    limit: int = 2000,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Topics:
    r"""Extract topics of k words each, every one certified over all words of no earlier topic.

    .. math:: v_k(\Sigma_{LL}), \qquad L \text{ the words of no earlier topic}

    Parameters
    ----------
    counts : scipy.sparse array, Covariance, or a source of `relaxspca.reading.chunks.open_chunks`
        Documents by rows, words by columns.
    k : int
        Words a topic.
    n_topics : int
    vocabulary : sequence of str, optional
        The words of the columns.
    limit : int
        How many words of largest variance to keep for the Gram matrix.
    tol : float
        Relative gap that is small enough.
    time_limit : float, optional
        Seconds for all topics; each gets an equal part of the time left.

    Returns
    -------
    Topics

    Raises
    ------
    InputError
        There are not enough words for so many topics, or `n_topics` is below 1.

    Notes
    -----
    The words of a topic are removed before the search for the next one, so topics share no word and each
    claim is about the given covariance, not about a deflated one.

    Examples
    --------
    >>> from relaxspca.datasets.text import make_topic_model
    >>> model = make_topic_model(60, topics=2, words=3, offset=10.0)
    >>> counts = model.draw(4000, rng=np.random.default_rng(1))
    >>> sorted(topics(counts, 3, 2, vocabulary=model.vocabulary)[0].words)
    ['topic0_0', 'topic0_1', 'topic0_2']
    """
    cov = counts
    if not isinstance(cov, Covariance):
        cov = Covariance.from_chunks(counts, names=vocabulary, limit=limit)
    k, n_topics = whole_number(k, "k"), whole_number(n_topics, "n_topics")
    if n_topics < 1 or n_topics * k > cov.n:
        raise InputError(f"{n_topics} topics of {k} words cannot be made from {cov.n} words")
    check_limits(time_limit=time_limit)
    deadline = Deadline.after(time_limit)
    found: list[Topic] = []
    for at in range(n_topics):
        clock = Deadline.after(None)
        best = solve(cov, k, gap=tol, time_limit=deadline.share(n_topics - at))
        bounds = best.lower, best.upper, best.status
        found.append(Topic(best.candidate, *bounds, best.certificate, clock.elapsed))
        used = set(best.support)
        rest = [i for i, name in enumerate(cov.names) if name not in used]
        if not rest:
            break
        cov = cov.restrict(rest)._with(eliminated=cov.eliminated)
    return Topics(tuple(found))
