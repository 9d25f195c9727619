"""A seat played by a language model, for any game.

``memory`` folds what the seat may see into lines; ``prompt`` puts them together with the rules, the
character and the question (templates in ``prompts/``); ``shape`` says what a reply looks like, and
``parse`` reads one; ``steps`` uses a plan of several answers; ``agent`` ties them to a desk.
"""

from diplomat.agents.llm.agent import LlmAgent
from diplomat.agents.llm.asks import Asks

__all__ = ["Asks", "LlmAgent"]
