"""Ctrl-C, raised at a chosen call of a function."""

from itertools import count


def interrupted(function=None, call=0):
    """Return the function, interrupted when it is called for the n-th time; without a number, always."""
    calls = count(1)

    def instead(*args, **kwargs):
        if call in (0, next(calls)):
            raise KeyboardInterrupt
        return function(*args, **kwargs)

    return instead


def interrupt(monkeypatch, owner, name, call=0):
    """Let a function of a module, or a method of a class, be interrupted."""
    monkeypatch.setattr(owner, name, interrupted(getattr(owner, name), call))
