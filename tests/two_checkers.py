"""Run the checkers of certificates, written apart from one specification, side by side on the same files."""

import copy
import io
import json
import re
import shutil
import subprocess
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import checker.test_ratio as ratios
import lies.test_lies
import lies.test_mutations as mutations
import lies.test_restricted_lies
import lies.test_table_lies
import numpy as np
from restricted_certificates import restricted_certificates
from true_certificates import true_certificates
from true_choices import true_choices
from true_groups import true_groups
from true_tables import true_tables

import relaxspca.certificate.writing as certificate_writing
from relaxspca.certificate.arrays import sha256
from relaxspca.checker import verify
from relaxspca.checker.exact import float_above, float_below
from relaxspca.errors import CertificateError

NODE = shutil.which("node")
ROOT = Path(__file__).parents[1]
CHECKER = ROOT / "relaxspca" / "report" / "checker.js"


def node(*arguments, text=None):
    return subprocess.run(
        [NODE, *map(str, arguments)], capture_output=True, encoding="utf-8", input=text, check=False
    )


def checked(paths, *flags):
    """Return what the second checker says of many files, in one process."""
    run = node(CHECKER, "--json", *flags, *paths)
    assert run.stderr == "", run.stderr
    found = [json.loads(line) for line in run.stdout.split("\n")[:-1]]
    assert [row["file"] for row in found] == [str(path) for path in paths]
    return found


def python(path, exact=True, against=None):
    """Return (outcome, verdict or None, reason) of the first checker."""
    try:
        verdict = verify(path, exact=exact, against=against)
    except CertificateError as error:
        return "REFUSED", None, str(error)
    return verdict.outcome.name, verdict, "; ".join(verdict.reasons)


def within_a_margin(document, verdict):
    """Say whether the claim lies between the truth and what LAPACK's eigenvalue and its margin prove.

    The second checker tests the claimed bound itself, so it may prove what the first misses by a last digit.
    """
    if verdict is None:
        return False
    stated = document["claim"]
    claimed = [stated[name] for name in ("lower", "upper", "others") if name in stated]
    claimed += stated.get("listed", {}).get("upper", [])
    matrix = document.get("matrix", {"eliminated": None, "entries": {}, "storage": "pencil"})
    claimed += [] if matrix["eliminated"] is None else [matrix["eliminated"]["shift"]]
    # Bounds are printed where they fail; a proved bound just above a claimed lower one refutes nothing.
    said = [
        float(x) for x in re.findall(r"(?:bound is|below -) ?(-?[0-9.e+-]+[0-9])", "; ".join(verdict.reasons))
    ]
    if matrix["storage"] == "pencil" and any(0 <= s <= 1e-12 * largest_of_pencil(document) for s in said):
        return True  # the bound on D(A - mu B)D, which has to be 0
    said += [verdict.proved_upper]
    claimed = [float.fromhex(x) for x in claimed]
    entries = [abs(float.fromhex(x)) for x in matrix["entries"].get("hex", [])]
    largest = max(entries, default=0.0) ** (2 if matrix["storage"] == "factor" else 1)
    return any(any(0 <= x - c <= 1e-12 * max(abs(c), abs(x), largest) for c in claimed) for x in said)


def largest_of_pencil(document):
    """Return the largest entry of D(A - mu B)D, of which an eigenvalue is bounded; 0 for least squares."""
    pencil, evidence = document["pencil"], document["evidence"]
    if pencil["storage"] != "dense":
        return 0.0
    A, B = (np.array([float.fromhex(x) for x in pencil[name]["hex"]]) for name in ("numerator", "denominator"))
    scale = np.ldexp(1.0, evidence["exponents"])
    return np.abs((A - float.fromhex(evidence["mu"]) * B) * np.outer(scale, scale).ravel()).max()


def agree(paths, documents, python_side=None, held=None):
    """Check that both say the same of every file; return how often each pair of outcomes was met.

    `held` is the file of a matrix to hold them against, and `python_side` what the first checker is given.
    """
    met = {}
    flags = ["--exact"] if held is None else ["--exact", f"--against={held}"]
    for path, document, said in zip(paths, documents, checked(paths, *flags), strict=True):
        outcome, verdict, reason = python(path, against=python_side)
        both = (outcome, said["outcome"])
        met[both] = met.get(both, 0) + 1
        apart = both[0] != both[1]
        assert not apart or within_a_margin(document, verdict), (path, both, reason, said["reasons"])
        assert both[0] != "VERIFIED" or both[1] == "VERIFIED", (path, said)
        assert not apart or "REFUSED" not in both, (path, both, reason, said)
        if verdict is None or said["outcome"] == "REFUSED":
            continue
        # What the vector attains is one fraction; Python reports the double below it.
        attained = -np.inf if said["attained"] is None else float_below(Fraction(said["attained"]))
        assert attained == verdict.proved_lower, (path, said, verdict)
        assert said["digest"] == document.get("matrix", document.get("pencil"))["digest"]
        if held is not None:
            distance = np.inf if said["distance"] is None else float_above(Fraction(said["distance"]))
            assert distance == verdict.comparison.distance, (path, verdict, said)
    return met


def document_of(made, folder):
    """Return a certificate as its file has it."""
    made.save(folder / "made.json")
    return json.loads((folder / "made.json").read_text())


def true_documents(folder):
    """Return the documents of one true certificate of every kind."""
    several = [true_certificates(), restricted_certificates(), true_tables(), true_choices(), true_groups()]
    found = [made for kinds in several for _, made in kinds.values()]
    return [document_of(made, folder) for made in [*found, *ratios.TRUE.values()]]


def known_lies(folder):
    """Yield the document of every lie of the tests about a certificate."""
    for module in (lies.test_lies, lies.test_restricted_lies, lies.test_table_lies):
        for name, lie, _ in module.LIES:
            document = document_of(module.TRUE[name], folder)
            lie(document)
            yield document
    for name, lie, _ in ratios.LIES.values():
        yield document_of(replace(ratios.TRUE[name], **lie(ratios.TRUE[name])), folder)


def changed(document, rng):
    """Return a copy of a document with a few random changes, or none."""
    document = copy.deepcopy(document)
    if "pencil" in document:
        for _ in range(rng.choice([0, 1, 1, 2])):
            # What the digest binds is changed less often.
            part = rng.choice(["claim", "claim", "witness", "evidence", "evidence", "pencil"])
            ratios.changed({part: document[part]} if rng.random() < 0.1 else document[part], rng)
        return document
    # What keeps the file well formed comes first; the last kind may break it.
    steps = [
        mutations.change_matrix,
        mutations.change_what_is_bound,
        mutations.change_evidence,
        change_claim,
        change_kind,
        mutations.change,
    ]
    for step in sorted(rng.choices(steps, [2, 1, 4, 3, 1, 4], k=rng.choice([0, 1, 1, 2, 3])), key=steps.index):
        step(document, rng)
    return document


def change_claim(document, rng):
    """Change a bound by a little or much, the size, a group, or a condition, so that it stays well formed."""
    claim = document["claim"]
    conditions = ["include", "exclude"]
    names = ["lower", "upper", "others", "rho", "k", "listed", "groups", "sizes", *conditions]
    possible = {*claim, *(conditions if claim["kind"] == "penalty" else [])}
    name = rng.choice([name for name in names if name in possible])
    if name in conditions:
        some = sorted(rng.sample(range(len(document["matrix"]["names"])), rng.choice([0, 1, 1, 2])))
        claim.pop(name, None)
        claim |= {name: some} if some else {}
    elif name == "k":
        claim["k"] += rng.choice([-1, 1])
    elif name == "sizes":
        claim["sizes"][rng.randrange(len(claim["sizes"]))] += rng.choice([-1, 1])
    elif name == "groups":
        a, b = (rng.choice(claim["groups"]["members"]) for _ in "ab")
        if len(a) > 1:
            b.append(a.pop(rng.randrange(len(a))))
            b.sort()
    elif name == "listed":
        bounds = claim["listed"][rng.choice(["lower", "upper"])]
        at = rng.randrange(len(bounds))
        bounds[at] = moved(bounds[at], rng)
    else:
        claim[name] = moved(claim[name], rng)


def change_kind(document, rng):
    """Change the kind of a leaf, or of the supports of a table, with a point where it needs one."""
    tree, points = document["evidence"]["tree"], document["evidence"]["points"]
    if "supports" in document["claim"] and rng.random() < 0.5:
        document["claim"]["supports"] = rng.choice(["orthogonal", "disjoint", "common"])
        return
    at = rng.choice(
        [at for at, node in enumerate(tree) if isinstance(node, list) and node[:1] != ["split"]] or [0]
    )
    kinds = ["spectral", "support", "trace", "rowsum", "void", "apart", "order", "listed"]
    kind = rng.choice([*kinds, *(point["kind"] for point in points if "kind" in point)])
    used = [place for place, point in enumerate(points) if point.get("kind") == kind]
    if kind == "prices" and rng.random() < 0.5:
        kind, used = "tables", [used, used[:1], [*used, 0]]
    elif kind == "prices" and rng.random() < 0.5:
        kind, used = "groups", [[[used, None]], [[used[:1], [0, [[0]], [1, 2]]], [used, None], [used, None]]]
    if tree:
        tree[at] = [kind, rng.choice(used or [None])]


def moved(text, rng):
    """Return a number near the given one, or far away."""
    x = float.fromhex(text)
    by = rng.choice([-1, 1]) * 10.0 ** rng.choice([-15, -12, -9, -6, -3, -1, 0])
    return float(rng.choice([np.nextafter(x, by * np.inf), x + by, x * (1 + by)])).hex()


WRONG = [
    "null", "true", "false", "0", "-0", "1", "-1", "2.0", "1e3", "1E400", "NaN", "Infinity",
    "9007199254740992", "268435457", "1" + "0" * 5000, '""', '"x"', '"0x1.0000000000000p+0"', '"0X1.0P+0"',
    '"nan"', '"\\ud800"', '"\\u0000"', '"\\u00e9"', "[]", "[null]", "[[]]", "{}", '{"a": 1}',
    '{"a": 1, "a": 2}', '{"shape": [0, 0], "hex": []}', '{"shape": [-1], "hex": []}',
    '{"shape": [1], "npz": "a0"}', '{"shape": [1], "hex": ["0x0.0p+0"], "npz": "a0"}',
    "[" * 70 + "]" * 70, "[" * 5000 + "]" * 5000, '{"shape": [268435456, 268435456], "hex": []}',
    '"\\x"', "01", "+1", "'x'", "", "\u00e9", '"\x01"', '"\x7f"',
]  # fmt: skip


def hostile(document, rng):
    """Return the text of a document with one value of a wrong kind, or a key repeated, lost or unknown."""
    document = copy.deepcopy(document)
    container, key = rng.choice(mutations.slots(document, []))
    kind = rng.random()
    if kind < 0.1:  # another spelling of the same
        text = json.dumps(document, indent=rng.choice([None, 1, "\t"]), sort_keys=rng.random() < 0.5)
        name = rng.choice(["kind", "matrix", "claim", "lower", "support", "spectral"])
        return text.replace(f'"{name}"', f'"\\u{ord(name[0]):04x}{name[1:]}"')
    if kind < 0.7:
        container[key] = "@value@"
        return json.dumps(document, ensure_ascii=False).replace('"@value@"', rng.choice(WRONG))
    if not isinstance(container, dict):
        return json.dumps(document)[: -rng.randrange(1, 40)] + rng.choice(
            ["", "}", "]", "}}", " ", "\x00", "{}"]
        )
    if kind < 0.8:
        del container[key]
        return json.dumps(document)
    if kind < 0.9:
        container[rng.choice(["note", "k", "rho", "include", "listed", "arrays", "\u00e9", ""])] = rng.choice(
            [None, 1, []]
        )
        return json.dumps(document)
    text = json.dumps(container[key])
    container[key] = "@value@"
    again = json.dumps(key) if rng.random() < 0.5 else f'"\\u{ord(key[0]):04x}{key[1:]}"'
    return json.dumps(document).replace('"@value@"', f"{text}, {again}: {rng.choice([text, 'null', '0'])}")


def beside(certificate, folder, rng, monkey):
    """Write a certificate with arrays in a companion that is odd in one way; return path and document."""
    folder.mkdir()
    path = folder / "c.json"
    monkey.setattr(certificate_writing, "MAX_INLINE", 0)
    certificate.save(path)
    document = json.loads(path.read_text())
    companion = folder / document["arrays"]["file"]
    arrays = dict(np.load(companion))
    content = odd(companion.read_bytes(), arrays, rng)
    companion.unlink()
    digest = sha256(content)
    name = rng.choice(["c.npz", f"c.{digest[:8]}.npz", "c.npz", "other.npz", "c.00000000.npz"])
    (folder / name).write_bytes(content)
    document["arrays"] = {"file": name, "sha256": digest if rng.random() < 0.95 else digest.upper()}
    path.write_text(json.dumps(document))
    return path, document


def odd(content, arrays, rng):
    """Return an archive of the same arrays, written in another way."""
    kind = rng.randrange(12)
    name = rng.choice(sorted(arrays))
    array = arrays[name]
    stream = io.BytesIO()
    if kind == 0:
        return content
    if kind == 1:
        np.savez_compressed(stream, **arrays)
    elif kind == 2:
        np.savez(stream, **arrays | {name: np.asfortranarray(array)})
    elif kind == 3:
        other = rng.choice(
            [array.astype(">f8"), array.astype("f4"), array.ravel(), array[..., None], array * np.nan, array.T]
        )
        np.savez(stream, **arrays | {name: other})
    elif kind == 4:
        np.savez(stream, **arrays, extra=np.zeros(3))
    elif kind == 5:
        np.savez(stream, **{key: value for key, value in arrays.items() if key != name})
    else:
        way = {6: zipfile.ZIP_BZIP2, 7: zipfile.ZIP_LZMA}.get(kind, zipfile.ZIP_DEFLATED)
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w", way) as new:
            for info in old.infolist():
                member = old.read(info)
                if info.filename == f"{name}.npy":
                    head = member.index(b"\n")
                    spelt = {
                        8: member.replace(b"'<f8', 'fortran_order': False", b"'<f8','fortran_order':False "),
                        9: member[:head].rstrip() + b"\n" + member[head + 1 :],
                        10: member + b"\x00",
                        11: member[:6] + b"\x02\x00" + member[8:10] + b"\x00\x00" + member[10:],
                    }
                    member = spelt.get(kind, member)
                new.writestr(info.filename, member)
    return stream.getvalue()
