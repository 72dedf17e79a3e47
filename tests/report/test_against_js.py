"""Held against a matrix of the reader, the two checkers say the same, to the last bit of the distance."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from building import changed
from draws import draws
from true_certificates import certificate, covariance, top, true_certificates
from two_checkers import NODE, answered, checked, files_of

from relaxspca.applications import subset_selection
from relaxspca.certificate import Deflation, Description, Leaf
from relaxspca.checker.exact import Exact, float_above
from relaxspca.checker.own_matrix import FORMS, Side, deflated
from relaxspca.command.cli import main
from relaxspca.tasks.verify import verify_certificate as verify

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
TRUE = {name: made for name, (_, made) in true_certificates().items()}
PLAIN = ["perron", "psi on a factor", "penalised psi", "near optimal", "eliminated", "two eliminated"]


def held(given, paths):
    return checked(paths, f"--against={given}")


def agree(given, python_side, paths):
    """Check that both say the same; return the outcomes and the distances."""
    outcomes, distances = [], []
    for path, said in zip(paths, held(given, paths), strict=True):
        verdict = verify(path, exact=True, against=python_side)
        assert said["outcome"] == verdict.outcome.name, (path, verdict, said)
        distance = np.inf if said["distance"] is None else float_above(Fraction(said["distance"]))
        assert distance == verdict.comparison.distance, (path, verdict, said)
        outcomes.append(said["outcome"])
        distances.append(distance)
    return outcomes, distances


def tables(S, names, rng):
    """Yield tables that are the same matrix, nearly the same, or another one."""
    frame = pd.DataFrame(S, names, names)
    order = rng.permutation(len(S))
    noise = rng.normal(size=S.shape)
    noise = (noise + noise.T) / 2
    yield frame
    yield frame.iloc[order, order]
    yield frame + 1e-13 * noise
    yield (frame + 1e-13 * rng.normal(size=S.shape)).iloc[order, order]
    yield frame + 1e-3 * noise
    yield 10 * frame
    yield frame / 10
    yield -frame
    yield frame.rename(index={"x0": "w"}, columns={"x0": "w"})
    yield pd.DataFrame(S)  # numbers for names
    yield frame.iloc[1:, 1:]


def write(frame, path, rng):
    """Write a table with row names or without, at one of three separators."""
    is_named = rng.random() < 0.5
    frame.map(lambda x: format(x, ".17g")).to_csv(path, sep=str(rng.choice([",", ";", "\t"])), index=is_named)
    return path


def test_tables_of_every_kind(tmp_path):
    rng, met = np.random.default_rng(0), []
    paths = files_of([TRUE[name] for name in PLAIN[:: draws(2, 1)]], tmp_path)
    S = covariance(6, seed=1)
    more = np.pad(S, (0, 2))
    more[6:, 6:] = [[0.0625, 0.01], [0.01, 0.125]]
    for names, matrix in (([f"x{i}" for i in range(6)], S), ([*(f"x{i}" for i in range(6)), "y", "z"], more)):
        sizes = [len(matrix)] if len(matrix) == 6 else draws([8], [7, 8])
        for size in sizes:
            part = matrix[:size, :size]
            for frame in tables(part, names[:size], rng):
                table = write(frame, tmp_path / "s.csv", rng)
                # pandas numbers columns; as names these are texts, and so are they in the file.
                met += agree(table, frame.rename(index=str, columns=str), paths)[0]
    assert all(met.count(outcome) >= 5 for outcome in ("VERIFIED", "INCONCLUSIVE", "REFUTED")), met


def test_other_certificates_and_digests(tmp_path):
    paths = files_of(TRUE.values(), tmp_path)
    one_of_each_matrix = [*{made.digest: made for made in TRUE.values()}.values()]
    for made in one_of_each_matrix[: draws(2, None)]:
        made.save(tmp_path / "given.json")
        agree(tmp_path / "given.json", made, paths)
        outcomes = [said["outcome"] for said in held(made.digest, paths)]
        assert outcomes == [verify(other, against=made.digest).outcome.name for other in TRUE.values()]


def test_descriptions_that_contradict_each_other(tmp_path):
    made = TRUE["spectral"]
    said = [
        Description(), Description("covariance"), Description("correlation"),
        Description("covariance", 10), Description("covariance", 11),
        Description("covariance", 10, True), Description("covariance", 10, False),
    ]  # fmt: skip
    others = [changed(made, description=description) for description in said]
    paths = files_of(others, tmp_path)
    met = [agree(path, other, paths)[0] for path, other in zip(paths, others, strict=True)]
    assert met[1][2] == met[3][4] == met[5][6] == "INCONCLUSIVE"
    assert met[0] == ["VERIFIED"] * len(said)


def after(deflation, S):
    """Return a certificate of S after a deflation; after a projection where nobody knows its method."""
    exact = Exact()
    known = deflation if deflation.method in FORMS else changed(deflation, method="projection")
    D = deflated(exact, Side(exact, S, None, range(len(S))).whole, known).astype(float)
    D = (D + D.T) / 2
    names, description = deflation.names, Description("matrix", deflation=deflation)
    return certificate(D, 2, [Leaf("rows")], upper=top(D), names=names, description=description)


def test_deflations_are_followed_to_the_same_last_bit(tmp_path):
    rng, n, names = np.random.default_rng(1), 6, tuple(f"x{i}" for i in range(6))
    S, psi = covariance(n, seed=4), TRUE["psi"].digest
    chains = [
        Deflation(method, psi, names, np.round(rng.normal(size=(n, count)), 3))
        for method in [*FORMS, "unknown"]
        for count in draws((3,), (1, 3))
    ]
    made = [after(chain, S) for chain in chains]
    paths = files_of(made, tmp_path)
    frame = pd.DataFrame(S, names, names)
    order = rng.permutation(n)

    def met(given, paths):
        outcomes, distances = agree(write(given, tmp_path / "s.csv", rng), given, paths)
        return [(outcome, distance < 1e-12) for outcome, distance in zip(outcomes, distances, strict=True)]

    followed = [("VERIFIED", True) if c.method in FORMS else ("INCONCLUSIVE", False) for c in chains]
    assert met(frame, paths) == met(frame.iloc[order, order], paths) == followed
    for other in (frame + 1e-9, 2 * frame):
        met(other, paths)
    for claim, path in zip(made, paths, strict=True):
        assert met(pd.DataFrame(claim.matrix, names, names), [path]) == [("VERIFIED", True)]


def test_a_chain_that_cannot_be_followed_is_not(tmp_path):
    """A component twice: nothing is left of it once it is made orthogonal to itself."""
    names = tuple(f"x{i}" for i in range(4))
    S, x = covariance(4, seed=2), np.ones((4, 2))
    path = tmp_path / "d.json"
    for method in FORMS:
        deflation = Deflation(method, TRUE["psi"].digest, names, x)
        made = certificate(
            S, 2, [Leaf("rows")], upper=top(S), names=names, description=Description(deflation=deflation)
        )
        made.save(path)
        other = pd.DataFrame(3 * S, names, names)
        file = write(other, tmp_path / "s.csv", np.random.default_rng(0))
        assert "VERIFIED" not in agree(file, other, [path])[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,b\n1,2\n3\n", "not of one length"),
        ("a,a\n1,0\n0,1\n", "two of its columns have the same name"),
        ("a,b\n1,\n0,1\n", "'' is not a number"),
        ("a;b\n1;0,5\n0;1\n", "'0,5' is not a number such as 1.5, in column b"),
        ("a,b\n1,1e999\n0,1\n", "'1e999' is not a number"),
        ("", "not of one length"),
        ("{", "not JSON"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(text, reason, tmp_path):
    TRUE["perron"].save(tmp_path / "c.json")
    (tmp_path / "s.csv").write_text(text)
    code, text = answered(f"--against={tmp_path / 's.csv'}", tmp_path / "c.json")
    assert (code, text.count("\n")) == (2, 1)
    assert reason in text


SQUARES = {  # what a square table is, and what is said of it
    "columns in another order": (lambda S: S[[*"cadb"]], "its rows put in the order of its columns"),
    "rows of other names": (lambda S: S.rename({"b": "w"}), "row 2 is called 'w' and column 2 'b'"),
    "not symmetric": (lambda S: S + 1e-6 * np.eye(4, k=1), "it is not symmetric, and so no covariance"),
}


@pytest.mark.parametrize("name", SQUARES)
def test_a_square_table_is_read_as_by_the_command_line(name, tmp_path):
    change, said = SQUARES[name]
    S = pd.DataFrame(covariance(4, seed=3), [*"abcd"], [*"abcd"])
    certificate(S.to_numpy(), 2, [Leaf("rows")], upper=top(S), names=[*"abcd"]).save(tmp_path / "c.json")
    change(S).map(lambda x: format(x, ".17g")).to_csv(tmp_path / "s.csv")
    code, text = answered(f"--against={tmp_path / 's.csv'}", tmp_path / "c.json")
    assert said in text
    assert code == main(["verify", str(tmp_path / "c.json"), "--against", str(tmp_path / "s.csv")])


def test_quoted_names_and_a_byte_order_mark(tmp_path):
    made = changed(TRUE["spectral"], names=['a,"b"', "c;d", "e", " f", "g", "h"])
    made.save(tmp_path / "c.json")
    frame = pd.DataFrame(made.matrix, made.names, made.names).rename(index=str.strip, columns=str.strip)
    frame.map(lambda x: format(x, ".17g")).to_csv(tmp_path / "s.csv", encoding="utf-8-sig")
    [said] = held(tmp_path / "s.csv", [tmp_path / "c.json"])
    assert "has no variable ' f'" in said["reasons"][0]  # names are compared as they are, cells without margins
    changed(made, names=[name.strip() for name in made.names]).save(tmp_path / "c.json")
    [said] = held(tmp_path / "s.csv", [tmp_path / "c.json"])
    assert (said["outcome"], said["note"]) == ("VERIFIED", "your matrix is identical to the certified one")


NAMES = ["height, cm", "weight", "age", 'so "odd"']


def observed(kind, is_centred, rng):
    """Return observations and a certificate of a matrix of them."""
    X = np.round(rng.normal(size=(30, 4)) @ rng.normal(size=(4, 4)) + 5, 2)
    S = {"covariance": np.cov(X.T), "correlation": np.corrcoef(X.T), "second moments": X.T @ X / 30}[kind]
    S = (S + S.T) / 2
    description = Description(kind, 30, is_centred)
    made = certificate(S, 4, [Leaf("rows")], upper=top(S), names=NAMES, description=description)
    return pd.DataFrame(X, columns=NAMES), made


@pytest.mark.parametrize(
    ("kind", "is_centred"), [("covariance", True), ("correlation", True), ("second moments", False)]
)
def test_a_table_of_observations_is_held_against_the_claim_by_name(kind, is_centred, tmp_path):
    frame, made = observed(kind, is_centred, np.random.default_rng(6))
    made.save(tmp_path / "c.json")
    typo, gone = frame.copy(), frame.rename(columns={"age": "years"})
    typo.loc[3, "age"] += 40
    tables = {
        "same": (frame, "VERIFIED"),
        "reordered": (frame[NAMES[::-1]].sample(frac=1, random_state=1), "VERIFIED"),
        "typo": (typo, "REFUTED" if kind != "correlation" else "INCONCLUSIVE"),
        "renamed": (gone, "INCONCLUSIVE"),
        "one row less": (frame[1:], "INCONCLUSIVE"), "one column less": (frame[NAMES[1:]], "REFUTED"),
        "one column more": (frame.assign(id=range(30)), "VERIFIED"),
        "one column of text more": (frame.assign(id=[f"2024-01-{i}" for i in range(30)]), "VERIFIED"),
        "text in a column that is named": (frame.assign(age=["old", *frame["age"][1:]]), "REFUSED"),
    }  # fmt: skip
    for name, (table, expected) in tables.items():
        table.to_csv(tmp_path / "x.csv", index=False, sep=";" if name == "reordered" else ",")
        [said] = held(tmp_path / "x.csv", [tmp_path / "c.json"])
        assert said["outcome"] == expected, (name, said)
        if expected in ("REFUTED", "INCONCLUSIVE"):
            text = answered(f"--against={tmp_path / 'x.csv'}", tmp_path / "c.json")[1]
            assert text.startswith("another matrix: "), (name, text)
        if expected == "VERIFIED":
            assert f"your table, the {kind} of 30 observations" in said["note"]
            assert ("(left out: id)" in said["note"]) == ("more" in name)
            assert Fraction(said["distance"]) < 1e-12


def test_a_table_without_names_or_of_one_row_is_not_held_against_a_claim(tmp_path):
    _, made = observed("covariance", True, np.random.default_rng(6))
    made.save(tmp_path / "c.json")
    for text, reason in (("1,2,3\n4,5,6\n", "observations need names"), ("a,b\n1,2\n", "one observation")):
        (tmp_path / "x.csv").write_text(text)
        [said] = held(tmp_path / "x.csv", [tmp_path / "c.json"])
        assert (said["outcome"], reason in said["reasons"][0]) == ("INCONCLUSIVE", True)


def test_a_regression_is_held_against_its_observations_and_a_response_of_any_name(tmp_path):
    rng = np.random.default_rng(8)
    X = pd.DataFrame(np.round(rng.normal(size=(25, 4)), 2), columns=NAMES)
    y = np.round(X.sum(axis=1) + rng.normal(size=25), 2)
    made = subset_selection(X.to_numpy(), y.to_numpy(), 2, names=NAMES).certificate
    made.save(tmp_path / "c.json")
    for more, expected in (({}, "VERIFIED"), ({"ridge": 9}, "INCONCLUSIVE"), ({"intercept": True}, "REFUTED")):
        other = changed(made, **more)
        [said] = held(*files_of([other], tmp_path), [tmp_path / "c.json"])
        assert said["outcome"] == verify(made, exact=True, against=other).outcome.name == expected
    for table, expected in (
        (X.assign(yield_=y), "VERIFIED"),
        (X[NAMES[::-1]].assign(yield_=y), "VERIFIED"),
        (X.assign(yield_=y + 1e-9 * y**2), "VERIFIED"),
        (X.assign(yield_=9 * y), "REFUTED"),
        (X.assign(yield_=y, more=1), "REFUTED"),
        (X.rename(columns={"age": "years"}).assign(yield_=y), "INCONCLUSIVE"),
    ):
        table.to_csv(tmp_path / "x.csv", index=False)
        assert held(tmp_path / "x.csv", [tmp_path / "c.json"])[0]["outcome"] == expected
