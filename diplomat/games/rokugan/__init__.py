"""Rokugan, house edition: 28 provinces, hidden tokens, free talk, five rounds.

``board`` is what lies open to everybody, ``knowledge`` what one seat knows, ``rules`` what the
referee does; ``placement``, ``battle``, ``resolution`` and ``scoring`` hold the rules themselves.
"""

from diplomat.games.rokugan.edition import game

__all__ = ["game"]
