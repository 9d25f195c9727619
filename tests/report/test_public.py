"""A page for the public: words without consent left out and counted, names replaced, nothing that leads back."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from diplomat.cli.reveal import page_of
from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.proceedings import DefaultExplained, MessageReturned, MessageSent, NoteSealed, PlanSealed
from diplomat.report.public import agreed, in_play, is_person, publish
from diplomat.report.scrub import Scrub
from diplomat.transcript.reader import Transcript, read
from diplomat.transcript.schema import Line, SeatEntry

MARKS = {kind: f"[{kind}]" for kind in Scrub.KINDS}
ANN = SeatEntry(seat="s1", agent="human:ann.lee", lang="en")
BEN = SeatEntry(seat="s2", agent="human:ben", lang="en")
MODEL = SeatEntry(seat="s3", agent="openai:acme/quill-4o", model="acme/quill-4o", profile="honest", lang="en")
TWIN = SeatEntry(seat="s4", agent="openai:acme/quill-4o", model="acme/quill-4o", profile="honest", lang="en")
BOT = SeatEntry(seat="s5", agent="scripted", profile="/home/ann/secret_style.toml", lang="en")
WORDS = "I, Ann Lee (ann@lee.example), run Quill from /home/ann/games, see https://lee.example/x?k=1; Anna knows."


@pytest.fixture(scope="module")
def game(talked: Transcript) -> Transcript:
    """The talkers' game under other names, with telltale words of every seat."""
    options: dict[str, Any] = {"consent": {"s1": True}, "names": {"s1": "Ann Lee", "s2": "Ben"}}
    header = talked.header.model_copy(update={"seats": (ANN, BEN, MODEL, TWIN, BOT), "options": options})
    return replace(talked, header=header, lines=tuple(_telltale(line) for line in talked.lines))


def _telltale(line: Line) -> Line:
    event = line.event
    who = getattr(event, "sender", None) or getattr(event, "seat", None)
    text = f"{WORDS} canary-{who} {line.n}"
    if isinstance(event, (MessageSent, MessageReturned, NoteSealed)):
        return replace(line, event=replace(event, text=text), meta={"latency": "meta-canary"}, at="2026-11-30T12:00:07")
    if isinstance(event, PlanSealed):
        return replace(line, event=replace(event, plan=replace(event.plan, text=text)))
    if isinstance(event, DefaultExplained):
        return replace(line, event=replace(event, problem=Problem("x", {"why": text})))
    return line


@pytest.fixture(scope="module", params=["en", "ru"])
def page(request: pytest.FixtureRequest, game: Transcript) -> str:
    return page_of(game, request.param, public=True, hide=("Anna",))


def test_nothing_leads_back_to_who_played(page: str, game: Transcript) -> None:
    for secret in ("Ann", "Lee", "Ben", "quill", "acme", "openai", "secret_style", "/home", "lee.example", "Anna"):
        assert not re.search(rf"\b{re.escape(secret)}\b", page, re.IGNORECASE), secret
    for secret in ("meta-canary", "12:00", "2026-11-30", game.header.commitment, "salt"):
        assert secret not in page, secret
    assert 'id="check"' in page
    assert "<code>" not in page, "seed and commitment join a page with its log"


def test_words_without_consent_are_left_out_and_counted(page: str, game: Transcript) -> None:
    assert "canary-s2" not in page
    for seat in ("s1", "s3", "s4", "s5"):
        assert f"canary-{seat}" in page
    _, removed = publish(game, "en")
    lost = [line.event for line in game.lines if isinstance(line.event, MessageSent) and line.event.sender == "s2"]
    assert removed.silent == ("s2",)
    assert removed.counts["messages"] == len(lost) > 0
    assert removed.counts["notes"] > 0
    assert removed.counts["plans"] > 0
    assert f">messages without consent: {len(lost)}<" in page or f">сообщений без согласия: {len(lost)}<" in page


def test_the_same_player_has_the_same_new_name(game: Transcript) -> None:
    opened, _ = publish(game, "en")
    assert [entry.agent for entry in opened.header.seats] == ["Player A", "Player B", "Model A", "Model A", "Program A"]
    assert all(entry.profile is None and entry.model is None for entry in opened.header.seats)
    assert publish(game, "en") == publish(game, "en")


def test_promises_of_people_without_consent_are_not_counted(game: Transcript) -> None:
    opened, _ = publish(game, "en")
    silent = [line.event for line in opened.lines if isinstance(line.event, MessageSent) and line.event.sender == "s2"]
    assert silent
    assert not any(message.pledges for message in silent)


@pytest.mark.parametrize(
    ("consent", "entry", "may"),
    [
        ({}, ANN, False),
        ({"consent": {"s1": True}}, ANN, True),
        ({"consent": {"s1": "yes"}}, ANN, False),
        ({"consent": ["s2"]}, ANN, False),
        ({"consent": ["s1"]}, ANN, True),
        ({"consent": True}, ANN, False),
        ({}, MODEL, True),
        ({}, BOT, True),
        ({}, SeatEntry(seat="s1", agent="web"), False),
        ({"consent": {"s1": True}}, ANN.model_copy(update={"consent": False}), False),
        ({"consent": {"s1": False}}, ANN.model_copy(update={"consent": True}), True),
    ],
)
def test_only_a_plain_yes_is_consent(talked: Transcript, consent: dict[str, Any], entry: SeatEntry, may: bool) -> None:
    assert agreed(talked.header.model_copy(update={"options": consent}), entry) is may


def test_a_seats_own_consent_and_name_are_read_from_the_log_and_go_first(game: Transcript, tmp_path: Path) -> None:
    rows = game.path.read_text(encoding="utf-8").splitlines()
    header = json.loads(rows[0])
    header["seats"][0] |= {"agent": "web", "profile": None, "consent": False, "name": "Anna Schmidt"}
    header["options"] = {"consent": {"s1": True}}
    path = tmp_path / "hosted.jsonl"
    path.write_text("\n".join([json.dumps(header), *rows[1:]]) + "\n", encoding="utf-8")
    log = read(path)
    lines = tuple(
        replace(line, event=replace(line.event, text="ANNA_Schmidt and Schmidts plan"))
        if isinstance(line.event, MessageSent)
        else line
        for line in log.lines
    )
    opened, removed = publish(replace(log, lines=lines), "en")
    assert removed.silent == ("s1",)
    said = {line.event.sender: line.event.text for line in opened.lines if isinstance(line.event, MessageSent)}
    assert said.pop(Seat("s1")) == "[left out: no consent to publish]"
    assert set(said.values()) == {"Player A and Player A plan"}


def test_consent_and_names_are_in_no_log_that_this_program_writes() -> None:
    entry = ANN.model_copy(update={"consent": True, "name": "Ann Lee"})
    assert entry.model_dump(mode="json") == ANN.model_dump(mode="json")
    assert not {"consent", "name"} & ANN.model_dump(mode="json").keys()


@pytest.mark.parametrize("no", [{"own": False}, {"listed": False}])
def test_a_no_in_the_log_cannot_be_overruled(game: Transcript, no: dict[str, bool]) -> None:
    seats = tuple(
        entry.model_copy(update={"agent": "web", "model": None, "consent": no.get("own")})
        for entry in game.header.seats
    )
    options = {"consent": {entry.seat: no["listed"] for entry in seats}} if "listed" in no else {}
    header = game.header.model_copy(update={"seats": seats, "options": options})
    _, removed = publish(replace(game, header=header), "en", consent=[entry.seat for entry in seats])
    assert removed.silent == game.seats


def test_consent_can_be_told_without_the_log(game: Transcript) -> None:
    opened, removed = publish(game, "en", consent=("s2",))
    assert removed.silent == ()
    assert any("canary-s2" in line.event.text for line in opened.lines if isinstance(line.event, MessageSent))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ANNA_Schmidt, Schmidts and Anna's", "P, P and P's"),
        ("@annaschmidt, anna.schmidt99, AnnaSchmidt", "@P, P99, P"),
        ("Anna\nSchmidt; Schmidtchen, Hanna, Susanna", "P; Schmidtchen, Hanna, Susanna"),
        ("Писал_Ивану, Ивановское", "Писал_P, Ивановское"),
    ],
)
def test_names_glued_or_inflected_are_replaced_and_longer_words_are_not(text: str, left: str) -> None:
    names = dict.fromkeys(("Anna Schmidt", "Anna", "Schmidt", "Иван"), "P")
    assert Scrub(names, MARKS, Counter())(text) == left


def test_who_is_a_person() -> None:
    assert [is_person(entry) for entry in (ANN, BEN, MODEL, TWIN, BOT)] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("mail a.b+c@d-e.org now", "mail [mail] now"),
        ("in ~/notes/x.txt and C:\\Users\\Ann\\x", "in [path] and [path]"),
        ("/home/ann/log.jsonl:3", "[path]:3"),
        ("see https://x.example/a?b=c, ok", "see [link] ok"),
        ("at 192.168.0.7:8000", "at [address]"),
        ("key sk-abcdefgh12345678", "key [key]"),
        ("Quill here, quill-4o indeed; quilled", "M here, M indeed; quilled"),
        ("Анне и Анны не было, а Аннушка была", "P и P не было, а Аннушка была"),
        ("win 1/2 or and/or 3.5 of 1.2.3", "win 1/2 or and/or 3.5 of 1.2.3"),
        ("Attack s2 in rounds 1-2!", "Attack s2 in rounds 1-2!"),
    ],
)
def test_free_text_is_scrubbed_and_the_rest_is_left_alone(text: str, left: str) -> None:
    assert Scrub({"acme/quill-4o": "M", "quill-4o": "M", "Анна": "P"}, MARKS, Counter())(text) == left


def test_a_game_in_play_shows_a_watcher_nothing_secret(game: Transcript) -> None:
    """Canary: no private message, plan, note or sealed event is anywhere on the page of an unfinished game."""
    cut = replace(game, lines=game.lines[: len(game.lines) * 2 // 3])
    page = page_of(cut, "en", watching=True)
    private = [line for line in cut.lines if not line.event.audience().includes(None)]
    canaries = [
        f"canary-{getattr(line.event, 'sender', '') or getattr(line.event, 'seat', '')} {line.n}" for line in private
    ]
    assert any(f" {line.n}" in canary for line, canary in zip(private, canaries, strict=True))
    for canary in canaries:
        assert not re.search(rf"{canary}\b", page), canary
    assert re.search(r"canary-s\d \d+", page), "what was said to the whole table stands there"
    assert "still going on" in page
    assert 'id="diaries"' not in page
    assert "What was meant stays sealed" in page
    assert "no plan" not in page, "there are plans; they are only not shown"
    assert game.lines[0].event.__class__.__name__ == "SeedSealed"
    assert "<dt>seed</dt>" not in page
    assert len(in_play(cut).lines) + len(private) == len(cut.lines)
    assert re.search(rf"{canaries[-1]}\b", page_of(cut, "en")) or "canary" in page_of(cut, "en")
