from __future__ import annotations

import json

import pytest

from diplomat.llm.asking import apart
from diplomat.llm.wire import Events, TooMuch

STREAM = 'event: x\ndata: {"a": "д"}\n\n: wait\n\ndata:{"b":2}\r\n\r\ndata: [DONE]\n\ndata: {"late":1}\n\n'.encode()
WHOLE = json.dumps({"a": "д", "b": [1, 2]}, ensure_ascii=False, indent=1).encode()


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_bytes_may_come_in_any_pieces(step: int) -> None:
    for raw, expected, done in ((STREAM, [{"a": "д"}, {"b": 2}], True), (WHOLE, [{"a": "д", "b": [1, 2]}], False)):
        events, found = Events(), []
        for start in range(0, len(raw), step):
            found += events.feed(raw[start : start + step])
        found += events.end()
        assert found == expected
        assert events.done is done


def test_an_endless_reply_is_stopped() -> None:
    events = Events(limit=1000)
    for _ in range(20):
        events.feed(b"x" * 50)
    with pytest.raises(TooMuch):
        events.feed(b"x")


def test_bytes_that_are_no_utf8_are_no_reply() -> None:
    with pytest.raises(UnicodeDecodeError):
        Events().feed(b'data: {"a": "\xff"}\n\n')
    half = Events()
    half.feed(b"data: \xd0")
    with pytest.raises(UnicodeDecodeError):
        half.end()


@pytest.mark.parametrize(
    ("text", "reply", "thinking"),
    [
        ('{"a":1}', '{"a":1}', ""),
        ('<think>x {"a":0}</think>\n{"a":1}', '{"a":1}', 'x {"a":0}'),
        ('thought without a mark</think>{"a":1}', '{"a":1}', "thought without a mark"),
        ("<think>never ends", "", "never ends"),
        ('{"a":"</think>"}', '{"a":"</think>"}', ""),
        ("words", "words", ""),
    ],
)
def test_thinking_is_told_from_the_reply(text: str, reply: str, thinking: str) -> None:
    assert apart(text) == (reply, thinking)
