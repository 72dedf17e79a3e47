"""Work in progress kept in one file, which is whole at every moment."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.runtime.files import replace

__all__ = ["Checkpoint"]

SECONDS_BETWEEN = 15.0


class Checkpoint:
    """Sums of a pass over blocks, saved now and then by writing a new file and renaming it.

    Without a path nothing is saved, and every stage starts from the first block.
    """

    def __init__(self, path: Path | None, fingerprint: str, state: dict[str, Any]) -> None:
        self._path = path
        self._fingerprint = fingerprint
        self._state = state
        self._saved_at = time.monotonic()

    @classmethod
    def open(cls, path: str | Path | None, fingerprint: str) -> Checkpoint:
        """Open a checkpoint, existing or not, for the data with a fingerprint.

        Raises
        ------
        InputError
            The file is not a checkpoint, or belongs to other data.
        """
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no folder {Path(path).parent}")
        if path is None or not Path(path).exists():
            return cls(None if path is None else Path(path), fingerprint, {})
        try:
            with np.load(path, allow_pickle=False) as arrays:
                state = {key: arrays[key] for key in arrays.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile, AttributeError) as error:
            raise InputError(f"{path} is not a checkpoint ({error}): give another name") from None
        if str(state.pop("fingerprint", "")) != fingerprint:
            raise InputError(f"the checkpoint {path} belongs to other data: delete it or give another name")
        return cls(Path(path), fingerprint, state)

    def get(self, stage: str) -> dict[str, Any]:
        """Return the sums saved for a stage; empty when it has not begun."""
        prefix = f"{stage}/sum/"
        return {key[len(prefix) :]: self._state[key] for key in self._state if key.startswith(prefix)}

    def done(self, stage: str) -> int:
        """Return how many blocks the sums of a stage already count."""
        return int(self._state.get(f"{stage}/done", 0))

    def is_finished(self, stage: str) -> bool:
        """Whether the stage has seen every block."""
        return bool(self._state.get(f"{stage}/finished", False))

    def update(self, stage: str, done: int, sums: dict[str, Any]) -> None:
        """Save the sums over the first blocks of a stage, unless that was done a moment ago."""
        if time.monotonic() - self._saved_at >= SECONDS_BETWEEN:
            self._save(stage, done, sums, finished=False)

    def finish(self, stage: str, done: int, sums: dict[str, Any]) -> None:
        """Save the sums over all blocks of a stage."""
        self._save(stage, done, sums, finished=True)

    def _save(self, stage: str, done: int, sums: dict[str, Any], *, finished: bool) -> None:
        if self._path is None:
            return
        self._state |= {f"{stage}/sum/{name}": value for name, value in sums.items()}
        self._state |= {f"{stage}/done": done, f"{stage}/finished": finished}
        content = io.BytesIO()
        np.savez(content, fingerprint=self._fingerprint, **self._state)
        replace(self._path, content.getvalue())
        self._saved_at = time.monotonic()
