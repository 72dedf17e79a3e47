"""A cell is a number where its spelling has one meaning; what may be a number is no label, name or comment."""

import random
import warnings
from datetime import datetime

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca import DataWarning, InputError
from relaxspca.command.cli import main
from relaxspca.reading.cells import is_like_number, number_of
from relaxspca.reading.files import read_covariance

VALUES = (-1234567.25, -2345.5, -7.125, 0.5, 12.0, 987654.0)


def grouped(value, mark, decimal):
    return f"{value:,}".replace(",", "_").replace(".", decimal).replace("_", mark)


ONE_MEANING = {
    "typeset minus": lambda value, decimal: grouped(value, "", decimal).replace("-", "\u2212"),
    "en dash": lambda value, decimal: grouped(value, "", decimal).replace("-", "\u2013"),
    "apostrophe": lambda value, decimal: grouped(value, "'", decimal),
    "thin space": lambda value, decimal: grouped(value, "\u202f", decimal),
    "thousands": lambda value, decimal: grouped(value, {".": ",", ",": "."}[decimal], decimal),
    "Fortran": lambda value, decimal: f"{value:.10e}".replace("e", "D").replace(".", decimal),
    "zero width": lambda value, decimal: "\u200b" + grouped(value, "", decimal),
}
SEVERAL = ["({})", "{} cm", "{}kg", "{} mm Hg", "{} %", "${}", "-€{}", "USD {}", "<{}", "~{}", "{}*", "{}-",
           "{}+", "{}%", ">{}", "{} ± 0.1", "{} (0.1)", "'{}", "{}×10^3", "- {}", "{}½", "[{}]"]  # fmt: skip
LABELS = ["oak {}", "S{}", "#{}", "No. {}", "2020-01-0{}", "0{}.01.2020", "1{}:30", "{}/5/2020", "10.0.0.{}"]


def table(cells, sep=","):
    """Return text with the cells in its first column, beside two columns of numbers."""
    rows = [f'"{cell}"{sep}{i}{sep}{i * i % 5}' for i, cell in enumerate(cells)]
    return "\n".join([sep.join(("income", "b", "c")), *rows]) + "\n"


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("spelling", ONE_MEANING)
def test_a_spelling_with_one_meaning_is_read(read, spelling, decimal):
    cov, _ = read(table([ONE_MEANING[spelling](value, decimal) for value in VALUES], ";"), decimal=decimal)
    assert cov.names == ("income", "b", "c")
    assert cov.matrix[0, 0] == np.cov(VALUES)


@pytest.mark.parametrize("form", SEVERAL)
def test_numbers_with_something_beside_them_are_no_labels(read, refused, form):
    for numbers in (("1.5", "2.5", "3.75"), ("15", "2", "170")):
        refused(table(map(form.format, numbers)), "column 'income' is not numeric: row 1 holds .*; .*write")
    cov, taken = read(table(map(form.format, (1, 2, 30))), exclude=["income"])
    assert (cov.names, "labels" in taken) == (("b", "c"), False)


@pytest.mark.parametrize("form", LABELS)
def test_labels_and_dates_are_labels(read, form):
    cov, taken = read(table(map(form.format, (1, 2, 3))))
    assert cov.names == ("b", "c")
    assert taken.endswith("; first column 'income' taken as row labels")


def test_most_cells_decide_and_addresses_are_labels(read, refused):
    assert read(table(["control", "low", "15 cm"]))[0].n == 2
    assert read(table(["12 Elm Street", "13 Oak Avenue", "2 Main Road"]))[0].n == 2
    for cells in (["control", "15 cm", "20 cm"], ["15 cm", "1 m", "3 mm"], ["oak", "1,234.5", "7"]):
        refused(table(cells), "column 'income' is not numeric")


@pytest.mark.parametrize(
    ("cells", "decimal", "advice"),
    [
        (["1,234", "2,345", "3,456"], ".", r"without thousands separators, or say .* \(--decimal ','"),
        (["1.234.567", "2.345.678", "3"], ".", r"without thousands separators, or say .* \(--decimal ','"),
        (["1.234", "2.345", "3"], ",", "decimals are to stand behind a comma: write 1234,5 without"),
        (["(1.5)", "(2.5)", "3"], ".", "it may be negative, as in accounts, or not"),
        (["1,23,456.5", "2", "3"], ".", "without thousands separators"),
        (["1.5-101", "2", "3"], ".", "write the number alone"),
    ],
)
def test_two_meanings_are_an_error_that_says_what_to_write(refused, cells, decimal, advice):
    words = rf"column 'income' is not numeric: row 1 holds .*{advice}"
    refused(table(cells, ";"), words, decimal=decimal)


@pytest.mark.parametrize("decimal", [",", "."])
def test_a_decimal_mark_that_may_group_thousands_is_noted(read, decimal):
    other = [["1,580", "491", "2,250"], ["1,580", "2,250", "12", "-350"]]
    for cells in other:
        text = table([cell.replace(",", decimal) for cell in cells], ";")
        with pytest.warns(
            DataWarning, match=rf"'income': '1{decimal}580' was read as 1.58, beside '-?\d+'; if"
        ):
            read(text, decimal=decimal)
    for cells in (
        ["1,58", "491", "2,250"],
        ["0,580", "491", "2,250"],
        ["1,580", "4", "2,250"],
        ["1,580", "4911", "2"],
    ):
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "column")
            read(table([cell.replace(",", decimal) for cell in cells], ";"), decimal=decimal)


def test_what_either_decimal_reads_is_the_same_number_and_no_label():
    draw, seen = random.Random(0), [0, 0]
    count = draws(4000, 20_000)
    for _ in range(count):
        cell = "".join(draw.choices("0123456789.,'’ -+eD(%\u2212\u202f", k=draw.randint(1, 9))).strip()
        found = [number_of(cell, decimal) for decimal in ".,"]
        if not np.isnan(found).all():
            assert is_like_number(cell)
            seen[0] += 1
        if not np.isnan(found).any():
            assert found[0] == found[1]
            seen[1] += 1
    assert min(seen) > count / 20


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("year,0,1,2\nx,4,5,6\ny,7,9,8\nz,1,1,5\n", ("0", "1", "2")),
        ("TRUE,FALSE,c\n1.5,2,3\n4,5.5,7\n2,2,1.5\n", ("TRUE", "FALSE", "c")),
        ("true,false\n1.5,2\n4,5.5\n2,2\n", ("true", "false")),
        ("TRUE,FALSE\nFALSE,FALSE\nTRUE,TRUE\n", ("x0", "x1")),
        ("TRUE,1.5\nFALSE,2\nTRUE,3\n", ("x0", "x1")),
        ("24h,48h,72h\n1,2,3\n4,2,2\n5,5,1\n", ("24h", "48h", "72h")),
        ("10%,20%\n1,2\n3,1\n2,2\n", ("10%", "20%")),
        ("2020_1,2020_2,2021_1\n1,2,3\n2,4,7\n3,1,1\n", ("2020_1", "2020_2", "2021_1")),
        ('"height, cm, bare";"weight, kg"\n1;2\n3;1\n4;4\n', ("height, cm, bare", "weight, kg")),
        ('"#height",girth\n21,3\n18,2\n16,1\n', ("#height", "girth")),
        (',height,girth\n"#1",21,3\n"#2",18,2\nr3,16,1\n', ("height", "girth")),
        ("\u22121.5,2,3\n1,\u22122,4\n5,2,1\n", ("x0", "x1", "x2")),
        ("0,1,2,target\n.5,1.5,2,1\n1,2,3.5,0\n2,2,2,1\n", ("0", "1", "2", "target")),
        ("a,1960,1970,1980,b\n1,.5,1.5,2,1\n4,1,2,3.5,0\n2,2,2,2,1\n", ("a", "1960", "1970", "1980", "b")),
    ],
)
def test_names_are_words_above_values(read, text, names):
    cov, _ = read(text)
    assert cov.names == names
    assert cov.description.observations == 3


def test_lines_that_are_left_out_are_counted_before_the_search(read, tmp_path, capsys):
    text = "# made by R, 2020\na,b\n1,2\n\n\n3,1\n# total: 7\n4,4\n# end\n\n"
    with pytest.warns(DataWarning, match=r"t\.csv: left out: 3 comment lines and 2 empty lines$"):
        cov, taken = read(text)
    assert cov.description.observations == 3
    assert taken == "3 observations of 2 variables; left out: 3 comment lines and 2 empty lines"
    assert main(["solve", str(tmp_path / "t.csv"), "-k", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].endswith("; left out: 3 comment lines and 2 empty lines")
    assert err.endswith("t.csv: left out: 3 comment lines and 2 empty lines\n")
    assert read("#N/A,1\n3,4\n1,1\n2,2\n", drop_missing=True)[0].description.observations == 3


def test_a_workbook_is_read_by_the_same_rules(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("pandas")

    def workbook(*rows):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(tmp_path / "t.xlsx")
        return read_covariance(tmp_path / "t.xlsx")

    assert workbook([True, False], [1.5, 2], [2, 1], [3, 5])[0].names == ("TRUE", "FALSE")
    assert workbook(["a", "b"], ["1'234", 1], ["\u22125", 2], ["7", 3])[0].names == ("a", "b")
    with pytest.raises(InputError, match=r"column 'a' is not numeric: row 1 holds '\(5\)'"):
        workbook(["a", "b"], ["(5)", 1], ["(6)", 2], ["(7)", 4])
    with pytest.raises(InputError, match="column 'b', row 1 holds an empty cell"):
        workbook(["a", "b"], [1, None], [2, 3], [3, 5])
    with pytest.raises(InputError, match="column 'b' is not numeric: row 1 holds '2020-01-01"):
        workbook(["a", "b"], *([i, datetime(2020, 1, 1)] for i in range(3)))
    with pytest.warns(DataWarning, match=r"t\.xlsx: left out: 1 empty row$"):
        _, taken = workbook(["a", "b"], [1, 2], [None, None], [2, 1], [4, 4])
    assert taken == "3 observations of 2 variables; left out: 1 empty row"


def test_files_in_blocks_are_read_by_the_same_rules(tmp_path):
    (tmp_path / "1.csv").write_text("a,b\n1,2\n2,1\n")
    for text, message in (
        ("a,b\n(3),2\n(2),1\n", "column 'a' is not numeric"),
        ("#3,4\n2,1\n3,3\n", "begins with #"),
        ("(1.5),2\n1,2\n3,4\n", "may hold names or an observation"),
    ):
        (tmp_path / "2.csv").write_text(text)
        with pytest.raises(InputError, match=rf"2\.csv: .*{message}"):
            rs.Covariance.from_chunks(tmp_path)
