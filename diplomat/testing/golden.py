"""Golden play-throughs: a short random game as each seat is asked it, in words, kept as a file.

``python -m diplomat.testing.golden`` compares, ``--write`` writes them anew.  A second part lists
who sees events of each kind, so that nobody widens an audience without seeing it in a review.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event, kind_of
from diplomat.core.plain import canonical
from diplomat.core.proceedings import AnswerGiven
from diplomat.core.requests import Question
from diplomat.testing.walk import AnyGame, AnyReferee, begun, onlookers, play_out, walk

FOLDER = Path("tests/golden")
SEED = "golden"
LANG = "en"
LOOKED_AT = 6
"""Random games from which the list of audiences is made."""


def file_name(game: AnyGame) -> str:
    """The name of a game's golden file."""
    return f"{game.id}_{game.seats[0]}p.txt"


def playthrough(game: AnyGame) -> str:
    """The golden text of a game: audiences, then the smallest table's random game question by question."""
    settings = game.brief
    referee = begun(game, game.seats[0], SEED, settings)
    lines = [
        f"# {game.id}, edition {game.edition}, rules version {game.rules_version}",
        f"# seats {' '.join(referee.seats)}, seed {SEED!r}, settings {canonical(settings)}, random answers",
        "# Written by: python -m diplomat.testing.golden --write",
        "",
        "== Who sees what",
        *(f"   {kind}: {who}" for kind, who in audiences(game).items()),
        "",
        *_game(referee),
    ]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def _game(referee: AnyReferee) -> Iterator[str]:
    side = referee.game.side
    read: dict[Seat | None, int] = dict.fromkeys(onlookers(referee), 0)
    described: set[tuple[Seat, str]] = set()
    for request, question in walk(referee, limit=1000):
        seat = request.seat
        yield from _answered(referee)
        yield f"== {request.id}: {seat} {request.form} ({request.kind})"
        yield f"   news: {_news(referee, seat, read)}"
        if (seat, request.form) not in described:
            described.add((seat, request.form))
            yield from _indented("|", side.text(referee.known(seat), LANG))
        yield from _indented("?", side.ask(referee.known(seat), request, LANG))
        yield from _question(question)
    yield from _answered(referee)
    yield "== The end"
    for onlooker in onlookers(referee):
        yield f"   news of {onlooker or 'the watcher'}: {_news(referee, onlooker, read)}"
    yield from _indented("|", side.text(referee.known(None), LANG))
    outcome = referee.outcome()
    assert outcome is not None
    yield f"   winners: {', '.join(outcome.winners)}; scores: {canonical(outcome.scores)}"


def _answered(referee: AnyReferee) -> Iterator[str]:
    """The last answer, if there is one."""
    last = next((event for event in reversed(referee.log) if isinstance(event, AnswerGiven)), None)
    if last is not None:
        yield f"   answer: {canonical(last.answer)}"
        yield ""


def _question(question: Question) -> Iterator[str]:
    only = question.menu.single()
    yield f"   default: {canonical(question.default)}" + ("" if only is None else " (nothing else is legal)")


def _news(referee: AnyReferee, seat: Seat | None, read: dict[Seat | None, int]) -> str:
    """The kinds of event a seat saw since it was last looked at, runs of one kind counted."""
    kinds = [kind_of(type(event)) for event in referee.seen(seat, read[seat])]
    read[seat] = referee.seen_count(seat)
    runs: list[tuple[str, int]] = []
    for kind in kinds:
        if runs and runs[-1][0] == kind:
            runs[-1] = kind, runs[-1][1] + 1
        else:
            runs.append((kind, 1))
    return ", ".join(kind if count == 1 else f"{kind} ×{count}" for kind, count in runs) or "none"


def _indented(mark: str, text: str) -> Iterator[str]:
    return (f"   {mark} {line}" for line in text.splitlines())


def audiences(game: AnyGame) -> Mapping[str, str]:
    """Who sees events of each kind, as random games show it."""
    found: dict[str, set[str]] = {kind_of(cls): set() for cls in game.events}
    sizes = (game.seats[0], game.default_seats)
    for number in range(LOOKED_AT):
        for event in play_out(begun(game, sizes[number % 2], f"{SEED}/{number}")).log:
            if (kind := kind_of(type(event))) in found:
                found[kind].add(_who(event))
    return {kind: " or ".join(sorted(who)) or "did not happen" for kind, who in found.items()}


def _who(event: Event) -> str:
    seats = event.audience().seats
    if seats is None:
        return "everyone"
    if not seats:
        return "nobody"
    own: Any = getattr(event, "seat", None)
    return "its seat" if seats == {own} else "some seats"


def differences(game: AnyGame, folder: Path = FOLDER) -> str:
    """A unified diff from the golden file to what the game gives now; empty when they agree."""
    path = folder / file_name(game)
    if not path.is_file():
        return f"there is no {path}; write it with: python -m diplomat.testing.golden --write"
    old, new = path.read_text(encoding="utf-8"), playthrough(game)
    return "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), str(path), "now", lineterm="", n=2))


def check_golden(game: AnyGame, folder: Path = FOLDER) -> None:
    """The golden file is there and says what the game gives."""
    found = differences(game, folder)
    shown = "\n".join(found.splitlines()[:60])
    assert not found, f"{shown}\nIf this is meant: python -m diplomat.testing.golden --write"


def main(arguments: Sequence[str], folder: Path = FOLDER) -> int:
    """Compares the golden files of all games, or writes them; 1 when something differs."""
    from diplomat.games import found
    from diplomat.testing.masquerade import game as masquerade

    worst = 0
    for game in (*found().values(), masquerade):
        if "--write" in arguments:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / file_name(game)).write_text(playthrough(game), encoding="utf-8")
            sys.stdout.write(f"{folder / file_name(game)}\n")
        elif differing := differences(game, folder):
            sys.stdout.write(differing + "\n")
            worst = 1
    return worst


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
