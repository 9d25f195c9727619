"""Public records of negotiation games, read and written without loss, and a small vocabulary that judges promises.

Every format has a module of its own; all can be told as the plain rows of :mod:`.rows`, which the statistics take.
"""
