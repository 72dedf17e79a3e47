"""Check certificates by what has to be believed, and nothing else of the package.

    python -m relaxspca.checker FILE...

The exit code is 0 where every file is verified, 1 where one is not, and 2 where one cannot be read.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence

from relaxspca.certificate import CertificateError
from relaxspca.checker.claims import verify
from relaxspca.checker.own_matrix import OwnDigest


def main(words: Sequence[str] | None = None) -> int:
    """Print a verdict for every file, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m relaxspca.checker", description="Check certificates.")
    parser.add_argument("paths", nargs="+", metavar="FILE", help="certificates")
    parser.add_argument("--exact", action="store_true", help="rational arithmetic, however long it takes")
    parser.add_argument("--digest", metavar="SHA256", help="digest of the matrix that all must be about")
    given = parser.parse_args(words)
    if isinstance(sys.stdout, io.TextIOWrapper):  # names may have letters that a terminal lacks
        sys.stdout.reconfigure(errors="backslashreplace")
    against = None if given.digest is None else OwnDigest(given.digest)
    return max(_checked(path, True if given.exact else None, against) for path in given.paths)


def _checked(path: str, exact: bool | None, against: OwnDigest | None) -> int:
    """Print the verdict on one file, and return its exit code."""
    try:
        verdict = verify(path, exact=exact, against=against)
    except (CertificateError, OSError) as error:
        sys.stdout.write(f"{path}\nUNREADABLE: {error}\n")
        return 2
    sys.stdout.write(f"{path}\n{verdict}\n")
    return 0 if verdict.verified else 1


if __name__ == "__main__":
    raise SystemExit(main())
