"""Seats played by language models: prompt, reply, memory and pace, for any game."""
