"""Coding promises in messages by people and by models, in one file format, and how far coders agree.

:mod:`scheme` is what is coded, :mod:`rows` and :mod:`files` how it is kept, :mod:`units` which messages are coded and
what a coder may see of the past, :mod:`people` whose codings count, :mod:`checking` holds one game's codings against
all that reads it, :mod:`agreement` and :mod:`quality` are the tables that stand beside every rate, :mod:`server` is the
local page for people.
:mod:`asking`, :mod:`replies`, :mod:`readings` and :mod:`cache` are the model's side of
:class:`diplomat.study.annotator.ModelAnnotator`.
"""
