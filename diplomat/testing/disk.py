"""Plays on disks that are full, read-only or gone: the game stops with exit code 1 and a log that is whole.

``python -m diplomat.testing.disk`` runs ``diplomat play`` as a program of its own: on a small disk in memory
where one can be mounted, else under a limit of the system; in a folder that cannot be written; and in one
that is removed while the game runs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from diplomat.testing.killing import compared
from diplomat.testing.loopback import Loopback
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify

SMALL = 16 * 1024
"""Bytes of a disk or a file on which no game finds room."""
SMALL_CALLS = 64 * 1024
"""Bytes in which a log finds room, and the prompts of a language model do not."""
PATIENCE = 300
"""Seconds that a game may take on a busy machine."""
GAME = ("--seats", "2", "--set", "rounds=1", "--seed", "7", "--no-reveal")
Finding = dict[str, Any]


def _run(*argv: str | Path, limit: int | None = None, home: Path) -> subprocess.CompletedProcess[str]:
    """The program with these words; no file of it grows beyond the limit."""
    return subprocess.run(  # noqa: S603 — our own program with our own words
        _words(argv),
        env=_surroundings(home),
        preexec_fn=None if limit is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _words(argv: Sequence[str | Path]) -> list[str]:
    return [sys.executable, "-B", "-m", "diplomat", *map(str, argv)]


def _surroundings(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DIPLOMAT_")}
    return {**kept, "DIPLOMAT_HOME": str(home), "LANG": "C.UTF-8"}


@contextmanager
def _mounted(place: Path, options: str) -> Iterator[bool]:
    """A disk in memory; False where none can be mounted."""
    place.mkdir(exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    made = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 — the system's own, as it is found
    try:
        yield made.returncode == 0
    finally:
        if made.returncode == 0:
            subprocess.run(["umount", str(place)], check=True)  # noqa: S603, S607 — the system's own, as it is found


def _stopped(ran: subprocess.CompletedProcess[str], log: Path, wanted: Sequence[Any]) -> Finding:
    """How a game ended, and what is left of it."""
    said = ran.stderr.strip().splitlines()
    found: Finding = {"exit": ran.returncode, "said": said[-1] if said else ""}
    kept = read(log)
    events = compared(log)
    found |= {"events": len(events), "of": len(wanted), "torn": kept.torn, "sound": verify(kept).sound}
    whole = not kept.torn and found["sound"] and events == list(wanted[: len(events)]) and len(events) > 0
    return found | {"whole": whole, "good": ran.returncode == 1 and whole and _plain(ran.stderr)}


def _plain(told: str) -> bool:
    return bool(told) and "Traceback" not in told and "unexpected" not in told


def full_disk(folder: Path) -> Finding:
    """A disk with no room for the whole log."""
    wanted = _whole(folder)
    with _mounted(folder / "small", f"size={SMALL}") as mounted:
        log = folder / "small" / "game.jsonl" if mounted else folder / "limited.jsonl"
        ran = _run(
            "play", *GAME, "--display", "none", "--out", log, limit=None if mounted else SMALL, home=folder / "home"
        )
        found: Finding = {"disk": "tmpfs" if mounted else "RLIMIT_FSIZE"} | _stopped(ran, log, wanted)
        found["good"] = found["good"] and found["events"] < found["of"]
        if mounted:
            shutil.copy(log, folder / "saved.jsonl")
    if mounted:
        resumed = _run("resume", folder / "saved.jsonl", "--display", "none", "--no-reveal", home=folder / "home")
        found["resumed"] = resumed.returncode
        found["equal"] = compared(folder / "saved.jsonl") == wanted
        found["good"] = found["good"] and resumed.returncode == 0 and found["equal"]
    return found


def limited_files(folder: Path) -> Finding:
    """The system lets no file grow any more."""
    wanted, log = _whole(folder), folder / "limit.jsonl"
    ran = _run("play", *GAME, "--display", "none", "--out", log, limit=SMALL, home=folder / "home")
    found = _stopped(ran, log, wanted)
    resumed = _run("resume", log, "--display", "none", "--no-reveal", home=folder / "home")
    found |= {"resumed": resumed.returncode, "equal": compared(log) == wanted}
    return found | {"good": found["good"] and found["events"] < found["of"] and found["equal"]}


def no_room_for_calls(folder: Path) -> Finding:
    """The calls of language models find no room: the game stops before anything of the answer is played."""
    whole, log = folder / "models.jsonl", folder / "calls.jsonl"
    with Loopback(seed=1, models=("fake",)) as server:
        port = server.port
        game = ("play", *GAME, "--all", f"{server.openai_url}#fake", "--pace", "plan", "--display", "none")
        first = _run(*game, "--out", whole, home=folder / "home")
    with Loopback(seed=1, models=("fake",), port=port):
        ran = _run(*game, "--out", log, limit=SMALL_CALLS, home=folder / "home")
    wanted = compared(whole)
    found = _stopped(ran, log, wanted)
    # Servers that have seen nothing yet give the same replies to the same prompts.
    with Loopback(seed=1, models=("fake",), port=port):
        resumed = _run("resume", log, "--display", "none", "--no-reveal", home=folder / "home")
    found |= {"first": first.returncode, "resumed": resumed.returncode, "equal": compared(log) == wanted}
    return found | {"good": found["good"] and found["events"] < found["of"] and found["equal"]}


def read_only_folder(folder: Path) -> Finding:
    """A folder in which nothing can be made: the game does not even begin."""
    place = folder / "closed"
    with _mounted(place, "ro,size=1m") as mounted:
        if not mounted:
            place.chmod(0o555)
        if os.access(place, os.W_OK):
            return {"skipped": "whoever runs this may write everywhere and mount nothing", "good": True}
        ran = _run("play", *GAME, "--display", "none", "--out", place / "game.jsonl", home=folder / "home")
        left = sorted(path.name for path in place.iterdir())
    said = ran.stderr.strip()
    good = ran.returncode == 1 and not left and said.count("\n") == 0 and _plain(said)
    return {"exit": ran.returncode, "said": said, "left": left, "good": good}


def vanished_folder(folder: Path) -> Finding:
    """The folder is removed in mid-game: the game is played to its end, and its log is saved where it was."""
    wanted, log = _whole(folder), folder / "gone" / "deep" / "game.jsonl"
    watched = ("--display", "plain", "--delay", "0.02")
    with subprocess.Popen(  # noqa: S603 — our own program with our own words
        _words(["play", *GAME, *watched, "--out", log]),
        env=_surroundings(folder / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as playing:
        since = time.monotonic()
        while not log.exists() or log.read_bytes().count(b"\n") < len(wanted) // 3:
            if playing.poll() is not None or time.monotonic() - since > PATIENCE:
                playing.kill()
                break
            time.sleep(0.005)
        shutil.rmtree(folder / "gone", ignore_errors=True)
        _, told = playing.communicate(timeout=PATIENCE)
    ran = subprocess.CompletedProcess("", playing.returncode, "", told)
    found = _stopped(ran, log, wanted)
    return found | {"good": found["good"] and found["events"] == found["of"] and str(log) in found["said"]}


def _whole(folder: Path) -> list[dict[str, Any]]:
    """The same game on a disk on which nothing is wrong."""
    log = folder / "whole.jsonl"
    if not log.exists():
        _run("play", *GAME, "--display", "none", "--out", log, home=folder / "home")
    return compared(log)


MISHAPS: Mapping[str, Callable[[Path], Finding]] = {
    mishap.__name__: mishap
    for mishap in (full_disk, limited_files, no_room_for_calls, read_only_folder, vanished_folder)
}
"""All mishaps by name."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 if a log was not whole or an exit code was not 1."""
    parser = argparse.ArgumentParser(prog="python -m diplomat.testing.disk", description=__doc__)
    parser.add_argument("--only", choices=sorted(MISHAPS), help="one of the mishaps")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        results = {name: mishap(Path(folder)) for name, mishap in MISHAPS.items() if asked.only in (None, name)}
    sys.stdout.write(json.dumps(results) + "\n")
    return 0 if all(result["good"] for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
