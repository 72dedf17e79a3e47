"""The words of docstrings, counted by hand and by another method."""

import importlib
import inspect
import re
from collections import Counter

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.datasets.docstrings import docstring_counts

SOURCE = '''
"""Words of the module do not count."""

def f():
    """Apple apple PEAR of x1.

    >>> plum = 1

    References
    ----------
    Quince.
    """

class C:
    """Pear."""

    def g(self):
        """Apple pear fig."""

def twice():
    """Pear."""
'''


@pytest.fixture
def orchard(tmp_path, monkeypatch):
    for folder in ("orchard", "orchard/tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text(
            SOURCE if folder == "orchard" else SOURCE.replace("ear", "lum")
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    return "orchard"


def test_counts_by_hand(orchard):
    found = docstring_counts(orchard, shortest=1, least=1)
    assert found.vocabulary == ("apple", "fig", "pear")
    assert sorted(found.counts.toarray().tolist()) == [[0, 0, 1], [1, 1, 1], [2, 0, 1]]
    assert docstring_counts(orchard, shortest=2, least=1).counts.shape == (2, 3)
    assert docstring_counts(orchard, shortest=1, least=2).vocabulary == ("apple", "pear")
    assert docstring_counts(orchard, shortest=1, least=1, most=0.7).vocabulary == ("apple", "fig")
    assert "of no version" in repr(found)


def test_the_digest_is_of_words_and_counts(orchard, tmp_path):
    first = docstring_counts(orchard, shortest=1, least=1)
    assert docstring_counts(orchard, shortest=1, least=1).digest == first.digest
    assert docstring_counts(orchard, shortest=1, least=2).digest != first.digest


def test_every_word_of_a_docstring_of_a_package_is_counted():
    corpus = docstring_counts("joblib", shortest=1, least=1)
    text = inspect.getdoc(pytest.importorskip("joblib").Memory.reduce_size).split(">>>")[0].lower()
    words = Counter(word for word in re.split("[^a-z]+", text) if len(word) > 2)
    wanted = np.array([words[word] for word in corpus.vocabulary])
    rest = corpus.counts.toarray() - wanted
    assert rest.sum(axis=1)[np.all(rest >= 0, axis=1)].min() <= 3  # words that its examples print


def test_second_moments_of_words_are_exact():
    pytest.importorskip("joblib")
    corpus = docstring_counts("joblib", least=5, most=0.1)
    moments = rs.Covariance.from_sparse(corpus.counts, names=corpus.vocabulary, centred=False)
    dense = corpus.counts.toarray()
    assert np.allclose(moments.matrix, dense.T @ dense / len(dense), rtol=1e-14)


@pytest.mark.parametrize("package", ["nonesuch", "no.such", "math"])
def test_what_cannot_be_read_is_said(package):
    with pytest.raises(rs.InputError, match=package):
        docstring_counts(package)


def test_no_word_left_is_said(orchard):
    with pytest.raises(rs.InputError, match="no word of orchard is in 9 docstrings"):
        docstring_counts(orchard, least=9)
