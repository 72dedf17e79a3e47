"""Formulas as MathML, which browsers typeset themselves: no script, no network."""

from html import escape

from docutils import nodes
from latex2mathml.converter import convert


def setup(app):
    """Offer the renderer "mathml"."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def visit_inline(self, node):
    """Write a formula within a line."""
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_display(self, node):
    """Write displayed formulas; blank lines stand between them, as Sphinx has it."""
    parts = [part for part in node.astext().split("\n\n") if part.strip()]
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.extend(f"<div>{mathml(aligned(part), 'block')}</div>" for part in parts)
    self.body.append("</div>\n")
    raise nodes.SkipNode


def aligned(text):
    """Return a formula of several lines in the environment that lines them up."""
    several = "\\\\" in text and "\\begin" not in text
    return f"\\begin{{split}}{text}\\end{{split}}" if several else text


def mathml(text, display):
    """Return MathML with the LaTeX source as its title, for those who copy it."""
    made = convert(text.replace("\n", " "), display=display)
    return made.replace("<math ", f'<math title="{escape(text.strip(), quote=True)}" ', 1)
