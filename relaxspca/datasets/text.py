"""Bags of words: a random corpus from a seed, and word counts from files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import whole_number
from relaxspca.reading.files import read_matrix

__all__ = ["TopicModel", "make_topic_model", "read_counts"]


@dataclass(frozen=True, eq=False)
class TopicModel:
    """A random model of documents: most words follow Zipf's law, the others come from one topic each.

    Attributes
    ----------
    vocabulary : tuple of n str
        ``topic2_5`` is word 5 of topic 2; words of no topic are named by their rank.
    topics : (t, w) int array
        The w words of each of t topics.
    cumulative : (n,) array
        Cumulative probabilities of the words outside topics.
    mean_length : float
        Mean number of words in a document; the lengths have a negative binomial distribution.
    share : float
        Fraction of a document's words that are drawn from its topic, uniformly.
    """

    vocabulary: tuple[str, ...]
    topics: npt.NDArray[np.int64]
    cumulative: Array
    mean_length: float
    share: float

    def draw(self, documents: int, *, rng: np.random.Generator) -> Any:
        """Return word counts of random documents, a (documents, n) scipy.sparse CSR array.

        Parameters
        ----------
        documents : int
        rng : numpy.random.Generator
        """
        from scipy.sparse import coo_array

        n = len(self.vocabulary)
        lengths = rng.poisson(self.mean_length * rng.gamma(2.0, 0.5, documents))
        document = np.repeat(np.arange(documents), lengths)
        word = np.searchsorted(self.cumulative, rng.random(document.size))
        topic = rng.integers(len(self.topics), size=documents)
        drawn = np.flatnonzero(rng.random(document.size) < self.share)
        position = rng.integers(self.topics.shape[1], size=drawn.size)
        word[drawn] = self.topics[topic[document[drawn]], position]
        return coo_array((np.ones(word.size), (document, word)), shape=(documents, n)).tocsr()


def make_topic_model(
    n: int,
    *,
    topics: int = 5,
    words: int = 5,
    mean_length: float = 12.0,
    share: float = 0.3,
    offset: float = 0.0,
    rng: np.random.Generator | None = None,
) -> TopicModel:
    """Return a random model of documents over n words with planted topics.

    Parameters
    ----------
    n : int
        Words in the vocabulary.
    topics, words : int
        Number of topics, and words in each; they are of middling rank, and no word has two topics.
    mean_length, share : float
        See `TopicModel`.
    offset : float
        Words have probability proportional to 1 / (rank + offset). The larger the offset, the less frequent the
        first words, as if that many stop words had been removed.
    rng : numpy.random.Generator, optional
        A generator seeded with 0 when not given.

    Returns
    -------
    TopicModel

    Raises
    ------
    InputError
        There are fewer than twice as many words as the topics need.

    Examples
    --------
    >>> model = make_topic_model(100)
    >>> model.draw(8, rng=np.random.default_rng(1)).shape
    (8, 100)
    """
    n, topics, words = whole_number(n, "n"), whole_number(topics, "topics"), whole_number(words, "words")
    needed = topics * words
    if topics < 1 or words < 1 or 2 * needed > n:
        raise InputError(f"{topics} topics of {words} words need a vocabulary of at least {2 * needed} words")
    rng = np.random.default_rng(0) if rng is None else rng
    chosen = rng.permutation(np.arange(needed // 2, needed // 2 + needed)).reshape(topics, words)
    vocabulary = [f"word{rank}" for rank in range(1, n + 1)]
    for t, row in enumerate(chosen):
        for j, i in enumerate(row):
            vocabulary[i] = f"topic{t}_{j}"
    weights = 1 / (np.arange(1.0, n + 1) + offset)
    cumulative = np.cumsum(weights) / weights.sum()
    cumulative[-1] = 1.0
    return TopicModel(tuple(vocabulary), chosen, cumulative, mean_length, share)


def read_counts(path: str | Path, vocabulary: str | Path | None = None) -> tuple[Any, tuple[str, ...]]:
    """Read a matrix of counts and the words of its columns.

    Parameters
    ----------
    path : str or Path
        scipy.sparse .npz, Matrix Market or another file of observations, one row a document.
    vocabulary : str or Path, optional
        Text file with one word a line, as many as there are columns. Without it the words are w0, w1, ...

    Returns
    -------
    counts : (m, n) array or scipy.sparse array
    words : tuple of n str

    Raises
    ------
    InputError
        A file cannot be read, or the numbers of words and columns differ.
    """
    counts, names = read_matrix(path)
    n = counts.shape[1]
    if vocabulary is None:
        return counts, names if names is not None else tuple(f"w{i}" for i in range(n))
    try:
        words = tuple(Path(vocabulary).read_text(encoding="utf-8-sig").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{vocabulary} cannot be read: {error}") from None
    if len(words) != n:
        raise InputError(f"{vocabulary} has {len(words)} words, but {path} has {n} columns")
    return counts, words
