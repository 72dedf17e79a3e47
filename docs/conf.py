"""Sphinx configuration; ``make docs`` treats every warning as an error."""

import itertools
import re
import sys
from enum import EnumMeta
from pathlib import Path

from sphinx.ext.autosummary import autosummary_toc
from sphinx.util.inspect import TypeAliasForwardRef

import relaxspca
from relaxspca.report.html import self_check

project = "relaxspca"
author = "The relaxspca developers"
version = release = relaxspca.__version__

sys.path.insert(0, str(Path(__file__).parent))
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "offline_math",
    "numpydoc",
    "sphinx_copybutton",
]
html_math_renderer = "mathml"
exclude_patterns = ["_build", "_templates"]
myst_enable_extensions = ["dollarmath", "attrs_block", "attrs_inline", "deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_static_path = ["_static"]
html_show_copyright = False
html_title = "relaxspca"
html_css_files = ["custom.css"]
copybutton_prompt_text = "$ "

default_role = "py:obj"  # a name in single backticks is a link where it has a page
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
# Signatures have defaults as they are written, and arrays as numpy's own documentation names them.
autodoc_preserve_defaults = True
autodoc_type_aliases = {
    **dict.fromkeys(("Array", "Floats", "Indices", "Ints", "Mask"), "ndarray"),
    **dict.fromkeys(("ArrayLike", "npt.ArrayLike"), "array_like"),
}
TypeAliasForwardRef.__repr__ = lambda alias: alias.name  # else tuple[Array, ...] is not what is written
PLAIN_TYPES = [
    (r"[~\w.]*NDArray\[[~\w.]+\]", "ndarray"),
    (r"[~\w.]*ndarray\[tuple\[[~\w.]*Any, \.\.\.\], [~\w.]*dtype\[[~\w.]+\]\]", "ndarray"),
    (r"~(?:\w+\.)+", ""),  # where a default has no source, types have their paths
]
templates_path = ["_templates"]

# The measured tables live with the scripts that make them; each becomes part of the performance page.
RESULTS = Path(__file__).parent.parent / "benchmarks" / "results"
MOST_ROWS = 25  # of a table that is shown at once
MOST_COLUMNS = 16  # that fit on a page
RAW = "```{{raw}} html\n{}\n```"


def _insert_tables(app, docname, source):
    """Replace ``<!-- table NAME -->`` by the table of that benchmark, if it has been run."""
    parts = source[0].split("<!-- table ")
    text = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition(" -->")
        table = RESULTS / f"{name}.md"
        found = table.read_text(encoding="utf-8") if table.exists() else "*Not measured in this copy.*"
        text.append(_folded(_cut(found)))
        text.append(rest)
    # The page that checks certificates in the reader's browser.
    checker = f"``````{{raw}} html\n{self_check({})}\n``````"
    source[0] = "".join(text).replace("<!-- checker -->", checker)


def _cut(text):
    """Cut a table of too many columns, called "program: what", in two; the other columns stand in both."""
    note, _, table = f"\n{text}".partition("\n| ")
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]
    programs = [title.partition(":")[0] for title in rows[0]] if rows else []
    if len(programs) <= MOST_COLUMNS:
        return text
    same = sum(":" not in title for title in rows[0])
    half = next(j for j in range((same + len(programs)) // 2, len(programs)) if programs[j] != programs[j - 1])
    parts = [row[:half] for row in rows], [row[:same] + row[half:] for row in rows]
    return "\n\n".join([note, *("\n".join(f"| {' | '.join(row)} |" for row in part) for part in parts)]) + "\n"


def _folded(text):
    """Let a long table be opened by those who want to read it; the note before it stays."""
    note, bar, table = f"\n{text}".partition("\n| ")
    rows = table.partition("\n\n")[0].count("\n| ") - 1
    if rows <= MOST_ROWS:
        return text
    opened = f"<details><summary>The table, {rows} rows</summary>"
    return "\n\n".join([note, RAW.format(opened), bar + table, RAW.format("</details>"), ""])


def _leave_out_of_navigation(app, doctree):
    """Keep the pages of functions out of the menu of every page, which takes most of the time of a build."""
    for node in list(doctree.findall(autosummary_toc)):
        node.parent.remove(node)


def _keep_initials(app, what, name, value, options, lines):
    """Keep initials, as in "A. Author", from being read as the first item of a list."""
    initial = re.compile(r"^(\s*(?:\.\. \[[^\]]+\] )?[A-Za-z])\.(?=\s|$)")
    lines[:] = [initial.sub(r"\1\\.", line) for line in lines]


def _plain_types(app, what, name, value, options, signature, returned):
    """Write types of arrays in short, and no codecs of the fields of certificates."""
    for pattern, plain in PLAIN_TYPES:
        signature, returned = (text and re.sub(pattern, plain, text) for text in (signature, returned))
    return signature and _without_annotations(signature), returned


def _without_annotations(text):
    """Return a signature with T in place of Annotated[T, ...]."""
    before, is_there, rest = text.partition("Annotated[")
    if not is_there:
        return text
    depths = list(itertools.accumulate((sign in "[(") - (sign in "])") for sign in rest))
    comma = next(at for at, sign in enumerate(rest) if sign == "," and depths[at] == 0)
    return before + rest[:comma] + _without_annotations(rest[depths.index(-1) + 1 :])


def _list_members(app, what, name, value, options, lines):
    """List the members of an enumeration, which have no docstrings."""
    if isinstance(value, EnumMeta):
        lines += ["", *(f"* ``{member.name}``: {member.value}" for member in value)]


def _link_pages(app, what, name, value, options, lines):
    """Make links of the pages that a docstring names by their path in the repository."""
    lines[:] = [re.sub(r"(?<![\w`/])docs/([\w/]+)\.md", r":doc:`docs/\1.md </\1>`", line) for line in lines]


def setup(app):
    """Insert the benchmark tables when a page is read, and mend what the pages of functions need."""
    app.connect("source-read", _insert_tables)
    app.connect("doctree-read", _leave_out_of_navigation, priority=100)
    app.connect("autodoc-process-docstring", _keep_initials, priority=900)
    app.connect("autodoc-process-docstring", _link_pages, priority=901)
    app.connect("autodoc-process-docstring", _list_members, priority=902)
    app.connect("autodoc-process-signature", _plain_types)
