"""What the commands about several components do: components, and certify for one component or a table."""

from __future__ import annotations

import argparse
from typing import Any

import relaxspca as rs
from relaxspca.candidates.deflation import DEFLATIONS
from relaxspca.command.commands import (
    Output,
    _check_figure,
    _check_folder,
    _check_new_folder,
    _claim,
    _code,
    _component,
    _finite,
    _found_components,
    _integers,
    _plain,
    _printed,
    _read,
    _saved,
)
from relaxspca.command.conditions import conditions_told
from relaxspca.errors import InputError
from relaxspca.reading.loadings import read_loadings
from relaxspca.results.tables import saved

__all__ = ["DEFLATION_HELP", "run_certify", "run_components"]

DEFLATION_HELP = f"{', '.join(DEFLATIONS)} (default: projection)"

TEXTS = ("csv", "latex", "markdown", "html", "loadings")


def run_components(arguments: argparse.Namespace) -> Output:
    """Several components: one after another, or together."""
    for name in (*TEXTS, "plot"):
        _check_folder(getattr(arguments, name))
    _check_figure(arguments.plot)
    _check_new_folder(arguments.certificates)
    if arguments.joint and arguments.certificates is not None:
        raise InputError("the bounds of a joint proof have no certificate files yet: leave out --certificates")
    cov, taken = _read(arguments)
    found = _found_components(cov, arguments)
    for name, content in (
        ("csv", found.to_csv),
        ("latex", found.to_latex),
        ("markdown", found.to_markdown),
        ("html", found._repr_html_),
        ("loadings", found.loadings_csv),
    ):
        file = getattr(arguments, name)
        if file is not None:
            is_captioned = name == "latex" and arguments.caption is not None
            saved(found.to_latex(caption=arguments.caption) if is_captioned else content(), file)
    if arguments.plot is not None:
        found.save(arguments.plot)
    if arguments.certificates is not None:
        found.save_certificates(arguments.certificates)
    data = _data(found) | conditions_told(arguments) | {"taken_as": taken}
    return Output("\n".join(_printed(taken, found, arguments)), data, _code(found.is_interrupted))


def run_certify(arguments: argparse.Namespace) -> Output:
    """Judge somebody's component, or a table of them."""
    _check_folder(arguments.certificate)
    _check_new_folder(arguments.certificates)
    for name in ("csv", "latex"):
        _check_folder(getattr(arguments, name))
    cov, taken = _read(arguments)
    given = read_loadings(arguments.loadings, cov.names)
    after = None if arguments.after is None else read_loadings(arguments.after, cov.names)
    sizes: Any = None if arguments.k is None else _integers(arguments.k)
    found = rs.certify(
        cov,
        given,
        k=sizes[0] if sizes is not None and len(sizes) == 1 else sizes,
        after=after,
        node_limit=arguments.node_limit,
        time_limit=arguments.time_limit,
        **conditions_told(arguments),
    )
    text = _printed(taken, found, arguments)
    if arguments.certificates is not None:
        found.save_certificates(arguments.certificates)
    if arguments.csv is not None:
        saved(found.to_csv(), arguments.csv)
    if arguments.latex is not None:
        saved(found.to_latex(), arguments.latex)
    if isinstance(found, rs.CertifiedTable):
        if arguments.certificate is not None:
            raise InputError("a table has several certificates: name a folder with --certificates")
        data = _data(found) | {"status": found.status, "taken_as": taken}
        return Output("\n".join(text), data, _code(found.is_interrupted))
    better = found.better
    data = _claim(found.certificate, found.candidate, found.gap, arguments.certificate) | {
        "status": found.status,
        "share": _finite(found.share),
        "seconds": found.seconds,
        "better": None if better is None else _component(better) | {"value": better.value},
        "taken_as": taken,
    }
    text += _saved(found.certificate, arguments.certificate)
    return Output("\n".join(text), data, _code(found.is_interrupted))


def _data(found: Any) -> dict[str, Any]:
    """Return a table as a JSON object; `certify --loadings` reads it back."""
    data: dict[str, Any] = {
        "components": [_plain(record, found.names) for record in found.to_records()],
        "loadings": {f"PC {j + 1}": dict(found.loadings_of(j)) for j in range(found.n_components)},
        "share": _finite(found.share),
        "share_of_dense": _finite(found.share_of_dense),
        "seconds": found.seconds,
    }
    if isinstance(found, rs.JointComponents):
        records = found.to_records()[0]
        data |= {"lower": records["table_lower"], "upper": records["table_upper"], "gap": _finite(found.gap)}
        data |= {"status": found.status, "kind": found.kind}
    elif isinstance(found, rs.Components):
        data |= {"deflation": found.deflation, "joint_upper": found.joint_upper}
    elif found.lower is not None:
        records = found.to_records()[0]
        data |= {"lower": records["table_lower"], "upper": records["table_upper"], "overlap": found.overlap}
    return data
