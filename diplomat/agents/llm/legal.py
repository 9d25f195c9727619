"""What is legal, beside a question: as the machine-readable block, or as short lines for a small reader."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from diplomat.agents.llm.safe import clipped
from diplomat.agents.llm.shape import recipients
from diplomat.core.plain import canonical
from diplomat.core.talk import TalkWindow


def menu_block(schema: Mapping[str, Any], window: TalkWindow, key: str, steps: int) -> str:
    """The menu as one line of JSON that holds no backtick."""
    data = {
        "schema": shortened(schema),
        "window": {"to": list(recipients(window)), "messages": window.messages, "length": window.length},
        "key": key,
        "steps": steps,
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("`", "\\u0060")


def shortened(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same menu in fewer words: variants that differ in one constant become one with a list of them.

    >>> a, b = ({"properties": {"token": {"const": name}, "place": {"enum": ["x"]}}} for name in "ab")
    >>> shortened({"anyOf": [a, b]})
    {'properties': {'token': {'enum': ['a', 'b']}, 'place': {'enum': ['x']}}}
    """
    variants = list(_variants(schema))
    if "anyOf" not in schema or not variants:
        return schema
    for name in dict.fromkeys(name for variant in variants for name in variant["properties"]):
        variants = _merged(variants, name)
    return variants[0] if len(variants) == 1 else {"anyOf": variants}


def _merged(variants: Sequence[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    """Variants that are alike but for the constant of one field, each group made one."""
    groups: dict[str, tuple[Mapping[str, Any], list[Any]]] = {}
    for number, variant in enumerate(variants):
        part = variant["properties"].get(name, {})
        if set(part) != {"const"}:
            groups[f"#{number}"] = variant, []
            continue
        alike = canonical({**variant, "properties": {**variant["properties"], name: None}})
        groups.setdefault(alike, (variant, []))[1].append(part["const"])
    return [
        variant if len(values) < 2 else {**variant, "properties": {**variant["properties"], name: {"enum": values}}}
        for variant, values in groups.values()
    ]


def legal_lines(schema: Mapping[str, Any], most: int) -> str:
    """The menu as a line for each variant, all together of at most so many characters."""
    variants = list(_variants(schema))
    if not variants:
        return ""
    each = max(most // len(variants), 24)
    return "\n".join(f"- {clipped(_fields(variant), each)}" for variant in variants[: max(most // 24, 1)])


def _variants(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "anyOf" in schema:
        for part in schema["anyOf"]:
            yield from _variants(part)
    elif schema.get("properties"):
        yield schema


def _fields(schema: Mapping[str, Any]) -> str:
    return "; ".join(f"{name}: {_options(part)}" for name, part in schema["properties"].items())


def _options(schema: Mapping[str, Any]) -> str:
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return " | ".join(str(option) for option in schema["enum"])
    return f"[{_options(schema['items'])}]" if "items" in schema else str(schema.get("type", "…"))
