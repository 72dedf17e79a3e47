# # What is a proof here?
#
#
# For those who know principal components and have not met semidefinite programming. Four questions, five minutes.
#
# ## What is the problem?
#
# The first principal component of a covariance matrix Σ is the unit vector x that makes the variance x′Σx largest (x′ is x as a row). It is an eigenvector,
# computed instantly. It mixes all variables. A *sparse* component may use only k of them:
#
# $$v_k=\max\{x'\Sigma x:\ \|x\|=1,\ \text{at most } k \text{ entries of } x \text{ are not } 0\}.$$
#
# Once you know **which** k variables, the rest is an eigenvector again, of a k × k block. The difficulty is the choice. Of 13 variables there are 1287
# choices of five; of 100 variables there are 17 310 309 456 440 choices of ten.
#
# Programs that find good components do not try them all. They add variables one by one, or round something, and stop. What they
# return is a **lower bound**: the best is at least that good.

import relaxspca as rs

cov = rs.datasets.load_pitprops()
found = rs.candidate(cov, 5)
print(found.value, [cov.names[i] for i in found.indices])

# ## What is an upper bound?
#
# A number that no component can exceed. The simplest is the largest eigenvalue of Σ itself: a component that may use all variables explains
# at least as much as one that may use five. It is written $\lambda_{\max}(\Sigma)$.

limit = rs.upper_bound(cov, 5, relaxation="spectral")
print(limit.upper)  # 4.22, far above 3.41

# Between the two numbers lies the truth, and their distance is the **gap**. When the gap is zero the component is optimal, and nobody needs to
# search any further. So the work is to bring the upper bound down. Better ones come from *relaxations*: problems that a computer can solve, in which
# every sparse component is still allowed, and others too. The more cleverly the others are kept out, the lower the bound.
#
# *(Figure: Gaps of seven bounds for eight of the pit props' variables: from 3.7 percent for the largest eigenvalue to 0.00016 percent for Perron.)*
#
# *Gaps of seven relaxations for k = 8, each above the same component. The scale is logarithmic.*
#
# ## What is a dual point, and why does it prove?
#
# Here is the trick, in its smallest form. Take any symmetric matrix U. Then for every unit x with at most k entries
#
# $$x'\Sigma x = x'(\Sigma+U)x - x'Ux \le \lambda_{\max}(\Sigma+U) + k\max_{ij}|U_{ij}|,$$
#
# because $\sum_i|x_i|\le\sqrt k$ when x has k entries, so that $-x'Ux\le\max|U_{ij}|\,(\sum|x_i|)^2\le k\max|U_{ij}|$. **Whatever U is**, the right-hand side is an upper bound.
# A bad U gives a weak one, U = 0 the largest eigenvalue. The best U gives the bound of DSPCA, the
# relaxation with which this began (d'Aspremont, El Ghaoui, Jordan and Lanckriet, 2007). Such a U is called a *dual point*. Where it came
# from does not matter: a solver, a guess, a program with bugs. To check the bound one needs U and one eigenvalue.

import numpy as np

some = np.random.default_rng(0).normal(size=(13, 13)) / 100
bound = np.linalg.eigvalsh(cov.matrix + (some + some.T) / 2)[-1] + 5 * np.abs((some + some.T) / 2).max()
print(bound)  # a bad bound, and true

model = rs.models.dspca(cov, k=5, dual=True)  # the problem of the best U, for any solver
model.solve()
print(model.bound())

# Eigenvalues in floating point are a little wrong, so the package adds what the rounding can have cost. What is printed as an upper bound is
# one, for the matrix with exactly these numbers in it.
#
# ## Why is a tree a proof?
#
# Sometimes the best dual point leaves a gap. Then the choices are split: those with the variable a, and those without it. Each half
# has its own bound, which is lower, since there is less to choose from. A half whose bound is no better than the component in hand is *closed*: nothing
# in it can win. The others are split again, until all are closed.
#
# *(Figure: A tree of five boxes. The first, at most 1.89, is open and splits into with a and without a; without a is closed at 1.61. With a splits into with b, found at 1.81, and without b, closed at 1.64.)*
#
# *Five variables, two to choose, and the simplest bound: the largest eigenvalue of what is still allowed. Three bounds settle ten choices.*
#
# The tree covers every choice, and at every end stands a dual point. So the list of splits and dual points proves that the component is the best, and
# that list is what a **certificate** holds, together with the matrix, the component and both bounds:

result = rs.solve(cov, 5)
result.certificate.save("proof.json")
print(rs.verify("proof.json"))

# The program behind `verify` shares no code with the one behind `solve`. It reads the file, goes through the tree, evaluates each bound from the formula, for
# small matrices in exact fractions, and says "verified" or what is wrong. You can also drop the file onto a page and let your browser do
# it. For the rules that `solve` uses, the soundness of such a checker is itself a theorem that a proof assistant has checked
# (trust).
#
# ## What it does not prove
#
# That the matrix is the right one. A certificate speaks about the numbers in it: how they came from your data, whether they should be covariances or correlations, and whether
# five variables are enough, is yours to say. How stable is the answer when the numbers change is a question that can be asked, and has an answer
# with a proof too.
