"""``diplomat models`` and ``diplomat doctor --model``: what is said of a server, whatever it takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from diplomat.testing.loopback import Loopback
from diplomat.testing.loopback.settings import UNSUPPORTED

if TYPE_CHECKING:
    from diplomat.testing.loopback.settings import Unsupported

    from .conftest import Run

MODES = ("schema", "object", "tool")
SUBSETS = [subset for size in range(len(MODES) + 1) for subset in combinations(MODES, size)]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("unsupported", UNSUPPORTED)
@pytest.mark.parametrize("modes", SUBSETS, ids=lambda modes: "+".join(modes) or "none")
def test_the_best_form_that_a_server_holds_to_is_found_and_remembered(
    modes: Sequence[str], unsupported: Unsupported, run: Run
) -> None:
    with Loopback(modes=(*modes, "text"), unsupported=unsupported) as server:
        ran = run("models", "check", f"{server.openai_url}#fake", "--json")
        found = json.loads(ran.out)
        assert ran.code == 0
        assert found["reachable"] is True
        # JSON mode has the schema in its prompt, which a server that ignores the mode still reads.
        holding = [mode for mode in MODES if mode in modes or (mode, unsupported) == ("object", "ignore")]
        for mode, held in found["modes"].items():
            assert (held == "holds") is (mode in (*holding, "text")), mode
        assert found["best"] == next(iter(holding), "text")
        told = run("doctor").out
        assert f"JSON forms remembered: {server.openai_url}#fake {found['best']}" in told


def test_a_server_without_a_model_is_listed(run: Run) -> None:
    with Loopback(models=("fake-small", "fake-large")) as server:
        ran = run("models", "check", server.openai_url)
        assert (ran.code, ran.err) == (0, "")
        assert "models of this server: fake-small, fake-large" in ran.out
        assert "price" not in ran.out
        assert server.calls == []
        wrong = run("models", "check", f"{server.openai_url}#fake-smal")
    assert wrong.code == 1
    assert "the server does not list this model" in wrong.out


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("http://127.0.0.1:1/v1#x", 1, "cannot be reached"),
        ("openai:x", 2, "OPENAI_API_KEY"),
        ("opneai:x", 2, "Did you mean 'openai:x'?"),
        ("", 2, "does not name a model"),
    ],
)
def test_check_says_why_a_model_cannot_be_asked(name: str, code: int, said: str, run: Run) -> None:
    ran = run("models", "check", name)
    assert ran.code == code
    assert said in ran.out + ran.err
    assert "Traceback" not in ran.err


def test_list_gives_prices_with_their_day_and_never_a_key(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-to-be-seen-42")
    ran, told = run("models", "list", "--json"), run("models", "list")
    data = json.loads(ran.out)
    assert data["as_of"] in told.out
    assert {row["key"] for row in data["models"] if row["model"].startswith("openai:")} == {True}
    assert {row["key"] for row in data["models"] if row["model"].startswith("anthropic:")} == {False}
    assert "not-to-be-seen" not in ran.out + told.out
    assert run("models").out == told.out


@pytest.mark.parametrize("columns", [24, 40, 60, 80])
def test_the_list_is_read_in_full_however_narrow_the_terminal_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("models", "list").out.splitlines()
    named = " ".join(lines)
    for row in json.loads(run("models", "list", "--json").out)["models"]:
        assert row["model"] in named.replace(" ", "") if columns == 24 else row["model"] in named
    assert "…" not in named
    assert [line for line in lines if len(line.rstrip()) > columns] == []


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("{url}#fake", 0, "best: schema"),
        ("{url}#fak", 1, "BAD JSON forms"),
        ("http://127.0.0.1:1/v1#x", 1, "BAD http://127.0.0.1:1/v1#x: "),
        ("openai:x", 1, "BAD openai:x: openai:x needs a key"),
    ],
)
def test_doctor_looks_at_a_model_when_asked(name: str, code: int, said: str, run: Run) -> None:
    with Loopback(models=("fake",)) as server:
        ran = run("doctor", "--model", name.format(url=server.openai_url))
    assert (ran.code, ran.err) == (code, "")
    assert said in ran.out


def test_doctor_tells_of_prices_keys_and_the_local_model(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-to-be-seen-42")
    out = run("doctor").out
    for said in ("local model: ", "prices: of ", "ANTHROPIC_API_KEY: set", "OPENAI_API_KEY: not set"):
        assert said in out
    assert "not-to-be-seen" not in out
    assert run("doctor", "--model", "opneai:x").code == 2


def test_a_broken_price_table_is_bad(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from diplomat.llm.home import config_file

    config_file("prices.toml").parent.mkdir(parents=True, exist_ok=True)
    config_file("prices.toml").write_text('"openai:x" = 3\n', encoding="utf-8")
    ran = run("doctor")
    assert ran.code == 1
    assert "BAD prices: " in ran.out
