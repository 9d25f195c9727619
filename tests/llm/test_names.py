from __future__ import annotations

import pytest

from diplomat.core.errors import UsageError
from diplomat.llm.keys import key_of, masked
from diplomat.llm.names import Endpoint, is_model_name, parse, server


@pytest.mark.parametrize(
    ("name", "endpoint"),
    [
        ("openai:gpt-4o", Endpoint("openai", "gpt-4o")),
        ("anthropic:claude-haiku-4-5", Endpoint("anthropic", "claude-haiku-4-5")),
        ("http://127.0.0.1:8080/v1#qwen", Endpoint("server", "qwen", "http://127.0.0.1:8080/v1")),
        ("https://models.example.org/v1/#org/m:8b", Endpoint("server", "org/m:8b", "https://models.example.org/v1")),
        ("local", Endpoint("local", "local")),
    ],
)
def test_a_name_is_read_and_written_alike(name: str, endpoint: Endpoint) -> None:
    assert parse(name) == endpoint
    assert parse(endpoint.name) == endpoint
    assert is_model_name(name)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("openai:", "openai:MODEL"),
        ("anthropic: ", "anthropic:MODEL"),
        ("http://127.0.0.1:8080/v1", "diplomat models check http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1#", "http://127.0.0.1:8080/v1#MODEL"),
        ("http://#m", "no host"),
        ("http://h:port/v1#m", "not an address"),
        ("openia:gpt-4o", "openai:gpt-4o"),
        ("gpt-4o", "written as one of"),
        ("openai:gpt 4o", "space"),
        ("", "written as one of"),
    ],
)
def test_a_wrong_name_is_told_how_it_is_written(name: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(name)
    assert says in str(error.value)


@pytest.mark.parametrize("name", ["https://me:hunter22@example.org/v1#m", "https://example.org/v1?key=hunter22#m"])
def test_a_password_in_an_address_is_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(name)
    assert "hunter22" not in str(error.value)
    assert "DIPLOMAT_SERVER_KEY" in str(error.value)


def test_scripted_players_are_no_models() -> None:
    assert not any(is_model_name(text) for text in ("scripted:merchant", "random", "human", "c:/x"))


def test_a_server_can_be_named_without_a_model_to_look_at_it() -> None:
    assert server("http://h:1/v1") == Endpoint("server", "*", "http://h:1/v1")
    assert server("http://h:1/v1#m").model == "m"


def test_each_key_goes_to_its_own_server_only(monkeypatch: pytest.MonkeyPatch) -> None:
    other = parse("http://127.0.0.1:1/v1#gpt-4o")
    assert key_of(parse("openai:gpt-4o")) == "sk-proj-0penaiSecretKey42"
    assert key_of(other) is None
    monkeypatch.setenv("DIPLOMAT_SERVER_KEY", "mine")
    assert key_of(other) == "mine"
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        key_of(parse("openai:gpt-4o"))


def test_keys_are_masked_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plainwords1")
    text = "a sk-proj-0penaiSecretKey42 b anthropicSecretKey42 c plainwords1 d Bearer abcdefgh e http://u:pass1@h f"
    shown = masked(text + " sk-ant-notours99")
    for secret in ("0penaiSecret", "anthropicSecret", "plainwords1", "abcdefgh", "pass1", "notours99"):
        assert secret not in shown
    assert all(f"{letter} " in shown for letter in "abcde")
