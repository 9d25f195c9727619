"""The reference of the command line as Markdown, made from the commands themselves.

``python -m diplomat.cli.reference`` prints it, ``--write`` puts it into ``docs/cli.md``.  Nothing in
it depends on the terminal, the locale or the environment.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[2] / "docs" / "cli.md"
"""Where the reference lies in a checkout."""

HEAD = """\
# The command line

This page is generated. Write it anew with `python -m diplomat.cli.reference --write`.

`diplomat` and `python -m diplomat` are the same program. `-h` and `--help` work after every command.

Results go to stdout: scores, tables, the telling of `replay`, the path that `reveal` wrote. What happens on the way
goes to stderr: the game that `play` shows and the counting of `balance` and `contest`. Errors and warnings are one
line each on stderr and begin with `diplomat:`. `diplomat` alone prints its help to stderr.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed: a file cannot be read or written, a log differs, a check found something wrong |
| 2 | wrong usage: an unknown name, a bad setting, options that contradict each other, nothing there to work on |
| 3 | stopped by the budget; the log is whole and can be resumed |
| 130 | interrupted; the log is whole up to the event that is named |

Every option but `--help` and `--version` can be given by the environment variable named beside it; the command line
wins over it. In a variable of a repeatable option the values are separated by spaces.

Variables that belong to no option:

- `DIPLOMAT_HOME`: the user's own folder, with `profiles/` in it. Default: `$XDG_CONFIG_HOME/diplomat`, and without
  that variable `~/.config/diplomat`.
- `DIPLOMAT_TRANSCRIPTS`: the folder for logs when `--out` is not given. Default: `./transcripts` if there is such a
  folder, else `$XDG_DATA_HOME/diplomat/transcripts`, and without that variable
  `~/.local/share/diplomat/transcripts`.
- `DIPLOMAT_DEBUG`: set to anything, it shows the traceback of an unexpected error.
- `NO_COLOR`, `CI`, `TERM=dumb`: each turns the display `auto` from `rich` to `plain`.
"""

TABLE_FILE = """\
## The table file

`diplomat play --table FILE.toml` reads a table from a TOML file. Every key may be left out; options win over the
file, entry by entry in `[seats]` and `[settings]`.

```toml
game = "rokugan"
players = 3
seed = 7
lang = "en"

[seats]
crab = "scripted:honest"
s2 = "random"

[settings]
rounds = 3
```

A seat is `s1`, `s2` and so on, or a role of the game. It is filled by `AGENT` or `AGENT:PROFILE`.
`diplomat games --json` lists the roles and the agents of each game.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_section(path, command) for path, command in _commands()), TABLE_FILE, *_settings()])


def _commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with its path, in the order of the help page."""
    import typer.main

    from diplomat.cli.app import app

    yield from _below(typer.main.get_command(app), ("diplomat",))


def _below(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from _below(child, (*path, name))


def _section(path: tuple[str, ...], command: Any) -> str:
    """One command: its usage, what it does, arguments, options and examples."""
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    below = getattr(command, "commands", {})
    words = [*path, *(["[OPTIONS]"] if options else []), *map(_place, arguments), *(["COMMAND"] if below else [])]
    parts = [f"## `{' '.join(path)}`", f"    {' '.join(words)}", _unwrapped(command.help)]
    if below:
        lines = [_line(name, _sentence(child.help)) for name, child in below.items() if not child.hidden]
        parts.append("Commands:\n\n" + "\n".join(lines))
    if arguments:
        parts.append("Arguments:\n\n" + "\n".join(_line(_place(one), one.help) for one in arguments))
    if options:
        parts.append("Options:\n\n" + "\n".join(_option(one) for one in options))
    if shown := _examples(command.epilog):
        parts.append("Examples:\n\n" + "\n".join(f"    {line}" for line in shown))
    return "\n\n".join(parts) + "\n"


def _line(name: str, text: str) -> str:
    return f"- `{name}`: {text}"


def _place(argument: Any) -> str:
    """An argument as it stands in the usage; brackets if it may be left out."""
    name = str(argument.metavar or argument.name.upper())
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _option(option: Any) -> str:
    """One option: its names, what it takes, what it does, its default and its variable."""
    names = ", ".join(option.opts)
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    elif not option.is_flag:
        names += f" {option.metavar or option.name.upper()}"
    facts = [option.help]
    if option.multiple and "may be repeated" not in option.help:
        facts.append("Repeatable.")
    if option.is_flag and option.default and option.secondary_opts:
        facts.append(f"Default: `{option.opts[-1]}`.")
    elif not option.is_flag and option.default not in (None, ()):
        facts.append(f"Default: `{option.default}`.")
    if option.envvar:
        facts.append(f"Variable: `{option.envvar}`.")
    return _line(names, " ".join(facts))


def _examples(epilog: str | None) -> list[str]:
    _, _, lines = (epilog or "").partition("Examples:\n")
    return [line.strip() for line in lines.splitlines() if line.strip()]


def _unwrapped(text: str | None) -> str:
    """Help text as paragraphs of one line each, so that it does not matter how it is broken in the source."""
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


def _sentence(text: str | None) -> str:
    return _unwrapped(text).split("\n\n", 1)[0]


def _settings() -> Iterator[str]:
    """What ``--set`` takes, for the games that come with the package; installed ones are not of this page."""
    from diplomat.games import found

    for game in found().values():
        if game.package.startswith("diplomat."):
            lines = [_setting(name, field) for name, field in game.settings.model_fields.items()]
            title = f"## Settings of `{game.id}`\n\nFor `--set KEY=VALUE` and for `[settings]` of a table file.\n\n"
            yield title + "\n".join(lines) + "\n"


def _setting(name: str, field: Any) -> str:
    default = field.get_default(call_default_factory=True)
    text = field.description or ""
    return _line(name, f"{text}." if default in ({}, None) else f"{text}. Default: `{default}`.")


def main(arguments: Sequence[str]) -> int:
    """Prints the reference as UTF-8, or writes it to :data:`TARGET`."""
    page = reference()
    if "--write" in arguments:
        TARGET.write_text(page, encoding="utf-8", newline="\n")
    else:
        sys.stdout.buffer.write(page.encode())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
