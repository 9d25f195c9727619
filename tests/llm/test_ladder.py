from __future__ import annotations

import json
from pathlib import Path

import pytest

from diplomat.llm.base import Completion, Mode, ProviderFault
from diplomat.llm.known import Known
from diplomat.llm.ladder import IGNORED, Ladder, is_object
from diplomat.llm.names import Endpoint, server
from diplomat.llm.probe import probe
from diplomat.llm.providers import provider_for
from diplomat.testing.loopback import Loopback
from tests.llm.making import GOOD, Fake, anthropic_at, call, openai_at, run, server_at

HERE = Endpoint("server", "m", "http://127.0.0.1:1/v1")
PROSE = Completion("I have thought about it.")


@pytest.mark.parametrize("unsupported", ["reject", "llamacpp"])
@pytest.mark.parametrize(
    ("modes", "found"),
    [(("schema",), "schema"), (("object",), "object"), (("tool",), "tool"), ((), "text"), (("tool", "text"), "tool")],
)
def test_a_server_is_asked_in_the_best_form_it_takes(unsupported: str, modes: tuple[str, ...], found: Mode) -> None:
    with Loopback(modes=modes, unsupported=unsupported) as loopback:
        endpoint = server_at(loopback)

        async def work() -> list[Completion]:
            provider, ladder = provider_for(endpoint), Ladder(Known())
            got = [await ladder.ask(provider, endpoint, call(number)) for number in range(3)]
            await provider.close()
            return got

        got = run(work())
        assert [one.mode for one in got] == [found] * 3
        assert all(is_object(one.text) for one in got)
        tried = len(loopback.calls)
        assert Known().mode(endpoint) == found, "the next game knows it from the file"
        run(work())
        assert len(loopback.calls) == tried + 3, "and asks no other way"


def test_a_fault_of_another_kind_does_not_step_down() -> None:
    ladder, provider = Ladder(Known(on_disk=False)), Fake(ProviderFault("rejected", "no"))
    with pytest.raises(ProviderFault):
        run(ladder.ask(provider, HERE, call()))
    assert ladder.mode(HERE) == "schema"
    assert len(provider.asked) == 1


def test_the_lowest_form_refused_is_a_fault() -> None:
    provider = Fake(ProviderFault("unsupported", "no"))
    with pytest.raises(ProviderFault):
        run(Ladder(Known(on_disk=False)).ask(provider, HERE, call()))
    assert [mode for _, mode in provider.asked] == ["schema", "object", "tool", "text"]


def test_a_form_that_is_ignored_is_given_up_and_its_replies_are_used() -> None:
    ladder, provider = Ladder(Known(on_disk=False)), Fake(PROSE)
    for _ in range(IGNORED):
        assert run(ladder.ask(provider, HERE, call())).text == PROSE.text
    assert ladder.mode(HERE) == "object"


def test_a_slip_of_a_server_that_holds_to_the_form_is_no_ignoring() -> None:
    ladder, provider = Ladder(Known(on_disk=False)), Fake(GOOD, *[PROSE] * (IGNORED + 1))
    for _ in range(IGNORED + 2):
        run(ladder.ask(provider, HERE, call()))
    assert ladder.mode(HERE) == "schema"


def test_a_call_that_is_not_constrained_is_asked_as_text() -> None:
    provider = Fake(PROSE)
    run(Ladder(Known(on_disk=False)).ask(provider, HERE, call(constrained=False)))
    assert provider.asked == [("crab/r1#1", "text")]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"x": {"mode": "magic"}}', '{"x": 1}', "\x00\xff"])
def test_a_spoilt_file_of_what_is_known_costs_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "endpoints.json"
    path.write_text(text)
    known = Known(path)
    assert known.mode(HERE) is None
    known.remember(HERE, "tool")
    assert Known(path).mode(HERE) == "tool"


def test_two_processes_keep_each_others_findings(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "endpoints.json"
    one, two = Known(path), Known(path)
    other = Endpoint("server", "n", "http://127.0.0.1:1/v1")
    one.remember(HERE, "tool")
    two.remember(other, "object")
    assert (Known(path).mode(HERE), Known(path).mode(other)) == ("tool", "object")
    assert json.loads(path.read_text())[HERE.name] == {"mode": "tool"}


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    known = Known(tmp_path / "file" / "endpoints.json")
    known.remember(HERE, "tool")
    assert known.mode(HERE) == "tool"


def test_a_probe_finds_what_a_server_holds_to() -> None:
    with Loopback(modes=("object", "tool"), models=("qwen",)) as loopback:
        found = run(probe(server_at(loopback), known=Known()))
        assert found.reachable
        assert found.fault is None
        assert found.listed
        assert found.modes == {"schema": "refused", "object": "holds", "tool": "holds", "text": found.modes["text"]}
        assert found.best == "object"
        assert (found.latency or 0) > 0
        assert Known().mode(server_at(loopback)) == "object"


def test_a_probe_sees_that_a_form_is_ignored() -> None:
    with Loopback(modes=(), unsupported="ignore") as loopback:
        loopback.script(*["prose"] * 4)
        found = run(probe(server_at(loopback)))
        assert set(found.modes.values()) == {"ignored"}
        assert found.best == "text"


@pytest.mark.parametrize("at", [openai_at, anthropic_at])
def test_a_probe_says_that_the_key_is_wrong(at: object) -> None:
    with Loopback(key="another") as loopback:
        found = run(probe(at(loopback)))  # type: ignore[operator]  # either of two functions
        assert found.best is None
        assert "401" in (found.fault or "")


def test_a_probe_says_that_the_model_is_not_there() -> None:
    with Loopback(models=("other",)) as loopback:
        found = run(probe(server_at(loopback)))
        assert (found.reachable, found.listed, found.models, found.best) == (True, False, ("other",), None)
        assert "404" in (found.fault or "")
        assert run(probe(server(loopback.openai_url))).models == ("other",)


def test_a_probe_of_nothing_says_so() -> None:
    found = run(probe(HERE))
    assert not found.reachable
    assert found.fault
