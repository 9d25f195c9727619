"""The words of plain talk: text into sentences of tokens, each with a kind from ``hearing.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.content import clans

LONGEST = 2000
"""Code points of a text that are read; the rest is not."""
EN_FORMS = ("base", "s", "ing", "past", "past")
RU_FORMS = ("inf", "one", "we", "thou", "they", "past", "do")

_WORD = re.compile(r"§[a-z]+\d*|[a-zа-яё]+(?:'s)?|\d+|[,:()—–-]")
_SENTENCE = re.compile(r"([^.!?;…\n]+)([.!?;…\n]*)")
_QUOTED = re.compile(r"«([^»]*)(?:»|$)|\"([^\"]*)(?:\"|$)|“([^”]*)(?:”|$)|„([^“”]*)(?:[“”]|$)|‘([^’]*)(?:’|$)")
_SHORT = {"won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not", "let's": "let us"}
_CONTRACTED = re.compile(r"\b(?:won't|can't|cannot|shan't|let's)|n't\b|'(?:ll|d|ve|re|m)\b|\b(?<=it|at)'s\b")
_TAILS = {"n't": " not", "'ll": " will", "'d": " would", "'ve": " have", "'re": " are", "'m": " am", "'s": " is"}
_SAME_MARKS = str.maketrans({"’": "'", "ʼ": "'", "`": "'", "\t": " "})
_YOGO = re.compile(r"\bёго\b")
_HYPHEN = re.compile(r"(?<=[a-zа-я0-9])[-‑](?=[a-zа-я])")


class Tok(NamedTuple):
    """A word or a turn of phrase: its kind, what it names, and its form or case."""

    kind: str
    value: str = ""
    form: str = ""


class Sentence(NamedTuple):
    """The tokens of a sentence and whether it asks."""

    tokens: list[Tok]
    asks: bool


def normal(text: str) -> str:
    """Lower case, one apostrophe, no contractions, ё as е (but the province Ёго is not the pronoun «его»).

    >>> normal("I won’t; you'd — Ёго, её")
    'i will not; you would — його, ее'
    """
    low = text.translate(_SAME_MARKS).lower()
    if "'" in low or "cannot" in low:
        low = _CONTRACTED.sub(lambda m: _SHORT.get(m[0]) or _TAILS[m[0]], low)
    if "ё" in low:
        low = _YOGO.sub("його", low).replace("ё", "е")
    return _HYPHEN.sub(" ", low) if "-" in low or "‑" in low else low


@cache
def data() -> Mapping[str, Any]:
    """The file of patterns."""
    source = files("diplomat.games.rokugan").joinpath("bots", "hearing.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


def _names() -> Iterator[tuple[str, Tok]]:
    """Every name with its forms."""
    for clan in clans().values():
        yield clan.texts["en"], Tok("CLAN", clan.id, "en")
        yield clan.texts["en"] + "'s", Tok("CLAN", clan.id, "poss")
        for case in ("dat", "ins", "pre", "acc", "gen"):
            yield clan.texts[f"ru_{case}"], Tok("CLAN", clan.id, case)
        yield clan.texts["ru"], Tok("CLAN", clan.id, "nom")
        lands = Tok("TERR", clan.id)
        for word in ("земли", "земель", "землям", "землями", "землях", "земля", "землю", "земле"):
            yield f"{word} {clan.texts['ru_gen']}", lands
        yield f"{clan.texts['en']} lands", lands
        yield f"lands of the {clan.texts['en']}", lands
    for province in atlas().provinces.values():
        tok = Tok("PROV", province.id)
        yield province.en, tok
        yield province.en + "'s", tok
        yield province.ru, tok
        if province.ru.endswith("а"):
            stem = province.ru[:-1]
            many = "и" if stem[-1] in "гкхжчшщ" else "ы"
            yield from ((stem + end, tok) for end in (many, "е", "у", "ой"))
    for territory in atlas().territories.values():
        yield territory.en, Tok("TERR", territory.id)
        yield territory.ru, Tok("TERR", territory.id)
    for name, forms in data()["forms"].items():
        kind = "PROV" if name in atlas().provinces else "TERR"
        yield from ((form, Tok(kind, name)) for form in forms)


def _verbs() -> Iterator[tuple[str, Tok]]:
    """Every form of every verb."""
    for lemma, languages in data()["verbs"].items():
        for row in languages.get("en", ()):
            words, _, particles = row.partition(":")
            for form, word in zip(EN_FORMS, words.split(), strict=False):
                for particle in particles.split("|"):
                    yield f"{word} {particle.strip()}".strip(), Tok("V", lemma, form)
        for row in languages.get("ru", ()):
            yield from _russian(lemma, row)


def _russian(lemma: str, row: str) -> Iterator[tuple[str, Tok]]:
    """Forms of a Russian verb; where a row has turns of several words, they are joined by underscores."""
    for form, cell in zip(RU_FORMS, row.split("|"), strict=False):
        for word in cell.split():
            yield word.replace("_", " "), Tok("V", lemma, form)


def token(text: str) -> Tok:
    """A token as the data writes it: ``V:attack.one``, ``IT``."""
    kind, _, rest = text.partition(":")
    value, _, form = rest.partition(".")
    return Tok(kind, value, form)


@cache
def lexicon() -> Mapping[str, tuple[tuple[tuple[str, ...], tuple[Tok, ...]], ...]]:
    """All phrases by their first word, the longest first."""
    found: dict[tuple[str, ...], tuple[Tok, ...]] = {}

    def add(phrase: str, *tokens: Tok) -> None:
        found[tuple(_WORD.findall(normal(phrase)))] = tokens

    for phrase, tok in _verbs():
        key = tuple(_WORD.findall(normal(phrase)))
        if key not in found or found[key][0].value != tok.value:
            found[key] = (tok,)
    for kind, phrases in data()["kinds"].items():
        for phrase in phrases:
            add(phrase, Tok(kind))
    for kinds, phrases in data()["turns"].items():
        for phrase in phrases:
            add(phrase, *map(token, kinds.split()))
    for name, tok in _names():
        add(name, tok)
    by_first = _by_first(found)
    for kind, phrases in data()["answers"].items():
        for phrase in phrases:
            words = _WORD.findall(normal(phrase))
            rest = tuple(_matched(words, by_first))
            found[tuple(words)] = (Tok("ANSWER", kind, str(len(rest))), *rest)
    return _by_first(found)


Phrases = Mapping[str, tuple[tuple[tuple[str, ...], tuple[Tok, ...]], ...]]


def _by_first(found: Mapping[tuple[str, ...], tuple[Tok, ...]]) -> Phrases:
    """Phrases by their first word, the longest first."""
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[Tok, ...]]]] = {}
    for words, tokens in found.items():
        by_first.setdefault(words[0], []).append((words, tokens))
    return {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in by_first.items()}


@cache
def _spans() -> tuple[tuple[str, re.Pattern[str]], ...]:
    number = "(" + "|".join(word for row in data()["numbers"].values() for word in row.split()) + ")"
    few = "(два|две|три|четыре|2|3|4)"
    return tuple(
        (row["to"], re.compile("|".join(row["re"]).replace("{n}", number).replace("{few}", few)))
        for row in data()["span"]
    )


@cache
def _numbers() -> Mapping[str, int]:
    return {word: int(number) for number, row in data()["numbers"].items() for word in row.split()}


@cache
def _hint() -> re.Pattern[str]:
    return re.compile(str(data()["hint"]))


def _marked(text: str) -> str:
    """The text with every span of rounds replaced by a mark such as ``§until4``."""
    if not _hint().search(text):
        return text
    for to, pattern in _spans():
        text = pattern.sub(lambda m, to=to: _mark(to, m), text)  # type: ignore[misc]
    return text


def _mark(to: str, match: re.Match[str]) -> str:
    return f" §{to}{''.join(str(_numbers()[group]) for group in match.groups() if group)} "


def rounds(mark: str, now: int, last: int) -> tuple[int, int] | None:
    """First and last round of a mark, or None when it is not within the rest of the game.

    >>> rounds("§until4", 2, 5), rounds("§next", 5, 5), rounds("§both", 2, 5), rounds("§range35", 1, 5)
    ((2, 4), None, (2, 3), (3, 5))
    """
    to = mark[1:].rstrip("0123456789")
    given = [int(digit) for digit in mark[1 + len(to) :]] or [0]
    first, end = {
        "now": (now, now),
        "next": (now + 1, now + 1),
        "both": (now, now + 1),
        "count": (now, now + given[0] - 1),
        "until": (now, given[0]),
        "in": (given[0], given[0]),
        "range": (given[0], given[-1]),
        "end": (now, last),
        "from": (given[0], last),
    }.get(to, (0, 0))
    first, end = max(first, now), min(end, last)
    return (first, end) if first <= end else None


def _unquoted(text: str) -> str:
    """The text without what stands in quotation marks, unless that is a name."""

    def keep(match: re.Match[str]) -> str:
        inside = next((group for group in match.groups() if group is not None), "")
        named = list(_tokens(inside))
        return f" {inside} " if named and all(tok.kind in ("PROV", "TERR", "CLAN") for tok in named) else " §quote "

    return _QUOTED.sub(keep, text)


@lru_cache(maxsize=4096)
def _plain(word: str) -> Tok:
    """A word that no phrase has."""
    if word[0] == "§":
        return Tok("QUOTE") if word == "§quote" else Tok("SPAN", word)
    if word in ",:()—–-":
        return Tok("COMMA", word)
    if word.endswith("ly"):
        return Tok("ADV")
    return Tok("OTHER", word, "en" if word[0] < "а" else "ru")


def _tokens(text: str) -> Iterator[Tok]:
    return _matched(_WORD.findall(text), lexicon())


def _matched(words: list[str], known: Phrases) -> Iterator[Tok]:
    """The tokens of words, the longest phrases first."""
    at = 0
    while at < len(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        for phrase, tokens in known.get(words[at], ()):
            if len(phrase) == 1 or (phrase[1] == following and tuple(words[at : at + len(phrase)]) == phrase):
                yield from tokens
                at += len(phrase)
                break
        else:
            yield _plain(words[at])
            at += 1


@lru_cache(maxsize=1024)
def sentences(text: str) -> tuple[Sentence, ...]:
    """A text cut into sentences of tokens; kept for a while, since a text is read once for each of its hearers."""
    low = normal(text[:LONGEST].replace("§", " "))
    if any(mark in low for mark in '«"“„‘'):
        low = _unquoted(low)
    cut = ((list(_tokens(part)), "?" in end) for part, end in _SENTENCE.findall(_marked(low)))
    return tuple(Sentence(tokens, asks) for tokens, asks in cut if tokens)
