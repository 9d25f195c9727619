"""Searches everything that anybody is shown of a game for words that were meant for others.

``python -m diplomat.testing.leaks --games 200`` plays games at which half of the seats are secretive
players and half language models that put a unique word into everything they say, plan, note or get
wrong.  Looked through are: decisions and news; every prompt; what the terminal shows to watchers and
to each seat while the game runs; ``replay`` and ``reveal`` of the log when it is half written, and
``replay --as`` of every seat and of a watcher when it is finished.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from diplomat import __version__
from diplomat.agents.base import Agent
from diplomat.agents.llm import LlmAgent
from diplomat.agents.profile import find
from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.game import Decision, Reply
from diplomat.core.proceedings import SeedSealed
from diplomat.core.texts import LANGUAGES
from diplomat.games import found
from diplomat.llm.base import Call, Completion, ProviderFault
from diplomat.table.table import Table, run
from diplomat.terminal.display import Display
from diplomat.terminal.ladder import console
from diplomat.terminal.narrator import Narrator
from diplomat.testing.canary import _WORD, Aviary, Secretive, _shown
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.pretended import Pretended, menu_of, prompt_text
from diplomat.testing.walk import AnyGame, AnyReferee, onlookers, seated
from diplomat.transcript.schema import Header, SeatEntry
from diplomat.transcript.writer import Writer

WIDTH = 2000
"""Columns of the terminals: no word is ever broken at the end of a line."""
FACES = ("honest", "backstabber", "gossip", "loyal", "avenger")
BUSY = ("decisions", "prompts", "terminal", "replay --as SEAT", "public page")
"""Channels in which words of others must be found, or nothing was tried."""
AT = "2026-01-01T00:00:00.000+00:00"


@dataclass
class Search:
    """What was looked through, and what was found in the wrong place."""

    games: int = 0
    words: int = 0
    """Unique words that were put somewhere."""
    looked: dict[str, int] = field(default_factory=dict)
    """Characters looked through, by channel."""
    arrived: dict[str, int] = field(default_factory=dict)
    """Words that stood, rightly, where somebody else than their owner reads, by channel."""
    leaks: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def look(self, aviary: Aviary, channel: str, text: str, seat: Seat | None, secret: str = "") -> None:
        """Searches one text that was shown to a seat or a watcher."""
        self.looked[channel] = self.looked.get(channel, 0) + len(text)
        for word in aviary.strangers(text, seat):
            self.leaks.append(f"{channel}: {seat or 'a watcher'} read {word} of {aviary.canaries[word].owner}")
        if secret and secret in text:
            self.leaks.append(f"{channel}: {seat or 'a watcher'} read the seed of the game")
        others = {word for word in _WORD.findall(text) if aviary.canaries[word].owner != seat}
        self.arrived[channel] = self.arrived.get(channel, 0) + len(others)

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {**vars(self), "seconds": round(self.seconds, 1)}


class Blurting:
    """A desk whose pretended models put a word into every field of every reply, the wrong ones included."""

    def __init__(self, aviary: Aviary, search: Search, seed: str) -> None:
        self._aviary, self._search, self._seed = aviary, search, seed
        self._model = Pretended(seed, talk=0.0, words=lambda call, _what: aviary.word(Seat(call.seat), ()))

    async def ask(self, endpoint: Any, call: Call) -> Completion:
        """A reply; some are illegal, some fail with a word in the fault."""
        self._search.look(self._aviary, "prompts", prompt_text(call), Seat(call.seat), self._seed)
        self._search.look(self._aviary, "schemas", json.dumps(call.schema), Seat(call.seat), self._seed)
        seat, turn = Seat(call.seat), len(self._aviary.canaries)
        if turn % 17 == 3:
            raise ProviderFault("rejected", self._aviary.word(seat, ()))
        data = self._model.reply(call)
        if turn % 11 == 5:
            key = next((key for key in ("answer", "answers") if key in data), "answer")
            data[key] = {"secret": self._aviary.word(seat, ())}
        data["say"] = list(self._said(seat, menu_of(call)))
        return Completion(json.dumps(data), thinking=self._aviary.word(seat, ()))

    def _said(self, seat: Seat, menu: Mapping[str, Any] | None) -> Iterator[dict[str, Any]]:
        """A message to each kind of room, a misspelt one, one to itself and one too long."""
        reach = [] if menu is None else [name for name in menu["window"]["to"] if name != "all"]
        if not reach:
            yield {"to": ["all"], "text": self._aviary.word(seat, (), "talk_closed")}
            return
        near, length = reach[0], menu["window"]["length"] if menu else 0
        yield {"to": [near], "text": self._aviary.word(seat, [Seat(near)])}
        for to in ([f"{near}x"], [near, "nobody at all"], ["all", near], [seat], []):
            yield {"to": to, "text": self._aviary.word(seat, (), "wrong")}
        yield {"to": [near], "text": self._aviary.word(seat, (), "too_long") + "!" * length}


class Observed:
    """Keeps every decision before the player gets it."""

    instant = False

    def __init__(self, agent: Agent, game: AnyGame, aviary: Aviary) -> None:
        self._agent, self._game, self._aviary = agent, game, aviary

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The player's own reply."""
        self._aviary.shown.append((decision.request.seat, _shown(self._game, decision)))
        return await self._agent.decide(decision)


class Screens:
    """A terminal for a watcher and for every seat, on which the game is told live."""

    def __init__(self, referee: AnyReferee, lang: str) -> None:
        self._texts: dict[Seat | None, io.StringIO] = {}
        self._displays: list[Display] = []
        for seat in onlookers(referee):
            text = self._texts[seat] = io.StringIO()
            made = console("plain", text)
            made.width = WIDTH
            narrator = Narrator(referee.game, referee.settings, referee.seats, lang, seat)
            self._displays.append(Display(made, narrator, dict.fromkeys(referee.seats, "player"), live=True))

    def hear(self, n: int, event: Any) -> None:
        """Tells an event on all of them."""
        for display in self._displays:
            display.hear(n, event)

    def texts(self) -> Iterator[tuple[Seat | None, str]]:
        """What stands on each."""
        for seat, text in self._texts.items():
            yield seat, text.getvalue()


def search(games: int, folder: Path, *, seed: str = "leaks", only: Sequence[AnyGame] = ()) -> Search:
    """Plays so many games, in turn of each game there is, and looks through all that was shown."""
    made = Search()
    began = time.monotonic()
    chosen = tuple(only) or (*found().values(), masquerade)
    for number in range(games):
        game = chosen[number % len(chosen)]
        seats = (game.seats[0], game.default_seats, min(4, game.seats[-1]))[number // len(chosen) % 3]
        _one(game, max(seats, game.seats[0]), f"{seed}-{number}", number, folder, made)
    for channel in BUSY:
        if not made.arrived.get(channel) and channel in made.looked:
            made.leaks.append(f"{channel}: not one word arrived there, so that nothing was tried")
    made.seconds = time.monotonic() - began
    return made


def _one(game: AnyGame, seats: int, seed: str, number: int, folder: Path, made: Search) -> None:
    secret, lang = f"{seed}-sealed", LANGUAGES[number // 2 % len(LANGUAGES)]
    brief = {"rounds": 2 if number % 6 == 0 else 1} if "rounds" in game.settings.model_fields else {}
    referee, aviary = seated(game, seats, secret, brief), Aviary()
    desk = Blurting(aviary, made, secret)
    players = {seat: _player(referee, seat, aviary, desk, made) for seat in referee.seats}
    screens, path = Screens(referee, lang), folder / f"{seed}.jsonl"
    writer = Writer(path, _header(referee, lang), lambda: AT)
    referee.listen(screens.hear)
    referee.listen(lambda n, event: writer.hear(n, event, {"nonce": "n"} if isinstance(event, SeedSealed) else None))
    run(Table(referee, players).play())
    writer.close()
    for shown_to, text in aviary.shown:
        made.look(aviary, "decisions", text, shown_to, secret)
    for onlooker, text in screens.texts():
        made.look(aviary, "terminal", text, onlooker, secret)
    made.games += 1
    made.words += len(aviary.canaries)
    if game.id in found():
        _commands(path, referee, aviary, made)
    path.unlink()


def _player(referee: AnyReferee, seat: Seat, aviary: Aviary, desk: Blurting, made: Search) -> Agent:
    number = referee.seats.index(seat)
    if seat in people(referee):
        return Secretive(referee.game, aviary)
    profile, lang = find(FACES[number % len(FACES)]), LANGUAGES[number // 2 % len(LANGUAGES)]
    made_of = (referee.game, seat, referee.settings, referee.seats, profile, lang, None, desk)
    level: Literal["full", "compact"] = "compact" if number == 2 else "full"
    return Observed(LlmAgent(*made_of, level=level, exact=False), referee.game, aviary)


def people(referee: AnyReferee) -> tuple[Seat, ...]:
    """The seats of secretive players; the header calls them people who did not agree to publish their words."""
    return referee.seats[1::2]


def _header(referee: AnyReferee, lang: str) -> Header:
    game = referee.game
    seats = tuple(
        SeatEntry(seat=seat, agent="person", lang=lang)
        if seat in people(referee)
        else SeatEntry(seat=seat, agent="openai:fake", model="fake", lang=lang)
        for seat in referee.seats
    )
    return Header(
        game=game.id,
        edition=game.edition,
        rules_version=game.rules_version,
        settings=referee.settings.model_dump(mode="json"),
        seats=seats,
        lang=lang,
        package=__version__,
        commitment=commitment(referee.seed, "n"),
    )


def _commands(path: Path, referee: AnyReferee, aviary: Aviary, made: Search) -> None:
    """What the command line gives away of the log, half written and finished."""
    rows = path.read_bytes().splitlines(keepends=True)
    half = path.with_name("half.jsonl")
    half.write_bytes(b"".join(rows[: len(rows) * 2 // 3]))
    for argv in (
        ["replay"],
        ["replay", "--as", "watcher"],
        ["verify"],
        *(["replay", "--as", s] for s in referee.seats),
    ):
        said = _said([argv[0], str(half), *argv[1:]])
        made.look(aviary, f"{argv[0]} of an unfinished game", said, None, referee.seed)
    for seat in onlookers(referee):
        said = _said(["replay", str(path), "--as", seat or "watcher"])
        made.look(aviary, f"replay --as {'SEAT' if seat else 'watcher'}", said, seat, referee.seed)
    page = half.with_suffix(".html")
    for log, options, channel in (
        (half, [], "page of an unfinished game"),
        (half, ["--public"], "public page of an unfinished game"),
        (path, ["--public"], "public page"),
    ):
        said = _said(["reveal", str(log), "--out", str(page), "--force", *options])
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        made.look(aviary, channel, said, None, referee.seed)
        if log is half:
            made.look(aviary, channel, text, None, referee.seed)
        if options:
            _look_for_people(aviary, channel, text, people(referee), made)
        page.unlink(missing_ok=True)
    half.unlink()


def _look_for_people(aviary: Aviary, channel: str, text: str, silent: Sequence[Seat], made: Search) -> None:
    """On a page for the public nothing stands that a person said who did not agree to it."""
    made.looked[channel] = made.looked.get(channel, 0) + len(text)
    made.arrived[channel] = made.arrived.get(channel, 0) + len(set(_WORD.findall(text)))
    for word in set(_WORD.findall(text)):
        if aviary.canaries[word].owner in silent:
            made.leaks.append(f"{channel}: it holds {word} of {aviary.canaries[word].owner}, who did not agree")


def _said(argv: Sequence[str]) -> str:
    """What a command writes to either stream."""
    from diplomat.cli import main as command

    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        command([*argv, "--display", "plain"] if argv[0] == "replay" else argv)
    return text.getvalue()


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 if a word strayed."""
    parser = argparse.ArgumentParser(prog="python -m diplomat.testing.leaks", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="leaks")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        made = search(asked.games, Path(folder), seed=asked.seed)
    sys.stdout.write(json.dumps(made.as_dict()) + "\n")
    return 1 if made.leaks else 0


if __name__ == "__main__":
    sys.exit(main())
