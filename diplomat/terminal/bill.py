"""What language models were asked and what it cost, as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from rich.console import Console
from rich.table import Table

from diplomat.core.texts import load_texts
from diplomat.llm.totals import Tally, whole
from diplomat.terminal.safe import safe

CENT = Decimal("0.01")


def show_bill(
    console: Console,
    bill: Sequence[Tally],
    lang: str,
    *,
    name: Callable[[str], str] = str,
    form: Callable[[str], str] = str,
    foreseen: bool = False,
) -> None:
    """Prints calls, tokens, cost and latency per seat and purpose, and the sum; nothing if there is no model.

    Models that were never asked are named, since their seats were played by nobody.

    ``name`` and ``form`` say how a seat and a form of decision are called; ``foreseen``: the figures are those of a
    forecast.
    """
    if not bill:
        return
    texts = load_texts("diplomat.terminal", "texts", lang)
    narrow = console.width < 80
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    columns = ["seat", "purpose", "calls", "fresh", "cached", "output", "cost", "latency"]
    if narrow:
        columns = ["seat", "calls", "fresh", "cached", "cost"]
    for column in columns:
        left = column in ("seat", "purpose")
        table.add_column(texts.say(f"bill.{column}"), justify="left" if left else "right", no_wrap=not left)
    rows = [whole([t for t in bill if t.seat == seat]) for seat in _seats(bill)] if narrow else list(bill)
    labels = list(_seats(bill)) if narrow else [tally.seat for tally in rows]
    for label, tally in zip(labels, rows, strict=True):
        table.add_row(*(safe(_cell(column, tally, name(label), form(tally.purpose))) for column in columns))
    total = whole(bill)
    table.add_row(*(safe(_cell(column, total, texts.say("bill.total"), ""), "bold") for column in columns))
    console.print()
    console.print(safe(texts.say("bill.foreseen" if foreseen else "bill.title"), "bold"))
    console.print(table)
    if total.prefix_share is not None:
        console.print(safe(texts.say("bill.prefix", share=f"{100 * total.prefix_share:.0f}")), soft_wrap=True)
    silent = [name(tally.seat) for tally in bill if not tally.calls]
    if silent:
        console.print(safe(texts.say("bill.silent", seats=", ".join(silent)), "bold red"), soft_wrap=True)
    if not foreseen:
        failures = {"retries": total.retries, "failed": total.failed, "expired": total.expired}
        console.print(safe(texts.say("bill.faults", **failures)), soft_wrap=True)


def _seats(bill: Sequence[Tally]) -> Sequence[str]:
    return tuple(dict.fromkeys(tally.seat for tally in bill))


def _cell(column: str, tally: Tally, label: str, purpose: str) -> str:
    if column == "seat":
        return label
    if column == "purpose":
        return purpose
    if column == "cost":
        return usd(tally.cost)
    if column == "latency":
        return "–" if tally.latency_mean is None else f"{tally.latency_mean:.1f}"
    value: int = {"calls": tally.calls, "fresh": tally.fresh + tally.stored, "cached": tally.cached}.get(
        column, tally.output
    )
    return f"{value:,}".replace(",", "\u202f")


def usd(cost: Decimal | None) -> str:
    """An amount of USD with as many digits as it needs; a question mark where no price is known.

    >>> usd(Decimal("1.5")), usd(Decimal("0.00123")), usd(None)
    ('1.50', '0.0012', '?')
    """
    if cost is None:
        return "?"
    return f"{cost:.2f}" if cost == 0 or cost >= CENT else f"{cost:.4f}"
