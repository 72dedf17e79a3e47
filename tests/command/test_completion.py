"""Completion scripts name every command and option, and bash completes with them."""

import shutil
import subprocess

import pytest

from relaxspca.command.cli import main
from relaxspca.command.completion import SHELLS, completion_script
from relaxspca.command.parser import parser


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_the_script(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for command in ("solve", "certify", "bound", "path", "compare", "verify", "report"):
        assert command in script
    assert "time-limit" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "found"), [("relaxspca sol", "solve"), ("relaxspca solve --time", "--time-limit")]
)
def test_bash_completes(words, found):
    script = f"""{completion_script(parser(), "bash")}
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _relaxspca; echo "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [found]
