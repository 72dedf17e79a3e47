# # Certify somebody else's component
#
#
# You have loadings, from a paper or from another program, and want to know how far from optimal they are. Nothing about
# where they come from matters.
#
# ## From scikit-learn
#
# `SparsePCA` takes a penalty and says nothing about optimality. Ask:

import relaxspca as rs
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import SparsePCA
from sklearn.preprocessing import StandardScaler

bunch = load_breast_cancer()
X = StandardScaler().fit_transform(bunch.data)
loadings = SparsePCA(1, alpha=20, random_state=0).fit(X).components_[0]

cov = rs.Covariance.from_data(bunch.data, correlation=True, names=bunch.feature_names)
verdict = rs.certify(cov, loadings)
print(verdict)

# The verdict has three parts, which are worth keeping apart:
#
# * `status` is "optimal", "improvable" (`better` is a component that explains more), or "open" (neither is proved; after Ctrl-C "interrupted"). With a `tol` above 1e-6, a gap between 1e-6 and `tol` is called "within the gap";
# * `gap` is the proved distance of *these loadings* from the optimum, relative to what they explain;
# * `refit_gain` is what is lost by the loadings alone: a penalised method shrinks them, and the best loadings on the same variables cost nothing.
#
# The shrinkage of these loadings costs 5.6 %, the choice of their variables the rest. `verdict.refitted` has the best loadings on the same variables:

print(rs.certify(cov, verdict.refitted).statement)

# *(Figure: Bars of the loadings of five measurements: those of SparsePCA fall from 0.58 to 0.27, the best ones on the same variables are all near 0.45.)*
#
# *The same five variables: loadings as `SparsePCA` shrinks them, and the best ones.*
#
# If the component is improvable, `verdict.better` says by what, and can be certified in turn:

print(verdict.better)

# ## From a paper
#
# Zou, Hastie and Tibshirani (2006) print six components of the pitprops data; the first uses seven variables:

pitprops = rs.datasets.load_pitprops()
printed = {
    "topdiam": -0.477,
    "length": -0.476,
    "ovensg": 0.177,
    "ringbut": -0.250,
    "bowmax": -0.344,
    "bowdist": -0.416,
    "whorls": -0.400,
}
judged = rs.certify(pitprops, [printed.get(name, 0.0) for name in pitprops.names])
print(judged)
print(bool(rs.verify(judged.certificate)))

# Loadings printed to three digits are assessed as printed. To assess the choice of variables alone, the
# names are enough: `rs.certify(pitprops, list(printed))`. A mask, indices, a pandas Series and a frame of one column do as well.
#
# `judged.candidate` is the component as given:

print(judged.candidate.support)

# On the command line the loadings come in a file, one `name,loading` or one name a line (a workbook, a `.npy` vector, or what another run printed with `--json`, do
# as well):

from pathlib import Path

Path("loadings.csv").write_text("".join(f"{name},{value}\n" for name, value in printed.items()))

# ```console
# $ relaxspca certify pitprops --loadings loadings.csv --certificate judged.json
# Using the built-in data set pitprops
# topdiam, length, ovensg, ringbut, bowmax, bowdist, whorls: not optimal, a better component explains 9.66 % more.
# These loadings explain at least 3.64387, and no 7 variables more than 3.99619 (correlation matrix of 13 variables; the upper bound is by branch and bound).
# Assessed as a first component.
# Better loadings on these variables explain 3.48 % more.
# Best known: topdiam, length, ringtop, ringbut, bowmax, bowdist, whorls (+9.66 %; the optimum is larger by at most 4.5e-11 %).
# To assess a later component, pass the earlier ones with after= (--after).
# | variable | loading |
# | --- | ---: |
# | topdiam | 0.4772 |
# | length | 0.4762 |
# | bowdist | 0.4161 |
# | whorls | 0.4001 |
# | bowmax | 0.3441 |
# | ringbut | 0.2501 |
# | ovensg | -0.1771 |
# Certificate written to judged.json (check it: relaxspca verify judged.json).
# $ relaxspca verify judged.json
# verified      judged.json  (exact, 0.09 s)
#   3.6438 <= v_7 <= 3.9962
#   v_7 is the largest x'Sx of a unit vector x that uses at most 7 variables
#   S is the 13 x 13 correlation matrix, sha256:a2b8020ea7ab61d5d7ee306d1a0cf607d2bc523e0bd3129d575daa82ed6bae7d
#   the component on topdiam, length, ovensg, ringbut, bowmax, bowdist, whorls attains the lower bound
#   uniqueness is not part of this certificate
#   arithmetic: exact; IEEE binary64, rounding to nearest, subnormal numbers kept
# 1 of 1 verified
# ```
#
# ## Assess a set of components
#
# Every component but the first is made for what the earlier ones leave: assessed as a first component it is bound to fall short. Say
# which came before it,

table = rs.components(pitprops, [7, 4, 4])
second = rs.certify(pitprops, table[1], after=[table[0]])
print(second.statement)

# or give all components at once: a DataFrame with the variables in its rows or columns, an array (n × r or r × n), a dict of loadings or
# supports by component, a fitted scikit-learn estimator (`PCA`, `SparsePCA`, `MiniBatchSparsePCA`), or anything with a `coef_`.
# Variables are matched by name; names that are none of the variables are an error, and counts (`0, 1, …`, `V1, V2, …`) leave the rows in their order.

from sklearn.decomposition import SparsePCA

model = SparsePCA(2, alpha=18, random_state=0).fit(X)
whole = rs.certify(cov, model)
print(whole)

# Each component is assessed alone and on the matrix that the earlier ones leave, as given and with the best loadings on its
# variables; all together are held against orthogonal components of the same cardinalities, of which `whole.joint` has the best that were found. Several components
# has an example from a paper. A square array of loadings could be read in two ways, and is an error that says so. On the command line
# the file has a line a variable with a loading for each component: `relaxspca certify DATA --loadings FILE`; `--after FILE` names
# the components before a single one.
#
# ## What if the gap does not close?
#
# The cheap bounds are tried first and the search last; `time_limit` ends it (no limit by default), and so does Ctrl-C (`is_interrupted` then). A gap is a
# result: it says that *no* component of this size explains more than `upper`. Raise `time_limit`, or ask `rs.solve` to go on.
