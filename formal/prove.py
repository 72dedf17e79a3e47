"""Check certificates with the verified checker, and say for each file what was proved.

README.md has the commands. The checker gets no more than evidence: nothing of this has to be right. The exit
status is 1 if a file is refused (with `--all`: if one is not proved), 2 if nothing could be checked.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

from integers import NotCovered
from translate import translate

from relaxspca.certificate import load_certificate
from relaxspca.errors import InputError

HERE = Path(__file__).resolve().parent
CHECKER = HERE / "build" / "checker"
PROVED, NOT_COVERED, REFUSED = "proved", "not covered", "REFUSED"
VERDICTS = {0: PROVED, 3: NOT_COVERED}
Said = tuple[str, list[str]]  # a verdict, and lines


def verdict_on(path: Path, digest: str | None = None, checker: Path = CHECKER) -> Said:
    """Return the verdict on a file, and what was proved or why it was not."""
    try:
        evidence = translate(load_certificate(path))
    except NotCovered as why:
        return NOT_COVERED, [str(why)]
    except Exception as why:  # numbers and trees of a hostile file may exceed any limit
        # What the theorems do not speak of, the checker says without evidence.
        verdict, lines = accepted(path, "", digest, checker)
        reason = " ".join(f"no evidence is found: {type(why).__name__}: {why}".split())
        return (verdict, lines) if verdict == NOT_COVERED else (REFUSED, [reason])
    return accepted(path, evidence, digest, checker)


def accepted(path: Path, evidence: str, digest: str | None = None, checker: Path = CHECKER) -> Said:
    """Return what the checker says of a file with some evidence."""
    command = [str(checker), str(path), *(() if digest is None else ("--digest", digest))]
    said = subprocess.run(command, input=evidence.encode("ascii", "replace"), capture_output=True, check=False)
    verdict = VERDICTS.get(said.returncode, REFUSED)
    text = said.stdout if verdict == PROVED else said.stderr
    return verdict, text.decode("ascii", "backslashreplace").splitlines() or ["the checker was stopped"]


def main(arguments: list[str]) -> int:
    """Print what was proved of every certificate; return 1 if one is refused."""
    told, wanted = _told(arguments)
    verdicts = []
    for path in told.certificates:
        start = time.perf_counter()
        verdict, lines = verdict_on(path, wanted)
        verdicts.append(verdict)
        where = ascii(f"{path.parent.name}/{path.name}")[1:-1]
        print(f"{verdict:<12} {where:<28} {time.perf_counter() - start:6.2f} s  {lines[0]}")
        for line in lines[1:]:
            print(f"{'':<12} {line}")
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in (PROVED, NOT_COVERED, REFUSED))
    print(f"{len(verdicts)} certificates: {counts}")
    return int(REFUSED in verdicts or (told.all and NOT_COVERED in verdicts))


def _told(arguments: list[str]) -> tuple[argparse.Namespace, str | None]:
    """Return the words of the command line, and the digest that certificates must have."""
    # Only here, so that nothing of the package but its certificates is needed to prove one.
    from relaxspca.command.data import add_reading, data_read, reading_told

    command = argparse.ArgumentParser(prog="prove.py", description="Check files with the verified checker.")
    command.add_argument("paths", nargs="*", type=Path, metavar="CERT", help="files, folders; else the archive")
    command.add_argument("--all", action="store_true", help="what is not covered fails, too")
    matrix = command.add_mutually_exclusive_group()
    matrix.add_argument("--digest", metavar="sha256:...", help="of the matrix that they must speak of")
    matrix.add_argument("--against", metavar="DATA", help="the data that they must speak of")
    add_reading(command)
    command.set_defaults(json=True)  # nothing is said of how the data are read
    told = command.parse_args(arguments)
    told.certificates = []
    for name in told.paths or [HERE.parent / "certificates"]:
        found = sorted(name.rglob("*.json")) if name.is_dir() else [name]
        found = [path for path in found if not path.name.endswith(".schema.json")]
        told.certificates += found
        if not found:
            command.error(f"there is no certificate in {name}")
    if not CHECKER.exists():
        command.error(f"there is no {CHECKER}: build it with make -C formal")
    if told.against is None and reading_told(told):
        command.error("--data, --covariance and --correlation say how to read --against DATA: give it too")
    if told.digest is not None and not re.fullmatch("sha256:[0-9a-f]{64}", told.digest):
        command.error(f"a digest is sha256: and 64 hexadecimal digits, not {told.digest!r}")
    if told.against is None:
        return told, told.digest
    try:
        return told, data_read(told.against, told)[0].digest
    except InputError as error:
        command.error(str(error))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
