"""Steps of the reading for all other words: denials, moods, acts of speech, answers."""

from __future__ import annotations

from collections.abc import Mapping

from diplomat.games.rokugan.bots.hearing_frames import EACH, ME, THIRD, WE, YOU, Memory
from diplomat.games.rokugan.bots.hearing_joints import JOINTS, link
from diplomat.games.rokugan.bots.hearing_persons import PERSONS
from diplomat.games.rokugan.bots.hearing_reader import Reader, Step
from diplomat.games.rokugan.bots.hearing_words import Sentence, Tok


def _not(r: Reader, _: Tok) -> None:
    if not r.c.verbs or r.c.linked:
        r.c.neg = True


def _ne(r: Reader, _: Tok) -> None:
    """Russian "не" denies the very next word."""
    after = r.kind(1)
    if after == "WILLHE" and r.open is not None and r.open.noun and not r.open.who and YOU in r.open.targets:
        r.open.who, r.open.neg = ME, True
    elif after in ("V", "WILL", "WILLWE", "WILLYOU", "WILLHE", "DOIMP", "CEASE"):
        r.c.neg = True
    elif after in ("PREP", "TE", "ME", "CLAN", "PROV") and r.open is not None:
        r.c.skip = True
    elif after in ("OATH", "OFFERS", "ASKYOU", "SAY"):
        r.block = "report"


def _ever(r: Reader, tok: Tok) -> None:
    if not r.c.verbs or r.c.linked:
        r.c.ever = True
        if tok.value != "ru":
            r.c.neg = True


def _no(r: Reader, _: Tok) -> None:
    r.c.noun = True


def _will(who: str) -> Step:
    def step(r: Reader, _: Tok) -> None:
        last = r.frames[-1] if r.frames else None
        if last is not None and last.form == "inf" and last.void and not last.who and not r.follows_verb():
            doer = r.c.explicit or who or ME
            last.who, last.neg, last.void = doer, r.kind(-1) == "NE", bool(r.block) or doer == THIRD
            r.c.neg = False
            return
        if r.c.verbs and not r.c.linked:
            who_was = r.c.who
            link(r)
            r.c.who = who_was
        if r.c.mood not in ("modal", "past"):
            r.c.mood = "will"
        if who and not r.c.who:
            r.c.who = who

    return step


def _mood(mood: str) -> Step:
    def step(r: Reader, _: Tok) -> None:
        if r.c.mood not in ("past", "modal"):
            r.c.mood = mood
        if mood in ("modal", "past"):
            r.c.hushed = True

    return step


def _do(r: Reader, _: Tok) -> None:
    if not r.c.mood:
        r.c.mood = "do"


def _promise(r: Reader, tok: Tok) -> None:
    """The speaker's own oath; a noun, a denied oath and another's oath are none."""
    clause = r.c
    if tok.kind == "PROMISE" and (r.kind(-1) in ("MY", "YOUR", "HIS", "DET", "OUR", "IT") or clause.verbs):
        return
    if clause.mood == "modal" and clause.who == ME and not clause.neg:
        r.block = "mine"
    elif clause.neg or clause.who not in ("", ME) or clause.mood in ("modal", "past"):
        r.block = "report"
    elif tok.kind == "PROMISE" and clause.who == "":
        clause.mood = "ask"
    else:
        clause.mood = "promise"
        clause.who = clause.explicit = ""


def _offer(r: Reader, tok: Tok) -> None:
    clause = r.c
    if tok.kind == "OFFER" and r.kind(-1) in ("MY", "YOUR", "HIS", "DET", "OUR", "OTHER"):
        return
    if tok.kind == "OFFER" and clause.who != ME:
        r.block = r.block or "report"
    elif clause.neg or clause.mood in ("past",):
        r.block = "report"
    else:
        last = r.frames[-1] if r.frames else None
        if last is not None and tok.kind == "OFFERS" and last.void and not last.who and EACH in last.targets:
            last.void, last.who = bool(r.block), WE
        r.offered = True
        clause.mood, clause.who, clause.explicit = "offer", "", ""


def _ask_you(r: Reader, tok: Tok) -> None:
    clause = r.c
    another = r.kind(1) == "CLAN" and r.memory.person(r.tokens[r.at + 1].value) != YOU
    if another or clause.neg or clause.who not in ("", ME) or (clause.mood == "past"):
        r.block = "report"
        return
    if tok.kind == "PROMISEME" and clause.who == ME:
        r.block = "report"
        return
    clause.mood, clause.who, clause.explicit = "ask", "", ""


def _report(r: Reader, _: Tok) -> None:
    if r.block == "clause" or r.c.mood == "let1":
        return
    r.block = "mine" if ME in (r.c.who, r.c.explicit) else "report"
    r.open = None


def _say(r: Reader, _: Tok) -> None:
    if r.c.explicit not in ("", ME):
        r.block = r.block or ("mine" if r.c.explicit == YOU else "report")


def _let(r: Reader, _: Tok) -> None:
    if r.c.verbs:
        r.end()
    r.c.mood = "let"
    r.c.clean = True


def _let1(r: Reader, _: Tok) -> None:
    r.end()
    r.c.mood = "let1"


def _from(r: Reader, tok: Tok) -> None:
    r.c.skip = True


def _to(r: Reader, _: Tok) -> None:
    r.c.hushed = True
    if r.c.mood not in ("promise", "ask", "let", "offer", "will", "must", "suggest"):
        r.c.mood = "modal"


def _cease(r: Reader, _: Tok) -> None:
    r.c.ceased = True
    if not r.c.who and not r.c.mood:
        r.c.mood = "promise" if r.kind(1) == "V" and r.tokens[r.at + 1].form == "inf" else r.c.mood


def _alone(r: Reader, _: Tok) -> None:
    r.owned()
    left = next((f for f in reversed(r.frames) if f.verb == "leave"), None)
    if left is not None:
        left.alone = True


def _back(r: Reader, _: Tok) -> None:
    if r.open is not None and r.open.verb == "take":
        r.open.void = True


def _peace(r: Reader, tok: Tok) -> None:
    """Peace brought to a province, or offered to a person."""
    clause = r.c
    if r.open is not None and r.open.verb == "make":
        r.open.peace = True
    elif tok.kind == "PEACE" and r.open is None and clause.mood == "promise":
        r.frame(ME, "make").peace = True
    elif tok.kind == "PEACE" and r.open is None and clause.mood in ("offer", "let"):
        r.frame(WE, "pact").offered = True
    elif r.open is None and not clause.verbs and r.kind(-1) not in ("FROM", "WITH", "MY", "YOUR"):
        clause.peace = True


def _noun(verb: str) -> Step:
    def step(r: Reader, _: Tok) -> None:
        if verb == "raid" and r.open is not None and r.open.verb in ("commit", "make"):
            r.open.verb = "raid"
        else:
            r.noun(verb)

    return step


def _raidly(r: Reader, _: Tok) -> None:
    if r.open is not None and r.open.verb == "enter":
        r.open.verb = "raid"
    else:
        r.c.raidly = True


def _by(who: str) -> Step:
    def step(r: Reader, tok: Tok) -> None:
        if r.open is not None and r.open.noun and not r.open.who:
            r.open.who = who
            if tok.value:
                r.open.noun, r.open.urged = False, True
        elif not r.c.explicit and not r.c.verbs:
            r.c.who = r.c.explicit = who
            r.c.named = True

    return step


def _between_us(r: Reader, _: Tok) -> None:
    r.mutual = True
    if r.open is not None and r.open.noun:
        r.open.who = WE
        r.open.targets.append(EACH)
    elif r.c.peace and not r.c.who and any(tok.kind == "SPAN" for tok in r.tokens):
        r.frame(WE, "pact").offered = True


def _no_token(r: Reader, _: Tok) -> None:
    if r.c.verbs:
        r.end()
    r.c.token = r.c.neg = r.c.named = True


def _span(r: Reader, tok: Tok) -> None:
    r.spans.append(tok.value)
    r.dangling()
    if r.frames and r.c.verbs:
        r.frames[-1].span = r.frames[-1].span or tok.value
    else:
        r.c.span = tok.value


def _told(r: Reader, _: Tok) -> None:
    r.c.told = True
    r.c.skip = False


def _answer(r: Reader, tok: Tok) -> None:
    """A yes or a no: by itself between marks, or a whole turn of phrase."""
    left, right = r.kind(-1), r.kind(1 + int(tok.form or 0))
    own = {"", "COMMA", "BUT", "PLEASE", "AND", "ADV", "ANSWER"}
    alone = left in own and right in ("", "COMMA", "ANSWER", "BUT", "SPAN")
    if (
        (r.asks and not (tok.value == "no" and not left and right == "COMMA"))
        or r.block
        or r.cond
        or (tok.value in ("yes", "no", "bare") and not alone)
    ):
        return
    if tok.value == "accept" and (left in ("NOT", "NE") or r.c.who in (YOU, THIRD, WE) or right == "PROV"):
        return
    if tok.value == "refuse" and (left in ("NOT", "NE") or r.c.mood == "past"):
        return
    if tok.value == "weak" and not alone:
        return
    if tok.value in ("yes", "accept") and right == "COMMA" and r.kind(2 + int(tok.form or 0)) == "THAT":
        return
    r.answers.append(tok.value)


STEPS: Mapping[str, Step] = {
    **PERSONS,
    **JOINTS,
    "V": Reader.verb,
    "NOT": _not,
    "NE": _ne,
    "EVER": _ever,
    "NO": _no,
    "WILL": _will(""),
    "WILLWE": _will(WE),
    "WILLYOU": _will(YOU),
    "WILLHE": _will(""),
    "AM": _mood("am"),
    "MODAL": _mood("modal"),
    "MUST": _mood("must"),
    "SUGGEST": _mood("suggest"),
    "PAST": _mood("past"),
    "DOIMP": _mood("ask"),
    "DO": _do,
    "PROMISE": _promise,
    "OATH": _promise,
    "OFFER": _offer,
    "OFFERS": _offer,
    "ASKYOU": _ask_you,
    "PROMISEME": _ask_you,
    "REPORT": _report,
    "SAY": _say,
    "LET": _let,
    "LET1": _let1,
    "FROM": _from,
    "WITH": _from,
    "TO": _to,
    "CEASE": _cease,
    "ALONE": _alone,
    "BACK": _back,
    "PEACE": _peace,
    "DIPLOMACY": _peace,
    "NATTACK": _noun("attack"),
    "NRAID": _noun("raid"),
    "RAIDLY": _raidly,
    "BYME": _by(ME),
    "BYYOU": _by(YOU),
    "BETWEENUS": _between_us,
    "NOTOKEN": _no_token,
    "SPAN": _span,
    "DAT": _told,
    "ANSWER": _answer,
}
"""What each kind of token does to the reading."""


def read(sentence: Sentence, memory: Memory) -> Reader:
    """A sentence read to its end."""
    return Reader(sentence, memory).read(STEPS)
