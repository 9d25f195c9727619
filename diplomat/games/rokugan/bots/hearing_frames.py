"""Frames: who does what in plain talk, and what a reader remembers between sentences.

A frame is one verb with its subject, negation, condition and objects.  What is not surely the
speaker's or the hearer's own doing, now or to come, becomes a *void* frame, kept only because a later
clause may lean on it ("… the moment you do").
"""

from __future__ import annotations

from dataclasses import dataclass, field

from diplomat.games.rokugan.bots.hearing_words import Tok

ME, YOU, WE, THIRD = "me", "you", "we", "third"
EACH, HIM = "each", "him"
SHUNS = frozenset({"stay", "leave"})
"""Verbs that say no by themselves."""
ENGLISH = frozenset({"base", "s", "ing"})
OBJECTS = frozenset({"CLAN", "PROV", "TERR", "YOU", "ME", "TE", "MY", "YOUR", "HIM"})
NOUN_SIGNS = frozenset({"NO", "MY", "YOUR", "OUR", "HIS", "DET", "CEASE"})
"""What makes a noun of "attack"."""
BLOWS = frozenset({"attack", "raid"})
INTENT = frozenset({"will", "promise", "let", "ask", "offer", "must"})


@dataclass(slots=True)
class Frame:
    """One verb and what belongs to it."""

    who: str
    verb: str
    neg: bool = False
    cond: str = ""
    """``if`` or ``unless`` when it is a condition."""
    void: bool = False
    urged: bool = False
    """Whether the hearer is asked or told to do it, not said to be doing it."""
    offered: bool = False
    noun: bool = False
    coord: bool = False
    """Whether it shares its objects with the verb before it ("attack or raid you")."""
    joined: bool = False
    """Whether it is an order that an "… and I" answers."""
    other: bool = False
    """Whether it follows an "or else"."""
    alone: bool = False
    peace: bool = False
    ever: bool = False
    form: str = ""
    targets: list[str] = field(default_factory=list)
    provinces: list[str] = field(default_factory=list)
    territories: list[str] = field(default_factory=list)
    span: str = ""

    @property
    def bare(self) -> bool:
        """Whether it has no object."""
        return not (self.targets or self.provinces or self.territories)


@dataclass(slots=True)
class Memory:
    """What earlier sentences of the message leave behind."""

    me: str
    """Clan of the speaker."""
    you: str
    """Clan of the hearer; empty once somebody else is spoken to."""
    hearer: str
    frames: list[Frame] = field(default_factory=list)
    him: str = ""
    """Who "him" is: whoever was named last."""
    province: str = ""
    territory: str = ""
    place: str = ""
    bound: dict[str, str] = field(default_factory=dict)
    """What "mine" and "yours" are, once it was said ("Hida is mine")."""

    def person(self, clan: str) -> str:
        """A clan as ``me``, ``you`` or itself."""
        return ME if clan == self.me else YOU if clan == self.you else clan


@dataclass(slots=True)
class Clause:
    """What is known of the clause being read, before and after its verb."""

    first: str = ""
    """Kind of its first word."""
    who: str = ""
    mood: str = ""
    neg: bool = False
    verbs: int = 0
    clean: bool = True
    """Whether nothing stands before the verb that an order could not begin with."""
    others: int = 0
    explicit: str = ""
    inverted: bool = False
    none: bool = False
    noun: bool = False
    token: bool = False
    ever: bool = False
    ceased: bool = False
    hushed: bool = False
    """Whether it has words that a verb joined by "and" might hang on ("I hope to watch and …")."""
    returned: bool = False
    told: bool = False
    linked: bool = False
    peace: bool = False
    raidly: bool = False
    skip: bool = False
    poss: str = ""
    vague: bool = False
    """Whether words stand after the "my" or "your" that may be its noun."""
    named: bool = False
    """Whether its subject is a clan's name or "neither of us", which takes the third person."""
    span: str = ""
    before: list[tuple[str, str]] = field(default_factory=list)


def tidied(tokens: list[Tok], memory: Memory) -> list[Tok]:
    """Tokens without asides and forms of address; whoever is addressed becomes the "you"."""
    found: list[Tok] = []
    at, size = 0, len(tokens)
    edge = ("COMMA", "BUT", "ANSWER", "AND", "PLEASE")
    while at < size:
        tok = tokens[at]
        after = tokens[at + 1].kind if at + 1 < size else ""
        if tok.kind == "CLAN" and tok.form in ("en", "nom") and _aside(found, after, edge):
            memory.you = memory.hearer if tok.value == memory.hearer else ""
            at += 2 if after == "COMMA" and found else 1
            if after == "COMMA" and found and found[-1].kind != "COMMA":
                found.append(tokens[at - 1])
            continue
        if tok.kind == "MAYBE" and after == "COMMA":
            found.append(tok)
            at += 2
            continue
        if tok.kind == "COMMA" and tok.value in "–—-" and found and _dashed(found):
            at += 1
            continue
        if tok.kind == "COMMA":
            length = _parenthesis(tokens, at)
            if length:
                at += length
                continue
        found.append(tok)
        at += 1
    return found


def _dashed(found: list[Tok]) -> bool:
    """Whether a dash here stands for a verb left out ("you — me")."""
    last = found[-1].kind
    return last in ("I", "THOU", "DAT", "CLAN", "RETURN") or (
        last == "ADV" and len(found) > 1 and found[-2].kind in ("I", "THOU")
    )


def _aside(found: list[Tok], after: str, edge: tuple[str, ...]) -> bool:
    before = found[-1].kind if found else ""
    return (not before or before in edge) and after in ("", "COMMA")


def _parenthesis(tokens: list[Tok], at: int) -> int:
    """Length of a short aside between commas that begins here, the first comma included; 0 when there is none."""
    asides = ("RETURN", "ADV", "OTHER", "DET", "MY", "DAT", "FROM")
    for length in (2, 3, 4):
        end = at + length
        if end >= len(tokens):
            return 0
        if tokens[end].kind == "COMMA":
            inside = tokens[at + 1 : end]
            lone = all(tok.kind in asides for tok in inside) and tokens[at].value == "," == tokens[end].value
            return length if lone and any(tok.kind != "OTHER" for tok in inside) else 0
    return 0
