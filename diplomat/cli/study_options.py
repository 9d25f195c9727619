"""Options that the commands of ``diplomat study`` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILES...", help="Transcripts, folders of them, and annotation files, in any order."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="J",
        min=1,
        help="Processes; as many as there are processors if not given.",
        envvar="DIPLOMAT_JOBS",
        show_envvar=True,
    ),
]
StudySeed = Annotated[
    str,
    typer.Option(
        "--seed", metavar="N", help="Seed of resamples and deals.", envvar="DIPLOMAT_STUDY_SEED", show_envvar=True
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        help="Where tables, figures and models are written.",
        envvar="DIPLOMAT_STUDY_OUT",
        show_envvar=True,
    ),
]
Changed = Annotated[
    bool,
    typer.Option(
        "--changed",
        help="Study logs too that were changed after they were written.",
        envvar="DIPLOMAT_STUDY_CHANGED",
        show_envvar=True,
    ),
]
Sources = Annotated[
    str,
    typer.Option(
        "--sources",
        metavar="people,declared,model,rule",
        help="Where promises are taken from, in a list with commas; people and model are annotation files among FILES. "
        "Each message is read by the first of these that says something of it.",
        envvar="DIPLOMAT_STUDY_SOURCES",
        show_envvar=True,
    ),
]
Coder = Annotated[
    str | None,
    typer.Option(
        "--coder",
        metavar="NAME",
        help="Whose codings count where several people, or several models, coded the same game.",
        envvar="DIPLOMAT_STUDY_CODER",
        show_envvar=True,
    ),
]
Rules = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="GAME",
        help="Which game is studied; the most frequent one if not given.",
        envvar="DIPLOMAT_STUDY_GAME",
        show_envvar=True,
    ),
]
