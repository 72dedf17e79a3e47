"""Names, row labels and missing cells in text files, as pandas, R and spreadsheets write them."""

import numpy as np
import pytest

X = np.random.default_rng(0).normal(size=(8, 4))


@pytest.mark.parametrize(
    "columns", [list("abcd"), range(4), ["a b", "c,d", 'e"f', "Größe µ"], range(2001, 2005)]
)
@pytest.mark.parametrize(
    "index", [range(8), range(1, 9), list("stuvwxyz"), [f"2020-01-0{i}" for i in range(1, 9)]]
)
def test_an_index_that_pandas_wrote_is_no_variable(read, columns, index):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=columns, index=index)
    cov, taken = read(frame.to_csv())
    assert cov.names == tuple(map(str, columns))
    assert cov.matrix == pytest.approx(np.cov(X, rowvar=False))
    assert taken.endswith(f"first column ({index[0]}, ...) taken as row labels")


@pytest.mark.parametrize("columns", [list("abcd"), range(4), range(10, 50, 10)])
def test_a_covariance_that_pandas_wrote_is_a_covariance(read, columns):
    pd = pytest.importorskip("pandas")
    S = pd.DataFrame(X, columns=columns).cov()
    cov, taken = read(S.to_csv())
    assert cov.names == tuple(map(str, columns))
    assert np.array_equal(cov.matrix, S.to_numpy())
    assert taken.startswith("a covariance matrix of 4 variables")
    assert "row labels" not in taken  # they are the names


def test_a_count_without_decimals_above_decimals_is_a_header(read):
    pd = pytest.importorskip("pandas")
    cov, taken = read(pd.DataFrame(X).to_csv(index=False))
    assert cov.names == ("0", "1", "2", "3")
    assert taken == "8 observations of 4 variables; first line (0, ...) taken as names"
    assert read("0,1,2\n3,4,5\n5,7,7\n8,8,9\n")[1].startswith("4 observations of 3 variables; no line of names")
    assert read("0.0,1.0,2.0\n3.5,4.5,5.5\n5.0,7.0,7.5\n")[1].startswith("3 observations of 3 variables")


@pytest.mark.parametrize("columns", [range(2001, 2005), range(1, 5), [7, 3, 9, 1]])
def test_whole_numbers_above_decimals_or_a_symmetric_matrix_are_names(read, columns):
    pd = pytest.importorskip("pandas")
    names = tuple(map(str, columns))
    data = pd.DataFrame(X, columns=columns)
    cov, taken = read(data.to_csv(index=False))
    assert cov.names == names
    assert taken == f"8 observations of 4 variables; first line ({names[0]}, ...) taken as names"
    cov, taken = read(data.cov().round().astype(int).to_csv(index=False))
    assert cov.names == names
    assert taken.startswith("a correlation matrix of 4 variables")


@pytest.mark.parametrize(
    ("content", "observations"),
    [
        ("5,3,8\n1.5,2.5,3\n2.5,1.5,4.5\n", 3),  # a whole number below
        ("5,3,5\n1.5,2.5,3.5\n2.5,1.5,4.5\n", 3),  # twice the same
        ("5,-3,8\n1.5,2.5,3.5\n2.5,1.5,4.5\n", 3),
        ("5.0,3.0,8.0\n1.5,2.5,3.5\n2.5,1.5,4.5\n", 3),
        ("5,3\n1.5,2.5\n2.5,1.5\n", 3),  # too few numbers to tell
        ("5,3,8\n2,1,0\n1,2,1\n1,0,2\n", 4),  # not symmetric
    ],
)
def test_any_other_first_line_of_numbers_is_data(read, content, observations):
    cov, taken = read(content)
    assert taken.startswith(f"{observations} observations of {cov.n} variables; no line of names")


@pytest.mark.parametrize(
    "content",
    [
        '"","a","b"\n"1",1.5,2\n"2",3,1\n"3",2,2\n',
        '"a","b"\n"1",1.5,2\n"2",3,1\n"3",2,2\n',
        '"a" "b"\n"1" 1.5 2\n"2" 3 1\n"3"  2 2\n',
        "Unnamed: 0,a,b\n0,1.5,2\n1,3,1\n2,2,2\n",
        ",a,b\n7,1.5,2\n7,3,1\n9,2,2\n",
        "sex,a,b\nM,1.5,2\nF,3,1\nM,2,2\n",
    ],
)
def test_row_labels_whatever_they_are(read, content):
    cov, taken = read(content)
    assert cov.names == ("a", "b")
    assert cov.matrix == pytest.approx(np.cov([[1.5, 3, 2], [2, 1, 2]]))
    assert taken.endswith("taken as row labels")


def test_wavelengths_above_labels_and_decimals_are_names(read, refused):
    rows = np.random.default_rng(0).normal(size=(6, 4)).round(3) + 0.0001
    lines = [
        "sample,400,402,404,410",
        *(f"S{i}," + ",".join(map(repr, row.tolist())) for i, row in enumerate(rows)),
    ]
    cov, _ = read("\n".join(lines))
    assert cov.names == ("400", "402", "404", "410")
    assert cov.matrix == pytest.approx(np.cov(rows, rowvar=False))
    lines[1] = "S0,1,2,3,4"  # with a row of whole numbers the first may be one too
    refused("\n".join(lines), "may hold names or an observation")


def test_names_with_decimal_commas_have_their_own_advice(read, refused):
    wavelengths = [f"{900 + i},5" for i in range(12)]
    for label, mark in (("S", ";"), ("", ";"), ("S ", "\t")):  # labels of text, of numbers, of two words
        lines = [mark.join([f"{label}{i}", *(f"0,{(i + 3) * j + 1}" for j in range(12))]) for i in range(4)]
        spectra = "\n".join([mark.join(["sample", *wavelengths]), *lines]) + "\n"
        assert "911,5" not in refused(spectra, "decimals seem to stand behind a comma")  # a few are named
        assert read(spectra, decimal=",")[0].names == ("sample", *wavelengths)[bool(label) :]
