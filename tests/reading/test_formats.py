"""The same table in every kind of file that people have, and what is said of the kinds that cannot be read."""

import bz2
import gzip
import io
import lzma

import numpy as np
import pytest
from commands import as_text
from scipy import io as scipy_io
from scipy import sparse

import relaxspca as rs
from relaxspca import InputError, MissingExtra
from relaxspca.reading.files import read_covariance, read_matrix, read_observations

X = np.array([[1.5, 2.25, 0.5], [0.5, 4.0, 1.0], [3.0, 1.125, 5.0], [2.0, 2.5, 4.0]])
NAMES = ("height", "girth", "age")
LABELS = ("oak", "elm", "ash", "fir")
EXPECTED = np.cov(X, rowvar=False)


def table(sep=",", decimal="."):
    rows = [[str(value).replace(".", decimal) for value in row] for row in X.tolist()]
    return as_text(rows, ["tree", *NAMES], LABELS, sep)


def check(cov):
    assert cov.names == NAMES
    assert cov.matrix == pytest.approx(EXPECTED)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv", "t.txt"])
def test_packed_text_is_known_by_its_content(read, pack, name):
    check(read(pack(table().encode()), name=name)[0])


def test_a_packed_matrix_market_file(tmp_path):
    with gzip.open(tmp_path / "t.mtx.gz", "wb") as file:
        scipy_io.mmwrite(file, sparse.coo_array(X))
    assert rs.read(tmp_path / "t.mtx.gz").matrix == pytest.approx(EXPECTED)


@pytest.mark.parametrize("sep", [";", "\t", "|", " ", ":"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_separators_and_decimal_commas(read, sep, decimal):
    named = {"\t": "tab", " ": "space"}.get(sep, sep)
    check(read(table(sep, decimal), sep=named, decimal=decimal)[0])
    if sep in (";", "\t", "|", " "):
        check(read(table(sep, decimal), decimal=decimal)[0])


@pytest.mark.parametrize(
    "content", [table().encode(), gzip.compress(table().encode(), mtime=0)], ids=["plain", "packed"]
)
def test_standard_input(monkeypatch, content):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    cov, taken = read_covariance("-")
    check(cov)
    assert taken == "4 observations of 3 variables; first column 'tree' taken as row labels"


def test_standard_input_is_named_in_errors(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,x\n2,3\n")))
    with pytest.raises(InputError, match="^standard input: column 'b' is not numeric"):
        rs.read("-")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(InputError, match="^standard input: the file is empty"):
        rs.read("-")


@pytest.fixture
def frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(X, columns=NAMES, index=list(LABELS))


@pytest.mark.parametrize("index", [True, False])
def test_a_workbook(tmp_path, frame, index):
    pytest.importorskip("openpyxl")
    frame.to_excel(tmp_path / "t.xlsx", index=index)
    cov, taken = read_covariance(tmp_path / "t.xlsx")
    check(cov)
    assert taken.endswith("first column (oak, ...) taken as row labels" if index else "of 3 variables")


def test_a_workbook_with_an_empty_sheet_space_and_more_sheets(tmp_path, frame):
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("openpyxl")
    with pandas.ExcelWriter(tmp_path / "t.xlsx") as book:
        pandas.DataFrame().to_excel(book, sheet_name="empty")
        frame.to_excel(book, sheet_name="trees", startrow=3, startcol=2, index=False)
        (10 * frame).to_excel(book, sheet_name="later")
        frame.iloc[:, :2].to_excel(book, sheet_name="odd")
    said = "t.xlsx: the sheets 'trees' and 'later' and 'odd' are not empty: say which one is meant"
    for reader in (rs.read, read_observations, read_matrix):
        with pytest.raises(InputError, match=said):
            reader(tmp_path / "t.xlsx")
    cov, taken = read_covariance(tmp_path / "t.xlsx", sheet="trees")
    check(cov)
    assert taken == "4 observations of 3 variables; sheet 'trees' of 'empty', 'trees', 'later', 'odd'"
    assert rs.read(tmp_path / "t.xlsx", sheet="later").matrix == pytest.approx(100 * cov.matrix)
    for sheet, message in (
        ("tree", "there is no sheet 'tree': do you mean 'trees'"),
        ("empty", "'empty' is empty"),
    ):
        with pytest.raises(InputError, match=message):
            rs.read(tmp_path / "t.xlsx", sheet=sheet)


def test_a_workbook_with_one_sheet_that_is_not_empty(tmp_path, frame):
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("openpyxl")
    with pandas.ExcelWriter(tmp_path / "t.xlsx") as book:
        frame.to_excel(book, sheet_name="trees", index=False)
        pandas.DataFrame().to_excel(book, sheet_name="Sheet2")
    assert read_covariance(tmp_path / "t.xlsx")[1].endswith("sheet 'trees' of 'trees', 'Sheet2'")
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="sheet is for workbooks"):
        rs.read(tmp_path / "t.csv", sheet="trees")


def write_annotated(path, X, form):
    """Write X as the page "On-disk format" of anndata's documentation describes it."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        if form == "dense":
            file["X"] = X
        else:
            stored = sparse.csr_array(X) if form == "csr" else sparse.csc_array(X)
            group = file.create_group("X")
            group.attrs["encoding-type"] = f"{form}_matrix"
            group.attrs["shape"] = X.shape
            for part in ("data", "indices", "indptr"):
                group[part] = getattr(stored, part)
        for name, words in (("var", NAMES), ("obs", LABELS)):
            group = file.create_group(name)
            group.attrs["_index"] = "_index"
            group["_index"] = np.array(words, dtype=h5py.string_dtype())


@pytest.mark.parametrize("form", ["dense", "csr", "csc"])
def test_annotated_data(tmp_path, form):
    write_annotated(tmp_path / "t.h5ad", X, form)
    check(rs.read(tmp_path / "t.h5ad"))


def test_annotated_data_that_are_none(tmp_path):
    with pytest.importorskip("h5py").File(tmp_path / "t.h5ad", "w") as file:
        file["Y"] = X
    with pytest.raises(InputError, match=r"it is not an \.h5ad file"):
        rs.read(tmp_path / "t.h5ad")


@pytest.mark.parametrize(
    ("name", "package"),
    [("t.xlsx", "pandas"), ("t.feather", "pyarrow"), ("t.parquet", "pyarrow"), ("t.h5ad", "h5py")],
)
def test_what_is_not_installed_is_an_extra(tmp_path, absent, name, package):
    (tmp_path / name).write_bytes(b"x")
    absent(package)
    with pytest.raises(MissingExtra, match=r"pip install 'relaxspca\[files\]'"):
        rs.read(tmp_path / name)
