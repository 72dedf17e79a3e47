"""Files as their owners have them: spectra, sheets of a European Excel, what R writes, questionnaires."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca import DataWarning
from relaxspca.reading.printed import printed_by_r

RNG = np.random.default_rng(0)
AXES = {
    "half steps": [f"{850 + 0.5 * j:g}" for j in range(12)],
    "falling wavenumbers": [f"{3999.64 - 1.9285 * j:.2f}" for j in range(12)],
    "uneven": [f"{400 + 1.7 * j + 0.01 * j**2:.3f}" for j in range(12)],
    "one decimal": [f"{400 + j:.1f}" for j in range(8)],
}
STUBS = {"none": ([], []), "sample": (["sample"], ["S"]), "sample, fat": (["sample", "fat"], ["S", "3.5"])}


def spectra(axis, stub, *, m=9, names=True):
    titles, cells = STUBS[stub]
    rows = [[*titles, *axis]] if names else []
    for i in range(m):
        own = [cell + str(i) * (cell == "S") for cell in cells]
        rows.append([*own, *(f"{x:.5f}" for x in RNG.normal(size=len(axis)))])
    return rows


def text(rows, mark=","):
    return "\n".join(map(mark.join, rows)) + "\n"


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("stub", STUBS)
@pytest.mark.parametrize("decimal", [".", ","])
def test_wavelengths_with_decimals_are_names_and_no_observation(read, axis, stub, decimal):
    rows = [[cell.replace(".", decimal) for cell in row] for row in spectra(AXES[axis], stub)]
    cov, taken = read(text(rows, ";"), decimal=decimal, data=True)
    assert cov.names[-len(AXES[axis]) :] == tuple(name.replace(".", decimal) for name in AXES[axis])
    assert taken.startswith("9 observations of ")
    assert "taken as names" in taken


@pytest.mark.parametrize(
    "first",
    [
        ["0.1", "0.7", "0.3", "0.9", "0.2", "0.4", "0.8", "0.6", "0.5", "0.15"],  # neither rises nor falls
        ["0.1", "0.2", "0.4", "0.8"],  # rises, but so few do by accident
        ["0.5", "0.5", "0.5", "0.5", "0.5"],
        ["850.5", "851.5", "851"],  # far off, but in no order
        ["0.1", "0.2", "0.3"],  # few and in order, but near
    ],
)
def test_a_first_line_of_numbers_that_need_not_be_names_is_an_observation(read, first):
    rows = spectra(first, "none", names=False)
    assert read(text([first, *rows]), data=True)[1].startswith(f"10 observations of {len(first)} variables;")


def test_a_first_line_of_few_numbers_in_order_and_far_off_can_be_read_in_two_ways(read, refused):
    first = ["850.5", "851", "851.5"]
    rows = spectra(first, "none", names=False)
    refused(text([first, *rows]), "may hold names, such as wavelengths, or an observation", data=True)
    assert read(text([["a", "b", "c"], first, *rows]), data=True)[1].startswith("10 observations")


def test_growing_numbers_above_others_that_grow_are_an_observation(read):
    curves = np.cumsum(RNG.uniform(0.1, 1, size=(7, 12)), axis=1)
    rows = [[f"{x:.2f}" for x in row] for row in curves]
    assert read(text(rows), data=True)[1].startswith("7 observations of 12 variables;")


def test_a_table_of_spectra_on_its_side_has_its_first_column_named(read):
    rows = [["wavelength", "S1", "S2", "S3"]]
    rows += [[f"{850 + 0.5 * i:g}", *(f"{x:.4f}" for x in RNG.normal(size=3))] for i in range(20)]
    with pytest.warns(DataWarning, match=r"'wavelength' \(850, 850.5, .*with --exclude wavelength"):
        read(text(rows), correlation=True)


@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_the_line_that_tells_excel_the_separator_is_no_title(read, mark):
    table = mark.join(["a", "b"]) + "\n" + "".join(f"{i}.5{mark}{i * i}\n" for i in range(6))
    assert read(f"sep={mark}\n{table}")[0].digest == read(table)[0].digest


def test_what_every_column_needs_is_said_at_once(read, refused):
    lines = ["Land;BIP;Schulden;Quote;Preis"]
    lines += [f"L{i};{i + 1}.{700 + i},79;64,{i};4{i},5 %;€ 3{i},2" for i in range(5)]
    said = refused("\n".join(lines), "4 columns are not numeric")
    assert (
        "4 columns are not numeric: 'Quote' (row 1 holds '40,5 %'), 'Preis' (row 1 holds '€ 30,2'): write"
        in said
    )
    assert "'BIP' (row 1 holds '1.700,79'), 'Schulden' (row 1 holds '64,0'): decimals seem to stand" in said
    kept, _ = read("\n".join(lines), decimal=",", exclude=["Quote", "Preis"])
    assert kept.names == ("BIP", "Schulden")
    assert kept.diagonal[0] == pytest.approx(np.var([1000 * (i + 1) + 700 + i for i in range(5)], ddof=1))


def test_numbers_above_the_columns_of_a_workbook_are_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("openpyxl")
    axis = [850 + 0.5 * j for j in range(12)]
    X = RNG.normal(size=(9, 12)).round(4)
    pandas.DataFrame(X, columns=axis).to_excel(tmp_path / "x.xlsx", index=False)
    pandas.DataFrame(X, columns=axis, index=[f"S{i}" for i in range(9)]).to_excel(tmp_path / "y.xlsx")
    for name in ("x", "y"):
        cov = rs.read(tmp_path / f"{name}.xlsx")
        assert cov.names == tuple(f"{value:g}" for value in axis)
        assert cov.matrix == pytest.approx(np.cov(X, rowvar=False))


CORRELATIONS = np.round(np.corrcoef(RNG.normal(size=(20, 7)), rowvar=False), 6)


def blocks_of_r(M, names, labels, *, width, decimals):
    """Return a matrix as R prints it: columns of their own numbers of decimals, in blocks."""
    lines = []
    for start in range(0, len(M), width):
        columns = range(start, min(start + width, len(M)))
        lines.append("        " + " ".join(f"{names[j]:>10}" for j in columns))
        cells = ([f"{row[j]:10.{decimals - (j % 2)}f}" for j in columns] for row in M)
        lines += [f"{label:8}" + " ".join(row) for label, row in zip(labels, cells, strict=True)]
    return lines


@pytest.mark.parametrize(("width", "kind"), [(3, "names"), (5, "no names"), (7, "typed")])
def test_what_r_prints_in_blocks_is_one_table(read, width, kind):
    names = labels = [f"v{j}" for j in range(7)]
    if kind == "no names":
        names, labels = [f"[,{j + 1}]" for j in range(7)], [f"[{i + 1},]" for i in range(7)]
    lines = ["> print(cor(x), digits = 6)"] * (kind == "typed")
    lines += blocks_of_r(CORRELATIONS, names, labels, width=width, decimals=6)
    cov, taken = read("\n".join(lines) + "\n")
    assert f"a correlation matrix of 7 variables; printed by R in {-(-7 // width)} block" in taken
    finer = CORRELATIONS[:, ::2]  # the columns with all six decimals
    assert np.array_equal(cov.matrix[:, ::2], finer)
    assert cov.names == (tuple(f"x{j}" for j in range(7)) if kind == "no names" else tuple(names))


def test_numbers_that_r_does_not_print_are_left_as_they_stand():
    rows = ["     [,1] [,2]", "[1,]  1.0 \N{MINUS SIGN}.5", "[2,] \N{MINUS SIGN}.50 1"]
    assert printed_by_r(rows)[0] == [["1.0", "\N{MINUS SIGN}.5"], ["\N{MINUS SIGN}.50", "1"]]


def test_row_names_with_spaces_are_read_as_r_prints_them(read):
    rows = [f"Car {'ab'[i % 2]} {i:<8}{i * i:>8}{7.5 * i % 11:>8}" for i in range(1, 8)]
    cov, taken = read("\n".join([f"{'mpg':>22}{'wt':>8}", *rows]) + "\n")
    assert cov.names == ("mpg", "wt")
    assert taken.startswith(
        "7 observations of 2 variables; printed by R in 1 block of columns; first column (Car b 1"
    )


@pytest.mark.parametrize(
    "labels", [["1", "2", "3"], ["Mazda RX4", "Datsun 710", "x 9"], ["[1,]", "[2,]", "[3,]"]]
)
def test_names_of_columns_with_spaces_are_read_as_r_prints_them(read, labels):
    """Rscript -e 'print(x)', where x is a data frame or a matrix; names stand above the ends of their cells."""
    cells = [("1.50", "4", "1"), ("2.00", "5", "0"), ("3.25", "7", "2")]
    rows = [f"{label:<11}{a:>8}{b:>7}{c:>13}" for label, (a, b, c) in zip(labels, cells, strict=True)]
    cov, _ = read("\n".join(["           life sat item 3 net income k", *rows]) + "\n")
    assert cov.names == ("life sat", "item 3", "net income k")
    assert np.allclose(cov.matrix, np.cov(np.array(cells, dtype=float).T))
