"""Figures show the numbers of the result, into the axes that are given."""

import io

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from building import changed
from command.test_answers import ANSWERS
from matplotlib.figure import Figure

import relaxspca as rs
from relaxspca import plotting


@pytest.fixture(scope="module")
def path(cov):
    return rs.path(cov, k=[1, 4, 10, 13], time_limit=0)


@pytest.fixture(scope="module")
def result(cov):
    return rs.solve(cov, 8)


FIGURES = [
    ("plot_supports", "path"), ("plot_loadings", "certify"), ("plot_loadings", "generalized"),
    ("plot_loadings", "subset"), ("plot_progress", "solve"), ("plot_progress", "bound"),
    ("plot_comparison", "compare"), ("plot_components", "components"), ("plot_biplot", "components"),
    ("plot_components", "components, common"), ("plot_near_optimal", "near-optimal"),
    ("plot_shares", "path of shares"), ("plot_radii", "stability"), ("plot_selections", "path of subsets"),
    ("plot_bootstrap", "bootstrap"), ("plot_held_out", "held-out"),
]  # fmt: skip


def test_every_figure_is_here():
    assert {figure for figure, _ in FIGURES} | {"plot_path"} == set(plotting.__all__)


@pytest.mark.parametrize(("figure", "name"), FIGURES)
def test_every_figure_draws_into_the_axes_that_it_is_given(figure, name):
    draw, found = getattr(plotting, figure), ANSWERS[name][1]()
    for drawing in (lambda **told: draw(found, **told), found.plot):
        axes = Figure().subplots()
        assert drawing(ax=axes) is axes
        assert axes.has_data()
    assert draw(found).figure is not axes.figure
    assert found.plot()._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["held-out", "path of subsets"])
def test_numbers_of_variables_are_whole(name):
    ticks = ANSWERS[name][1]().plot(ax=Figure().subplots()).get_xticks()
    assert ticks.tolist() == ticks.round().tolist()


def test_bounds_and_gaps_are_those_of_the_rows(path):
    axes = plotting.plot_path(path).axes[0]
    upper, lower = axes.lines[0].get_ydata(), axes.lines[1].get_ydata()
    assert upper.tolist() == [row.upper for row in path.rows]
    assert lower.tolist() == [row.lower for row in path.rows]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["upper bound", "component found", "certified optimal", "not certified"]
    hollow = plotting.plot_path(path).axes[1].lines[-1]
    # Without time, no more than the bound of the root is known.
    assert hollow.get_xdata().tolist() == [4, 10]
    assert hollow.get_ydata().tolist() == [100 * row.gap for row in path.rows if not row.certified]


def test_where_both_bounds_agree_the_legend_lists_what_is_seen_and_the_gaps_are_seen(cov):
    path = rs.path(cov, k=[1, 2, 13])
    axes = plotting.plot_path(path).axes[0]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["component found = upper bound (to 1e-6)", "certified optimal"]
    assert [line.get_ydata().tolist() for line in axes.lines] == 2 * [[row.lower for row in path.rows]]
    axes = plotting.plot_path(path).axes[1]
    drawn = axes.lines[-1].get_ydata()
    assert drawn.tolist() == [max(100 * row.gap, 1e-6) for row in path.rows]
    low, high = axes.get_ylim()
    assert low < drawn.min() <= drawn.max() < axes.lines[0].get_ydata()[0] < high
    assert axes.get_yscale() == "log"


@pytest.mark.parametrize("is_centred", [True, False])
@pytest.mark.parametrize("is_correlation", [True, False])
def test_the_mean_squares_of_a_biplot_are_the_variances_of_the_table(is_correlation, is_centred):
    """They go by what the matrix is, and not by how it is called."""
    X = np.random.default_rng(0).normal(size=(30, 4)) * [1.0, 10.0, 100.0, 0.1] + 5
    way = {"correlation": is_correlation, "centred": is_centred, "names": ["a correlation matrix", *"bcd"]}
    found = rs.components(rs.Covariance.from_data(X, **way), [2, 2], time_limit=0)
    called = changed(found, matrix="the covariance, not the correlation matrix")
    drawings = [(found, X), (called, X)]
    if is_correlation and is_centred:
        drawings.append((found, (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)))
    for table, data in drawings:
        scores = np.asarray(plotting.plot_biplot(table, data).collections[0].get_offsets())
        assert (scores**2).sum(axis=0) / (30 - is_centred) == pytest.approx(found.raw, rel=1e-9)


def test_supports_show_every_loading_once(path):
    axes = plotting.plot_supports(path)
    drawn = sum(len(squares.get_offsets()) for squares in axes.collections)
    assert drawn == sum(len(row.indices) for row in path.rows)
    names = {label.get_text() for label in axes.get_yticklabels()}
    assert names == {name for row in path.rows for name in row.support}


def test_loadings_are_sorted_by_modulus(result):
    widths = [bar.get_width() for bar in plotting.plot_loadings(result).patches]
    loadings = result.candidate.loadings
    assert sorted(widths) == sorted(loadings[loadings != 0].tolist())
    assert (np.diff(np.abs(widths)) >= 0).all()


def test_progress_ends_at_the_bounds_of_the_result(result):
    upper, lower = plotting.plot_progress(result).lines[:2]
    assert upper.get_ydata()[-1] == result.upper
    assert lower.get_ydata()[-1] == result.lower
    assert (np.diff(upper.get_ydata()[:-1]) <= 0).all()


def test_missing_matplotlib_names_the_extra(path, absent):
    absent("matplotlib")
    for draw in (plotting.plot_supports, plotting.plot_path):
        with pytest.raises(rs.MissingExtra, match=r"relaxspca\[plot\]"):
            draw(path)


def test_a_figure_of_something_else_is_refused(cov, path, result):
    for draw in (plotting.plot_path, plotting.plot_supports):
        with pytest.raises(rs.InputError, match="this is the figure of a Path, not of a Result"):
            draw(result)
    for draw, kind in ((plotting.plot_progress, "Result or Bound"), (plotting.plot_comparison, "Comparison")):
        with pytest.raises(rs.InputError, match=f"this is the figure of a {kind}, not of a Path"):
            draw(path)
    with pytest.raises(rs.InputError, match="this is the figure of a Candidate, not of a list"):
        plotting.plot_loadings([0.6, 0.8])


def test_losses_that_are_not_closed_are_lines_between_their_bounds_and_no_points(cov):
    found = rs.near_optimal(cov, 10, within=0.01, costs=True)
    inside = found.supports[0][0]
    outside = next(name for name in found.certificate.names if name not in found.supports[0])
    wide = {name: (found.costs[name][0], found.costs[name][1] + 0.2) for name in (inside, outside)}
    stopped = changed(found, costs=found.costs | wide, open_costs=(inside, outside))
    for one, count in ((found, 0), (stopped, 2)):
        panel = plotting.plot_near_optimal(one).figure.axes[1]
        drawn = [line for line in panel.lines if len(line.get_xdata())]
        lines = [line for line in drawn if line.get_marker() == "|"]
        assert len(lines) == count
        assert {line.get_marker() for line in drawn} - {"|"} == {"o", "D"}
        assert all(len(line.get_xdata()) == 1 for line in drawn if line.get_marker() != "|")
        assert len(drawn) == len(found.costs)
        said = [text.get_text() for text in panel.figure.legends[0].get_texts()]
        assert sum("not proved" in text for text in said) == count
        for line, name in zip(lines, (inside, outside), strict=False):
            percent = [100 * value / found.lower for value in wide[name]]
            assert line.get_xdata().tolist() == pytest.approx(percent)
    # The two kinds differ by their lines as well, for print in grey.
    styles = {line.get_linestyle() for line in lines}
    assert len({str(line._dash_pattern) for line in lines}) == 2, styles


def test_loadings_of_a_ratio_are_drawn_in_a_unit_that_all_share():
    A, B = np.array([[4.0, 1.0], [1.0, 1.0]]), np.array([[2.0, 0.5], [0.5, 1.0]])
    units = np.outer([1e-4, 1.0], [1e-4, 1.0])
    widths = [
        [bar.get_width() for bar in plotting.plot_loadings(rs.generalized(M * A, M * B, 2)).patches]
        for M in (np.ones((2, 2)), units)
    ]
    assert widths[0] == pytest.approx(widths[1])


def test_what_is_written_under_the_axes_is_not_cut(cov):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    long = {"a name that takes most of the width, od280": 0.5, "b": -0.3}
    one = rs.solve(rs.Covariance(np.eye(2) + 0.5, names=list(long)), 2)
    judged = rs.compare(cov, 5, methods=["greedy", "thresholding"])
    listed = rs.near_optimal(rs.Covariance(np.eye(3) + 0.5, names=[*long, "c"]), 2, within=0)
    matrix = rs.Covariance(np.diag([3.0, 2.0, 1.0]), names=[*long, "c"])
    table = plotting.plot_components(rs.components(matrix, [1, 1], time_limit=0))
    drawn = [one.plot(), judged.plot(), listed.plot(), table]
    for axes in drawn:
        figure = getattr(axes, "figure", None) or axes
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        for label in (label for ax in figure.axes for label in (ax.xaxis.label, ax.yaxis.label, ax.title)):
            box = label.get_window_extent(canvas.get_renderer())
            assert not label.get_text() or (box.x0 >= 0 and box.x1 <= figure.bbox.x1), label.get_text()


def test_names_with_dollars_are_no_mathematics():
    from matplotlib.cbook import is_math_text
    from matplotlib.text import Text

    names = ["$k$", "a$b$", "per $", "c", "d"]
    X = np.random.default_rng(2).normal(size=(30, 5)) @ np.random.default_rng(3).normal(size=(5, 5))
    cov = rs.Covariance.from_data(X, names=names, correlation=True)
    table = rs.components(cov, [4, 3], joint=True, time_limit=0)
    result = rs.solve(cov, 3)
    drawn = [
        rs.plotting.plot_components(table),
        rs.plotting.plot_biplot(table, X),
        rs.plotting.plot_loadings(result.candidate),
        rs.plotting.plot_supports(rs.path(cov, k=[2, 3, 5])),
        rs.near_optimal(cov, 2, within=0.5).plot().axes[0],
    ]
    shown = set()
    for axes in drawn:
        texts = [text.get_text() for text in axes.findobj(Text)]
        named = [text for text in texts if text.replace("\\$", "$") in names]
        assert not any(map(is_math_text, named))
        shown |= {text.replace("\\$", "$") for text in named}
        assert not {*texts} & {"$k$", "a$b$"}
    assert shown >= {"$k$", "a$b$"}


def test_names_of_small_loadings_beside_one_of_0_are_set_apart():
    """They lie at the origin, on no side of it: room was once looked for without end."""
    table = np.array([[0.6, 0.0], [0.8, 0.0], [0.0, 0.01], [0.0, 0.02], [0.0, 1.0]])
    found = rs.certify(rs.Covariance(np.eye(5)), table)
    axes = plotting.plot_biplot(found)
    assert len({text.get_position() for text in axes.texts if text.get_text()}) == 5


def test_a_path_of_cardinalities_has_an_axis_for_parts_of_the_total_variance():
    cov = rs.Covariance(np.diag([4.0, 3.0, 2.0, 1.0]) + 0.5)
    path = rs.path(cov, k=[1, 2, 3])
    axes = plotting.plot_path(path).axes[0]
    (beside,) = axes.child_axes
    assert beside.get_ylabel() == "% of total variance"
    axes.figure.savefig(io.BytesIO())
    assert beside.get_ylim() == pytest.approx([100 * end / 12 for end in axes.get_ylim()])
    penalties = plotting.plot_path(rs.path(cov, rho=[0.5, 1.0])).axes[0]
    assert penalties.child_axes == []
