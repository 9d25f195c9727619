"""Everything that can happen in a game of Rokugan, each with its audience (house H7)."""

from __future__ import annotations

from dataclasses import dataclass

from diplomat.core.audience import PUBLIC, SEALED, Audience, Seat, only
from diplomat.core.events import Event


class _Public(Event):
    """Seen by everyone (house H7.1)."""

    __slots__ = ()

    def audience(self) -> Audience:
        """Everyone."""
        return PUBLIC


@dataclass(frozen=True, slots=True)
class ClanTaken(_Public):
    """A seat plays a clan (house H1.2)."""

    seat: Seat
    clan: str


@dataclass(frozen=True, slots=True)
class TerritoryCardLaid(_Public):
    """A territory got its card, faceup (house H3.5)."""

    territory: str
    card: str


@dataclass(frozen=True, slots=True)
class FirstPlayerDrawn(_Public):
    """Who begins round 1 (house H3.2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ControlPlaced(_Public):
    """A facedown control token was put in a free province at setup (house H3.1, H3.3)."""

    seat: Seat
    province: str


@dataclass(frozen=True, slots=True)
class ObjectiveDealt(Event):
    """A seat's hidden objective (house H3.4)."""

    seat: Seat
    objective: str

    def audience(self) -> Audience:
        """Its owner only (house H7.2)."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class PoolShuffled(Event):
    """The order in which a seat will draw (house H3.4)."""

    seat: Seat
    faces: tuple[str, ...]

    def audience(self) -> Audience:
        """Nobody (house H7.3)."""
        return SEALED


@dataclass(frozen=True, slots=True)
class RoundBegan(_Public):
    """A round began; ``first`` places first (house H8.6)."""

    round: int
    first: Seat


@dataclass(frozen=True, slots=True)
class TokensDrawn(Event):
    """A seat drew tokens from its pool (house H5.1)."""

    seat: Seat
    faces: tuple[str, ...]

    def audience(self) -> Audience:
        """Its owner only (house H7.2)."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class HandGrew(_Public):
    """A seat drew so many tokens; how many it holds is public (house H7.1)."""

    seat: Seat
    drawn: int


@dataclass(frozen=True, slots=True)
class TalkTurnTaken(_Public):
    """A seat used or passed its turn to talk in this wave (house H13.1); says nothing of what it said."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TalkWaveEnded(_Public):
    """Everybody had a turn to talk; ``last`` closes the talk before preparation."""

    round: int
    wave: int
    last: bool


@dataclass(frozen=True, slots=True)
class PreparationSealed(Event):
    """Which cards a seat will play and what it will exchange (house H5.2)."""

    seat: Seat
    cards: tuple[str, ...]
    """Territories whose cards are played."""
    exchange: str | None

    def audience(self) -> Audience:
        """Its owner only, until all are ready."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class SeatReady(_Public):
    """A seat confirmed that it is ready (house H5.3)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed(_Public):
    """A territory card was played and is used up (house H11.1)."""

    seat: Seat
    territory: str
    card: str


@dataclass(frozen=True, slots=True)
class TokenExchanged(Event):
    """Dragon put a token back and drew another (house H5.2)."""

    seat: Seat
    returned: str
    drawn: str

    def audience(self) -> Audience:
        """Its owner only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class ExchangeMade(_Public):
    """Dragon exchanged a token; which ones stays hidden (house H5.2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlacementBegan(_Public):
    """All are ready; tokens are placed from the first player on (house H6.1)."""

    round: int


@dataclass(frozen=True, slots=True)
class TokenLaid(_Public):
    """A facedown token lies on the map: its place and owner are public (house H6.2)."""

    seat: Seat
    id: str
    place: str


@dataclass(frozen=True, slots=True)
class TokenChosen(Event):
    """Which token it is that was laid facedown."""

    seat: Seat
    id: str
    face: str

    def audience(self) -> Audience:
        """Its owner only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class BlessingLaid(_Public):
    """A blessing lies faceup on a token (house H6.7)."""

    seat: Seat
    on: str
    face: str


@dataclass(frozen=True, slots=True)
class TokenLooked(_Public):
    """Scorpion looked at a token; everybody sees at which (house H6.13)."""

    seat: Seat
    id: str


@dataclass(frozen=True, slots=True)
class TokenSeen(Event):
    """What Scorpion saw (house H6.13)."""

    seat: Seat
    id: str
    face: str

    def audience(self) -> Audience:
        """Scorpion only (house H7.2)."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class TurnPassedTo(_Public):
    """Whose turn to place it is."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlacementPassed(_Public):
    """A seat has no legal place for any token and is done for the phase (house H6.1)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """One token turned up."""

    id: str
    seat: Seat
    place: str
    face: str
    blessings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokensTurnedUp(_Public):
    """All tokens on the map were turned up at once (house H8)."""

    round: int
    tokens: tuple[TurnedUp, ...]


@dataclass(frozen=True, slots=True)
class BluffsRemoved(_Public):
    """Bluffs left the map; Lion's in its own provinces stay (house H8.1)."""

    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProvinceScorched(_Public):
    """A raid burned a province: no control, closed to all, worth nothing (house H8.2)."""

    province: str
    by: tuple[Seat, ...]
    owner: Seat | None
    swept: tuple[str, ...]
    """Tokens that went with it."""


@dataclass(frozen=True, slots=True)
class PeaceMade(_Public):
    """Diplomacy gave a province lasting peace (house H8.3)."""

    province: str
    by: Seat
    swept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One summand of a battle: a token with its blessings, a bonus, the land itself."""

    source: str
    """``base``, ``faceup``, a token id, a clan or a card."""
    amount: int


@dataclass(frozen=True, slots=True)
class Total:
    """One side of a battle with its arithmetic (house H9.1, H9.2)."""

    seat: Seat | None
    amount: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class BattleFought(_Public):
    """A battle and its end (house H9): ``winner`` took the province, None means it was held."""

    province: str
    defence: Total
    attacks: tuple[Total, ...]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class TerritoryCardTaken(_Public):
    """A seat controls a whole territory and takes its card (house H8.5)."""

    seat: Seat
    territory: str
    card: str


@dataclass(frozen=True, slots=True)
class MapCleared(_Public):
    """Used tokens went to the discards, faceup; bluffs back to hand (house H8.7)."""

    round: int


@dataclass(frozen=True, slots=True)
class ObjectiveRevealed(_Public):
    """A seat's objective at the end (house H11.4)."""

    seat: Seat
    objective: str
    met: bool


@dataclass(frozen=True, slots=True)
class SeatScored(_Public):
    """A seat's honor with its parts (house H11.2)."""

    seat: Seat
    flowers: int
    faceup: int
    territories: int
    objective: int
    total: int
    provinces: int


@dataclass(frozen=True, slots=True)
class GameWon(_Public):
    """The game is over; several winners share the victory (house H11.3)."""

    winners: tuple[Seat, ...]


EVENTS: tuple[type[Event], ...] = (
    ClanTaken,
    TerritoryCardLaid,
    FirstPlayerDrawn,
    ControlPlaced,
    ObjectiveDealt,
    PoolShuffled,
    RoundBegan,
    TokensDrawn,
    HandGrew,
    TalkTurnTaken,
    TalkWaveEnded,
    PreparationSealed,
    SeatReady,
    CardPlayed,
    TokenExchanged,
    ExchangeMade,
    PlacementBegan,
    TokenLaid,
    TokenChosen,
    BlessingLaid,
    TokenLooked,
    TokenSeen,
    TurnPassedTo,
    PlacementPassed,
    TokensTurnedUp,
    BluffsRemoved,
    ProvinceScorched,
    PeaceMade,
    BattleFought,
    TerritoryCardTaken,
    MapCleared,
    ObjectiveRevealed,
    SeatScored,
    GameWon,
)
"""Every event of the game, in the order of this file."""
