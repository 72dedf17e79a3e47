"""A page with a table, figures and verified certificates.

relaxspca report my.csv --data -k 1-10 --out report --title 'My data'
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import relaxspca as rs
from relaxspca.command.components import found_components
from relaxspca.command.data import data_read
from relaxspca.command.files import check_new_folder
from relaxspca.command.output import Output, answer
from relaxspca.command.words import SEVERAL, SPREAD, add, integers


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument(
        "-k", metavar="K", help="cardinality or several, 5 or 1-20; of components (--components, --joint) 7,4,4"
    )
    add(command, *SEVERAL)
    command.add_argument("--out", required=True, metavar="DIR", help="folder for the page and what it links to")
    command.add_argument("--title", help="title of the page")
    add(command, "--time-limit", *SPREAD)


def run(arguments: argparse.Namespace) -> Output:
    """Write a page about one cardinality or several: statement, table, figures and verified certificates."""
    from relaxspca.report.page import check_report_folder, write_report

    check_new_folder(arguments.out)
    check_report_folder(arguments.out)
    sizes = None if arguments.k is None else integers(arguments.k)
    is_of_components = _asks_for_components(arguments, sizes)
    cov, taken = data_read(arguments.data, arguments)
    found: Any
    if is_of_components:
        found = found_components(cov, arguments)
    elif sizes is not None and len(sizes) == 1:
        found = rs.solve(cov, sizes[0], time_limit=arguments.time_limit)
    else:
        found = rs.path(cov, k=sizes, time_limit=arguments.time_limit)
    title = arguments.title or f"Sparse principal components of {Path(arguments.data).stem}"
    page = write_report(found, arguments.out, title=title, command=arguments.command_line, data=taken)
    data, more = {"page": str(page), "k": sizes}, [f"Report written to {page}."]
    return answer(found, taken, data, arguments, more=more)


def _asks_for_components(arguments: argparse.Namespace, sizes: Sequence[int] | None) -> bool:
    """Say whether the page is about several components of one matrix, and not about a path over k."""
    if arguments.components is not None or arguments.joint or arguments.disjoint or arguments.common:
        return True
    if sizes is None:
        raise rs.InputError(
            "give -k: a cardinality, several as 1-20, or those of components as 7,4,4 with --joint"
        )
    if list(sizes) != sorted(set(sizes)):
        raise rs.InputError(
            f"-k {arguments.k} could be cardinalities of components or of a path: for components add "
            f"--components {len(sizes)} (one after another) or --joint (together), for a path write each "
            "cardinality once, in ascending order"
        )
    return False
