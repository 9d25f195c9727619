"""Serves from a command line: ``python -m diplomat.testing.loopback --port 0 --delay 2``.

Prints the address on one line; when it is stopped (Ctrl-C or SIGTERM), the totals as one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any

from diplomat.core.errors import DiplomatError, UsageError
from diplomat.testing.loopback.asked import MODES
from diplomat.testing.loopback.faults import FAULTS
from diplomat.testing.loopback.player import POLICIES
from diplomat.testing.loopback.server import Loopback
from diplomat.testing.loopback.settings import UNSUPPORTED


def parser() -> argparse.ArgumentParser:
    """The options."""
    listed = "\n".join(f"  {name:18} {fault.text}" for name, fault in FAULTS.items())
    made = argparse.ArgumentParser(
        prog="python -m diplomat.testing.loopback",
        description="A model server on this machine that speaks OpenAI chat completions and Anthropic messages.",
        epilog=f"faults:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--port", type=int, default=0, help="0 takes a free one")
    made.add_argument("--delay", type=float, default=0.0, help="seconds before a reply begins")
    made.add_argument("--jitter", type=float, default=0.0, help="up to so many seconds more, drawn by content")
    made.add_argument("--faults", type=float, default=0.0, help="rate of all everyday faults together, 0 to 1")
    made.add_argument("--fault", action="append", default=[], metavar="NAME=RATE", help="rate of one fault")
    made.add_argument("--seed", type=int, default=0, help="of replies and faults")
    made.add_argument("--policy", choices=POLICIES, default="random", help="how much the player talks")
    made.add_argument("--model-context", type=int, default=None, metavar="N", help="tokens of prompt that fit")
    made.add_argument("--modes", default=",".join(MODES), help="modes of structured output that are taken")
    made.add_argument("--unsupported", choices=UNSUPPORTED, default="reject", help="what becomes of the others")
    made.add_argument("--lenient", action="store_true", help="take schemas that the real services refuse")
    made.add_argument("--model", action="append", default=[], help="a model that exists; without any, all do")
    made.add_argument("--cache-block", type=int, default=128, help="tokens in one step of the prompt cache")
    made.add_argument("--cache-least", type=int, default=1024, help="prefixes of fewer tokens are not cached")
    return made


def main(words: Sequence[str] | None = None) -> int:
    """Serves until it is told to stop."""
    given = parser().parse_args(words)
    try:
        server = Loopback(port=given.port, **_settings(given)).start()
    except DiplomatError as fault:
        missing = "; its libraries come with: pip install 'diplomat[web]'" if "No module" in str(fault) else ""
        parser().error(f"{fault}{missing}")
    stop = threading.Event()

    def told(number: int, frame: object) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, told)
    _tell(server.url)
    stop.wait()
    server.stop()
    _tell(json.dumps(server.stats()))
    return 0


def _settings(given: argparse.Namespace) -> dict[str, Any]:
    faults: float | dict[str, float] = given.faults
    if given.fault:
        if given.faults:
            raise UsageError("--faults and --fault do not go together: give the rate of each fault, or of all")
        faults = dict(_rate(entry) for entry in given.fault)
    return {
        "delay": given.delay,
        "jitter": given.jitter,
        "faults": faults,
        "seed": given.seed,
        "policy": given.policy,
        "context": given.model_context,
        "modes": tuple(given.modes.split(",")),
        "unsupported": given.unsupported,
        "strict": not given.lenient,
        "models": tuple(given.model),
        "cache_block": given.cache_block,
        "cache_least": given.cache_least,
        "keep": False,
    }


def _rate(entry: str) -> tuple[str, float]:
    name, _, rate = entry.partition("=")
    try:
        return name, float(rate)
    except ValueError:
        raise UsageError(f"--fault {entry!r} is not NAME=RATE, such as server_error=0.05") from None


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
