"""What the command solve does: find the best sparse component and prove it."""

from __future__ import annotations

import argparse
from typing import Any

import relaxspca as rs
from relaxspca.command.conditions import add_conditions, conditions_told
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.groups import add_restrictions, groups_record, groups_told
from relaxspca.command.output import Output, answer, claim_record, finite
from relaxspca.command.words import add_certificate, add_dask, add_limits, add_target

__all__ = ["add_words", "run"]


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    target = add_target(command)
    add_limits(command)
    command.add_argument(
        "--node-limit", type=int, metavar="N", help="nodes of the search at most (default: no limit)"
    )
    command.add_argument("--n-jobs", type=int, metavar="N", help="processes (default 1; -1: all cores)")
    add_conditions(command)
    add_restrictions(command, target)
    add_dask(command)
    add_certificate(command)
    add_files(command)


def run(arguments: argparse.Namespace) -> Output:
    """Find and prove the best component."""
    cov, taken = data_read(arguments.data, arguments)
    options: dict[str, Any] = {
        "gap": arguments.gap,
        "time_limit": arguments.time_limit,
        "node_limit": arguments.node_limit,
        "n_jobs": arguments.n_jobs,
    }
    options |= conditions_told(arguments) | groups_told(arguments, cov.names)
    if arguments.rho is not None:
        result = rs.solve(cov, rho=arguments.rho, **options)
    else:
        result = rs.solve(cov, arguments.k, **options)
    data = claim_record(result.certificate, result.candidate, result.gap, arguments.certificate)
    data |= groups_record(result) | {
        "k": result.k,
        "status": result.status,
        "share": finite(result.share),
        "seconds": result.seconds,
        "node_count": result.node_count,
    }
    if result.groups:
        data |= {"most": result.certificate.k, "used": list(result.groups)}
    return answer(result, taken, data, arguments)
