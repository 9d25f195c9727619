"""Computer players that come with a game, or that play by chance."""

from __future__ import annotations

from typing import Any

from diplomat.core.game import Bot, Decision, Reply


class ScriptedAgent:
    """Seats a game's own bot."""

    instant = True
    trusted = True
    """It is part of the game, so the table hands it its own objects instead of copies."""

    def __init__(self, bot: Bot[Any]) -> None:
        self.bot = bot

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The bot's reply, at once."""
        return self.bot.decide(decision)


class RandomBot:
    """Draws every answer from the menu and says nothing: the yardstick of the others."""

    def decide(self, decision: Decision[Any]) -> Reply:
        """A random legal answer."""
        return Reply(decision.question.menu.sample(decision.die("answer")))
