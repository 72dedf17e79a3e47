"""A claim says nothing of variables that were eliminated: it refuses, or is asked for those kept alone."""

import cvxpy as cp
import numpy as np
import pytest

import relaxspca as rs
from relaxspca.candidates.spannogram import low_rank_search
from relaxspca.certificate import RowsPoint
from relaxspca.encoders import optimal_encoder
from relaxspca.errors import InputError
from relaxspca.relaxations import spectral
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.perron.minimise import minimise as perron_minimise
from relaxspca.relaxations.psi import formula as psi
from relaxspca.relaxations.psi.kkt import kkt_test, penalised, trivial_points
from relaxspca.relaxations.published import dspca, li_xie, perspective, spartrahedron
from relaxspca.search.elimination import shrink

N = 3
ZERO = np.zeros((N, N))
WEIGHTS = RowsPoint(np.arange(N), weights=np.ones(N))
MULTIPLIERS = perspective.PerspectivePoint(ZERO, np.zeros(N), ZERO, np.zeros(N))

CALLS = {
    "spectral": lambda cov: spectral.upper_bound(cov, "trace", 2),
    "best spectral": lambda cov: spectral.best_upper_bound(cov, 2),
    "weights": lambda cov: perron.upper_bound(cov, WEIGHTS, 2),
    "perron": lambda cov: perron.upper_bound(cov, RowsPoint(np.arange(N), P=ZERO, N=ZERO), 2),
    "perron method": lambda cov: perron_minimise(cov, 2, lower=1.0),
    "psi": lambda cov: psi.upper_bound(cov, trivial_points(cov.alone)[0].point, 2),
    "penalised": lambda cov: penalised(cov, trivial_points(cov.alone)[0].point),
    "trivial": trivial_points,
    "kkt": lambda cov: kkt_test(cov, rs.candidate(cov, 2)),
    "dspca": lambda cov: dspca.proved_bound(cov, ZERO, cp.Parameter(value=2), None).upper,
    "penalised dspca": lambda cov: dspca.proved_bound(cov, ZERO, None, cp.Parameter(value=0.1)),
    "li_xie": lambda cov: li_xie.upper_bound(cov, np.zeros(N), 2),
    "perspective": lambda cov: perspective.upper_bound(cov, MULTIPLIERS, 2),
    "spartrahedron": lambda cov: spartrahedron.proved_bound(cov, (np.zeros((N, 1)), None), 2),
    "guarantee": lambda cov: low_rank_search(cov, 2),
    "upper bound": lambda cov: rs.upper_bound(cov, 2),
    "psi at a penalty": lambda cov: rs.psi(cov, 0.1),
    "path of penalties": lambda cov: rs.path(cov, rho=0.1),
    "penalty": lambda cov: rs.solve(cov, rho=0.1),
    "components": lambda cov: rs.components(cov, 2, 2),
    "encoder": lambda cov: optimal_encoder(cov, 2),
}


@pytest.fixture(scope="module")
def kept():
    # The first three are small and alike; what was eliminated is worth more than all of them.
    Sigma = np.diag([1.3, 1.2, 1.1, 0.9, 0.8]) + 0.05
    Sigma[3:, 3:] += 0.8
    cov = shrink(rs.Covariance(Sigma), 10.0, needed=[0, 1, 2])
    assert cov.n == 3
    assert cov.eliminated.count == 2
    return cov


@pytest.mark.parametrize("name", CALLS)
def test_a_bound_needs_every_variable_or_those_kept_alone(kept, name):
    with pytest.raises(InputError, match="2 were eliminated"):
        CALLS[name](kept)
    CALLS[name](kept.alone)  # read as one of the whole matrix DSPCA would say 1.39 where v_2 is 2.55


def test_alone_is_the_same_matrix(kept):
    assert kept.alone.eliminated is None
    assert np.array_equal(kept.alone.matrix, kept.matrix)
    assert kept.alone.names == kept.names
    assert kept.alone is kept.alone.alone  # and what it has computed is not computed again
