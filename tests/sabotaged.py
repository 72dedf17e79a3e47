"""A checker with a defect: a text of one of its files, and what is written there instead."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from relaxspca import checker


def sabotaged(patch, name, text, instead):
    """Let all of the checker use what is defined in a file in which a text is another one."""
    # All of it, now: what is imported later would keep the defect.
    parts = {
        own.name: import_module(f"{checker.__name__}.{own.name}") for own in iter_modules(checker.__path__)
    }
    module = parts[name]
    source = Path(module.__file__).read_text()
    assert source.count(text) == 1, (name, text)
    made = {"__name__": module.__name__}
    exec(compile(source.replace(text, instead), module.__file__, "exec"), made)  # noqa: S102
    for user in parts.values():
        for word, value in [*vars(user).items()]:
            if word in made and (user is module or getattr(value, "__module__", "") == module.__name__):
                patch.setattr(user, word, made[word])
