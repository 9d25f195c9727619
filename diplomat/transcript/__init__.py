"""The log of a game on disk: JSON Lines, a header and then one event per line, each with a hash of all before it.

``n``, ``kind``, ``to`` and ``data`` are the compared part: the same game gives the same bytes.
"""
