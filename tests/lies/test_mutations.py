"""Ten thousand random changes of true certificates: whatever still loads never proves less than the truth."""

import copy
import hashlib
import json
import random

import numpy as np
from building import changed
from draws import draws
from enumeration import values_of
from random_changes import change, change_evidence, change_matrix, change_what_is_bound
from restricted_certificates import restricted_certificates
from restricted_certificates import truth as restricted_truth
from telling_lies import loaded, saved
from true_certificates import true_certificates
from true_tables import matrix_of

import relaxspca.certificate.writing as certificate_writing
from relaxspca.certificate import load_certificate
from relaxspca.checker import verify
from relaxspca.errors import CertificateError

COUNT = draws(600, 10_000)


class Truth:
    """The optimum of whatever claim came out, by enumeration."""

    def __init__(self):
        self.known = {}

    def __call__(self, certificate):
        claim, S = certificate.claim, matrix_of(certificate)
        if claim.one_of_each or claim.whole_groups or claim.nonnegative:
            return restricted_truth(S, certificate), 1e-13 * np.abs(S).sum()
        conditions = tuple(certificate.include.tolist()), tuple(certificate.exclude.tolist())
        key = (certificate.digest, certificate.k, conditions)
        if key not in self.known:
            sizes = [certificate.k] if certificate.k else range(1, len(S) + 1)
            own = [values_of(S, k, include=conditions[0], exclude=conditions[1]).values() for k in sizes]
            values = [(k, max(some, default=-np.inf)) for k, some in zip(sizes, own, strict=True)]
            self.known[key] = values, np.abs(S).sum()
        values, scale = self.known[key]
        rho = certificate.rho or 0.0
        best = max(value - rho * k for k, value in values)
        return (max(best, 0.0) if certificate.allows_none else best), 1e-13 * scale

    def of_others(self, certificate):
        """What no support explains more than that is not listed."""
        S, claim = matrix_of(certificate), certificate.claim
        found = values_of(S, claim.k, include=claim.include.tolist(), exclude=claim.exclude.tolist())
        listed = {tuple(T.tolist()) for T in claim.listed.supports}
        return max((value for T, value in found.items() if T not in listed), default=-np.inf)


def test_no_mutation_proves_what_is_false(tmp_path):
    rng, truth, originals = random.Random(7), Truth(), []
    for name, (_, made) in (true_certificates() | restricted_certificates()).items():
        originals += [saved(made, tmp_path)] * (1 if name in ("one variable", "enumeration") else 3)
    read = verified = lists = 0
    for count in range(COUNT):
        document = copy.deepcopy(rng.choice(originals))
        # What keeps the file well formed comes first; the last kind may break it.
        steps = [change_matrix, change_what_is_bound, change_evidence, change]
        for step in sorted(rng.choices(steps, [2, 1, 4, 4], k=rng.choice([1, 1, 2, 3])), key=steps.index):
            step(document, rng)
        certificate = loaded(document)
        if certificate is None or certificate.eliminated is not None:
            continue  # claims of the latter are about many matrices; see tests/checker/test_elimination.py
        read += 1
        verdict = verify(certificate, exact=count % 20 == 0)
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
            unreachable = changed(certificate, lower=-1e9, upper=-1e9)
            assert verify(unreachable, exact=False).proved_upper >= value - room, document
    # The test is about certificates that load and verify: it must have met many of each.
    assert read > COUNT // 3
    assert verified > COUNT // 10
    assert lists > COUNT // 200


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
    try:
        load_certificate(path, content=content)
    except CertificateError:
        return True
    return False


def test_spoilt_bytes_are_read_or_refused_and_raise_nothing_else(tmp_path, monkeypatch):
    rng, path = random.Random(3), tmp_path / "c.json"
    originals = []
    for _, made in true_certificates().values():
        made.save(path)
        originals.append(path.read_bytes())
    count = sum(refused(path, spoilt(rng.choice(originals), rng)) for _ in range(3000))
    assert 2000 < count < 3000
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", 0)
    made.save(path)
    document, content = (
        json.loads(path.read_text()),
        (tmp_path / json.loads(path.read_text())["arrays"]["file"]).read_bytes(),
    )
    count = 0
    for _ in range(300):
        # The liar states the digest of the companion as spoilt, so that the archive itself is read.
        lie = spoilt(content, rng)
        path.with_suffix(".npz").write_bytes(lie)
        document["arrays"]["file"] = "c.npz"
        document["arrays"]["sha256"] = hashlib.sha256(lie).hexdigest()
        count += refused(path, json.dumps(document).encode())
    assert 200 < count < 300
