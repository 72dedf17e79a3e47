import numpy as np
from draws import examples
from hypothesis import given
from hypothesis import strategies as st

from relaxspca.relaxations.psi.models import rank_one_part


@examples(100)
@given(seed=st.integers(0, 10**6), r=st.integers(1, 6), rho=st.floats(0.01, 2))
def test_a_feasible_matrix_is_compressed_to_one_feasible_vector_below_it(seed, r, rho):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=r) * 2
    noise = rng.normal(size=(r, r))
    B = np.outer(a, a) - rho * np.eye(r)
    values, vectors = np.linalg.eigh(B)
    Y = (vectors * np.maximum(values, 0)) @ vectors.T + noise @ noise.T
    y = rank_one_part(Y, a, rho)
    scale = 1e-9 * (1 + np.trace(Y))
    assert np.linalg.eigvalsh(np.outer(y, y) - B)[0] >= -scale
    assert np.linalg.eigvalsh(Y - np.outer(y, y))[0] >= -scale
