"""Optima and loadings that are published, or known by enumeration."""

import ast
import re
from pathlib import Path

# Pitprops at k = 1, ..., 13, by enumeration; to the digits that they print the same in Berk and Bertsimas,
# Math. Prog. Comp., 2019, and in Li and Xie, IJOC, 2024.
PITPROPS = [
    1.0, 1.954, 2.4753313532, 2.9374789467, 3.4061549468, 3.7709595523, 3.9961896449, 4.0686073272,
    4.1386469071, 4.1726376616, 4.2082759543, 4.2182451865, 4.2186328533,
]  # fmt: skip

# Zou, Hastie and Tibshirani, JCGS 15, 2006, table 3: six components of the pitprops data, as the page has them.
# The digits of PC2 and PC3 were not compared with the paper; the adjusted variances agree with its own.
PAGE = Path(__file__).parents[1] / "docs" / "several_components.md"
ZOU = ast.literal_eval(re.search(r"zou = (\{.*?\n\})", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1])
