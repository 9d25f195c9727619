"""Steps of the reading for persons, places and whose they are: subjects and objects."""

from __future__ import annotations

from collections.abc import Mapping

from diplomat.games.rokugan.bots.hearing_frames import EACH, ME, THIRD, WE, YOU
from diplomat.games.rokugan.bots.hearing_reader import Reader, Step
from diplomat.games.rokugan.bots.hearing_words import Tok


def _pronoun(who: str) -> Step:
    def step(r: Reader, _: Tok) -> None:
        together = r.c.linked and not r.c.verbs and {who, r.c.explicit} == {ME, YOU} and r.kind(-1) == "AND"
        r.subject(WE if together and r.kind(-2) in ("YOU", "THOU", "CLAN", "I") else who)

    return step


def _you(r: Reader, _: Tok) -> None:
    """English "you": an object after a verb or a preposition, else a subject."""
    before = r.kind(-1)
    after_subject = before == "I" or (
        r.c.who == ME and not r.c.verbs and not r.c.inverted and before in ("NONE", "ADV")
    )
    if (before in ("V", "PREP", "ELSE") and r.open is not None) or after_subject:
        r.object("targets", YOU)
    elif before in ("FROM", "WITH", "PREP", "OFFER", "PROMISE", "SAY", "ASKYOU"):
        r.c.told = True
    else:
        r.subject(YOU)


def _we(r: Reader, _: Tok) -> None:
    r.subject(WE)


def _both(r: Reader, _: Tok) -> None:
    if r.c.mood != "let" and not r.c.verbs:
        r.subject(WE)
        r.c.named = True


def _neither(r: Reader, _: Tok) -> None:
    if r.kind(1) in ("YOU", "I", "THOU", "ME"):
        return
    if r.kind(1) == "V" and r.tokens[r.at + 1].form == "base":
        r.c.none, r.c.clean = True, r.c.linked
        return
    r.subject(WE)
    r.c.named = True
    r.c.neg = r.kind(1) != "NE" and not any(tok.kind == "NE" for tok in r.tokens[r.at :])


def _he(r: Reader, _: Tok) -> None:
    if r.c.returned:
        return
    r.subject(THIRD)


def _target(value: str) -> Step:
    def step(r: Reader, _: Tok) -> None:
        if r.c.skip or r.kind(-1) in ("FROM", "WITH"):
            r.c.skip = False
            return
        r.object("targets", value)

    return step


def _each(r: Reader, _: Tok) -> None:
    r.object("targets", EACH)
    _together(r, _)


def _together(r: Reader, _: Tok) -> None:
    """What is proposed to the hearer is for both."""
    if r.open is not None and r.open.who == YOU and r.open.offered and r.open.form == "inf":
        r.open.who, r.open.urged = WE, False


def _him(r: Reader, _: Tok) -> None:
    if r.kind(-1) not in ("FROM", "WITH") and r.memory.him:
        r.object("targets", r.memory.him)


def _clan(r: Reader, tok: Tok) -> None:
    """A clan's name: subject, object, owner, or nothing of the sort."""
    who = r.memory.person(tok.value)
    before, after = r.kind(-1), r.kind(1)
    if who != ME:
        r.memory.him = who
    if tok.form == "ins" and before == "WITH" and r.kind(-2) == "WE" and who not in (ME, YOU):
        r.subject(THIRD)
        return
    if r.c.skip or before in ("FROM", "WITH") or tok.form == "ins" or (tok.form == "dat" and before != "PREP"):
        r.c.skip = False
        return
    if tok.form == "poss":
        if after in ("PROV", "LAND", "FORCE", "OTHER"):
            r.object("targets", who)
    elif tok.form == "nom" and before == "V" and r.open is not None and r.tokens[r.at - 1].form == "they":
        r.open.who = who if who in (ME, YOU) else ""
        r.open.void = bool(r.block) or who not in (ME, YOU)
    elif tok.form == "nom" or (
        tok.form == "en" and (r.open is None or (r.c.inverted and not r.c.verbs)) and before not in ("PREP", "OF")
    ):
        r.subject(who if who in (ME, YOU) else THIRD)
        r.c.named = True
    elif r.open is not None and r.open.noun and not r.open.who and before in ("NATTACK", "NRAID"):
        r.open.who = who if who in (ME, YOU) else ""
        r.open.void = r.open.void or who not in (ME, YOU)
    else:
        r.object("targets", who)


def _province(r: Reader, tok: Tok) -> None:
    r.memory.province, r.memory.place = tok.value, "province"
    if r.c.skip or r.kind(-1) == "FROM":
        r.c.skip, r.c.poss = False, ""
        return
    r.owned()
    r.object("provinces", tok.value)


def _territory(r: Reader, tok: Tok) -> None:
    r.memory.territory, r.memory.place = tok.value, "territory"
    if r.c.skip or r.kind(-1) == "FROM":
        r.c.skip, r.c.poss = False, ""
        return
    r.owned()
    r.object("territories", tok.value)


def _it(r: Reader, _: Tok) -> None:
    before, memory = r.kind(-1), r.memory
    if r.open is not None and r.open.verb == "share" and memory.place == "territory":
        r.object("territories", memory.territory)
    elif memory.province and before in (("V", "PREP", "OFFER") if r.open is not None else ("I", "NE", "THOU", "COMMA")):
        r.object("provinces", memory.province)


def _there(r: Reader, _: Tok) -> None:
    r.owned()
    memory = r.memory
    if memory.place == "territory":
        r.object("territories", memory.territory)
    elif memory.place:
        r.object("provinces", memory.province)


def _owner(who: str) -> Step:
    def step(r: Reader, _: Tok) -> None:
        if r.c.poss and not r.c.vague:
            r.owned()
        after, last = r.kind(1), r.frames[-1] if r.frames else None
        if after in ("", "COMMA", "SPAN") and not r.c.verbs and r.c.before and r.c.before[-1][0] == "provinces":
            r.memory.bound[who] = r.c.before[-1][1]
            return
        if after == "PREP" and r.open is None and not r.c.who and last is not None and (last.noun or r.c.none):
            r.c.who = who
        else:
            r.c.poss, r.c.vague = who, False

    return step


def _land(r: Reader, tok: Tok) -> None:
    """Lands or tokens: somebody's, or of no meaning."""
    clause = r.c
    if clause.poss and clause.skip:
        clause.poss, clause.skip = "", False
    elif clause.poss and tok.kind == "FORCE" and r.open is None and not clause.who:
        who, clause.poss = clause.poss, ""
        r.subject(who)
        r.c.named = True
    elif clause.poss:
        if r.kind(1) not in ("PROV",) and r.kind(1) != "LAND":
            r.owned()
    elif tok.kind == "FORCE" and r.open is None and not clause.token:
        _other(r, tok)


def _other(r: Reader, tok: Tok) -> None:
    clause = r.c
    clause.others += 1
    clause.vague = bool(clause.poss)
    if tok.form == "ru":
        return
    clause.clean = False
    if not clause.verbs and clause.who and clause.mood not in ("promise", "ask", "let", "offer"):
        clause.who = THIRD


PERSONS: Mapping[str, Step] = {
    "I": _pronoun(ME),
    "YOU": _you,
    "THOU": _pronoun(YOU),
    "WE": _we,
    "BOTH": _both,
    "NEITHER": _neither,
    "HE": _he,
    "ME": _target(ME),
    "TE": _target(YOU),
    "EACH": _each,
    "TOGETHER": _together,
    "WHATYOURS": _target(YOU),
    "WHATMINE": _target(ME),
    "HIM": _him,
    "CLAN": _clan,
    "PROV": _province,
    "TERR": _territory,
    "IT": _it,
    "THERE": _there,
    "MY": _owner(ME),
    "YOUR": _owner(YOU),
    "LAND": _land,
    "FORCE": _land,
    "OTHER": _other,
    "QUOTE": _other,
    "OUR": _other,
}
"""What each kind of these does."""
