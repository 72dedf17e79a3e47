import numpy as np
import pytest

from relaxspca import Covariance, DataWarning, InputError


@pytest.mark.parametrize("shape", [(5, 40), (40, 5)])
@pytest.mark.parametrize("correlation", [False, True])
def test_the_layout_in_memory_does_not_change_the_digest(shape, correlation):
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).normal(size=shape) + 3.0
    frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(shape[1])])
    unmasked = np.ma.masked_array(X, False)
    layouts = [X, np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], unmasked, frame, X.tolist()]
    assert len({Covariance.from_data(Y, correlation=correlation).digest for Y in layouts}) == 1
    assert len({Covariance.from_factor(Y).digest for Y in layouts}) == 1
    assert len({Covariance.from_chunks(np.array(Y, copy=None), limit=4).digest for Y in layouts[:4]}) == 1


def test_a_float32_correlation_matrix_is_averaged_with_a_message():
    S = np.corrcoef(np.random.default_rng(0).normal(size=(6, 50)).astype(np.float32)).astype(np.float32)
    S[0, 1] = np.nextafter(S[1, 0], np.float32(2))
    with pytest.warns(DataWarning, match="entries .* differ by up to"):
        matrix = Covariance(S).matrix
    assert np.array_equal(matrix, matrix.T)
    assert matrix[0, 1] == (float(S[0, 1]) + float(S[1, 0])) / 2
    with pytest.raises(InputError, match=r"a difference of \d.*take the mean"):
        Covariance(S.astype(np.float64))
