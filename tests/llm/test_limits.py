"""Retries, the limiter, budget, prices and forecasts."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diplomat.core.dice import Dice
from diplomat.core.errors import BudgetSpent, UsageError
from diplomat.llm.base import Completion, ProviderFault, Usage
from diplomat.llm.budget import Budget
from diplomat.llm.limiter import Limiter, limiter_for
from diplomat.llm.names import parse
from diplomat.llm.prices import FREE, Price, Prices, as_of
from diplomat.llm.pricing import most_tokens
from diplomat.llm.retry import Attempt, Policy, persist
from tests.llm.making import GOOD, Hours, call, run

DIE = Dice("7").die("wait")


def tried(policy: Policy, *faults: ProviderFault) -> tuple[Completion | ProviderFault, Hours, list[Attempt], int]:
    left, hours, log, count = list(faults), Hours(), [], 0  # type: ignore[var-annotated]

    async def attempt() -> Completion:
        nonlocal count
        count += 1
        if left:
            raise left.pop(0)
        return GOOD

    async def work() -> Completion | ProviderFault:
        try:
            return await persist(attempt, policy=policy, die=DIE, log=log, sleep=hours.sleep, clock=hours)
        except ProviderFault as fault:
            return fault

    return run(work()), hours, log, count


def test_what_may_pass_is_tried_again_after_growing_waits() -> None:
    got, hours, log, count = tried(Policy(first=2.0, most=5.0), *[ProviderFault("overloaded", "x") for _ in range(4)])
    assert got == GOOD
    assert count == 5
    for waited, longest in zip(hours.slept, (2, 4, 5, 5), strict=True):
        assert longest / 2 <= waited <= longest
    assert [attempt.fault for attempt in log] == ["overloaded"] * 4
    assert [attempt.waited for attempt in log] == [round(waited, 3) for waited in hours.slept]


@pytest.mark.parametrize("kind", ["too_long", "unsupported", "denied", "unknown_model", "rejected"])
def test_what_does_not_pass_is_not_tried_again(kind: str) -> None:
    got, hours, _, count = tried(Policy(), ProviderFault(kind, "x"))  # type: ignore[arg-type]  # of the table above
    assert isinstance(got, ProviderFault)
    assert (count, hours.slept) == (1, [])


def test_retries_end_by_number_and_by_time() -> None:
    faults = [ProviderFault("rate", "x", retry_after=20) for _ in range(9)]
    got, _, _, count = tried(Policy(attempts=3, total=1000), *faults)
    assert isinstance(got, ProviderFault)
    assert count == 3
    got, hours, log, count = tried(Policy(attempts=9, total=50, most=60), *faults)
    assert isinstance(got, ProviderFault)
    assert count == 3
    assert hours.now <= 50
    assert log[-1].waited == 0


def test_a_server_that_asks_for_time_gets_it_within_bounds() -> None:
    _, hours, _, _ = tried(
        Policy(most=30.0), ProviderFault("rate", "x", retry_after=7), ProviderFault("rate", "x", retry_after=9e5)
    )
    assert 7 <= hours.slept[0] <= 8
    assert hours.slept[1] == 30


def test_the_limit_halves_once_for_calls_that_ran_together_and_recovers_by_one() -> None:
    async def work() -> list[int]:
        limiter, seen = Limiter(8, 64), []
        gate = asyncio.Event()

        async def refused() -> None:
            async with limiter.slot() as slot:
                await gate.wait()
                limiter.refused(slot)

        tasks = [asyncio.create_task(refused()) for _ in range(8)]
        await asyncio.sleep(0.01)
        gate.set()
        await asyncio.gather(*tasks)
        seen.append(limiter.limit)
        for _ in range(4):
            limiter.succeeded()
        seen.append(limiter.limit)
        for _ in range(10):
            async with limiter.slot() as slot:
                limiter.refused(slot)
        seen.append(limiter.limit)
        return seen

    assert run(work()) == [4, 5, 1]


def test_places_that_are_all_taken_double_until_the_first_refusal() -> None:
    async def wave(limiter: Limiter, calls: int, *, refuse: bool = False) -> int:
        async def one() -> None:
            async with limiter.slot() as slot:
                await asyncio.sleep(0.01)
                limiter.refused(slot) if refuse else limiter.succeeded()

        await asyncio.gather(*(one() for _ in range(calls)))
        return limiter.limit

    async def work() -> list[int]:
        limiter = Limiter(4, 64)
        few = await wave(limiter, 3)
        doubled = await wave(limiter, 4)
        halved = await wave(limiter, doubled, refuse=True)
        return [few, doubled, halved, await wave(limiter, halved)]

    assert run(work()) == [4, 8, 4, 5]


@given(
    first=st.integers(1, 4),
    moves=st.lists(st.sampled_from(["ok", "rate", "cancel", "raise"]), min_size=1, max_size=30),
)
@settings(max_examples=60, deadline=None)
def test_never_more_calls_at_once_than_the_limit_and_none_is_forgotten(first: int, moves: list[str]) -> None:
    async def work() -> None:
        limiter = Limiter(first, 8)
        running = 0

        async def one(move: str) -> None:
            nonlocal running
            async with limiter.slot() as slot:
                running += 1
                assert running <= 8
                if not any(other == "rate" for other in moves):
                    assert running <= limiter.limit
                try:
                    await asyncio.sleep(0)
                    await asyncio.sleep(0)
                    if move == "raise":
                        raise ValueError
                    if move == "rate":
                        limiter.refused(slot)
                    else:
                        limiter.succeeded()
                finally:
                    running -= 1

        tasks = [asyncio.create_task(one(move)) for move in moves]
        for turn, (task, move) in enumerate(zip(tasks, moves, strict=True)):
            if move == "cancel":
                for _ in range(turn % 4):
                    await asyncio.sleep(0)
                task.cancel()
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
        await asyncio.sleep(0)
        assert limiter.running == 0

    asyncio.run(work())


def test_the_limiter_of_a_provider_serves_one_loop_after_another() -> None:
    async def work() -> int:
        limiter = limiter_for("x")
        async with limiter.slot():
            return limiter.running

    assert run(work()) == 1
    assert run(work()) == 1
    assert limiter_for("x") is limiter_for("x")
    assert limiter_for("x") is not limiter_for("y")


AMOUNT = st.integers(0, 40).map(lambda cents: Decimal(cents) / 100)


@given(
    limit=AMOUNT, calls=st.lists(st.tuples(AMOUNT, st.integers(0, 100), st.integers(0, 5), st.booleans()), max_size=25)
)
@settings(max_examples=150, deadline=None)
def test_a_budget_is_never_exceeded_whatever_the_order(
    limit: Decimal, calls: list[tuple[Decimal, int, int, bool]]
) -> None:
    async def work() -> None:
        budget = Budget(limit)

        async def one(most: Decimal, percent: int, steps: int) -> None:
            reservation = await budget.reserve(most)
            assert budget.spent + budget.held <= limit
            try:
                for _ in range(steps):
                    await asyncio.sleep(0)
            finally:
                budget.settle(reservation, most * percent / 100)
                budget.settle(reservation, most)

        tasks = [asyncio.create_task(one(most, percent, steps)) for most, percent, steps, _ in calls]
        await asyncio.sleep(0)
        for task, (_, _, _, cancelled) in zip(tasks, calls, strict=True):
            if cancelled:
                task.cancel()
                await asyncio.sleep(0)
        ends = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
        assert budget.spent <= limit
        assert budget.held == 0
        for end, (most, _, _, _) in zip(ends, calls, strict=True):
            assert end is None or isinstance(end, (BudgetSpent, asyncio.CancelledError))
            if isinstance(end, BudgetSpent):
                assert most > 0

    asyncio.run(work())


def test_a_call_waits_for_money_that_others_may_leave_over() -> None:
    async def work() -> None:
        budget = Budget("1")
        first = await budget.reserve(Decimal("0.8"))
        second = asyncio.create_task(budget.reserve(Decimal("0.5")))
        third = asyncio.create_task(budget.reserve(Decimal("0.9")))
        await asyncio.sleep(0)
        assert not second.done()
        budget.settle(first, Decimal("0.3"))
        await asyncio.sleep(0)
        assert second.done()
        with pytest.raises(BudgetSpent, match=r"0\.9"):
            await third
        budget.settle(await second, Decimal(0))

    run(work())


def test_money_spent_in_an_earlier_part_of_the_game_counts() -> None:
    budget = Budget(1.0)
    budget.restore(Decimal("0.95"))
    with pytest.raises(BudgetSpent, match="--budget"):
        run(budget.reserve(Decimal("0.1")))


@pytest.mark.parametrize("amount", ["nan", "inf", "-1", "-0.01", "a lot", "", float("nan")])
def test_what_is_no_amount_of_money_is_no_budget(amount: str) -> None:
    with pytest.raises(UsageError, match="USD"):
        Budget(amount)


def test_prices_are_found_with_and_without_the_date_of_a_model() -> None:
    prices = Prices.load()
    plain = prices.of(parse("openai:gpt-4o"))
    assert plain is not None
    assert prices.of(parse("openai:gpt-4o-2024-08-06")) == plain
    assert prices.of(parse("anthropic:claude-haiku-4-5-20251001")) == prices.of(parse("anthropic:claude-haiku-4-5"))
    for unknown in ("openai:gpt-4o-audio", "openai:claude-haiku-4-5", "https://example.org/v1#gpt-4o"):
        assert prices.of(parse(unknown)) is None
    for near in (
        "local",
        "http://127.0.0.1:1/v1#m",
        "http://192.168.1.5/v1#m",
        "http://localhost/v1#m",
        "http://[::1]/v1#m",
    ):
        assert prices.of(parse(near)) == FREE
    assert as_of() >= "2025"


def test_costs_are_exact() -> None:
    price = Price(Decimal("0.15"), Decimal("0.6"), Decimal("0.075"), Decimal("0.3"))
    assert price.cost(Usage(fresh=1, cached=2, stored=3, output=5)) == Decimal("0.0000042")
    assert price.most(10, 5) == Decimal("0.000006")


def test_a_users_own_prices_come_first(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "prices.toml").write_text('["openai:gpt-4o"]\ninput = 1\noutput = 2\n["local"]\ninput=0.1\noutput=0.2\n')
    assert (Prices.load().of(parse("openai:gpt-4o")) or FREE).output == 2
    assert (Prices.load().of(parse("local")) or FREE).input == Decimal("0.1")
    named = tmp_path / "mine.toml"
    named.write_text('["openai:gpt-4o"]\ninput = 5\noutput = 6\ncached = 0.5\n')
    assert Prices.load(named).of(parse("openai:gpt-4o")) == Price(Decimal(5), Decimal(6), Decimal("0.5"), Decimal(5))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[", "TOML"),
        ('["m"]\ninput = 1', "lacks 'output'"),
        ('["m"]\ninput = -1\noutput = 1', "0 or more"),
        ('["m"]\ninput = nan\noutput = 1', "0 or more"),
        ('["m"]\ninput = "1"\noutput = 1', "number"),
        ('["m"]\ninput = true\noutput = 1', "number"),
        ('["m"]\ninput = 1\noutput = 1\nouptut = 2', "'ouptut'"),
        ("m = 5", "no table"),
    ],
)
def test_a_wrong_file_of_prices_is_told_where(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        Prices.load(path)
    assert says in str(error.value)
    assert str(path) in str(error.value)


def test_a_missing_file_of_prices_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Prices.load(tmp_path / "none.toml")


def test_the_bound_of_a_prompt_holds_in_every_script() -> None:
    asked = call(text="Ж漢🎴" * 50)
    assert most_tokens(asked) > len(("Ж漢🎴" * 50).encode())
