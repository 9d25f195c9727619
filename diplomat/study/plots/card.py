"""One promise as a card: the words, the plan then, what was ordered, what happened, and the rule that judged."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from diplomat.study.extra import library
from diplomat.study.plots.canvas import COLOURS, INK, PALE, Figure, canvas
from diplomat.study.write import study_texts

LINE = 62
"""Letters per line of a card."""
FIELDS = ("words", "plan", "order", "event", "rule")
DEEDS = ("order", "event")
"""Fields that are empty because nothing was done; any other is empty because nothing is known."""


@dataclass(frozen=True, slots=True)
class Card:
    """What stands on a card; an empty field is shown as not done or not known, never left out."""

    pid: str
    debtor: str
    creditor: str
    t: int
    status: str
    meant: str
    """``sincere``, ``insincere``, ``undecided``, ``no_evidence``: stated intent."""
    words: str
    plan: str = ""
    order: str = ""
    event: str = ""
    rule: str = ""


def _empty(name: str) -> str:
    """The key of the text for an empty field."""
    return f"plot.card.{'undone' if name in DEEDS else 'unknown'}"


def promise_card(card: Card, lang: str = "en") -> Figure:
    """One promise with everything that its verdict rests on, so that a reader can disagree with it."""
    texts = study_texts(lang)
    blocks = [
        (
            texts.say(f"plot.card.{name}"),
            textwrap.wrap(getattr(card, name) or texts.say(_empty(name)), LINE) or [""],
        )
        for name in FIELDS
    ]
    lines = sum(len(body) for _, body in blocks)
    height = 0.9 + 0.19 * lines + 0.12 * len(blocks)
    with canvas(6.6, height) as (figure, axes):
        axes.set_axis_off()
        axes.set_xlim(0, 1)
        axes.set_ylim(height, 0)
        frame = library("matplotlib.patches").Rectangle((0, 0.02), 1, height - 0.04, fill=False, edgecolor=PALE, lw=1.5)
        strip = library("matplotlib.patches").Rectangle(
            (0, 0.02), 0.015, height - 0.04, color=COLOURS[card.status], lw=0
        )
        strip.set_gid(f"card-{card.pid}")
        axes.add_patch(frame)
        axes.add_patch(strip)
        head = texts.say("plot.card.head", debtor=card.debtor, creditor=card.creditor, t=card.t)
        axes.text(0.04, 0.28, head, weight="bold", va="center", color=INK)
        verdict = texts.say(
            "plot.card.verdict",
            did=texts.say(f"plot.status.{card.status}"),
            meant=texts.say(f"plot.meant.{card.meant}"),
        )
        axes.text(0.04, 0.55, verdict, va="center", color=INK)
        axes.text(0.97, 0.28, card.pid, ha="right", va="center", fontsize=7, color="#666666")
        y = 0.9
        for label, body in blocks:
            axes.text(0.04, y, label, va="center", fontsize=8, color="#666666")
            for line in body:
                axes.text(0.25, y, line, va="center", fontsize=8, color=INK)
                y += 0.19
            y += 0.12
    return figure
