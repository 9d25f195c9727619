"""Rokugan drawn."""
from __future__ import annotations
from diplomat.games.rokugan.knowledge import Known
def svg(known: Known, lang: str) -> str:
    return "<svg/>"
