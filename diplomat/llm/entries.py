"""One finished call as it stands in a calls file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from typing import Any, Literal, cast

from diplomat.llm.base import Completion, FaultKind, Finish, Mode, ProviderFault, Usage
from diplomat.llm.blocks import Fingerprint
from diplomat.llm.retry import Attempt

Status = Literal["done", "failed", "expired"]
"""``failed``: it ended in a fault.  ``expired``: the table's deadline came first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A call that is over."""

    id: str
    seat: str
    purpose: str
    endpoint: str
    request: Fingerprint
    status: Status
    completion: Completion | None = None
    fault: FaultKind | None = None
    fault_text: str = ""
    cost: Decimal | None = None
    """USD; None if the model has no known price."""
    estimated: bool = False
    """Whether the cost is the highest possible one, since nobody said what was used."""
    latency: float = 0.0
    """Seconds of the last attempt."""
    attempts: tuple[Attempt, ...] = ()
    """Those that failed in passing."""
    prefix: tuple[int, int] = (0, 0)
    """Characters of the prompt already sent as a beginning, and all characters."""
    at: str = ""
    """When it ended, ISO 8601."""

    def again(self) -> ProviderFault:
        """The fault that it ended in."""
        return ProviderFault(self.fault or "connection", self.fault_text)


def as_data(entry: Entry) -> dict[str, Any]:
    """An entry as JSON data."""
    got, request = entry.completion, entry.request
    data: dict[str, Any] = {
        "kind": "call",
        "id": entry.id,
        "seat": entry.seat,
        "purpose": entry.purpose,
        "endpoint": entry.endpoint,
        "status": entry.status,
        "request": asdict(request),
    }
    if got is not None:
        data |= {
            "mode": got.mode,
            "text": got.text,
            "thinking": got.thinking,
            "finish": got.finish,
            "usage": asdict(got.usage),
            "provider_id": got.provider_id,
        }
    if entry.fault is not None:
        data |= {"fault": entry.fault, "fault_text": entry.fault_text}
    return data | {
        "cost": None if entry.cost is None else f"{entry.cost:f}",
        "estimated": entry.estimated,
        "latency": round(entry.latency, 4),
        "attempts": [asdict(attempt) for attempt in entry.attempts],
        "prefix": list(entry.prefix),
        "at": entry.at,
    }


def from_data(data: dict[str, Any]) -> Entry:
    """The entry of JSON data; KeyError, TypeError, ValueError or ArithmeticError if it is none."""
    asked = data["request"]
    request = Fingerprint(
        sha=str(asked["sha"]),
        system=tuple(str(sha) for sha in asked["system"]),
        turns=tuple((str(role), str(sha)) for role, sha in asked["turns"]),
        schema=str(asked["schema"]),
        max_output=int(asked["max_output"]),
        constrained=bool(asked["constrained"]),
    )
    got = None
    if data["status"] == "done":
        usage = Usage(**{field.name: int(data["usage"][field.name]) for field in fields(Usage)})
        got = Completion(
            text=str(data["text"]),
            finish=cast(Finish, data["finish"]),
            usage=usage,
            thinking=str(data["thinking"]),
            provider_id=str(data["provider_id"]),
            mode=cast(Mode, data["mode"]),
        )
    same, whole = data["prefix"]
    return Entry(
        id=str(data["id"]),
        seat=str(data["seat"]),
        purpose=str(data["purpose"]),
        endpoint=str(data["endpoint"]),
        request=request,
        status=_status(data["status"]),
        completion=got,
        fault=data.get("fault"),
        fault_text=str(data.get("fault_text", "")),
        cost=None if data["cost"] is None else Decimal(data["cost"]),
        estimated=bool(data["estimated"]),
        latency=float(data["latency"]),
        attempts=tuple(Attempt(str(one["fault"]), float(one["waited"])) for one in data["attempts"]),
        prefix=(int(same), int(whole)),
        at=str(data["at"]),
    )


def _status(text: Any) -> Status:
    if text not in ("done", "failed", "expired"):
        raise ValueError(f"unknown status {text!r}")
    return cast(Status, text)
