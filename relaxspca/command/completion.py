"""Completion scripts for bash, zsh and fish, made from the parser."""

from __future__ import annotations

import argparse

__all__ = ["SHELLS", "completion_script"]

SHELLS = ("bash", "zsh", "fish")


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script that completes commands and their options in a shell.

    Parameters
    ----------
    parser : the parser of the command line.
    shell : "bash", "zsh" or "fish".

    Returns
    -------
    str
        To be evaluated by the shell: ``eval "$(relaxspca completion bash)"``, or in fish
        ``relaxspca completion fish | source``.

    Examples
    --------
    >>> top = argparse.ArgumentParser(prog="tool")
    >>> _ = top.add_subparsers().add_parser("run").add_argument("--fast")
    >>> "--fast" in completion_script(top, "bash")
    True
    """
    options = _options(parser)
    return _fish(parser.prog, options) if shell == "fish" else _bash(parser.prog, options, shell)


def _options(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """Return the long options of every command."""
    commands = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {
        name: [
            option
            for action in command._actions
            if action.help != argparse.SUPPRESS
            for option in action.option_strings
        ]
        for name, command in commands.choices.items()
    }


def _bash(program: str, options: dict[str, list[str]], shell: str) -> str:
    cases = "\n".join(f'    {name}) words="{" ".join(words)}" ;;' for name, words in options.items())
    head = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return f"""{head}_{program}() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{" ".join(options)} --help --version" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F _{program} {program}"""


def _fish(program: str, options: dict[str, list[str]]) -> str:
    lines = [f"complete -c {program} -n __fish_use_subcommand -f -a '{' '.join(options)}'"]
    for name, words in options.items():
        condition = f"'__fish_seen_subcommand_from {name}'"
        for word in words:
            flag = f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"
            lines.append(f"complete -c {program} -n {condition} {flag}")
    return "\n".join(lines)
