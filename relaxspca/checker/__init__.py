"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``. One component: `claims` (the door), `component`, `core` and `family`
(sections 1 and 2), `tree` (6), `rules` with `rows`, `blocks` and `restrict` (7), the arithmetics `exact` and
`rounded` (5), `witness`, `supports` (8), `verdict` (3), `against` (12). The reductions of section 2:
`one_of_each`, `nonnegative`, `whole_groups`. Ratios (9): `against_pencil`, `ratio`. Several components (10):
`components`, `parts`, `multipliers`, `choices`.
"""

from relaxspca.checker.against import AgainstMatrix
from relaxspca.checker.claims import verify
from relaxspca.checker.verdict import Outcome, Verdict

__all__ = ["AgainstMatrix", "Outcome", "Verdict", "verify"]
