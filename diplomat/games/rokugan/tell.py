"""Rokugan in words."""
from __future__ import annotations
from collections.abc import Mapping
from diplomat.core.events import Event
from diplomat.core.requests import Request
from diplomat.games.rokugan.knowledge import Known

class Story:
    def names(self, known: Known, lang: str) -> Mapping[str, str]:
        return {str(s): c for s, c in known.board.clans.items()}
    def tell(self, event: Event, before: Known, lang: str) -> str | None:
        return None

def text(known: Known, lang: str) -> str:
    return ""

def ask(known: Known, request: Request, lang: str) -> str:
    return request.form
