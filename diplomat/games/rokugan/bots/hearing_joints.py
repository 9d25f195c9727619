"""Steps of the reading for what joins and parts clauses: commas, and, or, if, when, nor."""

from __future__ import annotations

from collections.abc import Mapping

from diplomat.games.rokugan.bots.hearing_frames import ME, OBJECTS, SHUNS, YOU
from diplomat.games.rokugan.bots.hearing_reader import Reader, Step
from diplomat.games.rokugan.bots.hearing_words import Tok


def _comma(r: Reader, tok: Tok) -> None:
    if tok.value == ":" and not r.c.verbs and r.c.mood in ("ask", "offer", "promise", "let") and not r.c.explicit:
        return
    if tok.value in "–—-" and r.open is not None and r.open.bare:
        return
    if r.open is not None and (r.kind(1) == "PROV" or (r.kind(1) in ("MY", "YOUR", "AND") and r.kind(2) == "PROV")):
        return
    if tok.value == "," and r.kind(1) in ("AND", "ELSE", "NOR", "BUT") and r.goes_on():
        return
    r.end()
    r.end_condition()
    if tok.value == ":" and r.block == "mine":
        r.block = ""
    if r.block == "clause":
        r.block = ""


def _and(r: Reader, _: Tok) -> None:
    after, later = r.kind(1), r.kind(2)
    if r.open is not None and after in ("PROV", "TERR", "DET", "SPAN") and later != "V":
        return
    if r.open is not None and after in ("CLAN", "YOU", "TE", "ME", "HIM") and later in ("", "COMMA", "SPAN", "PREP"):
        if after == "YOU":
            r.object("targets", YOU)
        return
    before = r.c if r.c.first else r.prior
    if after == "I" and before.verbs and r.frames:
        r.frames[-1].joined = r.frames[-1].urged
    elif after == "I" and before.first == "OTHER" and not before.explicit:
        r.demanding = True
    if r.c.explicit and not r.c.verbs and r.kind(1) == "V" and r.kind(-1) in ("I", "THOU", "WE"):
        return
    link(r)


def link(r: Reader) -> None:
    """A new clause that may go on with the subject and mood of the old one."""
    old = r.c
    r.end()
    new = r.c
    if not old.verbs and not r.frames:
        new.before = old.before
    if old.verbs or old.explicit:
        new.who, new.mood, new.linked = old.who, old.mood, True
        new.explicit, new.hushed, new.named, new.inverted = old.explicit, old.hushed or old.neg, old.named, old.inverted
        new.returned = old.returned
        new.clean = old.clean and old.verbs > 0
        if old.who == YOU and not old.explicit:
            new.who, new.mood = "", "imp" if old.mood in ("", "do", "imp") else old.mood
        if old.who == ME and not old.explicit and old.mood == "promise":
            new.who = ""


def _or(r: Reader, _: Tok) -> None:
    at = 2 if r.kind(1) == "PREP" else 1
    if r.open is not None and r.kind(at) in OBJECTS and r.kind(at + 1) not in ("V", "WILL", "MUST", "NOT", "NE"):
        either = r.open.neg == (r.open.verb in SHUNS) and not r.open.cond
        r.open.void = r.open.void or either
        return
    was = r.frames[-1] if r.frames else None
    demanded = was is not None and not was.void and was.who == YOU
    if not demanded and (r.kind(1) == "I" or (r.kind(1) == "V" and r.tokens[r.at + 1].form == "one")):
        r.block = r.block or "report"
    if r.open is not None and r.open.noun and r.kind(1) in ("V", "NRAID", "NATTACK"):
        return
    link(r)
    if was is not None and not was.void:
        r.c.neg = was.neg and r.kind(1) == "V"
        r.other = r.other or was.who == YOU


def _nor(r: Reader, tok: Tok) -> None:
    """So: "Nor": an "or" within a denial, or the other half of "neither … nor"."""
    if r.kind(1) == "V" and (r.c.verbs or (r.frames and not r.c.explicit)):
        neg = bool(r.frames) and r.frames[-1].neg
        link(r)
        r.c.neg = neg
    else:
        _none(r, tok)


def _none(r: Reader, _: Tok) -> None:
    if r.open is not None and not r.open.noun and r.kind(-1) in ("V", "PREP"):
        r.open.neg = not r.open.neg
        return
    if r.c.before and r.c.who:
        r.end()
    if r.open is not None and r.open.noun and r.kind(1) in ("BYYOU", "BYME", "YOUR", "MY"):
        r.end()
    r.c.none = True


def _ni(r: Reader, _: Tok) -> None:
    """Russian "ни": denies where no verb does ("ни я Льва, ни Лев меня")."""
    if r.open is None:
        if r.c.before and r.c.who:
            r.end()
        r.c.none = not any(tok.kind == "V" for tok in r.tokens[r.at :])


def _but(r: Reader, _: Tok) -> None:
    if r.kind(1) in ("V", "ADV", "NOT") and r.goes_on_here():
        link(r)
        return
    r.end()
    r.end_condition()
    if r.kind(1) in ("I", "NE") or (r.kind(1) == "SPAN" and r.kind(2) == "I"):
        r.block = ""


def _contra(r: Reader, _: Tok) -> None:
    link(r)


def _if(r: Reader, tok: Tok) -> None:
    r.end()
    r.end_condition()
    r.cond = "unless" if tok.kind == "UNLESS" else "if"
    r.cond_who, r.cond_frames = "", 0
    r.ifs += 1


def _as_if(r: Reader, _: Tok) -> None:
    r.end()
    r.block = "report"


def _agree_if(r: Reader, tok: Tok) -> None:
    if r.kind(1) in ("TO", "NOT", "V", "NE"):
        _if(r, tok)
        r.subject(YOU)
        r.c.mood = "will"
    else:
        r.agreeing = True


def _follow(r: Reader, _: Tok) -> None:
    r.end()
    r.follows = True


def _as_said(r: Reader, _: Tok) -> None:
    if any(tok.kind == "IF" for tok in r.tokens):
        r.as_said()


def _same(r: Reader, _: Tok) -> None:
    """So: "… if you do the same": the speaker's last goal, the other way round."""
    own = next((f for f in reversed(r.frames) if f.who == ME and not f.void), None)
    if own is None or r.c.who not in ("", YOU) or r.c.mood in ("modal", "past"):
        return
    placed = any(kind == "provinces" for kind, _ in r.c.before) or "PROV" in [t.kind for t in r.tokens[r.at :]]
    if own.provinces and not placed:
        return
    frame = r.frame(YOU, own.verb, neg=own.neg)
    frame.targets += [ME] if YOU in own.targets else [t for t in own.targets if t not in (ME, YOU)]
    frame.territories = list(own.territories)
    frame.alone = own.alone


def _return(r: Reader, _: Tok) -> None:
    r.c.returned = True


def _when(r: Reader, _: Tok) -> None:
    if r.kind(1) in ("I", "YOU", "THOU", "WE", "HE", "CLAN", "V", "NE", "IT"):
        r.end()
        r.block = r.block or "clause"


def _wh(r: Reader, _: Tok) -> None:
    if r.c.before or r.c.verbs:
        r.end()
    r.block = r.block or "clause"


JOINTS: Mapping[str, Step] = {
    "COMMA": _comma,
    "AND": _and,
    "ELSE": _or,
    "BUT": _but,
    "NI": _ni,
    "CONTRA": _contra,
    "NONE": _none,
    "NOR": _nor,
    "IF": _if,
    "UNLESS": _if,
    "ASIF": _as_if,
    "AGREEIF": _agree_if,
    "IFYOUDO": _follow,
    "SAME": _same,
    "RETURN": _return,
    "WHEN": _when,
    "WH": _wh,
    "ASSAID": _as_said,
}
"""What each kind of these does."""
