"""The command line in this process, and tables for it."""

from relaxspca.command.cli import main


def run(capsys, *words):
    """Return (exit code, stdout, stderr) of a command."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code
    return code, *capsys.readouterr()


def as_text(rows, names=None, labels=None, mark=","):
    """Return a table as text: names above its columns, labels before its rows, all digits."""
    rows = [[*map(str, row)] for row in rows]
    rows = rows if labels is None else [[label, *row] for label, row in zip(labels, rows, strict=True)]
    return "".join(mark.join(row) + "\n" for row in ([] if names is None else [names]) + rows)


def write_csv(path, names, rows):
    """Write a table with names above its columns, with all digits, and return where it is."""
    path.write_text(as_text(rows, names))
    return str(path)
