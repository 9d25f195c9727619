"""``diplomat balance`` and ``diplomat bench``: many games at once."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from diplomat.cli.options import AsJson, Lang, checked_lang, examples, locale_lang

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
Seed = Annotated[
    str,
    typer.Option(
        "--seed",
        metavar="N",
        help="Seed of the games; the published figures are of the default.",
        envvar="DIPLOMAT_SEED",
        show_envvar=True,
    ),
]


LLM = "llm"
"""Stands for no game: the benchmark of language models."""


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command(
        short_help="Play many games and count.",
        epilog=examples(
            "diplomat balance rokugan --games 200 --players 5", "diplomat balance rokugan --games 50 --players 3 --json"
        ),
    )(balance)
    app.command(
        short_help="Measure how strong and how true scripted players are.",
        epilog=examples("diplomat contest rokugan --games 200", "diplomat contest rokugan --games 50 --jobs 1 --json"),
    )(contest)
    app.command(
        short_help="Measure how quickly a game is played.",
        epilog=examples("diplomat bench rokugan", "diplomat bench llm --json"),
    )(bench)


def balance(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    *,
    games: Annotated[
        int,
        typer.Option("--games", metavar="N", min=1, help="How many games.", envvar="DIPLOMAT_GAMES", show_envvar=True),
    ] = 100,
    players: Annotated[
        int | None,
        typer.Option(
            "--players", metavar="K", help="Players in each game.", envvar="DIPLOMAT_PLAYERS", show_envvar=True
        ),
    ] = None,
    jobs: Jobs = None,
    seed: Seed = "2",
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Play many games between scripted players and count who wins with what."""
    import os
    import sys

    from diplomat.games import find
    from diplomat.table.seating import table_size
    from diplomat.terminal.progress import Progress

    language = checked_lang(lang, locale_lang())
    size = table_size(find(game), players, {})
    from diplomat.arena.balance import run_balance

    report = run_balance(
        game,
        games=games,
        players=size,
        jobs=jobs if jobs is not None else os.cpu_count() or 1,
        seed=seed,
        progress=Progress(sys.stderr, "games"),
    )
    _show(report, language, as_json=json)


def contest(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    *,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            min=1,
            help="How many games of each kind.",
            envvar="DIPLOMAT_GAMES",
            show_envvar=True,
        ),
    ] = 200,
    jobs: Jobs = None,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Play scripted players against random ones, and count per profile who wins and who keeps its word."""
    import os
    import sys

    from diplomat.arena.contest import run_contest
    from diplomat.games import find
    from diplomat.terminal.progress import Progress

    language = checked_lang(lang, locale_lang())
    report = run_contest(
        find(game).id, games=games, jobs=jobs or os.cpu_count() or 1, progress=Progress(sys.stderr, "games")
    )
    _show(report, language, as_json=json)


def bench(
    game: Annotated[str, typer.Argument(metavar="GAME|llm", help="The game, or llm for language models.")],
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Measure how quickly a game is played on this computer; with llm, what language models add to it.

    The latter plays against a server of its own on this machine and takes some minutes.
    """
    from diplomat.games import find

    language = checked_lang(lang, locale_lang())
    if game == LLM:
        import sys

        from diplomat.arena.bench_llm import run_llm_bench
        from diplomat.terminal.progress import Progress

        _show(run_llm_bench(progress=Progress(sys.stderr, "steps")), language, as_json=json)
        return
    find(game)
    from diplomat.arena.bench import run_bench

    _show(run_bench(game), language, as_json=json)


def _show(report: Any, lang: str, *, as_json: bool) -> None:
    """A report as JSON or as tables."""
    import sys

    from diplomat.cli.playing import print_json
    from diplomat.cli.tables import show_table
    from diplomat.terminal.ladder import console, level

    if as_json:
        print_json(report.as_dict())
        return
    out = console(level("auto", sys.stdout), sys.stdout)
    for table in report.tables(lang):
        show_table(out, table)
