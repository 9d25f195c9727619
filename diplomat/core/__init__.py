"""The pure heart: what a seat, an event, a request, a menu, a message and a game are.

Standard library only.  Nothing here (or in ``diplomat.games``) knows a clock, a network, an
event loop or global randomness: the same inputs always give the same events.
"""
