"""What a scripted diplomat says of its own accord: news and proposals, by occasion."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.audience import Seat
from diplomat.core.talk import EVERYONE
from diplomat.games.rokugan.bots.intent import Intent
from diplomat.games.rokugan.bots.news import News
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.proposals import Proposals
from diplomat.games.rokugan.bots.sayings import Saying


class Openings:
    """Everything one seat might say at one moment."""

    def __init__(self, outlook: Outlook, intent: Intent) -> None:
        self._mind = outlook.mind
        self._news = News(outlook, intent)
        self._proposals = Proposals(outlook, intent)

    def all(self) -> Iterator[Saying]:
        """All of it; of what weighs the same, the first is said first."""
        news, proposals = self._news, self._proposals
        for source in (
            news.courtesies,
            news.reckonings,
            news.battles,
            news.calls,
            news.whispers,
            proposals.partings,
            proposals.offers,
            proposals.promises,
        ):
            yield from source()

    def later(self) -> Iterator[Saying]:
        """What is left to say once the others have spoken: their offers passed on, and a word to all."""
        news = self._news
        yield from news.told_offers()
        if not any(message.to == (EVERYONE,) for message in self._mind.spoken_this_round):
            yield from (s for source in (news.battles, news.calls) for s in source() if s.to == (EVERYONE,))
            yield from self._proposals.announced()

    def in_passing(self, laid_at: list[tuple[Seat, str]]) -> Iterator[Saying]:
        """A word at the board about tokens just laid against one's own land: (who, which province)."""
        yield from self._news.in_passing(laid_at)
