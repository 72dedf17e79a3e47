"""Best subset of variables for least squares, with a proof.

relaxspca subset my.csv --response price -k 1-10 --intercept --plot path.pdf
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from relaxspca.applications import certify_subset, near_optimal_subsets, subset_path, subset_selection
from relaxspca.command import words
from relaxspca.command.data import observations_of
from relaxspca.command.files import add_files
from relaxspca.command.groups import groups_told
from relaxspca.command.near_optimal import list_record
from relaxspca.command.output import Output, answer, notes_after, plain_record, say_read
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array
from relaxspca.numerics.percent import decimal_below
from relaxspca.problem.checks import likely


class Response(np.ndarray):
    """A column with a name, as a Series of pandas has one."""

    name: str


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument("--response", required=True, metavar="NAME", help="the column that is to be explained")
    size = command.add_mutually_exclusive_group(required=True)
    size.add_argument("-k", metavar="K", help="how many variables: 5, or a path 1-10")
    chosen = "assess these variables, chosen elsewhere (the certificate is about the best)"
    quoted = "in quotes a name may have commas"
    size.add_argument("--subset", type=words.names_in, metavar="A,B", help=f"{chosen}; {quoted}")
    constant = "fit a constant too, as lm in R and LinearRegression do; without it the fit goes through 0"
    command.add_argument("--intercept", action="store_true", help=constant)
    ridge = "ridge term: add R times the sum of squared coefficients (of unscaled variables) to the residual"
    command.add_argument("--ridge", type=float, default=0.0, metavar="R", help=ridge)
    words.add(command, *words.CONDITIONS, "--groups")
    words.add_list(command, "residual sum of squares")
    what = "stop when the gap is at most this fraction of the sum of squares of y; 0.01 is 1 %%"
    words.add(command, "--gap", help=what)
    words.add(command, "--time-limit", "--certificate")
    add_files(command)


def run(arguments: argparse.Namespace) -> Output:
    """Choose variables, walk the path of their number, or assess a subset."""
    sizes = [] if arguments.k is None else words.integers(arguments.k)
    if arguments.certificate is not None and len(sizes) > 1:
        raise InputError("one certificate is about one k: leave --certificate out, or give -k one number")
    asked = words.list_told(arguments)
    if asked and (len(sizes) != 1 or arguments.groups or arguments.gap):
        raise InputError("--within lists subsets of one -k: leave out --subset, --groups, --gap and other k")
    X, y, names, taken = response_read(arguments.data, arguments)
    options = words.options_of(arguments, "intercept", "ridge", "time_limit") | words.conditions_told(arguments)
    options["names"] = names
    if asked:
        listed = near_optimal_subsets(X, y, sizes[0], **options, **asked)
        data = list_record(listed, names) | {"others_at_least": decimal_below(listed.others_at_least)}
        return answer(listed, taken, data, arguments)
    options |= {"gap": arguments.gap} | groups_told(arguments, names)
    found: Any
    if arguments.subset is not None:
        found = certify_subset(X, y, arguments.subset, **options)
    elif len(sizes) > 1:
        found = subset_path(X, y, sizes, **options)
    else:
        found = subset_selection(X, y, sizes[0], **options)
    records = [plain_record(record, names) for record in found.to_records()]
    return answer(found, taken, {"rows": records}, arguments)


def response_read(data: str, arguments: argparse.Namespace) -> tuple[Array, Array, list[str], str]:
    """Read the columns, say so, and return the variables, the response, the names and how they were read."""
    if arguments.correlation or not arguments.centred:
        raise InputError("least squares takes the columns as they are: leave out --correlation and --uncentred")
    response = arguments.response
    columns = None if arguments.columns is None else [*arguments.columns, response]
    with notes_after():
        X, names, read = observations_of(data, argparse.Namespace(**vars(arguments) | {"columns": columns}))
        if response not in names:
            raise InputError(f"there is no column {response!r} to be explained; {likely(response, names)}")
        if len(names) < 2:
            raise InputError(f"{response} is the only column: there is nothing to explain it by")
        at = names.index(response)
        kept = [j for j in range(len(names)) if j != at]
        what = f"{counted(len(X), 'observation')} of {response} and {counted(len(kept), 'variable')}"
        taken = "; ".join([what, *read.split("; ")[1:]])
        say_read(taken, arguments)
    y = X[:, at].view(Response)
    y.name = response
    return X[:, kept], y, [names[j] for j in kept], taken
