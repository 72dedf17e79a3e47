#!/usr/bin/env python
"""Check the built pages of the documentation: links, anchors, pictures, and formulas that stayed TeX.

    python tools/check_site.py docs/_build/html

Addresses outside are looked at for their form only: nothing is fetched.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

OUTSIDE = re.compile(r"https?://[\w.-]+\.\w+(?:[/?#]\S*)?|mailto:\S+@\S+")
TEX = re.compile(r"\\[A-Za-z]+|\$\$|(?<![\w$])\$[^$\s]{1,40}\$(?!\w)")
SILENT = {"script", "style", "pre", "code", "annotation"}  # what is no text, and code, which may hold TeX


class Page(HTMLParser):
    """What a page holds: anchors, links and pictures with their lines, and TeX that a reader would see."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.seen_tex, self._within = {""}, [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note anchors and links."""
        given = dict(attrs)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        self.links += [(given[name], self.getpos()[0]) for name in ("href", "src") if given.get(name)]
        if tag in SILENT:
            self._within.append(tag)

    def handle_endtag(self, tag):
        """Leave what holds no text."""
        if self._within and tag == self._within[-1]:
            self._within.pop()

    def handle_data(self, data):
        """Look for TeX in what is read."""
        if not self._within:
            self.seen_tex += [(found, self.getpos()[0]) for found in TEX.findall(data)]


def faults(folder):
    """Yield a line for every fault of the pages in a folder."""
    folder = Path(folder).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        yield f"{folder}: there is no page"
    for path, page in pages.items():
        where = path.relative_to(folder)
        yield from (f"{where}:{line}: TeX is shown: {found}" for found, line in page.seen_tex)
        for link, line in page.links:
            reason = _fault(link, path, folder, pages)
            if reason:
                yield f"{where}:{line}: {link}: {reason}"


def _fault(link, path, folder, pages):
    """Return what is wrong with a link, or nothing."""
    parts = urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return "" if OUTSIDE.fullmatch(link) else "no address has this form"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_relative_to(folder):
        return "it leads out of the pages"
    if not target.is_file():
        return "there is no such file"
    if target in pages and unquote(parts.fragment) not in pages[target].anchors:
        return "there is no such anchor"
    return ""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    found = list(faults(sys.argv[1]))
    print("\n".join(found) or "every link leads somewhere")
    sys.exit(bool(found))
