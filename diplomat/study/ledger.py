"""The ledger of one transcript: ``of(transcript)``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.errors import BadTranscript
from diplomat.core.events import Event
from diplomat.core.proceedings import GameOpened, MessageSent, PlanSealed, PledgeReturned
from diplomat.study import belief
from diplomat.study.claims import Record, claims_in
from diplomat.study.extract_declared import Declared
from diplomat.study.extract_rules import Rules
from diplomat.study.intent import Plans, meant, outcome, turn
from diplomat.study.opportunity import opportunities
from diplomat.study.promises import Book, past_of
from diplomat.study.resolve import Judge, linked
from diplomat.study.rows import Claim, Intent, Opportunity, Perception, Player, Promise, Resolution, SpeechAct, Verdict
from diplomat.study.sources import Source
from diplomat.study.vocabulary import Asserting, Chronicle, Guarding, Reading, Vocabulary, vocabulary_of
from diplomat.transcript.reader import Transcript


@dataclass(frozen=True, slots=True)
class Ledger:
    """All rows of one game; the columns of each table are described in :mod:`diplomat.study.rows`."""

    game: str
    """Id of the game played."""
    edition: str
    name: str
    """The file's name, which tells games apart."""
    finished: bool
    points: int
    """Decision points that are over."""
    events: int
    messages: int
    players: tuple[Player, ...]
    acts: tuple[SpeechAct, ...]
    promises: tuple[Promise, ...]
    resolutions: tuple[Resolution, ...]
    """One per promise, in the same order."""
    intents: tuple[Intent, ...]
    """At least one per promise."""
    perceptions: tuple[Perception, ...]
    verdicts: tuple[Verdict, ...]
    """One per promise, in the same order."""
    claims: tuple[Claim, ...]
    opportunities: tuple[Opportunity, ...]


def of(transcript: Transcript, sources: Sequence[Source] | None = None) -> Ledger:
    """The ledger of a transcript; ``sources`` find speech acts, by default :func:`default_sources`.

    BadTranscript if its deeds make no sense to the rules of this program (a log of another map, say).
    """
    vocabulary = vocabulary_of(transcript.game)
    fold = Fold(transcript.seats, vocabulary, transcript.settings, sources)
    line = None
    try:
        for line in transcript.lines:
            fold.hear(line.n, line.event)
        return fold.ledger(transcript)
    except (ValueError, KeyError) as fault:
        number = 0 if line is None else line.number
        header = transcript.header
        raise BadTranscript(
            f"{transcript.path}, line {number}: cannot be judged: {fault}; the log is of {header.game} "
            f"{header.edition}, rules version {header.rules_version}, and this program has "
            f"{transcript.game.edition}, rules version {transcript.game.rules_version}",
            number,
        ) from fault


def default_sources(vocabulary: Vocabulary | None) -> tuple[Source, ...]:
    """Declared pledges, and the game's own reading of plain sentences if it has one."""
    return (Declared(), Rules(vocabulary)) if isinstance(vocabulary, Reading) else (Declared(),)


class Fold:
    """A log on its way to a ledger; hears every event once."""

    def __init__(
        self,
        seats: tuple[Seat, ...],
        vocabulary: Vocabulary | None,
        settings: object,
        sources: Sequence[Source] | None = None,
    ) -> None:
        self.seats = seats
        self._vocabulary = vocabulary
        self._sources = tuple(default_sources(vocabulary) if sources is None else sources)
        self._chronicle: Chronicle | None = None if vocabulary is None else vocabulary.chronicle(seats, settings)
        self._guarding: Guarding | None = _as_guarding(self._chronicle)
        self._asserting: Asserting | None = _as_asserting(vocabulary)
        self._book = Book(seats, vocabulary, self._chronicle)
        self._plans = Plans(vocabulary, self._chronicle)
        self._sent: list[MessageSent] = []
        self._said: list[tuple[int, MessageSent]] = []
        self._by_id: dict[str, tuple[int, MessageSent]] = {}
        self._claims: list[Claim] = []
        self._closings: dict[int, int] = {}
        self._ended = 0
        self._opened: GameOpened | None = None

    def hear(self, n: int, event: Event) -> None:
        """Takes event ``n`` in."""
        step = _STEPS.get(type(event))
        if step is not None:
            step(self, n, event)
        elif self._chronicle is not None:
            self._deed(n, event, self._chronicle)

    def _plan(self, n: int, event: PlanSealed) -> None:
        self._plans.take(n, event, self._book.spoken_goals(event.seat))

    def _over(self, _: int, event: GameOpened) -> None:
        self._opened = event

    def _deed(self, n: int, event: Event, chronicle: Chronicle) -> None:
        before = chronicle.closed
        chronicle.hear(n, event)
        for point in range(before + 1, chronicle.closed + 1):
            self._closings[point] = n
        if chronicle.over and not self._ended:
            self._ended = n

    def _message(self, n: int, event: MessageSent) -> None:
        past = past_of(self._book, self._chronicle, event, n, self._sent)
        for source in self._sources:
            for said in list(source.acts(event, past)):
                self._book.take(event, n, said, source.name)
        if self._asserting is not None and self._chronicle is not None and not event.pledges:
            self._claims += claims_in(event, n, self._asserting, self._chronicle)
        self._sent.append(event)
        self._said.append((past.now, event))
        self._by_id[event.id] = n, event

    def _returned(self, _: int, event: PledgeReturned) -> None:
        found = self._by_id.get(event.message)
        for source in self._sources:
            if found is not None and isinstance(source, Declared):
                for said in source.left_out(event):
                    self._book.take(found[1], found[0], said, source.name)

    # Rows -------------------------------------------------------------------------------------------

    def judge(self) -> Judge:
        """What can be judged by the log so far."""
        return Judge(self._vocabulary, self._chronicle, dict(self._closings), self._ended)

    def promises(self) -> tuple[Promise, ...]:
        """All promises so far."""
        mode = self._vocabulary.mode if self._vocabulary is not None else lambda _: None
        return tuple(draft.row(None if draft.goal is None else mode(draft.goal.verb)) for draft in self._book.drafts)

    def resolutions(self, promises: Sequence[Promise]) -> tuple[Resolution, ...]:
        """What became of them so far."""
        judge = self.judge()
        return linked(promises, [judge.resolve(one) for one in promises])

    def ledger(self, transcript: Transcript) -> Ledger:
        """All rows of the log so far."""
        acts, promises = tuple(self._book.acts()), self.promises()
        resolutions = self.resolutions(promises)
        intents = [
            self._plans.of(draft, one.n_final) for draft, one in zip(self._book.drafts, resolutions, strict=True)
        ]
        answers = [act for act in acts if act.ref]
        perceived = [tuple(belief.perceptions(one, self.seats, answers, self._guarding)) for one in promises]
        record = Record(acts, promises, resolutions)
        return Ledger(
            game=transcript.header.game,
            edition=transcript.header.edition,
            name=transcript.path.stem,
            finished=self._opened is not None,
            points=self._chronicle.closed if self._chronicle else 0,
            events=len(transcript.lines),
            messages=len(self._sent),
            players=tuple(self._players(transcript)),
            acts=acts,
            promises=promises,
            resolutions=resolutions,
            intents=tuple(row for rows in intents for row in rows),
            perceptions=tuple(row for rows in perceived for row in rows),
            verdicts=tuple(
                self._verdict(*four) for four in zip(promises, resolutions, intents, perceived, strict=True)
            ),
            claims=tuple(record.judged(claim) for claim in self._claims),
            opportunities=tuple(
                opportunities(self.seats, self._chronicle, self._said, acts, promises) if self._chronicle else ()
            ),
        )

    def _verdict(
        self, promise: Promise, did: Resolution, plans: Sequence[Intent], believed: Sequence[Perception]
    ) -> Verdict:
        """One promise in four columns."""
        span = promise.mentions[0]
        intent, (turned, before) = meant(plans), turn(plans)
        return Verdict(
            pid=promise.pid,
            said=self._by_id[span.message][1].text[span.start : span.end],
            did=did.status,
            meant=intent,
            believed=belief.summed(believed),
            outcome=outcome(intent, did.status),
            turned_n=turned,
            turned_after=before,
        )

    def _players(self, transcript: Transcript) -> Iterable[Player]:
        roles = self._chronicle.roles if self._chronicle else {}
        written = Counter(message.sender for message in self._sent)
        for entry in transcript.header.seats:
            seat = Seat(entry.seat)
            score = None if self._opened is None else self._opened.scores.get(seat)
            won = None if self._opened is None else seat in self._opened.winners
            model = str(getattr(entry, "model", None) or "")
            yield Player(
                seat,
                entry.agent,
                entry.profile or "",
                model,
                entry.lang,
                roles.get(seat, ""),
                score,
                won,
                written[seat],
            )


def _as_guarding(chronicle: object) -> Guarding | None:
    return chronicle if isinstance(chronicle, Guarding) else None


def _as_asserting(vocabulary: object) -> Asserting | None:
    return vocabulary if isinstance(vocabulary, Asserting) else None


_STEPS: Mapping[type[Event], Callable[[Fold, int, Any], None]] = {
    MessageSent: Fold._message,
    PledgeReturned: Fold._returned,
    PlanSealed: Fold._plan,
    GameOpened: Fold._over,
}
