"""Several tests at once: p-values corrected so that a family of them errs at most as often as one."""

from __future__ import annotations

from collections.abc import Mapping


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down correction within one family, in the order given.

    The i-th smallest of m is multiplied by ``m - i + 1``, then made no smaller than the one before and at most 1.
    Holm (1979), Scandinavian Journal of Statistics 6:65-70.

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    ordered = sorted(p_values, key=lambda name: p_values[name])
    corrected: dict[str, float] = {}
    floor = 0.0
    for at, name in enumerate(ordered):
        floor = max(floor, min(1.0, (len(ordered) - at) * p_values[name]))
        corrected[name] = floor
    return {name: corrected[name] for name in p_values}
