"""An upper bound on the variance of k variables.

relaxspca bound my.csv --data -k 10 --relaxation psi
"""

from __future__ import annotations

import argparse

import relaxspca as rs
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files, write_files
from relaxspca.command.output import Output, certificate_saved, component_record
from relaxspca.command.words import add, options_of
from relaxspca.errors import InputError, in_line
from relaxspca.problem.gap import relative_gap
from relaxspca.relaxations.kinds import KINDS
from relaxspca.results.claims import recorded
from relaxspca.results.digits import at_least
from relaxspca.results.status import Status, settle
from relaxspca.runtime.deadline import Deadline
from relaxspca.tasks.upper_bound import NAMES, bound_certificate

WITHOUT = [name for name, kind in KINDS.items() if not kind.is_shown]
STEP = ("relaxation", "upper", "seconds", "note")


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    add(command, "-k")
    known = f"{', '.join(NAMES)} (default auto); there is no certificate of {', '.join(WITHOUT)}"
    command.add_argument("--relaxation", default="auto", metavar="NAME", help=known)
    command.add_argument("--solver", default="auto", metavar="NAME", help="auto (default) or a cvxpy solver")
    command.add_argument("--tol", type=float, default=1e-6, help="relative accuracy (default 1e-6)")
    add(command, "--time-limit", "--certificate")
    add_files(command)


def run(arguments: argparse.Namespace) -> Output:
    """Bound a cardinality by one relaxation."""
    cov, taken = data_read(arguments.data, arguments)
    clock = Deadline.after(None)
    found = rs.upper_bound(cov, **options_of(arguments, "k", "relaxation", "solver", "tol", "time_limit"))
    certificate = bound_certificate(cov, found)
    best = rs.candidate(cov, arguments.k)
    lower, upper = best.proved_value(cov), found.upper
    if certificate is not None:
        lower, upper = certificate.lower, certificate.upper
    elif arguments.certificate is not None:
        raise InputError(f"the relaxation {found.relaxation} has no certificate; choose another")
    gap = relative_gap(lower, upper, cov)
    status = settle(None, lower, upper, gap=arguments.tol, width=gap)
    text = [
        found.statement,
        f"Best component known: variance at least {at_least(lower)}, using {in_line(best.support)}.",
        *([] if arguments.quiet else [found.to_text().removeprefix(found.statement).strip()]),
    ]
    write_files(found, arguments)
    text += certificate_saved(certificate, arguments.certificate)
    status = Status.INTERRUPTED if found.is_interrupted else status
    data = {"k": arguments.k, **component_record(best), **recorded(lower, upper), "gap": gap}
    data |= {"relaxation": found.relaxation, "status": status, "seconds": clock.elapsed}
    data |= {"history": [options_of(step, *STEP) for step in found.history], "taken_as": taken}
    data |= {} if arguments.certificate is None else {"certificate": arguments.certificate}
    return Output("\n".join(text), data, 130 if found.is_interrupted else 0)
