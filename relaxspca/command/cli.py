"""The command line: parse, run one command, print, exit with 0, 1, 2 or 130."""

from __future__ import annotations

import json
import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

from relaxspca.command.files import check_written
from relaxspca.command.output import as_json, encodable
from relaxspca.command.parser import parser
from relaxspca.command.verbs import VERBS
from relaxspca.command.words import in_options
from relaxspca.errors import RelaxSPCAError
from relaxspca.results.digits import printed_with
from relaxspca.runtime.distributed import on_workers
from relaxspca.runtime.progress import shown

INTERRUPTED = "relaxspca: interrupted before there was a result to show; files to be written may be missing"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, on the words of the process where none are given, and return its exit code.

    It is 0 when done, 1 where a certificate was refuted or not proved, 2 for bad input or usage, 130
    interrupted.
    """
    try:
        return _answered(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return 130


def _answered(words: list[str]) -> int:
    """Run the command that the words ask for, print what it answers, and return the exit code."""
    parsed = parser().parse_args(words)
    parsed.command_line = shlex.join(["relaxspca", *words])
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # numpy leaves a file open that it cannot read
        warnings.showwarning = partial(_note, set())
        try:
            digits = printed_with(getattr(parsed, "digits", None))
            place = on_workers(getattr(parsed, "n_jobs", None), getattr(parsed, "dask", None))
            # On a terminal, or with -v line by line wherever stderr goes.
            is_verbose = getattr(parsed, "verbose", False)
            is_quiet = getattr(parsed, "quiet", False) or parsed.json
            is_shown = is_verbose or (not is_quiet and sys.stderr.isatty())
            with digits, shown(is_shown, lines=is_verbose), place:
                check_written(parsed)
                output = VERBS[parsed.command].module.run(parsed)
        except RelaxSPCAError as error:
            return _fail(in_options(" ".join(str(error).split()), parsed))
        except MemoryError:
            return _fail("not enough memory: restrict the variables, or read the data in chunks")
        except OSError as error:
            return _fail(f"{error.filename or 'file'}: {error.strerror or error}")
    text = json.dumps(as_json(output.data), allow_nan=False) if parsed.json else output.text
    return _print(text, output.code)


def _print(text: str, code: int) -> int:
    """Print to standard output, whatever it can encode, and return the exit code."""
    if sys.stdout is None:
        return _fail("cannot write to standard output: it is closed")
    try:
        print(encodable(text), flush=True)
    except OSError as error:
        # What is still buffered goes nowhere, so that the interpreter does not fail on it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            return _fail(f"cannot write to standard output: {error.strerror or error}")
    return code


def _fail(message: str) -> int:
    print(f"relaxspca: error: {message}", file=sys.stderr)
    return 2


def _note(printed: set[str], message: Warning | str, *rest: Any) -> None:
    """Print a note once: what was read and what is made of it may both give rise to it."""
    if str(message) not in printed:
        print(f"relaxspca: note: {message}", file=sys.stderr)
    printed.add(str(message))


if __name__ == "__main__":
    raise SystemExit(main())
