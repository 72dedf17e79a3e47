# # Is it the only answer?
#
#
# A proof that a component is optimal does not say that it is the only one. Another set of variables may explain 0.1 % less, and then the choice between them should not carry a conclusion. Ask for
# every support (set of k variables) within a fraction of the best; the proof says that there is no other.

import relaxspca as rs

cov = rs.datasets.load_pitprops()
found = rs.near_optimal(cov, 10, within=0.02, costs=True)
print(found)
print(bool(rs.verify(found.certificate)))

# Twelve of the 286 supports of ten variables are within 2 % of the best. Seven variables are in all of them (`found.core`), and six come and go (`found.optional`):

found.save("supports.png")

# *(Figure: Left: a bar for each variable, in how many of the 12 sets it is. Right: what it costs to leave it out or to force it in.)*
#
# Dark bars are the variables that no near-optimal component can do without. On the right is the least loss: what the best component *without* a variable loses, or the best one *with* a variable that it does not have.
# `knots` and `diaknot` may be exchanged for 0.08 % of the variance; without `length` 13.7 % are lost. All of these numbers are proved bounds.
# Where a time limit stops the search for a loss, its two bounds lie apart: the figure draws a broken line between them instead of a point, `print` says so, and `found.open_costs` names the variable.
# `examples/near_optimal.py` draws this figure.
#
# `within=0` lists ties. Three variables that correlate equally have three best pairs:

tied = rs.near_optimal(rs.Covariance([[1, 0.5, 0.5], [0.5, 1, 0.5], [0.5, 0.5, 1]]), 2, within=0)
print(tied.supports, tied.is_unique)

# Ties are told apart to a relative 1e-9. Where the best value is so small beside the entries of the matrix (of an indefinite one) that rounding hides it, the list has what is within 1e-9 of the largest
# entry of the best, and `print` says that width instead.
#
# The number of supports can be large: the search stops once it has `limit` supports (it may have found a few more by then) or after `time_limit` seconds, says so, and says within which smaller fraction the list is complete (`complete_within`).
#
# ## Fits and ratios
#
# The same question is asked of a regression: which other variables fit as well? `near_optimal_subsets` lists every subset of k variables whose residual sum of squares is within a fraction of the *least residual sum of squares*, and
# proves that there is no other. In the diabetes data of scikit-learn (442 patients, 10 variables) two sets of six come within 0.3 % of each other:

from sklearn.datasets import load_diabetes

from relaxspca.applications import near_optimal_subsets

X, y = load_diabetes(return_X_y=True, as_frame=True)
fits = near_optimal_subsets(X, y, 6, within=0.003, intercept=True)
print(fits)
print(rs.verify(fits.certificate).verified)

# `fits.residuals` has proved bounds for each, `fits.coefficients` its fit; `ridge=`, `include=` and `exclude=` are as in `subset_selection`. R's `leaps` (`nbest`) and `lmSubsets` give as many of the best subsets as one asks
# for; here one asks how near, and the certificate says that none is missing. Of a pair of matrices, `rs.near_optimal((A, B), k)` lists the sets of variables whose ratio x'Ax / x'Bx is nearly the largest. On the command line, `--within 0.01` asks for these lists
# in `relaxspca subset` and `relaxspca generalized`.
#
# ## Would another decimal change it?
#
# A printed correlation matrix stands for every matrix that rounds to it. Is the component optimal for all of them?

safe = rs.stability(rs.solve(cov, 10), decimals=3)
print(safe)

# It is, whatever was rounded off. `safe.radii` are the sizes of a change up to which the support stays optimal, whatever the change is: of the spectral norm, of all entries, and of all entries beside the diagonal. They are proved and rounded
# down. Where a matrix that rounds to the printed one has another optimum, `safe.counterexample` is such a matrix.
#
# `near_optimal` prints a radius too, `found.radius`. Below it the best support stays the *only* best one; up to that of `stability` it stays best, perhaps beside others. The second is at least
# as large: `found.radius` is half the distance to the second best, or to the bound on what is not listed, and `stability` compares the best with each listed support.
#
# How sure the *data* make a support is another question, and one of statistics. The bootstrap draws the observations again, with replacement, and counts how often the same variables are best (`n_jobs=2` uses two processes):

from sklearn.datasets import load_wine

wine = load_wine(as_frame=True)
again = rs.bootstrap(wine.data, 5, correlation=True, resamples=20)
print(again)

# ## With this variable, without that one

result = rs.solve(cov, 4, include=["knots"], exclude=["topdiam"])
print(result.statement)

# The certificate says the conditions, and the checker starts its tree from them. `candidate`, `certify`, `compare`, `path`, `components` and `near_optimal` take the same two arguments; at a
# penalty `rho` every variable of a support is penalised, an included one also where its loading is 0.
#
# Variables may come in groups: at most one of each group, or a few groups as a whole. And loadings may have to be of one sign:

groups = {"size": ["topdiam", "length"], "ring": ["ringtop", "ringbut"], "knots": ["whorls", "knots"]}
one = rs.solve(cov, 3, groups=groups)
whole = rs.solve(cov, groups=groups, most=2)
positive = rs.solve(cov, 3, nonnegative=True)
for result in (one, whole, positive):
    print(result.statement)

# These claims have certificates too, which name the groups or say that no loading is negative.
#
# ## How many variables?

path = rs.path(cov, share_of_dense=0.9)
print(path)

# Seven variables keep 90 % of what the first ordinary PC explains, and no six do: both are proved. `path.plot()` draws the curve with its proved error bars.
#
# Does the share hold for observations that the component was not made from? Cross-validation says, again as a statistic:

apart = rs.held_out(wine.data, range(1, 14), correlation=True)
wine_path = rs.path(rs.Covariance.from_data(wine.data, correlation=True), share_of_dense=0.9)
print(apart)
print(wine_path.smallest_k)

# `relaxspca.plotting.plot_shares(wine_path, apart)` draws both curves.
#
# The proofs are in Beyond the optimum.
