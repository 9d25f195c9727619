"""Statistics of plain rows: each figure with its formula and source, clustered by game, cautioned where it is weak.

Nothing here knows the ledger: rows, counts and labels come in, small frozen records go out.  The standard library is
enough for all of it except :mod:`.regression`, which wants the extra ``study``.
"""
