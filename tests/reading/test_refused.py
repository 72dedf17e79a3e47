"""Text that can be read in no way, or in two, is refused in one line that says where, why and what to write."""

import gzip

import numpy as np
import pytest
from reading.test_choice import TREES

HALF = "a 1\nb .5 1\nc .2 .3 1\n"
REFUSED = {  # what is refused: texts, the words of the error, options
    "a file without numbers": [
        ("", "the file is empty"),
        ("# nothing\n\n", "the file is empty"),
        ("a,b\n", "a header line but no numbers below"),
        ("It was a dark and stormy night.\n", "."),
        (b"\x00\xff\xfe\x01", "cannot be read"),
    ],
    "what has no covariance": [
        ("1,2,3\n", "at least two observations"),
        ("0,0\n0,0\n", "are zero"),
    ],
    "rows of unequal length": [
        ("1,2\n3\n", "row 2 has 1 cell, not 2"),
        ("a,b,c\n1,2,3\n3,4\n", "row 2 has 2 cells, not 3"),
    ],
    "a binary file that is none": [
        (b"not a numpy file", "it is not a file that numpy saved", {"name": "broken.npy"}),
        (b"PK\x03\x04 truncated", "cannot be read", {"name": "broken.npz"}),
        (b"%%MatrixMarket nonsense\n1 1\n", "cannot be read", {"name": "broken.mtx"}),
        (
            b"%%MatrixMarket matrix array integer general\n2 1\n1\n" + b"9" * 20,
            "cannot be read: Line 4: Integer out of range",
            {"name": "large.mtx"},
        ),
        (gzip.compress(b"a,b\n1,2\n3,1\n" * 9)[:-12], r"t\.gz: it cannot be unpacked", {"name": "t.gz"}),
    ],
    "a missing cell, reported where it is": [
        ("a,b\n1,x\n2,3\n", "column 'b' is not numeric: row 1 holds 'x'"),
        ("a,b\n1,\n2,3\n", "column 'b', row 1 holds an empty cell: remove or impute"),
        ("1,2\nnan,3\n", "column 1, row 2 holds 'nan': remove or impute"),
        ("1,2\ninf,3\n", "column 1, row 2 holds 'inf': every entry must be finite"),
        ("0.5,,0.25\n1,2,3\n4,5,7\n", "column 2, row 1 holds an empty cell: remove or impute"),
        ("0.5,NA,0.25\n1,2,3\n4,5,7\n", "column 2, row 1 holds 'NA'"),
        (",0.5,0.25\n1,2,3\n4,5,7\n", "column 1, row 1 holds an empty cell"),
        ("NaN,0.5\n1,2\n4,5\n", "column 1, row 1 holds 'NaN'"),
        ("NA,1\nNA,2\nNA,4\n", "column 1, row 1 holds 'NA'"),
        ("a,b\n1,2\n3,N/A\n", "column 'b', row 2 holds 'N/A'"),
        ("a,b\n1,null\n3,4\n", "column 'b', row 1 holds 'null'"),
        (",a,b\nx,1,2\ny,3,\n", "column 'b', row 2 holds an empty cell"),
        ("a,b\n1,?\n2,3\n4,7\n", r"row 1 holds '\?': remove .* values first, or drop the 1 of 3 observations"),
    ],
    "too few observations that are complete, and what is not missing but infinite": [
        ("a,b\n1,\n2,\n3,5\n,4\n", "only 1 of 4 observ.* such as 'b', which has 2", {"drop_missing": True}),
        ("a,b\n1,inf\n2,3\n,5\n4,4\n", "row 1 holds 'inf': every entry must be finite", {"drop_missing": True}),
    ],
    "a hole in a matrix, which is no observation to drop": [
        (
            "a,b,c\n2,,1\n1,3,1\n1,1,5\n",
            "holds an empty cell: remove or impute missing values first$",
            {"data": False},
        ),
    ],
    "names that are missing or stand twice": [
        ("a,,\n1,2,3\n3,4,1\n", r"variable 2 \(after 'a'\) has no name"),
        ("a,b,\n1,2,\n3,4,\n", r"variable 3 \(after 'b'\) has no name"),
        (",,b\n0,2,3\n1,4,1\n", "variable 1 has no name"),
        ("a,a\n1,2\n2,1\n", "the name 'a' is used twice"),
        ("note,a,b,note\n1,1,3,2\n5,2,1,2\n3,4,4,9\n", "the name 'note' is used twice"),
        ("note,a,b,note\n1,1,3,2\n5,2,1,2\n3,4,4,9\n", "two columns have that name", {"exclude": ["a"]}),
    ],
    "a first line that may be names or an observation": [
        ("M,1,\nF,2,3\n", "may hold names or an observation"),
        ("M,0.1,0.2\nF,0.3,0.5\nM,0.2,0.9\n", r"\(M, 0.1, 0.2, ...\) may hold names or an observation"),
        *(
            (f"{first}\n4,5,6\n1,8,3\n{last}", r"the first line \(.*\) may hold names or an observation")
            for first, last in (
                ("2,(1.5),3", "7,7,2\n"), ("1.5,abc,3", "7,7,2\n"), ("N.A.,2,3", "7,7,2\n"),
                ("-,2,3", "7,7,2\n"), ("150,4,setosa", "7,7,2\n"), ("TRUE,2,7", "7,7,2\n"), ("0,x,5", ""),
            )
        ),
    ],
    "a line that begins with # and need not be a comment": [
        (text, rf"line {line} \('#.*'\) begins with #: it may be a comment or {what}; delete the line, or put")
        for text, line, what in (
            (",height,girth\n#1,21,3\n#2,18,2\nr3,16,1\nr4,15,4\n", 2, "an observation"),
            ("a,b\n1,2\n#3,1\n4,4\n6,1\n", 3, "an observation"),
            ("a b\n1 2\n# 3 1\n4 4\n6 1\n", 3, "an observation"),
            ("#DIV/0!,1,2\n3,4,5\n1,1,7\n", 1, "an observation"),
            ("#height,girth\n21,3\n18,2\n16,1\n", 1, "the names of the variables"),
            ("# height girth\n21 3\n18 2\n16 1\n", 1, "the names of the variables"),
        )
    ],
    "lines above the names": [
        ("Mood,,Sleep\nhappy,calm,hours\n1,2,3\n4,5,7\n", r"the second \(happy, calm, hours, ...\) above"),
        ("a,b\ncm,kg\n1,2\n4,5\n", "write one line of names, and units in the names"),
        ("Trees\n\ntree,a,b\noak,1.5,2\nelm,3,1\n", "first line holds only 'Trees': delete what stands above"),
        ("Table 2 Correlations\n1 2\nage 1 .5\nsex .5 1\n", "delete a title"),
    ],
    "decimal commas and thousands": [
        (
            "0,5;0,7\n0,1;0,2\n0,3;0,4\n",
            r"2 columns are not numeric: 'x0' \(row 1 holds '0,5'\), .*decimals seem to stand behind a comma",
        ),
        (
            "a;b\n1,580;2,100\n491;3,250\n1,200;873\n",
            "'b' .row 1 holds '2,100'.: write numbers with .* without thousands separators, or say",
        ),
        ("age,b,c\n1.5,2,3\n4,5.5,7\n2,2,1.5\n", "commas seem to separate its cells", {"decimal": ","}),
        ("a -\nb 0,5 -\nc 0,2 0,3 -\nd 0,1 0,4 0,2 -\n", "make a triangle: write numbers with .* a comma"),
        ("x,a,b,c\na,1\nb,.5,1\nc,.2,.3,1\n", "make a triangle: .* observations are asked for", {"data": True}),
        ("a,b\n1_000,2\n3,4\n", "'a' is not numeric: row 1 holds '1_000'"),
    ],
    "a number that is cut in two, which makes no labels": [
        (text, "'1' may be a row label, or a part of a number that is cut in two")
        for text in (
            "income b\n1 234 5\n2 345 6\n9 115 7\n", "a,b,c\n1,234.5,0,0\n2,345.5,1,1\n9,115.5,2,4\n",
            "height,age,n\n1,85,30,2\n1,72,41,3\n2,5,1,1\n",
        )
    ],
    "a space between digits": [("1\u00a0234 5.0\n2\u00a0345 6.0\n2 7.0\n", "may be one number or two")],
    "text of another encoding": [
        ("a,b\n1,2\n3,4\n".encode("utf-16"), "UTF-16 text: save it as UTF-8"),
        ("a,b\n1,2\n3,4\n".encode("utf-16-le"), "UTF-16; save it as UTF-8"),
        ("Land,b\nÖ,2\n3,4\n".encode("latin-1"), r"byte 7 is not UTF-8 .* UTF-8 \(Excel: CSV UTF-8\)"),
    ],
    "a quote that is missing": [
        ('a,b\n"1,2\n' + "3,4\n" * 45_000, "cut into cells: field larger than .*; is a quote missing"),
    ],
    "a triangle with a gap, or of other rows than columns, or of no correlations": [
        ("a,b,c\n1,,\n2,3,\n,5,6\n", "two ways"),
        ("  a b c\na 1\nc .5 1\nb .2 .3 1\n", "column 2 is called 'b': give both the same names"),
        ("a 1\nb .5 1\nc .2 1.3 1\n", "say --covariance"),
    ],
    "a line beside a triangle": [
        (f"Correlations\n{HALF}", "the line 'Correlations' is no part of the triangle"),
        (f"Table 2. N = 9\n  a b c\n{HALF}", "the line 'Table 2. N = 9' is no part of the triangle"),
        (f"  a b c\n{HALF}Note. N = 9.\n", "the line 'Note. N = 9.' is no part of the triangle"),
        (f"Table 2\n  a b c\n{HALF}Note. N = 9.\n", "the line 'Table 2' is no part of the triangle"),
        ("Table,,,\na,1,,\nb,.5,1,\nc,.2,.3,1\n", "the line 'Table' is no part of the triangle"),
    ],
    "blocks of columns that R did not print": [
        ("   a b\nr 1 2\ns 3 4\n  c\ns 5\nr 6\n", "."),  # the rows of the second block are others
        ("   a b\nr 1 2\ns 3 4\n  c\nr 5\n", "."),  # a row is lacking
        ("a b\n7 234.5 7\n2 345.6 8\n3 456.7 9\n", "."),  # a label, or a number cut in two
    ],
    "a name with a space that no alignment tells": [
        (
            "fuel use disp\na 21.0 160\nb 22.8 108\nc 21.4 258.5\nd 1 2 3\n",
            "put it in quotes, write NA for a blank, and delete notes$",
        ),
    ],
    "an array or an archive without a matrix": [
        (np.zeros((0, 0)), "is empty: its shape is 0 x 0"),
        (np.zeros((0, 3)), "is empty: its shape is 0 x 3"),
        (np.array([{"a": 1}], dtype=object), "cannot be read"),
        ({"A": np.eye(3)}, "holds the arrays A; name the matrix S"),
        ({"S": np.ones(3)}, "two dimensions, but it has 1"),
        ({}, "holds the arrays none"),
        ({"X": np.eye(4, 3), "names": np.array(["a", "", "c"])}, r"variable 2 \(after 'a'\) has no name"),
        ({"X": np.eye(4, 3), "names": np.array("abc")}, "1 name given for 3 variables"),
    ],
    "ways of writing that there are not": [
        (TREES, "sep must be one character, tab or space, not '::'", {"sep": "::"}),
        (TREES, "cannot stand both between cells and before decimals", {"sep": ",", "decimal": ","}),
        (TREES, "decimal must be '.' or ','", {"decimal": "'"}),
        (np.eye(3), r"sep and decimal say how text is written, but this is \.npy", {"sep": ";"}),
    ],
    "columns that there are not": [
        (TREES, "there is no column 'hight': do you mean 'height'", {"columns": ["hight"]}),
        (TREES, "there is no column 'HEIGHT': do you mean 'height'", {"columns": ["HEIGHT"]}),
        (TREES, "'zzz': the first names are height, girth, age, kind, \"bark, mm\"", {"exclude": ["zzz"]}),
        (TREES, "no column 'tree': it was taken for row labels, which are", {"columns": ["tree", "age"]}),
        (TREES, "'age' is asked for twice", {"columns": ["age", "age"]}),
        (TREES, "every column is excluded", {"columns": ["age"], "exclude": ["age"]}),
        (TREES, "no column is asked for", {"columns": []}),
        (TREES, "it is a file; write the names of columns in its place", {"columns": __file__}),
    ],
    "variances that cannot be scaled": [
        ("1,0\n0,0\n", "'x1' has the variance 0: it cannot be scaled to correlations", {"correlation": True}),
        ("a,b\n-1,0.5\n0.5,-1\n", "'a' has the variance -1", {"correlation": True}),
    ],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::relaxspca.DataWarning")
@pytest.mark.parametrize(
    "case", [case for some in REFUSED.values() for case in some],
    ids=[f"{what}-{at}" for what, some in REFUSED.items() for at in range(len(some))],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_and_says_what_to_write(refused, case):
    content, words, *options = case
    refused(content, words, **dict(*options))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"PK\x03\x04 a workbook by another name", "a workbook's name ends in .xlsx"),
        ("t.txt", b"\xd0\xcf\x11\xe0 an old one", "an old workbook: save it as .xlsx or CSV"),
        ("t.csv", b"PAR1", "a parquet file: its name must end in .parquet"),
        ("t.dat", b"%PDF-1.4", "a PDF"),
        ("t.rds", b"X", "write the matrix with write.csv"),
        ("t.mat", b"X", "writematrix"),
        ("t.pkl", b"X", "a pickle may run any program"),
        ("t.h5", b"\x89HDF", r"only \.h5ad can be read"),
        ("t.xlsx", b"a,b\n1,2\n2,3\n", "it is not a workbook"),
        ("t.parquet", b"PAR1 not really", "not a parquet file"),
        ("t.feather", b"nothing of the kind", "not a feather file"),
        ("t.h5ad", b"nothing of the kind", "it is not an HDF5 file"),
    ],
)
def test_advice_fits_the_kind_of_file(refused, name, content, message):
    needed = {"xlsx": "openpyxl", "parquet": "pyarrow", "feather": "pyarrow", "h5ad": "h5py"}
    pytest.importorskip(needed.get(name.partition(".")[2], "numpy"))
    assert "UTF-8" not in refused(content, message, name=name)
