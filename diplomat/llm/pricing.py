"""What one attempt may cost before it is made, and what it has cost after."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from decimal import Decimal

from diplomat.core.errors import UsageError
from diplomat.llm.base import Call, Usage
from diplomat.llm.budget import Budget
from diplomat.llm.names import Endpoint
from diplomat.llm.prices import Price, Prices

PER_TURN = 16
"""Tokens around a turn, at most."""
PER_CALL = 1024
"""Tokens that a provider adds by itself, for a tool or a schema, at most."""


def most_tokens(call: Call) -> int:
    """More input tokens than the call can have.

    A token is at least one byte, so the bytes are a limit that holds for every tokenizer.
    """
    schema = len(json.dumps(call.schema, ensure_ascii=False).encode("utf-8", "replace"))
    texts = [part.text for part in call.system] + [turn.text for turn in call.turns]
    size = sum(len(text) if text.isascii() else len(text.encode("utf-8", "replace")) for text in texts)
    return size + 2 * schema + PER_TURN * len(texts) + PER_CALL


def _near(name: str, prices: Prices) -> str:
    """Names of the price table that may have been meant, by their models alone."""
    known = {_model(full): full for full, _ in prices.listed()}
    near = difflib.get_close_matches(_model(name), known, n=3, cutoff=0.6)
    return f" (did you mean {' or '.join(known[model] for model in near)}?)" if near else ""


def _model(name: str) -> str:
    """The model of an endpoint's name, without a provider or an address.

    >>> _model("openai:gpt-5"), _model("http://127.0.0.1:8080/v1#qwen"), _model("local")
    ('gpt-5', 'qwen', 'local')
    """
    return name.rpartition("#")[2] if "#" in name else name.partition(":")[2] or name


class Costs:
    """Prices of the endpoints of one game, and whether its budget can be kept."""

    def __init__(self, endpoints: Iterable[Endpoint], prices: Prices, budget: Budget) -> None:
        """UsageError if there is a budget and a model without a price: such a limit would hold nothing."""
        self._prices = {endpoint: prices.of(endpoint) for endpoint in endpoints}
        if budget.limit is not None and self.unpriced:
            name = self.unpriced[0].name
            raise UsageError(
                f"a budget cannot be kept, since the price of {name} is not known{_near(name, prices)}; write it into "
                f'a file, "{name}" = {{ input = 2.50, output = 10.00 }} in USD per million tokens, '
                "and name the file with --prices FILE, or play without a budget; "
                "diplomat models lists the prices that are known"
            )

    @property
    def unpriced(self) -> tuple[Endpoint, ...]:
        """Endpoints without a known price."""
        return tuple(endpoint for endpoint, price in self._prices.items() if price is None)

    def price(self, endpoint: Endpoint) -> Price | None:
        """The price of an endpoint."""
        return self._prices[endpoint]

    def most(self, endpoint: Endpoint, call: Call) -> Decimal:
        """USD that one attempt costs at worst; 0 without a price."""
        price = self._prices[endpoint]
        if price is None or price.free:
            return Decimal(0)
        return price.most(most_tokens(call), call.max_output)

    def of(self, endpoint: Endpoint, usage: Usage) -> Decimal | None:
        """USD for what was used; None if the server did not say what that was, or there is no price."""
        price = self._prices[endpoint]
        if price is None or (not price.free and not usage.input):
            return None
        return price.cost(usage)
