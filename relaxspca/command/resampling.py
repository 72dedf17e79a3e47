"""What the commands bootstrap and held-out do: how far a component depends on the observations at hand."""

from __future__ import annotations

import argparse

import numpy as np

import relaxspca as rs
from relaxspca.command.data import observations_read
from relaxspca.command.files import add_files
from relaxspca.command.output import Output, answer
from relaxspca.command.words import add, integers, options_of


class ResamplingCommand:
    """How often resampled observations have the same best variables (an estimate).

    relaxspca bootstrap my.csv --correlation -k 5 --resamples 200
    """

    def add_words(self, command: argparse.ArgumentParser) -> None:
        """Add the words of the command to those that all have."""
        add(command, "-k")
        command.add_argument("--resamples", type=int, default=100, metavar="R", help="resamples (default 100)")
        command.add_argument("--heuristic", action="store_true", help="take heuristic components, unproved")
        add(command, "--seed")
        add(command, "--time-limit", default=10.0, help="seconds for each resample (default 10)")
        add(command, "--n-jobs")
        add_files(command)

    def run(self, arguments: argparse.Namespace) -> Output:
        """Count how often each variable is in the component of resampled observations."""
        X, names, taken = observations_read(arguments.data, arguments)
        options = options_of(arguments, "k", "correlation", "resamples", "time_limit")
        rng = np.random.default_rng(arguments.seed)
        found = rs.bootstrap(X, **options, search=not arguments.heuristic, rng=rng, names=names)
        data = {"k": found.k, "support": list(found.support), "support_frequency": found.support_frequency}
        data |= {"resamples": len(found.supports), "rows": found.to_records()}
        return answer(found, taken, data, arguments)


class HeldOutCommand:
    """How much variance of held-out observations sparse components explain (an estimate).

    relaxspca held-out my.csv --correlation -k 1-10 --folds 5
    """

    def add_words(self, command: argparse.ArgumentParser) -> None:
        """Add the words of the command to those that all have."""
        command.add_argument("-k", required=True, metavar="K", help="numbers of variables, such as 1-10 or 2,5")
        command.add_argument("--folds", type=int, default=5, metavar="F", help="folds (default 5)")
        add(command, "--seed")
        add_files(command)

    def run(self, arguments: argparse.Namespace) -> Output:
        """Cross-validate what sparse components explain."""
        X, names, taken = observations_read(arguments.data, arguments)
        options = options_of(arguments, "correlation", "folds") | {"names": names}
        found = rs.held_out(X, integers(arguments.k), **options, rng=np.random.default_rng(arguments.seed))
        return answer(found, taken, {"folds": found.folds, "rows": found.to_records()}, arguments)
