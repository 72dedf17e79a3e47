"""Change the input of the verified checker word by word."""

import prove
import pytest


def changed(words, at, value):
    """Return the words with one of them changed."""
    return [*words[:at], str(value), *words[at + 1 :]]


def refused(words, checker):
    """Say that the checker refuses these words; fail if it does not."""
    with pytest.raises(prove.Refused):
        prove.accepted(" ".join(words), checker)
    return True
