"""The command line in this process, and tables for it."""

from relaxspca.command.cli import main


def run(capsys, *words):
    """Return (exit code, stdout, stderr) of a command."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code
    return code, *capsys.readouterr()


def write_csv(path, names, rows):
    """Write a table with names above its columns, with all digits, and return where it is."""
    path.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return str(path)
