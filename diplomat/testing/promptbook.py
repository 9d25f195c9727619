"""Golden prompts: what a model at a small table is sent, word for word, kept as files.

``python -m diplomat.testing.promptbook`` compares, ``--write`` writes them anew.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from diplomat.core.texts import LANGUAGES
from diplomat.games import found
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.pretended import Pretended, models_at, played_by, prompt_text
from diplomat.testing.walk import AnyGame

FOLDER = Path("tests/golden/prompts")
SEAT = "s2"


def prompts(game: AnyGame, lang: str, level: str) -> str:
    """Every last prompt of a chapter that one seat is sent in a short game; at the compact level each prompt."""
    desk = Pretended("golden", talk=0.8)
    seats = min(3, game.seats[-1]) if game.seats[0] <= 3 else game.seats[0]
    settings = {"rounds": 2, "talk_waves": 1} if game.id == "rokugan" else {}
    pace = "plan" if level == "full" else "step"
    played_by(*models_at(game, seats, desk, seed="golden", settings=settings, lang=lang, level=level, pace=pace))
    calls = [call for call in desk.calls if call.seat == SEAT]
    shown = calls[:3] if level == "compact" else [calls[0], calls[-1]]
    return "\n\n".join(f"##### {call.id}\n\n{prompt_text(call)}" for call in shown)


def book() -> Iterator[tuple[str, str]]:
    """File names and their texts."""
    games: Mapping[str, AnyGame] = {**found(), "masquerade": masquerade}
    for name in ("rokugan", "masquerade"):
        for lang in LANGUAGES:
            for level in ("full", "compact"):
                yield f"{name}.{lang}.{level}.txt", prompts(games[name], lang, level)


def differences(folder: Path = FOLDER) -> str:
    """A unified diff from the golden files to what is sent now; empty when they agree."""
    rows: list[str] = []
    for name, text in book():
        path = folder / name
        old = path.read_text(encoding="utf-8") if path.is_file() else ""
        rows += difflib.unified_diff(old.splitlines(), text.splitlines(), str(path), "now", lineterm="", n=1)
    return "\n".join(rows)


def main(arguments: Sequence[str], folder: Path = FOLDER) -> int:
    """Compares the golden prompts, or writes them; 1 when something differs."""
    if "--write" in arguments:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in book():
            (folder / name).write_text(text, encoding="utf-8")
        return 0
    differing = differences(folder)
    sys.stdout.write(differing)
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
