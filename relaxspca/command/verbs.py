"""The commands, a row each: what the help says, an example, the words, and what is run."""

from __future__ import annotations

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
VERIFIED = """\
    0  all are verified
    1  one is refuted, or its evidence does not prove the claim
    2  one cannot be read; or bad usage
  130  interrupted"""


@dataclass(frozen=True)
class Verb:
    """A command and its file, which offers `add_words` and `run`.

    `is_of_data` says that it reads one DATA, and shows progress; `codes` are its exit codes. `refused` are
    options of reading that all commands know, and this one answers with an error that says why.
    """

    help: str
    example: str
    module: Any
    is_of_data: bool = True
    codes: str = DONE
    refused: tuple[str, ...] = ()


VERBS = {
    "solve": Verb(
        "find the best sparse component, with a proof",
        "relaxspca solve my.csv --data --correlation -k 10 --time-limit 60 --certificate c.json",
        solve,
    ),
    "near-optimal": Verb(
        "all sets of variables that are nearly as good as the best, with a proof",
        "relaxspca near-optimal pitprops -k 10 --within 0.02 --costs --plot supports.pdf",
        near_optimal,
    ),
    "stability": Verb(
        "how much the matrix may change before other variables are best",
        "relaxspca stability pitprops -k 5 --decimals 3",
        stability,
    ),
    "generalized": Verb(
        "the largest ratio x'Ax / x'Bx of two matrices A (DATA) and B, with a proof",
        "relaxspca generalized between.csv within.csv --covariance -k 5 --ridge 0.001",
        generalized,
        refused=("--correlation",),
    ),
    "subset": Verb(
        "best subset of variables for least squares, with a proof",
        "relaxspca subset my.csv --response price -k 1-10 --intercept --plot path.pdf",
        subset,
        refused=("--covariance", "--correlation", "--uncentred", "--symmetrise"),
    ),
    "certify": Verb(
        "assess a component from anywhere, or several",
        "relaxspca certify my.csv --data --loadings loadings.csv --certificate c.json",
        certify,
    ),
    "bound": Verb(
        "an upper bound on the variance of k variables",
        "relaxspca bound my.csv --data -k 10 --relaxation psi",
        bound,
    ),
    "components": Verb(
        "several components, one after another or optimised together",
        "relaxspca components my.csv --data --correlation -k 7,4,4 --latex table.tex --plot t.pdf",
        components,
    ),
    "path": Verb(
        "components and bounds along k or a penalty rho",
        "relaxspca path my.csv --data -k 1-20 --plot bounds.pdf --latex table.tex --certificates proofs",
        path,
    ),
    "compare": Verb(
        "all heuristics, compared with the proved optimum or bound",
        "relaxspca compare my.csv --data -k 10 --time-limit 60",
        compare,
    ),
    "bootstrap": Verb(
        "how often resampled observations have the same best variables (an estimate)",
        "relaxspca bootstrap my.csv --correlation -k 5 --resamples 200",
        resampling.ResamplingCommand(),
        refused=("--covariance", "--uncentred", "--symmetrise"),
    ),
    "held-out": Verb(
        "how much variance of held-out observations sparse components explain (an estimate)",
        "relaxspca held-out my.csv --correlation -k 1-10 --folds 5",
        resampling.HeldOutCommand(),
        refused=("--covariance", "--uncentred", "--symmetrise"),
    ),
    "read": Verb(
        "how a file is read, and its numbers in a clean file",
        "relaxspca read my.csv --na 99 --drop-missing --exclude id,date --out clean.csv",
        read,
        refused=("--correlation", "--uncentred"),
    ),
    "report": Verb(
        "a page with a table, figures and verified certificates",
        "relaxspca report my.csv --data -k 1-10 --out report --title 'My data'",
        report,
    ),
    "verify": Verb(
        "check certificates",
        "relaxspca verify proofs --against my.csv --data",
        verify,
        is_of_data=False,
        codes=VERIFIED,
    ),
}
