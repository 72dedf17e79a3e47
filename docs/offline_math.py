r"""Formulas as MathML, which browsers typeset themselves: no script, no network.

A browser does not break a formula, so one within a line is written in pieces that end where a line may: after
a relation, a sum or a difference that stands outside all brackets. A displayed formula scrolls where it is too
wide, and ``\tag{1}`` gives it a number.
"""

import re
from html import escape

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

# A piece of TeX that is one thing: a command, an escaped sign, or a character.
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
OPENING = {"(", "[", "{", r"\{", r"\lvert", r"\lVert", r"\langle", r"\lceil", r"\lfloor"}
CLOSING = {")", "]", "}", r"\}", r"\rvert", r"\rVert", r"\rangle", r"\rceil", r"\rfloor"}
BREAKING = re.compile(r"[=<>+\-,:]|\\(le|ge|ne|in|notin|succeq|preceq|subseteq|to|mapsto|gtrsim|cdot|oplus)")
TIGHT = 'stretchy="false" lspace="0" rspace="0"'

# What the converter writes otherwise than a browser needs it, each with what is right, in order.
REPAIRS = [
    # Relations that it takes for names, and so leaves without the space of an operator.
    (r"<mi>(&#x(?:02AB0|02AAF);)</mi>", r"<mo>\1</mo>"),
    (r"<mi>&#x029F5;</mi>", r"<mo>&#x2216;</mo>"),
    (r"<mo>(&#x0(?:221E|2205);)</mo>", r"<mi>\1</mi>"),
    (r">\\([{}])<", r">\1<"),
    (r"\\_", "_"),
    # Brackets, bars and slashes: no space around them, of one height unless it is said.
    (r"<mi>(&#x0(?:27E8|27E9|2308|2309);)</mi>", rf"<mo {TIGHT}>\1</mo>"),
    (r'<mo(?: stretchy="false")?>(&#x0(?:007C|002F);)</mo>', rf"<mo {TIGHT}>\1</mo>"),
    (r"<mo>&#x0003A;</mo>", r'<mo lspace="0.1em" rspace="0.278em">:</mo>'),
    # Names of functions: a thin space, and none in a subscript or before a bracket.
    (r"<mrow><mo>([A-Za-z]+)</mo></mrow>", r"<mi>\1</mi>"),
    (r'<mo>([A-Za-z]+)</mo>(?=<mo stretchy="false">&#x00028;)', r"<mi>\1</mi>"),
    (r"<mi>(log|ln|sin|cos)</mi>(?!<mo)", r"<mo>\1</mo>"),
    (r"<mo>([A-Za-z]+)</mo>", r'<mo lspace="0.1em" rspace="0.167em">\1</mo>'),
    # Letters of another kind: capital Greek ones upright, the vector of ones, the real numbers.
    (r"<mi>(&#x003(?:9[1-9A-F]|A[0-9]);)</mi>", r'<mi mathvariant="normal">\1</mi>'),
    (r'<mn mathvariant="bold">1</mn>', "<mn>&#x1D7CF;</mn>"),
    (r'<mi mathvariant="double-struck">R</mi>', "<mi>&#x211D;</mi>"),
]


def setup(app):
    """Offer the renderer "mathml"."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    app.connect("doctree-resolved", keep_punctuation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def keep_punctuation(app, doctree, docname):
    """Give every formula the signs that stand right after it, so that no line begins with them."""
    for node in list(doctree.findall(nodes.math)):
        after = node.next_node(descend=False, siblings=True)
        if isinstance(after, nodes.Text):
            signs = re.match(r"[^\s\w(\[]*", after.astext())[0]
            node["after"] = signs
            node.parent.replace(after, nodes.Text(after.astext()[len(signs) :]))


def visit_inline(self, node):
    """Write a formula within a line."""
    text = node.astext()
    *first, last = (mathml(piece, "inline") for piece in pieces(text))
    made = "".join(f"{piece}<wbr>" for piece in first)
    end = f'<span class="together">{last}{escape(node.get("after", ""))}</span>'
    self.body.append(f'<span title="{escape(text.strip(), quote=True)}">{made}{end}</span>')
    raise nodes.SkipNode


def visit_display(self, node):
    """Write displayed formulas; blank lines stand between them, as Sphinx has it."""
    parts = [part for part in node.astext().split("\n\n") if part.strip()]
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.extend(display(part) for part in parts)
    self.body.append("</div>\n")
    raise nodes.SkipNode


def display(text):
    """Return one displayed formula, with its number where it has one."""
    number = re.search(r"\\tag\{(.*?)\}", text)
    made = mathml(aligned(re.sub(r"\\tag\{.*?\}", "", text)), "block")
    tag = f'<span class="number">({escape(number[1])})</span>' if number else ""
    return f'<div class="displayed" title="{escape(text.strip(), quote=True)}"><div>{made}</div>{tag}</div>'


def aligned(text):
    """Return a formula of several lines in the environment that the converter lines up."""
    text = text.replace("{aligned}", "{split}")
    several = "\\\\" in text and "\\begin" not in text
    return f"\\begin{{split}}{text}\\end{{split}}" if several else text


def pieces(text):
    """Return the parts of a formula after which a line may end."""
    found, depth, bar, piece = [], 0, False, ""
    for token in TOKEN.findall(text):
        piece += token
        depth += (token in OPENING) - (token in CLOSING)
        bar ^= token == "|"
        # A sign at the beginning is no difference but a sign.
        if BREAKING.fullmatch(token) and depth == 0 and not bar and piece.strip() != token:
            found.append(piece)
            piece = ""
    return [*found, piece] if piece.strip() else found


def mathml(text, display):
    """Return MathML."""
    text = re.sub(r"\\arg\\(max|min)", r"\\operatorname{arg\1}", text)
    if display == "block":
        text = re.sub(r"\\(max|min|inf|sup)(?=_)", r"\\\1\\limits", text)
    made = convert(text.replace("\n", " "), display=display)
    for wrong, right in REPAIRS:
        made = re.sub(wrong, right, made)
    if re.search(r">\\[A-Za-z]", made):
        logging.getLogger(__name__).warning("the converter does not know a command of the formula %s", text)
    return made
