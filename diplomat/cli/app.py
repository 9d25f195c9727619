"""All commands together, and the one place where errors become a line and an exit code.

0 done, 1 failed, 2 wrong usage, 3 stopped by the budget, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

import typer

import diplomat
from diplomat.cli import (
    annotate,
    arena,
    diff,
    doctor,
    fork,
    games,
    logs,
    models,
    play,
    profiles,
    replay,
    resume,
    reveal,
    rules,
    study,
    verify,
)
from diplomat.cli.leaving import INTERRUPTED, Interrupted
from diplomat.core.errors import BudgetSpent, DiplomatError, UsageError
from diplomat.core.talk import clean
from diplomat.terminal.legible import make_legible

DEBUG = "DIPLOMAT_DEBUG"
USAGE = 2
SPENT = 3

app = typer.Typer(
    name="diplomat",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nExamples:\n  diplomat play\n  diplomat replay game.jsonl --as crab",
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"diplomat {diplomat.__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and leave."
    ),
) -> None:
    """Language models, scripted players and people negotiate and play strategy games."""


for family in (play, resume, replay, reveal, verify, fork, diff, annotate, arena, games, rules, doctor):
    family.register(app)
app.add_typer(profiles.app, name="profiles")
app.add_typer(models.app, name="models")
app.add_typer(study.app, name="study")
app.add_typer(logs.app, name="log")


def run(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; every error is one line on stderr."""
    make_legible(sys.stdout, sys.stderr)
    try:
        code = app(args=None if argv is None else list(argv), prog_name="diplomat", standalone_mode=False)
        sys.stdout.flush()
    except DiplomatError as fault:
        return _complain(str(fault), _code(fault))
    except Interrupted:
        return INTERRUPTED
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        return _hang_up()
    except Exception as fault:  # noqa: BLE001 — a bug is one line too; DIPLOMAT_DEBUG shows where it is
        return _unexpected(fault)
    if code == INTERRUPTED:  # typer makes an exit code of Ctrl-C, without a word
        return _complain("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _code(fault: DiplomatError) -> int:
    if isinstance(fault, UsageError):
        return USAGE
    return SPENT if isinstance(fault, BudgetSpent) else 1


def _complain(text: str, code: int) -> int:
    """One line, without anything that could steer a terminal."""
    with contextlib.suppress(BrokenPipeError):
        sys.stderr.write(f"diplomat: {' '.join(clean(text).split())}\n")
        sys.stderr.flush()
    return code


def _unexpected(fault: Exception) -> int:
    """A usage error of the command line itself, or a bug; locals are never shown."""
    if hasattr(fault, "format_message"):
        if type(fault).__name__ == "NoArgsIsHelpError":
            typer.echo(fault.format_message(), err=True)
            return USAGE
        command = getattr(getattr(fault, "ctx", None), "command_path", "diplomat")
        return _complain(f"{fault.format_message()} (try: {command} --help)", getattr(fault, "exit_code", USAGE))
    if os.environ.get(DEBUG):
        raise fault
    return _complain(f"unexpected {type(fault).__name__}: {fault}; set {DEBUG}=1 for the traceback", 1)


def _hang_up() -> int:
    """The reader of stdout went away: nothing more to say, and no complaint at exit either."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
