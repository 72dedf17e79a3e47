"""Run the command line: python -m relaxspca."""

from relaxspca.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
