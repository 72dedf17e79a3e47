"""A checker with a defect: a text of one of its files, and what is written there instead."""

import sys
from importlib import import_module
from pathlib import Path

FOLDER = "relaxspca.checker"


def sabotaged(patch, name, text, instead):
    """Let all of the checker use what is defined in a file in which a text is another one."""
    module = import_module(f"{FOLDER}.{name}")
    source = Path(module.__file__).read_text()
    assert source.count(text) == 1, (name, text)
    made = {"__name__": module.__name__}
    exec(compile(source.replace(text, instead), module.__file__, "exec"), made)  # noqa: S102
    for user in [own for path, own in sys.modules.items() if path.startswith(FOLDER)]:
        for word, value in [*vars(user).items()]:
            if getattr(value, "__module__", "") == module.__name__ and word in made:
                patch.setattr(user, word, made[word])
