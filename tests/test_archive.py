import csv

import numpy as np
import pytest
from true_certificates import certificate, covariance, true_certificates

from relaxspca.archive import certificate_paths, verify_many, write_csv
from relaxspca.certificate import Leaf
from relaxspca.errors import InputError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    made = true_certificates()
    made["tree"][1].save(tmp_path / "b.json")
    made["psi"][1].save(tmp_path / "deep" / "c.json")
    S = covariance(4, seed=1)
    too_low = np.linalg.eigvalsh(S)[-1] / 9
    certificate(S, 2, [Leaf("spectral")], lower=0.0, upper=too_low).save(tmp_path / "d.json")
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "certificate.schema.json").write_text("{}")
    return tmp_path


def test_every_file_gets_its_row_whatever_the_others_are(folder):
    rows = verify_many([folder])
    assert [row.outcome for row in rows] == ["unreadable", "verified", "refuted", "verified"]
    assert [row.verified for row in rows] == [False, True, False, True]
    assert rows[1].kind == "pairwise+psi"
    assert rows[1].leaves == 3
    assert rows[1].proved_upper <= rows[1].upper
    assert rows[1].width == rows[1].proved_upper - rows[1].lower
    assert "not readable as a certificate" in rows[0].reasons[0]


def test_processes_find_what_one_process_finds(folder):
    def told(rows):
        return [(row.path, row.outcome, row.proved_upper) for row in rows]

    alone = told(verify_many([folder], exact=False))
    assert told(verify_many([folder], n_jobs=2, exact=False)) == alone


def test_against_another_matrix_refutes_every_one_that_can_be_read(folder):
    rows = verify_many([folder / "b.json", folder / "deep" / "c.json"], against=true_certificates()["psi"][0])
    assert [row.outcome for row in rows] == ["verified", "verified"]
    rows = verify_many([folder], against=np.eye(3))
    assert [row.outcome for row in rows] == ["unreadable", "refuted", "refuted", "refuted"]


def test_files_folders_and_globs_are_expanded_and_nothing_is_an_error(folder):
    names = [path.name for path in certificate_paths([folder / "deep", str(folder / "*.json")])]
    assert names == ["c.json", "a.json", "b.json", "certificate.schema.json", "d.json"]
    with pytest.raises(InputError, match="no certificate at"):
        certificate_paths([folder / "nothing*"])


def test_rows_go_to_csv(folder):
    rows = verify_many([folder])
    write_csv(rows, folder / "INDEX.csv")
    with (folder / "INDEX.csv").open() as stream:
        read = list(csv.DictReader(stream))
    assert [line["outcome"] for line in read] == [row.outcome for row in rows]
    assert float(read[1]["upper"]) == rows[1].upper
