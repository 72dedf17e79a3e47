"""Run the command line: python -m relaxspca."""

from relaxspca.command.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
