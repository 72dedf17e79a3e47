"""Optima that are published, or known by enumeration."""

# Pitprops at k = 1, ..., 13, by enumeration; to the digits that they print the same in Berk and Bertsimas,
# Math. Prog. Comp., 2019, and in Li and Xie, IJOC, 2024.
PITPROPS = [
    1.0, 1.954, 2.4753313532, 2.9374789467, 3.4061549468, 3.7709595523, 3.9961896449, 4.0686073272,
    4.1386469071, 4.1726376616, 4.2082759543, 4.2182451865, 4.2186328533,
]  # fmt: skip
