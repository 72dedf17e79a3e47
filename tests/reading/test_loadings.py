import numpy as np
import pytest

from relaxspca import DataWarning, InputError
from relaxspca.reading.loadings import read_loadings

NAMES = ("length", "mean radius", "c,d", "Größe")
EXPECTED = [0.5, -0.25, 0.0, 2.0]


@pytest.fixture
def read(tmp_path):
    def read_content(content, names=NAMES):
        file = tmp_path / "loadings.txt"
        file.write_text(content, encoding="utf-8")
        return read_loadings(file, names)

    return read_content


@pytest.mark.parametrize(
    "content",
    [
        "0.5\n-0.25\n0\n2\n",
        "0.5,-0.25,0,2\n",
        "0.5 -0.25  0 2\n",
        "length,0.5\nmean radius,-0.25\nGröße,2\n",
        "length, 0.5\nmean radius , -0.25\nGröße,  2\n",
        '"length",0.5\n"mean radius",-0.25\n"Größe",2\n"c,d",0\n',
        '"mean radius", -0.25\n"length", 0.5\n"Größe", 2\n',
        "length 0.5\nmean radius -0.25\nGröße 2\n",
        'length 0.5\n"mean radius"  -0.25\nGröße 2\n',
        "length;0.5\nmean radius;-0.25\nGröße;2\n",
        "length 0.5\nmean radius −0.25\nGröße 2\n",
        "length,0.5\nmean radius,–.25\nGröße,2\n",
        "length\t0.5\nmean radius\t-0.25\nGröße\t2\n",
        "name,loading\nlength,0.5\nmean radius,-0.25\nGröße,2\n",
        "name loading\nlength 0.5\nmean radius -0.25\nGröße 2\n",
        ",0\nlength,0.5\nmean radius,-0.25\nGröße,2\n",
        '"","PC1"\n"length",0.5\n"mean radius",-0.25\n"Größe",2\n',
        'length,"c,d",Größe,mean radius\n0.5,0,2,-0.25\n',
        "component;length;Größe;mean radius\nfirst;0.5;2;-0.25\n",
    ],
)
def test_every_way_to_write_the_same_loadings(read, content):
    assert read(content).tolist() == EXPECTED


@pytest.mark.parametrize(
    "content", ["mean radius\nc,d\n", '"mean radius"\n"c,d"\n', "# mine\n\nmean radius\nc,d"]
)
def test_a_support_by_its_names(read, content):
    assert read(content) == ["mean radius", "c,d"]


@pytest.mark.parametrize(
    ("names", "content", "found"),
    [
        ("0123", "0,0.5\n3,2\n", [0.5, 0, 0, 2]),
        ("0123", "0.5\n0\n0\n2\n", [0.5, 0, 0, 2]),
        ("0123", "0\n3\n", ["0", "3"]),
        (("−1", "b"), "−1,0.5\nb,1\n", [0.5, 1]),
        (("length", "#kids"), "#kids,0.5\nlength,1\n", [1, 0.5]),
        (("length", "#kids"), "# mine\nlength,1.5D-01\n", [0.15, 0]),
    ],
)
def test_names_that_are_numbers_or_begin_as_numbers_or_comments_do(read, names, content, found):
    assert list(read(content, tuple(names))) == found


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("length,0.4x\nmean radius,0.6\n", r"line 1 \('length,0.4x'\): '0.4x' is not a number"),
        ("length 0.4x\nmean radius 0.6\n", r"line 1 \('length 0.4x'\): "),
        ("lenth,0.4x\nmean radius,0.6\n", r"line 1 \('lenth,0.4x'\): there is no variable 'lenth'"),
        ("length,0.5\n\nlength,0.1\n", r"line 3 \('length,0.1'\): 'length' is listed a second time"),
        ("length\nlength\n", r"line 2 \('length'\): 'length' is listed a second time"),
        ("length,mean radius\n", r"line 1 \('length,mean radius'\): 'mean radius' is not a number"),
        (
            "length Größe\n",
            r"line 1 \('length Größe'\): there is no variable 'length Größe'; write one name a line",
        ),
        ("length,0.5\noak,0.5\n", r"line 2 \('oak,0.5'\): there is no variable 'oak'"),
        ("oak,0.5\nlength,0.5\n", r"line 1 \('oak,0.5'\): there is no variable 'oak'"),
        ("length,Größe,length\n1,2,3\n", r"line 1 .*: 'length' is listed a second time"),
        (",length,Größe\nPC1,1,0\nPC2,1\n", r"line 3 \('PC2,1'\): it has 1 loading for 2 variables"),
        (",length,Größe\nPC1,1,0\nPC2,1,x\n", r"line 3 .*: 'x' is not a number"),
        ("length,0.5,0.1\n", r"line 1 .*: write a name and a loading on every line"),
        (
            "Höhe,0.5,0.1\n",
            r"there is no variable 'Höhe'; a table of components needs the data's names, such as '.*', in its",
        ),
        ("length,0.5\nGröße\n", r"line 2 \('Größe'\): write a name and a loading on every line"),
        ("length;1,5\nGröße;2,7\n", r"line 1 .*: '1,5' is not a number; write numbers with a decimal point"),
        (
            "length,nan\n",
            r"'nan' is not a number; it may stand for 0 or for a loading that is not known: write 0, or",
        ),
        ("0.5,0.5,0,NA\n", r"line 1 .*: 'NA' is not a number; it may stand for 0 or"),
        ("NA\n0.5\n0\n0\n", r"line 1 \('NA'\): 'NA' is not a number"),
        ("0.5\n0.5\n0\nx\n", r"line 4 \('x'\): 'x' is not a number"),
        ("", "the file is empty"),
        ("length,50%\nGröße,20%\n", r"line 1 .*: '50%' is not a number; write the number alone"),
        ("length,.5,0\nGröße,0,1\ntotal,1,1\n", r"line 3 .*: there is no variable 'total'; .*leave out lines"),
        ("a b c\nlength 0.5\nGröße 0.7\n", r"line 1 \('a b c'\): its 3 words may be titles .* 1 loading a"),
        # Names above a line for each component are those of the variables.
        ("height,length,width,depth\n1,0,0,0\n0,1,1,0\n", "there is no variable 'height'"),
        ("length,0,5\nGröße,0,7\n", "two loadings or one with a decimal comma"),
        ("variable,loading\nlength,0,5\nGröße,0,7\n", "two loadings or one with a decimal comma"),
        ("#length,0.5\nmean radius,1\n", "line 1 .* may be a comment or the line of a variable"),
        ("# mean radius 0.5\nlength 1\n", "line 1 .* may be a comment or the line of a variable"),
        ("0.5\n#0.3\n1\n", "line 2 .* may be a comment or the line of a variable"),
        ("lenth,(0.5)\nlength,1\n", "there is no variable 'lenth'"),
        ("length,TRUE\n", "'TRUE' is not a number"),
        ("length 0.5 1\nGröße 0.7\n", r"line 2 .*: it has 1 loadings, and the lines before it have 2"),
    ],
)
def test_a_bad_line_is_quoted_with_its_number(read, content, message):
    with pytest.raises(InputError, match=message) as caught:
        read(content)
    assert "loadings.txt" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "titles"),
    [
        (",length,Größe\na,0.5,2\nb,-1,0\n", ["a", "b"]),
        ("variable,a,b\nlength,0.5,-1\nGröße,2,0\n", ["a", "b"]),
        ("length,Größe,mean radius\n0.5,2,0\n-1,0,0\n", ["PC 1", "PC 2"]),
    ],
)
def test_a_table_may_have_its_components_in_rows_or_in_columns(read, content, titles):
    found = read(content)
    assert list(found) == titles
    used = [{name: value for name, value in of.items() if value} for of in found.values()]
    assert used == [{"length": 0.5, "Größe": 2.0}, {"length": -1.0}]


def test_vectors_in_binary_and_json(tmp_path):
    np.save(tmp_path / "v.npy", np.array([EXPECTED]))
    (tmp_path / "v.json").write_text('{"loadings": [0.5, -0.25, 0, 2]}')
    for name in ("v.npy", "v.json"):
        assert read_loadings(tmp_path / name, NAMES).tolist() == EXPECTED


def test_whole_loadings_of_two_components_are_told_from_decimal_commas_by_a_title_for_each(read):
    assert read("variable,a,b\nlength,1,0\nGröße,0,1\n") == {
        "a": {"length": 1.0, "Größe": 0.0},
        "b": {"length": 0.0, "Größe": 1.0},
    }


def test_loadings_may_stand_in_a_workbook(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("openpyxl")
    names = ("length, mm", "Größe", "mean radius")
    path = tmp_path / "loadings.xlsx"
    table = pandas.DataFrame({"a": [0.5, -1.0, 0.0], "b": [0.0, 0.25, 2.0]}, index=names)
    table.to_excel(path)
    found = read_loadings(path, names)
    assert found == {title: dict(column) for title, column in table.items()}
    table[["a"]].to_excel(path, header=False)
    assert read_loadings(path, names).tolist() == [0.5, -1.0, 0.0]
    pandas.DataFrame([names[0], names[2]]).to_excel(path, header=False, index=False)
    assert read_loadings(path, names) == [names[0], names[2]]
    table.rename(index={"Größe": "oak"}).to_excel(path)
    with pytest.raises(InputError, match=r"loadings.xlsx, line 3 .*no variable 'oak'"):
        read_loadings(path, names)


@pytest.mark.parametrize("mark", [";", "\t"])
def test_decimal_commas_are_read_where_they_are_said_and_nothing_else_stands_between_cells(tmp_path, mark):
    path = tmp_path / "l.csv"
    path.write_text("variable;a;b\nlength;0,5;0,0\nGröße;-0,7;1,5e-3\n".replace(";", mark), encoding="utf-8")
    names = ("length", "Größe", "width")
    found = read_loadings(path, names, decimal=",")
    assert found == {"a": {"length": 0.5, "Größe": -0.7}, "b": {"length": 0.0, "Größe": 0.0015}}
    assert read_loadings(path, names) == found  # 0,5 says it: the data may have points
    path.write_text("variable,a,b\nlength,0.5,0\nGröße,-0.7,0.0015\n", encoding="utf-8")
    assert read_loadings(path, names, decimal=",") == found
    path.write_text("length;0,5\nGröße;0,7\n".replace(";", mark), encoding="utf-8")
    assert read_loadings(path, names, decimal=",").tolist() == [0.5, 0.7, 0.0]


@pytest.mark.parametrize("header", ["a b", "variable a b", ""])
def test_a_table_as_r_prints_it_has_spaces_between_its_cells(read, header):
    """A name may have spaces, and loadings no digit before the point."""
    lines = f"{header}\nlength       0.5  .25\nmean radius  0   -1e-3\nGröße        −2    0\n"
    titles = ["a", "b"] if header else ["PC 1", "PC 2"]
    first, second = [0.5, 0.0, -2.0], [0.25, -1e-3, 0.0]
    used = ("length", "mean radius", "Größe")
    expected = [dict(zip(used, values, strict=True)) for values in (first, second)]
    assert read(lines) == dict(zip(titles, expected, strict=True))


def test_a_name_that_goes_on_in_another_could_be_either(read):
    with pytest.raises(InputError, match=r"line 2 .*: this may be of 'x' or 'x 1': put commas"):
        read("y 1 2\nx 1 0.5\n", ("x", "x 1", "y"))
    assert read("y,1\nx 1,0.5\n", ("x", "x 1", "y")).tolist() == [0.0, 0.5, 1.0]


def test_a_point_or_a_space_tells_two_loadings_from_a_decimal_comma(read):
    for text in ("length,0.5,1\nGröße,0.7,0\n", "length 1 0\nGröße 0 1\n"):
        assert list(read(text)) == ["PC 1", "PC 2"]


@pytest.mark.parametrize(("titles", "found"), [(["a ", "b "], ["a", "b"]), (["", ""], ["PC 1", "PC 2"])])
def test_components_may_stand_in_rows_below_names_with_spaces_between(read, titles, found):
    names = ("x", "length", "Größe", "y")
    lines = f"    length  Größe  x\n{titles[0]}0.5   −2  0\n{titles[1]} .25   0  1\n"
    expected = [{"length": 0.5, "Größe": -2.0, "x": 0.0}, {"length": 0.25, "Größe": 0.0, "x": 1.0}]
    assert read(lines, names) == dict(zip(found, expected, strict=True))
    # As R breaks long lines: the names of a second block are no loadings.
    with pytest.raises(InputError, match=r"line 4 \('x y z'\): "):
        read(f"{lines}x y z\n", names)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_mark_at_the_end_of_every_line_begins_no_cell(read, mark):
    lines = ",a,b,\nlength,0.5,-1.5,\nGröße,2,0,\n".replace(",", mark)
    assert read(lines) == {"a": {"length": 0.5, "Größe": 2.0}, "b": {"length": -1.5, "Größe": 0.0}}
    with pytest.warns(DataWarning, match="2 empty cells read as 0"):
        assert read(lines.replace(f"a{mark}b{mark}", f"a{mark}b{mark}c"))["c"] == {"length": 0.0, "Größe": 0.0}


@pytest.mark.parametrize("blank", ["", "-", "–", "—"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_blanks_of_a_printed_table_are_zeros_with_a_note(read, mark, blank):
    lines = ["v;PC1;PC2", f"length;0.8;{blank}", "Größe;0.6;1", f"mean radius;{blank};{blank}"]
    with pytest.warns(DataWarning, match="3 empty cells read as 0: a variable that is not used"):
        found = read("\n".join(lines).replace(";", mark))
    assert found == {
        "PC1": {"length": 0.8, "Größe": 0.6, "mean radius": 0.0},
        "PC2": {"length": 0.0, "Größe": 1.0, "mean radius": 0.0},
    }
    with pytest.raises(InputError, match="'NA' is not a number; it may stand for 0 or for a loading"):
        read("\n".join(lines).replace(";", mark).replace("0.8", "NA"))
