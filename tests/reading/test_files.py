"""Text and arrays are read as they are written: separators, names, row labels, missing cells, archives."""

import numpy as np
import pytest
from commands import as_text
from scipy import io, sparse

from relaxspca import InputError
from relaxspca.reading.files import read_covariance, read_matrix, read_observations

S = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]])
X = np.array([[1.0, 2.0, 0.0], [0.5, 4.0, 1.0], [3.0, 1.0, 5.0], [2.0, 2.5, 4.0]])


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (as_text(S), ("x0", "x1", "x2")),
        (as_text(S, ["a", "b", "c"]), ("a", "b", "c")),
        (as_text(S, ["a", "b", "c"], mark="\t"), ("a", "b", "c")),
        (as_text(S, ["a", "b", "c"], mark=";"), ("a", "b", "c")),
        (as_text(S, None, mark=" "), ("x0", "x1", "x2")),
        (as_text(S, ["", "a", "b", "c"], labels=["a", "b", "c"]), ("a", "b", "c")),
        (as_text(S, ["a", "b", "c"], labels=["a", "b", "c"]), ("a", "b", "c")),
        ("\n" + as_text(S, ['"a"', '"b"', '"c, d"']), ("a", "b", "c, d")),
        ("\ufeff" + as_text(S, ["a", "b", "c"]), ("a", "b", "c")),
        (as_text(S, ["a", "b", "c"]).replace("\n", "\r\n"), ("a", "b", "c")),
    ],
)
def test_text_files(read, content, names):
    cov, taken = read(content)
    assert np.array_equal(cov.matrix, S)
    assert cov.names == names
    assert taken.partition(";")[0] == "a covariance matrix of 3 variables"


def test_an_archive_says_what_it_holds(tmp_path):
    np.savez(tmp_path / "x.npz", X=S, names=np.array(["a", "b", "c"]))
    cov, taken = read_covariance(tmp_path / "x.npz")
    assert cov.names == ("a", "b", "c")
    assert taken == "3 observations of 3 variables"
    sparse.save_npz(tmp_path / "sparse.npz", sparse.csr_array(X))
    assert read_covariance(tmp_path / "sparse.npz")[0].matrix == pytest.approx(np.cov(X, rowvar=False))


def test_what_is_square_and_symmetric_is_a_covariance_unless_told(read, refused):
    assert read(as_text(X))[1].startswith("4 observations of 3 variables")
    assert read(as_text(X[:3]))[1].startswith("3 observations of 3 variables")
    assert read("1,2\n-2,1\n")[1].startswith("2 observations of 2 variables")
    cov, taken = read(as_text(S), data=True)
    assert taken.startswith("3 observations of 3 variables")
    assert cov.matrix == pytest.approx(np.cov(S, rowvar=False))
    refused(as_text(X), "square, but this one is 4 x 3", data=False)


def test_a_file_without_names_says_how_its_columns_are_called(read):
    cov, taken = read(as_text(X))
    assert cov.names == ("x0", "x1", "x2")
    assert taken == "4 observations of 3 variables; no line of names: the columns are called x0 to x2"
    assert read(as_text(S))[1].endswith("the columns are called x0 to x2")
    assert read("1\n3\n2\n", data=True)[1].endswith("the columns are called x0")
    assert "no line of names" not in read("a,b\n1,2\n3,1\n2,5\n")[1]


def test_correlation_scales_data_and_covariances(read):
    scale = np.sqrt(np.diagonal(S))
    assert read(as_text(S), correlation=True)[0].matrix == pytest.approx(S / np.outer(scale, scale))
    standardised = read(as_text(X), correlation=True)[0]
    assert standardised.matrix == pytest.approx(np.corrcoef(X, rowvar=False))


def test_what_is_not_a_file_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no file .*absent.csv$"):
        read_covariance(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_covariance(tmp_path)


def test_of_two_arrays_the_one_that_was_asked_for_is_read(tmp_path):
    file = tmp_path / "both.npz"
    np.savez(file, S=S, X=X)
    cov, taken = read_covariance(file, data=True)
    assert cov.matrix == pytest.approx(np.cov(X, rowvar=False))
    assert taken == "4 observations of 3 variables; array X of the file"
    for data in (False, None):
        cov, taken = read_covariance(file, data=data)
        assert np.array_equal(cov.matrix, S)
        assert taken == "a covariance matrix of 3 variables; array S of the file"
    np.savez(tmp_path / "other.npz", table=X, names=np.array(["a", "b", "c"]))
    cov, taken = read_covariance(tmp_path / "other.npz", data=True)
    assert cov.names == ("a", "b", "c")
    assert taken.endswith("array table of the file")
    np.savez(tmp_path / "many.npz", S=S, Z=X)
    with pytest.raises(InputError, match="holds the arrays S, Z; name the matrix"):
        read_covariance(tmp_path / "many.npz", data=True)


def test_observations_are_looked_for_in_an_archive_of_both(tmp_path):
    np.savez(tmp_path / "both.npz", S=S, X=X)
    assert np.array_equal(read_matrix(tmp_path / "both.npz")[0], X)
    np.savez(tmp_path / "symmetric.npz", X=S)  # its name says that these are observations
    assert np.array_equal(read_observations(tmp_path / "symmetric.npz")[0], S)


def test_complex_entries_are_refused_in_every_format(tmp_path):
    np.save(tmp_path / "c.npy", S + 1j)
    np.savez(tmp_path / "c.npz", S=S + 1j)
    sparse.save_npz(tmp_path / "sparse.npz", sparse.csr_array(S + 1j))
    io.mmwrite(tmp_path / "c.mtx", sparse.coo_array(S + 1j))
    for name in ("c.npy", "c.npz", "sparse.npz", "c.mtx"):
        with pytest.raises(InputError, match=f"{name}: .*complex"):
            read_covariance(tmp_path / name)


def test_truth_values_are_zeros_and_ones(tmp_path):
    np.save(tmp_path / "b.npy", np.eye(3, dtype=bool))
    cov, taken = read_covariance(tmp_path / "b.npy")
    assert np.array_equal(cov.matrix, np.eye(3))
    assert taken == "a correlation matrix of 3 variables"


def test_an_array_and_an_archive_may_go_by_each_others_name(tmp_path):
    np.save(tmp_path / "array.npy", S)
    np.savez(tmp_path / "archive.npz", S=S, names=["a", "b", "c"])
    (tmp_path / "array.npy").rename(tmp_path / "array.npz")
    (tmp_path / "archive.npz").rename(tmp_path / "archive.npy")
    assert np.array_equal(read_covariance(tmp_path / "array.npz")[0].matrix, S)
    assert read_covariance(tmp_path / "archive.npy")[0].names == ("a", "b", "c")


@pytest.mark.parametrize("names", [np.array([b"a", b"b", b"c"]), np.array([["a"], ["b"], ["c"]])])
def test_names_of_an_archive_may_be_bytes_or_a_column(tmp_path, names):
    np.savez(tmp_path / "a.npz", X=X, names=names)
    assert read_covariance(tmp_path / "a.npz")[0].names == ("a", "b", "c")


DRAWN = np.random.default_rng(0).normal(size=(8, 4))


@pytest.mark.parametrize(
    "columns", [list("abcd"), range(4), ["a b", "c,d", 'e"f', "Größe µ"], range(2001, 2005)]
)
@pytest.mark.parametrize(
    "index", [range(8), range(1, 9), list("stuvwxyz"), [f"2020-01-0{i}" for i in range(1, 9)]]
)
def test_an_index_that_pandas_wrote_is_no_variable(read, columns, index):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(DRAWN, columns=columns, index=index)
    cov, taken = read(frame.to_csv())
    assert cov.names == tuple(map(str, columns))
    assert cov.matrix == pytest.approx(np.cov(DRAWN, rowvar=False))
    assert taken.endswith(f"first column ({index[0]}, ...) taken as row labels")


@pytest.mark.parametrize("columns", [list("abcd"), range(4), range(10, 50, 10)])
def test_a_covariance_that_pandas_wrote_is_a_covariance(read, columns):
    pd = pytest.importorskip("pandas")
    S = pd.DataFrame(DRAWN, columns=columns).cov()
    cov, taken = read(S.to_csv())
    assert cov.names == tuple(map(str, columns))
    assert np.array_equal(cov.matrix, S.to_numpy())
    assert taken.startswith("a covariance matrix of 4 variables")
    assert "row labels" not in taken  # they are the names


def test_a_count_without_decimals_above_decimals_is_a_header(read):
    pd = pytest.importorskip("pandas")
    cov, taken = read(pd.DataFrame(DRAWN).to_csv(index=False))
    assert cov.names == ("0", "1", "2", "3")
    assert taken == "8 observations of 4 variables; first line (0, ...) taken as names"
    assert read("0,1,2\n3,4,5\n5,7,7\n8,8,9\n")[1].startswith("4 observations of 3 variables; no line of names")
    assert read("0.0,1.0,2.0\n3.5,4.5,5.5\n5.0,7.0,7.5\n")[1].startswith("3 observations of 3 variables")


@pytest.mark.parametrize("columns", [range(2001, 2005), range(1, 5), [7, 3, 9, 1]])
def test_whole_numbers_above_decimals_or_a_symmetric_matrix_are_names(read, columns):
    pd = pytest.importorskip("pandas")
    names = tuple(map(str, columns))
    data = pd.DataFrame(DRAWN, columns=columns)
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
