"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``, after ``certificate/`` (section 4). One component: `claims`,
`component` (2, 8), `core`, `family` (1, 7), `tree` (6), `blocks`, `exact`, `rounded` (5), `verdict` (3).
Imported only where a file needs it: groups, signs, eliminated variables: `reductions` (2); leaves by other
rules, lists, restrictions: `rules` (7, 8), `restrict` (7); ratios: `ratio` (9); several components:
`components`, `multipliers`, `choices`, `units`, `witness` (10, 11). The reader's data: `own_matrix`, `against`,
`against_pencil` (12).
"""

from relaxspca.checker.claims import verify
from relaxspca.checker.verdict import Outcome, Verdict

__all__ = ["Outcome", "Verdict", "verify"]
