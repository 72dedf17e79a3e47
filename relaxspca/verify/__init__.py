"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

It imports the certificate's plain data, numpy and the standard library (and python-flint when that is
there). Read it as ``certificates/SPEC.md``: `checker`, `tree`, `leaves`, then the two arithmetics.
"""

from relaxspca.verify.checker import Outcome, Verdict, verify

__all__ = ["Outcome", "Verdict", "verify"]
