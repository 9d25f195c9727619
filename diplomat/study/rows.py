"""The rows of a ledger, one frozen dataclass per table: this file is the codebook.

Every column is a plain value or a tuple of plain values, so that a table is written by name and type.  Event
numbers (``n``) are those of the transcript; *points* are decision points of the game (rounds in Rokugan).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from diplomat.core.pledges import Goal

Status = Literal["kept", "broken", "void", "pending", "untestable", "untracked"]
"""``kept``/``broken``: judged.  ``void``: did not count, see the reason.  ``pending``: still open.
``untestable``: nothing to test it by.  ``untracked``: the game's vocabulary has no such verb."""
VoidReason = Literal[
    "condition_unmet", "impossible", "debtor_out", "creditor_out", "released", "superseded", "game_over"
]
Meaning = Literal["sincere", "insincere", "undecided", "no_evidence"]
"""What the sealed plan said at that moment: will keep, will not, unsure or silent, no plan at all."""
Outcome = Literal[
    "honoured", "changed_mind", "relented", "premeditated", "kept_undecided", "broken_undecided",
    "kept_unknown", "broken_unknown", "moot", "open",
]  # fmt: skip
"""Meaning at the time of speaking against what became of it; ``moot`` void, ``open`` not judged (yet)."""
Faith = Literal["believed", "doubted", "none"]
SourceName: TypeAlias = str
"""``declared``, ``rule``, ``llm:MODEL@HASH`` or ``human:CODER``."""

EVERYBODY = "*"
"""The creditor of a public promise."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where words stand in a message, in code points: ``text[start:end]``."""

    message: str
    """Id of the message."""
    n: int
    """Its event number."""
    start: int
    end: int
    source: SourceName
    """Who says that these words say it."""


@dataclass(frozen=True, slots=True)
class SpeechAct:
    """One thing done by one message: the *said* of everything below, promises or not."""

    aid: str
    """``MESSAGE#SOURCE.k``, unique in the game."""
    n: int
    point: int
    """Decision point at which it was said."""
    message: str
    speaker: str
    hearers: tuple[str, ...]
    """Seats, or ``("*",)``."""
    act: str
    """``promise offer ask accept refuse counter threat withdraw``, or ``release`` (a creditor frees a debtor)."""
    goals: tuple[Goal, ...]
    """The speaker's own."""
    given: tuple[Goal, ...]
    """The condition, or what is asked for."""
    ref: str
    """Id of the message it answers, or empty."""
    start: int
    end: int
    source: SourceName
    confidence: float
    """0 to 1; declared acts have 1."""
    answered: str
    """Of offers and requests: first ``accept``, else first ``refuse``, ``counter``, ``withdraw``; or empty."""
    fault: str
    """Code of the reason for which a declared act was left out of its message, or empty."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A word given by one seat for one goal; the same word said again is a mention, not a promise."""

    pid: str
    """``MESSAGE#k`` of the message in which the debtor first said it; unique in the game."""
    debtor: str
    creditors: tuple[str, ...]
    """Seats, or ``("*",)`` for everybody."""
    act: str
    """``promise``; ``offer`` or ``counter`` (was accepted); ``accept`` (said yes to what was asked); ``threat``,
    whose keeping has the opposite moral sign: leave threats out of rates of kept promises."""
    goal: Goal | None
    """None: could not be put into the game's vocabulary.  Begins no earlier than the word was given."""
    antecedent: tuple[Goal, ...]
    """Conditions, all of which must hold."""
    conditional: bool
    polarity: str
    """``do`` or ``dont``; empty without a goal."""
    level: str
    """``order`` (to try) or ``outcome`` (to achieve)."""
    certainty: str
    """``firm`` or ``hedged``."""
    explicitness: str
    """``explicit`` or ``implicit``."""
    audience: str
    """``private`` or ``public``."""
    said_n: int
    """Event number of the first saying by the debtor."""
    made_n: int
    """Event number from which it binds: the same, or that of the accept."""
    made_point: int
    window_start: int
    window_end: int
    horizon_source: str
    """``stated``, ``default`` (no rounds were named) or ``open``."""
    mentions: tuple[Span, ...]
    """All sayings, the first included."""
    offer: str
    """Id of the accepted offer it comes from, or empty."""
    mutual_of: tuple[str, ...]
    """Pids that the creditors gave in return."""
    conflicts_with: tuple[str, ...]
    """Pids to other creditors, live at the same time, that cannot be kept together with it (playing both sides)."""
    superseded_by: str
    """Pid of a later word to the same creditors in the place of this one, or empty."""
    superseded_n: int
    released_n: int
    """Event with which a creditor freed the debtor, also by taking back what it gave in return, or 0."""
    notice_n: int
    """Event with which the debtor took it back (it is judged all the same), or 0."""
    goal_key: str
    """The goal without its giver's audience: joins the same word told to several."""
    source: SourceName
    confidence: float
    known_to: tuple[str, ...]
    """Seats that could read it, or ``("*",)``."""
    fault: str
    """Why it has no testable goal: ``untracked`` or a code; empty for the others."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """*Did*: what became of a promise.  Final is final: only ``pending`` ever changes."""

    pid: str
    status: Status
    reason: str
    """A :data:`VoidReason` for void; why for untestable and untracked; else empty."""
    t_final: int
    """Decision point at which it stopped pending, 0 before."""
    n_final: int
    """Event by which that was clear, 0 if it was the end of a decision point."""
    evidence: tuple[int, ...]
    """Event numbers of the deeds that decided it."""
    evidence_ids: tuple[str, ...]
    """The game's own ids of them, tokens in Rokugan."""
    binding: bool | None
    """Whether at some point of its rounds both keeping and breaking were possible; None: the log does not show it."""
    attempt_ok: bool | None
    """Of promises to do something: whether it was tried."""
    outcome_ok: bool | None
    """Whether the attempt succeeded; None without one."""
    excused_by: tuple[str, ...]
    """Pids of promises in return that were broken before."""
    retaliatory: bool
    """Broken after such a breach; still broken."""
    with_notice: bool
    """Broken after the debtor had openly taken it back."""
    status_next: str
    """Sensitivity, where the rounds are a default: the status if the word had held one point longer."""
    status_end: str
    """The same to the end of the game."""
    registry: str
    """Version of the game's vocabulary."""


@dataclass(frozen=True, slots=True)
class Intent:
    """*Meant*: what a sealed plan said of a promise at one moment.  Stated intent, not belief; never from words."""

    pid: str
    n: int
    """Event number of the plan."""
    point: int
    request: str
    """The question that the plan was sealed with."""
    at_sending: bool
    """Whether it went out with the very message that gave the word (the first or a repeated one)."""
    intent: Meaning
    method: str
    """``keep`` (the plan says yes, no or unsure), ``goals`` (its goals fit or contradict) or ``none``."""
    keep: str
    """``yes``, ``no``, ``unsure`` or empty."""
    goals: str
    """``fits``, ``against`` or ``silent``."""
    torn: bool
    """Whether ``keep`` and ``goals`` contradict each other."""


@dataclass(frozen=True, slots=True)
class Perception:
    """*Believed*: what a receiver made of a promise when it got it."""

    pid: str
    receiver: str
    n: int
    """Event that shows it, 0 for none."""
    label: Faith
    method: str
    """``answer`` (took the word or refused it), ``deed`` (guarded against its breach or not), ``rating`` (asked)
    or ``none``."""
    scale: str
    """What the label was read from; ids of prompts for ratings."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One promise in four columns: said, did, meant, believed."""

    pid: str
    said: str
    """The words of its first mention."""
    did: Status
    meant: Meaning
    """At the last saying that a plan was sealed with."""
    believed: Faith
    """``believed`` or ``doubted`` if all receivers with a label agree, else ``none``."""
    outcome: Outcome
    turned_n: int
    """Plan that first turned against a word meant sincerely before, or 0."""
    turned_after: int
    """The plan before that: what lies between may have been the trigger."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something asserted as true now, and whether it was."""

    cid: str
    n: int
    point: int
    message: str
    speaker: str
    hearers: tuple[str, ...]
    proposition: str
    """The game's name for what is claimed."""
    about: tuple[str, ...]
    """Its arguments in the game's order."""
    truth: Literal["true", "false", "unverifiable"]
    speaker_knew: Literal["yes", "no", "unknown"]
    """Whether the speaker could see the truth at that moment."""
    checkable_by: str
    """``engine``, ``transcript`` or ``none``."""
    start: int
    end: int
    source: SourceName
    confidence: float


@dataclass(frozen=True, slots=True)
class Opportunity:
    """One seat towards another at one decision point: what it could have done and did.  The denominators."""

    seat: str
    other: str
    point: int
    could_speak: bool
    """Whether it had a chance to talk, or talked."""
    private: int
    """Messages to the other, alone or among some."""
    public: int
    """Messages to everybody."""
    silent: bool
    """Could speak and wrote nothing that the other could read."""
    promised: int
    """Promises newly made to the other (threats not counted)."""
    threatened: int
    offered: int
    """Offers and counter-offers made to it."""
    owed: int
    """Promises to the other that hold at this point."""
    could: tuple[str, ...] | None
    """What it could have done to the other (Rokugan: attack, raid); None: the log does not show it."""
    did: tuple[str, ...]
    """What it did to the other."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat where, and how it ended."""

    seat: str
    agent: str
    profile: str
    model: str
    lang: str
    role: str
    """Clan, character; empty where the game has none."""
    score: int | None
    won: bool | None
    """None while the game is not over."""
    messages: int
    """Messages that it wrote, each once, however many read it."""
