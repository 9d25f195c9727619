"""Personalities: what a file must hold, what is said about a bad one, and whose file is taken."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diplomat.agents import profile as profiles
from diplomat.agents.shelf import folders, home, packaged
from diplomat.core.errors import BadProfile, UnknownName

TRAITS = tuple(profiles.Traits.model_fields)
GOOD = (
    """
id = "mine"
tone = "plain"
[name]
en = "Mine"
ru = "Мой"
[summary]
en = "Short."
ru = "Коротко."
[prose]
en = "Long."
ru = "Длинно."
[traits]
"""
    + "".join(f"{name} = 0.5\n" for name in TRAITS)
)  # fmt: skip


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of profiles."""
    monkeypatch.setenv("DIPLOMAT_HOME", str(tmp_path))
    folder = tmp_path / "profiles"
    folder.mkdir()
    return folder


def test_a_good_file() -> None:
    profile = profiles.parse(GOOD, "mine.toml")
    assert profile.id == "mine"
    assert (profile.name.say("en"), profile.name.say("ru"), profile.name.say("xx")) == ("Mine", "Мой", "Mine")
    assert profile.traits.honesty == 0.5


@pytest.mark.parametrize("name", profiles.paths())
def test_shipped_profile(name: str) -> None:
    profile = profiles.find(name)
    assert profile.id == name
    for spoken in (profile.name, profile.summary, profile.prose):
        assert spoken.en != spoken.ru
        assert any("а" <= char <= "я" for char in spoken.ru)
        assert not any("а" <= char <= "я" for char in spoken.en)


def test_shipped_profiles_differ() -> None:
    shipped = [profiles.find(name) for name in profiles.paths()]
    assert len(shipped) >= 9
    assert len({profile.traits for profile in shipped}) == len(shipped)
    assert len({profile.sha256() for profile in shipped}) == len(shipped)


def _without(key: str) -> Callable[[str], str]:
    return lambda text: "\n".join(line for line in text.splitlines() if not line.startswith(f"{key} ="))


def _replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


FAULTS: dict[str, tuple[Callable[[str], str], str]] = {
    "not TOML": (lambda text: text + "[", "mine.toml: not TOML"),
    "empty": (lambda _: "", "id: field required"),
    "no id": (_without("id"), "id: field required"),
    "no tone": (_without("tone"), "tone: field required"),
    "one language only": (_without("ru"), "name.ru: field required"),
    "no traits": (lambda text: text.partition("[traits]")[0], "traits: field required"),
    "a trait is missing": (_without("gossip"), "traits.gossip: field required"),
    "a trait is text": (_replaced("gossip = 0.5", 'gossip = "0.5"'), "traits.gossip: input should be a valid number"),
    "a trait is true": (_replaced("gossip = 0.5", "gossip = true"), "traits.gossip: input should be a valid number"),
    "a trait is too large": (_replaced("gossip = 0.5", "gossip = 1.01"), "traits.gossip: .*less than or equal to 1"),
    "a trait is negative": (_replaced("gossip = 0.5", "gossip = -0.1"), "traits.gossip: .*greater than or equal to 0"),
    "a trait is no number": (_replaced("gossip = 0.5", "gossip = nan"), "traits.gossip: "),
    "a trait is endless": (_replaced("gossip = 0.5", "gossip = inf"), "traits.gossip: "),
    "an unknown trait": (lambda text: text + "charm = 0.5\n", "traits.charm: extra inputs are not permitted"),
    "an unknown key": (lambda text: 'voice = "x"\n' + text, "voice: extra inputs are not permitted"),
    "an unknown tone": (_replaced('"plain"', '"loud"'), "tone: input should be 'plain', 'warm'"),
    "an id that is no name": (_replaced('"mine"', '"My Own"'), "id: string should match"),
    "an id that is a path": (_replaced('"mine"', '"../mine"'), "id: string should match"),
    "a number for an id": (_replaced('"mine"', "7"), "id: input should be a valid string"),
    "blank words": (_replaced('"Long."', '"  "'), "prose.en: string should have at least 1 character"),
    "endless words": (_replaced('"Long."', f'"{"x" * 4001}"'), "prose.en: string should have at most 4000"),
    "texts as one string": (_replaced('[name]\nen = "Mine"\nru = "Мой"', 'name = "Mine"'), "name: "),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_names_file_and_field(name: str) -> None:
    change, text = FAULTS[name]
    with pytest.raises(BadProfile, match=f"mine.toml: .*{text.removeprefix('mine.toml: ')}"):
        profiles.parse(change(GOOD), "mine.toml")


def test_a_whole_number_is_a_trait() -> None:
    assert profiles.parse(GOOD.replace("honesty = 0.5", "honesty = 1"), "mine.toml").traits.honesty == 1.0


def test_the_id_is_the_name_of_the_file(own: Path) -> None:
    (own / "yours.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(BadProfile, match="id: is 'mine', but the file is called 'yours'"):
        profiles.find("yours")


def test_the_users_own_profile_goes_before_the_packaged_one(own: Path) -> None:
    assert profiles.find("honest").traits.honesty != 0.5
    (own / "honest.toml").write_text(GOOD.replace('"mine"', '"honest"'), encoding="utf-8")
    assert profiles.find("honest").traits.honesty == 0.5
    assert profiles.paths()["honest"] == own / "honest.toml"
    assert len(profiles.paths()) >= 9


def test_a_changed_file_is_read_anew(own: Path) -> None:
    path = own / "mine.toml"
    path.write_text(GOOD, encoding="utf-8")
    first = profiles.find("mine")
    path.write_text(GOOD.replace("honesty = 0.5", "honesty = 0.75"), encoding="utf-8")
    assert (first.traits.honesty, profiles.find("mine").traits.honesty) == (0.5, 0.75)
    assert first.sha256() != profiles.find("mine").sha256()


def test_a_profile_can_be_named_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert profiles.find(str(path)).id == "mine"


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadProfile, match=r"mine\.toml: cannot be read"):
        profiles.find(str(path))


def test_an_unknown_profile_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown profile 'honset'\. Did you mean 'honest'"):
        profiles.find("honset")


def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIPLOMAT_HOME", str(tmp_path))
    assert folders("profiles") == (tmp_path / "profiles", packaged("profiles"))
    monkeypatch.delenv("DIPLOMAT_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert home() == tmp_path / "diplomat"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home() == tmp_path / ".config" / "diplomat"


def test_the_example_is_complete() -> None:
    assert set(tomllib.loads(GOOD)["traits"]) == set(TRAITS)
    parsed: Any = tomllib.loads(GOOD)
    assert set(parsed) == set(profiles.Profile.model_fields)
