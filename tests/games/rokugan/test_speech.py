"""What the scripted daimyo say: every act in every tone and language, names in cases, spans of rounds."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import get_args

import pytest

from diplomat.agents.profile import Tone
from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.pledges import Goal
from diplomat.core.texts import LANGUAGES
from diplomat.games.rokugan.bots import reasons
from diplomat.games.rokugan.bots.speech import DEFAULT, TONES, Speech, naming, phrases, places, span
from diplomat.games.rokugan.commitments import Commitment
from diplomat.games.rokugan.content import clans
from diplomat.games.rokugan.wording import CASES

SOURCES = files("diplomat.games.rokugan.bots")
CASE = re.compile(f"_({'|'.join(CASES)})$")

ACTS = {
    "greet": "you",
    "offer_peace": "you? rounds!",
    "offer_swap": "mine! theirs! rounds!",
    "offer_strike": "third! province! rounds! honor?",
    "offer_division": "territory! rounds!",
    "accept": "you",
    "accept_strike": "you third",
    "refuse_trust": "you",
    "refuse_interest": "you",
    "refuse_war": "you",
    "counter_peace": "rounds!",
    "warn": "you province",
    "threaten": "you? theirs! province?",
    "accuse": "you broken",
    "accuse_public": "third broken",
    "thank": "you",
    "gossip_offer": "you third",
    "gossip_pact": "you third fourth",
    "gossip_broken": "you third",
    "call_leader": "third honor",
    "promise_defend": "province! rounds!",
    "promise_stay_out": "province! rounds!",
    "promise_peace": "province!",
    "promise_not_raid": "rounds!",
    "withdraw": "you",
    "excuse": "you province",
    "taunt": "third province",
    "lament": "third province",
    "boast": "province",
    "ask_help": "third! province!",
    "condolence": "you province",
    "farewell": "you",
}
"""Acts with their facts: ``!`` every phrase must name it, ``?`` it may be missing."""
WELL_VARIED = {
    *("offer_peace", "offer_swap", "offer_division", "offer_strike", "accept", "accept_strike"),
    *("refuse_trust", "refuse_interest", "refuse_war", "counter_peace", "threaten", "warn", "excuse", "thank"),
    *("promise_defend", "promise_stay_out", "promise_peace", "promise_not_raid", "withdraw", "ask_help", "condolence"),
}
"""Acts that each tone can say in at least three ways of its own: they are said often, and by them a daimyo is known."""
SELDOM_SAID = {"boast", "gossip_offer", "gossip_pact", "gossip_broken"}
"""Acts that need one phrase of a tone only."""
OFTEN_SAID = {"warn": 8, "refuse_interest": 6, "accept": 6, "taunt": 6, "lament": 6}
"""Acts with so many phrases for all tones."""
BROKEN = {"en": "not to attack me in round 2", "ru": "не нападать на меня в раунде 2"}


def facts(act: str, lang: str, full: bool = True) -> dict[str, str]:
    things = {
        "you": "scorpion",
        "third": "phoenix",
        "fourth": "unicorn",
        "province": "otosan_uchi",
        "mine": "silk",
        "theirs": "toshi_ranbo",
        "territory": "islands",
        "rounds": span(lang, 1, 2, 4),
        "honor": "17",
        "broken": BROKEN[lang],
    }
    given = {name.rstrip("!?") for name in ACTS[act].split() if full or not name.endswith("?")}
    return naming(lang, **{name: thing for name, thing in things.items() if name in given})


def written(lang: str) -> Iterator[tuple[str, str]]:
    """Act and phrase of everything written in a language."""
    for act, table in phrases(lang).items():
        for listed in table.values():
            for phrase in listed:
                yield act, phrase


def test_the_tones_are_those_of_the_profiles() -> None:
    assert get_args(Tone) == TONES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_every_act_and_no_other(lang: str) -> None:
    assert set(phrases(lang)) == set(ACTS)
    for act, table in phrases(lang).items():
        assert table.keys() <= {DEFAULT, *TONES}, act


def test_english_and_russian_have_the_same_acts() -> None:
    english, russian = (phrases(lang) for lang in LANGUAGES)
    assert set(english) == set(russian)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_there_is_variety(lang: str) -> None:
    for act, table in phrases(lang).items():
        assert len(table[DEFAULT]) >= OFTEN_SAID.get(act, 2), act
        least = 3 if act in WELL_VARIED else 1 if act in SELDOM_SAID else 2
        assert [tone for tone in TONES if len(table.get(tone, ())) < least] == [], act
        everything = [phrase for listed in table.values() for phrase in listed]
        assert len(set(everything)) == len(everything), act


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_begins_with_a_span_of_rounds_which_is_written_small(lang: str) -> None:
    assert [phrase for _, phrase in written(lang) if re.search(r"(^|[.!?…] )\{rounds\}", phrase)] == []


def addressed(pattern: str, tones: tuple[str, ...]) -> list[str]:
    """Russian phrases said to one person in one of these tones that address him in a way."""
    alone = [act for act in phrases("ru") if act not in ("accuse_public", "call_leader", "taunt", "lament", "boast")]
    listed = [phrase for act in alone for tone in tones for phrase in phrases("ru")[act].get(tone, ())]
    return [phrase for phrase in listed if re.search(rf"\b(?:{pattern})\b", phrase, re.IGNORECASE)]


def test_a_russian_tone_keeps_to_its_way_of_address() -> None:
    familiar, polite = (
        "ты|теб[яе]|тобой|тво[йяюеёи]|твоей|твоих|твоего",
        "вы|вас|вам|вами|ваш|ваш[аеиу]|вашей|ваших|вашего",
    )
    assert addressed(familiar, (DEFAULT, "plain", "warm", "courtly", "sly")) == []
    assert addressed(polite, (DEFAULT, "blunt", "grim", "chatty")) == []


def test_no_russian_preposition_that_changes_before_the_lion_stands_before_a_clan() -> None:
    lion = re.compile(r"\b[скв] \{(?:you|third|fourth)", re.IGNORECASE)
    assert [phrase for _, phrase in written("ru") if lion.search(phrase)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_phrase_is_filled_by_the_facts_of_its_act_and_fits_a_message(lang: str) -> None:
    for act, phrase in written(lang):
        known = facts(act, lang)
        assert places(phrase) <= known.keys(), (act, phrase)
        text = phrase.format_map(known)
        assert not re.search(r"[{}]", text), (act, phrase)
        assert text == text.strip(), (act, phrase)
        assert 0 < len(text) <= 600, (act, phrase)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phrase_of_a_contentful_act_names_every_fact_that_makes_it_one(lang: str) -> None:
    for act, phrase in written(lang):
        needed = {name.rstrip("!") for name in ACTS[act].split() if name.endswith("!")}
        named = {CASE.sub("", name) for name in places(phrase)}
        assert needed <= named, (act, phrase)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_too_short_or_too_long_to_be_said_at_a_table(lang: str) -> None:
    for act, phrase in written(lang):
        assert 4 <= len(phrase.split()) <= 40, (act, phrase)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("tone", TONES)
def test_every_act_can_be_said_in_every_tone_with_and_without_the_facts_that_may_be_missing(
    lang: str, tone: str
) -> None:
    speech, dice = Speech(lang, tone), Dice("speech")
    for act in ACTS:
        for full in (True, False):
            said = {speech.say(act, dice.die(f"{act}/{n}"), facts(act, lang, full)) for n in range(30)}
            assert len(said) >= (3 if full else 1), act
            assert not any(re.search(r"[{}]", text) for text in said), act


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_tone_is_heard_and_an_unknown_one_says_what_all_say(lang: str) -> None:
    known, dice = facts("greet", lang), Dice("tone")
    own = {phrase.format_map(known) for phrase in phrases(lang)["greet"]["grim"]}
    shared = {phrase.format_map(known) for phrase in phrases(lang)["greet"][DEFAULT]}

    def said(tone: str) -> set[str]:
        return {Speech(lang, tone).say("greet", dice.die(str(n)), known) for n in range(200)}

    assert said("grim") == own | shared
    assert said("singing") == said(DEFAULT) == shared


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_same_die_says_the_same(lang: str) -> None:
    speech, known = Speech(lang, "sly"), facts("warn", lang)
    first, second = (speech.say("warn", Dice("7").die("warn"), known) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_to_be_avoided_is_said_only_when_nothing_else_is_left(lang: str) -> None:
    speech, known, said = Speech(lang, "warm"), facts("withdraw", lang), list[str]()
    table = phrases(lang)["withdraw"]
    for n in range(len(table[DEFAULT]) + len(table["warm"])):
        text = speech.say("withdraw", Dice("avoid").die(str(n)), known, said)
        assert text not in said
        said.append(text)
    assert speech.say("withdraw", Dice("avoid").die("again"), known, said) in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_unknown_act_and_missing_facts_are_mistakes_of_the_caller(lang: str) -> None:
    speech, die = Speech(lang, "plain"), Dice("1").die("x")
    with pytest.raises(KeyError, match="sing"):
        speech.say("sing", die, {})
    with pytest.raises(KeyError, match="promise_peace"):
        speech.say("promise_peace", die, {"rounds": "now"})


def test_names_are_shown_in_cases_and_other_things_passed_through() -> None:
    assert naming("ru", you="crab", third="lion", province="hida", theirs="otosan_uchi", territory="crab") == {
        "you": "Краб",
        "you_gen": "Краба",
        "you_dat": "Крабу",
        "you_acc": "Краба",
        "you_ins": "Крабом",
        "you_pre": "Крабе",
        "third": "Лев",
        "third_gen": "Льва",
        "third_dat": "Льву",
        "third_acc": "Льва",
        "third_ins": "Львом",
        "third_pre": "Льве",
        "province": "Хида",
        "theirs": "Отосан-Ути",
        "territory": "Земли Краба",
    }
    english = naming("en", me="lion", fourth="crane", home="akodo", mine="silk", territory="islands", honor="9")
    assert {english[f"me{case}"] for case in ("", *(f"_{case}" for case in CASES))} == {"Lion"}
    assert english["fourth_ins"] == "Crane"
    assert (english["home"], english["mine"]) == ("Akodo", "Silk Isle")
    assert (english["territory"], english["honor"]) == ("Islands of Spice and Silk", "9")


def test_every_clan_has_a_name_in_every_case_and_a_seat_without_clan_keeps_its_own() -> None:
    for clan in clans():
        forms = naming("ru", you=clan)
        assert len(forms) == 1 + len(CASES)
        assert forms["you"] != forms["you_gen"]
    assert set(naming("ru", you="s1").values()) == {"s1"}


@pytest.mark.parametrize(
    ("now", "first", "last", "english", "russian"),
    [
        (2, 2, 2, "this round", "в этом раунде"),
        (2, 3, 3, "next round", "в следующем раунде"),
        (2, 4, 4, "in round 4", "в раунде 4"),
        (3, 2, 2, "in round 2", "в раунде 2"),
        (2, 2, 3, "this round and the next", "в этом раунде и в следующем"),
        (4, 4, 5, "this round and the next", "в этом раунде и в следующем"),
        (3, 2, 4, "this round and the next", "в этом раунде и в следующем"),
        (2, 3, 4, "in rounds 3 and 4", "в раундах 3 и 4"),
        (2, 2, 4, "until the end of round 4", "до конца раунда 4"),
        (1, 1, 5, "to the end of the game", "до конца партии"),
        (3, 3, 5, "to the end of the game", "до конца партии"),
        (1, 2, 4, "from round 2 until the end of round 4", "с раунда 2 до конца раунда 4"),
        (1, 3, 5, "from round 3 to the end of the game", "с раунда 3 до конца партии"),
    ],
)
def test_rounds_are_told_as_seen_from_now(now: int, first: int, last: int, english: str, russian: str) -> None:
    assert span("en", now, first, last) == english
    assert span("ru", now, first, last) == russian


# Reasons -------------------------------------------------------------------------------------------

FACES = ("army-1", "navy-3", "shinobi-4")


def ways(lang: str) -> dict[str, list[str]]:
    """The reasons of a language with their sentences."""
    source = SOURCES.joinpath(f"reasons.{lang}.toml").read_text(encoding="utf-8")
    return {str(key): list(listed) for key, listed in tomllib.loads(source)["reason"].items()}


def reason(lang: str, key: str, n: int = 0) -> str:
    """That reason with all facts that its sentences may name."""
    named = {name for sentence in ways(lang)[key] for name in places(sentence)}
    things = {"face": FACES[n % 3], "province": "toshi_ranbo", "percent": str(n), "count": str(n + 1)}
    things |= {"gain": "3.3", "loss": "2.5", "stake": "4.1", "third": "lion"}
    owned = "third" if any(name.startswith("owner") for name in named) else ""
    known = {name: thing for name, thing in things.items() if name in named or name == owned}
    return reasons.say(lang, key, **known, round=str(n))


def test_both_languages_give_the_same_reasons_in_three_to_five_ways() -> None:
    english, russian = (ways(lang) for lang in ("en", "ru"))
    assert set(english) == set(russian)
    for key, listed in [*english.items(), *russian.items()]:
        assert 3 <= len(set(listed)) == len(listed) <= 5, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_reason_is_filled_varied_and_the_same_for_the_same_decision(lang: str) -> None:
    for key, listed in ways(lang).items():
        said = [reason(lang, key, n) for n in range(60)]
        assert said == [reason(lang, key, n) for n in range(60)]
        assert not any(re.search(r"[{}]", text) for text in said), key
        heads = {sentence.split("{")[0] for sentence in listed}
        assert all(any(text.startswith(head) for text in said) for head in heads), key


def test_reasons_write_numbers_and_an_empty_preparation_as_a_person_would() -> None:
    assert "3.3 honor" in reason("en", "attack")
    assert "3,3 чести" in reason("ru", "attack")
    assert reasons.say("en", "prepare", count="0") in ways("en")["prepare_none"]
    assert "Лев" in reason("ru", "raid") or "Льву" in reason("ru", "raid")


@pytest.mark.parametrize(
    ("verb", "args", "english", "russian"),
    [
        ("not_attack", {"target": "s2"}, "not to attack me in round 2", "не нападать на меня в раунде 2"),
        ("stay_out", {"province": "hida"}, "to stay out of Hida in round 2", "не трогать провинцию Хида в раунде 2"),
        (
            "stay_out",
            {"territory": "crab"},
            "to stay out of the Crab lands in round 2",
            "не трогать Земли Краба в раунде 2",
        ),
        (
            "share_territory",
            {"territory": "crab", "target": "s2"},
            "to share the Crab lands with me in round 2",
            "мирно делить со мной Земли Краба в раунде 2",
        ),
    ],
)
def test_a_broken_promise_is_told_as_a_clause(verb: str, args: dict[str, str], english: str, russian: str) -> None:
    goal = Goal(verb, Seat("s1"), 2, 2, args)
    one = Commitment("m1", Seat("s1"), (Seat("s2"),), goal, 2, status="broken", settled=2)
    assert (reasons.broken(one, "en"), reasons.broken(one, "ru")) == (english, russian)
