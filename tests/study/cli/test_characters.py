"""A hundred games of scripted players: who keeps its word is ordered as the personalities say."""

from __future__ import annotations

from pathlib import Path

import pytest

from diplomat.agents.profile import find as profile
from diplomat.session import play
from diplomat.study import counts
from diplomat.study.counts import labelled
from diplomat.study.gather import gather
from diplomat.study.stats.rates import rates_by_group

GAMES = 100
LADDER = (("honest", "opportunist"), ("loyal", "opportunist"), ("opportunist", "schemer"), ("schemer", "backstabber"))
"""Above and below: their intervals, with whole games resampled, do not touch."""


@pytest.mark.long
def test_kept_rates_order_the_personalities_as_their_traits_do(tmp_path: Path) -> None:
    for number in range(GAMES):
        play("rokugan", 5, seed=f"study-{number}", out=tmp_path / f"game-{number:03d}.jsonl")
    ledgers = labelled(gather([tmp_path], jobs=2).ledgers, "profile")
    rows = {row.group: row for row in rates_by_group(counts.kept(ledgers, "profile"), "kept", "promise", reps=400)}
    assert len(rows) == 9
    for above, below in LADDER:
        assert profile(above).traits.honesty > profile(below).traits.honesty
        assert rows[above].cluster_low > rows[below].cluster_high, (rows[above], rows[below])
