"""A table of players that play by chance but talk, promise, plan and note, some of it hostile to pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from diplomat.agents.scripted import ScriptedAgent
from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.game import Decision, Reply
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import SeedSealed
from diplomat.core.talk import Message
from diplomat.games import find
from diplomat.table.referee import Referee
from diplomat.table.table import Table, finish
from diplomat.transcript.reader import Transcript, read
from diplomat.transcript.schema import Header, SeatEntry
from diplomat.transcript.writer import Writer

HOSTILE = (
    "<script>alert(1)</script> </style><img src=x onerror=alert(1)> [/b] \x1b[31mred\x1b[0m \u202egnihton {seat} &amp; "
    + "Wy" * 90
)
SECRET_NOTE = "Canary note: I never liked them. <script>alert(2)</script>"


class Talker:
    """Says one public and two private things a round, promises, plans otherwise, and notes why."""

    def __init__(self, seat: str, seats: tuple[Seat, ...]) -> None:
        self.seat = Seat(seat)
        others = [other for other in seats if other != seat]
        self.friend, self.victim = others[0], others[-1]

    def decide(self, decision: Decision[Any]) -> Reply:
        answer = decision.question.menu.sample(decision.die("answer"))
        request, now = decision.request, decision.known.board.round
        if request.kind != "talk":
            return self._act(decision, answer)
        if request.id.startswith(f"r{now}.talk1"):
            return Reply(answer, self._opening(now), self._plan(now), SECRET_NOTE if now == 1 else None)
        heard = [m for m in decision.known.talk if m.sender != self.seat and any(p.act == "offer" for p in m.pledges)]
        if not heard:
            return Reply(answer)
        last = heard[-1]
        say = Message((last.sender,), "Agreed, and I keep my word.", (Pledge("accept", ref=last.id),))
        return Reply(answer, (say,), Plan(keep={last.id: "no"}, text="We shall see."))

    def _opening(self, now: int) -> tuple[Message, ...]:
        peace = Goal("not_attack", self.seat, now, now, {"target": self.friend})
        theirs = Goal("not_attack", self.friend, now, now, {"target": self.seat})
        promise = Pledge("promise", (Goal("not_attack", self.seat, now, now + 1, {"target": self.victim}),))
        offer, ask = Pledge("offer", (peace,), (theirs,)), Pledge("ask", (), (theirs,))
        public = HOSTILE if now == 1 else f"Round {now}: I want peace with everybody.\nTruly."
        return (
            Message(("all",), public, (promise,)),
            Message((self.friend,), f"Only you: let us leave each other alone, {now}.", (offer,)),
            Message((self.friend, self.victim), "The three of us could share the islands.", (ask,)),
            Message(("nobody",), "This one goes nowhere."),
        )

    def _plan(self, now: int) -> Plan:
        goal = Goal("attack", self.seat, now, now, {"target": self.victim})
        return Plan((goal,), text="I attack them anyway. </div>")

    def _act(self, decision: Decision[Any], answer: Any) -> Reply:
        if decision.request.form == "place" and decision.known.board.round == 2 and self.seat == "s2":
            raise RuntimeError("<b>lost the thread</b>")
        die = decision.die("note")
        note = "I put it here because of the canary reason." if die.chance(0.3) else None
        plan = Plan(text="Next I look north.") if die.chance(0.15) else None
        return Reply(answer, (), plan, note)


def played(path: Path, *, seats: int = 5, seed: str = "7", lang: str = "en", rounds: int = 5) -> Transcript:
    """A finished game of talkers."""
    game = find("rokugan")
    places = tuple(Seat(f"s{number}") for number in range(1, seats + 1))
    settings = game.settings(rounds=rounds)
    referee: Referee[Any, Any] = Referee(game, settings, places, seed)
    chairs = zip(places, PROFILES, strict=False)
    entries = tuple(SeatEntry(seat=seat, agent="scripted", profile=name, lang=lang) for seat, name in chairs)
    header = Header(
        game=game.id,
        edition=game.edition,
        rules_version=game.rules_version,
        settings=settings.model_dump(mode="json"),
        seats=entries,
        lang=lang,
        package="0.1.0",
        commitment=commitment(seed, "salt"),
        started="2026-11-30T12:00:00+00:00",
    )
    writer = Writer(path, header, lambda: "2026-11-30T12:00:00+00:00", force=True)
    referee.listen(lambda n, event: writer.hear(n, event, {"nonce": "salt"} if isinstance(event, SeedSealed) else {}))
    finish(Table(referee, {seat: ScriptedAgent(Talker(seat, places)) for seat in places}).play())
    writer.close()
    return read(path)


PROFILES = ("honest", "backstabber", "gossip", "<i>unknown</i>", "warlord")
