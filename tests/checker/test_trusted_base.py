"""What has to be believed is small and stands alone: its imports, a copy of it, how much there is to read."""

import ast
import ctypes
import platform
import re
import shutil
import struct
import subprocess
import sys
import tokenize
from pathlib import Path

import numpy as np
import pytest
from building import changed
from true_certificates import certificate, true_certificates

import relaxspca
from relaxspca.certificate import Leaf
from relaxspca.checker import Outcome, verify
from relaxspca.checker.verdict import SOUND, floating_environment

PACKAGE = Path(relaxspca.__file__).parent
CHECKER = sorted((PACKAGE / "checker").glob("*.py"))


def test_the_checker_imports_only_the_certificate_numpy_and_the_standard_library():
    direct = set()
    for path in CHECKER:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                direct |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                direct.add(node.module)
    ours = {name for name in direct if name.split(".")[0] == "relaxspca"}
    parts = {f"relaxspca.checker.{path.stem}" for path in CHECKER if not path.stem.startswith("__")}
    assert ours == {"relaxspca.certificate"} | parts - {"relaxspca.checker.against_pencil"}  # needed by none
    foreign = {name.split(".")[0] for name in direct - ours}
    assert foreign - sys.stdlib_module_names == {"numpy"}


def test_the_checker_runs_without_the_rest_of_the_package_and_goes_on_after_a_bad_file(tmp_path):
    """Only the data, the reader, the words and the checker are copied: nothing that makes certificates."""
    home = tmp_path / "relaxspca"
    (home / "numerics").mkdir(parents=True)
    for name in ("__init__.py", "numerics/__init__.py"):
        (home / name).touch()
    for name in ("errors.py", "numerics/decimals.py"):
        shutil.copy(PACKAGE / name, home / name)
    for name in ("certificate", "checker"):
        shutil.copytree(PACKAGE / name, home / name)
    honest = true_certificates()["tree"][1]
    honest.save(tmp_path / "tree.json")
    changed(honest, upper=honest.lower).save(tmp_path / "greedy.json")
    (tmp_path / "bad.json").write_text("{")

    asked = {
        ("tree.json",): "VERIFIED 0",
        ("--digest", honest.digest, "--exact", "tree.json", "greedy.json"): "VERIFIED REFUTED 1",
        ("bad.json", "nowhere.json", "tree.json"): "UNREADABLE UNREADABLE VERIFIED 2",
        ("--digest", "sha256:" + "0" * 64, "tree.json"): "ANOTHER MATRIX 1",
    }
    # An editable installation offers the folders that were not copied: take its finder away.
    code = (
        "import sys; sys.meta_path = [f for f in sys.meta_path if 'ditable' not in repr(f)]\n"
        "from relaxspca.checker.__main__ import main\n"
        f"for words in {[*asked]}: print('exit:', main(words))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    said = re.findall(r"^(?:[A-Z ]+(?=: )|exit: \d)", ran.stdout, re.MULTILINE)
    assert " ".join(said).replace("exit: ", "") == " ".join(asked.values())


def test_the_checker_can_be_read_in_an_evening():
    """Statements and characters, neither of which depends on how the lines are broken."""
    lines = characters = 0
    for path in CHECKER:
        with path.open(encoding="utf-8") as stream:
            lines += sum(token.type == tokenize.NEWLINE for token in tokenize.generate_tokens(stream.readline))
        characters += len("".join(path.read_text(encoding="utf-8").split()))
    assert lines < 2_200
    assert characters < 113_634


def test_what_is_read_for_a_claim_about_one_component_only_gets_shorter(tmp_path):
    """Not words, which are made when a verdict is printed, nor what only other claims, rules and data need."""
    true_certificates()["enumeration"][1].save(tmp_path / "plain.json")
    files = "[m.__file__ for name, m in sys.modules.items() if name.split('.')[0] == 'relaxspca']"
    done = "verify('plain.json', exact=False).verified"  # in both arithmetics: the lower bound takes fractions
    code = f"import sys; from relaxspca.checker import verify; print(*{done} * {files})"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = sum(len(Path(path).read_text(encoding="utf-8").splitlines()) for path in ran.stdout.split())
    assert 2_000 < lines < 2_899
    other = "wording against own_ compan pencil ratio components reductions rules optional points several"
    assert not re.search(other.replace(" ", "|"), ran.stdout)


FLUSH = 0x8040  # flush to zero, and subnormal operands are zero
is_testable = sys.platform == "linux" and platform.machine() == "x86_64"


@pytest.fixture
def control():
    """Yield a function that changes the processor's floating-point control word for a while."""
    library = ctypes.CDLL("libm.so.6")
    old, new = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
    library.fegetenv(old)

    def change(*, add=0, rounding=None):
        ctypes.memmove(new, old, 64)
        struct.pack_into("<I", new, 28, struct.unpack_from("<I", old, 28)[0] | add)
        library.fesetenv(new)
        if rounding is not None:
            library.fesetround(rounding)

    try:
        yield change
    finally:
        library.fesetenv(old)


def test_this_process_is_sound():
    assert floating_environment() == (SOUND, [])
    assert SOUND in str(verify(certificate(np.eye(2), 1, [Leaf("rows")], upper=2.0)))


@pytest.mark.skipif(not is_testable, reason="the control word of x86-64 under Linux")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"add": FLUSH}, "subnormal"),
        ({"add": 0x8000}, "subnormal"),
        ({"add": 0x0040}, "subnormal"),
        ({"rounding": 0x400}, "nearest"),
        ({"rounding": 0x800}, "nearest"),
        ({"rounding": 0xC00}, "nearest"),
    ],
)
def test_a_changed_environment_verifies_nothing(control, change, reason):
    tiny = 2.0**-1060
    fields = {"lower": 0.0, "loadings": [1.0, 0.0], "indices": [0]}
    lie = certificate(np.diag([tiny, 0.5 * tiny]), 1, [Leaf("rows")], upper=1.0, **fields)
    control(**change)
    verdicts = [verify(lie, exact=exact) for exact in (True, False)]
    control()
    for verdict in verdicts:
        assert verdict.outcome is Outcome.INCONCLUSIVE
        assert reason in verdict.reasons[0]
        assert reason in verdict.environment
    assert floating_environment() == (SOUND, [])
