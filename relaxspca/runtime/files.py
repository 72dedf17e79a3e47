"""Atomic writing of files."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path


def replace(path: Path, content: bytes) -> None:
    """Write a file atomically; links are followed, and a target that is no regular file is written directly."""
    target = Path(os.path.realpath(path))
    temporary = target.parent / f".{secrets.token_hex(8)}.part"
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        # Created like any file, so that the umask applies.
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        os.replace(temporary, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)
