"""The map of Rokugan: provinces, territories, sea and mountains (house H2)."""

from __future__ import annotations

import re
import tomllib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

Cell = tuple[int, int]

KINDS = ("clan", "imperial", "islands", "shadowlands")
MAX_FLOWERS = 3
CAPITAL_DEFENCE, SHADOWLANDS_DEFENCE = 2, 1

_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_ID = re.compile(r"[a-z_]+")
_TOP_KEYS = {"sea": list, "mountains": list, "territory": list, "province": list}
_TERRITORY_KEYS = {"id": str, "kind": str, "en": str, "ru": str}
_PROVINCE_KEYS = {"id": str, "territory": str, "at": list, "flowers": int, "en": str, "ru": str}


@dataclass(frozen=True, slots=True)
class Province:
    """One province with all that the map says about it (house H2.2, H2.4, H2.5)."""

    id: str
    territory: str
    at: Cell
    flowers: int
    capital: bool
    coastal: bool
    defence: int
    neighbours: tuple[str, ...]
    en: str
    ru: str


@dataclass(frozen=True, slots=True)
class Territory:
    """One of the territories and the provinces that make it up (house H2.1)."""

    id: str
    kind: str
    provinces: tuple[str, ...]
    en: str
    ru: str


@dataclass(frozen=True, slots=True)
class Atlas:
    """The whole map, provinces and territories in the order of the file (house H2)."""

    provinces: Mapping[str, Province]
    territories: Mapping[str, Territory]
    sea: frozenset[Cell]
    mountains: frozenset[Cell]
    capital_of: Mapping[str, str]
    near_shadow: frozenset[str]


def hex_neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the six cells that share an edge with a cell (house H2.2)."""
    q, r = cell
    return tuple((q + dq, r + dr) for dq, dr in _STEPS)


def _check_keys(entry: Any, where: str, required: Mapping[str, type], optional: Mapping[str, type]) -> dict[str, Any]:
    """Return a table of the file once every key is known and every value has its type."""
    if type(entry) is not dict:
        raise ValueError(f"map: {where} is {entry!r}; it should be a table")
    types = {**required, **optional}
    for key, value in entry.items():
        if key not in types:
            raise ValueError(f"map: {where} has the unknown key {key!r}; known keys are {', '.join(types)}")
        if type(value) is not types[key]:
            raise ValueError(f"map: {key} of {where} is {value!r}; it should be of type {types[key].__name__}")
    for key in required:
        if key not in entry:
            raise ValueError(f"map: {where} has no {key}; add {key} = ...")
    return entry


def _cell(value: object, where: str) -> Cell:
    """Return a cell written as [q, r]."""
    if isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value):
        return value[0], value[1]
    raise ValueError(f"map: {where} is {value!r}; it should be two whole numbers [q, r]")


def _occupy(taken: dict[Cell, str], cell: Cell, what: str) -> None:
    """Put one thing on a cell, which must be free (house H2.2)."""
    if cell in taken:
        raise ValueError(f"map: cell {list(cell)} holds both {taken[cell]} and {what}; a cell holds one thing")
    taken[cell] = what


def _check_id(name: str, where: str, seen: Mapping[str, object]) -> None:
    """Refuse an id that is malformed or used before."""
    if not _ID.fullmatch(name):
        raise ValueError(f"map: {where} has the id {name!r}; an id is made of a-z and _")
    if name in seen:
        raise ValueError(f"map: {where} has the id {name!r}, which is used before; every id is used once")


def _raw_provinces(entries: list[Any], kinds: Mapping[str, str], taken: dict[Cell, str]) -> dict[str, dict[str, Any]]:
    """Return the province tables by id after checking each one alone (house H2.4)."""
    raw: dict[str, dict[str, Any]] = {}
    for number, entry in enumerate(entries, 1):
        table = _check_keys(entry, f"province number {number}", _PROVINCE_KEYS, {"capital": bool})
        name, home = table["id"], table["territory"]
        _check_id(name, f"province number {number}", raw)
        if home not in kinds:
            raise ValueError(f"map: province {name} is in unknown territory {home!r}; known are {', '.join(kinds)}")
        most = 0 if kinds[home] == "shadowlands" else MAX_FLOWERS
        if not 0 <= table["flowers"] <= most:
            raise ValueError(f"map: province {name} in {home} has {table['flowers']} flowers; right is 0 to {most}")
        if table.get("capital", False) and kinds[home] != "clan":
            raise ValueError(f"map: province {name} is a capital in {home}; only clan territories have a capital")
        _occupy(taken, _cell(table["at"], f"at of province {name}"), f"province {name}")
        raw[name] = table
    return raw


def _capitals(raw: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]) -> dict[str, str]:
    """Return the capital of every clan territory, which has exactly one (house H2.6)."""
    capitals: dict[str, str] = {}
    for clan in (name for name, kind in kinds.items() if kind == "clan"):
        found = [name for name, table in raw.items() if table["territory"] == clan and table.get("capital", False)]
        if len(found) != 1:
            raise ValueError(f"map: territory {clan} has {len(found)} capitals; a clan territory has exactly 1")
        capitals[clan] = found[0]
    return capitals


def parse(text: str) -> Atlas:
    """Read a map from TOML text, or raise ValueError that says what is wrong, where, and what would be right."""
    try:
        top = _check_keys(tomllib.loads(text), "the file", _TOP_KEYS, {})
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"map: the file is not TOML ({error}); it should be a TOML file") from error
    taken: dict[Cell, str] = {}
    for key in ("sea", "mountains"):
        for value in top[key]:
            _occupy(taken, _cell(value, f"a cell of {key}"), key)
    sea = frozenset(cell for cell, what in taken.items() if what == "sea")
    mountains = frozenset(taken) - sea
    kinds: dict[str, str] = {}
    for number, entry in enumerate(top["territory"], 1):
        table = _check_keys(entry, f"territory number {number}", _TERRITORY_KEYS, {})
        _check_id(table["id"], f"territory number {number}", kinds)
        if table["kind"] not in KINDS:
            raise ValueError(f"map: territory {table['id']} is of kind {table['kind']!r}; kinds are {', '.join(KINDS)}")
        kinds[table["id"]] = table["kind"]
    raw = _raw_provinces(top["province"], kinds, taken)
    capitals = _capitals(raw, kinds)
    at = {(table["at"][0], table["at"][1]): name for name, table in raw.items()}
    provinces: dict[str, Province] = {}
    for cell, name in at.items():
        table, around = raw[name], hex_neighbours(cell)
        coastal, capital = not sea.isdisjoint(around), table.get("capital", False)
        base = SHADOWLANDS_DEFENCE if kinds[table["territory"]] == "shadowlands" else 0
        defence = CAPITAL_DEFENCE if capital else base
        near = tuple(sorted(at[other] for other in around if other in at))
        place = (table["id"], table["territory"], cell, table["flowers"])
        provinces[name] = Province(*place, capital, coastal, defence, near, table["en"], table["ru"])
    territories: dict[str, Territory] = {}
    for table in top["territory"]:
        inside = tuple(name for name, province in provinces.items() if province.territory == table["id"])
        if not inside:
            raise ValueError(f"map: territory {table['id']} has no provinces; it should have at least 1")
        territories[table["id"]] = Territory(table["id"], table["kind"], inside, table["en"], table["ru"])
    dark = {name for name, province in provinces.items() if kinds[province.territory] == "shadowlands"}
    beside = frozenset(name for name, province in provinces.items() if not dark.isdisjoint(province.neighbours)) - dark
    maps = MappingProxyType(provinces), MappingProxyType(territories)
    return Atlas(*maps, sea, mountains, MappingProxyType(capitals), beside)


@cache
def atlas() -> Atlas:
    """Return the map that comes with the package."""
    return parse(files(__package__).joinpath("data", "map.toml").read_text(encoding="utf-8"))


def distances(atlas: Atlas, start: str) -> dict[str, int]:
    """Return how many land steps away every province is that can be reached by land (house H2.2)."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in atlas.provinces[here].neighbours:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps
