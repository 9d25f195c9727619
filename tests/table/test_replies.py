"""Whatever a player hands over, what reaches the log is a fresh, well-typed copy, or a reason."""

from __future__ import annotations

from typing import Any

import pytest

from diplomat.core.audience import Seat
from diplomat.core.game import Reply
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.talk import Message
from diplomat.table.replies import LONGEST_REASON, ReplyError, fresh, reason
from diplomat.table.surplus import Cut, whole

GOAL = Goal("spare", Seat("s1"), 1, 2, {"target": "s2"})
FULL = Reply(
    {"act": "go", "to": ["a", "b"]},
    (Message(("s2",), "hi\n\nthere", (Pledge("promise", (GOAL,)),)), Message(("all",), "x")),
    Plan((GOAL,), {"s1>s2.1": "no"}, "mean"),
    "note",
)


def _loop() -> list[Any]:
    loop: list[Any] = []
    loop.append(loop)
    return loop


def _deep() -> Any:
    value: Any = 1
    for _ in range(50_000):
        value = [value]
    return value


def test_a_good_reply_is_kept_as_it_is() -> None:
    assert fresh(FULL) == FULL


def test_what_the_player_changes_later_changes_nothing() -> None:
    answer = {"cards": ["a"]}
    kept = fresh(Reply(answer))
    answer["cards"].append("b")
    assert kept.answer == {"cards": ["a"]}


def test_notes_and_plans_are_cleaned_and_half_pairs_replaced() -> None:
    kept = fresh(Reply("\ud800", plan=Plan(text="a\x1bb"), note="a\u202eb\ud800"))
    assert kept == Reply("?", plan=Plan(text="ab"), note="ab?")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (None, "NoneType instead"),
        ("pass", "str instead"),
        ({"answer": {}}, "dict instead"),
        (Reply(object()), "object cannot be written"),
        (Reply({1, "a"}), "not supported"),
        (Reply(float("nan")), "JSON"),
        (Reply(b"x"), "bytes cannot"),
        (Reply(_loop()), "levels"),
        (Reply(_deep()), "levels"),
        (Reply([[[[[[[[[[]] * 2] * 2] * 2]]]]] * 1]), None),
        (Reply({}, say=5), "say: "),  # type: ignore[arg-type]
        (Reply({}, say=("hi",)), "say.0: "),  # type: ignore[arg-type]
        (Reply({}, say=(Message("all", "hi"),)), "say.0.to: "),  # type: ignore[arg-type]
        (Reply({}, say=(Message(("s2",), ["hi"]),)), "say.0.text: "),  # type: ignore[arg-type]
        (Reply({}, say=(Message(("s2",), "hi", ("swear",)),)), "say.0.pledges.0: "),  # type: ignore[arg-type]
        (Reply({}, plan="win"), "plan: "),  # type: ignore[arg-type]
        (Reply({}, note=["n"]), "note: "),  # type: ignore[arg-type]
    ],
)
def test_bad_reply(reply: Any, why: str | None) -> None:
    if why is None:
        fresh(reply)
        return
    with pytest.raises(ReplyError, match=why):
        fresh(reply)


def test_forty_one_levels_are_too_many() -> None:
    value: Any = "x"
    for _ in range(41):
        value = [value]
    with pytest.raises(ReplyError, match="more than 40 levels"):
        fresh(Reply(value))


def test_an_unknown_act_is_kept_for_the_parley_to_return() -> None:
    assert fresh(Reply({}, (Message(("s2",), "hi", (Pledge("swear"),)),))).say[0].pledges == (Pledge("swear"),)


def test_reason_is_one_short_clean_line() -> None:
    assert reason(ValueError("a\nb\x1b[0m\ud800")) == "ValueError: a b[0m?"
    assert len(reason(ValueError("x" * 5000))) == LONGEST_REASON


class Boasting(list[Message]):
    """A list that gives itself out for longer than it is."""

    def __len__(self) -> int:
        return 10**15


@pytest.mark.parametrize("kind", [tuple, list])
@pytest.mark.parametrize("count", [20, 21, 22, 100_000])
def test_of_too_much_only_the_beginning_is_copied_and_the_rest_counted(kind: type[Any], count: int) -> None:
    pledge = Pledge("promise", (GOAL,))
    said = kind([Message(("s2",), "hi", kind([pledge]) * count)]) * count
    kept = fresh(Reply({}, said)).say
    assert (len(kept), whole(kept)) == (min(count, 21), count)
    assert [(len(message.pledges), whole(message.pledges)) for message in kept] == [(13, count)] * len(kept)


def test_nobody_can_boast_of_more_than_was_handed_over() -> None:
    said: Any = Boasting([Message(("s2",), "hi")] * 22)
    assert whole(fresh(Reply({}, said)).say) == 22
    said = Cut((Message(("s2",), "hi", Cut((Pledge("promise", (GOAL,)),), 10**15)),), 10**15)
    kept = fresh(Reply({}, said)).say
    assert (whole(kept), whole(kept[0].pledges)) == (1, 1)
