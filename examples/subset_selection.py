"""Choose variables for least squares and prove the choice, on the diabetes data.

python examples/subset_selection.py
"""

from sklearn.datasets import load_diabetes
from sklearn.linear_model import lasso_path

from relaxspca.applications import certify_subset, subset_path

data = load_diabetes()
names = data.feature_names
fits = subset_path(data.data, data.target, range(1, 11), intercept=True, names=names)
for fit in fits:
    state = "optimal" if fit.is_optimal else f"within {100 * fit.gap:.2g} %"
    print(f"k = {fit.k}: {', '.join(fit.support)}; residual {fit.upper:.6g} ({state})")

# What does the lasso lose at six variables?
_, coefficients, _ = lasso_path(data.data, data.target - data.target.mean())
used = (coefficients != 0).sum(axis=0)
lasso = [names[i] for i in coefficients[:, used.tolist().index(6)].nonzero()[0]]
judged = certify_subset(data.data, data.target, lasso, intercept=True, names=names)
print(f"lasso, 6 variables: {', '.join(lasso)}; its residual is {judged.loss[0]:.0f} above the smallest")

proved = sum(fit.is_optimal for fit in fits)
print(f"verdict: {proved} of {len(fits)} choices are proved optimal")
raise SystemExit(any(fit.lower > fit.upper for fit in fits))
