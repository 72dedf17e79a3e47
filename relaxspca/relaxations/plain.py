"""Convert a LaTeX formula to a line of plain text, for terminals."""

from __future__ import annotations

import re

SIGNS = {
    "preceq": "⪯", "succeq": "⪰", "succ": "≻", "le": "≤", "ge": "≥", "ne": "≠", "in": "∈", "notin": "∉",
    "Sigma": "Σ", "lambda": "λ", "rho": "ρ", "tau": "τ", "mu": "μ", "langle": "⟨", "rangle": "⟩", "infty": "∞",
    "sum": "sum", "|": "‖", "quad": " ", "qquad": " ", ",": "", " ": " ",
    "min": "min", "max": "max",
}  # fmt: skip
UNUSED = re.compile(r"\\(bigl|bigr|Bigl|Bigr|left|right|displaystyle)")
NAMED = re.compile(r"\\(?:mathrm|text|operatorname)\{([^{}]*)\}")
FRACTION = re.compile(r"\\[td]?frac(?:\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\{([^{}]*)\}|(\d)(\d))")


def plain(formula: str) -> str:
    r"""Return a LaTeX formula as one readable line of text; the conversion has no inverse.

    Examples
    --------
    >>> plain(r"\min_{U, \tau}\ \tau:\quad \Sigma+U\preceq\tau I,\ |U_{ij}|\le\rho")
    'min over U, τ: τ with Σ+U ⪯ τ I, |U_ij| ≤ ρ'
    """
    formula = formula.replace(r":\quad", r"\text{ with }")
    text = NAMED.sub(r" \1 ", UNUSED.sub("", formula))
    text = re.sub(r"\\(min|max)_\{?([^{}\\]*(?:\\\w+[^{}\\]*)*)\}?(?=\\ )", r"\1 over \2: ", text)
    text = re.sub(r"\\lambda_\{\\max\}", "λ_max", text)
    text = FRACTION.sub(lambda found: f"({found[1] or found[3]})/({found[2] or found[4]})", text)
    spaced = {"preceq", "succeq", "le", "ge", "ne", "in", "notin"}

    def sign(found: re.Match[str]) -> str:
        word = SIGNS.get(found[1], found[1])
        return f" {word} " if found[1] in spaced else word

    text = re.sub(r"\\([A-Za-z]+|[|, ])", sign, text)
    text = re.sub(r"[{}]", "", text)
    text = re.sub(r"(?<=[\w)]) \(", "(", re.sub(r" {2,}", " ", text))
    return text.replace("( ", "(").strip()
