"""Components are read from anywhere; tables are judged: each alone, given the earlier ones, and together."""

import re

import numpy as np
import pytest
from draws import draws
from interrupts import interrupt
from published import ZOU

import relaxspca as rs
from relaxspca.errors import InputError
from relaxspca.tasks import certify as assessing
from relaxspca.tasks.read_table import read_component, read_table

PITPROPS = rs.datasets.load_pitprops()

V = np.array([[of.get(name, 0.0) for of in ZOU.values()] for name in PITPROPS.names])


@pytest.fixture(scope="module")
def zou():
    """The judgement, from a table that is found quickly: a better one would take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("relaxspca.candidates.several.local_search.STALE", 0.5)
        return rs.certify(PITPROPS, ZOU, node_limit=draws(0, None))


def test_the_printed_table_explains_what_its_authors_say(zou):
    # Their table 3: adjusted 28.0, 14.0, 13.3, 7.4, 6.8, 6.2, together 75.8 %.
    shares = [100 * record["adjusted_share"] for record in zou.to_records()]
    assert shares == pytest.approx([28.0, 14.0, 13.3, 7.4, 6.8, 6.2], abs=0.051)
    assert sum(shares) == pytest.approx(75.77, abs=0.005)
    assert zou.overlap == pytest.approx(0.015, abs=1e-4)
    assert "not orthogonal (inner products up to 0.016)" in zou.statement


def test_the_same_component_twice_has_an_inner_product_of_one():
    twice = rs.certify(PITPROPS, {"A": ZOU["PC1"], "B": ZOU["PC1"]}, node_limit=0, time_limit=0)
    assert "not orthogonal (inner products up to 1)" in twice.statement


def test_the_printed_table_is_judged_whole(zou):
    # The orthogonal loadings on its own supports explain more than what a search of the root found.
    assert zou.attained == pytest.approx(10.45941, abs=1e-4)
    assert zou.attained <= zou.lower <= zou.upper <= draws(11.4, 10.76)
    assert zou.status in ("open", "improvable")
    assert "interrupted" not in zou.statement
    product = zou.refitted.T @ zou.refitted
    assert product == pytest.approx(np.eye(6), abs=1e-14)
    for j, names in enumerate(zou.support):
        used = {PITPROPS.names[i] for i in np.flatnonzero(zou.refitted[:, j])}
        assert used <= set(names)


def test_a_component_is_judged_given_the_earlier_ones(zou):
    later = zou.given_earlier
    # On what the first leaves, the second is short of the proved best of 4 variables.
    alone = rs.certify(PITPROPS, ZOU["PC2"], after=[ZOU["PC1"]])
    assert (later[1].lower, later[1].upper) == (alone.lower, alone.upper)
    assert "after 1 component was taken out" in alone.statement
    assert alone.certificate.description.deflation.loadings.shape[1] == 1
    assert rs.verify(alone.certificate)
    x = V[:, 0] / np.linalg.norm(V[:, 0])
    Q = np.eye(13) - np.outer(x, x)
    left = Q @ PITPROPS.matrix @ Q
    y = V[:, 1] / np.linalg.norm(V[:, 1])
    assert alone.lower == pytest.approx(y @ left @ y, rel=1e-12)
    assert alone.upper == pytest.approx(rs.solve(rs.Covariance((left + left.T) / 2), 4).upper, rel=1e-6)
    # The last three have one variable each, the best one left: "optimal", alone and after the others.
    assert [one.status for one in later[3:]] == ["optimal"] * 3


@pytest.mark.usefixtures("short_starts")
def test_a_proved_later_component_is_optimal_and_nothing_says_that_it_can_be_bettered():
    cov = PITPROPS.restrict(range(9))
    found = rs.components(cov, [4, 3, 3])
    judged = rs.certify(cov, found, node_limit=0)
    assert [one.status for one in judged.given_earlier] == ["optimal"] * 3
    rows = [line for line in repr(judged).splitlines() if re.match(r"\| \d \|", line)]
    assert len(rows) == 3
    assert not any("not optimal" in row for row in rows)
    second = rs.certify(cov, found.candidates[1], after=found.candidates[:1])
    assert second.status == "optimal"
    # As a first component it is not the best, which is said to be a matter of how it was judged.
    alone = rs.certify(cov, found.candidates[1])
    assert alone.status == "improvable"
    assert "Assessed as a first component." in alone.statement


def frame(pandas):
    return pandas.DataFrame(V, index=list(PITPROPS.names), columns=list(ZOU))


def test_every_way_to_give_a_table_is_the_same():
    pandas = pytest.importorskip("pandas")
    data = frame(pandas)
    unit = V / np.linalg.norm(V, axis=0)
    named = data.reset_index(names="variable").sample(frac=1, random_state=0)
    used = data[data.any(axis=1)]
    model = type("Model", (), {"components_": V.T, "fit": None})()
    reordered = type("Model", (), {"components_": V[::-1].T, "feature_names_in_": PITPROPS.names[::-1]})()
    other = type("SparsePCA", (), {"coef_": V})()
    for table in (
        ZOU,
        {title: [of.get(name, 0.0) for name in PITPROPS.names] for title, of in ZOU.items()},
        list(ZOU.values()),
        V,
        V.T,
        V.tolist(),
        V.T.tolist(),
        data,
        data.T,
        data.sample(frac=1, random_state=0),
        data.T.sample(frac=1, axis=1, random_state=0),
        used,
        named,
        pandas.DataFrame(V),
        model,
        reordered,
        other,
    ):
        found = np.column_stack([component.loadings for component in read_table(PITPROPS, table)])
        assert np.abs(found) == pytest.approx(np.abs(unit), abs=1e-15)


def test_supports_by_name_or_index_are_a_table_too():
    wanted = [("topdiam", "length"), ("moist", "testsg", "knots")]
    for table in (
        {"a": list(wanted[0]), "b": list(wanted[1])},
        [list(names) for names in wanted],
        [[0, 1], [2, 3, 11]],
    ):
        assert [found.support for found in read_table(PITPROPS, table)] == wanted
    square = [["topdiam", "length"], ["moist", "testsg"]]
    assert [[*found.support] for found in read_table(PITPROPS, square)] == square


def test_fitted_estimators_of_scikit_learn():
    decomposition = pytest.importorskip("sklearn.decomposition")
    X = np.random.default_rng(0).normal(size=(60, 4)) @ np.diag([3, 2.5, 1, 1])
    cov = rs.Covariance.from_data(X)
    for model in (decomposition.PCA(2), decomposition.SparsePCA(2, alpha=1.0, random_state=0)):
        with pytest.raises(InputError, match="fit it first"):
            rs.certify(cov, model)
        judged = rs.certify(cov, model.fit(X))
        unit = model.components_ / np.linalg.norm(model.components_, axis=1, keepdims=True)
        assert np.abs(judged.loadings_array.T) == pytest.approx(np.abs(unit), abs=1e-12)
        assert judged.lower <= judged.upper


def test_blank_cells_of_a_frame_are_zeros():
    data = frame(pytest.importorskip("pandas"))
    for blank in (
        data.replace(0.0, np.nan),
        data.astype(str).replace("0.0", " "),
    ):  # as read from a printed table
        with pytest.warns(rs.DataWarning, match=r"\d+ empty cells of the table read as 0"):
            again = read_table(PITPROPS, blank)
        for found, expected in zip(again, read_table(PITPROPS, data), strict=True):
            assert np.array_equal(found.loadings, expected.loadings)


def refused_tables(pandas):
    """Yield tables that cannot be read, or in two ways, and the words of the error."""
    data = frame(pandas)
    yield data.rename(index={"topdiam": "variance"}), "'variance', which is not a variable"
    yield data.iloc[:6].set_axis(list(PITPROPS.names[:6]), axis=1), "both the rows and the columns"
    yield data.assign(PC1="much"), "no numbers, as 'much'"
    # What numbers the lines, as pandas and R do, is no component: it was judged as one, the first.
    for first in (0, 1):
        counts, words = (
            np.arange(first, first + 13),
            f"counts {first}, {first + 1}, .*: does it number the lines",
        )
        numbered, stacked = data.assign(line=counts), np.column_stack([counts, V])
        yield from ((table, words) for table in (
            stacked, stacked.tolist(), np.vstack([counts, V.T]), pandas.DataFrame(V).assign(line=counts),
            numbered, numbered.T, numbered.rename_axis("name").reset_index(),
        ))  # fmt: skip
    # In another order, or in capitals, the same numbers would be those of other variables.
    capitals = data.rename(index=str.upper).iloc[::-1]
    for table in (capitals, capitals.T, capitals["PC1"], {"a": capitals["PC1"], "b": capitals["PC2"]}):
        yield table, "'DIAKNOT', which is not a variable.*to_numpy"
    twice = data.rename(index={"length": "topdiam"})
    yield twice["PC1"], "a variable is given twice"
    yield twice, "'topdiam' is given twice"


def test_tables_that_cannot_be_read_are_errors():
    for table, words in refused_tables(pytest.importorskip("pandas")):
        with pytest.raises(InputError, match=words):
            rs.certify(PITPROPS, table)


def test_counts_and_labels_that_are_no_names_are_read_where_they_can_be_nothing_else():
    data = frame(pytest.importorskip("pandas"))
    for counts in (np.arange(13.0), np.arange(1.0, 14.0)):
        unit = counts / np.linalg.norm(counts)
        assert read_table(PITPROPS, data.assign(line=counts / 2))[-1].loadings == pytest.approx(unit)
        assert read_table(PITPROPS, counts)[0].loadings == pytest.approx(unit)
    small = rs.Covariance([[2.0, 1.0], [1.0, 2.0]])
    assert [found.k for found in read_table(small, [[0.0, 1.0], [1.0, 0.0]])] == [1, 1]
    unit = V / np.linalg.norm(V, axis=0)
    for labels in (range(1, 14), [f"V{i}" for i in range(1, 14)], [str(i) for i in range(13)]):
        found = np.column_stack([one.loadings for one in read_table(PITPROPS, data.set_axis(labels))])
        assert np.abs(found) == pytest.approx(np.abs(unit), abs=1e-15)
    unnamed = rs.Covariance(PITPROPS.matrix)
    assert [one.k for one in read_table(unnamed, data.rename(index=str.upper))] == [7, 4, 4, 1, 1, 1]


def test_models_that_have_no_components_are_refused():
    pytest.importorskip("sklearn")
    from sklearn.decomposition import SparsePCA
    from sklearn.pipeline import make_pipeline

    with pytest.raises(InputError, match="SparsePCA is a class"):
        rs.certify(PITPROPS, SparsePCA)
    with pytest.raises(InputError, match=r"a Pipeline has .* give its last step, model\[-1\]"):
        rs.certify(PITPROPS, make_pipeline(SparsePCA(2)))


def test_variables_are_counted_apart_from_the_cardinality_that_a_table_is_judged_at():
    judged = rs.certify(PITPROPS.restrict(range(5)), [["topdiam", "length"], ["moist", "testsg"]], k=[3, 2])
    assert "| 1 | 3 | topdiam, length |" in repr(judged)
    assert "| variables | 2 | 2 |" in repr(judged)
    assert "components of 3 and 2 variables" in judged.statement


def test_loadings_that_are_written_are_read_back(tmp_path):
    found = rs.components(PITPROPS, [3, 2])
    from relaxspca.reading.loadings import read_loadings

    found.loadings_csv(tmp_path / "loadings.csv")
    back = read_table(PITPROPS, read_loadings(tmp_path / "loadings.csv", PITPROPS.names))
    assert [one.support for one in back] == list(found.support)
    assert back[1].loadings == pytest.approx(found.loadings_array[:, 1], abs=1e-15)
    np.save(tmp_path / "loadings.npy", found.loadings_array)
    array = read_loadings(tmp_path / "loadings.npy", PITPROPS.names)
    assert array.tolist() == found.loadings_array.tolist()


@pytest.mark.parametrize("call", [1, 2, 4])
def test_ctrl_c_before_a_verdict_keeps_the_others_and_ends_the_work(call, monkeypatch):
    limits, joint = [], assessing.joint_components

    def told(*arguments, **options):
        limits.append(options["limits"].deadline.left)
        return joint(*arguments, **options)

    interrupt(monkeypatch, assessing, "best_candidate", call)
    monkeypatch.setattr(assessing, "joint_components", told)
    found = rs.certify(PITPROPS, [["topdiam", "length"], ["moist", "testsg"], ["ringtop", "ringbut"]])
    assert found.statement.splitlines()[0].endswith(", interrupted.")
    assert len(found.first) == len(found.given_earlier) == 3
    assert limits == [0.0]
    for one in (*found.first, *found.given_earlier):
        assert one.lower <= one.upper
        assert rs.verify(one.certificate)


def test_the_better_table_is_named_and_explains_what_is_said():
    cov = PITPROPS.restrict(["topdiam", "length", "moist", "testsg", "knots", "clear"])
    judged = rs.certify(cov, [["topdiam", "moist"], ["knots", "clear"]])
    assert judged.status == "improvable"
    (line,) = [line for line in judged.statement.splitlines() if line.startswith("The better set")]
    named = [
        part.split(", ")
        for part in line.removeprefix("The better set has the variables ").removesuffix(".").split("; ")
    ]
    again = rs.certify(cov, named)
    assert again.status == "optimal"
    assert again.attained == judged.lower > 1.6 * judged.attained
    assert "The better set" not in again.statement


def test_components_on_one_support_can_be_judged_in_two_ways():
    few = PITPROPS.restrict(range(5))
    found = rs.components(few, 2, 2, joint=True, common=True)
    with pytest.raises(InputError, match="among such components already: .* among all orthogonal"):
        rs.certify(few, found)
    judged = rs.certify(few, found.loadings_array)
    assert judged.attained >= found.lower * (1 - 1e-9)
    assert judged.upper >= rs.components(few, [2, 2], joint=True).lower


COV = rs.Covariance(np.diag([4.0, 3.0, 2.0, 1.0]) + 0.5, names=["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("component", "support"),
    [
        ([0.6, 0.0, 0.8, 0.0], [0, 2]),
        ([[0.6, 0.0, 0.8, 0.0]], [0, 2]),
        ([[0.6], [0.0], [0.8], [0.0]], [0, 2]),
        (np.array([3, 0, 4, 0]), [0, 2]),
        ([2, 0], [0, 2]),
        ([3, 2, 1, 0], [0, 1, 2, 3]),
        (["c", "a"], [0, 2]),
        (np.array(["c", "a"], dtype=object), [0, 2]),
        ([True, False, True, False], [0, 2]),
        (rs.Candidate.from_support(COV, [0, 2]), [0, 2]),
    ],
)
def test_every_way_to_name_a_component(component, support):
    read = read_component(COV, component)
    assert read.indices.tolist() == support
    assert np.linalg.norm(read.loadings) == pytest.approx(1)


def test_loadings_keep_their_direction():
    assert read_component(COV, [-3.0, 0, -4, 0]).loadings == pytest.approx([0.6, 0, 0.8, 0])


def test_a_labelled_series_is_put_in_order():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series({"d": 0.0, "c": 0.8, "b": 0.0, "a": 0.6})
    assert read_component(COV, series).loadings == pytest.approx([0.6, 0, 0.8, 0])
    frame = pandas.DataFrame({"pc": series})
    assert read_component(COV, frame).loadings == pytest.approx([0.6, 0, 0.8, 0])
    for wide in (pandas.concat([frame, frame], axis=1), frame.T, frame.iloc[:, :0]):
        with pytest.raises(InputError, match="one component at a time: this frame has"):
            read_component(COV, wide)
    unlabelled = pandas.Series([0.0, 0.6, 0.8, 0.0])
    assert read_component(COV, unlabelled).indices.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("component", "message"),
    [
        ([0.6, 0.8], "2 loadings given for 4 variables"),
        ([0.0, 0.0, 0.0, 0.0], "all zero"),
        ([np.nan, 1.0, 0.0, 0.0], "contain nan"),
        ([1.0, np.inf, 0.0, 0.0], "contain inf"),
        (np.eye(4)[:2], "one component at a time"),
        ([[1.0, 2.0], [3.0]], "differ in length"),
        ([], "0 loadings given for 4 variables"),
        ([0, 4], "variable 4 is outside 0..3"),
        (["a", "z"], "no variable 'z'"),
        ([True, False], "a mask needs 4 entries"),
        ([1j, 0, 0, 0], "must be real numbers"),
        ([None, 1.0, 0.0, 0.0], "must be real numbers"),
        (np.ma.masked_array([0.6, 5.0, 0.8, 0.0], [0, 1, 0, 0]), "masked entries"),
        (np.array(["2020", "2021"] * 2, dtype="datetime64[D]"), "must be real numbers"),
        (3.0, "must be loadings, names of variables or a Candidate, not a float"),
        ("a", "not a str"),
        ({"a": 1.0}, "not a dict"),
    ],
)
def test_what_is_no_component_is_named(component, message):
    with pytest.raises(InputError, match=message):
        read_component(COV, component)
