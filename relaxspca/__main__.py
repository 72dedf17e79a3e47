"""The program: relaxspca, or python -m relaxspca."""

import os
import sys

# What the module signal imports takes longer than all before it, and Ctrl-C would end that with a traceback.
from _signal import SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found]
from sys import __unraisablehook__ as report


def main() -> int:
    """Run the command line as a process; Ctrl-C at any time prints one line and gives exit code 130."""
    # A shell makes background jobs ignore Ctrl-C, and this process then does.
    if getsignal(SIGINT) is default_int_handler:
        return _interruptible()
    from relaxspca.command import cli

    return cli.main()


def _interruptible() -> int:
    came: list[int] = []

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    signal(SIGINT, _leave)
    # Python only prints an exception raised while an object is deleted; the process must end all the same.
    sys.unraisablehook = lambda told: _leave() if told.exc_type is KeyboardInterrupt else report(told)
    from relaxspca.command import cli

    try:
        try:
            signal(SIGINT, interrupt)
            code = cli.main()
        finally:
            signal(SIGINT, _leave)
    except BaseException:
        if came:  # some modules take the exception for a failed import of their own
            _leave()
        raise
    return 130 if came else code


def _leave(*_: object) -> None:
    """End this process at once; it is called only while no file is open: during imports and after output."""
    os.write(2, b"relaxspca: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    raise SystemExit(main())
