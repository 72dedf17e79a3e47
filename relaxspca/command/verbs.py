"""The commands, a row each: what is run, whether it reads one DATA, exit codes, and options that it refuses."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from relaxspca.command import (
    bound,
    certify,
    compare,
    components,
    generalized,
    near_optimal,
    path,
    read,
    report,
    resampling,
    solve,
    stability,
    subset,
    verify,
)

DONE = """\
    0  done; under a limit the gap may be open
    2  bad usage or input
  130  interrupted; what was done by then is printed"""
ESTIMATED = DONE.replace("; under a limit the gap may be open", "")
VERIFIED = """\
    0  all are verified
    1  one is refuted, or its evidence does not prove the claim
    2  one cannot be read, or not compared with --against; or bad usage
  130  interrupted"""

NO_OBSERVATIONS = ("--covariance", "--uncentred", "--symmetrise")


@dataclass(frozen=True)
class Verb:
    """A command and its file, which offers `add_words` and `run`, and whose docstring is a help and an example.

    `is_of_data` says that it reads one DATA, and shows progress; `codes` are its exit codes. `refused` are
    options of reading that all commands know, and this one answers with an error that says why.
    """

    module: Any
    is_of_data: bool = True
    codes: str = DONE
    refused: tuple[str, ...] = ()

    @property
    def said(self) -> list[str]:
        """What the command does, in a sentence, and an example."""
        return (inspect.getdoc(self.module) or "\n\n").split("\n\n")


VERBS = {
    "solve": Verb(solve),
    "near-optimal": Verb(near_optimal),
    "stability": Verb(stability),
    "generalized": Verb(generalized, refused=("--correlation",)),
    "subset": Verb(subset, refused=("--covariance", "--correlation", "--uncentred", "--symmetrise")),
    "certify": Verb(certify),
    "bound": Verb(bound),
    "components": Verb(components),
    "path": Verb(path),
    "compare": Verb(compare),
    "bootstrap": Verb(resampling.ResamplingCommand(), codes=ESTIMATED, refused=NO_OBSERVATIONS),
    "held-out": Verb(resampling.HeldOutCommand(), codes=ESTIMATED, refused=NO_OBSERVATIONS),
    "read": Verb(read, refused=("--correlation", "--uncentred")),
    "report": Verb(report),
    "verify": Verb(verify, is_of_data=False, codes=VERIFIED),
}
