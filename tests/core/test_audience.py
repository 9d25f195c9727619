"""Who may learn of an event."""

from __future__ import annotations

import pytest

from diplomat.core.audience import PUBLIC, SEALED, Audience, Seat, only
from diplomat.core.events import Event, kind_of


@pytest.mark.parametrize(
    ("audience", "owner", "other", "watcher", "listed"),
    [
        (PUBLIC, True, True, True, None),
        (SEALED, False, False, False, []),
        (only("s1"), True, False, False, ["s1"]),
        (only("s2", "s1"), True, True, False, ["s1", "s2"]),
        (only(["s2", "s1"], "s1"), True, True, False, ["s1", "s2"]),
    ],
)
def test_audience(audience: Audience, owner: bool, other: bool, watcher: bool, listed: list[str] | None) -> None:
    assert audience.includes(Seat("s1")) is owner
    assert audience.includes(Seat("s2")) is other
    assert audience.includes(None) is watcher
    assert audience.listed() == listed


def test_an_event_without_an_audience_cannot_be_made() -> None:
    with pytest.raises(TypeError, match=r"Nameless.*audience"):

        class Nameless(Event):
            pass


def test_kind_is_the_name_in_small_letters() -> None:
    class TokenLaid(Event):
        def audience(self) -> Audience:
            return PUBLIC

    class Won(TokenLaid):
        pass

    assert (kind_of(TokenLaid), kind_of(Won)) == ("token_laid", "won")
