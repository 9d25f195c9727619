"""``diplomat play --dry-run``: what a game with language models would take."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from diplomat.core.errors import UsageError

if TYPE_CHECKING:
    from diplomat.session import Session


def foretell(session: Session, *, as_json: bool) -> None:
    """Prints the forecast of a session; UsageError if no language model sits at the table."""
    from diplomat.cli.playing import print_json
    from diplomat.core.texts import load_texts
    from diplomat.llm.totals import whole
    from diplomat.session.forecast import forecast
    from diplomat.terminal.bill import show_bill, usd
    from diplomat.terminal.ladder import console, level

    if not session.endpoints:
        raise UsageError("no seat is played by a language model, so there is nothing to forecast; see --all and --seat")
    found = forecast(session)
    if as_json:
        print_json(
            {
                "together": whole(found.bill).as_dict(),
                "most": None if found.most is None else float(found.most),
                "bill": [t.as_dict() for t in found.bill],
            }
        )
        return
    out = console(level("auto", sys.stdout), sys.stdout)
    texts = load_texts("diplomat.terminal", "texts", session.lang)
    guide = session.game.guide
    show_bill(
        out,
        found.bill,
        session.lang,
        form=lambda form: guide.word("form", form, session.lang) or form,
        foreseen=True,
    )
    out.print(texts.say("bill.basis", most=usd(found.most)), markup=False, highlight=False)
