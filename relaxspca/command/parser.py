"""The parser of all commands: from words to a namespace, with a help that shows examples and exit codes."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn

from relaxspca import __version__
from relaxspca.command.data import READING, add_reading
from relaxspca.command.verbs import VERBS
from relaxspca.errors import in_line

EPILOG = """\
DATA is a CSV or TSV (.gz too), .npy, .npz (array S or X), .mtx, .parquet, .feather, .xlsx or .h5ad file, "-"
for text from standard input, or the name of a built-in set (pitprops). A symmetric matrix is taken for a
covariance, and what cannot be one for observations; what could be either is refused until --data or
--covariance says which.

Options that every command needs may stand in a file, as many lines as you like: @survey.txt among the words
is what that file holds, such as --na 99 --drop-missing --exclude id,date.

  relaxspca solve pitprops -k 5 --certificate c.json     the best 5 variables, proved
  relaxspca verify c.json                                check the proof, trusting nothing that made it
  relaxspca report my.csv --data -k 1-10 --out report    the same as a page, with its proofs
  relaxspca path my.csv --data -k 1-10 --plot path.pdf   bounds over the cardinality

Ctrl-C prints what was done by then. Exit codes: 0 done, 1 a certificate is not verified, 2 bad usage or
input, 130 interrupted. relaxspca COMMAND --help has the options of a command, and an example.
"""


SECTIONS = {
    "problem": (),
    "limits": ("--gap", "--time-limit", "--node-limit", "--limit", "--tol", "--solver", "--n-jobs", "--dask"),
    "output": ("--json", "--quiet", "--verbose", "--digits", "--csv", "--latex", "--caption", "--markdown")
    + ("--html", "--plot", "--certificate", "--certificates", "--out", "--title"),
    "reading the file": tuple(READING),
}
SECTION_OF = {option: title for title, options in SECTIONS.items() for option in options}
NO_SECTION = {"--help", "--version"}


class _Parser(argparse.ArgumentParser):
    """A parser with a help in sections, whose errors are one line and name the word that may be meant."""

    def _add_action(self, action: Any) -> Any:
        """Put an option into its section of the help; what has none is about the problem."""
        if not action.option_strings or NO_SECTION & {*action.option_strings}:
            return super()._add_action(action)
        if "problem" not in {group.title for group in self._action_groups}:
            for title in SECTIONS:
                self.add_argument_group(title)
        sections = {group.title: group for group in self._action_groups}
        return sections[SECTION_OF.get(action.option_strings[-1], "problem")]._add_action(action)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Refuse an unknown option before any other error: what is missing may be what it was to say."""
        known = [option for action in self._actions for option in action.option_strings]
        for word in args or ():
            name = word.split("=")[0]
            if word == "--" or self._subparsers is not None:
                break
            if re.match(r"--\w", word) and not any(option.startswith(name) for option in known):
                self.error(f"there is no option {name}{_hint(name, known)}")
        self._given: set[str] = set()
        return super().parse_known_args(args, namespace)

    def _get_values(self, action: Any, arg_strings: list[str]) -> Any:
        """Refuse a second value of an option that has one: the last would win, without a word."""
        if action.option_strings and action.nargs != 0 and not isinstance(action, argparse._AppendAction):
            if action.dest in self._given:
                self.error(f"{action.option_strings[-1]} is given twice, and takes one value")
            self._given.add(action.dest)
        return super()._get_values(action, arg_strings)

    def convert_arg_line_to_args(self, arg_line: str) -> list[str]:
        """Cut a line of a file of options as a shell does; # begins a comment."""
        try:
            return shlex.split(arg_line, comments=True)
        except ValueError:
            self.error(f"a file of options has a quote that does not end: {arg_line}")

    def error(self, message: str) -> NoReturn:
        chosen = re.match(r"argument COMMAND: invalid choice: '(.*)' \(choose from", message, re.DOTALL)
        if chosen:
            meant = _meant(chosen[1], VERBS) or f": there are {', '.join(VERBS)}"
            message = f"there is no command {chosen[1]}{meant}"
        message = re.sub(r"\[Errno \d+\] (.*): '(.*)'", r"@\2: \1", message)
        message = re.sub("invalid int value: (.*)", r"\1 is not a whole number", message)
        message = re.sub("invalid float value: (.*)", r"\1 is not a number", message)
        refused = re.match(r"argument (--[\w-]+): (invalid choice|'.*' is not)", message)
        if refused:
            message += _meant(refused[1], set(self._option_string_actions) - {refused[1]}, 0.9)
        if self.prog.endswith(" solve") and re.match(r"argument -k: '\d+[,-][\d,-]+' is not", message):
            message += "; components finds several components of such sizes, path one of each size"
        if re.fullmatch(r"unrecognized arguments: [\d, -]+", message):
            message += "; write a list of numbers without spaces, as 7,4,4"
        self.exit(2, f"{self.prog}: error: {message} (--help explains)\n")


def _hint(option: str, known: Iterable[str]) -> str:
    """Name commands that have an unknown option, three at most, and what is meant in its place."""
    commands = parser()._subparsers._group_actions[0].choices.items()  # type: ignore[union-attr]
    having = [name for name, command in commands if option in command._option_string_actions][:3]
    if not having:
        return _meant(option, known)
    return f" ({in_line(having)} {'has' if len(having) == 1 else 'have'} it){_meant(option, known, 0.9)}"


def _meant(word: str, known: Iterable[str], least: float = 0.65) -> str:
    """Say which known word is like another, or is what Python calls so."""
    alike = ["--with"] if word == "--include" else get_close_matches(word, known, 1, least)
    return f"; did you mean {alike[0]}?" if alike else ""


@cache
def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, made once."""
    top = _Parser(
        prog="relaxspca",
        description="Sparse principal components with proofs.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        fromfile_prefix_chars="@",
    )
    top.add_argument("--version", action="version", version=f"relaxspca {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for name, verb in VERBS.items():
        what, example = verb.said
        command = commands.add_parser(
            name,
            help=f"{what[0].lower()}{what[1:-1]}",
            description=what,
            epilog=f"example:\n  {example}\n\nexit codes:\n{verb.codes}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if verb.is_of_data:
            _add_common_words(command, verb.refused)
        verb.module.add_words(command)
        named = [str(action.metavar) for action in command._actions if not action.option_strings]
        command.usage = f"%(prog)s {' '.join(named)} [options]"
    return top


def _add_common_words(command: argparse.ArgumentParser, refused: Sequence[str]) -> None:
    """Add DATA, how it is read, and how much is printed; the help is silent on options that are refused."""
    command.add_argument("data", metavar="DATA", help="file or built-in set (pitprops)")
    add_reading(command)
    for action in command._actions:
        if set(action.option_strings) & set(refused):
            action.help = argparse.SUPPRESS
    digits = "significant digits of printed values (default 6; files of certificates and --json have all)"
    command.add_argument("--digits", type=int, metavar="N", help=digits)
    command.add_argument("--json", action="store_true", help="print one JSON object")
    loudness = command.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="neither progress nor tables")
    loudness.add_argument("-v", "--verbose", action="store_true", help="a line on stderr for every step")
