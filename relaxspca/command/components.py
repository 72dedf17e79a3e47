"""Several components, one after another or optimised together.

relaxspca components my.csv --data --correlation -k 7,4,4 --latex table.tex --plot t.pdf
"""

from __future__ import annotations

import argparse
from typing import Any

import relaxspca as rs
from relaxspca.candidates.deflation import DEFLATIONS
from relaxspca.command import words
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.output import Output, answer, plain_record
from relaxspca.numerics.percent import decimal_above

DEFLATION_HELP = f"{', '.join(DEFLATIONS)} (default: projection)"


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument("-k", metavar="K", help="number of variables of each component, as 7,4,4, or of all")
    words.add(command, *words.SEVERAL)
    command.add_argument("--deflation", metavar="NAME", help=DEFLATION_HELP)
    words.add(command, "--gap", "--time-limit")
    words.add(command, "--node-limit", help="nodes of a joint search at most")
    words.add(command, *words.CONDITIONS, *words.SPREAD)
    own = "with --joint: variables that component T (1, 2, ...) must use; repeat it for several"
    command.add_argument("--component-with", action="append", default=[], metavar="T=A,B", help=own)
    add_files(command, ("csv", "loadings", "latex", "markdown", "html", "plot"))
    words.add(command, "--certificate", help="with --joint: write the certificate")
    words.add(command, "--certificates", help="write one certificate for each component, or one with --joint")


def run(arguments: argparse.Namespace) -> Output:
    """Several components: one after another, or together."""
    if arguments.certificate is not None and not arguments.joint:
        raise rs.InputError(
            "components one after another have a certificate each: name a folder with --certificates; one for "
            "the set as a whole is made with --joint"
        )
    cov, taken = data_read(arguments.data, arguments)
    found = found_components(cov, arguments)
    data = table_record(found) | words.conditions_told(arguments)
    if arguments.component_with:
        data["component_with"] = arguments.component_with
    return answer(found, taken, data, arguments)


def found_components(cov: rs.Covariance, arguments: argparse.Namespace) -> Any:
    """Return the components that the words of `SEVERAL`, -k and the limits ask for."""
    count = arguments.components
    if arguments.k is None:
        raise rs.InputError("give -k, the cardinality of each component, or of all")
    sizes: Any = words.integers(arguments.k)
    if count is not None and len(sizes) == 1:
        sizes = sizes[0]
    limits: dict[str, Any] = {"gap": getattr(arguments, "gap", 0.0), "time_limit": arguments.time_limit}
    limits |= words.conditions_told(arguments)
    deflation = getattr(arguments, "deflation", None)
    if arguments.joint:
        if deflation is not None:
            raise rs.InputError("--deflation is for components one after another: leave it out, or --joint")
        limits["node_limit"] = getattr(arguments, "node_limit", None)
        limits |= {"disjoint": arguments.disjoint, "common": arguments.common}
        if own := getattr(arguments, "component_with", None):
            r = count or (len(sizes) if isinstance(sizes, list) else 1)
            limits["include"] = _included(limits["include"], own, r)
        return rs.components(cov, sizes, count, joint=True, **limits)
    for name in ("disjoint", "common", "node_limit", "component_with"):
        if getattr(arguments, name, None):
            raise rs.InputError(f"--{name.replace('_', '-')} goes with --joint")
    return rs.components(cov, sizes, count, deflation=deflation or "projection", **limits)


def _included(of_all: list[str], own: list[str], r: int) -> list[list[str]]:
    """Return the variables that each component must use: those of all, and its own."""
    found = [list(of_all) for _ in range(r)]
    for word in own:
        number, equals, names = word.partition("=")
        if not equals or not number.strip().isdecimal() or not 1 <= int(number) <= r:
            what = f"write a component, 1 to {r}, and its variables, as 2=A,B"
            raise rs.InputError(f"--component-with {word!r}: {what}")
        found[int(number) - 1] += [name for name in words.names_in(names) if name]
    return found


def table_record(found: Any) -> dict[str, Any]:
    """Return a set of components as a JSON object; `certify --loadings` reads it back."""
    data: dict[str, Any] = {
        "components": [plain_record(record, found.names) for record in found.to_records()],
        "loadings": {f"PC {j + 1}": dict(x) for j, x in enumerate(found.loadings)},
    }
    data |= words.options_of(found, "share", "share_of_dense", "seconds")
    first = found.to_records()[0]
    data |= {end: first[f"table_{end}"] for end in ("lower", "upper") if f"table_{end}" in first}
    if isinstance(found, rs.results.JointComponents):
        return data | words.options_of(found, "gap", "status", "kind", "node_count")
    if isinstance(found, rs.results.Components):
        upper = None if found.joint_upper is None else decimal_above(found.joint_upper)
        return data | {"deflation": found.deflation, "joint_upper": upper}
    return data if found.lower is None else data | {"overlap": found.overlap}
