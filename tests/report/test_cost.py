"""The bill on the page: sums per seat, a question mark where no price is known."""

from __future__ import annotations

from typing import Any

from diplomat.cli.reveal import page_of
from diplomat.llm.totals import Tally
from diplomat.report.cost import charges
from diplomat.transcript.reader import Transcript


def row(seat: str, purpose: str = "move", **more: Any) -> dict[str, Any]:
    return {**Tally(seat, purpose).as_dict(), "calls": 2, "done": 2, "fresh": 1000, **more}


def test_a_seats_purposes_are_added_and_everything_is_summed() -> None:
    rows = [row("s1", cost=0.5, latency_mean=1.0), row("s1", "talk", cost=0.25, latency_mean=3.0), row("s2", failed=1)]
    found, total = charges(rows)
    assert [one.seat for one in found] == ["s1", "s2"]
    assert found[0].cells == ("4", "2\u202f000", "0", "0", "0.75", "2.0", "0")
    assert total == ("6", "3\u202f000", "0", "0", "0.75", "2.0", "1")


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    found, total = charges([row("s1", cost=None), row("s2", cost=0.001)])
    assert [one.cells[4] for one in found] == ["?", "0.0010"]
    assert total[4] == "?"


def test_the_bill_stands_on_the_page_and_its_absence_is_said(talked: Transcript) -> None:
    page = page_of(talked, "en", bill=[row("s1", cost=1.25)])
    assert "1.25" in page[page.index('id="cost"') :]
    assert "No calls of language models are on record" in page_of(talked, "en")
