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


def changed_at_random(words, rng, count, others=()):
    """Return the words with some numbers changed, and what is no number to one of the others."""
    words = list(words)
    for at in rng.integers(1, len(words), size=count):
        if words[at].lstrip("-").isdigit():
            value = int(words[at])
            choices = [value + 1, value - 1, -value, value // 2, 2 * value, value + value // 1000, 0]
            words[at] = str(choices[rng.integers(len(choices))])
        elif others:
            words[at] = str(rng.choice(others))
    return words


def what_is_accepted(inputs, checker):
    """Yield what the checker says of every input that it accepts; fail unless it accepts and refuses many."""
    seen = {True: 0, False: 0}
    for words in inputs:
        try:
            lines = prove.accepted(" ".join(words), checker)
        except prove.Refused:
            seen[False] += 1
            continue
        seen[True] += 1
        yield lines
    assert min(seen.values()) >= 20, seen
