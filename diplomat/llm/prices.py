"""What tokens cost, from a table that users may add to."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from diplomat.core import toml
from diplomat.core.errors import UsageError
from diplomat.llm.base import Usage
from diplomat.llm.home import config_file
from diplomat.llm.names import Endpoint

MILLION = Decimal(1_000_000)
_DATE = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")
_FIELDS = ("input", "output", "cached", "stored")
_REMARKS = frozenset({"as_of", "source"})


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens, exact."""

    input: Decimal
    output: Decimal
    cached: Decimal
    """Input read from the provider's cache."""
    stored: Decimal
    """Input written to the provider's cache."""

    def cost(self, usage: Usage) -> Decimal:
        """USD for what was used."""
        total = usage.fresh * self.input + usage.cached * self.cached + usage.stored * self.stored
        return (total + usage.output * self.output) / MILLION

    def most(self, input_tokens: int, max_output: int) -> Decimal:
        """USD that a call costs at worst, whatever the cache does."""
        return (input_tokens * max(self.input, self.cached, self.stored) + max_output * self.output) / MILLION

    @property
    def free(self) -> bool:
        """Whether nobody is billed."""
        return not (self.input or self.output or self.cached or self.stored)


FREE = Price(Decimal(0), Decimal(0), Decimal(0), Decimal(0))


class Prices:
    """Prices by the name of the model; where there is none, there is no price, and never 0."""

    def __init__(self, *tables: Mapping[str, Price]) -> None:
        """Earlier tables win."""
        self._tables = tables

    @classmethod
    def load(cls, file: Path | None = None) -> Prices:
        """The file named by the user, the user's own ``prices.toml``, then ours; UsageError for a bad one."""
        tables = [_read(file)] if file is not None else []
        own = config_file("prices.toml")
        if own.is_file():
            tables.append(_read(own))
        return cls(*tables, _shipped())

    def of(self, endpoint: Endpoint) -> Price | None:
        """The price; a machine of one's own costs nothing unless a table says so; None if unknown."""
        name = endpoint.name
        for wanted in dict.fromkeys((name, _DATE.sub("", name))):
            for table in self._tables:
                if wanted in table:
                    return table[wanted]
        return FREE if endpoint.near else None

    def listed(self) -> tuple[tuple[str, Price], ...]:
        """Every model with a price, by name."""
        joined = {name: price for table in reversed(self._tables) for name, price in table.items()}
        return tuple(sorted(joined.items()))


@cache
def _shipped() -> Mapping[str, Price]:
    return _read(Path(__file__).parent / "data" / "prices.toml")


def as_of() -> str:
    """The day of the prices that come with the package."""
    return str(tomllib.loads((Path(__file__).parent / "data" / "prices.toml").read_text(encoding="utf-8"))["as_of"])


def _read(path: Path) -> dict[str, Price]:
    try:
        data = toml.parsed(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as fault:
        raise UsageError(f"the prices {path} cannot be read: {fault.strerror}") from None
    except ValueError as fault:
        raise UsageError(f"the prices {path} are no TOML: {fault}") from None
    return {name: _price(path, name, entry) for name, entry in data.items() if name not in _REMARKS}


def _price(path: Path, name: str, entry: Any) -> Price:
    where = f"{path}: the price of {name!r}"
    if not isinstance(entry, dict):
        raise UsageError(f'{where} is no table; write ["{name}"] and below it input = … and output = …')
    unknown = sorted(set(entry) - set(_FIELDS) - _REMARKS)
    if unknown:
        raise UsageError(f"{where} has {unknown[0]!r}, which is no price; known: {', '.join(_FIELDS)}")
    missing = [field for field in ("input", "output") if field not in entry]
    if missing:
        raise UsageError(f"{where} lacks {missing[0]!r}, in USD per million tokens")
    found = {field: _amount(f"{where}, {field},", entry[field]) for field in _FIELDS if field in entry}
    return Price(
        found["input"],
        found["output"],
        found.get("cached", found["input"]),
        # Without a price of its own, what is stored costs what other input costs.
        found.get("stored", found["input"]),
    )


def _amount(where: str, value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise UsageError(f"{where} is {value!r}; it must be a number of USD per million tokens")
    amount = Decimal(value)
    if not amount.is_finite() or amount < 0:
        raise UsageError(f"{where} is {value}; it must be 0 or more")
    return amount
