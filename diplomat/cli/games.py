"""``diplomat games``: what can be played."""

from __future__ import annotations

import typer

from diplomat.cli.options import AsJson, Lang, checked_lang, examples, locale_lang


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(short_help="List the games.", epilog=examples("diplomat games", "diplomat games --json"))(games)


def games(lang: Lang = None, json: AsJson = False) -> None:
    """List the games that can be played here; one that is installed but broken is named on stderr."""
    from diplomat.cli.playing import print_json
    from diplomat.cli.reading import warn
    from diplomat.games import found, unusable
    from diplomat.terminal.safe import safe

    language = checked_lang(lang, locale_lang())
    rows = [
        {
            "id": game.id,
            "title": game.title(language),
            "edition": game.edition,
            "seats": [game.seats[0], game.seats[-1]],
            "roles": list(game.roles),
            "players": sorted(["random", *game.bots]),
        }
        for game in found().values()
    ]
    if json:
        print_json(rows)
    else:
        for row in rows:
            least, most = row["seats"]
            typer.echo(safe(f"{row['id']:<12} {least}–{most}  {row['title']}").plain)
    for fault in unusable():
        warn(str(fault))
