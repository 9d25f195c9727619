"""The published and the pilot's figures on Peskov's games come out again, through the statistics of this package."""

from __future__ import annotations

from typing import Any

import pytest

from diplomat.study.datasets.peskov import PeskovDialogue, message_rows
from diplomat.study.stats.bootstrap import cluster_bootstrap, row_bootstrap, totals_by
from diplomat.study.stats.detection import Judged, detection_report
from diplomat.study.stats.extraction import BENCHMARKS, Compared, extraction_report
from diplomat.study.stats.intervals import wilson
from diplomat.study.stats.regression import gee, mixed_logit


def judged(dialogues: tuple[PeskovDialogue, ...], split: str = "") -> list[Judged]:
    return [
        Judged(row.game_id, row.intention == "lie", None if row.perception is None else row.perception == "lie")
        for row in message_rows(dialogues)
        if split in ("", row.split)
    ]


def test_receivers_detect_lies_on_the_test_games_as_published(peskov: tuple[PeskovDialogue, ...]) -> None:
    report = detection_report(judged(peskov, "test"), reps=50)
    counts = report.counts
    assert (counts.believed, counts.doubted, counts.missed, counts.caught) == (2145, 123, 165, 42)
    assert report.unlabelled == 266
    assert report.figure("macro_f1").estimate == pytest.approx(0.581, abs=0.0005)
    assert report.figure("lie_f1").estimate == pytest.approx(0.226, abs=0.0005)
    assert report.figure("kappa").estimate == pytest.approx(0.164, abs=0.0005)
    assert report.figure("lie_f1", "always_lie").estimate == pytest.approx(0.161, abs=0.0005)
    assert report.figure("macro_f1", "always_truth").estimate == pytest.approx(0.477, abs=0.0005)
    assert [caution.code for caution in report.figure("lie_f1").cautions] == ["few_games"]


def test_receivers_detect_lies_in_all_games_as_in_the_note(peskov: tuple[PeskovDialogue, ...]) -> None:
    report = detection_report(judged(peskov), reps=50)
    assert report.figure("macro_f1").estimate == pytest.approx(0.5476, abs=0.00005)
    assert report.figure("lie_f1").estimate == pytest.approx(0.1405, abs=0.00005)
    assert report.figure("kappa").estimate == pytest.approx(0.0952, abs=0.00005)


def resolved(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if not row["question"]]


def test_resampling_games_widens_the_interval_as_in_the_pilot(rule_promises: list[dict[str, Any]]) -> None:
    broken = [row for row in resolved(rule_promises) if row["rule_status"] == "broken"]

    def lies(row: dict[str, Any]) -> tuple[float, ...]:
        return float(row["sender_labelled_lie"]), 1.0

    games = cluster_bootstrap(totals_by(broken, lambda row: row["game_id"], lies), reps=10_000)
    alone = row_bootstrap(broken, lies, reps=10_000)
    score = wilson(41, 233)
    assert games.estimate == alone.estimate == score.estimate == pytest.approx(41 / 233)
    assert (games.low, games.high) == pytest.approx((0.06, 0.28), abs=0.01)
    assert (alone.low, alone.high) == pytest.approx((0.13, 0.23), abs=0.01)
    assert games.width > alone.width


def test_kept_rate_of_the_pilot(rule_promises: list[dict[str, Any]]) -> None:
    rows = resolved(rule_promises)
    score = wilson(sum(row["rule_status"] == "kept" for row in rows), len(rows))
    assert (score.low, score.high) == pytest.approx((0.690, 0.751), abs=0.0005)
    totals = totals_by(rows, lambda row: row["game_id"], lambda row: (row["rule_status"] == "kept", 1))
    games = cluster_bootstrap(totals, reps=10_000)
    assert (games.low, games.high) == pytest.approx((0.658, 0.771), abs=0.01)


@pytest.mark.long
def test_logits_of_the_pilot(rule_promises: list[dict[str, Any]]) -> None:
    pytest.importorskip("statsmodels", reason="statsmodels of the extra `study` is not installed")
    rows = [
        {
            "game": row["game_id"],
            "seat": f"{row['game_id']}-{row['sender']}",
            "broken": row["rule_status"] == "broken",
            "lie": row["sender_labelled_lie"],
            "conditional": row["conditional"],
            "hedged": row["hedged"],
            "notation": row["type"] == "ORDER",
        }
        for row in resolved(rule_promises)
    ]
    predictors = ["lie", "conditional", "hedged", "notation"]
    plain = gee(rows, "broken", predictors, working="independence")
    assert plain.term("lie").estimate == pytest.approx(1.47, abs=0.005)
    assert plain.term("lie").error == pytest.approx(0.28, abs=0.02)
    assert plain.term("conditional").estimate == pytest.approx(0.82, abs=0.005)
    mixed = mixed_logit(rows, "broken", predictors, groups=["game", "seat"])
    assert mixed.term("lie").estimate == pytest.approx(1.44, abs=0.05)
    assert mixed.r_code.splitlines()[1].startswith(
        "fit <- glmer(broken ~ lie + conditional + hedged + notation + (1 | game) + (1 | seat)"
    )
    assert "variational" in [caution.code for caution in mixed.cautions]


def test_precision_of_the_pilots_rules_on_the_hand_checked_rows(rule_promises: list[dict[str, Any]]) -> None:
    checked = [row for row in rule_promises if row["hand_check"]]
    assert len(checked) == 120
    units = [
        Compared(
            str(row["game_id"]),
            row["rule_status"] if row["hand_check"] == "valid" else "no_promise",
            row["rule_status"],
        )
        for row in checked
    ]
    (broken,) = extraction_report(units, ["broken"], reps=200)
    assert (broken.found, broken.right) == (80, 25)
    strict = [known.value for known in BENCHMARKS if "strict" in known.what]
    assert strict == pytest.approx([broken.precision.estimate], abs=0.005)
