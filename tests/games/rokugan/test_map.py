"""The map of Rokugan against house H2, and what `parse` says about a bad map."""

from __future__ import annotations

import dataclasses
from collections import Counter
from importlib.resources import files
from itertools import combinations

import pytest

from diplomat.games.rokugan.atlas import Atlas, Cell, atlas, distances, hex_neighbours, parse

CLANS = ("crab", "crane", "dragon", "lion", "phoenix", "scorpion", "unicorn")
SHADOWLANDS = ("shadow_north", "shadow_south")
SIZES = {**dict.fromkeys(CLANS, 3), "imperial": 3, "islands": 2, **dict.fromkeys(SHADOWLANDS, 1)}
MAP = atlas()
MAINLAND = {name for name, province in MAP.provinces.items() if province.territory != "islands"}
SMALL = """
sea = [[2, 0]]
mountains = [[-1, 0]]
[[territory]]
id = "lion"
kind = "clan"
en = "Lion lands"
ru = "Земли Льва"
[[territory]]
id = "dark"
kind = "shadowlands"
en = "Dark lands"
ru = "Тёмные земли"
[[province]]
id = "akodo"
territory = "lion"
at = [0, 0]
flowers = 2
capital = true
en = "Akodo"
ru = "Акодо"
[[province]]
id = "moor"
territory = "dark"
at = [1, 0]
flowers = 0
en = "Moor"
ru = "Топь"
"""


def joined(cells: set[Cell] | frozenset[Cell]) -> bool:
    """Tell whether the cells hang together."""
    start = min(cells)
    reached, todo = {start}, [start]
    while todo:
        for cell in hex_neighbours(todo.pop()):
            if cell in cells and cell not in reached:
                reached.add(cell)
                todo.append(cell)
    return reached == set(cells)


def steps_to_imperial(capital: str) -> int:
    """Return the land steps from a capital to the nearest Imperial province."""
    away = distances(MAP, capital)
    return min(away[name] for name in MAP.territories["imperial"].provinces)


@pytest.mark.parametrize(("territory", "size"), SIZES.items())
def test_H2_1_territories_have_their_sizes(territory: str, size: int) -> None:
    assert len(MAP.territories[territory].provinces) == size


def test_H2_1_28_provinces_in_11_territories() -> None:
    assert len(MAP.provinces) == 28
    assert len(MAP.territories) == 11
    kinds = Counter(territory.kind for territory in MAP.territories.values())
    assert kinds == {"clan": 7, "imperial": 1, "islands": 1, "shadowlands": 2}
    listed = [name for territory in MAP.territories.values() for name in territory.provinces]
    assert sorted(listed) == sorted(MAP.provinces)


def test_H2_2_a_cell_holds_one_thing() -> None:
    places = [province.at for province in MAP.provinces.values()]
    assert len(set(places)) == len(places)
    assert not MAP.sea & MAP.mountains
    assert not (MAP.sea | MAP.mountains) & set(places)


def test_H2_2_land_neighbours_share_an_edge() -> None:
    for one, other in combinations(MAP.provinces.values(), 2):
        touch = other.at in hex_neighbours(one.at)
        assert (other.id in one.neighbours) == touch == (one.id in other.neighbours)


def test_H2_2_coastal_means_beside_a_sea_cell() -> None:
    for province in MAP.provinces.values():
        assert province.coastal == any(cell in MAP.sea for cell in hex_neighbours(province.at)), province.id


def test_H2_2_off_the_grid_is_no_sea() -> None:
    small = parse(SMALL)
    assert (small.provinces["akodo"].coastal, small.provinces["moor"].coastal) == (False, True)


def test_H2_2_there_is_one_sea() -> None:
    assert joined(MAP.sea)


@pytest.mark.parametrize("island", MAP.territories["islands"].provinces)
def test_H2_3_islands_touch_only_the_sea(island: str) -> None:
    assert MAP.provinces[island].neighbours == ()
    assert set(hex_neighbours(MAP.provinces[island].at)) <= MAP.sea
    assert distances(MAP, island) == {island: 0}


def test_H2_4_flowers() -> None:
    assert all(province.flowers in range(4) for province in MAP.provinces.values())
    assert [MAP.provinces[name].flowers for dark in SHADOWLANDS for name in MAP.territories[dark].provinces] == [0, 0]


def test_H2_5_base_defence() -> None:
    for province in MAP.provinces.values():
        expected = 2 if province.capital else 1 if province.territory in SHADOWLANDS else 0
        assert province.defence == expected, province.id


@pytest.mark.parametrize("clan", CLANS)
def test_H2_6_a_clan_territory_is_connected_and_has_one_capital(clan: str) -> None:
    home = MAP.territories[clan].provinces
    assert joined({MAP.provinces[name].at for name in home})
    assert [name for name in home if MAP.provinces[name].capital] == [MAP.capital_of[clan]]


def test_H2_6_only_clans_have_capitals() -> None:
    assert set(MAP.capital_of) == set(CLANS)
    assert sum(province.capital for province in MAP.provinces.values()) == 7


def test_H2_6_the_mainland_is_connected() -> None:
    assert len(MAINLAND) == 26
    assert set(distances(MAP, min(MAINLAND))) == MAINLAND


def test_H2_6_coastal_provinces() -> None:
    assert 10 <= sum(province.coastal for province in MAP.provinces.values()) <= 13


def test_H2_6_mean_land_degree() -> None:
    assert 3.6 <= sum(len(province.neighbours) for province in MAP.provinces.values()) / 28 <= 4.6


@pytest.mark.parametrize("territory", SHADOWLANDS)
def test_H2_6_each_shadowlands_province_touches_the_mainland(territory: str) -> None:
    (name,) = MAP.territories[territory].provinces
    beside = MAP.provinces[name].neighbours
    assert beside
    assert set(beside) <= MAP.near_shadow
    assert name not in MAP.near_shadow


def test_H2_6_flowers_in_all() -> None:
    assert 44 <= sum(province.flowers for province in MAP.provinces.values()) <= 58


def test_H2_6_capitals_are_equally_far_from_the_imperial_lands() -> None:
    away = [steps_to_imperial(capital) for capital in MAP.capital_of.values()]
    assert max(away) - min(away) <= 2


def test_H2_6_mountains_separate_provinces() -> None:
    at = {province.at for province in MAP.provinces.values()}
    separating = [
        mountain
        for mountain in MAP.mountains
        if any(b not in hex_neighbours(a) for a, b in combinations(at.intersection(hex_neighbours(mountain)), 2))
    ]
    assert len(separating) >= 4


@pytest.mark.parametrize("language", ["en", "ru"])
def test_H2_6_names_are_short_and_told_apart(language: str) -> None:
    names = [getattr(province, language) for province in MAP.provinces.values()]
    assert len(set(names)) == 28
    assert all(1 <= len(name) <= 16 for name in names)
    letters = "".join(names).replace(" ", "").replace("-", "").lower()
    assert all(("a" <= letter <= "z") == (language == "en") for letter in letters)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "moor"', 'id = "akodo"', "province number 2 has the id 'akodo', which is used before"),
        ('id = "dark"', 'id = "lion"', "territory number 2 has the id 'lion', which is used before"),
        ('id = "moor"', 'id = "Moor 1"', "id is made of a-z and _"),
        ("at = [1, 0]", "at = [0, 0]", r"cell \[0, 0\] holds both province akodo and province moor"),
        ("at = [1, 0]", "at = [2, 0]", r"cell \[2, 0\] holds both sea and province moor"),
        ("mountains = [[-1, 0]]", "mountains = [[2, 0]]", r"cell \[2, 0\] holds both sea and mountains"),
        ("sea = [[2, 0]]", "sea = [[2, 0], [2, 0]]", r"cell \[2, 0\] holds both sea and sea"),
        ("sea = [[2, 0]]", "sea = [[2, 0, 0]]", r"a cell of sea is \[2, 0, 0\]; it should be two whole numbers"),
        ("at = [1, 0]", "at = [1, 0.5]", "at of province moor .* should be two whole numbers"),
        ('territory = "dark"', 'territory = "mist"', "moor is in unknown territory 'mist'; known are lion, dark"),
        ('kind = "clan"', 'kind = "clam"', "territory lion is of kind 'clam'; kinds are clan, imperial"),
        ("flowers = 2", "flowers = 4", "province akodo in lion has 4 flowers; right is 0 to 3"),
        ("flowers = 2", "flowers = -1", "province akodo in lion has -1 flowers; right is 0 to 3"),
        ("flowers = 0", "flowers = 1", "province moor in dark has 1 flowers; right is 0 to 0"),
        ("flowers = 2", 'flowers = "2"', "flowers of province number 1 is '2'; it should be of type int"),
        ("flowers = 2", "flowers = true", "flowers of province number 1 is True; it should be of type int"),
        ("flowers = 2", "", "province number 1 has no flowers"),
        ("flowers = 2", "flowers = 2\nflower = 2", "province number 1 has the unknown key 'flower'; known keys are"),
        ("capital = true", "", "territory lion has 0 capitals; a clan territory has exactly 1"),
        ("flowers = 0", "flowers = 0\ncapital = true", "province moor is a capital in dark; only clan territories"),
        ('territory = "dark"', 'territory = "lion"', "territory dark has no provinces; it should have at least 1"),
        ("sea = [[2, 0]]", "", "the file has no sea"),
        ("sea = [[2, 0]]", "sea = [", "the file is not TOML"),
        (SMALL, "sea = []\nmountains = []\nprovince = []\nterritory = [1]", "territory number 1 is 1; it should be"),
    ],
)
def test_parse_says_what_is_wrong(old: str, new: str, message: str) -> None:
    assert old in SMALL
    with pytest.raises(ValueError, match=f"^map: .*{message}"):
        parse(SMALL.replace(old, new, 1))


def test_parse_reads_a_small_map() -> None:
    small = parse(SMALL)
    assert list(small.provinces) == ["akodo", "moor"]
    assert small.provinces["akodo"].neighbours == ("moor",)
    assert small.territories["dark"].provinces == ("moor",)
    assert dict(small.capital_of) == {"lion": "akodo"}
    assert (set(small.sea), set(small.mountains), set(small.near_shadow)) == ({(2, 0)}, {(-1, 0)}, {"akodo"})
    assert distances(small, "moor") == {"moor": 0, "akodo": 1}


def test_the_packaged_map_is_read_once_and_cannot_be_changed() -> None:
    assert atlas() is MAP
    text = files("diplomat.games.rokugan").joinpath("data", "map.toml").read_text(encoding="utf-8")
    assert isinstance(parse(text), Atlas)
    assert parse(text).provinces == MAP.provinces
    with pytest.raises(dataclasses.FrozenInstanceError):
        MAP.provinces["hida"].flowers = 9  # type: ignore[misc]
    with pytest.raises(TypeError):
        MAP.provinces["hida"] = MAP.provinces["kaiu"]  # type: ignore[index]
