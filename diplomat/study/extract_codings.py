"""Codings of messages, by people or models, as speech acts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from diplomat.core.proceedings import MessageSent
from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.scheme import said
from diplomat.study.sources import Past, Said


@dataclass(frozen=True, slots=True)
class Codings:
    """What one coder found in the messages of one game."""

    name: str
    """``human:CODER`` or ``llm:MODEL@HASH``."""
    codings: Mapping[str, Annotation]
    """By the ids of messages; what is not here was not coded."""
    but: frozenset[str] = frozenset()
    """Ids of messages for which a better source speaks."""
    declaring: bool = True
    """Whether messages with declared pledges are read too."""

    def acts(self, message: MessageSent, past: Past) -> Iterable[Said]:
        """The acts that were coded."""
        row = self.codings.get(message.id)
        if row is None or message.id in self.but or (message.pledges and not self.declaring):
            return
        for act in row.acts:
            if (one := said(act)) is not None:
                yield one
