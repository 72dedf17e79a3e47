"""The program: relaxspca, or python -m relaxspca."""

import signal

from relaxspca.command.leaving import leave


def main() -> int:
    """Run the command line as the whole of a process, which listens to Ctrl-C before its modules are there."""
    # A shell tells jobs in the background to ignore Ctrl-C, and they keep to that.
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listens:
        signal.signal(signal.SIGINT, leave)
    from relaxspca.command import cli

    try:
        if listens:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return cli.main()
    except KeyboardInterrupt:
        return leave()
    finally:
        if listens:  # all is printed: what is left is the interpreter's end, which would print a traceback
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    raise SystemExit(main())
