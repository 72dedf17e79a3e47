"""Files of certificates that are wrong in form: values of another kind, keys repeated, odd companions."""

import copy
import io
import json
import zipfile

import numpy as np
from random_changes import slots

import relaxspca.certificate.writing as certificate_writing
from relaxspca.certificate.arrays import sha256

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
