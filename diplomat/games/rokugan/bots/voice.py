"""Turns what a diplomat wants to say into messages: chosen by weight, worded, with pledges attached."""

from __future__ import annotations

from collections.abc import Iterable

from diplomat.core.dice import Die
from diplomat.core.pledges import Goal
from diplomat.core.talk import Message, TalkWindow, message_id
from diplomat.games.rokugan.bots.mind import Mind
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.reasons import broken
from diplomat.games.rokugan.bots.sayings import Saying
from diplomat.games.rokugan.bots.speech import Speech, naming, span

REMEMBERED = 40
"""How many of one's own last messages are not repeated word for word."""


def chosen(sayings: Iterable[Saying], most: int, least_weight: float, die: Die) -> list[Saying]:
    """The weightiest sayings: at most one of a kind to the same room, one public word, two to one seat."""
    found: list[Saying] = []
    kinds: set[tuple[str, tuple[str, ...]]] = set()
    rooms: dict[tuple[str, ...], int] = {}
    jittered = [(saying.weight + 0.5 * die.fraction(), at, saying) for at, saying in enumerate(sayings)]
    for weight, _, saying in sorted(jittered, key=lambda entry: (-entry[0], entry[1])):
        room = saying.to
        limit = 1 if room == ("all",) else 2
        formal = "formal" if saying.pledges and saying.act.startswith(("offer", "counter")) else saying.act
        if len(found) >= most or weight < least_weight:
            break
        if (formal, room) in kinds or rooms.get(room, 0) >= limit:
            continue
        kinds.add((formal, room))
        rooms[room] = rooms.get(room, 0) + 1
        found.append(saying)
    return found


class Voice:
    """One seat's tongue: language and tone, and what it has said before."""

    def __init__(self, lang: str, outlook: Outlook, mind: Mind) -> None:
        self._lang = lang
        self._speech = Speech(lang, mind.character.tone)
        self._outlook = outlook
        self._mind = mind

    def messages(self, sayings: Iterable[Saying], window: TalkWindow, die: Die) -> list[tuple[str, Saying, Message]]:
        """Worded messages with the ids that they will get."""
        said = [m.text for m in self._mind.messages if m.sender == self._outlook.seat][-REMEMBERED:]
        heard = [m.text for m in self._mind.messages if m.sender != self._outlook.seat][-REMEMBERED:]
        counts: dict[tuple[str, ...], int] = {}
        for old in self._mind.messages:
            if old.sender == self._outlook.seat:
                room = tuple(sorted(old.to))
                counts[room] = counts.get(room, 0) + 1
        worded: list[tuple[str, Saying, Message]] = []
        for saying in sayings:
            text = self._speech.say(saying.act, die, self._facts(saying), avoid=[*said, *heard])
            said.append(text)
            room = tuple(sorted(saying.to))
            counts[room] = counts.get(room, 0) + 1
            name = message_id(self._outlook.seat, room, counts[room])
            worded.append((name, saying, Message(saying.to, text[: window.length], saying.pledges)))
        return worded

    def _facts(self, saying: Saying) -> dict[str, str]:
        facts = {"me": self._outlook.board.clans[self._outlook.seat], **saying.facts}
        if "rounds" in facts:
            first, last = facts["rounds"].split("-")
            facts["rounds"] = span(self._lang, self._outlook.now, int(first), int(last))
        if "broken" in facts:
            one = next(c for c in self._mind.words.made if c.message == facts["broken"] and c.status == "broken")
            facts["broken"] = broken(one, self._lang)
        return naming(self._lang, **facts)


def promised(
    worded: Iterable[tuple[str, Saying, Message]], offers: dict[str, tuple[Goal, ...]]
) -> list[tuple[str, Goal]]:
    """The goals that these messages give this seat's word for, by message id; an accept by the offer's."""
    found: list[tuple[str, Goal]] = []
    for name, saying, _ in worded:
        found += [(name, goal) for goal in saying.promised]
        for pledge in saying.pledges:
            if pledge.act == "accept" and pledge.ref is not None:
                found += [(pledge.ref, goal) for goal in offers.get(pledge.ref, ())]
    return found
