"""The study of promises: what was said, done, meant and believed, as four columns that are never merged.

:func:`diplomat.study.ledger.of` turns one transcript into rows (:mod:`rows` is their codebook).  ``extract_*``
find speech acts in messages (:mod:`sources` is their common shape), :mod:`promises` makes promises of them,
:mod:`resolve` says what became of each, :mod:`intent` what its giver meant, :mod:`belief` what its receiver
made of it, :mod:`opportunity` what could have been said and done, :mod:`claims` what was asserted.
Nothing of it is ever shown to a seat during play.
"""
