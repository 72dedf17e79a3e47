"""Ten thousand random changes of true certificates: whatever still loads never proves less than the truth."""

import contextlib
import copy
import hashlib
import itertools
import json
import random
from functools import partial

import numpy as np
from true_certificates import meets, top, true_certificates

import relaxspca.certificate.writing as certificate_writing
from relaxspca.certificate import Certificate, Deflation, Description, Eliminated, digest_of
from relaxspca.certificate.reading import believed, certificate_in
from relaxspca.checker import verify
from relaxspca.errors import CertificateError

READ = partial(certificate_in, make=Certificate)
COUNT = 10_000
WORDS = ["psi", "pairwise", "perron", "rowsum", "spectral", "trace", "support", "void", "split", "listed"]


def slots(node, found):
    """List every (container, key) of a document."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        found.append((node, key))
        if isinstance(value, dict | list):
            slots(value, found)
    return found


def changed_number(x, rng):
    return rng.choice(
        [
            lambda: x * (1 + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-16, 1)),
            lambda: -x,
            lambda: 0.0,
            lambda: float(x) * 10.0 ** rng.uniform(-300, 300),
            lambda: rng.gauss(0, 1),
            lambda: 5e-324,
            lambda: 1e300,
            lambda: float(np.nextafter(x, rng.choice([-9, 9]))),
        ]
    )()


def change(document, rng):
    """Change one thing: a number, an index, a word, or the length or order of a list."""
    container, key = rng.choice(slots(document, []))
    value = container[key]
    if isinstance(value, str) and value.lstrip("-").startswith("0x"):
        container[key] = float(changed_number(float.fromhex(value), rng)).hex()
    elif isinstance(value, str):
        container[key] = rng.choice(WORDS)
    elif isinstance(value, bool) or value is None:
        container[key] = rng.choice([0, 1, None, (0.5).hex()])
    elif isinstance(value, int):
        container[key] = rng.choice([value - 1, value + 1, rng.randrange(7), -value])
    elif isinstance(value, list) and value:
        i, j = rng.randrange(len(value)), rng.randrange(len(value))
        if rng.random() < 0.5:
            value[i], value[j] = value[j], value[i]
        else:
            value.insert(j, copy.deepcopy(value[i])) if rng.random() < 0.5 else value.pop(i)
    elif isinstance(container, dict) and rng.random() < 0.1:
        del container[key]


def change_evidence(document, rng):
    """Change numbers of one array of evidence so that it stays well formed."""
    names = [
        (point, name)
        for point in document["evidence"]["points"]
        for name in point
        if isinstance(point[name], dict)
    ]
    if not names:
        return
    point, name = rng.choice(names)
    packed = point[name]
    array = np.array([float.fromhex(x) for x in packed["hex"]]).reshape(packed["shape"])
    if rng.random() < 0.3:
        array *= rng.choice([0.0, 0.5, 0.999, 1.001, 2.0, -1.0])
    else:
        i = tuple(rng.randrange(length) for length in array.shape)
        array[i] = changed_number(array[i], rng)
        if name in ("V", "P"):
            array[i[::-1]] = array[i]
        elif name == "S":
            array[i[::-1]] = 0.0 if i[0] == i[1] else -array[i]
            array[i] = -array[i[::-1]]
    packed["hex"] = [float(x).hex() for x in np.nan_to_num(array).ravel()]


def change_matrix(document, rng):
    """Put another matrix in the claim, with its own digest."""
    covariance = document["matrix"]
    packed = covariance["entries"]
    entries = np.array([float.fromhex(x) for x in packed["hex"]]).reshape(packed["shape"])
    i, j = rng.randrange(len(entries)), rng.randrange(entries.shape[1])
    entries[i, j] = rng.gauss(0, 2)
    if covariance["storage"] == "dense":
        entries[j, i] = entries[i, j]
    packed["hex"] = [float(x).hex() for x in entries.ravel()]
    sign(document)


def change_what_is_bound(document, rng):
    """Change names, description or eliminated variables, and state the digest of what then stands there."""
    matrix = document["matrix"]
    held = [holder for holder in (matrix, matrix["eliminated"]) if holder is not None]
    names, description = rng.choice(held)["names"], matrix["description"]
    i, j = rng.randrange(len(names)), rng.randrange(len(names))
    kind = rng.randrange(4)
    if kind == 0:
        names[i], names[j] = names[j], names[i]
    elif kind == 1:
        names[i] = rng.choice(["", "x0", "name", "a\nb", "\u00e9\u2028"])
    elif kind == 2:
        description["kind"] = rng.choice(["matrix", "covariance", "correlation", "second moments"])
        description["observations"] = rng.choice([None, 1, 10**6])
        description["is_centred"] = rng.choice([None, True, False])
    else:
        description["deflation"] = None
    sign(document)


def sign(document):
    """State the digest of the matrix as it now stands, where there is one."""
    matrix = document["matrix"]
    held = {"dense": "matrix", "factor": "factor"}[matrix["storage"]]
    deflation, eliminated = matrix["description"]["deflation"], matrix["eliminated"]
    description = {**matrix["description"], "deflation": deflation and Deflation(**unpacked(deflation))}
    with contextlib.suppress(CertificateError):
        matrix["digest"] = digest_of(
            **{held: unpacked(matrix)["entries"]},
            names=matrix["names"],
            description=Description(**description),
            eliminated=eliminated and Eliminated(**unpacked(eliminated)),
        )


def unpacked(fields):
    """Return fields with their packed arrays and hexadecimal numbers as floats."""

    def number(value):
        if isinstance(value, dict) and "hex" in value:
            return np.array([float.fromhex(x) for x in value["hex"]]).reshape(value["shape"])
        return float.fromhex(value) if isinstance(value, str) and value.startswith("0x") else value

    return {name: number(value) for name, value in fields.items()}


class Truth:
    """The optimum of whatever claim came out, by enumeration."""

    def __init__(self):
        self.known = {}

    def __call__(self, certificate):
        conditions = tuple(certificate.include.tolist()), tuple(certificate.exclude.tolist())
        key = (certificate.digest, certificate.k, conditions)
        if key not in self.known:
            S = certificate.matrix if certificate.factor is None else certificate.factor.T @ certificate.factor
            sizes = [certificate.k] if certificate.k else range(1, len(S) + 1)
            values = [(k, max(self.supports(S, k, *conditions).values(), default=-np.inf)) for k in sizes]
            self.known[key] = values, np.abs(S).sum()
        values, scale = self.known[key]
        rho = certificate.rho or 0.0
        best = max(value - rho * k for k, value in values)
        return (max(best, 0.0) if certificate.allows_none else best), 1e-13 * scale

    def of_others(self, certificate):
        """What no support explains more than that is not listed."""
        S = certificate.matrix if certificate.factor is None else certificate.factor.T @ certificate.factor
        found = self.supports(S, certificate.k, certificate.include, certificate.exclude)
        listed = {tuple(T.tolist()) for T in certificate.others.indices}
        return max((value for T, value in found.items() if T not in listed), default=-np.inf)

    @staticmethod
    def supports(S, k, include, exclude):
        """Return what every support of k variables explains that meets the conditions."""
        supports = [T for T in itertools.combinations(range(len(S)), k) if meets(T, include, exclude)]
        return {T: top(S[np.ix_(T, T)]) for T in supports}


def test_no_mutation_proves_what_is_false(tmp_path):
    rng, truth, path = random.Random(7), Truth(), tmp_path / "true.json"
    originals = []
    for name, (_, made) in true_certificates().items():
        made.save(path)
        originals += [path.read_text()] * (1 if name in ("one variable", "enumeration") else 3)
    loaded = verified = lists = 0
    for count in range(COUNT):
        document = json.loads(rng.choice(originals))
        # What keeps the file well formed comes first; the last kind may break it.
        steps = [change_matrix, change_what_is_bound, change_evidence, change]
        for step in sorted(rng.choices(steps, [2, 1, 4, 4], k=rng.choice([1, 1, 2, 3])), key=steps.index):
            step(document, rng)
        try:
            certificate = believed(path, READ, json.dumps(document).encode())
        except CertificateError:
            continue
        if certificate.eliminated is not None:
            continue  # its claim is about many matrices; tests/checker/test_elimination.py has those
        loaded += 1
        verdict = verify(certificate, exact=count % 20 == 0)
        value, room = truth(certificate)
        assert verdict.proved_upper >= value - room, (verdict, document)
        assert verdict.proved_lower <= value + room, (verdict, document)
        if certificate.others is not None:
            assert verdict.proved_others >= truth.of_others(certificate) - room, (verdict, document)
            lists += bool(verdict)
        if verdict:
            verified += 1
            assert certificate.lower - room <= value <= certificate.upper + room
        if count % 4 == 0:
            # With an unreachable claim the checker goes on to its sharpest bounds, which must hold as well.
            unreachable = Certificate(**vars(certificate) | {"lower": -1e9, "upper": -1e9, "others": None})
            assert verify(unreachable, exact=False).proved_upper >= value - room, document
    # The test is about certificates that load and verify: it must have met many of each.
    assert loaded > COUNT // 3
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
        believed(path, READ, content)
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
