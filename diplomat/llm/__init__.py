"""Language models behind one call: providers, structured output, retries, prices, budget, calls file.

Knows no game and no table.  :mod:`diplomat.llm.desk` is the way in: one desk per game sends every
call, counts what it costs and writes it down.
"""
