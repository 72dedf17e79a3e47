"""Thousands of random changes of true certificates: whatever still loads never proves less than the truth."""

import contextlib
import hashlib
import json
import random
from fractions import Fraction

import numpy as np
import pytest
from building import changed as rebuilt
from checker.test_ratio import attained, supports
from draws import draws
from enumeration import values_of
from random_changes import changed, slots
from restricted_certificates import restricted_certificates
from restricted_certificates import truth as restricted_truth
from telling_lies import document_of, loaded, refusal, saved
from true_certificates import true_certificates
from true_choices import true_choices
from true_ratios import true_ratios
from true_tables import matrix_of, true_tables
from true_tables import truth as truth_of_several
from two_checkers import NODE, checked, written

import relaxspca.certificate.writing as certificate_writing
from relaxspca.certificate import load_certificate
from relaxspca.checker import Outcome, verify
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify_against

FAMILIES = {  # certificates, and how many files are made of them
    "component": (true_certificates() | restricted_certificates(), draws(200, 10_000)),
    "components": (true_tables() | true_choices(), draws(100, 3000)),
    "ratio": ({name: (None, made) for name, made in true_ratios().items() if made.n <= 9}, draws(90, 1500)),
}


class Truth:
    """The optimum of whatever claim came out, by enumeration, and how much of it may be rounding."""

    def __init__(self):
        self.known = {}

    def __call__(self, made):
        claim = made.claim
        if claim.kind == "ratio":
            values = [value for T in supports(made) if (value := attained(made.subject, T)) is not None]
            return max(values), Fraction(abs(max(values))) / 10**12
        scale = np.abs(matrix_of(made)).sum()
        if claim.kind == "components":
            key = made.digest, made.supports, made.sizes
            if key not in self.known:
                self.known[key] = truth_of_several(made, np.random.default_rng(1))
            return self.known[key], 1e-7 * scale
        if claim.one_of_each or claim.whole_groups or claim.nonnegative:
            return restricted_truth(matrix_of(made), made), 1e-13 * scale
        values = [value - len(T) * (made.rho or 0.0) for T, value in self.values(made).items()]
        return max([*values, *[0.0] * made.allows_none], default=-np.inf), 1e-13 * scale

    def values(self, made):
        """Return what every support of a claim about one component explains."""
        conditions = {"include": tuple(made.include.tolist()), "exclude": tuple(made.exclude.tolist())}
        key = made.digest, made.k, *conditions.values()
        if key not in self.known:
            sizes = made.k or range(1, made.n + 1)
            self.known[key] = values_of(matrix_of(made), sizes, **conditions)
        return self.known[key]

    def of_others(self, made):
        """Return what no support explains more than that is not listed."""
        listed = {tuple(T.tolist()) for T in made.claim.listed.supports}
        return max((value for T, value in self.values(made).items() if T not in listed), default=-np.inf)


def held_against(certificate, rng):
    """Return what a reader may hold a certificate against: nothing, a digest, or a matrix near it or not."""
    factor = rng.choice([1.0, 1 + 2.0**-50, 2.0, -1.0, 0.0, 1e300, 1e-300])
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice([None, certificate.digest, "sha256:0"])
    if certificate.claim.kind == "ratio":
        pencil = certificate.subject
        if hasattr(pencil, "numerator"):
            return pencil.numerator * factor, pencil.denominator * rng.choice([1.0, 1 + 2.0**-50, 1e-300])
        return pencil.variables * factor, pencil.response
    S = matrix_of(certificate)
    if kind == 1 and len({*certificate.names}) == len(S):
        pd = pytest.importorskip("pandas")
        return pd.DataFrame(S * factor, certificate.names, certificate.names).iloc[::-1, ::-1]
    return S[: max(1, len(S) - (kind == 2)), : max(1, len(S) - (kind == 2))] * factor


@pytest.mark.parametrize("family", FAMILIES)
def test_no_mutation_proves_what_is_false(family, tmp_path, monkeypatch):
    pairs, total = FAMILIES[family]
    rng, truth, originals = random.Random(7), Truth(), []
    if family == "ratio":
        monkeypatch.setattr("relaxspca.certificate.certificate._check_digest", lambda *_: None)
    for name, (_, made) in pairs.items():
        originals += [saved(made, tmp_path)] * (1 if name in ("one variable", "enumeration") else 3)
    read = verified = lists = 0
    met = set()
    for count in range(total):
        document = changed(rng.choice(originals), rng)
        certificate = loaded(document, tmp_path)
        # Claims with eliminated variables are about many matrices; see tests/checker/test_elimination.py.
        if certificate is None or certificate.claim.kind != family or certificate.eliminated is not None:
            continue
        read += 1
        verdict = verify(certificate, exact=count % 20 == 0)
        if count % 4 == 1:  # whatever a reader holds it against, there is a verdict
            given = held_against(certificate, rng)
            with contextlib.suppress(CertificateError):  # what is given is no matrix of finite numbers
                verdicts = [verify_against(certificate, exact=exact, against=given) for exact in (True, False)]
                assert all(map(str, verdicts))
                met |= {one.outcome for one in verdicts}
        if family == "ratio" and not verdict:  # numbers may be too large for an enumeration in doubles
            continue
        value, room = truth(certificate)
        assert verdict.proved_upper >= value - room, (verdict, document)
        assert verdict.proved_lower <= value + room, (verdict, document)
        if certificate.claim.listed is not None:
            assert verdict.proved_others >= truth.of_others(certificate) - room, (verdict, document)
            lists += bool(verdict)
        if verdict:
            verified += 1
            assert certificate.lower - room <= value <= certificate.upper + room
        if count % 4 == 0 and certificate.claim.listed is None:
            # With an unreachable claim the checker goes on to its sharpest bounds, which must hold as well.
            unreachable = rebuilt(certificate, lower=-1e9, upper=-1e9)
            assert verify(unreachable, exact=False).proved_upper >= value - room, document
    # The test is about certificates that load and verify: it must have met many of each.
    assert read > total // 4
    assert verified > total // 20
    assert {Outcome.VERIFIED, Outcome.INCONCLUSIVE} <= met
    assert lists > total // 200 or family != "component"


def spoilt(content, rng):
    """Change, drop or repeat a few bytes."""
    content = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at, length = rng.randrange(len(content)), rng.choice([1, 5, 50])
        kind = rng.random()
        if kind < 0.5:
            content[at] = rng.choice(b'0123456789abcdefpx+-.,[]{}":nul \\\xff\x00')
        elif kind < 0.75:
            del content[at : at + length]
        else:
            content[at:at] = content[at : at + length]
    return bytes(content)


def refused(path, content):
    """Say whether a file is refused; any error but a CertificateError is a failure of the test."""
    path.write_bytes(content)
    try:
        load_certificate(path)
    except CertificateError:
        return True
    return False


def test_spoilt_bytes_are_read_or_refused_and_raise_nothing_else(tmp_path, monkeypatch):
    rng, path = random.Random(3), tmp_path / "c.json"
    originals = []
    for _, made in true_certificates().values():
        made.save(path)
        originals.append(path.read_bytes())
    total = draws(600, 3000)
    count = sum(refused(path, spoilt(rng.choice(originals), rng)) for _ in range(total))
    assert total * 2 / 3 < count < total
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", 0)
    made.save(path)
    document, content = (
        json.loads(path.read_text()),
        (tmp_path / json.loads(path.read_text())["arrays"]["file"]).read_bytes(),
    )
    count = 0
    for _ in range(150):
        # The liar states the digest of the companion as spoilt, so that the archive itself is read.
        lie = spoilt(content, rng)
        path.with_suffix(".npz").write_bytes(lie)
        document["arrays"]["file"] = "c.npz"
        document["arrays"]["sha256"] = hashlib.sha256(lie).hexdigest()
        count += refused(path, json.dumps(document).encode())
    assert 100 < count < 150


OTHERS = {"projection": "schur", "correlation": "covariance", "matrix": "covariance", "dense": "factor"}


def another_value(value):
    """Return another value of the same kind, that may stand there, or None where there is none."""
    if isinstance(value, str) and value.lstrip("-").startswith("0x"):
        return float(np.nextafter(float.fromhex(value), np.inf)).hex()
    if isinstance(value, str):
        is_digest = value.startswith("sha256:")
        return value[:-1] + "01"[value[-1] == "0"] if is_digest else OTHERS.get(value, f"{value}x")
    if isinstance(value, list):
        return value[1:2] + value[:1] + value[2:] if value[:1] != value[1:2] else None
    return {bool: lambda: not value, int: lambda: value + 1}.get(type(value), lambda: None)()


@pytest.mark.parametrize("name", ["perron", "described", "two eliminated", "psi on a factor"])
def test_nothing_that_the_digest_binds_can_be_changed_or_left_out(name, tmp_path):
    lies, made = [], true_certificates()[name][1]
    for place in range(len(slots(document_of(made)["subject"], []))):
        for change in (another_value, lambda value: None):
            lie = document_of(made)
            container, key = slots(lie["subject"], [])[place]
            container[key], before = change(container[key]), container[key]
            lies += [lie] if container[key] != before else []
    assert len(lies) > 60
    for lie in lies:
        assert all(refusal(lie, tmp_path))
    said = checked(written(lies[:: draws(9, 1)], tmp_path)) if NODE is not None else []
    assert {row["outcome"] for row in said} <= {"REFUSED"}
