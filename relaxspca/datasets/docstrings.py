"""A text corpus present on every machine with scipy: the docstrings of an installed package."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError

__all__ = ["DocstringCounts", "docstring_counts"]

WORD = re.compile(r"[a-z]{3,}")
# Folders of tests and of code vendored from other packages.
NOT_ITS_OWN = {"tests", "_lib", "_external", "_vendor"}


@dataclass(frozen=True, eq=False)
class DocstringCounts:
    """A matrix of word counts per docstring.

    Attributes
    ----------
    package, version : str
        The package read.
    vocabulary : tuple of n str
        The words in alphabetical order.
    counts : (m, n) scipy.sparse CSR array
        One row per docstring.
    digest : str
        SHA-256 of vocabulary and counts; equal digests mean equal corpora.
    """

    package: str
    version: str
    vocabulary: tuple[str, ...]
    counts: Any
    digest: str

    def __repr__(self) -> str:
        m, n = self.counts.shape
        return f"{m} docstrings of {self.package} {self.version}, {n} words, sha256:{self.digest}"


def docstring_counts(
    package: str = "scipy", *, shortest: int = 30, least: int = 20, most: float = 1.0
) -> DocstringCounts:
    """Count the words in the docstrings of the functions and classes of an installed package.

    Parameters
    ----------
    package : str
        A package installed as Python source. It is read, not imported.
    shortest : int
        Least number of words of a docstring; shorter ones are left out.
    least : int
        Least number of docstrings of a word; rarer words are left out.
    most : float
        Largest fraction of docstrings of a word, such as 0.1; more frequent words are left out.

    Returns
    -------
    DocstringCounts

    Raises
    ------
    InputError
        There is no such package, or no word is left.

    Notes
    -----
    A word is three or more letters from a to z, in either case. Equal docstrings count once. Code after ``>>>``
    and text after the heading of the references are left out. Nothing is drawn at random: the same version of a
    package gives the same counts everywhere.

    Examples
    --------
    >>> corpus = docstring_counts("numpy")
    >>> "array" in corpus.vocabulary, corpus.counts.shape[1] == len(corpus.vocabulary)
    (True, True)
    """
    from scipy.sparse import csr_array

    bags = [words for words in _bags(_folder(package)) if words.total() >= shortest]
    used = Counter(word for words in bags for word in words)
    vocabulary = tuple(sorted(word for word, m in used.items() if least <= m <= most * len(bags)))
    if not vocabulary:
        raise InputError(
            f"no word of {package} is in {least} docstrings and in at most {100 * most:g} % of them"
        )
    place = {word: at for at, word in enumerate(vocabulary)}
    rows = [sorted((place[word], count) for word, count in words.items() if word in place) for words in bags]
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    columns, counts = np.array([pair for row in rows for pair in row], dtype=np.int64).T
    held = hashlib.sha256(" ".join(vocabulary).encode())
    for part in (starts, columns, counts):
        held.update(part.astype("<i8").tobytes())
    shape = (len(bags), len(vocabulary))
    matrix = csr_array((counts.astype(np.float64), columns, starts), shape=shape)
    return DocstringCounts(package, _version(package), vocabulary, matrix, held.hexdigest())


def _folder(package: str) -> Path:
    """Return the folder of a package."""
    found = importlib.util.find_spec(package) if package.isidentifier() else None
    if found is None or not found.submodule_search_locations:
        raise InputError(f"there is no installed package {package!r} to be read")
    return Path(found.submodule_search_locations[0])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of no version"


@functools.lru_cache(1)
def _bags(folder: Path) -> list[Counter[str]]:
    """Return the word counts of the distinct docstrings below a folder, in alphabetical order of docstrings."""
    return [_words(text) for text in sorted(set(_docstrings(folder)))]


def _docstrings(folder: Path) -> Iterator[str]:
    """Yield the docstrings of all functions and classes below a folder."""
    for path in sorted(folder.rglob("*.py")):
        if NOT_ITS_OWN.isdisjoint(path.relative_to(folder).parts):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    yield ast.get_docstring(node) or ""


def _words(text: str) -> Counter[str]:
    """Return the number of occurrences of each word in a docstring."""
    lines = text.split("References\n---")[0].splitlines()
    prose = [line for line in lines if not line.lstrip().startswith((">>>", "..."))]
    return Counter(WORD.findall("\n".join(prose).lower()))
