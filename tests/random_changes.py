"""Change documents of certificates at random: what keeps the file well formed, and what does not."""

import contextlib
import copy

import numpy as np
from telling_lies import numbers, pack

from relaxspca.certificate import Deflation, Description, Eliminated, Matrix
from relaxspca.errors import CertificateError

WORDS = ["factor", "perron", "rowsum", "spectral", "trace", "support", "void", "split", "listed"]


def changed(document, rng):
    """Return a copy of a document with a few random changes, or none."""
    document = copy.deepcopy(document)
    if document["claim"]["kind"] == "ratio":
        for _ in range(rng.choice([0, 1, 1, 2])):
            # What the digest binds is changed less often.
            part = rng.choice(["claim", "claim", "witness", "evidence", "evidence", "subject"])
            change({part: document[part]} if rng.random() < 0.1 else document[part], rng)
        return document
    # What keeps the file well formed comes first; the last kind may break it.
    steps = [
        change_matrix,
        change_what_is_bound,
        change_evidence,
        change_claim,
        change_kind,
        fewer_variables,
        change,
    ]
    weights, count = [2, 1, 4, 3, 1, 4, 4], rng.choice([0, 1, 1, 2, 3])
    for step in sorted(rng.choices(steps, weights, k=count), key=steps.index):
        step(document, rng)
    return document


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
        container[key] = rng.choice([0, 1, None, (0.5).hex(), value is not True])
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


def fewer_variables(document, rng):
    """Let a point speak of some of its variables only, perhaps of none; it stays well formed."""
    points = document["evidence"]["points"]
    if not points:
        return
    point = rng.choice(points)
    variables = point["variables"]
    if any(len(variables) not in packed["shape"] for packed in point.values() if isinstance(packed, dict)):
        return  # an earlier change left more variables, or fewer
    kept = sorted(rng.sample(range(len(variables)), rng.randrange(len(variables) + 1)))
    point["variables"] = [variables[i] for i in kept]
    for name, packed in point.items():
        if isinstance(packed, dict):
            array = np.array(packed["hex"], dtype=object).reshape(packed["shape"])
            if name in ("M", "P", "N"):
                array = array[np.ix_(kept, kept)]
            else:
                array = array[:, kept] if name in ("vectors", "factor") else array[kept]
            packed |= {"shape": list(array.shape), "hex": array.ravel().tolist()}


def change_evidence(document, rng):
    """Change numbers of one array of evidence so that it stays well formed."""
    names = [
        (point, name)
        for point in document["evidence"]["points"]
        for name in point
        if isinstance(point[name], dict) and point[name]["hex"]
    ]
    if not names:
        return
    point, name = rng.choice(names)
    packed = point[name]
    array = numbers(packed)
    if rng.random() < 0.3:
        array *= rng.choice([0.0, 0.5, 0.999, 1.001, 2.0, -1.0])
    else:
        i = tuple(rng.randrange(length) for length in array.shape)
        array[i] = changed_number(array[i], rng)
        if name in ("M", "P"):
            array[i[::-1]] = array[i]
    packed |= pack(np.nan_to_num(array))


def change_matrix(document, rng):
    """Put another matrix in the claim, with its own digest."""
    covariance = document["subject"]
    entries = numbers(covariance["entries"])
    i, j = rng.randrange(len(entries)), rng.randrange(entries.shape[1])
    entries[i, j] = rng.gauss(0, 2)
    if covariance["storage"] == "dense":
        entries[j, i] = entries[i, j]
    covariance["entries"] = pack(entries)
    sign(document)


def change_what_is_bound(document, rng):
    """Change names, description or eliminated variables, and state the digest of what then stands there."""
    matrix = document["subject"]
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


def change_claim(document, rng):
    """Change a bound by a little or much, the size, a group, or a condition, so that it stays well formed."""
    claim = document["claim"]
    conditions = ["include", "exclude"]
    names = ["lower", "upper", "rho", "k", "list", "one_of_each", "whole_groups", "sizes", *conditions]
    possible = {*claim, *(conditions if "rho" in claim else [])}
    name = rng.choice([name for name in names if name in possible])
    if name in conditions:
        some = sorted(rng.sample(range(len(document["subject"]["names"])), rng.choice([0, 1, 1, 2])))
        claim.pop(name, None)
        claim |= {name: some} if some else {}
    elif name == "k":
        claim["k"] += rng.choice([-1, 1])
    elif name == "sizes":
        claim["sizes"][rng.randrange(len(claim["sizes"]))] += rng.choice([-1, 1])
    elif name in ("one_of_each", "whole_groups"):
        a, b = (rng.choice(claim[name]) for _ in "ab")
        if len(a) > 1:
            b.append(a.pop(rng.randrange(len(a))))
            b.sort()
    elif name == "list":
        bounds = claim["list"][rng.choice(["lower", "upper"])]
        at = rng.randrange(len(bounds))
        bounds[at] = moved(bounds[at], rng)
        if rng.random() < 0.5:
            claim["list"]["others"] = moved(claim["list"]["others"], rng)
    else:
        claim[name] = moved(claim[name], rng)


def change_kind(document, rng):
    """Change the kind of a leaf, or of the supports of a table, with a point where it needs one."""
    tree, points = document["evidence"]["tree"], document["evidence"]["points"]
    if "supports" in document["claim"] and rng.random() < 0.5:
        document["claim"]["supports"] = rng.choice(["orthogonal", "disjoint", "common"])
        return
    at = rng.choice([at for at, node in enumerate(tree) if isinstance(node, list) and len(node) == 2] or [0])
    kinds = ["rows", "listed", "multipliers"]
    kind = rng.choice([*kinds, *(point["kind"] for point in points if "kind" in point)])
    used = [place for place, point in enumerate(points) if point.get("kind") == kind]
    if kind == "multipliers" and rng.random() < 0.5:
        kind, used = "choices", [used, used[:1], [*used, 0]]
    if tree:
        tree[at] = [kind, rng.choice(used or [None])]


def sign(document):
    """State the digest of the matrix as it now stands, where there is one."""
    matrix = document["subject"]
    deflation, eliminated = matrix["description"]["deflation"], matrix["eliminated"]
    description = {**matrix["description"], "deflation": deflation and Deflation(**unpacked(deflation))}
    with contextlib.suppress(CertificateError):
        own = Matrix(
            names=matrix["names"],
            storage=matrix["storage"],
            entries=unpacked(matrix)["entries"],
            description=Description(**description),
            eliminated=eliminated and Eliminated(**unpacked(eliminated)),
        )
        matrix["digest"] = own.digest


def unpacked(fields):
    """Return fields with their packed arrays and hexadecimal numbers as floats."""

    def number(value):
        if isinstance(value, dict) and "hex" in value:
            return numbers(value)
        return float.fromhex(value) if isinstance(value, str) and value.startswith("0x") else value

    return {name: number(value) for name, value in fields.items()}


def moved(text, rng):
    """Return a number near the given one, or far away."""
    x = float.fromhex(text)
    by = rng.choice([-1, 1]) * 10.0 ** rng.choice([-15, -12, -9, -6, -3, -1, 0])
    return float(rng.choice([np.nextafter(x, by * np.inf), x + by, x * (1 + by)])).hex()
