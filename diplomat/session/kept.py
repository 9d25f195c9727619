"""What a log's header keeps of how the table was run, checked before a game goes on by it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from diplomat.core.errors import BadTranscript
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import SeatEntry

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Place = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
"""The path of a file."""


class _Silence(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    seat: str
    request: str
    place: int
    message: str


class _Forked(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    before: list[SeatEntry]


class _Options(BaseModel):
    """Options of a header, as far as a game that goes on looks at them; others are left alone."""

    model_config = ConfigDict(extra="ignore", strict=True)

    deadline: Seconds | None = None
    pace: str = ""
    budget: float | None = None
    patience: Seconds = 1.0
    constrained: bool = True
    prices: Place | None = None
    record: Place | None = None
    replay: Place | None = None
    fork: _Forked | None = None


class _Then(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    seed: str
    nonce: str


class _Meta(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    nonce: str = ""
    then: _Then | None = None
    silence: _Silence | None = None


def kept_options(transcript: Transcript) -> dict[str, Any]:
    """The options in a header; BadTranscript names the first that no table can be run by."""
    options: dict[str, Any] = transcript.header.options
    _check(transcript, _Options, options, "options", 1)
    if transcript.lines:
        _check(transcript, _Meta, dict(transcript.lines[0].meta), "meta", 2)
    return options


def _check(transcript: Transcript, model: type[BaseModel], data: Any, name: str, line: int) -> None:
    try:
        model.model_validate(data)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in (name, *first["loc"]))
        raise BadTranscript(f"{transcript.path}, line {line}: {where}: {first['msg'].lower()}", line) from None
