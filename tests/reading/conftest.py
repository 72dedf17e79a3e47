"""Text and bytes that are read as the file of a user."""

import numpy as np
import pytest

from relaxspca import InputError
from relaxspca.reading.files import read_covariance


@pytest.fixture
def read(tmp_path):
    """Return a function that writes text or arrays and reads them, and says what they were taken for."""

    def of(content, *, name=None, **options):
        kind = {np.ndarray: "npy", dict: "npz"}.get(type(content), "csv")
        file = tmp_path / (name or f"t.{kind}")
        if kind == "npy":
            np.save(file, content)
        elif kind == "npz":
            np.savez(file, **content)
        else:
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_covariance(file, **options)

    return of


@pytest.fixture
def refused(read):
    """Return a function that checks that a file is refused, in one line that has these words."""

    def of(content, words, **options):
        with pytest.raises(InputError, match=words) as caught:
            read(content, **options)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return of


@pytest.fixture
def saved(tmp_path):
    """Return a function that writes a data frame as a kind of file, and returns where it is."""
    needed = {"xlsx": ("openpyxl", "to_excel"), "csv": ("pandas", "to_csv")}

    def of(frame, kind, **options):
        package, write = needed.get(kind, ("pyarrow", f"to_{kind}"))
        pytest.importorskip(package)
        getattr(frame, write)(tmp_path / f"m.{kind}", **options)
        return tmp_path / f"m.{kind}"

    return of
