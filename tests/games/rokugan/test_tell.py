"""Rokugan in words: every event told, both languages whole, no secret in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from diplomat.core import proceedings as table
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.requests import Request
from diplomat.core.texts import LANGUAGES
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan import game
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Control, Laid, evolve, new_board
from diplomat.games.rokugan.content import kind, tokens
from diplomat.games.rokugan.events import EVENTS, Part, Total, TurnedUp
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.settings import Settings
from diplomat.games.rokugan.tell import UNTOLD
from diplomat.games.rokugan.verbs import VERBS
from diplomat.games.rokugan.wording import plural, words
from diplomat.session import prepare
from diplomat.table.table import finish

A, B = Seat("s1"), Seat("s2")


def watcher(*clans: str, **board: Any) -> Known:
    """A watcher of a table where these clans sit, with fields of the board set."""
    seats = tuple(Seat(f"s{n}") for n in range(1, len(clans) + 1))
    start = new_board(seats, 5, 2)
    fields = {"clans": dict(zip(seats, clans, strict=True)), "first": seats[0], "phase": "place", "round": 2}
    return Known(None, replace(start, **{**fields, **board}), Settings())


def tell(event: Event, known: Known, lang: str) -> str:
    told = game.story.tell(event, known, lang)
    assert told is not None
    assert "{" not in told
    return told


# --- names and grammar -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "form"),
    [(0, 2), (1, 0), (2, 1), (4, 1), (5, 2), (11, 2), (12, 2), (14, 2), (21, 0), (22, 1), (25, 2), (111, 2), (121, 0)],
)
def test_russian_plural(number: int, form: int) -> None:
    assert plural(number, "ru") == form


def test_names_are_clans_once_they_are_known() -> None:
    nobody = Known(None, new_board((A, B), 5, 2), Settings())
    assert game.story.names(nobody, "ru") == {"s1": "s1", "s2": "s2"}
    known = watcher("lion", "crane")
    assert game.story.names(known, "ru") == {"s1": "Лев", "s2": "Журавль"}
    assert game.story.names(known, "en") == {"s1": "Lion", "s2": "Crane"}


def goal(verb: str, first: int = 2, last: int = 2, **args: str) -> Goal:
    return Goal(verb, A, first, last, args)


GOALS = (
    (
        goal("not_attack", 2, 4, target="s2"),
        "Lion does not attack Crane in rounds 2 to 4",
        "Лев не атакует Журавля в раундах 2–4",
    ),
    (goal("attack", target="s2"), "Lion attacks Crane in round 2", "Лев атакует Журавля в раунде 2"),
    (goal("attack", province="hida"), "Lion attacks Hida in round 2", "Лев атакует провинцию Хида в раунде 2"),
    (
        goal("share_territory", territory="crane", target="s2"),
        "Lion leaves Crane's provinces in the Crane lands alone in round 2",
        "Лев не трогает провинции Журавля на территории «Земли Журавля» в раунде 2",
    ),
)


@pytest.mark.parametrize(("made", "english", "russian"), GOALS)
def test_a_promise_in_words(made: Goal, english: str, russian: str) -> None:
    known = watcher("lion", "crane")
    for lang, wanted in (("en", english), ("ru", russian)):
        assert game.pledges.text(made, game.texts(lang), game.story.names(known, lang)) == wanted


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_verb_has_words_for_every_argument(lang: str) -> None:
    values = {"target": "s2", "province": "hida", "territory": "crab"}
    names = game.story.names(watcher("lion", "crane"), lang)
    for verb, rule in VERBS.items():
        for group in product(*(group.split("|") for group in rule.args)):
            made = Goal(verb, A, 2, 2, {name: values[name] for name in group})
            told = game.pledges.text(made, game.texts(lang), names)
            assert not re.search(r"[{}\[\]]|goal\.|hida|crab\b|s[12]\b", told), told


# --- events ------------------------------------------------------------------------------------

HALL = {
    "control": {"hida": Control(A, 1, 1), "kakita": Control(B)},
    "cards": dict.fromkeys(atlas().territories, "battle_cry"),
    "tokens": {"t1": Laid("t1", A, "hida"), "t2": Laid("t2", B, "kaiu>hida")},
    "faceup": (TurnedUp("t1", A, "hida", "army-3"), TurnedUp("t2", B, "kaiu>hida", "army-4")),
}
CRAB = Total(A, 6, (Part("base", 2), Part("faceup", 1), Part("t1", 3)))
CRANE = Total(B, 5, (Part("t2", 4), Part("crane", 1)))
FAULT = Problem("stale")
SAMPLES: tuple[Event, ...] = (
    ev.ClanTaken(A, "crab"),
    ev.TerritoryCardLaid("crab", "battle_cry"),
    ev.FirstPlayerDrawn(A),
    ev.ControlPlaced(A, "kaiu"),
    ev.ObjectiveDealt(A, "siege"),
    ev.PoolShuffled(A, ("army-1",)),
    ev.RoundBegan(3, A),
    ev.TokensDrawn(A, ("army-1", "raid", "army-1")),
    ev.HandGrew(A, 3),
    ev.TalkTurnTaken(A),
    ev.TalkWaveEnded(1, 2, last=True),
    ev.PreparationSealed(A, ("crab",), "army-1"),
    ev.SeatReady(A),
    ev.CardPlayed(A, "crab", "battle_cry"),
    ev.TokenExchanged(A, "army-1", "raid"),
    ev.ExchangeMade(A),
    ev.PlacementBegan(3),
    ev.TokenLaid(A, "t3", "sea>yasuki"),
    ev.TokenChosen(A, "t3", "navy-2"),
    ev.BlessingLaid(A, "t1", "blessing-2"),
    ev.TokenLooked(A, "t2"),
    ev.TokenSeen(A, "t2", "army-4"),
    ev.TurnPassedTo(A),
    ev.PlacementPassed(A),
    ev.TokensTurnedUp(3, (TurnedUp("t1", A, "hida", "army-3", ("blessing-2",)),)),
    ev.BluffsRemoved(("t1", "t2")),
    ev.ProvinceScorched("hida", (B, A), A, ("t1", "t2")),
    ev.PeaceMade("hida", A, ("t1", "t2")),
    ev.BattleFought("hida", CRAB, (CRANE,), None),
    ev.TerritoryCardTaken(A, "crab", "battle_cry"),
    ev.MapCleared(3),
    ev.ObjectiveRevealed(A, "siege", met=True),
    ev.SeatScored(A, 7, 2, 5, 5, 19, 6),
    ev.GameWon((A,)),
    table.SeedSealed("1"),
    table.DiceChanged("2"),
    table.MessageSent("m", A, ("all",), "hello"),
    table.MessageReturned(A, ("s9",), "hello", FAULT),
    table.PledgeReturned(A, "m", Pledge("promise"), FAULT),
    table.PlanSealed(A, "r", Plan()),
    table.PlanReturned(A, "r", FAULT),
    table.NoteSealed(A, "r", "note"),
    table.NoteReturned(A, "r", FAULT),
    table.AnswerRefused(A, "r", {}, FAULT),
    table.AnswerGiven(A, "r", {}),
    table.Defaulted(A, "r"),
    table.DefaultExplained(A, "r", FAULT),
    table.GameOpened((A,), {}),
)


def hall() -> Known:
    """A board on which every sample can be told."""
    known = watcher("crab", "crane", **HALL)
    return replace(known, board=evolve(known.board, ev.SeatScored(A, 7, 2, 5, 5, 19, 6)))


def test_there_is_a_sample_of_every_event() -> None:
    assert [type(event) for event in SAMPLES] == [*EVENTS, *table.PROCEEDINGS]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_every_event_is_told_or_deliberately_not(event: Event, lang: str) -> None:
    told = game.story.tell(event, hall(), lang)
    assert (told is None) == (type(event) in UNTOLD)
    if told is not None:
        assert not re.search(r"[{}\[\]\n]|\b(event|problem|battle|noun|table|place|effect)\.\w", told)
        assert told[0].isupper() or told[0] in "(s"
        assert lang != "ru" or not re.search(r"[A-Za-z]", re.sub(r"\b[ts]\d+\b", "", told)), told


def test_a_battle_shows_its_arithmetic() -> None:
    battle = ev.BattleFought("hida", CRAB, (CRANE,), None)
    assert tell(battle, hall(), "en") == (
        "Battle for Hida: Crab defends 2 (land) + 1 (faceup) + 3 (army 3) = 6; "
        "Crane attacks 4 (army 4) + 1 (Crane's zeal) = 5. Crab holds and adds a faceup control token."
    )
    assert tell(battle, hall(), "ru") == (
        "Битва за провинцию Хида: защита Краба — 2 (базовая) + 1 (открытый жетон) + 3 (армия 3) = 6; "
        "атака Журавля — 4 (армия 4) + 1 (натиск Журавля) = 5. "
        "Краб удерживает провинцию и кладёт открытый жетон контроля."
    )


def test_a_battle_over_nobodys_land_and_a_tie() -> None:
    faceup = (TurnedUp("t1", A, "sea>silk", "navy-2"), TurnedUp("t2", B, "sea>silk", "navy-1", ("blessing-2",)))
    known = watcher("crab", "phoenix", faceup=faceup)
    attacks = (Total(A, 4, (Part("t1", 2), Part("battle_cry", 2))), Total(B, 4, (Part("t2", 4),)))
    battle = ev.BattleFought("silk", Total(None, 0, ()), attacks, None)
    assert tell(battle, known, "en") == (
        "Battle for Silk Isle: nobody's land defends 0; Crab attacks 2 (navy 2) + 2 (Battle Cry) = 4; "
        "Phoenix attacks 4 (navy 1, blessing 2, Phoenix +1). "
        "The strongest attackers tie, so the province stays nobody's."
    )
    won = replace(battle, winner=A)
    assert tell(won, known, "ru").endswith("4 (флот 1, благословение 2, Феникс +1). Краб занимает провинцию.")


def test_lions_bluff_and_the_loser_are_named() -> None:
    faceup = (TurnedUp("t1", A, "akodo", "bluff"), TurnedUp("t2", B, "toshi_ranbo>akodo", "army-5"))
    known = watcher("lion", "unicorn", faceup=faceup)
    defence = Total(A, 4, (Part("base", 2), Part("t1", 2)))
    battle = ev.BattleFought("akodo", defence, (Total(B, 5, (Part("t2", 5),)),), B)
    assert "2 (Lion's bluff) = 4" in tell(battle, known, "en")
    assert tell(battle, known, "ru").endswith("Единорог отбирает провинцию у Льва.")
    assert "2 (блеф Льва) = 4" in tell(battle, known, "ru")


def test_a_laid_token_is_told_without_its_face_and_then_with_it() -> None:
    known = watcher("lion", "crane")
    laid = ev.TokenLaid(A, "t1", "hida>kaiu")
    assert tell(laid, known, "en") == "Lion lays a token on the border Hida → Kaiu."
    assert tell(laid, known, "ru") == "Лев кладёт жетон на границу Хида → Кайу."
    assert tell(ev.TokenChosen(A, "t1", "army-3"), known, "en") == "(it is army 3)"
    assert tell(ev.TokenChosen(A, "t1", "bluff"), known, "en") == "(it is the bluff)"


def test_the_owner_is_told_once_of_a_draw() -> None:
    known = replace(watcher("dragon", "crane"), seat=A)
    assert game.story.tell(ev.HandGrew(A, 3), known, "en") is None
    assert game.story.tell(ev.ExchangeMade(A), known, "en") is None
    assert tell(ev.HandGrew(B, 1), known, "ru") == "Журавль берёт из запаса 1 жетон."


def test_a_raid_by_two_names_both() -> None:
    told = tell(ev.ProvinceScorched("hida", (B, A), A, ("t1", "t2")), hall(), "ru")
    assert told.startswith("Набег Журавля и Краба: провинция Хида выжжена")
    assert told.endswith("Краб её теряет. Также в сброс — Краб: армия 3 (Хида); Журавль: армия 4 (Кайу → Хида).")


@pytest.mark.parametrize(
    ("provinces", "winners", "english", "russian"),
    [
        (5, (A,), "wins with 19 honor. Honor is tied; more provinces decide.", "решает число провинций."),
        (6, (A,), "wins with 19 honor. Honor and provinces are tied; more flowers decide.", "решают цветы чести."),
        (6, (A, B), "and Crane share the victory with 19 honor each: the game is a draw.", "считается ничьей."),
    ],
)
def test_the_end_says_what_broke_a_tie(provinces: int, winners: tuple[Seat, ...], english: str, russian: str) -> None:
    board = watcher("crab", "crane").board
    for seat, count in ((A, 6), (B, provinces)):
        board = evolve(board, ev.SeatScored(seat, 9, 5, 5, 0, 19, count))
    known = replace(watcher("crab", "crane"), board=board)
    assert tell(ev.GameWon(winners), known, "en") == f"Crab {english}"
    assert tell(ev.GameWon(winners), known, "ru").endswith(russian)


# --- whole games -------------------------------------------------------------------------------


@cache
def played(seed: int) -> tuple[Any, tuple[Event, ...]]:
    """A random game: its session and its log."""
    session = prepare("rokugan", {f"s{n + 1}": "random" for n in range(2 + seed % 4)}, seed=seed)
    room = session.table()
    finish(room.play())
    return session, tuple(room.referee.log)


def steps(seed: int, seat: Seat | None) -> Iterator[tuple[Known, Event]]:
    """Every event a viewer may see, with what it knew just before."""
    session, log = played(seed)
    known = game.side.unknown(session.settings, session.seats, seat)
    for event in log:
        if event.audience().includes(seat):
            yield known, event
            known = game.side.learn(known, [event])


def asked(seed: int) -> Iterator[tuple[Request, Known]]:
    """Every question of a game with what its seat knew."""
    session, log = played(seed)
    state = game.rules.initial(session.settings, session.seats)
    known = {seat: game.side.unknown(session.settings, session.seats, seat) for seat in session.seats}
    for event in log:
        if isinstance(event, table.AnswerGiven):
            open_now = {request.id: request for request in game.rules.requests(state)}
            yield open_now[event.request], known[event.seat]
        state = game.rules.evolve(state, event)
        for seat in session.seats:
            if event.audience().includes(seat):
                known[seat] = game.side.learn(known[seat], [event])


@pytest.mark.parametrize("seed", range(20))
def test_random_games_are_told_and_shown_to_everybody(seed: int) -> None:
    session, _ = played(seed)
    for seat in (None, *session.seats):
        for number, (known, event) in enumerate(steps(seed, seat)):
            for lang in LANGUAGES:
                told = game.story.tell(event, known, lang)
                assert told is None or "{" not in told
                if number % 40 == seed:
                    assert "{" not in game.side.text(known, lang)


@pytest.mark.parametrize("seed", range(20))
def test_every_question_of_a_random_game_is_asked(seed: int) -> None:
    forms = set()
    for request, known in asked(seed):
        forms.add(request.form)
        for lang in LANGUAGES:
            words_asked = game.side.ask(known, request, lang)
            assert "{" not in words_asked
            assert "ask." not in words_asked
    assert forms == {"settle", "talk", "prepare", "place"}


def token_block(shown: str, lang: str) -> str:
    """The lines about tokens on the map."""
    heading = words(lang).say("text.tokens")
    return next(block for block in shown.split("\n\n") if block.startswith(heading))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_watcher_reads_no_hidden_face(lang: str) -> None:
    w = words(lang)
    for known, event in steps(3, None):
        if not isinstance(event, ev.TokensTurnedUp):
            continue
        shown = game.side.text(known, lang)
        marks = token_block(shown, lang)
        assert marks.count(w.say("text.facedown")) == len(known.board.tokens)
        names = [w.face(face) for face in tokens() if kind(face) != "blessing"]
        assert not [name for name in names if name in marks]
        assert w.say("text.hand").split(":")[0] not in shown
        assert w.say("text.objective").split("{")[0] not in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_seat_reads_its_own_secrets_and_no_others(lang: str) -> None:
    w = words(lang)
    for known, event in steps(3, A):
        if isinstance(event, ev.TokensTurnedUp):
            shown = game.side.text(known, lang)
            others = [laid for laid in known.board.tokens.values() if laid.seat != A and laid.id not in known.faces]
            assert token_block(shown, lang).count(w.say("text.facedown")) == len(others)
            assert all(f"[{face}]" in shown or face == w.face(face) for face in known.hand)
            assert known.objective is not None
            assert w.objective(known.objective) in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_view_names_every_province_with_its_id(lang: str) -> None:
    shown = game.side.text(hall(), lang)
    for province in atlas().provinces.values():
        assert f"- {getattr(province, lang)} [{province.id}]: " in shown


def test_the_view_before_clans_are_known() -> None:
    nobody = Known(A, new_board((A, B), 5, 2), Settings())
    assert "You are s1 (s1)." in game.side.text(nobody, "en")


def test_dragon_and_scorpion_are_asked_for_more() -> None:
    hands: dict[str, Any] = {"hands": {A: 4, B: 4}, "pools": {A: 3, B: 3}, **HALL}
    dragon = replace(watcher("dragon", "crane", **hands), seat=A, hand=("army-1", "bluff"))
    assert "exchange" in game.side.ask(dragon, Request("r", A, "act", "prepare"), "en")
    scorpion = replace(watcher("scorpion", "crane", **hands), seat=A)
    assert "'act' is look" in game.side.ask(scorpion, Request("r", A, "act", "place"), "en")
    assert "3 tokens" in game.side.ask(scorpion, Request("r", A, "act", "place"), "en")
    crane = replace(scorpion, seat=B)
    assert "look" not in game.side.ask(crane, Request("r", B, "act", "place"), "en")
