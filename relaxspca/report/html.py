"""A page of HTML that needs no other file: style, tables, figures, and the part that checks itself."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

LONG = 24  # characters beyond which a cell keeps some width; on a phone the table then scrolls
STYLE = """
body { font: 16px/1.5 Georgia, serif; color: #1a1a1a; max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { font-weight: normal; line-height: 1.2; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid; font-size: .9rem; }
th { border-bottom: 1px solid; font-weight: normal; font-style: italic; text-align: left; white-space: nowrap; }
th, td { padding: .2rem 1rem .2rem 0; vertical-align: top; }
td.long { min-width: 14rem; }
.number { text-align: right; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.rule td { border-top: 1px solid; }
.statement { margin: 1.5rem 0; border-left: 3px solid #0072B2; padding: .1rem 1rem; background: #f4f7fa; }
.failed { color: #b00020; font-weight: bold; }
code { font-size: .85em; overflow-wrap: anywhere; }
.small { font-size: .85rem; color: #444; overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; } figure img { max-width: 100%; height: auto; }
figcaption { font-size: .9rem; color: #333; max-width: 40rem; }
pre { background: #f6f6f6; padding: .7rem; font-size: .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; } table { font-size: .85rem; } td.long { min-width: 9rem; }
  th, td { padding-right: .6rem; }
}
@media print {
  body { margin: 0; max-width: none; }
  .wide { overflow: visible; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
}
"""
LARGEST = 2**25  # bytes of certificates that one page carries
CHECK_STYLE = """
#own-files { display: block; box-sizing: border-box; width: 100%; padding: 1.5rem 1rem;
             border: 2px dashed #777; font: inherit; }
#own-verdicts li { margin: .5rem 0; overflow-wrap: anywhere; }
#own-verdicts .failed { color: color-mix(in srgb, #e00030 60%, currentColor); font-weight: bold; }
"""


def document(title: str, made_by: str, sections: Sequence[str]) -> str:
    """Return a whole page; the title is text, the sections are HTML."""
    body = "\n".join(sections)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{escape(made_by)}">\n'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = (), rule: int | None = None
) -> str:
    """Return a table; cells are HTML, and those of the columns `numbers` stay on one line, flush right.

    A line is drawn above the row of number `rule`.
    """
    marks = [' class="number"' if at in numbers else "" for at in range(len(header))]
    head = "".join(f"<th{mark}>{cell}</th>" for mark, cell in zip(marks, header, strict=True))
    lines = ["".join(_cell(cell, at in numbers) for at, cell in enumerate(row)) for row in rows]
    starts = ['<tr class="rule">' if at == rule else "<tr>" for at in range(len(rows))]
    body = "".join(f"{start}{line}</tr>\n" for start, line in zip(starts, lines, strict=True))
    return f'<div class="wide"><table><tr>{head}</tr>\n{body}</table></div>'


def _cell(cell: str, is_number: bool) -> str:
    if is_number:
        return f'<td class="number">{cell}</td>'
    is_long = len(re.sub("<[^>]*>", "", cell)) > LONG
    return f'<td class="long">{cell}</td>' if is_long else f"<td>{cell}</td>"


def image(figure: Any, caption: str) -> str:
    """Return a matplotlib figure, or that of axes, as an SVG image inside the page."""
    import matplotlib

    drawn = io.BytesIO()
    # A fixed salt and no date: the same result gives the same image.
    with matplotlib.rc_context({"svg.hashsalt": "relaxspca"}):
        (getattr(figure, "figure", None) or figure).savefig(
            drawn, format="svg", metadata={"Date": None}, bbox_inches="tight"
        )
    data = base64.b64encode(drawn.getvalue()).decode("ascii")
    shown = f'<img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
    return f"<figure>{shown}<figcaption>{escape(caption)}</figcaption></figure>"


def claim_cell(name: str) -> str:
    """Return the cell of a table where the browser writes its verdict on a certificate."""
    return f'<span data-proof="{escape(name)}">claimed</span>'


def self_check(proofs: Mapping[str, Path]) -> str:
    """Return HTML that checks certificates when the page is opened, without a network.

    The files of certificates, by the names of their cells (`claim_cell`), stand in the page with their
    companions, as far as they fit.
    """
    checker = files("relaxspca.report").joinpath("checker.js").read_text(encoding="utf-8")
    if re.search("</script|<!--", checker, re.IGNORECASE):  # it would end the element that holds it
        raise AssertionError("checker.js cannot stand in a page")
    room, carried = LARGEST, []
    for name, path in proofs.items():
        text = path.read_text(encoding="ascii")
        stated = json.loads(text).get("arrays")
        packed = base64.b64encode((path.parent / stated["file"]).read_bytes()).decode() if stated else ""
        room -= len(text) + len(packed)
        if room < 0:
            carried.append("<p>Not all certificates fit into this page; choose the files below.</p>")
            break
        companion = f' data-companion="{escape(stated["file"])}" data-packed="{packed}"' if stated else ""
        # In JSON "<" may be written as an escape, so that no name of a variable ends the script.
        safe = text.replace("<", "\\u003c")
        carried.append(
            f'<script type="application/json" data-certificate="{escape(name)}"{companion}>{safe}</script>'
        )
    return "\n".join(
        [
            f"<style>{CHECK_STYLE}</style>",
            '<p><label for="own-files">Check certificates of your own here, in your browser: choose their '
            "files (.json), or drop them on the page. A certificate with arrays in an .npz beside it needs "
            "both. Drop your data (.csv, names in the first line) as well, and what is claimed is held against "
            "them by name: a square table of a covariance or correlation, or observations of which it is made."
            "</label></p>",
            '<input type="file" id="own-files" multiple accept=".json,.npz,.csv,.txt">',
            '<p>Nothing leaves your machine.</p>\n<ul id="own-verdicts"></ul>',
            "<noscript><p>Scripts are off here, so nothing is checked in this page.</p></noscript>",
            *carried,
            f"<script>\n{checker}</script>",
        ]
    )
