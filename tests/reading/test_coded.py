"""Codes for missing values that a file was said to have; text columns named at once; what is printed first."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca import DataWarning, InputError
from relaxspca.command.cli import main
from relaxspca.reading.files import read_covariance

pytestmark = pytest.mark.filterwarnings("ignore::relaxspca.DataWarning")


def questionnaire(tmp_path, seed=0):
    """Write answers from 0 to 10, with 99 in some cells; return the file, the answers and where they lack."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 11, size=(40, 4)).astype(float)
    gaps = rng.random(X.shape) < 0.05
    lines = ["q1,q2,q3,q4"]
    lines += [
        ",".join("99" if gap else f"{x:g}" for x, gap in zip(*row, strict=True))
        for row in zip(X, gaps, strict=True)
    ]
    (tmp_path / "q.csv").write_text("\n".join(lines))
    return tmp_path / "q.csv", X, gaps


@pytest.mark.parametrize("na", [99, "99", ["99"], [99.0], ("99.0", "refused"), np.array([99])])
def test_cells_with_a_code_are_missing(tmp_path, na):
    file, X, gaps = questionnaire(tmp_path)
    with pytest.raises(InputError, match=r"row \d+ holds 99, read as missing: .*--drop-missing"):
        rs.read(file, na=na)
    cov, taken = read_covariance(file, na=na, drop_missing=True)
    whole = X[~gaps.any(axis=1)]
    assert cov.matrix == pytest.approx(np.cov(whole, rowvar=False))
    told = f"{len(whole)} observations of 4 variables; 99 read as missing in {gaps.sum()} cells"
    assert (taken, cov.description.dropped) == (told, 40 - len(whole))
    np.save(tmp_path / "q.npy", np.where(gaps, 99.0, X))
    assert rs.read(tmp_path / "q.npy", na=na, drop_missing=True).digest != rs.read(tmp_path / "q.npy").digest


def test_words_may_stand_for_missing_values(read, refused):
    text, told = (
        "a;b;c\n1,5;refused;3\n2,5;4;refused\n0,5;2;1\n3;1;8\n-;2;2",
        {"decimal": ",", "drop_missing": True},
    )
    cov, _ = read(text, na=["refused", "-"], **told)
    assert cov.matrix == pytest.approx(np.cov([[0.5, 3], [2, 1], [1, 8]]))
    refused(text, "2 columns are not numeric: .*; if 'refused' says .* --na refused", na="-", **told)


def test_a_code_that_stands_nowhere_is_named(tmp_path):
    file, _, _ = questionnaire(tmp_path)
    with pytest.warns(DataWarning, match="no cell holds 77, which is said to stand for missing values"):
        rs.read(file, na=[77])
    for wrong in (None, True, [None], object()):
        with pytest.raises(InputError, match="na must be what stands for missing values"):
            rs.read(file, na=wrong)


def test_all_text_columns_are_named_at_once(read, refused):
    rows = ["id;date;country;income;age;rate", "a;2024-01-03;DE;39,86;30;0,5", "b;2024-01-04;FR;12,5;;0,25"]
    text = "\n".join([*rows, "c;2024-01-05;DE;1,25;50;0,75"])
    said = refused(
        text, r"4 columns are not numeric: 'date' \(row 1 holds '2024-01-03'\), 'country' \(row 1 ho"
    )
    assert "'country' (row 1 holds 'DE'): " in said
    assert "(--exclude date,country, exclude=[...]) or encode it; 'income'" in said
    assert (
        "'income' (row 1 holds '39,86'), 'rate' (row 1 holds '0,5'): decimals seem to stand behind a comma"
        in said
    )
    assert "--drop-missing" in said
    cov, _ = read(text, decimal=",", exclude=["date", "country", "age"])
    assert cov.names == ("income", "rate")  # as told, in one step


def test_all_text_columns_of_a_frame_are_named_at_once():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2, 3], "b": list("xyz"), "c": ["u", "v", "w"]})
    with pytest.raises(InputError, match=r"2 columns are not numeric: 'b' \('x'\), 'c' \('u'\); drop them"):
        rs.Covariance.from_data(frame)
    with pytest.raises(InputError, match="column 'b' is not numeric: it holds 'x'"):
        rs.Covariance.from_data(frame[["a", "b"]])


@pytest.mark.parametrize(
    "verb",
    ["solve", "components", "path", "stability", "bound", "compare", "near-optimal", "bootstrap", "held-out"],
)
def test_how_a_file_was_read_is_the_first_line(tmp_path, capsys, verb):
    file, _, gaps = questionnaire(tmp_path)
    words = [verb, str(file), "-k", "2", "--na", "99", "--drop-missing"]
    words += ["--resamples", "3"] if verb == "bootstrap" else []
    assert main([*words, "-q"]) == 0
    said = capsys.readouterr()
    left = int((~gaps.any(axis=1)).sum())
    told = f"Read {left} observations of 4 variables; 99 read as missing in {gaps.sum()} cells\n"
    assert said.out.startswith(told)
    assert said.out.count("Read ") == 1
    assert f"relaxspca: note: dropped {40 - left} of 40 observations" in said.err
    assert "dropped" not in said.out  # once is enough
    assert main([*words, "--json"]) == 0
    assert capsys.readouterr().out.startswith("{")


def test_notes_come_before_the_work_and_after_the_line(tmp_path, monkeypatch):
    file, _, _ = questionnaire(tmp_path)
    seen = []
    monkeypatch.setattr("sys.stdout.write", lambda text: seen.append(text), raising=False)
    monkeypatch.setattr(
        "relaxspca.command.cli._note", lambda printed, message, *rest: seen.append(f"note: {message}")
    )
    monkeypatch.setattr(rs, "solve", lambda *words, **options: seen.append("search") or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main(["solve", str(file), "-k", "2"])
    assert [text.split()[0] for text in seen if text.strip()] == ["Read", "note:", "search"]
    assert "99 stands in" in seen[1]
    assert "--na 99" in seen[1]


def test_subset_says_so_too(tmp_path, capsys):
    file, _, _ = questionnaire(tmp_path)
    assert main(["subset", str(file), "--response", "q1", "-k", "1", "-q"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Read 40 observations of q1 and 3 variables\n")
    assert "note: 99 stands in" in said.err
    assert main(["subset", str(file), "--response", "q1", "-k", "1", "-q", "--na", "99", "--drop-missing"]) == 0
    said = capsys.readouterr()
    assert ("far outside" in said.err, "variables; 99 read as missing in" in said.out) == (False, True)


@pytest.mark.usefixtures("sketched")
def test_a_report_says_how_many_observations_were_dropped(tmp_path):
    file, _, gaps = questionnaire(tmp_path)
    dropped = int(gaps.any(axis=1).sum())
    words = f"report {file} -k 1-2 -q --na 99 --drop-missing --out {tmp_path / 'r'}"
    assert main(words.split()) == 0
    page = (tmp_path / "r" / "index.html").read_text(encoding="utf-8")
    assert f"Data: {40 - dropped} observations of 4 variables; " in page
    assert f"covariance matrix of {40 - dropped} observations ({dropped} incomplete left out)" in page
