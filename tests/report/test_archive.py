import csv
from pathlib import Path

import numpy as np
import pytest
from published import PITPROPS
from true_certificates import certificate, covariance, true_certificates

from relaxspca.certificate import Leaf
from relaxspca.errors import InputError
from relaxspca.report.archive import certificate_paths, summary, verify_many, write_csv


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    made = true_certificates()
    made["tree"][1].save(tmp_path / "b.json")
    made["psi"][1].save(tmp_path / "deep" / "c.json")
    S = covariance(4, seed=1)
    too_low = np.linalg.eigvalsh(S)[-1] / 9
    certificate(S, 2, [Leaf("rows")], lower=0.0, upper=too_low).save(tmp_path / "d.json")
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "certificate.schema.json").write_text("{}")
    return tmp_path


def test_every_file_gets_its_row_whatever_the_others_are_also_as_csv(folder):
    rows = verify_many(folder)
    assert [row.outcome for row in rows] == ["unreadable", "verified", "refuted", "verified"]
    assert [row.verified for row in rows] == [False, True, False, True]
    assert rows[1].kind == "factor+rows"
    assert rows[1].leaves == 3
    assert rows[1].proved_upper <= rows[1].upper
    assert rows[1].width == rows[1].proved_upper - rows[1].lower
    assert "not readable as a certificate" in rows[0].reasons[0]
    write_csv(rows, folder / "INDEX.csv")
    with (folder / "INDEX.csv").open() as stream:
        read = list(csv.DictReader(stream))
    assert [line["outcome"] for line in read] == [row.outcome for row in rows]
    assert float(read[1]["upper"]) == rows[1].upper


def test_processes_find_what_one_process_finds(folder):
    def told(rows):
        return [(row.path, row.outcome, row.proved_upper) for row in rows]

    pytest.importorskip("joblib")
    alone = told(verify_many([folder], exact=False))
    assert told(verify_many([folder], n_jobs=2, exact=False)) == alone


def test_against_another_matrix_none_is_verified_and_what_is_false_is_refuted(folder):
    rows = verify_many([folder / "b.json", folder / "deep" / "c.json"], against=true_certificates()["psi"][0])
    assert [row.outcome for row in rows] == ["verified", "verified"]
    rows = verify_many([folder], against=np.eye(3))
    assert [row.outcome for row in rows] == ["unreadable", "another matrix", "refuted", "another matrix"]
    rows = verify_many([folder], against=(np.eye(3), np.eye(3)))  # what a claim about a ratio is held against
    assert [row.outcome for row in rows] == ["unreadable", *["not compared"] * 3]


def test_files_folders_and_globs_are_expanded_and_nothing_is_an_error(folder):
    names = [path.name for path in certificate_paths([folder / "deep", str(folder / "*.json")])]
    assert names == ["c.json", "a.json", "b.json", "certificate.schema.json", "d.json"]
    with pytest.raises(InputError, match="no certificate at"):
        certificate_paths([folder / "nothing*"])


def test_several_matrices_in_a_folder_are_told_apart(tmp_path):
    made = true_certificates()
    for at, name in enumerate(("tree", "psi", "one variable")):
        made[name][1].save(tmp_path / f"{at}.json")
    rows = verify_many([tmp_path])
    assert len({row.digest for row in rows}) == 2
    said = summary(rows)
    assert "3 of 3 verified; they are about 2 different matrices:" in said
    assert f"2 of the 6 x 6 symmetric matrix, {made['tree'][1].digest}" in said
    assert f"1 of the 1 x 1 symmetric matrix, {made['one variable'][1].digest}" in said
    one = summary(rows[:2])
    assert one == f"2 of 2 verified, of the 6 x 6 symmetric matrix, {made['tree'][1].digest}"


def test_a_row_says_what_was_proved_and_how_it_was_compared(tmp_path):
    S, made = true_certificates()["tree"]
    made.save(tmp_path / "c.json")
    (row,) = verify_many([tmp_path], against=S + 1e-13 * np.eye(6))
    assert row.verified
    text = "\n".join(row.statement)
    for part in (
        "<= v_3 <=",
        "at most 3 variables",
        ", ".join(made.support),
        "6 x 6 symmetric matrix",
        made.digest,
        "differs from the certified one by at most",
        "uniqueness is not part",
    ):
        assert part in text


PUBLISHED = {
    "pitprops": dict(enumerate(PITPROPS, 1)),
    "breast_cancer": {5: 4.904775591973386, 10: 8.556854793929196},
}
# By enumeration of all pairs of supports, and of all common supports.
TABLES = {
    ("orthogonal", "3 3"): 4.678844,
    ("orthogonal", "4 4"): 5.255158,
    ("orthogonal", "5 5"): 5.710358,
    ("orthogonal", "5 2"): 5.288155,
    ("disjoint", "4 4 4"): 7.25015,
    ("disjoint", "7 4 4"): 7.58663,
    ("common", "5 5"): 4.39105,
    ("common", "8 8"): 5.86214,
    ("common", "4 4 4"): 3.95884,
}
FOLDER = Path(__file__).parents[2] / "certificates"


@pytest.fixture(scope="module")
def verified():
    return verify_many([FOLDER], exact=False)


def test_the_archive_verifies_and_holds_the_published_optima(verified):
    assert [row.path for row in verified if not row.verified] == []
    proved = {(Path(row.path).parent.name, row.k): row for row in verified}
    for name, values in PUBLISHED.items():
        for k, value in values.items():
            row = proved[name, k]
            assert row.lower - 1e-10 <= value <= row.proved_upper + 1e-10
            assert row.width < 1e-9
    tables = {(row.supports, row.sizes): row for row in verified if row.supports}
    for (supports, sizes), value in TABLES.items():
        row = tables[supports, sizes]
        assert row.lower - 1e-5 <= value <= row.proved_upper + 1e-5
        assert row.width < 1e-7
    clique = proved["clique_seed0", 10]
    assert clique.lower <= 10 <= clique.proved_upper < 10 + 1e-9


def test_the_index_is_of_the_archive(verified):
    with (FOLDER / "INDEX.csv").open() as stream:
        lines = {(line["instance"], line["k"]): line for line in csv.DictReader(stream)}
    rows = {(Path(row.path).parent.name, row.sizes or str(row.k or "")): row for row in verified}
    assert set(lines) == set(rows)
    for key, row in rows.items():
        assert float(lines[key]["lower"]) == row.lower
        # LAPACK's eigenvalues differ from machine to machine in their last digits, and the bounds with them.
        assert float(lines[key]["proved_upper"]) == pytest.approx(row.proved_upper, rel=1e-10)
        assert int(lines[key]["leaves"]) == row.leaves
