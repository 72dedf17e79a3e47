"""The models in the open: every form, with any solver, proves a bound that agrees with its value."""

import functools
import re
from pathlib import Path

import cvxpy as cp
import numpy as np
import pytest
from draws import draws
from small_covariances import optimum

import relaxspca as rs
from relaxspca import models
from relaxspca.relaxations.psi.formula import evaluate

PITPROPS = rs.datasets.load_pitprops()
NAMES = sorted(set(models.__all__) - {"Model", "kkt", "write_cbf"})
FORMS = [(name, {}) for name in NAMES if name != "psi"]  # that below, on fewer variables
FORMS += [("spartrahedron", {"l1": True})]
BOTH = pytest.mark.parametrize("dual", [False, True], ids=["primal", "dual"])
PENALISED = pytest.mark.parametrize("name", ["psi", "dspca"])


def small(seed=0, n=6):
    return rs.Covariance.from_factor(np.random.default_rng(seed).normal(size=(n - 1, n)))


@functools.cache
def solved(name, **options):
    """Return the value of a form for eight of the pit props, and its proved bound."""
    model = getattr(models, name)(PITPROPS, k=8, **options)
    return model.solve(solver="CLARABEL"), model.bound()


@BOTH
@pytest.mark.parametrize(("name", "options"), FORMS)
def test_the_proved_bound_is_the_value_of_the_solver(name, options, dual):
    """Primal forms prove by their multipliers: an independent way to the dual point of the other form."""
    value, bound = solved(name, dual=dual, **options)
    assert bound.k == 8
    assert bound.upper >= 4.0686073272  # the optimum, of PUBLISHED.md
    assert bound.upper == pytest.approx(value, rel=3e-5)


@pytest.mark.parametrize("form", [{"k": 2}, {"rho": 0.4}])
@BOTH
@PENALISED
def test_parameters_are_changed_and_solved_again(name, dual, form):
    cov = small()
    (given,) = form
    model, other = getattr(models, name)(cov, dual=dual, **form), 3 if given == "k" else 0.8
    model.solve(solver="CLARABEL")
    model.parameters[given].value = other
    again = model.solve(solver="CLARABEL")
    afresh = getattr(models, name)(cov, dual=dual, **{given: other})
    assert again == pytest.approx(afresh.solve(solver="CLARABEL"), rel=1e-6)
    found = model.bound()
    assert getattr(found, given) == other
    assert found.upper == pytest.approx(again, rel=1e-4)


def test_psi_in_its_three_forms():
    """Form A by its formula at X of form B, form B by its cone program, and the dual."""
    cov = small(3)
    primal, dual = models.psi(cov, rho=0.5), models.psi(cov, rho=0.5, dual=True)
    value = primal.solve(solver="CLARABEL")
    assert dual.solve(solver="CLARABEL") == pytest.approx(value, rel=1e-6)
    assert evaluate(primal.variables["X"].value, cov.factor, 0.5).theta.sum() == pytest.approx(value, rel=1e-4)
    assert primal.bound().upper == pytest.approx(rs.psi(cov, 0.5).upper, rel=1e-4)


@BOTH
@pytest.mark.parametrize("name", NAMES)
def test_a_solver_that_stops_early_still_proves(name, dual):
    """A few iterations of SCS leave values far from feasible; the bound holds all the same."""
    proved = 0
    for seed, iterations in enumerate(draws((10, 40), (5, 10, 20, 40))):
        cov = small(seed)
        for k in (2, 4):
            model = getattr(models, name)(cov, k=k, dual=dual)
            model.solve(solver="SCS", max_iters=iterations)
            if "no values" in refusal(model):
                continue
            assert model.bound().upper >= optimum(cov.matrix, k) * (1 - 1e-14)
            proved += 1
    assert proved >= 2


def refusal(model):
    try:
        model.point()
    except rs.InputError as error:
        return str(error)
    return ""


@BOTH
@PENALISED
def test_the_penalised_bound_holds_for_every_cardinality(name, dual):
    cov = small(5)
    model = getattr(models, name)(cov, rho=0.3, dual=dual)
    model.solve(solver="SCS", max_iters=20)
    found = model.bound()
    for k in range(1, cov.n + 1):
        assert found.bound(k) >= optimum(cov.matrix, k) * (1 - 1e-14)
    assert found.statement.startswith("Largest variance less 0.3 for each variable used: at most ")


def test_the_kkt_conditions_hold_exactly_where_psi_is_tight():
    cov = rs.datasets.make_spiked(6, 2, n_samples=40, strength=3.0)
    best = rs.candidate(cov, 2)
    model = models.kkt(cov, best)
    assert model.solve(solver="CLARABEL") == pytest.approx(best.value, rel=1e-6)
    assert model.bound().upper == pytest.approx(best.value, rel=1e-6)
    S = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.1], [0.0, 0.1, 2.9]])
    loose = rs.Covariance(S)
    wrong = rs.Candidate.from_support(loose, [0, 1])  # is the best for k = 2, but psi has a gap there
    model = models.kkt(loose, wrong)
    assert model.solve(solver="CLARABEL") >= wrong.value * (1 - 1e-6)
    assert model.bound().upper >= optimum(loose.matrix, 2)
    with pytest.raises(rs.InputError, match="no penalty makes these variables optimal"):
        models.kkt(loose, rs.Candidate.from_support(loose, [0, 2]))
    with pytest.raises(rs.InputError, match="candidate must be a Candidate such as rs.candidate"):
        models.kkt(loose, 2)


def test_added_constraints_lead_elsewhere_but_never_below_the_optimum():
    model = models.dspca(PITPROPS, k=5)
    free = model.solve(solver="CLARABEL")
    tied = model.with_constraints(model.variables["X"][0, 1] == 0)
    assert tied.solve(solver="CLARABEL") < free - 1e-3
    assert tied.bound().upper >= 3.4061549468


def test_what_is_printed_and_named():
    model = models.psi(small(), k=2, dual=True)
    assert repr(model).startswith("psi, dual form of the")
    assert model.formula in repr(model).splitlines()
    assert "status: not solved yet" in repr(model)
    assert model._repr_latex_().startswith("$\\displaystyle \\min")
    names = {variable.name() for variable in model.problem.variables()}
    assert names == {*(f"Y_{i}" for i in range(6)), "tau", "rho"}
    assert isinstance(model.problem, cp.Problem)
    assert model.problem.is_dpp()


def test_errors_are_said_at_the_door():
    with pytest.raises(rs.InputError, match="not both, not neither"):
        models.psi(small())
    with pytest.raises(rs.InputError, match="not both, not neither"):
        models.dspca(small(), k=1, rho=0.1)
    with pytest.raises(rs.InputError, match="outside 1..6"):
        models.spartrahedron(small(), k=7)
    with pytest.raises(rs.InputError, match="no values yet: solve it"):
        models.dspca(small(), k=2, dual=True).bound()
    with pytest.raises(rs.InputError, match="auto or one that is installed"):
        models.dspca(small(), k=2, dual=True).solve(solver="nonesuch")
    for form in (models.psi, models.dspca):
        assert form(small(), 2).parameters["k"].value == 2  # as in rs.solve(cov, 2)
        with pytest.raises(rs.InputError, match="0.5"):
            form(small(), 0.5)
    model = models.dspca(small(), k=2)
    model.parameters["k"].value = 2.5
    model.solve()
    with pytest.raises(rs.InputError, match="2.5"):
        model.bound()


def test_the_table_of_the_page():
    page = (Path(__file__).parents[1] / "docs" / "models.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*?\| (\d\.\d{4}) \|", page, re.MULTILINE)
    assert sorted(name for name, _ in rows) == NAMES
    for name, printed in rows:
        assert 0 <= float(printed) - solved(name, dual=True)[1].upper < 1e-4, name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dual", [False, True])
@pytest.mark.parametrize("left", [np.nan, np.inf, 1e200])
def test_what_a_solver_left_that_no_number_can_be_made_of_is_refused(name, dual, left):
    model = getattr(models, name)(small(), k=2, dual=dual)
    for variable in model.problem.variables():
        variable.save_value(np.full(variable.shape, left))
    for constraint in model.problem.constraints:
        for multiplier in constraint.dual_variables:
            multiplier.save_value(np.full(multiplier.shape, left))
    with pytest.raises(rs.InputError, match="not finite or above 1e100: solve it otherwise"):
        model.bound()


@pytest.mark.filterwarnings("ignore")
def test_a_panic_of_the_solver_leaves_no_value():
    S = np.zeros((5, 5))
    S[[1, 3, 4, 4], [4, 4, 1, 3]] = 1e92
    assert np.isnan(models.li_xie(rs.Covariance(S), 5, dual=True).solve(solver="CLARABEL"))
