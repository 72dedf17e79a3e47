"""The certificate of a proved table."""

from dataclasses import replace

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.certificate import TableLeaf
from relaxspca.relaxations.several.shape import Shape
from relaxspca.search.several.certificate import table_certificate
from relaxspca.search.several.run import prove_table
from relaxspca.search.several.tree import JointProof

PITPROPS = rs.datasets.load_pitprops()


def test_a_leaf_far_below_the_others_needs_no_room_however_large_its_point():
    """Where supports have no table the dual is unbounded below, and its points run off."""
    found = prove_table(PITPROPS, Shape((5, 5)))
    plain = table_certificate(PITPROPS, found)
    assert 0 < plain.upper - found.upper < 1e-10
    at = next(
        at for at in range(1, 9) if found.tree.node(at)[0] is None and found.tree.node(at)[1].point is not None
    )
    point = found.tree.node(at)[1].point
    large = replace(point, rest=point.rest * 1e12, prices=np.abs(point.prices) + 1e9)
    found.tree.improve(at, JointProof("prices", large, -1e12))
    assert 0 < table_certificate(PITPROPS, found).upper - found.upper < 1e-10


def test_points_that_leaves_share_are_written_once():
    found = prove_table(PITPROPS, Shape.disjoint((4, 4), 13))
    made = table_certificate(PITPROPS, found)
    leaves = [at for node in made.tree if isinstance(node, TableLeaf) for at in node.points]
    assert len(leaves) > len(set(leaves)) == len(made.points)


def test_a_point_that_runs_off_does_not_widen_a_certificate():
    """The interior point method found prices of 1e9 here: their roundings left .1 % open of a closed search."""
    found = prove_table(PITPROPS, Shape((4, 4, 1)))
    made = table_certificate(PITPROPS, found)
    assert found.lower == pytest.approx(1 + 5.255158, abs=1e-6)
    assert made.upper <= found.lower * (1 + 4e-9)
    assert rs.verify(made)
