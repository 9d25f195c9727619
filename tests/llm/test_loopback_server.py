"""The loopback server itself: same content, same reply; scripts; modes; limits; a clean start and stop."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from diplomat.core.errors import BadSettings, UnknownName, UsageError
from diplomat.testing.loopback import Loopback

OPEN = {"type": "object", "properties": {"answer": {"type": "string", "enum": ["a", "b", "c"]}}}
CLOSED = {**OPEN, "required": ["answer"], "additionalProperties": False}


def chat(text: str = "Your turn.", **more: Any) -> dict[str, Any]:
    """A body for OpenAI's protocol."""
    return {"model": "m", "messages": [{"role": "user", "content": text}], **more}


def message(text: str = "Your turn.", **more: Any) -> dict[str, Any]:
    """A body for Anthropic's protocol."""
    return {"model": "m", "max_tokens": 400, "messages": [{"role": "user", "content": text}], **more}


def schema_format(schema: dict[str, Any], *, strict: bool = True) -> dict[str, Any]:
    """The response_format of OpenAI's mode ``schema``."""
    return {"type": "json_schema", "json_schema": {"name": "r", "strict": strict, "schema": schema}}


def post(server: Loopback, body: Any, *, key: str = "k") -> tuple[int, Any, dict[str, str]]:
    """Status, JSON and headers of one request; the protocol is told by the body."""
    openai = "max_tokens" not in body
    path = "/v1/chat/completions" if openai else "/v1/messages"
    headers = {"authorization": f"Bearer {key}"} if openai else {"x-api-key": key}
    return exchange(server, "POST", path, json.dumps(body), headers)


def exchange(
    server: Loopback, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
) -> tuple[int, Any, dict[str, str]]:
    """Status, JSON and headers of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, json.loads(response.read()), {k.lower(): v for k, v in response.getheaders()}
    finally:
        connection.close()


def seen(seed: int, bodies: Sequence[dict[str, Any]]) -> dict[str, list[tuple[str, Any]]]:
    """Faults and replies by body, from a server that got the bodies in this order."""
    rates = {"rate_limited": 0.2, "empty": 0.2, "two_objects": 0.2}
    with Loopback(seed=seed, faults=rates) as server:
        for body in bodies:
            post(server, body)
    got: dict[str, list[tuple[str, Any]]] = {}
    for call in server.calls:
        got.setdefault(json.dumps(call.body), []).append((call.fault, call.meant))
    return got


BODIES = [chat(f"Turn {number}.", response_format=schema_format(CLOSED)) for number in range(12)] * 2


def test_reply_and_fault_depend_on_content_and_not_on_order() -> None:
    shuffled = random.Random(1).sample(BODIES, len(BODIES))
    first = seen(7, BODIES)
    assert first == seen(7, shuffled)
    assert first != seen(8, BODIES)
    assert any(once != again for once, again in first.values()), "the same body is drawn anew each time it is seen"


def test_calls_wait_side_by_side() -> None:
    async def ask(server: Loopback) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        body = json.dumps(chat()).encode()
        head = (
            f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        got = await reader.read()
        writer.close()
        await writer.wait_closed()
        return got

    async def many(server: Loopback) -> list[bytes]:
        return await asyncio.gather(*(ask(server) for _ in range(80)))

    with Loopback(delay=2.0) as server:
        assert all(b"200 OK" in got for got in asyncio.run(many(server)))
    ends = [call.ended for call in server.calls if call.ended is not None]
    assert len(ends) == 80
    assert max(call.began for call in server.calls) < min(ends), "the last call came in before the first was answered"


def test_cache_holds_a_prompt_once_its_reply_has_begun() -> None:
    body = chat("Rules of the game. " * 1000)
    with Loopback(delay=1.0) as server:
        asking = [threading.Thread(target=post, args=(server, body)) for _ in range(3)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        usage = post(server, body)[1]["usage"]
    together, later = server.calls[:3], server.calls[3]
    assert [call.tokens.cached for call in together if call.tokens is not None] == [0, 0, 0]
    assert later.tokens is not None
    assert 4500 < later.tokens.cached == usage["prompt_tokens_details"]["cached_tokens"] < usage["prompt_tokens"]


def test_anthropic_usage_is_split_in_three() -> None:
    block = {"type": "text", "text": "Rules of the game. " * 1000, "cache_control": {"type": "ephemeral"}}
    with Loopback() as server:
        first, second = (post(server, message(text, system=[block]))[1]["usage"] for text in ("one", "two"))
    assert first["cache_creation_input_tokens"] == second["cache_read_input_tokens"] > 4500
    assert first["cache_read_input_tokens"] == second["cache_creation_input_tokens"] == 0
    assert 0 < first["input_tokens"] < 30


def test_script_comes_first_in_order_and_can_be_for_some_only() -> None:
    with Loopback() as server:
        server.script("server_error", "ok", "denied")
        server.script("overloaded", only="crab")
        statuses = [post(server, chat(text))[0] for text in ("lion", "crab and lion", "lion", "lion", "crab")]
    assert statuses == [500, 200, 401, 200, 529]


def test_retry_after_is_sent_only_where_it_is_meant() -> None:
    with Loopback(retry_after=3) as server:
        server.script("rate_limited", "rate_limited_bare")
        assert [post(server, chat())[2].get("retry-after") for _ in range(2)] == ["3", None]


def test_calls_are_taken_down_without_keys() -> None:
    with Loopback() as server:
        post(server, chat("hello"), key="sk-very-secret")
        post(server, message("hello"), key="sk-very-secret")
    assert [call.body["messages"][0]["content"] for call in server.calls] == ["hello", "hello"]
    assert "sk-very-secret" not in repr(server.calls)
    assert all(call.status == 200 and call.ended is not None and call.ended >= call.began for call in server.calls)


def test_bodies_are_let_go_where_they_are_not_kept() -> None:
    with Loopback(keep=False) as server:
        post(server, chat("hello"))
        post(server, chat("hello"))
    assert server.stats()["calls"] == 2
    assert all(call.body is None and call.reply == "" and call.tokens is not None for call in server.calls)


def test_wrong_key_and_unknown_model_are_refused() -> None:
    with Loopback(key="right", models=("m",)) as server:
        assert post(server, chat(), key="wrong")[0] == 401
        assert post(server, message(), key="wrong")[0] == 401
        assert exchange(server, "GET", "/v1/models")[0] == 401
        assert post(server, chat(), key="right")[0] == 200
        assert post(server, {**chat(), "model": "n"}, key="right")[0] == 404
        assert post(server, {**message(), "model": "n"}, key="right")[0] == 404


def test_models_are_listed() -> None:
    with Loopback(models=("one", "two")) as server:
        assert [entry["id"] for entry in exchange(server, "GET", "/v1/models")[1]["data"]] == ["one", "two"]


TOOL = {"name": "reply", "parameters": CLOSED}
ASKED: dict[str, dict[str, Any]] = {
    "schema": chat(response_format=schema_format(CLOSED)),
    "object": chat("Reply in JSON.", response_format={"type": "json_object", "schema": CLOSED}),
    "tool": chat(tools=[{"type": "function", "function": TOOL}], tool_choice="required"),
    "text": chat(),
}


@pytest.mark.parametrize("mode", ["schema", "object", "tool"])
def test_each_mode_is_obeyed_or_refused_as_the_server_is_set(mode: str) -> None:
    with Loopback() as server:
        reply = post(server, ASKED[mode])[1]["choices"][0]["message"]
        text = reply["tool_calls"][0]["function"]["arguments"] if mode == "tool" else reply["content"]
        assert json.loads(text)["answer"] in ("a", "b", "c")
    with Loopback(modes=("text",)) as server:
        assert post(server, ASKED[mode])[0] == 400
        assert post(server, ASKED["text"])[0] == 200
    with Loopback(modes=("text",), unsupported="ignore") as server:
        status, body, _ = post(server, ASKED[mode])
        assert status == 200
        assert not body["choices"][0]["message"].get("tool_calls")


def test_llamacpp_answers_an_unknown_schema_mode_with_500() -> None:
    with Loopback(modes=("object", "text"), unsupported="llamacpp") as server:
        assert post(server, ASKED["schema"])[0] == 500
        assert post(server, ASKED["object"])[0] == 200
        assert post(server, ASKED["tool"])[0] == 400


def test_anthropic_takes_schema_and_tool() -> None:
    form: dict[str, Any] = {"output_config": {"format": {"type": "json_schema", "schema": CLOSED}}}
    tool: dict[str, Any] = {
        "tools": [{"name": "reply", "input_schema": CLOSED}],
        "tool_choice": {"type": "tool", "name": "reply"},
    }
    with Loopback() as server:
        assert json.loads(post(server, message(**form))[1]["content"][0]["text"])["answer"] in ("a", "b", "c")
        assert post(server, message(**tool))[1]["content"][0]["input"]["answer"] in ("a", "b", "c")
    with Loopback(modes=("tool", "text")) as server:
        assert post(server, message(**form))[0] == 400
        assert post(server, message(**tool))[0] == 200


STRICT = [
    (OPEN, "additionalProperties"),
    ({**CLOSED, "required": []}, "required"),
    ({"anyOf": [CLOSED]}, "root"),
    (
        {**CLOSED, "properties": {"answer": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}}},
        "unique",
    ),
]


@pytest.mark.parametrize(("schema", "word"), STRICT, ids=[word for _, word in STRICT])
def test_schemas_that_openai_would_refuse_are_refused(schema: dict[str, Any], word: str) -> None:
    with Loopback() as server:
        status, body, _ = post(server, chat(response_format=schema_format(schema)))
        assert status == 400
        assert word in body["error"]["message"]
        assert post(server, chat(response_format=schema_format(schema, strict=False)))[0] == 200
    with Loopback(strict=False) as server:
        assert post(server, chat(response_format=schema_format(schema)))[0] == 200


def test_schemas_that_anthropic_would_refuse_are_refused() -> None:
    bounded = {**CLOSED, "properties": {"answer": {"type": "integer", "minimum": 1}}}
    with Loopback() as server:
        form: dict[str, Any] = {"output_config": {"format": {"type": "json_schema", "schema": bounded}}}
        status, body, _ = post(server, message(**form))
    assert status == 400
    assert "minimum" in body["error"]["message"]


def test_json_mode_wants_the_word_json_in_the_prompt() -> None:
    with Loopback() as server:
        assert post(server, chat("Reply.", response_format={"type": "json_object"}))[0] == 400


TOO_LONG = [
    ({}, chat("x" * 5000), lambda error: error["code"] == "context_length_exceeded"),
    ({}, message("x" * 5000), lambda error: error["message"].startswith("prompt is too long: 12")),
    ({}, message("x" * 3000), lambda error: "exceed context limit" in error["message"]),
    ({}, chat("x" * 3000, max_completion_tokens=400), lambda error: error["code"] == "context_length_exceeded"),
    ({"unsupported": "llamacpp"}, chat("x" * 5000), lambda error: error["n_ctx"] == 1000),
]


@pytest.mark.parametrize(("settings", "body", "told"), TOO_LONG)
def test_prompts_beyond_the_context_are_refused_in_the_words_of_the_protocol(
    settings: dict[str, Any], body: dict[str, Any], told: Any
) -> None:
    with Loopback(context=1000, **settings) as server:
        status, got, _ = post(server, body)
        assert status == 400
        assert told(got["error"])
        assert post(server, chat("short"))[0] == 200


def test_replies_end_at_the_limit_of_the_request() -> None:
    with Loopback() as server:
        body = chat(response_format=schema_format(CLOSED), max_completion_tokens=2)
        choice = post(server, body)[1]["choices"][0]
        assert (choice["finish_reason"], len(choice["message"]["content"])) == ("length", 8)
        assert post(server, message(max_tokens=1))[1]["stop_reason"] == "max_tokens"


@pytest.mark.parametrize("body", ["[]", "no json", "[" * 100_000, '{"messages": []}', '{"messages": [1], "model": 3}'])
def test_bodies_that_are_no_requests_get_a_400(body: str) -> None:
    with Loopback() as server:
        for path in ("/v1/chat/completions", "/v1/messages"):
            assert exchange(server, "POST", path, body)[0] == 400


def test_stats_add_up() -> None:
    with Loopback() as server:
        server.script("empty", "server_error")
        for _ in range(3):
            post(server, chat())
        told = exchange(server, "GET", "/stats")[1]
    assert told == server.stats()
    assert (told["calls"], told["answered"], told["faults"]) == (3, 2, {"empty": 1, "server_error": 1})
    assert told["input"] == told["cached"] + told["stored"] + told["fresh"] > 0
    assert told["statuses"] == {"200": 2, "500": 1}


@pytest.mark.parametrize("fault", ["hang", "hang_headers", "hang_mid", "drip"])
def test_stop_does_not_wait_for_what_hangs(fault: str) -> None:
    server = Loopback().start()
    server.script(fault)
    with socket.create_connection(("127.0.0.1", server.port)) as caller:
        body = json.dumps(chat()).encode()
        caller.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body
        )
        while not server.calls:
            time.sleep(0.01)
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 5
    assert "loopback" not in {thread.name for thread in threading.enumerate()}
    server.stop()


def test_caller_who_hangs_up_is_noticed() -> None:
    with Loopback() as server:
        server.script("hang")
        with socket.create_connection(("127.0.0.1", server.port)) as caller:
            body = json.dumps(chat()).encode()
            head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body)
            caller.sendall(head + body)
            while not server.calls:
                time.sleep(0.01)
        deadline = time.monotonic() + 10
        while not server.calls[0].gone and time.monotonic() < deadline:
            time.sleep(0.01)
    assert server.calls[0].gone


def test_taken_port_is_said() -> None:
    with Loopback() as server, pytest.raises(UsageError, match=str(server.port)):
        Loopback(port=server.port).start()


BAD = [
    ({"faults": {"nope": 0.1}}, UnknownName),
    ({"faults": {"empty": 0.6, "prose": 0.6}}, BadSettings),
    ({"faults": {"empty": -0.1}}, BadSettings),
    ({"policy": "loud"}, UnknownName),
    ({"modes": ("schema", "xml")}, UnknownName),
    ({"unsupported": "shrug"}, UnknownName),
    ({"delay": -1.0}, BadSettings),
    ({"cache_block": 0}, BadSettings),
]


@pytest.mark.parametrize(("settings", "error"), BAD, ids=[str(settings) for settings, _ in BAD])
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Loopback(**settings)


def test_unknown_name_in_a_script_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="rate_limited"):
        Loopback().script("rate_limitd")


def test_command_line_prints_its_address_and_at_the_end_the_totals() -> None:
    words = [sys.executable, "-m", "diplomat.testing.loopback", "--fault", "empty=1", "--modes", "schema,text"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        port = int(url.removeprefix("http://127.0.0.1:"))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("POST", "/v1/chat/completions", json.dumps(chat()))
        assert json.loads(connection.getresponse().read())["choices"][0]["message"]["content"] == ""
        connection.close()
        process.send_signal(signal.SIGTERM)
        told = json.loads(process.stdout.read())
        assert process.wait(20) == 0
    assert told["faults"] == {"empty": 1}


@pytest.mark.parametrize("words", [["--fault", "empty"], ["--fault", "nope=1"], ["--faults", "2"], ["--modes", "xml"]])
def test_command_line_refuses_what_does_not_fit(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from diplomat.testing.loopback.__main__ import main

    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert "error:" in capsys.readouterr().err
