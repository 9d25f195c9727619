"""Scripted daimyo: they weigh the board and their promises, choose their moves, and speak and hear plain sentences."""
