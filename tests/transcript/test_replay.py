"""A log folded again as anybody at the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from diplomat.core.errors import UnknownName
from diplomat.transcript.reader import read
from diplomat.transcript.replay import known_to, seen_by, viewer


def test_viewer(rokugan: Path) -> None:
    transcript = read(rokugan)
    names = transcript.game.story.names(known_to(transcript, None), "en")
    assert viewer(transcript, "watcher") is None
    assert viewer(transcript, "s2") == "s2"
    for seat, name in names.items():
        assert viewer(transcript, name.upper()) == seat
    with pytest.raises(UnknownName, match="unknown seat 'nobody'") as caught:
        viewer(transcript, "nobody")
    assert {"s1", "s2", "watcher"} < set(caught.value.known)


def test_everybody_sees_only_what_was_meant_for_it(rich: Path) -> None:
    transcript = read(rich)
    for seat in (*transcript.seats, None):
        seen = list(seen_by(transcript, seat))
        assert [line.n for line in seen] == [n.n for n in transcript.lines if n.audience.includes(seat)]
        assert 0 < len(seen) < len(transcript.lines)


def test_knowledge_after_some_events(rich: Path) -> None:
    transcript = read(rich)
    s1 = transcript.seats[0]
    assert known_to(transcript, s1, 1).character is None
    assert known_to(transcript, s1, 10).character is not None
    assert known_to(transcript, None).character is None
    assert known_to(transcript, s1).floor.phase == "over"
    assert list(seen_by(transcript, s1, 0)) == []
