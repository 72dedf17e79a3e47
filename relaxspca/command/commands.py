"""What each command does: from parsed arguments to text, a JSON object and an exit code."""

from __future__ import annotations

import argparse
import io
import math
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import relaxspca as rs
from relaxspca.certificate import Certificate
from relaxspca.command.conditions import conditions_told
from relaxspca.command.data import data_read, is_reading_told
from relaxspca.errors import InputError
from relaxspca.numerics.decimals import decimal_below, rounded_down, rounded_up
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.report.archive import summary, verify_many, write_csv
from relaxspca.results.claims import recorded
from relaxspca.results.shown import Shown
from relaxspca.results.status import Status
from relaxspca.results.tables import saved
from relaxspca.runtime.files import replace
from relaxspca.search.run import NARROW
from relaxspca.tasks.upper_bound import bound_certificate

__all__ = ["COMMANDS", "Output"]


@dataclass(frozen=True)
class Output:
    """Text for people, an object for programs, and the exit code."""

    text: str
    data: dict[str, Any]
    code: int = 0


def solve(arguments: argparse.Namespace) -> Output:
    """Find and prove the best component."""
    _check_folder(arguments.certificate)
    cov, taken = _read(arguments)
    options: dict[str, Any] = {
        "gap": arguments.gap,
        "time_limit": arguments.time_limit,
        "node_limit": arguments.node_limit,
        "n_jobs": arguments.n_jobs,
    }
    options |= conditions_told(arguments)
    if arguments.rho is not None:
        result = rs.solve(cov, rho=arguments.rho, **options)
    else:
        result = rs.solve(cov, arguments.k, **options)
    text = [*_printed(taken, result, arguments), *_saved(result.certificate, arguments.certificate)]
    data = _claim(result.certificate, result.candidate, result.gap, arguments.certificate) | {
        "status": result.status,
        "share": _finite(result.share),
        "seconds": result.seconds,
        "node_count": result.node_count,
        "taken_as": taken,
    }
    return Output("\n".join(text), data, _code(result.status is Status.INTERRUPTED))


def bound(arguments: argparse.Namespace) -> Output:
    """Bound a cardinality by one relaxation."""
    _check_folder(arguments.certificate)
    cov, taken = _read(arguments)
    began = time.monotonic()
    found = rs.upper_bound(
        cov, arguments.k, arguments.relaxation, arguments.solver, arguments.tol, arguments.time_limit
    )
    certificate = bound_certificate(cov, found)
    best = rs.candidate(cov, arguments.k)
    if certificate is None:
        if arguments.certificate is not None:
            raise InputError(f"the relaxation {found.relaxation} has no certificate; choose another")
        claim = {"k": arguments.k, **_component(best), "lower": best.proved_value(cov), "upper": found.upper}
    else:
        claim = _claim(certificate, best, 0.0, arguments.certificate)
    lower, upper = claim["lower"], claim["upper"]
    claim["gap"] = _finite(relative_gap(lower, upper, cov))
    text = [
        f"taken as {taken}",
        f"v_{arguments.k} <= {rounded_up(upper, 12)} by {found.relaxation} for {found.matrix or taken}",
        *(
            f"  {s.seconds:8.2f} s  {rounded_up(s.upper)}  {s.relaxation} {s.note}".rstrip()
            for s in found.history
        ),
        f"best component known: {rounded_down(lower, 12)} with {', '.join(best.support)}",
    ]
    text += _saved(certificate, arguments.certificate)
    data = claim | {
        "relaxation": found.relaxation,
        "status": Status.INTERRUPTED if found.is_interrupted else _how_open(relative_gap(lower, upper, cov)),
        "seconds": time.monotonic() - began,
        "history": [asdict(step) for step in found.history],
        "taken_as": taken,
    }
    return Output("\n".join(text), data, _code(found.is_interrupted))


def path(arguments: argparse.Namespace) -> Output:
    """Components and bounds along k or rho."""
    for file in (arguments.csv, arguments.latex, arguments.markdown, arguments.plot):
        _check_folder(file)
    _check_figure(arguments.plot)
    _check_new_folder(arguments.certificates)
    cov, taken = _read(arguments)
    if sum(given is not None for given in (arguments.k, arguments.rho, arguments.share)) > 1:
        raise InputError("give one of -k, --rho and --share")
    began = time.monotonic()
    found = rs.path(
        cov,
        k=None if arguments.k is None else _integers(arguments.k),
        rho=None if arguments.rho is None else _reals(arguments.rho),
        relaxation=arguments.relaxation,
        exact=arguments.exact,
        share=arguments.share,
        time_limit=arguments.time_limit,
        **conditions_told(arguments),
    )
    for file, content in (
        (arguments.csv, found.to_csv),
        (arguments.latex, found.to_latex),
        (arguments.markdown, found.to_markdown),
    ):
        if file is not None:
            saved(content(), file)
    if arguments.plot is not None:
        drawn = io.BytesIO()
        found.plot().savefig(drawn, format=Path(arguments.plot).suffix[1:] or "png", bbox_inches="tight")
        replace(Path(arguments.plot), drawn.getvalue())
    if arguments.certificates is not None:
        found.save_certificates(arguments.certificates)
    rows = [
        _claim(row.certificate, row.candidate, row.gap, None)
        | {"k": row.k, "rho": row.rho, "share": _finite(row.share), "certified": row.certified, "by": row.by}
        for row in found.rows
    ]
    data = {"rows": rows, "status": found.status, "seconds": time.monotonic() - began, "taken_as": taken}
    data |= {"knee": found.knee}
    if found.asked is not None:
        data |= {"smallest_k": found.smallest_k, "is_smallest_proved": found.is_smallest_proved}
    return Output("\n".join(_printed(taken, found, arguments)), data, _code(found.is_interrupted))


def compare(arguments: argparse.Namespace) -> Output:
    """Judge every candidate method by the proved optimum or bound."""
    cov, taken = _read(arguments)
    found = rs.compare(cov, arguments.k, time_limit=arguments.time_limit)
    rows = [
        {
            "method": row.method,
            "lower": decimal_below(row.lower),
            "gap": _finite(row.gap),
            "share": _finite(row.share),
        }
        | {"seconds": row.seconds, **_component(row.candidate)}
        for row in found.rows
    ]
    bounds = recorded(found.lower, found.upper) | {"gap": _finite(found.gap)}
    data = {"k": arguments.k, **bounds, "status": found.status, "rows": rows, "taken_as": taken}
    return Output("\n".join(_printed(taken, found, arguments)), data, _code(found.is_interrupted))


def report(arguments: argparse.Namespace) -> Output:
    """Write a page about one cardinality or several: statement, table, figures and verified certificates."""
    from relaxspca.report import check_report_folder, write_report

    _check_new_folder(arguments.out)
    check_report_folder(arguments.out)
    cov, taken = _read(arguments)
    sizes = _integers(arguments.k)
    found: rs.Path | rs.Result | rs.Components | rs.JointComponents
    if arguments.components is not None or arguments.joint or arguments.disjoint:
        found = _found_components(cov, arguments)
        is_interrupted = found.is_interrupted
    elif len(sizes) == 1:
        found = rs.solve(cov, sizes[0], time_limit=arguments.time_limit)
        is_interrupted = found.status is Status.INTERRUPTED
    else:
        found = rs.path(cov, k=sizes, time_limit=arguments.time_limit)
        is_interrupted = found.is_interrupted
    title = arguments.title or f"Sparse principal components of {Path(arguments.data).stem}"
    page = write_report(found, arguments.out, title=title, command=arguments.command_line, data=taken)
    text = f"taken as {taken}\n{found!r}\nreport written to {page}"
    return Output(text, {"page": str(page), "k": sizes, "taken_as": taken}, _code(is_interrupted))


def verify(arguments: argparse.Namespace) -> Output:
    """Check certificates; 0 all verified, 1 one is not, 2 one cannot be read."""
    _check_folder(arguments.csv)
    against = None
    if arguments.against is None and is_reading_told(arguments):
        raise InputError("--data, --covariance and --correlation say how to read --against DATA: give it too")
    if arguments.against is not None:
        against = data_read(arguments.against, arguments)[0]
    exact = True if arguments.exact else None
    rows = verify_many(arguments.paths, n_jobs=arguments.n_jobs, exact=exact, against=against)
    if arguments.csv is not None:
        write_csv(rows, arguments.csv)
    lines = []
    for row in rows:
        how = f"{row.arithmetic or 'not read'}, {row.seconds:.2f} s"
        lines.append(f"{row.outcome:<12}  {row.path}  ({how})")
        # Of many, what is the same for all is said once, at the end.
        told = row.statement if len(rows) == 1 else (*row.statement[:1], *row.statement[3:])
        if len(rows) > 1:
            told = tuple(said for said in told if not said.startswith(("that no other", "arithmetic: ")))
        lines += [f"{'':<12}  {said}" for said in (*row.reasons, *told)]
    proved = sum(row.verified for row in rows)
    lines.append(summary(rows))
    is_unreadable = any(row.outcome == "unreadable" for row in rows)
    code = 2 if is_unreadable or not rows else (0 if proved == len(rows) else 1)
    return Output("\n".join(lines), {"verified": proved, "rows": [_plain(asdict(row)) for row in rows]}, code)


COMMANDS: dict[str, Callable[[argparse.Namespace], Output]] = {
    "solve": solve,
    "bound": bound,
    "path": path,
    "compare": compare,
    "report": report,
    "verify": verify,
}


def _read(arguments: argparse.Namespace) -> tuple[Covariance, str]:
    return data_read(arguments.data, arguments)


def _found_components(cov: Covariance, arguments: argparse.Namespace) -> rs.Components | rs.JointComponents:
    """Return the components that the words -k, --components, --joint, --disjoint and the limits ask for."""
    sizes: Any = _integers(arguments.k)
    count = arguments.components
    if count is not None and len(sizes) == 1:
        sizes = sizes[0]
    limits: dict[str, Any] = {"gap": getattr(arguments, "gap", 0.0), "time_limit": arguments.time_limit}
    limits |= conditions_told(arguments)
    if arguments.joint:
        limits["node_limit"] = getattr(arguments, "node_limit", None)
        return rs.components(cov, sizes, count, joint=True, disjoint=arguments.disjoint, **limits)
    for name in ("disjoint", "node_limit"):
        if getattr(arguments, name, None):
            raise InputError(f"--{name.replace('_', '-')} goes with --joint")
    return rs.components(cov, sizes, count, deflation=getattr(arguments, "deflation", "projection"), **limits)


def _claim(certificate: Certificate, witness: Candidate | None, gap: float, file: str | None) -> dict[str, Any]:
    """Return the part of a JSON answer that every command shares; None is a component without variables."""
    claim = ({} if certificate.rho is None else {"rho": certificate.rho}) | {
        "k": certificate.k if certificate.k is not None else len(certificate.indices),
        **_component(witness),
        **recorded(certificate.lower, certificate.upper, certificate.rho, certificate.n),
        "gap": _finite(gap),
    }
    for name in ("include", "exclude"):
        if len(getattr(certificate, name)):
            claim[name] = [certificate.names[int(i)] for i in getattr(certificate, name)]
    if file is not None:
        claim["certificate"] = file
    return claim


def _component(found: Candidate | None) -> dict[str, Any]:
    """Return names, positions and loadings of the variables that a component uses."""
    if found is None:
        return {"support": [], "indices": [], "loadings": {}}
    values = found.loadings[found.indices].tolist()
    loadings = dict(zip(found.support, values, strict=True))
    return {"support": list(found.support), "indices": found.indices.tolist(), "loadings": loadings}


def _printed(taken: str, found: Shown, arguments: argparse.Namespace) -> list[str]:
    """Return how the data were read and the result: with its tables, or quietly without."""
    return [f"taken as {taken}", found.statement if arguments.quiet else repr(found)]


def _code(is_interrupted: bool) -> int:
    """Return the exit code of work that is reported, whole or as far as it went."""
    return 130 if is_interrupted else 0


def _saved(certificate: Certificate | None, file: str | None) -> list[str]:
    if file is None or certificate is None:
        return []
    certificate.save(file)
    return [f"certificate written to {file}; check it with: relaxspca verify {file}"]


def _check_folder(file: str | None) -> None:
    """Refuse an output file that cannot be written before the work begins, not after it."""
    if file is None:
        return
    path = Path(file)
    if not path.parent.is_dir():
        raise InputError(f"{file} cannot be written: there is no folder {path.parent}")
    if path.is_dir():
        raise InputError(f"{file} cannot be written: it is a folder")
    if path.exists() and not path.is_file():
        may_write = os.access(path, os.W_OK)
    else:
        may_write = os.access(Path(os.path.realpath(path)).parent, os.W_OK | os.X_OK)
    if not may_write:
        raise InputError(f"{file} cannot be written: permission denied")


def _check_new_folder(folder: str | None) -> None:
    """Refuse an output folder that cannot be made or written into, before the work begins."""
    if folder is None:
        return
    path = Path(folder)
    there = next(p for p in (path, *path.absolute().parents) if p.exists())
    if not there.is_dir():
        raise InputError(f"{folder} cannot be made a folder: {there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{folder} cannot be written: permission denied")


def _check_figure(file: str | None) -> None:
    """Refuse a figure that matplotlib cannot write, before the work begins."""
    if file is None:
        return
    from relaxspca.plotting.style import new_figure

    formats = new_figure(1, 1).canvas.get_supported_filetypes()
    if Path(file).suffix[1:].lower() not in formats:
        raise InputError(f"{file} is no figure: its name must end in one of {', '.join(sorted(formats))}")


def _integers(text: str) -> list[int]:
    """Read 1-13 or 2,5,10 or a mixture."""
    values: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:\s*-\s*(\d+))?\s*", part)
        if match is None:
            raise InputError(f"-k {text!r} is not a list of whole numbers such as 1-13 or 2,5,10")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise InputError(f"-k {text!r}: the range {part.strip()} is empty")
        values += range(first, last + 1)
    return values


def _reals(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--rho {text!r} is not a list of numbers such as 0.1,0.2") from None


def _finite(value: float) -> float | None:
    """Return a number as JSON has it: null where there is none."""
    return value if math.isfinite(value) else None


def _how_open(gap: float) -> Status:
    """Return what a bound beside a component leaves."""
    return Status.OPTIMAL if gap <= NARROW else Status.OPEN


def _plain(record: dict[str, Any], names: Sequence[str] = ()) -> dict[str, Any]:
    """Return a record for JSON: variables, which are one cell of a table, are lists there."""
    plain: dict[str, Any] = {
        key: _finite(value) if isinstance(value, float) else value for key, value in record.items()
    }
    if isinstance(plain.get("indices"), str):
        plain["indices"] = [int(i) for i in plain["indices"].split()]
        plain["support"] = [names[i] for i in plain["indices"]]
    return plain
