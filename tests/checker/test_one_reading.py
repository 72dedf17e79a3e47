"""What the specification says of a file has one reading: what is refused, refuted, or left open."""

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from building import changed, listed
from true_certificates import certificate, covariance, psi_point, top, true_certificates
from two_checkers import NODE, second

from relaxspca.certificate import Certificate, Description, Eliminated, Leaf, RowsPoint
from relaxspca.checker import Outcome
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify

TRUE = {name: made for name, (_, made) in true_certificates().items()}
INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])


@pytest.mark.parametrize("exact", [True, False])
def test_of_no_matrix_nothing_is_false(exact):
    """The block has the eigenvalue -1: with a shift of 0 no matrix is meant, with 1.5 one is."""
    held = {"matrix": INDEFINITE, "lower": 0.5, "upper": 1.5, "loadings": [1.0, 1.0], "indices": [0, 1]}
    for shift, outcome in ((0.0, Outcome.INCONCLUSIVE), (1.5, Outcome.REFUTED)):
        eliminated = Eliminated(("y",), [0.0], shift)
        lie = certificate(
            INDEFINITE, 2, [Leaf("rows")], eliminated=eliminated, elimination=Leaf("rows"), **held
        )
        verdict = verify(lie, exact=exact)
        assert verdict.proved_lower == 3
        assert verdict.outcome is outcome
        assert ("no eigenvalue below" in str(verdict.reasons)) == (shift == 0)


def test_a_listed_support_may_be_what_keeps_a_lower_bound_from_being_refuted():
    made = TRUE["near optimal"]
    low = changed(made, lower=(made.claim.listed.others + made.lower) / 2, upper=99.0)
    weak = changed(low, indices=[0], loadings=np.eye(6)[0])
    assert verify(weak).outcome is Outcome.INCONCLUSIVE
    assert verify(changed(weak, lower=98.0)).outcome is Outcome.REFUTED


@pytest.mark.parametrize("name", ["nonnegative", "exclude", "include"])
def test_nothing_is_no_value_of_a_field_that_may_be_left_out(name):
    with pytest.raises(CertificateError, match=name):
        replace(TRUE["described"].claim, **{name: None})


def test_a_point_that_no_leaf_uses_must_fit_as_well():
    S = covariance(4, seed=1)
    with pytest.raises(CertificateError, match="point 0 has no factor of its own"):
        certificate(S, 2, [Leaf("rows")], points=[psi_point(S, 0.1, own_factor=False)], upper=top(S))


def test_as_many_observations_as_every_reader_keeps_whole(tmp_path):
    many = changed(TRUE["described"], description=Description("covariance", observations=2**53 - 1))
    many.save(tmp_path / "c.json")
    assert Certificate.load(tmp_path / "c.json").description.observations == 2**53 - 1
    with pytest.raises(CertificateError, match="at most 9007199254740991"):
        Description("covariance", observations=2**53)


def test_a_delete_character_in_a_name_is_ascii(tmp_path):
    changed(TRUE["perron"], names=["a\x7f", *"bcdef"]).save(tmp_path / "c.json")
    text = (tmp_path / "c.json").read_text()
    assert re.search('"a(\x7f|\\\\u007f)"', text)
    (tmp_path / "c.json").write_text(text.replace("\\u007f", "\x7f"))
    assert verify(tmp_path / "c.json")


def huge_charge():
    """A charge of 2^600 pays for its pair only because it is so large: its counterpart is 2^-600."""
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    N = np.array([[0.0, 2.0**600], [2.0**-600, 0.0]])
    point = RowsPoint(np.array([0, 1]), swap, N)
    return certificate(np.eye(2), 2, [Leaf("rows", 0)], [point], upper=2.0**601)


def list_with_many_lies():
    """Eleven supports attain less than is claimed; that the last explains so little is false."""
    made = TRUE["near optimal"]
    S = made.matrix
    supports = sorted(itertools.combinations(range(len(S)), 3), key=lambda T: -top(S[np.ix_(T, T)]))
    values = np.array([top(S[np.ix_(T, T)]) for T in supports[:12]])
    vectors = [np.linalg.eigh(S[np.ix_(T, T)])[1][:, -1] for T in supports[:12]]
    lower, upper = [*(values[:11] + 0.25), 0.0], [*(values[:11] + 0.5), values[11] / 2]
    found = listed(supports[:12], lower, upper, made.claim.listed.others, vectors)
    return changed(made, **found, upper=made.upper + 1)


def test_no_charge_is_cut_in_rationals(tmp_path):
    assert verify(huge_charge(), exact=True).outcome is Outcome.VERIFIED
    assert verify(huge_charge(), exact=False).outcome is Outcome.INCONCLUSIVE
    assert NODE is None or second([huge_charge()], tmp_path) == ["VERIFIED"]


def test_what_is_false_is_refuted_after_any_number_of_reasons(tmp_path):
    verdict = verify(list_with_many_lies(), exact=True)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.reasons[0].startswith("listed support 11 attains")
    assert verdict.reasons[-1].endswith("more bounds of supports listed are not proved")
    assert NODE is None or second([list_with_many_lies()], tmp_path) == ["REFUTED"]
