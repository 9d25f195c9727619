"""One seat at one moment of speaking: who it is, who the others are, and how it stands with them."""

from __future__ import annotations

from diplomat.core.audience import Seat
from diplomat.games.rokugan.bots.intent import Intent
from diplomat.games.rokugan.bots.outlook import Outlook


class Moment:
    """What a seat has before it when it thinks of something to say."""

    def __init__(self, outlook: Outlook, intent: Intent) -> None:
        self.outlook = outlook
        self.intent = intent
        self.me = outlook.seat
        self.now = outlook.now
        self.last = outlook.board.rounds
        self.others = [seat for seat in outlook.board.seats if seat != outlook.seat]

    def clan(self, seat: Seat) -> str:
        """The clan a seat plays."""
        return self.outlook.board.clans[seat]

    def rounds(self, last: int) -> str:
        """The rounds from this one to ``last``, as a sentence names them."""
        return f"{self.now}-{last}"

    def ally(self, seat: Seat) -> bool:
        """Whether there is peace with a seat, and a word given for it."""
        mind = self.outlook.mind
        return mind.pact(seat, self.now) and mind.bound(seat, self.now)

    def is_called_out(self, seat: Seat) -> bool:
        """Whether this seat speaks against another before all: the leader, and well ahead."""
        outlook = self.outlook
        ahead = outlook.standing[seat] - outlook.standing[self.me] >= 4
        return seat == outlook.leader and seat != self.me and ahead and not outlook.mind.bound(seat, self.now)
