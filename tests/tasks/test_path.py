import numpy as np
import pytest
from draws import draws
from published import PITPROPS

from relaxspca import Covariance, path
from relaxspca.checker import verify
from relaxspca.datasets import load_pitprops
from relaxspca.problem.gap import penalty_line


def test_every_row_of_pitprops_is_proved_and_by_what():
    found = path(load_pitprops())
    assert all(row.certified for row in found.rows)
    assert [row.upper for row in found.rows] == pytest.approx(PITPROPS, rel=1e-6)
    by = [row.by for row in found.rows]
    assert by == ["kkt", *["search"] * 9, "kkt", "kkt", "kkt"]
    assert all(verify(certificate) for certificate in found.certificates.values())


def test_every_row_has_its_certificate_without_time_too(tmp_path):
    found = path(load_pitprops(), range(1, 14), time_limit=0)
    assert [row.k for row in found.rows if row.certified] == [1, 2, 13]
    certificates = found.certificates
    assert [certificate.k for certificate in certificates.values()] == list(certificates) == list(range(1, 14))
    written = found.save_certificates(tmp_path / "out")
    assert [file.name for file in written[::12]] == ["k01.json", "k13.json"]
    assert verify(written[6])


def test_a_path_of_penalties_is_searched_and_bounds_every_cardinality():
    found = path(load_pitprops(), rho=[0.3, 0.1, 0.03, 2.0])
    assert all(row.certified for row in found.rows)
    assert [len(row.indices) for row in found.rows[:2]] == [6, 7]
    assert list(found.certificates) == [0.3, 0.1, 0.03, 2.0]
    assert (found.rows[3].lower, found.rows[3].support) == (0.0, ())
    assert all(row.lower >= 0 for row in found.rows)
    for k, value in enumerate(PITPROPS, 1):
        bounds = [penalty_line(row.upper, row.rho, k) for row in found.rows]
        assert min(bounds) >= value - 1e-9
        if k == 6:  # the component at 0.3 has six variables
            assert min(bounds) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("limit", draws([0, 0.05], [0, 0.05, 0.4]))
def test_more_variables_never_explain_less(limit):
    X = np.random.default_rng(1).normal(size=(50, 120))
    found = path(Covariance.from_data(X), k=range(1, 12), time_limit=limit)
    values = [row.candidate.value for row in found]
    assert values == pytest.approx(np.maximum.accumulate(values))
