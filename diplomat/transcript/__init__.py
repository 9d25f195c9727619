"""The log of a game on disk: JSON Lines, a header and then one event per line.

``n``, ``kind``, ``to`` and ``data`` are the compared part: the same game gives the same bytes.
"""
