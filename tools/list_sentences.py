"""List every sentence that the package can print, to be read in one go: tools/list_sentences.py [FOLDER ...].

A sentence is a text of three words or more that is no docstring; what stands in braces is filled in.
"""

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "relaxspca"
LEAST = 3  # words


def main(folders):
    """Print the sentences of some folders of the package, or of all, file by file."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        found = sentences(ast.parse(path.read_text(encoding="utf-8")))
        if found and any(name.startswith(folder) for folder in folders or [""]):
            print(f"\n{name}", *(f"  {line:4} {text}" for line, text in found), sep="\n")


def sentences(tree):
    """Return lines and texts, those that are joined in one expression as one."""
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = []
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.JoinedStr | ast.Constant)
        if is_text and id(node) not in documented | parts and (text := _text(node)) and _is_said(text):
            found.append((node.lineno, " ".join(text.split())))
    return sorted(found)


def _text(node):
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    shown = [
        part.value if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
        for part in node.values
    ]
    return "".join(map(str, shown))


def _is_said(text):
    return sum(word.isalpha() for word in text.replace(",", " ").replace(".", " ").split()) >= LEAST


if __name__ == "__main__":
    main(sys.argv[1:])
