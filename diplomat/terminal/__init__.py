"""The terminal: a game told line by line, in colour where there is some.

Everything that players wrote passes :func:`diplomat.terminal.safe.safe`; nothing is ever redrawn.
"""
