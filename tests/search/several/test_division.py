import itertools

import numpy as np
import pytest

from relaxspca.relaxations.several.families import Families
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.relaxations.several.valued import Catalogue
from relaxspca.search.several.division import CaseDivision, best_division

N, K = 7, 3


def groups_at_a_point(seed, families):
    """Some groups of supports of three of seven variables, and their shares at some point."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((20, N))
    Sigma = np.corrcoef(A, rowvar=False)
    catalogue = Catalogue(np.arange(N), everything(Shape((K, K, K)), N), "support")
    ends = np.cumsum([size for _, size in families])
    numbers = np.split(rng.permutation(len(catalogue.masks))[: ends[-1]], ends[:-1])
    groups = [(count, np.sort(own)) for (count, _), own in zip(families, numbers, strict=True)]
    L = np.linalg.cholesky(0.3 * Sigma)
    return Sigma, catalogue, groups, L, Families(Sigma, catalogue, groups).shares(L, 1e-3)


@pytest.mark.parametrize(
    "families", [[(3, 35)], [(1, 1), (2, 20)], [(1, 2), (1, 1), (1, 1)], [(2, 2), (1, 30)]]
)
def test_every_table_of_a_case_is_in_one_of_those_that_follow(families):
    for seed in range(5):
        Sigma, catalogue, groups, L, shares = groups_at_a_point(seed, families)
        division = best_division(Sigma, catalogue.masks, groups, shares, L, target=1.0, gap=1.0)
        assert 0 < division.is_named.sum() < len(groups[division.group][1])
        follow = [tables(some) for some in division.apply(groups)]
        assert sum(len(some) for some in follow) == len(tables(groups))
        assert set().union(*follow) == tables(groups)


def tables(groups):
    """All choices of supports: for each set of a family how many components have it, in any order."""
    return {
        tuple(sorted(itertools.chain(*choice)))
        for choice in itertools.product(
            *(itertools.combinations_with_replacement(family.tolist(), count) for count, family in groups)
        )
    }


def test_divisions_with_many_components_name_how_many_have_a_set():
    division = CaseDivision(0, np.array([True, False, False]))
    follow = list(division.apply([(2, np.array([4, 5, 6])), (1, np.array([7]))]))
    assert [[(count, family.tolist()) for count, family in some] for some in follow] == [
        [(2, [5, 6]), (1, [7])],
        [(1, [4]), (1, [7]), (1, [5, 6])],
        [(2, [4]), (1, [7])],
    ]


@pytest.mark.filterwarnings("error")
def test_a_first_case_that_leaves_open_next_to_nothing_is_divided_without_a_warning():
    Sigma, catalogue, groups, L, shares = groups_at_a_point(0, [(3, 35)])
    least = float(np.finfo(float).tiny)
    division = best_division(Sigma, catalogue.masks, groups, shares, L, target=1.0, gap=least)
    assert 0 < division.is_named.sum() < len(groups[0][1])
