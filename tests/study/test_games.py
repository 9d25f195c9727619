"""Ledgers of whole games: through the real table, in both languages, and what they say of personalities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from diplomat.core.game import Decision, Reply
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import SeedSealed
from diplomat.core.talk import Message
from diplomat.games import find
from diplomat.session import prepare
from diplomat.study.extract_declared import Declared
from diplomat.study.extract_rules import Rules
from diplomat.study.ledger import Fold, Ledger, of
from diplomat.study.vocabulary import vocabulary_of
from diplomat.table.referee import Referee
from diplomat.table.table import Table, finish
from diplomat.testing.agents import Scripted, drawn
from diplomat.transcript.reader import Transcript, read
from diplomat.transcript.writer import Writer


def logged(path: Path, agents: dict[str, Any]) -> Transcript:
    """A game of test agents, played at the real table and written down."""
    session = prepare("rokugan", len(agents), seed="7")
    referee: Referee[Any, Any] = Referee(find("rokugan"), session.settings, session.seats, "7")
    writer = Writer(path, session.header(), lambda: "2026-11-30T12:00:00+00:00")
    referee.listen(lambda n, event: writer.hear(n, event, {"nonce": "-"} if isinstance(event, SeedSealed) else {}))
    finish(Table(referee, {seat: agents[seat] for seat in session.seats}).play())
    writer.close()
    return read(path)


def _suitor(decision: Decision[Any]) -> Reply:
    """Offers peace in round 1 and says privately that it will not keep it; promises nonsense once."""
    if decision.request.id != "r1.talk1.s1":
        return Reply(drawn(decision))
    offer = Pledge("offer", (_spare("s1", "s2"),), (_spare("s2", "s1"),))
    nonsense = Pledge("promise", (Goal("befriend", decision.request.seat, 1, 1),))
    said = (
        Message(("s2",), "Мир на этот раунд?\nЯ серьёзно 🕊", (offer,)),
        Message(("s3",), "Let us be friends.", (nonsense,)),
    )
    return Reply(drawn(decision), said, Plan(keep={"s1>s2.1": "no"}))


def _courted(decision: Decision[Any]) -> Reply:
    """Accepts whatever is offered, and means it."""
    offers = [m for m in decision.known.talk if m.sender == "s1" and m.pledges]
    if decision.request.kind != "talk" or not offers or not decision.request.id.startswith("r1.talk2"):
        return Reply(drawn(decision))
    yes = Message(("s1",), "Agreed.", (Pledge("accept", ref=offers[0].id),))
    return Reply(drawn(decision), (yes,), Plan(keep={offers[0].id: "yes"}))


def _spare(by: Any, target: str) -> Goal:
    return Goal("not_attack", by, 1, 1, {"target": target})


def test_promises_plans_and_malformed_pledges_come_through_the_real_table(tmp_path: Path) -> None:
    agents = {"s1": Scripted(_suitor), "s2": Scripted(_courted), "s3": Scripted(lambda d: Reply(drawn(d)))}
    ledger = of(logged(tmp_path / "game.jsonl", agents))
    by_debtor = {
        (row.debtor, row.act): (row, verdict) for row, verdict in zip(ledger.promises, ledger.verdicts, strict=True)
    }
    offered, mine = by_debtor["s1", "offer"]
    taken, theirs = by_debtor["s2", "accept"]
    assert (mine.meant, theirs.meant) == ("insincere", "sincere")
    assert mine.outcome in ("relented", "premeditated")
    assert theirs.outcome in ("honoured", "changed_mind")
    assert (mine.believed, mine.said) == ("believed", "Мир на этот раунд?\nЯ серьёзно 🕊")
    assert offered.mutual_of == (taken.pid,)
    assert by_debtor["s1", "promise"][1].did == "untracked"
    assert all(one.status != "pending" for one in ledger.resolutions)
    assert ledger.finished


def test_the_ledger_agrees_with_the_games_own(played: Transcript) -> None:
    """The reveal page and the study may name a breach differently but never see another deed."""
    log = played
    theirs = log.game.pledges.ledger(log.seats)
    for event in log.events():
        theirs.hear(event)
    ledger = of(log, (Declared(),))
    fates = {
        (row.debtor, row.creditors, row.goal.verb, tuple(sorted(row.goal.args.items())), row.window_start): found
        for row, found in zip(ledger.promises, ledger.resolutions, strict=True)
        if row.goal is not None and row.act != "threat"
    }
    for one in theirs.made:
        goal = one.goal
        found = fates[one.debtor, one.creditors or ("*",), goal.verb, tuple(sorted(goal.args.items())), goal.first]
        allowed = {"kept": {"kept"}, "broken": {"broken", "void"}, "excused": {"broken"}, "void": {"void"}}
        assert found.status in allowed.get(one.status, {"kept", "broken", "void"}), one


def test_rules_find_in_scripted_words_what_was_declared_beside_them(played: Transcript) -> None:
    log = played
    vocabulary: Any = vocabulary_of(log.game)
    declared, read_ = of(log, (Declared(),)), of(log, (Rules(vocabulary, beside=True),))
    assert {row.source for row in read_.promises} == {"rule"}
    truth, found = _words(declared), _words(read_)
    assert len(truth & found) >= 0.95 * max(len(truth), len(found))


def test_rules_find_no_promise_in_scripted_words_that_declare_none(played: Transcript) -> None:
    assert {row.source for row in of(played).promises} == {"declared"}


def _words(ledger: Ledger) -> set[tuple[str, tuple[str, ...], str, int, int, bool]]:
    """Promises without arguments that the words leave to be understood."""
    return {
        (row.debtor, row.creditors, row.goal.verb, row.window_start, row.window_end, row.act == "threat")
        for row in ledger.promises
        if row.goal is not None
    }


def test_in_a_whole_game_final_is_final(played: Transcript) -> None:
    log = played
    fold = Fold(log.seats, vocabulary_of(log.game), log.settings)
    final: dict[str, tuple[str, str, int]] = {}
    for line in log.lines:
        fold.hear(line.n, line.event)
        if line.n % 40 and line.n != len(log.lines):
            continue
        for one in fold.resolutions(fold.promises()):
            now = (one.status, one.reason, one.t_final)
            assert final.setdefault(one.pid, now) == now
            if one.status == "pending":
                del final[one.pid]
    assert len(final) > 20
