"""Who does what in a sentence of plain talk: tokens into frames.

A frame is one verb with its subject, negation, condition and objects.  What is not surely the
speaker's or the hearer's own doing, now or to come, becomes a *void* frame, kept only because a later
clause may lean on it ("… the moment you do").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from diplomat.games.rokugan.bots.hearing_words import Sentence, Tok

ME, YOU, WE, THIRD = "me", "you", "we", "third"
EACH, HIM = "each", "him"
SHUNS = frozenset({"stay", "leave"})
"""Verbs that say no by themselves."""
ENGLISH = frozenset({"base", "s", "ing"})
NOUN_SIGNS = frozenset({"NO", "MY", "YOUR", "OUR", "HIS", "DET", "CEASE"})
"""What makes a noun of "attack"."""
INTENT = frozenset({"will", "promise", "let", "ask", "offer", "must"})


@dataclass(slots=True)
class Frame:
    """One verb and what belongs to it."""

    who: str
    verb: str
    neg: bool = False
    cond: str = ""
    """``if`` or ``unless`` when it is a condition."""
    void: bool = False
    urged: bool = False
    """Whether the hearer is asked or told to do it, not said to be doing it."""
    offered: bool = False
    noun: bool = False
    coord: bool = False
    """Whether it shares its objects with the verb before it ("attack or raid you")."""
    other: bool = False
    """Whether it follows an "or else"."""
    alone: bool = False
    peace: bool = False
    ever: bool = False
    back: bool = False
    targets: list[str] = field(default_factory=list)
    provinces: list[str] = field(default_factory=list)
    territories: list[str] = field(default_factory=list)
    span: str = ""

    @property
    def bare(self) -> bool:
        """Whether it has no object."""
        return not (self.targets or self.provinces or self.territories)


@dataclass(slots=True)
class Memory:
    """What earlier sentences of the message leave behind."""

    me: str
    """Clan of the speaker."""
    you: str
    """Clan of the hearer; empty once somebody else is spoken to."""
    hearer: str
    frames: list[Frame] = field(default_factory=list)
    thirds: list[str] = field(default_factory=list)
    province: str = ""
    territory: str = ""
    place: str = ""

    def person(self, clan: str) -> str:
        """A clan as ``me``, ``you`` or itself."""
        return ME if clan == self.me else YOU if clan == self.you else clan



@dataclass(slots=True)
class Clause:
    """What is known of the clause being read, before and after its verb."""

    who: str = ""
    mood: str = ""
    neg: bool = False
    verbs: int = 0
    clean: bool = True
    """Whether nothing stands before the verb that an order could not begin with."""
    others: int = 0
    explicit: str = ""
    inverted: bool = False
    none: bool = False
    noun: bool = False
    token: bool = False
    ever: bool = False
    ceased: bool = False
    hushed: bool = False
    """Whether it has words that a verb joined by "and" might hang on ("I hope to watch and …")."""
    returned: bool = False
    told: bool = False
    linked: bool = False
    peace: bool = False
    skip: bool = False
    poss: str = ""
    vague: bool = False
    """Whether words stand after the "my" or "your" that may be its noun."""
    named: bool = False
    """Whether its subject is a clan's name or "neither of us", which takes the third person."""
    span: str = ""
    before: list[tuple[str, str]] = field(default_factory=list)


class Reader:
    """Reads the tokens of one sentence from left to right."""

    def __init__(self, sentence: Sentence, memory: Memory) -> None:
        self.tokens = tidied(sentence.tokens, memory)
        self.asks = sentence.asks
        self.memory = memory
        self.frames: list[Frame] = []
        self.answers: list[str] = []
        self.spans: list[str] = []
        self.maybe = any(tok.kind == "MAYBE" for tok in self.tokens)
        self.ifs = 0
        self.agreeing = False
        """Whether it hangs on the hearer's consent only."""
        self.follows = False
        """Whether it leans on a condition said before."""
        self.offered = False
        self.mutual = False
        self.other = False
        self.block = ""
        self.cond = ""
        self.cond_who = ""
        self.cond_frames = 0
        self.at = 0
        self.open: Frame | None = None
        self.c = Clause()

    def read(self) -> Reader:
        """Reads to the end."""
        for self.at, tok in enumerate(self.tokens):
            step = STEPS.get(tok.kind)
            if step is not None:
                step(self, tok)
        self.end()
        self._share_objects()
        left = any(frame.alone for frame in self.frames)
        for frame in self.frames:
            frame.alone = frame.alone or (left and frame.verb == "leave" and frame.who in (ME, YOU))
        if self.maybe:
            for frame in self.frames:
                frame.void = True
        self.memory.frames += self.frames
        return self

    def kind(self, offset: int) -> str:
        """Kind of a token near the present one; empty beyond the sentence."""
        at = self.at + offset
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else ""

    # Clauses --------------------------------------------------------------------------------------

    def end(self) -> None:
        """Ends a clause: what has no verb of its own may borrow the last one."""
        clause, last = self.c, self.frames[-1] if self.frames else None
        self._dangling()
        if clause.token and not clause.verbs and clause.who == ME:
            self._frame(ME, "enter", neg=True)
        elif not clause.verbs and self.cond and clause.who == YOU and clause.mood == "do":
            self.follows, self.cond = True, ""
            self.ifs -= 1
        elif not clause.verbs and not clause.others and clause.mood not in ("modal", "past"):
            if clause.before and clause.who in (ME, YOU) and last is not None and not last.void:
                if last.who != clause.who:
                    frame = self._frame(clause.who, last.verb, neg=last.neg or clause.none)
                    frame.noun, frame.alone = last.noun, last.alone
            elif clause.who == ME and clause.mood == "will" and self.ifs and not clause.before:
                self._as_said()
        self.open = None
        self.c = Clause()

    def _as_said(self) -> None:
        """ "… if you do that, I shall": what was spoken of before."""
        said = next((f for f in (*self.frames, *self.memory.frames) if f.provinces and f.verb != "enter"), None)
        if said is not None:
            self._frame(ME, said.verb).provinces = list(said.provinces)

    def end_condition(self) -> None:
        """What follows is no longer the condition."""
        if self.cond and self.cond_frames:
            self.cond, self.cond_who, self.cond_frames = "", "", 0

    def _share_objects(self) -> None:
        """ "Attack or raid you": the first verb takes the objects of the second."""
        for frame, following in zip(self.frames, self.frames[1:], strict=False):
            if frame.bare and following.coord and frame.who == following.who:
                frame.targets, frame.provinces = list(following.targets), list(following.provinces)
                frame.territories = list(following.territories)

    def subject(self, who: str) -> None:
        """A subject begins a clause, unless the clause waits for one."""
        if self.c.verbs or (self.c.who in (ME, YOU) and self.c.before):
            self.end()
        if self.cond and self.cond_frames and who != self.cond_who:
            self.end_condition()
        clause = self.c
        if clause.mood in ("will", "modal", "must", "suggest") and not clause.explicit:
            clause.inverted = True
        elif clause.mood != "let1" and (clause.mood != "let" or who == THIRD):
            clause.mood, clause.neg = "", False
        clause.who = clause.explicit = who
        clause.clean = clause.linked = False

    def _frame(self, who: str, verb: str, *, neg: bool = False, void: bool = False) -> Frame:
        """A new verb; objects said before it in the clause are its own."""
        clause = self.c
        frame = Frame(who, verb, neg, self.cond, void or bool(self.block), offered=self.offered)
        frame.coord, frame.ever, frame.other, frame.span = clause.linked, clause.ever, self.other, clause.span
        for kind, value in clause.before:
            getattr(frame, kind).append(value)
        clause.before = []
        clause.verbs += 1
        if self.cond:
            self.cond_frames += 1
            self.cond_who = who
        self.frames.append(frame)
        self.open = frame
        return frame

    # Objects --------------------------------------------------------------------------------------

    def object(self, kind: str, value: str) -> None:
        """An object for the open verb, or for the one to come."""
        if self.open is not None:
            getattr(self.open, kind).append(value)
        else:
            self.c.before.append((kind, value))

    def owned(self) -> None:
        """The noun that a "my" or "your" waited for."""
        if self.c.poss:
            self.object("targets", self.c.poss)
        self.c.poss = ""

    def _dangling(self) -> None:
        """A "mine" or "yours" without a noun is an object of its own."""
        if self.c.poss and not self.c.vague and (self.open is not None or self.c.explicit):
            self.owned()

    # Verbs ----------------------------------------------------------------------------------------

    def verb(self, tok: Tok) -> None:
        """A verb: who does it, and whether it counts."""
        clause = self.c
        before = self.kind(-1)
        if self.open is not None and self.open.noun and before == "ELSE":
            return
        if tok.form in ("base", "s") and (before in NOUN_SIGNS or (before == "OTHER" and self.kind(-2) == "DET")):
            self.noun(tok.value)
            return
        self._dangling()
        if clause.verbs and not clause.linked:
            clause.poss = ""
        who, counts, urged = self._english(tok.form) if tok.form in (*ENGLISH, "past") else self._russian(tok.form)
        if tok.form == "past" or clause.mood == "past" or (tok.value == "hold" and clause.mood not in INTENT and not urged):
            counts = False
        neg = clause.neg or clause.none
        if clause.ceased:
            neg = not neg
        frame = self._frame(who if who != THIRD else "", tok.value, neg=neg, void=not counts or who == THIRD)
        frame.urged = urged or (self.asks and who == YOU)
        frame.offered = self.offered or clause.mood == "offer"
        clause.neg = clause.none = clause.ceased = False
        clause.who = who

    def noun(self, verb: str) -> None:
        """An attack or a raid as a thing: "no attack of mine on you"."""
        clause = self.c
        neg = clause.noun or clause.none or clause.ceased
        who = clause.poss or (clause.who if clause.ceased else "")
        clause.poss = ""
        linked = clause.linked
        frame = self._frame(who, verb, neg=neg)
        frame.noun, frame.coord = True, linked
        if clause.ceased and not who:
            frame.who = WE if self.mutual else ""
        if not neg:
            clause.noun = False

    def _english(self, form: str) -> tuple[str, bool, bool]:
        """Subject of an English form, whether it counts, whether the hearer is urged."""
        clause = self.c
        who, mood = clause.who, clause.mood
        if form == "ing" and not (clause.ceased or mood in ("am", "ask", "let")):
            return THIRD, False, False
        if who in ("", THIRD) and not clause.explicit:
            if mood == "promise":
                return ME, True, False
            if mood == "offer":
                return ME, True, False
            if mood == "let":
                return WE, True, False
            if mood == "ask":
                return YOU, True, True
            if form == "base" and clause.clean and mood in ("", "do", "imp", "let1"):
                return YOU, True, True
            return THIRD, False, False
        if who == THIRD and clause.linked and clause.explicit == ME and form == "base" and not clause.hushed:
            return ME, True, False
        if who == THIRD or (form == "s" and clause.explicit and not (clause.token or clause.named)):
            return THIRD, False, False
        return who, *self._counts(who, mood)

    def _counts(self, who: str, mood: str) -> tuple[bool, bool]:
        """Whether a verb of that subject in that mood counts, and whether it urges the hearer."""
        if mood in ("modal", "past"):
            asked = mood == "modal" and who == YOU and self.asks and self.c.inverted
            return asked, asked
        if mood in ("suggest", "must"):
            if who == ME:
                return mood == "must" and bool(self.ifs), False
            return True, who == YOU
        return True, who == YOU and (mood in ("imp", "let1") or (self.asks and self.c.inverted))

    def _russian(self, form: str) -> tuple[str, bool, bool]:
        """Subject of a Russian form, whether it counts, whether the hearer is urged."""
        clause = self.c
        who, mood = clause.who, clause.mood
        if mood in ("modal", "past"):
            return who or THIRD, False, False
        if form == "one":
            return ME, who in ("", ME) or clause.linked, False
        if form == "we":
            return WE, True, False
        if form in ("thou", "do"):
            return YOU, True, form == "do" or self.asks or mood == "let"
        if form == "they":
            benign = clause.returned or (self.cond and not who)
            return (who, True, False) if who in (ME, YOU, WE) else (YOU if benign else THIRD, bool(benign), False)
        if form == "inf":
            if mood in ("will", "promise") and who in ("", ME):
                return ME, True, False
            if mood == "will" and who in (YOU, WE):
                return who, True, self.asks and who == YOU
            if mood in ("let", "offer"):
                return WE, True, False
            if mood == "ask" or (mood == "suggest" and (clause.told or who == YOU)):
                return YOU, True, True
            if clause.returned:
                return YOU, True, True
        return THIRD, False, False


def _comma(r: Reader, tok: Tok) -> None:
    if r.open is not None and (r.kind(1) == "PROV" or (r.kind(1) in ("MY", "YOUR", "AND") and r.kind(2) == "PROV")):
        return
    r.end()
    r.end_condition()
    if tok.value == ":" and r.block == "mine":
        r.block = ""
    if r.block == "clause":
        r.block = ""


def _and(r: Reader, _: Tok) -> None:
    if r.kind(1) in ("PROV", "TERR", "DET", "SPAN") and r.kind(2) != "V" and r.open is not None:
        return
    _link(r)


def _link(r: Reader) -> None:
    """A new clause that may go on with the subject and mood of the old one."""
    old = r.c
    r.end()
    new = r.c
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
    if r.kind(1) in ("PROV", "COMMA") and r.open is not None and r.kind(1) == "PROV":
        return
    was = r.frames[-1] if r.frames else None
    if r.open is not None and r.open.noun and r.kind(1) in ("V", "NRAID", "NATTACK"):
        return
    _link(r)
    if was is not None and not was.void:
        r.c.neg = was.neg and r.kind(1) == "V"
        r.other = r.other or was.urged


def _but(r: Reader, _: Tok) -> None:
    r.end()
    r.end_condition()
    if r.kind(1) in ("I", "NE") or (r.kind(1) == "SPAN" and r.kind(2) == "I"):
        r.block = ""


def _pronoun(who: str) -> Callable[[Reader, Tok], None]:
    def step(r: Reader, _: Tok) -> None:
        r.subject(who)

    return step


def _you(r: Reader, _: Tok) -> None:
    """English "you": an object after a verb or a preposition, else a subject."""
    before = r.kind(-1)
    after_subject = before == "I" or (r.c.who == ME and not r.c.verbs and not r.c.inverted and before in ("NONE", "ADV"))
    if (before in ("V", "PREP") and r.open is not None) or after_subject:
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
        r.c.none = True
        return
    r.subject(WE)
    r.c.named = True
    r.c.neg = r.kind(1) != "NE" and not any(tok.kind == "NE" for tok in r.tokens[r.at :])


def _he(r: Reader, _: Tok) -> None:
    if r.c.returned:
        return
    r.subject(THIRD)


def _target(value: str) -> Callable[[Reader, Tok], None]:
    def step(r: Reader, _: Tok) -> None:
        if r.c.skip or r.kind(-1) in ("FROM", "WITH"):
            r.c.skip = False
            return
        r.object("targets", value)

    return step


def _him(r: Reader, _: Tok) -> None:
    if r.kind(-1) not in ("FROM", "WITH") and r.memory.thirds:
        r.object("targets", r.memory.thirds[-1])


def _clan(r: Reader, tok: Tok) -> None:
    """A clan's name: subject, object, owner, or nothing of the sort."""
    who = r.memory.person(tok.value)
    before, after = r.kind(-1), r.kind(1)
    if who not in (ME, YOU):
        r.memory.thirds.append(who)
    if r.c.skip or before in ("FROM", "WITH") or tok.form == "ins" or (tok.form == "dat" and before != "PREP"):
        r.c.skip = False
        return
    if tok.form == "poss":
        if after in ("PROV", "LAND", "FORCE", "OTHER"):
            r.object("targets", who)
    elif tok.form == "nom" or (tok.form == "en" and (r.open is None or (r.c.inverted and not r.c.verbs)) and before not in ("PREP", "OF")):
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
    if (r.open is not None and r.memory.province and r.kind(-1) in ("V", "PREP", "OFFER")) or (r.memory.province and r.c.verbs == 0 and r.kind(-1) in ("I", "NE", "THOU", "COMMA")):
        r.object("provinces", r.memory.province)


def _there(r: Reader, _: Tok) -> None:
    r.owned()
    memory = r.memory
    if memory.place == "territory":
        r.object("territories", memory.territory)
    elif memory.place:
        r.object("provinces", memory.province)


def _owner(who: str) -> Callable[[Reader, Tok], None]:
    def step(r: Reader, _: Tok) -> None:
        if r.c.poss and not r.c.vague:
            r.owned()
        after, last = r.kind(1), r.frames[-1] if r.frames else None
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


def _not(r: Reader, _: Tok) -> None:
    if not r.c.verbs or r.c.linked:
        r.c.neg = True


def _ne(r: Reader, _: Tok) -> None:
    """Russian "не" denies the very next word."""
    after = r.kind(1)
    if after in ("V", "WILL", "WILLWE", "WILLYOU", "WILLHE", "DOIMP", "CEASE"):
        r.c.neg = True
    elif after in ("OATH", "OFFERS", "ASKYOU", "SAY"):
        r.block = "report"


def _ever(r: Reader, tok: Tok) -> None:
    if not r.c.verbs or r.c.linked:
        r.c.ever = True
        if tok.value != "ru":
            r.c.neg = True


def _no(r: Reader, _: Tok) -> None:
    r.c.noun = True


def _none(r: Reader, _: Tok) -> None:
    if r.open is not None and not r.open.noun and r.kind(-1) in ("V", "PREP"):
        r.open.neg = not r.open.neg
        return
    if r.c.before and r.c.who:
        r.end()
    if r.open is not None and r.open.noun and r.kind(1) in ("BYYOU", "BYME", "YOUR", "MY"):
        r.end()
    r.c.none = True


def _will(who: str) -> Callable[[Reader, Tok], None]:
    def step(r: Reader, _: Tok) -> None:
        if r.c.verbs and not r.c.linked:
            who_was = r.c.who
            _link(r)
            r.c.who = who_was
        if r.c.mood not in ("modal", "past"):
            r.c.mood = "will"
        if who and not r.c.who:
            r.c.who = who

    return step


def _mood(mood: str) -> Callable[[Reader, Tok], None]:
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
        r.offered = True
        clause.mood, clause.who, clause.explicit = "offer", "", ""


def _ask_you(r: Reader, tok: Tok) -> None:
    clause = r.c
    if clause.neg or clause.who not in ("", ME) or (clause.mood == "past"):
        r.block = "report"
        return
    if tok.kind == "PROMISEME" and clause.who == ME:
        r.block = "report"
        return
    clause.mood, clause.who, clause.explicit = "ask", "", ""


def _report(r: Reader, _: Tok) -> None:
    r.block = "mine" if r.c.who == ME or r.c.explicit == ME else "report"
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


def _same(r: Reader, _: Tok) -> None:
    """ "… if you do the same": the speaker's last goal, the other way round."""
    own = next((f for f in reversed(r.frames) if f.who == ME and not f.void), None)
    if own is None or r.c.who not in ("", YOU) or r.c.mood in ("modal", "past"):
        return
    placed = any(kind == "provinces" for kind, _ in r.c.before) or "PROV" in [t.kind for t in r.tokens[r.at :]]
    if own.provinces and not placed:
        return
    frame = r._frame(YOU, own.verb, neg=own.neg)
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


def _means(r: Reader, _: Tok) -> None:
    frame = r.open
    if frame is not None and frame.noun and not frame.who and ME in frame.targets:
        frame.who, frame.cond = YOU, "if"
        r.ifs += 1
        r.open = None
        r.c = Clause()


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
        r._frame(ME, "make").peace = True
    elif tok.kind == "PEACE" and r.open is None and clause.mood in ("offer", "let"):
        r._frame(WE, "pact").offered = True
    elif r.open is None and not clause.verbs and r.kind(-1) not in ("FROM", "WITH", "MY", "YOUR"):
        clause.peace = True


def _noun(verb: str) -> Callable[[Reader, Tok], None]:
    def step(r: Reader, _: Tok) -> None:
        r.noun(verb)

    return step


def _by(who: str) -> Callable[[Reader, Tok], None]:
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
        r._frame(WE, "pact").offered = True


def _no_token(r: Reader, _: Tok) -> None:
    if r.c.verbs:
        r.end()
    r.c.token = r.c.neg = r.c.named = True


def _span(r: Reader, tok: Tok) -> None:
    r.spans.append(tok.value)
    if r.c.poss and not r.c.vague:
        r.owned()
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
    if r.asks or r.block or r.cond or (tok.value in ("yes", "no", "bare") and not alone):
        return
    if tok.value == "accept" and (left in ("NOT", "NE") or r.c.who in (YOU, THIRD) or right == "PROV"):
        return
    if tok.value == "weak" and not alone:
        return
    if tok.value == "no" and left == "BUT" and right != "":
        return
    r.answers.append(tok.value)


STEPS: Mapping[str, Callable[[Reader, Tok], None]] = {
    "COMMA": _comma,
    "AND": _and,
    "ELSE": _or,
    "BUT": _but,
    "I": _pronoun(ME),
    "YOU": _you,
    "THOU": _pronoun(YOU),
    "WE": _we,
    "BOTH": _both,
    "NEITHER": _neither,
    "HE": _he,
    "ME": _target(ME),
    "TE": _target(YOU),
    "EACH": _target(EACH),
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
    "V": Reader.verb,
    "NOT": _not,
    "NE": _ne,
    "EVER": _ever,
    "NO": _no,
    "NONE": _none,
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
    "IF": _if,
    "UNLESS": _if,
    "ASIF": _as_if,
    "AGREEIF": _agree_if,
    "IFYOUDO": _follow,
    "SAME": _same,
    "RETURN": _return,
    "WHEN": _when,
    "WH": _wh,
    "MEANS": _means,
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
    "BYME": _by(ME),
    "BYYOU": _by(YOU),
    "BETWEENUS": _between_us,
    "NOTOKEN": _no_token,
    "SPAN": _span,
    "DAT": _told,
    "ANSWER": _answer,
}
"""What each kind of token does to the reading."""


def tidied(tokens: list[Tok], memory: Memory) -> list[Tok]:
    """Tokens without asides and forms of address; whoever is addressed becomes the "you"."""
    found: list[Tok] = []
    at, size = 0, len(tokens)
    edge = ("COMMA", "BUT", "ANSWER", "AND", "PLEASE")
    while at < size:
        tok = tokens[at]
        after = tokens[at + 1].kind if at + 1 < size else ""
        if tok.kind == "CLAN" and tok.form in ("en", "nom") and _aside(found, after, edge):
            memory.you = memory.hearer if tok.value == memory.hearer else ""
            if tok.value not in (memory.me, memory.hearer):
                memory.thirds.append(tok.value)
            at += 2 if after == "COMMA" and found else 1
            if after == "COMMA" and found and found[-1].kind != "COMMA":
                found.append(tokens[at - 1])
            continue
        if tok.kind == "MAYBE" and after == "COMMA":
            found.append(tok)
            at += 2
            continue
        if tok.kind == "COMMA" and tok.value in "–—-" and found and found[-1].kind in ("I", "THOU", "DAT", "CLAN"):
            at += 1
            continue
        if tok.kind == "COMMA":
            length = _parenthesis(tokens, at)
            if length:
                at += length
                continue
        found.append(tok)
        at += 1
    return found


def _aside(found: list[Tok], after: str, edge: tuple[str, ...]) -> bool:
    before = found[-1].kind if found else ""
    return (not before or before in edge) and after in ("", "COMMA") and not (not before and not after and False)


def _parenthesis(tokens: list[Tok], at: int) -> int:
    """Length of a short aside between commas that begins here, the first comma included; 0 when there is none."""
    asides = ("RETURN", "ADV", "OTHER", "DET", "MY", "DAT", "FROM")
    for length in (2, 3, 4):
        end = at + length
        if end >= len(tokens):
            return 0
        if tokens[end].kind == "COMMA":
            inside = tokens[at + 1 : end]
            lone = all(tok.kind in asides for tok in inside) and tokens[at].value == "," == tokens[end].value
            return length if lone and any(tok.kind != "OTHER" for tok in inside) else 0
    return 0
