"""One half of a symmetric matrix is read as the whole one, however it is printed; and nothing else is."""

import itertools

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca import Covariance, DataWarning, InputError

X = np.random.default_rng(0).normal(size=(30, 5))
R = np.corrcoef(X, rowvar=False).round(3)
S = np.cov(X * [1, 2, 3, 4, 5], rowvar=False).round(3)
NAMES = ("age", "income", "rent", "size", "year built")


def typed_half(M, *, half, blank, mark, header, names, diagonal=True, digits=".3f"):
    """Return one half of a matrix as a file: what stands for the other half, cell separator, what is named."""
    n, lines = len(M), []
    called = [name.replace(" ", "_") for name in NAMES] if mark == "  " else list(NAMES)
    if header:
        lines.append(mark.join(([""] if names and mark != "  " else []) + called))
    for i in range(n):
        inside = range(i + 1) if half == "lower" else range(i, n)
        cells = [f"{M[i, j]:{digits}}" if j in inside and (diagonal or i != j) else blank for j in range(n)]
        if blank is None:
            cells = [cell for cell in cells if cell is not None]
        lines.append(mark.join(([called[i]] if names else []) + cells))
    return "\n".join(line for line in lines if line.strip()) + "\n"


FORMS = [
    {"blank": blank, "mark": mark, "header": header, "names": names}
    for blank, mark, header, names in itertools.product(
        ("", "NA", "-", None), (",", ";", "\t", "  "), (True, False), (True, False)
    )
    if not (mark == "  " and blank == "")  # white space does not show an empty cell
]
NAMED = {"mark": ",", "header": True, "names": True}
WORDS = {"\t": "tab", "  ": "space"}  # for separators


@pytest.mark.parametrize("half", ["lower", "upper"])
@pytest.mark.parametrize("form", draws(FORMS[::2], FORMS), ids=lambda form: repr(form))
def test_every_way_to_print_half_of_a_correlation_matrix(read, half, form):
    cov, taken = read(typed_half(R, half=half, **form), sep=WORDS.get(form["mark"], form["mark"]))
    assert np.array_equal(cov.matrix, R)
    named = form["header"] or form["names"]
    expected = [name.replace(" ", "_") for name in NAMES] if form["mark"] == "  " else NAMES
    assert cov.names == (tuple(expected) if named else tuple(f"x{j}" for j in range(5)))
    assert taken == f"a correlation matrix of 5 variables; from its {half} triangle"


@pytest.mark.parametrize("half", ["lower", "upper"])
@pytest.mark.parametrize("blank", ["", "—", "NA"])
def test_a_diagonal_that_is_not_printed_is_one(read, half, blank):
    cov, taken = read(typed_half(R, half=half, blank=blank, **NAMED, diagonal=False))
    assert np.array_equal(cov.matrix, R)
    assert taken.endswith(f"; from its {half} triangle, whose diagonal is taken as 1")


@pytest.mark.parametrize("half", ["lower", "upper"])
@pytest.mark.parametrize("form", FORMS[::5], ids=lambda form: repr(form))
def test_half_of_a_covariance_matrix_has_to_be_told(read, refused, half, form):
    text, sep = typed_half(S, half=half, **form), WORDS.get(form["mark"], form["mark"])
    refused(text, "whose diagonal is not 1: .* say --covariance", sep=sep)
    cov, taken = read(text, data=False, sep=sep)
    assert np.array_equal(cov.matrix, S)
    assert taken == f"a covariance matrix of 5 variables; from its {half} triangle"
    scaled, _ = read(text, data=False, sep=sep, correlation=True)
    assert scaled.matrix == pytest.approx(S / np.sqrt(np.outer(np.diagonal(S), np.diagonal(S))))


@pytest.mark.parametrize("mark", [",", ";", "\t", "  "])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("statistics", [[], ["M", "SD"], ["n", "Mean", "Std."], ["α"]])
def test_means_and_deviations_beside_the_triangle_and_stars_are_left_out(read, mark, is_first, statistics):
    numbers = [[f"{100 * i + j}.50" for j in range(len(statistics))] for i in range(5)]
    titles = ["1", "2", "3", "4", "5"]
    blanks = [] if mark == "  " else [""]  # white space does not show an empty cell
    lines = [["Variable", *statistics, *titles] if is_first else ["Variable", *titles, *statistics]]
    for i, name in enumerate(NAMES):
        half = [f"{R[i, j]:.3f}".replace("0.", ".") + ("*" if abs(R[i, j]) > 0.2 else "") for j in range(i)]
        half += ["-", *blanks * (4 - i)]
        lines.append([f"{i + 1}. {name}", *(numbers[i] + half if is_first else half + numbers[i])])
    cov, taken = read("\n".join(map(mark.join, lines)) + "\n", sep=WORDS.get(mark, mark))
    assert np.array_equal(cov.matrix, R)
    assert cov.names == NAMES
    left = f"; left out: {', '.join(statistics)}" if statistics else ""
    assert taken.endswith(f"whose diagonal is taken as 1{left}")


def test_the_last_column_of_a_triangle_without_diagonal_may_be_left_out(read):
    text = "                 1     2     3\nAge\nIncome   .31\nRent     .25  .48\nSize    -.12 .40  .66\n"
    cov, _ = read(text)
    assert cov.names == ("Age", "Income", "Rent", "Size")
    assert cov.matrix[3].tolist() == [-0.12, 0.4, 0.66, 1]


def test_decimal_commas_and_variables_that_are_left_out(read):
    text = typed_half(R, half="lower", blank="", **NAMED | {"mark": ";"}).replace(".", ",")
    cov, _ = read(text, decimal=",", exclude=["rent"])
    kept = [0, 1, 3, 4]
    assert np.array_equal(cov.matrix, R[np.ix_(kept, kept)])


@pytest.mark.parametrize("kind", ["parquet", "feather", "xlsx"])
def test_other_kinds_of_files(saved, kind):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.where(np.tri(5, dtype=bool), R, np.nan), columns=NAMES, index=NAMES)
    cov = rs.read(saved(frame, kind), data=False)
    assert np.array_equal(cov.matrix, R)
    assert cov.names == NAMES


@pytest.mark.parametrize("blank", [np.nan, 0.0])
@pytest.mark.parametrize("is_lower", [True, False])
def test_arrays_and_frames_of_half_a_matrix_are_whole_with_a_note(blank, is_lower):
    pandas = pytest.importorskip("pandas")
    inside = np.tri(5, dtype=bool) if is_lower else np.tri(5, dtype=bool).T
    half = np.where(inside, S, blank)
    where = "above" if is_lower else "below"
    for given in (half, half.tolist(), pandas.DataFrame(half, index=NAMES, columns=NAMES)):
        with pytest.warns(DataWarning, match=f"nothing {where} the diagonal"):
            cov = Covariance(given)
        assert cov.digest == Covariance(S, cov.names).digest


STATA = "    |  a    b   c\n----+---------\n  a | 1.00\n  b | 0.5* 1.00\n  c | 0.2  0.3 1.00\n"


@pytest.mark.parametrize("text", [STATA, ",a,b,c\na,1,.5**,.2\nb,.5**,1,.3\nc,.2,.3,1\n"])
def test_what_stata_and_spss_print_is_read(tmp_path, text):
    (tmp_path / "m.txt").write_text(text)
    assert rs.read(tmp_path / "m.txt").matrix.tolist() == [[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]]


def test_what_is_no_half_stays_what_it_is(read, refused):
    # Zeros may be values: it has to be told.
    refused(typed_half(R, half="lower", blank="0", **NAMED), "two ways")
    without = typed_half(R, half="lower", blank="", **NAMED | {"names": False})
    refused(without, "row 1 holds an empty cell", data=True)
    assert read("a 1\nc .5 1\nb .2 .3 1\n")[0].names == ("a", "c", "b")
    with pytest.raises(InputError, match="not symmetric"):
        Covariance([[1.0, 0.5], [0.0, 1.0]])
    with pytest.raises(InputError, match="not symmetric"):
        Covariance([[1, 0.5, 0], [0, 1, 0], [0, 0, 1.0]])  # one entry is mistyped, not half of them printed


@pytest.mark.parametrize("m", [3, 4, 6])
def test_tables_of_observations_are_never_taken_for_half_a_matrix(read, m):
    rng = np.random.default_rng(m)
    for trial in range(draws(20, 60)):
        n = m + trial % 3 - 1
        table = rng.normal(size=(m, n)).round(2)
        lacks = rng.random((m, n)) < 0.4
        if n == m and (
            np.array_equal(lacks, ~np.tri(m, dtype=bool)) or np.array_equal(lacks, np.tri(m, k=-1) > 0)
        ):
            continue
        rows = [
            ",".join("" if lack else f"{x}" for x, lack in zip(*pair, strict=True))
            for pair in zip(table, lacks, strict=True)
        ]
        try:
            taken = read("\n".join([",".join(f"v{j}" for j in range(n)), *rows]), drop_missing=True)[1]
        except InputError:
            continue
        assert "triangle" not in taken
