"""The command line in this process."""

from relaxspca.command.cli import main


def run(capsys, *words):
    """Return (exit code, stdout, stderr) of a command."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code
    return code, *capsys.readouterr()
