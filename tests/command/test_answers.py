"""Every command says what its function says: as text, as JSON and in files, with proofs that are verified."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import run, write_csv
from interrupts import interrupt
from printed import records
from published import PITPROPS as OPTIMA

import relaxspca as rs
from relaxspca.applications import certify_subset, near_optimal_subsets, subset_path, subset_selection
from relaxspca.command.subset import Response
from relaxspca.command.verbs import VERBS
from relaxspca.search import branch_and_bound

PITPROPS = rs.datasets.load_pitprops()
B = PITPROPS.matrix + np.diag(np.arange(13.0))
X = np.random.default_rng(0).normal(size=(30, 6))
NAMES = [*"abcde", "price"]
X[:, 5] = X[:, :5] @ [2.0, 0.0, -1.0, 0.0, 0.3] + X[:, 5] / 2 + 4
PRICE = X[:, 5].view(Response)
PRICE.name = "price"
LOADINGS = "moist,0.6\ntestsg,0.8\n"
PAIR = {"moist": 0.6, "testsg": 0.8}
GROUPS = {"ring": ["ringtop", "ringbut"], "alone": ["knots"], "size": ["topdiam", "length"]}
IN_GROUPS = "".join(f" --groups {name}={','.join(members)}" for name, members in GROUPS.items())
GIVEN, TOLD = {"include": ["knots"], "exclude": ["topdiam"]}, " --with knots --without topdiam"
FITTED = {"intercept": True, "names": NAMES[:5]}
RATIO, FIT = "generalized pitprops B.csv --covariance -k 2", "subset x.csv --response price --intercept"


def fit(of, k, **told):
    return of(X[:, :5], PRICE, k, **FITTED | told)


def together(sizes, **told):
    return rs.components(PITPROPS, sizes, joint=True, **told)


ANSWERS = {  # by what is asked: the line that is typed, and what is called
    "solve": ("solve pitprops -k 3" + TOLD, lambda: rs.solve(PITPROPS, 3, **GIVEN)),
    "penalty": ("solve pitprops --rho 0.2", lambda: rs.solve(PITPROPS, rho=0.2)),
    "no variable": ("solve pitprops --rho 5", lambda: rs.solve(PITPROPS, rho=5)),
    "one of each": ("solve pitprops -k 2" + IN_GROUPS, lambda: rs.solve(PITPROPS, 2, groups=GROUPS)),
    "whole groups": (
        "solve pitprops --most 2" + IN_GROUPS, lambda: rs.solve(PITPROPS, groups=GROUPS, most=2)
    ),
    "nonnegative": ("solve pitprops -k 10 --nonnegative", lambda: rs.solve(PITPROPS, 10, nonnegative=True)),
    "near-optimal": (
        "near-optimal pitprops -k 10 --within 0.02 --costs",
        lambda: rs.near_optimal(PITPROPS, 10, within=0.02, costs=True),
    ),
    "the only set": ("near-optimal pitprops -k 13", lambda: rs.near_optimal(PITPROPS, 13)),
    "stability": (
        "stability pitprops -k 3 --decimals 3" + TOLD,
        lambda: rs.stability(rs.solve(PITPROPS, 3, **GIVEN), decimals=3),
    ),
    "generalized": (RATIO + TOLD, lambda: rs.generalized(PITPROPS, B, 2, **GIVEN)),
    "generalized, groups": (
        RATIO + " --ridge 0.5 --groups g=topdiam,length",
        lambda: rs.generalized(PITPROPS, B, 2, ridge=0.5, groups={"g": ["topdiam", "length"]}),
    ),
    "list of ratios": (RATIO + " --within 0.5", lambda: rs.near_optimal((PITPROPS, B), 2, within=0.5)),
    "subset": (FIT + " -k 2", lambda: fit(subset_selection, 2)),
    "path of subsets": (FIT + " -k 1-4", lambda: fit(subset_path, range(1, 5))),
    "verdict on a subset": (FIT + " --subset b,d", lambda: fit(certify_subset, ["b", "d"])),
    "list of subsets": (
        FIT + " -k 2 --within 0.5 --without d",
        lambda: fit(near_optimal_subsets, 2, within=0.5, exclude=["d"]),
    ),
    "certify": ("certify pitprops --loadings l.csv -k 3", lambda: rs.certify(PITPROPS, PAIR, k=3)),
    "certify, conditions": (
        "certify pitprops --loadings l.csv -k 3" + TOLD,
        lambda: rs.certify(PITPROPS, PAIR, k=3, **GIVEN),
    ),
    "certify a table": (
        "certify pitprops --loadings t.csv --node-limit 0",
        lambda: rs.certify(PITPROPS, {"a": PAIR, "b": {"knots": 1.0}}, node_limit=0),
    ),
    "bound": ("bound pitprops -k 2", lambda: rs.upper_bound(PITPROPS, 2)),
    "components": (
        "components pitprops -k 3,2 --time-limit 0" + TOLD,
        lambda: rs.components(PITPROPS, [3, 2], time_limit=0, **GIVEN),
    ),
    "components, disjoint": (
        "components pitprops -k 2,1 --joint --disjoint --time-limit 0",
        lambda: together([2, 1], disjoint=True, time_limit=0),
    ),
    "components, common": (
        "components pitprops -k 2,2 --joint --common --gap 1", lambda: together([2, 2], common=True, gap=1)
    ),
    "components, conditions": (
        "components pitprops -k 2,1 --joint --time-limit 0 --without topdiam --component-with 1=moist",
        lambda: together([2, 1], time_limit=0, exclude=["topdiam"], include=[["moist"], []]),
    ),
    "path": ("path pitprops -k 1-3" + TOLD, lambda: rs.path(PITPROPS, k=[1, 2, 3], **GIVEN)),
    "path of penalties": (
        "path pitprops --rho 0.3,0.5 --with knots", lambda: rs.path(PITPROPS, rho=[0.3, 0.5], include=["knots"])
    ),
    "path of shares": (
        "path pitprops --share-of-dense 0.3" + TOLD, lambda: rs.path(PITPROPS, share_of_dense=0.3, **GIVEN)
    ),
    "compare": ("compare pitprops -k 2" + TOLD, lambda: rs.compare(PITPROPS, 2, **GIVEN)),
    "bootstrap": ("bootstrap x.csv -k 2 --resamples 3", lambda: rs.bootstrap(X, 2, resamples=3, names=NAMES)),
    "held-out": ("held-out x.csv -k 1-2 --folds 2", lambda: rs.held_out(X, [1, 2], folds=2, names=NAMES)),
}  # fmt: skip
# What `verify` says of some of their certificates.
PROVED = {
    "one of each": "at most one variable of each of the groups {",
    "generalized": "the largest x'Ax / x'Bx of a vector x that uses at most 2 variables, subject to knots",
    "components, disjoint": "w_disjoint(2,1) is the largest sum of the variances",
    "components, conditions": "moist included in component 1, topdiam excluded",
}
ROWS = {
    name: "components" if name[:4] in ("comp", "cert") else "supports"
    for name in ANSWERS
    if name.startswith(("components", "certify a", "list", "near", "the only"))
}
ALONE = {"compare", "bootstrap", "held-out", "path of subsets"}  # without a certificate
# Of JSON: what has the names of Python, and what is beside records, or in lists there.
ALIKE = {"k", "status", "smallest_k", "is_smallest_proved", "is_complete", "is_optimal_as_printed"}
ABOVE = {"upper": "upper", "others": "upper", "runner_up": "runner_up", "joint_upper": "joint_upper"}
BOUNDS = ("lower", "upper", "first_lower", "first_upper", "table_lower", "table_upper")
OTHER = {"seconds", "support", "indices", "certificate", "loadings", "better", "history", "relaxation"}


@pytest.fixture
def words(tmp_path, monkeypatch, clock):
    """Return a function that splits a line, where the files are that it names and the clock stands."""
    clock(lambda: 0.0)
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "x.csv", NAMES, X.tolist())
    write_csv(tmp_path / "B.csv", PITPROPS.names, B.tolist())
    (tmp_path / "l.csv").write_text(LOADINGS)
    (tmp_path / "t.csv").write_text("variable,a,b\nmoist,0.6,0\ntestsg,0.8,0\nknots,0,1\n")
    return lambda name: ANSWERS[name][0].split()


def test_every_command_with_a_result_is_here():
    assert {line.split()[0] for line, _ in ANSWERS.values()} == set(VERBS) - {"read", "report", "verify"}


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("name", ANSWERS)
def test_text_and_files_are_those_of_the_function(name, words, tmp_path, printed):
    pytest.importorskip("matplotlib")
    found, files = ANSWERS[name][1](), ["--csv", "out.csv", "--latex", "out.tex", "--markdown", "out.md"]
    if name != "no variable":
        files += ["--plot", "out.svg"]
    if "components" in name:
        files += ["--html", "out.html", "--loadings", "out.txt", "--caption", "Ours"]
    out = printed(*words(name), *files)
    assert found.statement in out
    assert found.to_text().removeprefix(found.statement).strip() in out
    text = {file.suffix[1:]: file.read_text() for file in tmp_path.glob("out.*")}
    assert text["csv"] == found.to_csv()
    assert text["tex"] == found.to_latex(caption="Ours" if "components" in name else False)
    assert text["md"] == found.to_markdown()
    assert name == "no variable" or "<svg" in text["svg"]
    assert "components" not in name or text["txt"] == found.loadings_csv()


@pytest.mark.parametrize("name", ANSWERS)
def test_json_has_the_records_of_the_function_and_its_bounds_as_exact_decimals(name, words, printed):
    found, text = ANSWERS[name][1](), printed(*words(name), "--json")
    said, exact = json.loads(text), json.loads(text, parse_float=Fraction)
    rows, exact_rows = (all_of.get(ROWS.get(name, "rows"), [all_of]) for all_of in (said, exact))
    if name not in ("bound", "stability"):
        for row, decimals, record, line in zip(
            rows, exact_rows, found.to_records(), records(found), strict=True
        ):
            told = {key: value for key, value in record.items() if key not in OTHER}
            assert told == {key: row[key] for key in told}
            for end in {*BOUNDS} & {*record}:
                assert decimals[end] == Fraction(line[end])
            if "loadings" in row and name not in ROWS:
                assert list(row["loadings"]) == row["support"] == [PITPROPS.names[i] for i in row["indices"]]
    if name != "bound":
        check_outward(exact, found)
    for key in {*said} & ALIKE:
        assert said[key] == getattr(found, key, said[key])
    if name in ("solve", "compare"):
        assert (said["include"], said["exclude"]) == (["knots"], ["topdiam"])
    assert said.get("groups", GROUPS) == GROUPS


def check_outward(exact, found):
    """Check that bounds in JSON are no sharper than those of the result, which are held against the truth."""
    for key in ("lower", "radius", "others_at_least"):
        assert exact.get(key) is None or exact[key] <= getattr(found, key)
    for key, own in ABOVE.items():
        assert exact.get(key) is None or exact[key] >= getattr(found, own)
    for measure, radius in exact.get("radii", {}).items():
        assert 0 < radius <= found.radii[measure]
    for variable, (low, high) in exact.get("costs", {}).items():
        assert low <= found.costs[variable][0] <= found.costs[variable][1] <= high


@pytest.mark.parametrize("name", [name for name in ANSWERS if name not in ALONE])
def test_what_is_written_as_a_proof_is_verified(name, words, printed):
    line = words(name)
    is_folder = name == "certify a table" or line[0] in ("path", "components") and "--common" not in line
    given = ["--certificates", "proofs"] if is_folder else ["--certificate", "c.json"]
    assert given[1] in printed(*line, *given)
    against = ["--against", "pitprops"] if line[1] == "pitprops" and line[0] != "generalized" else []
    said = printed("verify", given[1], *against, "--csv", "rows.csv")
    assert PROVED.get(name, "verified") in said
    assert not against or is_folder or "your matrix is identical to the certified one" in said
    for row in csv.DictReader(Path("rows.csv").read_text().splitlines()):
        made = rs.Certificate.load(row["path"])
        assert (row["sizes"], row["supports"] or None) == (" ".join(map(str, made.sizes)), made.supports)


def test_a_bound_that_meets_its_component_is_not_called_open(answered):
    met = answered("bound", "pitprops", "-k", "3")
    apart = answered("bound", "pitprops", "-k", "8", "--relaxation", "spectral")
    assert met["gap"] <= 1e-6 < apart["gap"]
    for found, k in ((met, 3), (apart, 8)):
        assert found["lower"] - 1e-9 <= OPTIMA[k - 1] <= found["upper"] + 1e-9
    assert (met["status"], apart["status"]) == ("optimal", "open")


def groups_as(mark, head=""):
    return head + "".join(f"{name}{mark}{group}\n" for group, members in GROUPS.items() for name in members)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.csv", groups_as(",", "variable,group\n")), ("g.csv", groups_as(' , ')),
        ("g.tsv", groups_as("\t", "# of pits\n\n")), ("g.json", json.dumps(GROUPS)),
    ],
)  # fmt: skip
def test_groups_from_files_are_those_of_words(answered, words, name, text):
    Path(name).write_text(text)
    expected = answered(*words("whole groups"))
    assert answered("solve", "pitprops", "--most", "2", "--groups", name) == expected
    assert (expected["most"], expected["restriction"], len(expected["used"])) == (2, "whole_groups", 2)


@pytest.mark.parametrize("name", sorted(VERBS.keys() - {"read", "report", "verify"}))
@pytest.mark.parametrize("bad", [["--csv", "no/such/folder.csv"], ["--plot", "figure.nothing"]])
def test_what_cannot_be_written_is_refused_before_the_work(name, bad, words, declined):
    pytest.importorskip("matplotlib")
    line = next(line for line, _ in ANSWERS.values() if line.split()[0] == name)
    assert bad[1] in declined(*line.split(), "--latex", "out.tex", *bad)
    assert not Path("out.tex").exists()


@pytest.mark.parametrize(
    ("name", "option", "file"),
    [
        ("subset", "--latex", "x.csv"),
        ("certify", "--csv", "l.csv"),
        ("certify", "--certificate", "l.csv"),
        ("bound", "--latex", "./out.csv"),  # what --csv writes
        ("solve", "--csv", ""),
    ],
)
def test_what_is_read_is_not_written_over_and_no_file_is_written_twice(name, option, file, words, declined):
    before = {path: path.read_bytes() for path in Path().iterdir()}
    line = [*words(name), "--markdown", "out.md", *([] if option == "--csv" else ["--csv", "out.csv"])]
    said = declined(*line, option, file)
    assert f"{option} are one file" in said or "is empty" in said
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_a_certificate_is_not_written_over_by_its_verdict(tmp_path, declined, printed):
    file = tmp_path / "c.json"
    printed("bound", "pitprops", "-k", "2", "--certificate", file)
    before = file.read_bytes()
    assert "one file" in declined("verify", file, "--csv", file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", ["subset", "path of subsets", "verdict on a subset"])
def test_a_search_that_was_interrupted_is_reported_with_its_exit_code(name, words, monkeypatch, capsys):
    interrupt(monkeypatch, branch_and_bound, "expand")
    code, out, _ = run(capsys, *words(name), "--json")
    assert code == 130
    assert ("interrupted" in {row["status"] for row in json.loads(out)["rows"]}) == (name[0] != "v")
