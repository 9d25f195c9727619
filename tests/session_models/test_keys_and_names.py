"""Keys are in nothing that comes out; wrong names and absent servers are told before anything is written."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from diplomat.session.preflight import SHOWN
from diplomat.testing.loopback import Loopback
from tests.session_models.kit import QUIET, SECRETS, Run, audited

GAME = ("--seats", "2", "--set", "rounds=1", "--seed", "7", *QUIET, "--out", "a.jsonl")


PATHS = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}


def everything(folder: Path) -> str:
    """The bytes of every file below a folder, as text."""
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_provider_gets_its_own_key_which_appears_nowhere_else(
    provider: str, run: Run, keys: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Loopback(key=SECRETS[f"{provider.upper()}_API_KEY"], models=("fake",)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        ran = run("play", "--all", f"{provider}:fake", *GAME)
    assert ran.code == 0, ran.err
    assert audited(tmp_path / "a.jsonl").finished
    assert {call.path for call in server.calls} == {PATHS[provider]}
    assert not any(key in everything(tmp_path) + ran.out + ran.err for key in SECRETS.values())


class Echo(http.server.BaseHTTPRequestHandler):
    """Says back the key that it was sent, in an error to everything that is posted, or to everything."""

    status = 400
    listing = True

    def do_GET(self) -> None:
        if self.listing:
            self._say(200, {"data": [{"id": "fake"}]})
        else:
            self.do_POST()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        key = self.headers.get("authorization") or self.headers.get("x-api-key")
        self._say(self.status, {"error": {"message": f"I do not like {key}, no, not {key}", "type": key}})

    def _say(self, status: int, data: Any) -> None:
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Keeps still."""


@pytest.mark.parametrize(
    ("status", "listing", "code"),
    [(400, True, 0), (401, True, 1), (401, False, 1)],
    ids=["defaults", "stops in the game", "stops before it"],
)
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_key_that_the_server_says_back_is_masked_everywhere(
    provider: str, status: int, listing: bool, code: int, tmp_path: Path
) -> None:
    """In a process of its own, so that a traceback would really be printed."""
    key = "odd.K3y/with=signs-424242"
    made = type("Made", (Echo,), {"status": status, "listing": listing})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        name, url = provider.upper(), f"http://127.0.0.1:{server.server_port}"
        address = {f"{name}_API_KEY": key, f"{name}_BASE_URL": f"{url}/v1" if provider == "openai" else url}
        words = [sys.executable, "-m", "diplomat", "play", "--seat", f"s1={provider}:fake", *GAME]
        env = os.environ | address | {"DIPLOMAT_DEBUG": "1"}
        done = subprocess.run(words, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        server.shutdown()
    assert done.returncode == code, done.stderr
    told = done.stdout + done.stderr + everything(tmp_path)
    assert key not in told
    assert "I do not like" in told
    assert (tmp_path / "a.jsonl").exists() is listing


@pytest.mark.parametrize(
    ("model", "code", "said"),
    [
        ("openai:fake", 2, "openai:fake needs a key; put it into the environment variable OPENAI_API_KEY"),
        ("anthropic:fake", 2, "the environment variable ANTHROPIC_API_KEY"),
        ("opneai:gpt-4o", 2, "Did you mean 'openai:gpt-4o'?"),
        ("anthropc:x", 2, "Did you mean 'anthropic:x'?"),
        ("htp://127.0.0.1/v1#x", 2, "Did you mean 'http://127.0.0.1/v1#x'?"),
        ("openai:", 2, "names no model"),
        ("scriptd", 2, "Did you mean 'scripted'?"),
        ("locl", 2, "Did you mean 'local'?"),
        ("{url}", 2, "does not say which model; write {url}#MODEL"),
        ("{url}#fak", 2, "the server has no model 'fak'. Did you mean 'fake'? It lists: fake, other"),
        ("{url}x#fake", 2, "correct the model's name or the address, which mostly ends in /v1"),
        ("http://127.0.0.1:1/v1#fake", 1, "cannot be reached"),
        ("http://me:pw123456@127.0.0.1/v1#fake", 2, "holds a user name or password"),
    ],
)
def test_a_wrong_model_is_told_before_anything_is_written(
    model: str, code: int, said: str, run: Run, server: Loopback, tmp_path: Path
) -> None:
    ran = run("play", "--all", model.format(url=server.openai_url), *GAME)
    assert (ran.code, ran.out) == (code, "")
    assert said.format(url=server.openai_url) in ran.err
    assert ran.err.count("\n") == 1
    assert "pw123456" not in ran.err
    assert list(tmp_path.glob("a.*")) == []


def test_a_server_that_takes_names_off_its_list_is_played_with(run: Run, tmp_path: Path) -> None:
    with Loopback() as server:  # it lists `loopback` and takes every name
        assert run("play", "--all", f"{server.openai_url}#fake", *GAME).code == 0
        asked = [call.body for call in server.calls]
    assert [body["max_tokens"] for body in asked].count(1) == 1
    assert asked[0]["max_tokens"] == 1


def test_nothing_is_asked_outside_of_a_budget(
    run: Run, keys: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "prices.toml").write_text('"openai:fake" = { input = 1, output = 1 }\n', encoding="utf-8")
    with Loopback() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        ran = run("play", "--all", "openai:fake", *GAME, "--budget", "0", "--prices", "prices.toml")
        assert (ran.code, server.calls) == (3, [])


def test_a_long_list_of_models_is_cut(run: Run) -> None:
    with Loopback(models=tuple(f"model-{n}" for n in range(40))) as server:
        ran = run("play", "--all", f"{server.openai_url}#nothing", *GAME)
    assert ran.code == 2
    assert ran.err.count("model-") == SHOWN
    assert "…" in ran.err
