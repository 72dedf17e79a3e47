"""The command line: parse, run one command, print, exit with 0, 1, 2 or 130."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NoReturn

from relaxspca import __version__
from relaxspca.command.beyond import run_near_optimal, run_stability
from relaxspca.command.commands import COMMANDS
from relaxspca.command.completion import SHELLS, completion_script
from relaxspca.command.conditions import add_conditions
from relaxspca.command.data import add_reading
from relaxspca.command.generalized import add_words, run_generalized
from relaxspca.command.several import DEFLATION_HELP, run_certify, run_components
from relaxspca.errors import RelaxSPCAError
from relaxspca.runtime.distributed import on_cluster
from relaxspca.runtime.progress import shown

__all__ = ["main"]

EPILOG = """\
DATA is a CSV or TSV (.gz too), .npy, .npz (array S or X), .mtx, .parquet, .feather, .xlsx or .h5ad file, "-"
for text from standard input, or the name of a built-in set (pitprops). A symmetric matrix is taken for a
covariance, and what cannot be one for observations; what could be either is refused until --data or
--covariance says which.

  relaxspca solve pitprops -k 5 --certificate c.json     the best 5 variables, proved
  relaxspca verify c.json                                check the proof, trusting nothing that made it
  relaxspca report my.csv --data -k 1-10 --out report    the same as a page, with its proofs
  relaxspca path my.csv --data -k 1-10 --plot path.pdf   bounds over the cardinality

Ctrl-C prints what was done by then. Exit codes: 0 done, 1 a certificate is not verified, 2 bad usage or input,
130 interrupted. relaxspca COMMAND --help has the options of a command, and an example.
"""

EXAMPLES = {
    "solve": "relaxspca solve my.csv --data --correlation -k 10 --time-limit 60 --certificate c.json",
    "near-optimal": "relaxspca near-optimal pitprops -k 10 --within 0.02 --costs --plot supports.pdf",
    "stability": "relaxspca stability pitprops -k 5 --decimals 3",
    "generalized": "relaxspca generalized between.csv within.csv --covariance -k 5 --ridge 0.001",
    "certify": "relaxspca certify my.csv --data --loadings loadings.csv --certificate c.json",
    "components": "relaxspca components my.csv --data --correlation -k 7,4,4 --latex table.tex --plot t.pdf",
    "bound": "relaxspca bound my.csv --data -k 10 --relaxation psi",
    "path": "relaxspca path my.csv --data -k 1-20 --plot bounds.pdf --latex table.tex --certificates proofs",
    "compare": "relaxspca compare my.csv --data -k 10 --time-limit 60",
    "report": "relaxspca report my.csv --data -k 1-10 --out report --title 'My data'",
    "verify": "relaxspca verify proofs --against my.csv --data",
    "completion": 'eval "$(relaxspca completion bash)"',
}
ALL_COMMANDS = COMMANDS | {
    "near-optimal": run_near_optimal,
    "stability": run_stability,
    "certify": run_certify,
    "components": run_components,
    "generalized": run_generalized,
}
SECONDS = "seconds (default: no limit)"
DONE = """\
    0  done; under a limit the gap may be open
    2  bad usage or input
  130  interrupted; what was done by then is printed"""
CODES = {
    "verify": """\
    0  all are verified
    1  one is refuted, or its evidence does not prove the claim
    2  one cannot be read; or bad usage
  130  interrupted""",
    "completion": """\
    0  done
    2  bad usage""",
}


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: error: {message} (--help explains)", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments : list of str, optional
        Words after the program's name; by default those of the process.

    Returns
    -------
    int
        0 done, 1 a certificate was refuted or not proved, 2 bad input or usage, 130 interrupted.

    Examples
    --------
    >>> main(["solve", "pitprops", "-k", "2", "--quiet"])  # doctest: +ELLIPSIS
    taken as the built-in set pitprops
    v_2 = 1.954000000... (±...) for the ... matrix of 13 variables
    an optimal component, to within a relative ...
    0
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    parsed = parser().parse_args(words)
    if parsed.command == "completion":
        return _print(completion_script(parser(), parsed.shell), 0)
    parsed.command_line = shlex.join(["relaxspca", *words])
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = _note  # type: ignore[assignment]
        try:
            with _progress(parsed), on_cluster(getattr(parsed, "dask", None)):
                output = ALL_COMMANDS[parsed.command](parsed)
        except RelaxSPCAError as error:
            return _fail(" ".join(str(error).split()))
        except KeyboardInterrupt:
            message = "interrupted before there was a result to show; files to be written may be missing"
            print(f"relaxspca: {message}", file=sys.stderr)
            return 130
        except MemoryError:
            return _fail("not enough memory: restrict the variables, or read the data in chunks")
        except OSError as error:
            return _fail(f"{error.filename or 'file'}: {error.strerror or error}")
    text = json.dumps(output.data, allow_nan=False) if parsed.json else output.text
    return _print(text, output.code)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = _Parser(
        prog="relaxspca",
        description="Sparse principal components with proofs.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"relaxspca {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    _one_claim(commands)
    _many_claims(commands)
    _helpers(commands)
    return top


def _one_claim(commands: Any) -> None:
    """Add solve, near-optimal, stability, certify and bound."""
    solve = _command(commands, "solve", "find the best sparse component and prove it")
    _target(solve)
    _limits(solve)
    solve.add_argument("--node-limit", type=int, metavar="N", help="most nodes (default: no limit)")
    solve.add_argument("--n-jobs", type=int, metavar="N", help="processes (default 1, -1 for all)")
    add_conditions(solve)
    _dask(solve)
    _certificate(solve)

    near = _command(
        commands, "near-optimal", "every support that is nearly as good as the best, proved to be all"
    )
    near.add_argument("-k", type=int, required=True, help="cardinality")
    near.add_argument(
        "--within", type=float, default=0.01, metavar="E", help="fraction of the best (default 0.01; 0: ties)"
    )
    near.add_argument("--limit", type=int, default=1000, metavar="N", help="most supports (default 1000)")
    near.add_argument(
        "--costs", action="store_true", help="what each variable costs to leave out or to force in"
    )
    _decimals(near)
    near.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)
    near.add_argument("--csv", metavar="FILE", help="write the table of supports, in full precision")
    near.add_argument("--plot", metavar="FILE", help="write the figure, in the format of its ending")
    add_conditions(near)
    _certificate(near)

    stability = _command(commands, "stability", "how much the matrix may change before another support is best")
    stability.add_argument("-k", type=int, required=True, help="cardinality")
    _decimals(stability)
    stability.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)
    stability.add_argument("--plot", metavar="FILE", help="write the figure, in the format of its ending")
    add_conditions(stability)
    _certificate(stability)

    add_words(_command(commands, "generalized", "the largest ratio of two quadratic forms, proved"))

    certify = _command(commands, "certify", "judge a component from anywhere, or a table of them")
    certify.add_argument(
        "--loadings",
        required=True,
        metavar="FILE",
        help="n numbers, lines of 'name,loading', names of the support, .npy, or the JSON of another run; "
        "a table has a column or a row for each component",
    )
    certify.add_argument("-k", metavar="K", help="judge at this cardinality, or 7,4,4 (default: what is used)")
    certify.add_argument("--after", metavar="FILE", help="earlier components, to be taken out before")
    certify.add_argument(
        "--node-limit", type=int, default=1, metavar="N", help="most nodes of the joint search (default 1)"
    )
    certify.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)
    add_conditions(certify)
    _certificate(certify)
    certify.add_argument("--certificates", metavar="DIR", help="write all certificates of a table")
    for name in ("csv", "latex"):
        certify.add_argument(f"--{name}", metavar="FILE", help="write the verdict as a table")

    bound = _command(commands, "bound", "bound the best component of k variables")
    bound.add_argument("-k", type=int, required=True, help="cardinality")
    bound.add_argument(
        "--relaxation",
        default="auto",
        metavar="NAME",
        help="auto (default), spectral, trace, rowsum, kkt, psi, perron, pairwise, dspca, perspective, li_xie, "
        "low_rank, t_relaxation, spartrahedron or spartrahedron_l1; li_xie and low_rank have no certificate",
    )
    bound.add_argument("--solver", default="auto", metavar="NAME", help="auto (default), clarabel or scs")
    bound.add_argument("--tol", type=float, default=1e-6, help="relative accuracy (default 1e-6)")
    bound.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)
    _certificate(bound)


def _many_claims(commands: Any) -> None:
    """Add components, path, compare and report."""
    several = _command(commands, "components", "several components, one after another or proved together")
    several.add_argument("-k", required=True, metavar="K", help="cardinality of each, as 7,4,4, or of all")
    _several(several)
    several.add_argument("--deflation", default="projection", metavar="NAME", help=DEFLATION_HELP)
    _limits(several)
    several.add_argument("--node-limit", type=int, metavar="N", help="most nodes of a joint proof")
    add_conditions(several)
    for name, what in (
        ("csv", "table, in full precision"),
        ("loadings", "loadings of all variables as CSV"),
        ("latex", "table of loadings"),
        ("markdown", "tables"),
        ("html", "tables"),
        ("plot", "heat map of the loadings, in the format of its ending"),
    ):
        several.add_argument(f"--{name}", metavar="FILE", help=f"write the {what}")
    several.add_argument("--caption", metavar="TEXT", help="caption of the LaTeX table, in LaTeX")
    several.add_argument("--certificates", metavar="DIR", help="write one certificate for each component")

    path = _command(commands, "path", "components and bounds over k or over rho")
    path.add_argument("-k", metavar="K", help="cardinalities, such as 1-13 or 2,5,10 (default: all)")
    path.add_argument("--rho", metavar="R", help="penalties instead, such as 0.1,0.2 (variance)")
    path.add_argument(
        "--share",
        type=float,
        metavar="S",
        help="instead: up to the smallest k that keeps this share of dense PCA",
    )
    path.add_argument(
        "--relaxation",
        default="auto",
        metavar="NAME",
        help="the dearest means to use: spectral, kkt, psi, perron, pairwise, search or auto (default)",
    )
    path.add_argument("--exact", action="store_true", help="search every row until it is proved")
    path.add_argument("--time-limit", type=float, metavar="S", help=f"for the whole path: {SECONDS}")
    add_conditions(path)
    _dask(path)
    for name, what in (
        ("csv", "table, in full precision"),
        ("latex", "table"),
        ("markdown", "table"),
        ("plot", "figure, in the format of its ending"),
    ):
        path.add_argument(f"--{name}", metavar="FILE", help=f"write the {what}")
    path.add_argument("--certificates", metavar="DIR", help="write one certificate for each row")

    compare = _command(commands, "compare", "every candidate method, judged by the proved optimum or bound")
    compare.add_argument("-k", type=int, required=True, help="cardinality")
    compare.add_argument("--time-limit", type=float, metavar="S", help=f"for the proof: {SECONDS}")

    report = _command(commands, "report", "write a page with table, figures and verified certificates")
    report.add_argument("-k", required=True, metavar="K", help="cardinalities, such as 5 or 1-20")
    _several(report)
    report.add_argument("--out", required=True, metavar="DIR", help="folder for the page and what it links to")
    report.add_argument("--title", help="title of the page")
    report.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)


def _helpers(commands: Any) -> None:
    """Add completion and verify."""
    completion = _subcommand(commands, "completion", "print a script that completes this command line")
    completion.add_argument("shell", choices=SHELLS)

    verify = _subcommand(commands, "verify", "check certificates")
    verify.add_argument("paths", nargs="+", metavar="CERT", help="files, folders or globs")
    verify.add_argument("--exact", action="store_true", help="rational arithmetic, however long it takes")
    verify.add_argument("--against", metavar="DATA", help="the covariance or observations they must speak of")
    add_reading(verify)
    verify.add_argument("--n-jobs", type=int, default=1, metavar="N", help="processes (default 1)")
    verify.add_argument("--csv", metavar="FILE", help="write the summary as a table")
    verify.add_argument("--json", action="store_true", help="print one JSON object")


def _command(commands: Any, name: str, help_: str) -> argparse.ArgumentParser:
    command = _subcommand(commands, name, help_)
    command.add_argument("data", metavar="DATA", help="file or built-in set (pitprops)")
    add_reading(command)
    command.add_argument("--json", action="store_true", help="print one JSON object")
    loudness = command.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="neither progress nor tables")
    loudness.add_argument("-v", "--verbose", action="store_true", help="a line on stderr for every step")
    return command


def _subcommand(commands: Any, name: str, help_: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_,
        description=f"{help_[0].upper()}{help_[1:]}.",
        epilog=f"example:\n  {EXAMPLES[name]}\n\nexit codes:\n{CODES.get(name, DONE)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return command


def _target(command: argparse.ArgumentParser) -> None:
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("-k", type=int, help="cardinality: number of variables to use")
    target.add_argument("--rho", type=float, help="penalty of a variable instead (variance)")


def _limits(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--gap", type=float, default=0.0, metavar="G", help="relative gap to stop at (default 0: the optimum)"
    )
    command.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)


def _several(command: argparse.ArgumentParser) -> None:
    """Add what is asked of several components."""
    command.add_argument(
        "--components", type=int, metavar="R", help="number of components, where -k is one for all"
    )
    command.add_argument("--joint", action="store_true", help="prove the components together")
    command.add_argument("--disjoint", action="store_true", help="with --joint: use no variable twice")


def _decimals(command: argparse.ArgumentParser) -> None:
    what = "is the best optimal for every matrix that rounds to this one, at so many decimals?"
    command.add_argument("--decimals", type=int, metavar="D", help=what)


def _dask(command: argparse.ArgumentParser) -> None:
    command.add_argument("--dask", metavar="SCHEDULER", help="address of a dask cluster that searches")


def _certificate(command: argparse.ArgumentParser) -> None:
    command.add_argument("--certificate", metavar="OUT.json", help="write the certificate")


def _progress(parsed: argparse.Namespace) -> AbstractContextManager[None]:
    """Show progress on a terminal, or with -v line by line wherever stderr goes."""
    is_verbose = getattr(parsed, "verbose", False)
    is_quiet = getattr(parsed, "quiet", False) or parsed.json
    return shown(is_verbose or (not is_quiet and sys.stderr.isatty()), lines=is_verbose)


def _print(text: str, code: int) -> int:
    """Print to standard output, whatever it can encode, and return the exit code."""
    if sys.stdout is None:
        return _fail("cannot write to standard output: it is closed")
    encoding = sys.stdout.encoding or "utf-8"
    if "±".encode(encoding, "replace") == b"?":
        text = text.replace("±", "+-")
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        return _fail(f"cannot write to standard output: {error.strerror or error}")
    return code


def _drop_output() -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not fail on it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> int:
    print(f"relaxspca: error: {message}", file=sys.stderr)
    return 2


def _note(message: Warning | str, *rest: Any) -> None:
    print(f"relaxspca: note: {message}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
