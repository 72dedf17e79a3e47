# # The relaxations as cvxpy models
#
#
# Every relaxation of this package is a problem that you can write on one line. Here each one is a
# [cvxpy](https://www.cvxpy.org) problem with the names of the papers: **print it, change it, solve it with any solver that
# cvxpy knows, and turn whatever the solver left into a proved bound.**

import relaxspca as rs

cov = rs.datasets.load_pitprops()
model = rs.models.dspca(cov, k=5, dual=True)
print(model)

# `model.problem` is the `cvxpy.Problem`, `model.variables` and `model.parameters` are its variables and parameters by
# name. In a notebook the model shows itself as a formula.

value = model.solve(solver="CLARABEL")  # what the solver states, to about eight digits
bound = model.bound()  # what is proved at the point it left
print(f"{value:.6f} stated, {bound.upper:.6f} proved; the best component of five variables has 3.406155")

# ## What is proved, and why any solver will do
#
# A solver works in floating point and stops early. Its value is not a bound: it can be below the optimum. What it leaves
# behind is good for more than its value. For each relaxation there is a formula that gives a valid bound at **every**
# point of the dual problem, optimal or not, feasible or not: for DSPCA, for instance,
#
# $$v_k \le \lambda_{\max}(\Sigma+U) + k\max_{ij}|U_{ij}| \qquad\text{for every symmetric } U.$$
#
# `model.bound()` takes the solver's numbers as a proposal, evaluates that formula with every rounding error added, and
# returns the result. Five iterations of a first-order method prove a weak bound, but they do prove it:

model.solve(solver="SCS", max_iters=10)
weak = model.bound()
print(weak.upper > bound.upper)  # worse, and still true

# **A primal form proves too.** The multipliers of its constraints are a dual point. In the primal form of DSPCA, those of
# $X\le S$ and $-X\le S$ are the two parts of $-U$ and $U$:

primal = rs.models.dspca(cov, k=5)
primal.solve()
print(f"{primal.bound().upper:.4f} and {bound.upper:.4f}")

# Solver options are the solver's own, passed on by cvxpy. The tolerances of cone solvers are absolute: where the entries
# of Σ are far from 1, divide Σ by its largest variance first.
#
# ## Change it
#
# Parameters can be given another value and the problem solved again, without being built again:

bounds = {}
for k in (3, 4, 5, 6):
    model.parameters["k"].value = k
    model.solve()
    bounds[k] = round(model.bound().upper, 4)
print(bounds)

# The same relaxation with a penalty: `rho` in the place of `k` bounds
# $\phi(\rho)=\max_{\|x\|\le1}x'\Sigma x-\rho\,\mathrm{Card}(x)$, and with it every $v_k\le\text{upper}+\rho k$ at once.

penalised = rs.models.dspca(cov, rho=0.3, dual=True)
penalised.solve()
line = penalised.bound()
for k in (3, 5, 8):
    print(f"v_{k} is at least {rs.candidate(cov, k).value:.4f} and at most {line.bound(k):.4f}")

# Further constraints make a new model. What it proves is still a bound on $v_k$ **without** them; they only lead the solver
# to another point:

X = primal.variables["X"]
tied = primal.with_constraints(X[0, 1] == 0)
print(tied.solve() < primal.solve())

# To bound something else, such as components with a loading of their own, the formula has to be derived anew.
#
# ## psi, in its three forms
#
# With $\Sigma=A'A$, columns $a_i$, and $B_i=a_ia_i'-\rho I$, the relaxation of d'Aspremont, Bach and El Ghaoui (2008) is
#
# | form | problem | here |
# |---|---|---|
# | A | $\max_X\ \sum_i\mathrm{Tr}(X^{1/2}B_iX^{1/2})_+$ over $X\succeq0$, $\mathrm{tr}X=1$ | `relaxspca.relaxations.psi.formula.evaluate` (it is concave, but no rule of cvxpy sees that) |
# | B | $\max_{X,P_i}\ \sum_i\langle P_i,B_i\rangle$ with $0\preceq P_i\preceq X$, $\mathrm{tr}X=1$ | `rs.models.psi` |
# | dual | $\min_{Y_i}\ \lambda_{\max}(\sum_iY_i)$ with $Y_i\succeq B_i$, $Y_i\succeq0$ | `rs.models.psi(…, dual=True)` |
#
# They are one number:

from relaxspca.relaxations.psi.formula import evaluate

few = rs.datasets.make_spiked(6, 2, n_samples=40)
form_b, dual = rs.models.psi(few, rho=0.5), rs.models.psi(few, rho=0.5, dual=True)
b, d = form_b.solve(), dual.solve()
a = evaluate(form_b.variables["X"].value, few.factor, 0.5).theta.sum()
print(f"{a:.3f} {b:.3f} {d:.3f}")

# There are n matrix variables of the size of the rank: these models are for a dozen variables. `rs.psi` computes the same
# value by a method of its own for hundreds (theory).
#
# ## The optimality conditions of one component
#
# Is *this* component optimal for psi at some penalty? By the KKT conditions of forms B and dual, with x the component in the
# space of the $a_i$ and T its support, if and only if some $\rho$ and matrices
# $Y_i\succeq B_i$, $Y_i\succeq0$ satisfy $Y_ix=B_ix$ for i in T, $Y_ix=0$ for the others, and
# $\lambda_{\max}(\sum_iY_i)=x'\Sigma x-\rho k$. `rs.models.kkt` minimises $\lambda_{\max}(\sum_iY_i)+\rho k$ under the
# linear conditions: where that meets the variance of the component, it is optimal among **all** supports of its size.

best = rs.candidate(few, 2)
conditions = rs.models.kkt(few, best)
conditions.solve()
print(f"{best.value:.5f} attained, {conditions.bound().upper:.5f} at most")

# `rs.certify` tries a closed form of these matrices first, which costs two eigenvalues
# ({func}`relaxspca.relaxations.psi.kkt.kkt_test`).
#
# ## All of them
#
# Bounds on pitprops at k = 8, where the best component explains 4.0686073, each proved by the model's own solution and
# rounded up (`tests/test_models.py` computes them again). Each but `kkt` has a primal form, and a dual form with
# `dual=True`:
#
# | model | options | bound at k = 8 | source |
# |---|---|---|---|
# | `psi` | `k` or `rho` | 4.0805 | d'Aspremont, Bach, El Ghaoui, JMLR 9, 2008 |
# | `kkt` | a candidate | – | the same, Lemma 3 |
# | `dspca` | `k` or `rho` | 4.1449 | d'Aspremont, El Ghaoui, Jordan, Lanckriet, SIAM Review 49, 2007 |
# | `li_xie` | | 4.2187 | Li and Xie, INFORMS J. Computing 37(3), 2025, (13) |
# | `perspective` | | 4.0793 | the same, (16) |
# | `spartrahedron` | `l1` | 4.0755 | Cifuentes and Li, arXiv 2603.18215, 2026 |
# | `perron` | | 4.0687 | theory |
#
# Which relaxation contains which is in the theory of Perron;
# which to choose says when.
#
# ## For solvers that are not ours
#
# `rs.models.write_cbf` writes the problem itself, a mixed-integer semidefinite program whose optimum is $v_k$, in the
# Conic Benchmark Format (Friberg, Math. Prog. Comp. 8, 2016): any solver that reads it can contradict us. With `relaxed=True` the
# variables need not be whole, and a solver of continuous programs finds relaxation (18) of Bertsimas, Cory-Wright and Pauphilet (JMLR 23, 2022).

rs.models.write_cbf(cov, 5, "pitprops_k5.cbf")
