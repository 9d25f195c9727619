"""Prompt caches: what is counted as cached is a real common beginning, in the way of each provider."""

from __future__ import annotations

import random
from typing import Any

import pytest

from diplomat.testing.loopback.asked import Asked, read_anthropic, read_openai
from diplomat.testing.loopback.cache import PromptCache
from diplomat.testing.loopback.spoken import Tokens

RULES = "Rules of the game. " * 400  # 7600 bytes, 1900 tokens
MARK = {"cache_control": {"type": "ephemeral"}}


def openai(system: str, *turns: str, **more: Any) -> Asked:
    messages = [{"role": "system", "content": system}, *({"role": "user", "content": turn} for turn in turns)]
    return read_openai({"model": "m", "messages": messages, **more})


def anthropic(system: list[dict[str, Any]], *turns: Any, **more: Any) -> Asked:
    messages = [{"role": "user", "content": turn} for turn in turns]
    return read_anthropic({"model": "m", "max_tokens": 9, "system": system, "messages": messages, **more})


def part(text: str, *, mark: bool = False) -> dict[str, Any]:
    return {"type": "text", "text": text, **(MARK if mark else {})}


def ask(cache: PromptCache, asked: Asked) -> Tokens:
    footprint = cache.footprint(asked)
    tokens = cache.look_up(asked, footprint)
    cache.store(footprint)
    return tokens


def common(one: Asked, other: Asked) -> int:
    """Whole tokens of the common beginning, found the slow way."""
    first, second = (b"".join(block.data for block in asked.blocks) for asked in (one, other))
    size = next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    return size // 4


def test_longest_common_beginning_is_found_to_the_token() -> None:
    dice = random.Random(5)
    cache = PromptCache(block=1, least=0)
    earlier: list[Asked] = []
    for _ in range(60):
        asked = openai("".join(dice.choice("ab") * 7 for _ in range(6)), "turn")
        expected = max((common(asked, other) for other in earlier), default=0)
        assert ask(cache, asked).cached == expected
        earlier.append(asked)


def test_blocks_round_down_and_short_beginnings_do_not_count() -> None:
    cache = PromptCache()
    assert ask(cache, openai(RULES, "first")).cached == 0
    again = ask(cache, openai(RULES, "second"))
    assert again.cached % 128 == 0
    assert 1900 - 128 < again.cached <= 1920
    assert again.cached + again.fresh == again.input
    short = PromptCache()
    ask(short, openai(RULES[:3000], "first"))
    assert ask(short, openai(RULES[:3000], "first")).cached == 0


CHANGES: list[tuple[str, Asked]] = [
    ("schema", openai(RULES, response_format={"type": "json_schema", "json_schema": {"name": "r", "schema": {}}})),
    ("tools", openai(RULES, tools=[{"type": "function", "function": {"name": "reply"}}])),
    ("first words", openai("!" + RULES)),
    ("model", read_openai({"model": "n", "messages": [{"role": "system", "content": RULES}]})),
]


@pytest.mark.parametrize(("what", "changed"), CHANGES, ids=[what for what, _ in CHANGES])
def test_change_at_the_front_loses_everything(what: str, changed: Asked) -> None:
    cache = PromptCache()
    ask(cache, openai(RULES))
    assert ask(cache, openai(RULES)).cached > 1000
    assert ask(cache, changed).cached == 0


def test_anthropic_caches_nothing_without_a_breakpoint() -> None:
    cache = PromptCache()
    for _ in range(2):
        tokens = ask(cache, anthropic([part(RULES)], "turn"))
        assert (tokens.cached, tokens.stored) == (0, 0)


def test_anthropic_writes_to_the_breakpoint_and_reads_from_it() -> None:
    cache = PromptCache()
    first = ask(cache, anthropic([part(RULES, mark=True)], "one"))
    second = ask(cache, anthropic([part(RULES, mark=True)], "two"))
    assert first.cached == 0
    assert first.stored > 1900
    assert (second.cached, second.stored) == (first.stored, 0)
    assert second.fresh == second.input - second.cached > 0


def test_anthropic_reads_the_old_and_writes_the_new_of_a_growing_prompt() -> None:
    cache = PromptCache()
    first = ask(cache, anthropic([part(RULES)], [part("one", mark=True)]))
    second = ask(cache, anthropic([part(RULES)], [part("one")], [part("two", mark=True)]))
    assert second.cached == first.stored
    assert 0 < second.stored < 30
    assert second.fresh == 0


def test_anthropic_looks_back_twenty_blocks_and_no_further() -> None:
    cached = {}
    for turns in (20, 21):
        cache = PromptCache()
        ask(cache, anthropic([part(RULES, mark=True)], "start"))
        asked = anthropic([part(RULES)], *([part("t")] for _ in range(turns - 1)), [part("end", mark=True)])
        cached[turns] = ask(cache, asked).cached
    assert cached[20] > 1900
    assert cached[21] == 0


def test_anthropic_does_not_cache_short_beginnings() -> None:
    cache = PromptCache()
    for _ in range(2):
        tokens = ask(cache, anthropic([part(RULES[:2000], mark=True)], "turn"))
        assert (tokens.cached, tokens.stored) == (0, 0)


def test_anthropic_marks_the_end_when_told_at_the_top() -> None:
    cache = PromptCache()
    first = ask(cache, anthropic([part(RULES)], "turn", **MARK))
    assert first.stored == first.input
    assert ask(cache, anthropic([part(RULES)], "turn", **MARK)).cached == first.input
