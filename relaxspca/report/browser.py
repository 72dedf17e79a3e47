"""The part of a report that checks itself in the reader's browser: the checker, and the certificates."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path

LARGEST = 2**25  # bytes of certificates that one page carries
STYLE = """
#own-files { display: block; box-sizing: border-box; width: 100%; padding: 1.5rem 1rem;
             border: 2px dashed #777; font: inherit; }
#own-verdicts li { margin: .5rem 0; overflow-wrap: anywhere; }
#own-verdicts .failed { color: color-mix(in srgb, #e00030 60%, currentColor); font-weight: bold; }
"""


def claim_cell(name: str) -> str:
    """Return the cell of a table where the browser writes its verdict on a certificate."""
    return f'<span data-proof="{escape(name)}">claimed</span>'


def self_check(proofs: Mapping[str, Path]) -> str:
    """Return HTML that checks certificates when the page is opened, without a network.

    The files of certificates, by the names of their cells (`claim_cell`), stand in the page with their
    companions, as far as they fit.
    """
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
            f"<style>{STYLE}</style>",
            '<p><label for="own-files">Check certificates of your own here, in your browser: choose their '
            "files (.json), or drop them on the page. A certificate with arrays in an .npz beside it needs "
            "both. Drop your data (.csv, names in the first line) as well, and what is claimed is held against "
            "them by name: a square table of a covariance or correlation, or observations of which it is made."
            "</label></p>",
            '<input type="file" id="own-files" multiple accept=".json,.npz,.csv,.txt">',
            '<p>Nothing leaves your machine.</p>\n<ul id="own-verdicts"></ul>',
            "<noscript><p>Scripts are off here, so nothing is checked in this page.</p></noscript>",
            *carried,
            f"<script>\n{_checker()}</script>",
        ]
    )


def _checker() -> str:
    """Return the text of the checker, which must not end the element that holds it."""
    text = files("relaxspca.report").joinpath("checker.js").read_text(encoding="utf-8")
    if re.search("</script|<!--", text, re.IGNORECASE):
        raise AssertionError("checker.js cannot stand in a page")
    return text
