from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import (
    BudgetSpent,
    DiplomatError,
    OutOfTime,
    OutputExists,
    Suspended,
    Unreachable,
    UsageError,
)
from diplomat.llm.answers import Settled
from diplomat.llm.base import Completion, ProviderFault, Usage
from diplomat.llm.budget import Budget
from diplomat.llm.calls import Calls, OtherRequest
from diplomat.llm.desk import Desk
from diplomat.llm.names import Endpoint, parse
from diplomat.llm.prices import Price, Prices
from diplomat.llm.retry import Policy
from diplomat.llm.totals import Tally, whole
from diplomat.testing.loopback import Loopback
from tests.llm.making import GOOD, QUICK, Fake, Hours, anthropic_at, call, openai_at, run, server_at

A = Endpoint("openai", "gpt-4o-mini")
B = Endpoint("server", "m", "http://127.0.0.1:1/v1")
DOWN = ProviderFault("overloaded", "down")


def desk(*fakes: Fake, **options: Any) -> Desk:
    endpoints = (A, B)[: len(fakes)]
    return Desk(endpoints, providers=dict(zip(endpoints, fakes, strict=True)), **({"policy": QUICK} | options))


async def never() -> Completion:
    await asyncio.Event().wait()
    raise AssertionError


def test_real_sdks_play_through_faults_and_resume_without_asking_again(server: Loopback, tmp_path: Path) -> None:
    path = tmp_path / "g.calls.jsonl"
    endpoints = [openai_at(server), anthropic_at(server), server_at(server)]
    server.script("rate_limited", "ok", "server_error", "cut", "not_utf8", "overloaded")

    async def play(count: int, **options: Any) -> tuple[list[Completion], tuple[Tally, ...], Decimal]:
        async with Desk(endpoints, policy=replace(QUICK, attempts=9), **options) as made:
            work = [
                made.ask(endpoint, call(number, seat=endpoint.kind))
                for number in range(count)
                for endpoint in endpoints
            ]
            return list(await asyncio.gather(*work)), made.totals(), made.spent

    first = run(play(4, record=path))
    asked = len(server.calls)
    assert sum(tally.retries for tally in first[1]) == 5
    again = run(play(4, record=path, resume=True))
    assert again == first
    assert len(server.calls) == asked
    more = run(play(6, record=path, resume=True))
    assert more[0][:12] == first[0]
    assert len(server.calls) == asked + 6
    resumed_twice = run(play(6, record=path, resume=True))
    assert resumed_twice == more
    server.stop()
    assert run(play(6, replay=path)) == more
    assert "ecretKey42" not in path.read_text()
    assert whole(first[1]).cost == first[2] > 0


def test_a_key_that_a_server_echoes_reaches_neither_the_game_nor_the_record(tmp_path: Path) -> None:
    path = tmp_path / "g.calls.jsonl"
    key = "sk-proj-0penaiSecretKey42"
    echo = Completion(f'{{"answer":"hold","note":"{key}"}}', thinking=key, provider_id=f"id-{key}")

    async def play(**options: Any) -> Completion:
        async with desk(Fake(echo), **options) as made:
            return await made.ask(A, call())

    got = run(play(record=path))
    assert "ecretKey42" not in repr(got)
    assert json.loads(got.text) == {"answer": "hold", "note": "[key]"}
    assert "ecretKey42" not in path.read_text()
    assert run(play(replay=path)) == got


def test_each_request_to_a_silent_server_is_paid_and_written_down(server: Loopback, tmp_path: Path) -> None:
    """Also those that are made without a stream because the stream was empty."""
    path, at = tmp_path / "g.calls.jsonl", server_at(server)
    prices = Prices({at.name: Price(Decimal(1), Decimal(10), Decimal(1), Decimal(1))})

    async def spent(*faults: str) -> tuple[Decimal, int]:
        server.script(*faults)
        async with Desk([at], policy=QUICK, prices=prices, record=path, force=True) as made:
            await made.ask(at, call())
            return made.spent, len(whole_attempts(path))

    plain, none = run(spent("ok"))
    once, one = run(spent("too_long_unsaid", "ok"))
    most, two = run(spent("too_long_unsaid", "cut", "ok"))
    assert (none, one, two) == (0, 1, 2)
    assert plain < once < most
    assert most - once == once - plain


def whole_attempts(path: Path) -> list[Any]:
    """The attempts of the calls in a file that came to nothing."""
    return [attempt for entry in Calls.load(path).entries.values() for attempt in entry.attempts]


def test_a_replay_asks_no_server(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    fake = Fake(GOOD)

    async def play() -> None:
        async with desk(fake, record=path) as made:
            await made.ask(A, call(1))
        async with Desk([A], replay=path) as made:
            assert (await made.ask(A, call(1))).text == GOOD.text
            with pytest.raises(OtherRequest, match="no call crab/r2#1"):
                await made.ask(A, call(2))
            with pytest.raises(OtherRequest, match="turn 1 is another"):
                await made.ask(A, call(1, text="Other."))

    run(play())
    assert len(fake.asked) == 1
    assert issubclass(OtherRequest, Suspended)


def test_a_game_resumed_with_another_prompt_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"

    async def play() -> None:
        async with desk(Fake(GOOD), record=path) as made:
            await made.ask(A, call(1))
        async with desk(Fake(GOOD), record=path, resume=True) as made:
            with pytest.raises(OtherRequest, match="another request for crab/r1#1"):
                await made.ask(A, call(1, max_output=5))

    run(play())


def test_a_fault_is_recorded_and_comes_again(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"

    async def play() -> None:
        fake = Fake(ProviderFault("too_long", "too many"))
        async with desk(fake, record=path) as made:
            for _ in range(2):
                with pytest.raises(ProviderFault, match="too many") as fault:
                    await made.ask(A, call(1))
        assert len(fake.asked) == 1
        async with Desk([A], replay=path) as made:
            with pytest.raises(ProviderFault, match="too many") as again:
                await made.ask(A, call(1))
            assert again.value.kind == fault.value.kind == "too_long"

    run(play())


async def stopped(made: Desk, *reason: str) -> None:
    task = asyncio.create_task(made.ask(A, call(1)))
    await asyncio.sleep(0.02)
    task.cancel(*reason)
    with pytest.raises(asyncio.CancelledError):
        await task


def test_only_the_deadline_settles_a_call_that_was_stopped(tmp_path: Path) -> None:
    """Any other stop leaves what it may have cost, and the call is made anew."""

    async def play() -> None:
        for reason, left in (((), ["failed"]), (("deadline",), ["expired"]), (("other",), ["failed"])):
            path = tmp_path / f"{reason}.jsonl"
            async with desk(Fake(never), record=path) as made:
                await stopped(made, *reason)
            assert [entry.status for entry in Calls.load(path).entries.values()] == left
            paid = next(iter(Calls.load(path).entries.values())).cost
            assert paid
            done = Settled(frozenset({"crab/r1"} if "deadline" in reason else ()))
            async with desk(Fake(GOOD), record=path, resume=True, settled=done) as made:
                assert made.spent == paid
                if reason == ("deadline",):
                    with pytest.raises(OutOfTime):
                        await made.ask(A, call(1))
                else:
                    assert (await made.ask(A, call(1))).text == GOOD.text
                    assert made.spent > paid

    run(play())


def test_the_deadline_reaches_a_real_call(server: Loopback, tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    server.script("hang")

    async def play() -> None:
        endpoint = server_at(server)
        async with Desk([endpoint], record=path) as made:
            task = asyncio.create_task(made.ask(endpoint, call(1)))
            await asyncio.sleep(0.3)
            task.cancel("deadline")
            with pytest.raises(asyncio.CancelledError):
                await task

    run(play())
    assert Calls.load(path).entries["crab/r1#1"].status == "expired"


def test_the_limit_holds_before_the_call_and_not_after() -> None:
    async def play() -> None:
        fake = Fake(replace(GOOD, usage=Usage(fresh=1_000_000, output=0)))
        async with desk(fake, budget=Budget("0.001")) as made:
            await made.ask(A, call(1))
            with pytest.raises(BudgetSpent):
                await made.ask(A, call(2))
        assert len(fake.asked) == 1

    run(play())


def test_a_call_of_unknown_use_counts_as_much_as_it_may_cost(tmp_path: Path) -> None:
    async def spent(fake: Fake) -> tuple[Decimal, int]:
        async with desk(fake, budget=Budget(1)) as made:
            with contextlib.suppress(ProviderFault):
                await made.ask(A, call(1))
            return made.spent, whole(made.totals()).estimated

    unknown = run(spent(Fake(replace(GOOD, usage=Usage()))))
    assert unknown[0] > run(spent(Fake(GOOD)))[0] > 0
    assert unknown[1] == 1
    assert run(spent(Fake(ProviderFault("rejected", "x")))) == (Decimal(0), 0)
    assert run(spent(Fake(ProviderFault("rejected", "x", billed=True)))) == unknown

    async def expired() -> Decimal:
        async with desk(Fake(never), budget=Budget(1), record=tmp_path / "g.jsonl") as made:
            await stopped(made, "deadline")
            return made.spent

    assert run(expired()) == unknown[0]


def test_the_budget_is_the_games_and_not_the_sessions(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"

    async def play(**options: Any) -> Decimal:
        async with desk(Fake(GOOD), budget=Budget(1), record=path, **options) as made:
            await made.ask(A, call(len(made.totals())))
            return made.spent

    assert run(play()) > 0
    assert run(play(resume=True)) == 2 * Decimal("0.000021")


def test_a_budget_without_a_price_does_not_start() -> None:
    strange = parse("https://example.org/v1#mystery")
    with pytest.raises(UsageError, match=r'"https://example\.org/v1#mystery" ='):
        Desk([strange], budget=Budget(5), providers={strange: Fake(GOOD)})
    made = Desk([strange], providers={strange: Fake(GOOD)})
    assert made.unpriced == (strange,)
    run(made.ask(strange, call()))
    assert whole(made.totals()).cost is None


def test_a_missing_key_is_told_before_the_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        Desk([A], record=tmp_path / "g.jsonl")
    assert not (tmp_path / "g.jsonl").exists()


@pytest.mark.parametrize(("kind", "says"), [("denied", "key"), ("unknown_model", "model")])
def test_a_wrong_key_or_model_stops_the_game_and_leaves_no_record(kind: Any, says: str, tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"

    async def play() -> None:
        async with desk(Fake(ProviderFault(kind, "x")), record=path) as made:
            with pytest.raises(Suspended, match=says):
                await made.ask(A, call(1))

    run(play())
    assert not Calls.load(path).entries


def outage(a: Fake, b: Fake, work: Callable[[Desk], Any], hours: Hours, patience: float = 120.0) -> Any:
    async def play() -> Any:
        policy = Policy(attempts=3, total=60, first=2, most=10)
        async with desk(a, b, clock=hours, sleep=hours.sleep, patience=patience, policy=policy) as made:
            return await work(made)

    return run(play())


def test_when_nobody_answers_the_game_stops_after_its_patience() -> None:
    hours, a, b = Hours(), Fake(DOWN), Fake(DOWN)

    async def work(made: Desk) -> list[Any]:
        asks = (made.ask(A, call(1)), made.ask(B, call(2)))
        return list(await asyncio.gather(*asks, return_exceptions=True))

    ends = outage(a, b, work, hours)
    assert [type(end) for end in ends] == [Unreachable, Unreachable]
    assert 120 <= hours.now < 200
    assert len(a.asked) < 60, "it waits and does not run in circles"


def test_an_outage_that_ends_in_time_costs_no_answer() -> None:
    hours, a, b = Hours(), Fake(*[DOWN] * 7, GOOD), Fake(*[DOWN] * 7, GOOD)

    async def work(made: Desk) -> list[Any]:
        return list(await asyncio.gather(made.ask(A, call(1)), made.ask(B, call(2))))

    assert [end.text for end in outage(a, b, work, hours, patience=1000)] == [GOOD.text] * 2


def test_one_dead_endpoint_fails_quickly_and_is_looked_at_now_and_then() -> None:
    hours, a, b = Hours(), Fake(*[DOWN] * 4, GOOD), Fake(GOOD)

    async def work(made: Desk) -> list[str]:
        seen = []
        for number in range(60):
            await made.ask(B, call(1000 + number))
            try:
                seen.append((await made.ask(A, call(number))).text and "ok")
            except ProviderFault as fault:
                seen.append(f"{fault.kind} {len(a.asked)}")
            await hours.sleep(1)
        return seen

    seen = outage(a, b, work, hours)
    assert seen[0] == "overloaded 3", "all attempts of the first call"
    assert seen[1:9] == ["overloaded 3"] * 8, "then none"
    assert "overloaded 4" in seen, "then one, to see"
    assert seen[-1] == "ok"
    assert len(a.asked) < 60


def test_an_endpoint_that_nobody_asks_any_more_is_no_proof_that_the_net_works() -> None:
    hours, a, b = Hours(), Fake(DOWN), Fake(GOOD)

    async def work(made: Desk) -> int:
        await made.ask(B, call(1000))
        for number in range(100):
            try:
                await made.ask(A, call(number))
            except ProviderFault:
                continue
            except Unreachable:
                return number
        return 100

    assert outage(a, b, work, hours) <= 60, "each default has cost the time of all attempts"
    assert hours.now >= 120


def test_a_call_goes_only_to_models_of_the_game() -> None:
    async def play() -> None:
        async with desk(Fake(GOOD)) as made:
            with pytest.raises(DiplomatError, match="no model of this game"):
                await made.ask(B, call())

    run(play())


def test_a_new_game_does_not_write_into_the_calls_of_another(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    first = desk(Fake(GOOD), record=path)
    with pytest.raises(OutputExists):
        desk(Fake(GOOD), record=path)
    run(first.close())
    with pytest.raises(OutputExists):
        desk(Fake(GOOD), record=path)
    run(desk(Fake(GOOD), record=path, force=True).close())


def test_a_torn_line_is_cut_off_and_told(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"

    async def play() -> None:
        async with desk(Fake(GOOD), record=path) as made:
            await made.ask(A, call(1))
        with path.open("ab") as file:
            file.write(b'{"kind":"ca')
        async with desk(Fake(GOOD), record=path, resume=True) as made:
            assert made.repaired == 11
            await made.ask(A, call(2))

    run(play())
    assert len(Calls.load(path).entries) == 2


def test_totals_say_what_each_seat_used_for_what() -> None:
    async def play() -> tuple[Tally, ...]:
        async with desk(Fake(ProviderFault("rate", "x"), GOOD)) as made:
            await made.ask(A, call(1))
            await made.ask(A, call(2))
            await made.ask(A, call(3, purpose="talk"))
            return made.totals()

    place, talk = run(play())
    assert (place.seat, place.purpose, place.calls, place.done, place.retries) == ("crab", "place", 2, 2, 1)
    assert (place.fresh, place.output, place.cost) == (200, 20, 2 * Decimal("0.000021"))
    assert talk.prefix_share == 1.0
    assert place.latency_p95 is not None
    assert json.dumps(place.latency_mean)
