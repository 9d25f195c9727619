"""Reads one sentence of plain talk from left to right: clauses, conditions, verbs with their subjects."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diplomat.games.rokugan.bots.hearing_frames import (
    BLOWS,
    ENGLISH,
    INTENT,
    ME,
    NOUN_SIGNS,
    THIRD,
    WE,
    YOU,
    Clause,
    Frame,
    Memory,
    tidied,
)
from diplomat.games.rokugan.bots.hearing_words import Sentence, Tok


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
        self.demanding = False
        """Whether an order that nobody understands comes before an "and I"."""
        self.offered = False
        self.mutual = False
        self.other = False
        self.block = ""
        self.cond = ""
        self.cond_who = ""
        self.cond_frames = 0
        self.at = 0
        self.open: Frame | None = None
        self.c = self.prior = Clause()

    def read(self, steps: Mapping[str, Step]) -> Reader:
        """Reads to the end."""
        for at, tok in enumerate(self.tokens):
            self.at = at
            if not self.c.first and tok.kind not in ("COMMA", "AND", "ANSWER"):
                self.c.first = tok.kind
            step = steps.get(tok.kind)
            if step is not None:
                step(self, tok)
        self.end()
        self._share_objects()
        self._answered_blows()
        left = any(frame.alone for frame in self.frames)
        for frame in self.frames:
            frame.alone = frame.alone or (left and frame.verb == "leave" and frame.who in (ME, YOU))
        if self.maybe or not self.memory.you:
            for frame in self.frames:
                frame.void = True
        self.memory.frames += self.frames
        return self

    def kind(self, offset: int) -> str:
        """Kind of a token near the present one; empty beyond the sentence."""
        at = self.at + offset
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else ""

    def goes_on(self) -> bool:
        """Whether a verb without a subject of its own comes after the next word ("…, and defend Hida")."""
        for tok in self.tokens[self.at + 2 :]:
            if tok.kind not in ("ADV", "NOT", "NE", "NEVER", "PLEASE"):
                return tok.kind == "V"
        return False

    def goes_on_here(self) -> bool:
        """The same from the present word on."""
        self.at -= 1
        try:
            return self.goes_on()
        finally:
            self.at += 1

    def follows_verb(self) -> bool:
        """Whether the clause still has a verb to come."""
        for tok in self.tokens[self.at + 1 :]:
            if tok.kind in ("V", "COMMA"):
                return tok.kind == "V"
        return False

    # Clauses --------------------------------------------------------------------------------------

    def end(self) -> None:
        """Ends a clause: what has no verb of its own may borrow the last one."""
        self.dangling()
        self._struck_first()
        if not self.c.verbs:
            self._borrow()
        self.open = None
        if self.c.first:
            self.prior = self.c
        self.c = Clause()

    def _struck_first(self) -> None:
        """So: "You attack me, I attack that": a blow at the speaker is a condition, not an order."""
        blow = self.open
        if blow is None or blow.who != YOU or blow.cond or blow.void or blow.neg or blow.noun:
            return
        if blow.verb in BLOWS and ME in blow.targets:
            blow.cond = "if"
            self.ifs += 1

    def _borrow(self) -> None:
        """A clause without a verb: "no token of mine in that", "… if you do", "… and you that one", "… I shall"."""
        clause, last = self.c, self.frames[-1] if self.frames else None
        who = clause.who or (YOU if clause.returned and (clause.noun or clause.none) else "")
        if clause.token and clause.who == ME:
            self.frame(ME, "enter", neg=True)
        elif self.cond and clause.who == YOU and clause.mood == "do":
            self.follows, self.cond = True, ""
            self.ifs -= 1
        elif clause.others or clause.mood in ("modal", "past"):
            return
        elif clause.before and who in (ME, YOU) and last is not None and not last.void:
            if last.who != who:
                frame = self.frame(who, last.verb, neg=last.neg or clause.none)
                frame.noun, frame.alone = last.noun, last.alone
        elif clause.who == ME and clause.mood == "will" and self.ifs and not clause.before:
            self.as_said()

    def as_said(self) -> None:
        """So: "… if you do that, I shall": what was spoken of before."""
        said = next((f for f in (*self.frames, *self.memory.frames) if f.provinces and f.verb != "enter"), None)
        if said is not None:
            self.frame(ME, said.verb).provinces = list(said.provinces)

    def end_condition(self) -> None:
        """What follows is no longer the condition."""
        if self.cond and self.cond_frames:
            self.cond, self.cond_who, self.cond_frames = "", "", 0

    def _answered_blows(self) -> None:
        """So: "For an attack on me, my attack on that": the first is a condition."""
        mine = any(f.who == ME and not f.void and not f.neg and f.verb in BLOWS for f in self.frames)
        for frame in self.frames:
            if frame.noun and not (frame.neg or frame.who or frame.void) and ME in frame.targets and mine:
                frame.who, frame.cond = YOU, "if"
                self.ifs += 1

    def _share_objects(self) -> None:
        """So: "Attack or raid you": the first verb takes the objects of the second."""
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
        clause.clean = clause.linked = clause.skip = False

    def frame(self, who: str, verb: str, *, neg: bool = False, void: bool = False) -> Frame:
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

    def dangling(self) -> None:
        """A "mine" or "yours" without a noun is an object of its own."""
        if self.c.poss and not self.c.vague and (self.open is not None or self.c.explicit):
            if self.c.poss in self.memory.bound:
                self.object("provinces", self.memory.bound[self.c.poss])
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
        self.dangling()
        clause.poss, clause.skip = "", False
        who, counts, urged = self._english(tok.form) if tok.form in (*ENGLISH, "past") else self._russian(tok.form)
        if (
            tok.form == "past"
            or clause.mood == "past"
            or (tok.value == "hold" and clause.mood not in INTENT and not urged)
        ):
            counts = False
        if clause.verbs and not clause.linked:
            counts = False
        neg = (clause.neg or clause.none) != clause.ceased
        frame = self.frame(who if who != THIRD else "", tok.value, neg=neg, void=not counts or who == THIRD)
        frame.form = tok.form
        if clause.raidly and tok.value == "enter":
            frame.verb = "raid"
        frame.urged = urged or (self.asks and who == YOU)
        frame.offered = self.offered or clause.mood == "offer"
        clause.neg = clause.none = clause.ceased = clause.linked = False
        clause.who = who

    def noun(self, verb: str) -> None:
        """An attack or a raid as a thing: "no attack of mine on you"."""
        clause = self.c
        neg = clause.noun or clause.none or clause.ceased
        who = clause.poss or (clause.who if clause.ceased else "")
        clause.poss, clause.skip = "", False
        linked = clause.linked
        frame = self.frame(who, verb, neg=neg)
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
            return True, who in (YOU, WE)
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
            return (WE, True, False) if who != THIRD else (THIRD, False, False)
        if form == "poss":
            return (YOU if ("targets", ME) in clause.before else ME), True, False
        if form in ("thou", "do"):
            return YOU, True, form == "do" or self.asks or mood == "let"
        if form == "they":
            benign = clause.returned or bool(self.cond and not who)
            return (who, True, False) if who in (ME, YOU, WE) else (YOU if benign else THIRD, benign, False)
        return self._infinitive() if form == "inf" else (THIRD, False, False)

    def _infinitive(self) -> tuple[str, bool, bool]:
        """The same of a Russian infinitive, which needs a word that lends it a person."""
        clause = self.c
        who, mood = clause.who, clause.mood
        if mood in ("will", "promise") and who in ("", ME):
            return ME, True, False
        if mood == "will" and who in (YOU, WE):
            return who, True, self.asks and who == YOU
        if mood == "must" and who == ME:
            return ME, bool(self.ifs), False
        if mood in ("let", "offer"):
            return (YOU, True, True) if mood == "offer" and clause.told else (WE, True, False)
        advised = mood == "suggest" and (clause.told or who == YOU)
        if mood == "ask" or advised or clause.returned:
            return YOU, True, True
        return THIRD, False, False


Step = Callable[[Reader, Tok], None]
"""What a kind of token does to the reading."""
