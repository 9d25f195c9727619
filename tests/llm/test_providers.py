from __future__ import annotations

import asyncio
import gc
import json
import traceback
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from diplomat.llm import clients
from diplomat.llm.anthropic import breakpoints
from diplomat.llm.base import Call, Completion, FaultKind, Finish, Mode, Part, ProviderFault, Timeouts, Turn
from diplomat.llm.faults import of_status, retry_after
from diplomat.llm.names import Endpoint
from diplomat.llm.openai_like import OpenAILike
from diplomat.llm.providers import provider_for
from diplomat.testing.loopback import Loopback
from tests.llm.making import SCHEMA, anthropic_at, call, openai_at, run, server_at

SHORT = Timeouts(connect=2.0, idle=0.4, total=0.9)
At = Callable[[Loopback], Endpoint]
ALL = [openai_at, anthropic_at, server_at]
MODES: tuple[Mode, ...] = ("schema", "object", "tool", "text")


def attempt(endpoint: Endpoint, mode: Mode = "schema", asked: Call | None = None) -> Completion:
    async def work() -> Completion:
        provider = provider_for(endpoint, SHORT)
        try:
            return await provider.complete(endpoint.model, asked or call(), mode)
        finally:
            await provider.close()

    return run(work())


@pytest.mark.parametrize("at", ALL)
@pytest.mark.parametrize("mode", MODES)
def test_a_reply_fits_the_schema_in_every_mode(server: Loopback, at: At, mode: Mode) -> None:
    got = attempt(at(server), mode)
    assert set(json.loads(got.text)) == {"answer", "note"}
    assert (got.finish, got.mode) == ("stop", mode)
    assert got.usage.input > 0
    assert got.usage.output > 0
    assert got.provider_id


FAULTS: list[tuple[str, FaultKind]] = [
    ("rate_limited", "rate"),
    ("rate_limited_bare", "rate"),
    ("server_error", "overloaded"),
    ("bad_gateway", "overloaded"),
    ("overloaded", "overloaded"),
    ("error_in_body", "overloaded"),
    ("denied", "denied"),
    ("no_credit", "denied"),
    ("unknown_model", "unknown_model"),
    ("too_long", "too_long"),
    ("too_long_llamacpp", "too_long"),
    ("too_long_vllm", "too_long"),
    ("cut", "connection"),
    ("cut_early", "connection"),
    ("not_utf8", "connection"),
    ("not_json", "connection"),
    ("huge", "rejected"),
]


@pytest.mark.parametrize("at", ALL)
@pytest.mark.parametrize(("name", "kind"), FAULTS)
def test_every_fault_of_a_server_has_its_kind(server: Loopback, at: At, name: str, kind: FaultKind) -> None:
    server.script(name)
    with pytest.raises(ProviderFault) as fault:
        attempt(at(server))
    assert fault.value.kind == kind
    assert fault.value.passing == (kind in {"rate", "overloaded", "connection"})
    assert fault.value.__context__ is None, "a traceback would lead to the SDK's request and the key in it"


def attempts(endpoint: Endpoint, count: int) -> list[Completion | ProviderFault]:
    """What becomes of one call that is attempted again and again."""

    async def work() -> list[Completion | ProviderFault]:
        provider = provider_for(endpoint, SHORT)
        found: list[Completion | ProviderFault] = []
        try:
            for _ in range(count):
                try:
                    found.append(await provider.complete(endpoint.model, call(), "schema"))
                except ProviderFault as fault:
                    found.append(fault)
        finally:
            await provider.close()
        return found

    return run(work())


def test_a_server_whose_stream_ends_without_a_word_is_asked_why_outside_of_one(server: Loopback) -> None:
    server.script("too_long_unsaid", "too_long_unsaid")
    first, second = attempts(server_at(server), 2)
    assert isinstance(first, ProviderFault)
    assert (first.kind, first.passing, first.billed) == ("connection", True, True)
    assert isinstance(second, ProviderFault)
    assert second.kind == "too_long"
    assert [bool(one.body.get("stream")) for one in server.calls] == [True, False]


def test_a_call_is_streamed_again_after_it_was_answered_outside_of_a_stream(server: Loopback) -> None:
    server.script("too_long_unsaid", "cut", "ok", "ok")
    found = attempts(server_at(server), 4)
    assert [isinstance(one, Completion) for one in found] == [False, False, True, True]
    assert [bool(one.body.get("stream")) for one in server.calls] == [True, False, False, True]


@pytest.mark.parametrize("at", [openai_at, anthropic_at])
@pytest.mark.parametrize("name", ["hang", "hang_headers", "hang_mid", "drip"])
def test_no_server_holds_a_call_longer_than_its_time(server: Loopback, at: At, name: str) -> None:
    server.script(name)
    with pytest.raises(ProviderFault) as fault:
        attempt(at(server))
    assert fault.value.kind == "timeout"
    assert fault.value.billed


@pytest.mark.parametrize("at", ALL)
@pytest.mark.parametrize(
    ("name", "finish"),
    [
        ("truncated", "length"),
        ("empty_length", "length"),
        ("refusal", "refusal"),
        ("content_filter", "refusal"),
        ("empty", "stop"),
    ],
)
def test_a_reply_says_how_it_ended(server: Loopback, at: At, name: str, finish: Finish) -> None:
    server.script(name)
    assert attempt(at(server)).finish == finish


@pytest.mark.parametrize("at", ALL)
@pytest.mark.parametrize("name", ["reasoning", "think_tags"])
def test_thinking_never_stands_in_the_reply(server: Loopback, at: At, name: str) -> None:
    server.script(name)
    got = attempt(at(server))
    assert set(json.loads(got.text)) == {"answer", "note"}
    assert got.thinking


@pytest.mark.parametrize("at", ALL)
def test_a_reply_without_usage_is_a_reply(server: Loopback, at: At) -> None:
    server.script("no_usage")
    got = attempt(at(server))
    assert json.loads(got.text)
    assert got.usage.input == 0


def test_nobody_listening_is_a_connection_fault() -> None:
    with pytest.raises(ProviderFault) as fault:
        attempt(Endpoint("server", "m", "http://127.0.0.1:9/v1"))
    assert (fault.value.kind, fault.value.billed) == ("connection", False)


@pytest.mark.parametrize(
    ("status", "said", "mode", "kind"),
    [
        (500, "json_schema is not supported / ValueError", "schema", "unsupported"),
        (400, "Unknown parameter: 'response_format'", "object", "unsupported"),
        (400, "output_config: Extra inputs are not permitted", "schema", "unsupported"),
        (400, "failed to parse grammar", "schema", "unsupported"),
        (400, "tool choice requires --enable-auto-tool-choice", "tool", "unsupported"),
        (400, "Unknown parameter: 'response_format'", "text", "rejected"),
        (400, "Requested tokens (5000) exceed context window of 4096", "schema", "too_long"),
        (400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096", "text", "too_long"),
        (429, "Request too large for gpt-4o on tokens per min", "schema", "too_long"),
        (400, "Your credit balance is too low", "schema", "denied"),
        (403, "forbidden", "text", "denied"),
        (503, "loading model", "text", "overloaded"),
        (418, "teapot", "text", "rejected"),
    ],
)
def test_a_refusal_is_told_by_its_words(status: int, said: str, mode: Mode, kind: FaultKind) -> None:
    assert of_status(status, said, mode, {}, "m").kind == kind


def test_retry_after_is_seconds_or_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 25 < (retry_after({"retry-after": soon}) or 0) <= 30
    past = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    cases = [("7", 7.0), ("0.5", 0.5), (past, 0.0), ("soon", None), ("nan", None), ("inf", None), ("-3", None)]
    for text, seconds in cases:
        assert retry_after({"retry-after": text}) == seconds, text
    assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    assert retry_after({}) is None


def body_of(server: Loopback) -> Any:
    return server.calls[-1].body


def test_own_servers_and_openai_are_asked_each_in_their_way(server: Loopback) -> None:
    attempt(openai_at(server), "object")
    assert body_of(server)["response_format"] == {"type": "json_object"}
    assert body_of(server)["max_completion_tokens"] == 300
    assert "JSON" in body_of(server)["messages"][-1]["content"]
    attempt(server_at(server), "object")
    assert body_of(server)["response_format"]["schema"] == SCHEMA
    assert body_of(server)["max_tokens"] == 300


def test_the_beginning_of_a_prompt_stays_the_same_byte_for_byte(server: Loopback) -> None:
    provider = OpenAILike(server_at(server))
    turns = (Turn("user", "one"), Turn("assistant", "two"), Turn("user", "three"))
    early = json.dumps(provider.body("m", call(turns=turns[:1]), "text")["messages"])
    late = json.dumps(provider.body("m", call(turns=turns), "schema")["messages"])
    shared = json.dumps({"role": "user", "content": "one"})[:-2]
    assert late.startswith(early[: early.index(shared) + len(shared)])


def test_anthropic_is_told_what_to_cache(server: Loopback) -> None:
    asked = call(
        system=(Part("rules"), Part("today", keep=False)),
        turns=(Turn("user", "a", keep=True), Turn("assistant", "b"), Turn("user", "c")),
    )
    attempt(anthropic_at(server), "schema", asked)
    body = body_of(server)
    assert ["cache_control" in block for block in body["system"]] == [True, False]
    assert ["cache_control" in turn["content"][0] for turn in body["messages"]] == [True, False, False]
    assert body["output_config"]["format"]["schema"] == SCHEMA
    assert "temperature" not in body


@pytest.mark.parametrize(
    ("kept", "system", "marked"),
    [
        ([True, True, False, True], 2, [0, 1, 3]),
        ([True, True] + [True] * 6, 2, [1, 5, 6, 7]),
        ([False] + [True] * 6, 1, [3, 4, 5, 6]),
        ([], 0, []),
    ],
)
def test_at_most_four_places_are_marked_for_the_cache(kept: list[bool], system: int, marked: list[int]) -> None:
    assert breakpoints(kept, system) == marked


def test_no_other_server_gets_openais_key_or_what_goes_with_it(
    server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-mine: secret2\nauthorization: Bearer secret3")
    seen: list[Any] = []
    judge = server.desk.judge

    def watched(*given: Any) -> Any:
        seen.append(given)
        return judge(*given)

    monkeypatch.setattr(server.desk, "judge", watched)
    attempt(server_at(server))
    headers = json.dumps(dict(server.calls[-1].headers))
    assert not any(word in headers for word in ("org-secret1", "secret2", "secret3", "0penai"))
    assert seen[-1][3] == ""
    monkeypatch.setenv("DIPLOMAT_SERVER_KEY", "for-the-server")
    attempt(server_at(server))
    assert seen[-1][3] == "for-the-server"


def test_no_key_in_the_traceback_of_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(key="another") as loopback:
        for at in ALL:
            with pytest.raises(ProviderFault) as fault:
                attempt(at(loopback))
            assert fault.value.kind == "denied"
            assert "ecretKey42" not in "".join(traceback.format_exception(fault.value))


def test_all_tables_share_one_client_and_the_last_closes_it(server: Loopback) -> None:
    async def work() -> None:
        endpoint = server_at(server)
        providers = [provider_for(endpoint) for _ in range(3)]
        await asyncio.gather(*(provider.complete("m", call(), "text") for provider in providers))
        assert len(clients._clients) == 1
        for provider in providers:
            assert clients._clients
            await provider.close()
            await provider.close()
        assert not clients._clients

    run(work())
    run(work())
    gc.collect()


def test_a_connection_is_used_again(server: Loopback) -> None:
    async def work() -> int:
        provider = provider_for(server_at(server))
        for number in range(4):
            await provider.complete("m", call(number), "text")
        pool = clients._clients[next(iter(clients._clients))].client._client._transport._pool
        used = len(pool.connections)
        await provider.close()
        return used

    assert run(work()) == 1


def test_a_cancelled_attempt_leaves_no_connection_behind(server: Loopback) -> None:
    async def work() -> None:
        server.script("hang_headers")
        provider = provider_for(server_at(server), Timeouts())
        task = asyncio.create_task(provider.complete("m", call(), "text"))
        await asyncio.sleep(0.3)
        task.cancel("deadline")
        with pytest.raises(asyncio.CancelledError) as stopped:
            await task
        assert stopped.value.args == ("deadline",)
        assert (await provider.complete("m", call(), "text")).text
        await provider.close()

    run(work())


class Answering:
    """A provider whose server is a list of raw answers."""

    def __init__(self, *answers: tuple[int, bytes]) -> None:
        self.answers = list(answers)
        self.bodies: list[Any] = []

    def provider(self) -> OpenAILike:
        made = OpenAILike(Endpoint("server", "m", "http://127.0.0.1:1/v1"))
        made._client = lambda: None  # type: ignore[method-assign]  # nothing is sent
        made._chunks = self.chunks  # type: ignore[method-assign,assignment]  # the same
        return made

    async def chunks(self, client: Any, content: bytes) -> AsyncIterator[bytes]:
        self.bodies.append(json.loads(content))
        status, raw = self.answers.pop(0)
        if status != 200:
            raise of_status(status, raw.decode(), "schema", {}, "m")
        yield raw


def whole(**message: Any) -> bytes:
    return json.dumps({"id": "x", "choices": [{"message": message, "finish_reason": "stop"}]}).encode()


@pytest.mark.parametrize(
    ("refusal", "before", "after"),
    [
        (b"Unrecognized field: stream_options", "stream_options", None),
        (
            b"Unsupported parameter: 'max_tokens' is not supported with this model",
            "max_tokens",
            "max_completion_tokens",
        ),
    ],
)
def test_a_field_that_a_server_does_not_know_is_left_out_from_then_on(
    refusal: bytes, before: str, after: str | None
) -> None:
    server = Answering((400, refusal), (200, whole(content="{}")), (200, whole(content="{}")))
    provider = server.provider()
    run(provider.complete("m", call(), "text"))
    run(provider.complete("m", call(), "text"))
    assert before in server.bodies[0]
    for body in server.bodies[1:]:
        assert before not in body
        assert after is None or after in body


def test_a_model_without_a_system_role_is_told_in_the_first_turn() -> None:
    server = Answering((500, b"System role not supported"), (200, whole(content="{}")))
    run(server.provider().complete("m", call(), "schema"))
    assert [message["role"] for message in server.bodies[1]["messages"]] == ["user"]
    assert server.bodies[1]["messages"][0]["content"].startswith("You are a daimyo.")


@pytest.mark.parametrize(
    ("message", "text", "finish"),
    [
        ({"content": [{"type": "text", "text": "{}"}]}, "{}", "stop"),
        ({"content": None, "tool_calls": [{"function": {"arguments": '{"a":1}'}}]}, '{"a":1}', "stop"),
        ({"content": None, "tool_calls": [{"index": 1, "function": {"arguments": "2"}}]}, "", "stop"),
        ({"content": None, "refusal": "No."}, "No.", "refusal"),
        ({"content": None}, "", "stop"),
        ({"content": 5}, "", "stop"),
    ],
)
def test_odd_messages_are_read_for_what_they_are(message: dict[str, Any], text: str, finish: Finish) -> None:
    got = run(Answering((200, whole(**message))).provider().complete("m", call(), "text"))
    assert (got.text, got.finish) == (text, finish)


@pytest.mark.parametrize("raw", [b"[]", b"null", b'{"choices":"x"}', b"data: 5\n\n", b"", b'{"choices":[{}]}'])
def test_what_is_no_reply_is_a_fault(raw: bytes) -> None:
    with pytest.raises(ProviderFault) as fault:
        run(Answering((200, raw)).provider().complete("m", call(), "text"))
    assert fault.value.kind == "connection"


def test_half_a_letter_in_a_prompt_does_not_stop_a_call(server: Loopback) -> None:
    assert attempt(server_at(server), "text", replace(call(), turns=(Turn("user", "a \ud83d b"),))).text
