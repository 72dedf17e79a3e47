"""Run every example and keep what it prints and draws for the page: python docs/run_examples.py [NAME ...].

What is printed goes to docs/_static/examples/NAME.txt. The picture is the figure that the example saves; where
it saves none, that of the first result it holds which can be drawn.
"""

import contextlib
import io
import re
import sys
import tempfile
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from relaxspca.errors import InputError, MissingExtra
from relaxspca.results.printable import Printable

DOCS = Path(__file__).parent
KEPT = DOCS / "_static" / "examples"
ARGUMENTS = {"pitprops_demo": ["--out"]}


def main(names):
    """Run the examples that are named, or all."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for path in sorted((DOCS.parent / "examples").glob("*.py")):
        if not names or path.stem in names:
            began = time.process_time()
            printed, figure = run(path)
            (KEPT / f"{path.stem}.txt").write_text(printed, encoding="utf-8")
            if figure is not None:
                figure.savefig(KEPT / f"{path.stem}.png", dpi=100)
            plt.close("all")
            drawn = "no figure" if figure is None else "a figure"
            print(f"{path.stem}: {drawn}, {time.process_time() - began:.1f} s", flush=True)


def run(path):
    """Return what an example prints, and its figure if there is one."""
    figures, printed, original = [], io.StringIO(), Figure.savefig

    def keep(figure, *arguments, **options):
        figures.append(figure)
        return original(figure, *arguments, **options)

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        sys.argv = [str(path), *[word for option in ARGUMENTS.get(path.stem, []) for word in (option, folder)]]
        Figure.savefig, held = keep, {"__name__": "__main__", "__file__": str(path), "__doc__": "-"}
        try:
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), held)
        except SystemExit as end:
            if end.code:
                raise
        finally:
            Figure.savefig = original
    said = re.sub(rf"{re.escape(tempfile.gettempdir())}/tmp\w+", "FOLDER", printed.getvalue())
    return said, figures[0] if figures else drawing(held)


def drawing(held):
    """Return the figure of the first result among some names."""
    for value in held.values():
        if isinstance(value, Printable):
            with contextlib.suppress(InputError, MissingExtra):
                return value.plot()
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
