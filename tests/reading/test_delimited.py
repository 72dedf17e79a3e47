"""Names, row labels and missing cells in text files, as pandas, R and spreadsheets write them."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca import InputError
from relaxspca.reading.files import read_covariance

X = np.random.default_rng(0).normal(size=(8, 4))


@pytest.fixture
def read(tmp_path):
    def read_content(content, **options):
        file = tmp_path / "t.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_covariance(file, **options)

    return read_content


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
    assert read("0,1,2\n3,4,5\n5,7,7\n8,8,9\n")[1] == "4 observations of 3 variables"
    assert read("0.0,1.0,2.0\n3.5,4.5,5.5\n5.0,7.0,7.5\n")[1] == "3 observations of 3 variables"


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
    assert taken == f"{observations} observations of {cov.n} variables"


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


def test_a_column_of_text_that_is_left_out_is_named(read):
    assert read("sex,a,b\nM,1.5,2\nF,3,1\n")[1].endswith("; first column 'sex' taken as row labels")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0.5,,0.25\n1,2,3\n4,5,7\n", "column 2, row 1 holds an empty cell: remove or impute"),
        ("0.5,NA,0.25\n1,2,3\n4,5,7\n", "column 2, row 1 holds 'NA'"),
        (",0.5,0.25\n1,2,3\n4,5,7\n", "column 1, row 1 holds an empty cell"),
        ("NaN,0.5\n1,2\n4,5\n", "column 1, row 1 holds 'NaN'"),
        ("NA,1\nNA,2\nNA,4\n", "column 1, row 1 holds 'NA'"),
        ("a,b\n1,2\n3,N/A\n", "column 'b', row 2 holds 'N/A'"),
        ("a,b\n1,null\n3,4\n", "column 'b', row 1 holds 'null'"),
        (",a,b\nx,1,2\ny,3,\n", "column 'b', row 2 holds an empty cell"),
        ("M,1,\nF,2,3\n", "may hold names or an observation"),
    ],
)
def test_a_missing_cell_is_reported_where_it_is(read, content, message):
    with pytest.raises(InputError, match=message) as caught:
        read(content)
    assert "\n" not in str(caught.value)


def test_a_labelled_first_line_of_numbers_is_not_guessed_at(read):
    with pytest.raises(InputError, match=r"\(M, 0.1, 0.2, ...\) may hold names or an observation"):
        read("M,0.1,0.2\nF,0.3,0.5\nM,0.2,0.9\n")
    cov, taken = read("year,0,1,2\nx,4,5,6\ny,7,9,8\n")
    assert cov.names == ("0", "1", "2")
    assert taken.startswith("2 observations of 3 variables")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,,\n1,2,3\n3,4,1\n", r"variable 2 \(after 'a'\) has no name"),
        ("a,b,\n1,2,\n3,4,\n", r"variable 3 \(after 'b'\) has no name"),
        (",,b\n0,2,3\n1,4,1\n", "variable 1 has no name"),
    ],
)
def test_an_empty_name_is_refused(read, content, message):
    with pytest.raises(InputError, match=message):
        read(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "a;b\n0,5;0,7\n0,1;0,2\n",
            r"2 columns are not numeric: 'a' \(row 1 holds '0,5'\), 'b' .*: decimals seem to",
        ),
        (
            "0,5;0,7\n0,1;0,2\n0,3;0,4\n",
            r"2 columns are not numeric: 'x0' \(row 1 holds '0,5'\), .*decimals seem to stand behind a comma",
        ),
        ("Mood,,Sleep\nhappy,calm,hours\n1,2,3\n4,5,7\n", r"the second \(happy, calm, hours, ...\) above"),
        ("a,b\ncm,kg\n1,2\n4,5\n", "write one line of names, and units in the names"),
        ("a -\nb 0,5 -\nc 0,2 0,3 -\nd 0,1 0,4 0,2 -\n", "make a triangle: write numbers with .* a comma"),
        ('a,b\n"1,000",2\n3,4\n', "holds '1,000'; write numbers with a decimal point and without thousands"),
        ("a,b\n1,2\n3,4\n".encode("utf-16"), "UTF-16 text: save it as UTF-8"),
        ("a,b\n1,2\n3,4\n".encode("utf-16-le"), "UTF-16; save it as UTF-8"),
        ("größe,b\n1,2\n3,4\n".encode("latin-1"), "byte 2 is not UTF-8 text; save it as UTF-8"),
        (
            'a,b\n"1,2\n' + "3,4\n" * 60_000,
            "cannot be cut into cells: field larger than .*; is a quote missing",
        ),
    ],
)
def test_other_habits_get_a_hint(read, content, message):
    with pytest.raises(InputError, match=message):
        read(content)


def test_a_delimiter_within_quotes_is_none(read):
    cov, _ = read('"height, cm, bare";"weight, kg"\n1;2\n3;1\n4;4\n')
    assert cov.names == ("height, cm, bare", "weight, kg")


def test_an_underscore_makes_no_number(read):
    cov, _ = read("2020_1,2020_2,2021_1\n1,2,3\n2,4,7\n3,1,1\n")
    assert cov.names == ("2020_1", "2020_2", "2021_1")
    with pytest.raises(InputError, match="'a' is not numeric: row 1 holds '1_000'"):
        read("a,b\n1_000,2\n3,4\n")


def test_wavelengths_above_labels_and_decimals_are_names(tmp_path):
    rows = np.random.default_rng(0).normal(size=(6, 4)).round(3) + 0.0001
    lines = [
        "sample,400,402,404,410",
        *(f"S{i}," + ",".join(map(repr, row.tolist())) for i, row in enumerate(rows)),
    ]
    (tmp_path / "s.csv").write_text("\n".join(lines))
    cov = rs.read(tmp_path / "s.csv")
    assert cov.names == ("400", "402", "404", "410")
    assert cov.matrix == pytest.approx(np.cov(rows, rowvar=False))
    lines[1] = "S0,1,2,3,4"  # with a row of whole numbers the first may be one too
    (tmp_path / "u.csv").write_text("\n".join(lines))
    with pytest.raises(rs.InputError, match="may hold names or an observation"):
        rs.read(tmp_path / "u.csv")


def test_names_with_decimal_commas_and_titles_have_their_own_advice(tmp_path):
    wavelengths = [f"{900 + i},5" for i in range(12)]
    for label, mark in (("S", ";"), ("", ";"), ("S ", "\t")):  # labels of text, of numbers, of two words
        lines = [mark.join([f"{label}{i}", *(f"0,{(i + 3) * j + 1}" for j in range(12))]) for i in range(4)]
        (tmp_path / "spectra.csv").write_text("\n".join([mark.join(["sample", *wavelengths]), *lines]) + "\n")
        with pytest.raises(rs.InputError, match="decimals seem to stand behind a comma") as raised:
            rs.read(tmp_path / "spectra.csv")
        assert "911,5" not in str(raised.value)  # a few are named
        assert rs.read(tmp_path / "spectra.csv", decimal=",").names == ("sample", *wavelengths)[bool(label) :]
    (tmp_path / "paper.txt").write_text("Table 2 Correlations\n1 2\nage 1 .5\nsex .5 1\n")
    with pytest.raises(rs.InputError, match="delete a title"):
        rs.read(tmp_path / "paper.txt")
