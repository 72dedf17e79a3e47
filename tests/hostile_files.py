"""Files of certificates that are wrong in form: values of another kind, keys repeated."""

import copy
import json

from random_changes import slots

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
    container, key = rng.choice(slots(document, []))
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
