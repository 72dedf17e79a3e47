import math

import numpy as np
import pytest
from draws import draws
from published import PITPROPS as OPTIMA

import relaxspca as rs
from relaxspca import InputError
from relaxspca.relaxations.kinds import KINDS
from relaxspca.tasks.upper_bound import NAMES, WITHOUT_POINT, bound_certificate

PITPROPS = rs.datasets.load_pitprops()
N, K = draws((8, 4), (13, 8))
PART = rs.Covariance(PITPROPS.matrix[:N, :N])


def times_power(p, order=slice(None)):
    """2**p times a part of pitprops: by its entries where the door lets them in, else by a factor."""
    if abs(p) < 330:
        return rs.Covariance(PART.matrix[order][:, order] * 2.0**p)
    return rs.Covariance.from_factor(np.linalg.cholesky(PART.matrix).T[:, order] * 2.0 ** (p // 2))


@pytest.mark.parametrize("name", NAMES)
def test_a_bound_scales_with_the_covariance_whatever_the_order_of_its_variables(name):
    expected = rs.upper_bound(PART, K, relaxation=name).upper
    for p in draws((-590, 4), (-590, -40, 4, 590)):
        order = np.random.default_rng(abs(p)).permutation(N)
        found = rs.upper_bound(times_power(p, order), K, relaxation=name)
        assert math.ldexp(found.upper, -p) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", ["auto", "psi", "perron", "dspca", "perspective", "spartrahedron"])
@pytest.mark.parametrize("p", draws([-300], [-300, -39, 40, 300]))
def test_a_scaled_dual_point_is_evidence_for_the_original(name, p):
    cov = times_power(p)
    bound = rs.upper_bound(cov, K, relaxation=name)
    certificate = bound_certificate(cov, bound)
    assert certificate.upper <= bound.upper * (1 + 1e-9)
    assert rs.verify(certificate)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("auto", *WITHOUT_POINT)])
def test_where_a_solver_has_no_time_the_answer_is_the_best_spectral_bound(name):
    found = rs.upper_bound(PITPROPS, 3, relaxation=name, time_limit=1e-6)
    upper, kind = rs.relaxations.spectral.best_upper_bound(PITPROPS, 3)
    assert found.upper <= upper
    if name in ("perspective", "li_xie", "spartrahedron"):
        assert (found.upper, found.relaxation, found.dual) == (upper, kind, None)
        assert found.history[-1].note == f"{name}: the solver gave no answer within the limit"
        assert f"| {found.history[-1].note} |" in repr(found)
        assert rs.verify(bound_certificate(PITPROPS, found))


@pytest.mark.parametrize("name", ["dspca", "perspective", "spartrahedron", "li_xie"])
def test_a_program_that_takes_longer_to_set_up_than_the_limit_is_not_begun(name, monkeypatch):
    """Of 500 variables the factorisation alone takes ten seconds, and cannot be stopped."""

    def solve(*_, **__):
        raise AssertionError("the solver was called")

    monkeypatch.setattr("cvxpy.Problem.solve", solve)
    A = np.random.default_rng(0).standard_normal((500, 500))
    found = rs.upper_bound(rs.Covariance(A.T @ A), 5, relaxation=name, time_limit=2)
    assert found.relaxation in WITHOUT_POINT
    assert found.history[-1].note == f"{name}: the solver gave no answer within the limit"


@pytest.mark.parametrize("name", WITHOUT_POINT)
def test_a_bound_asked_for_by_its_name_is_that_bound(name):
    found = rs.upper_bound(PITPROPS, 13, relaxation=name)
    assert (found.relaxation, found.dual) == (name, None)
    assert found.upper == rs.relaxations.spectral.upper_bound(PITPROPS, name, 13)
    assert rs.verify(bound_certificate(PITPROPS, found))


def test_a_finite_bound_above_the_spectral_ones_is_not_returned():
    # Two blocks of equal entries: at k = 2 the row sums are exact, and no relaxation can do better.
    cov = rs.Covariance(np.kron(np.eye(2), np.ones((2, 2))))
    found = rs.upper_bound(cov, 2, relaxation="dspca", solver="scs", tol=1e-2)
    assert found.relaxation in ("rowsum", "spectral", "trace")
    assert found.upper == pytest.approx(2.0, rel=1e-12)


@pytest.mark.parametrize("relaxation", [name for name in NAMES if name not in KINDS or not KINDS[name].program])
def test_a_solver_is_refused_where_there_is_no_cone_program(relaxation):
    with pytest.raises(InputError, match=f"'{relaxation}' has no cone program .*leave the solver out"):
        rs.upper_bound(rs.datasets.load_pitprops(), 3, relaxation=relaxation, solver="clarabel")


def test_a_bound_says_what_it_had_no_time_for():
    assert "| no time was left for kkt |" in repr(rs.upper_bound(PITPROPS, 8, time_limit=0))
    assert "no time" not in repr(rs.upper_bound(PITPROPS, 8))


@pytest.mark.parametrize("p", [-295, 0])
def test_a_penalty_out_of_all_proportion(p):
    cov = rs.Covariance.from_factor(PITPROPS.factor * 2.0**p)
    assert rs.psi(cov, 1e300).upper <= 1e-250
    for rho in (1e300, 5e-324):
        found = rs.path(cov, rho=rho).rows[0]
        assert rs.verify(found.certificate)


# phi by enumeration and psi by an interior-point method in other software.
PENALISED = {
    0.05: (3.688647, 3.688742), 0.1: (3.296190, 3.296611), 0.2: (2.596190, 2.601058),
    0.3: (1.970960, 1.996098), 0.5: (0.975331, 1.130936), 0.7: (0.554, 0.590610),
}  # fmt: skip


@pytest.mark.parametrize("rho", PENALISED)
def test_the_reference_values_of_pitprops(rho, cov):
    found, relaxed = rs.path(cov, rho=rho, tol=1e-8).rows[0], rs.psi(cov, rho, tol=1e-8)
    assert (found.lower, relaxed.upper) == pytest.approx(PENALISED[rho], abs=1.1e-6)
    assert found.upper == pytest.approx(found.lower, abs=1e-6)
    assert 0 <= relaxed.accuracy <= 1e-8
    assert rs.verify(found.certificate)


# The least psi(rho) + rho k over all rho, in % above the optimum: bound (8), table 5 of Li and Xie, IJOC 2024.
GAPS = {4: 5.7550, 5: 2.3674, 6: 0.3954, 7: 0, 8: 0.2914, 9: 0, 10: 0.0887}


@pytest.mark.parametrize("k", GAPS)
def test_published_gaps_of_pitprops(k):
    found = rs.upper_bound(PITPROPS, k, relaxation="psi")
    assert 100 * (found.upper / OPTIMA[k - 1] - 1) == pytest.approx(GAPS[k], abs=1.1e-4)
