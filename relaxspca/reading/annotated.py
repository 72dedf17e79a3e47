"""Reading the matrix X of an .h5ad file, cells by genes, as anndata writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.reading.contents import Contents, named
from relaxspca.runtime.lazy import needed


def read_annotated(path: Path) -> Contents:
    """Read X, dense or sparse, with the names of its variables and observations."""
    with needed("reading .h5ad needs h5py", "files"):
        import h5py
    try:
        with h5py.File(path, "r") as file:
            if "X" not in file or "var" not in file:
                raise InputError("it is not an .h5ad file: it has no X, or no var")
            matrix = _matrix(file["X"])
            names, labels = _index(file["var"]), _index(file["obs"]) if "obs" in file else None
    except OSError as error:
        raise InputError(f"it is not an HDF5 file: {error}") from None
    return Contents(matrix, None if names is None else named(names), labels)


def _matrix(stored: Any) -> Any:
    if not hasattr(stored, "keys"):
        return stored[()]
    from scipy import sparse

    if not {"data", "indices", "indptr"} <= set(stored.keys()):
        raise InputError("its X is neither a dense nor a sparse matrix")
    m, n = stored.attrs.get("shape", stored.attrs.get("h5sparse_shape"))
    kind = str(stored.attrs.get("encoding-type", stored.attrs.get("h5sparse_format", "csr_matrix")))
    make = sparse.csc_array if kind.startswith("csc") else sparse.csr_array
    return make(tuple(stored[key][()] for key in ("data", "indices", "indptr")), shape=(int(m), int(n)))


def _index(frame: Any) -> tuple[str, ...] | None:
    """Return the index of a frame, whose column an attribute names."""
    if isinstance(getattr(frame, "dtype", None), np.dtype):  # a table of records, as before 2019
        names = frame.dtype.names or ()
        return tuple(_text(value) for value in frame[()][names[0]]) if names else None
    key = frame.attrs.get("_index", "_index")
    return tuple(_text(value) for value in frame[key][()]) if key in frame else None


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)
