"""The table: the referee applies rules, the parley carries words, the table asks and waits."""
