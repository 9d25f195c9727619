"""What can be set about a game of Rokugan."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from diplomat.games.rokugan.content import ROUNDS

CLAN_IDS = ("crab", "crane", "dragon", "lion", "phoenix", "scorpion", "unicorn")


class Settings(BaseModel):
    """Settings of one table; every field has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rounds: int = Field(default=ROUNDS, ge=1, le=ROUNDS, description="rounds to play (house H1.1: 5)")
    clans: dict[str, str] = Field(default_factory=dict, description="clan of a seat: clans.s1=crab; others are drawn")
    talk_waves: int = Field(
        default=2, ge=0, le=5, description="turns to talk at the start of each round; 0: no talk at all"
    )
    messages: int = Field(default=4, ge=1, le=20, description="messages per turn to talk")
    messages_in_passing: int = Field(default=1, ge=0, le=10, description="messages beside a token or a card")
    message_length: int = Field(default=600, ge=20, le=5000, description="characters per message")
    note_length: int = Field(
        default=2000, ge=20, le=20000, description="characters per private note, and in the words of a plan"
    )

    @model_validator(mode="after")
    def _one_clan_each(self) -> Self:
        taken: dict[str, str] = {}
        for seat, clan in self.clans.items():
            if clan not in CLAN_IDS:
                raise ValueError(f"clans.{seat}: there is no clan {clan!r}; clans: {', '.join(CLAN_IDS)}")
            if clan in taken:
                raise ValueError(f"clans.{seat}: {clan} is already the clan of {taken[clan]}; every seat needs its own")
            taken[clan] = seat
        return self
