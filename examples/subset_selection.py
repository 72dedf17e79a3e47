"""Choose variables for least squares and prove the choice, on the diabetes data.

python examples/subset_selection.py
"""

from sklearn.datasets import load_diabetes

from relaxspca.applications import subset_path

data = load_diabetes()
y = data.target - data.target.mean()
fits = subset_path(data.data, y, range(1, 4))
for fit in fits:
    names = ", ".join(data.feature_names[i] for i in fit.indices)
    state = "optimal" if fit.is_optimal else f"within {100 * fit.relative_gap:.2g} %"
    print(f"k = {fit.k}: {names}; residual {fit.upper:.6g}, no choice is below {fit.lower:.6g} ({state})")

proved = sum(fit.is_optimal for fit in fits)
print(f"verdict: {proved} of {len(fits)} choices are proved optimal")
raise SystemExit(any(fit.lower > fit.upper for fit in fits))
