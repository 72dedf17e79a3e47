"""Topics of a bag of words as certified sparse components: a few words each, proved to be the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import InputError
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.runtime.deadline import Deadline
from relaxspca.tasks.solve import solve

__all__ = ["Topic", "topics"]


@dataclass(frozen=True, eq=False)
class Topic:
    """One component of the words that earlier topics left.

    Attributes
    ----------
    words : tuple of str
        By falling weight; a minus sign stands before a word of negative weight.
    lower, upper : float
        Proved bounds on the largest variance of so many words (counts squared); `lower` is attained.
    certificate : Certificate
        About all words left, those eliminated included.
    seconds : float
        Wall-clock time.
    """

    words: tuple[str, ...]
    lower: float
    upper: float
    certificate: Certificate
    seconds: float

    @property
    def gap(self) -> float:
        """Proved gap relative to the lower bound."""
        return (self.upper - self.lower) / self.lower


def topics(
    counts: Any,
    k: int,
    n_topics: int = 5,
    *,
    vocabulary: Sequence[str] | None = None,
    limit: int = 2000,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> list[Topic]:
    r"""Extract topics of k words each, every one certified among all words that earlier topics left.

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
        Seconds for each topic.

    Returns
    -------
    list of Topic

    Raises
    ------
    InputError
        There are not enough words for so many topics, or `n_topics` is below 1.

    Notes
    -----
    The words of a topic are taken out before the next one is sought, so topics share no word and each
    claim is about the covariance as it is, not about a deflated one.

    Examples
    --------
    >>> from relaxspca.datasets.text import make_topic_model
    >>> model = make_topic_model(60, 2, 3, offset=10.0)
    >>> counts = model.draw(4000, np.random.default_rng(1))
    >>> sorted(topics(counts, 3, 2, vocabulary=model.vocabulary)[0].words)
    ['topic0_0', 'topic0_1', 'topic0_2']
    """
    cov = counts
    if not isinstance(cov, Covariance):
        cov = Covariance.from_chunks(counts, names=vocabulary, limit=limit)
    k, n_topics = whole_number(k, "k"), whole_number(n_topics, "n_topics")
    if n_topics < 1 or n_topics * k > cov.n:
        raise InputError(f"{n_topics} topics of {k} words cannot be made from {cov.n} words")
    found = []
    for _ in range(n_topics):
        clock = Deadline.after(None)
        certificate = solve(cov, k, gap=tol, time_limit=time_limit).certificate
        found.append(_topic(certificate, clock.elapsed))
        used = set(certificate.support)
        rest = [i for i, name in enumerate(cov.names) if name not in used]
        if not rest:
            break
        cov = cov.restrict(rest)._with(eliminated=cov.eliminated)
    return found


def _topic(certificate: Certificate, seconds: float) -> Topic:
    order = certificate.indices[np.argsort(-np.abs(certificate.loadings[certificate.indices]), kind="stable")]
    words = tuple(("-" if certificate.loadings[i] < 0 else "") + certificate.names[i] for i in order)
    return Topic(words, certificate.lower, certificate.upper, certificate, seconds)
