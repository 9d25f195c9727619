"""The page of a finished game: sound, whole, harmless, and clear about who said what to whom."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from diplomat.cli.reveal import page_of
from diplomat.core.guide import PlainGuide
from diplomat.core.proceedings import MessageSent, NoteSealed, PlanSealed
from diplomat.core.texts import load_texts
from diplomat.games.rokugan.events import BattleFought, GameWon, SeatScored, TokenLaid, TokensTurnedUp
from diplomat.transcript.reader import Transcript

VOID = {"meta", "input", "br", "img", "link"}


class Outline(HTMLParser):
    """Checks that tags are balanced and collects what the tests ask about."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def outline(page: str) -> Outline:
    found = Outline()
    found.feed(page)
    found.close()
    assert not found.open
    return found


@pytest.fixture(scope="module")
def log(talked: Transcript) -> Transcript:
    return talked


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_each_mark_of_the_course_has_a_name_of_its_own(lang: str) -> None:
    labels = load_texts("diplomat.report", "texts", lang)
    marks = [f"course.{name}" for name in ("given", "waits", "holds")]
    names = [labels.say(key) for key in (*marks, *(f"fate.{end}" for end in ("kept", "broken", "void", "pending")))]
    assert len(set(names)) == len(names)
    assert not [(a, b) for a in names for b in names if a != b and a in b], "one must not read as a kind of the other"


@pytest.fixture(scope="module", params=["en", "ru"])
def page(request: pytest.FixtureRequest, log: Transcript) -> str:
    return page_of(log, request.param)


def block(page: str, n: int) -> str:
    """The markup from one anchor to the next entry."""
    start = page.index(f'id="n{n}"')
    end = re.compile(r'<(?:article|div) class="e |</section>').search(page, start)
    assert end is not None
    return page[start : end.start()]


def test_page_is_sound_and_refers_to_nothing_outside(page: str) -> None:
    found = outline(page)
    names = [tag for tag, _ in found.tags]
    assert not {"script", "img", "link", "iframe", "object", "form", "base"} & set(names)
    for tag, attributes in found.tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name not in ("src", "srcset", "action"), (tag, name)
            if name == "href":
                assert str(value).startswith("#")
    assert not re.search(r"(?<!sans-)url\(|@import", page)
    policy = next(a["content"] for _, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert str(policy).startswith("default-src 'none'")
    assert "script-src" not in str(policy)


def test_page_says_its_language(log: Transcript) -> None:
    for lang in ("en", "ru"):
        assert f'<html lang="{lang}">' in page_of(log, lang)
    assert "Крабу" not in page_of(log, "en")


def test_no_english_word_for_a_player_stands_on_a_russian_page(log: Transcript) -> None:
    cover = page_of(log, "ru").partition('class="doors"')[0]
    assert "(компьютерный игрок)" in cover
    assert "scripted" not in cover.partition("</style>")[2]


def test_links_lead_somewhere_and_ids_are_unique(page: str) -> None:
    found = outline(page)
    ids = [a["id"] for _, a in found.tags if "id" in a]
    assert len(ids) == len(set(ids))
    for _, attributes in found.tags:
        if "href" in attributes:
            assert str(attributes["href"])[1:] in ids


def test_a_message_is_referred_to_by_its_number_so_that_no_name_needs_a_case(page: str) -> None:
    answered = re.findall(r'<span class="dim">(?:answers|ответ на) <a href="#n(\d+)">([^<]*)</a>', page)
    assert answered
    assert not [text for n, text in answered if not re.fullmatch(rf"#n{n} \(\w+\)", text)]


def test_hostile_words_stay_words(page: str) -> None:
    assert "<script" not in page
    assert page.count("</style>") == 1
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "[/b] [31mred[0m" in page
    assert "{seat} &amp;amp;" in page
    assert "&lt;i&gt;unknown&lt;/i&gt;" in page


def test_every_message_stands_there_with_its_room(page: str, log: Transcript) -> None:
    private = 0
    for line in log.lines:
        if not isinstance(line.event, MessageSent):
            continue
        part = block(page, line.n)
        assert line.event.text.split("\n")[0][:20] in unescape(part)
        locked = 'class="lock"' in part and 'class="tag"' in part
        assert locked == (line.event.to != ("all",))
        if locked:
            private += 1
            room = part[: part.index('class="words"')]
            assert all(seat in _seats_in(room, log, page) for seat in (line.event.sender, *line.event.to))
    assert private


def _seats_in(part: str, log: Transcript, page: str) -> set[str]:
    return {f"s{number}" for number in re.findall(r'class="chip p(\d)"', part)}


def test_the_plan_stands_beneath_each_message_it_went_with(page: str, log: Transcript) -> None:
    numbers = {line.event.id: line.n for line in log.lines if isinstance(line.event, MessageSent)}
    plans = [line.event for line in log.lines if isinstance(line.event, PlanSealed) and line.event.messages]
    assert plans
    for plan in plans:
        for message in plan.messages:
            part = block(page, numbers[message])
            assert 'class="meant"' in part
            assert plan.plan.text in unescape(part[part.index('class="meant"') :])


def test_promises_show_their_words_and_their_fate(log: Transcript) -> None:
    page = page_of(log, "en")
    assert 'class="fate broken"' in page
    assert 'class="fate kept"' in page
    assert 'class="act offer"' in page
    assert "breaks a promise to" in page
    assert 'class="keep-no"' in page


def test_every_note_is_there_collapsed(page: str, log: Transcript) -> None:
    notes = [(line.n, line.event) for line in log.lines if isinstance(line.event, NoteSealed)]
    assert notes
    for n, note in notes:
        part = page[page.index(f'id="n{n}"') :]
        assert note.text.split("<")[0].strip() in unescape(part[:400])
    assert "<details open" not in page


def test_setup_draws_and_placements_are_folded_and_the_rest_is_open(page: str) -> None:
    stages = re.findall(r'<div class="stage">\n(<details class="fold">)?(?:<summary>)?(?:<h4>([^<]*)</h4>)?', page)
    folded = {title for fold, title in stages if fold}
    assert len(folded) == 3, "setup (which has no title), what was drawn, what was placed"
    assert not folded & {title for fold, title in stages if not fold}
    assert all(re.findall(r'<details class="fold"><summary>.*?<span>[^<]+</span></summary>', page))


def test_a_broken_promise_shows_what_broke_it_and_the_plan_behind_it(page: str, log: Transcript) -> None:
    laid = {line.n for line in log.lines if isinstance(line.event, TokenLaid)}
    said = re.findall(r'<article class="e speech.*?</article>', page, re.DOTALL)
    assert page.count('class="breach"') == sum(part.count('class="fate broken"') for part in said) > 0
    links = [int(n) for n in re.findall(r'class="breach">[^<]*<a href="#n(\d+)"', page)]
    assert links
    assert set(links) <= laid
    for part in re.findall(r'<article class="e speech[^"]* breached.*?</article>', page, re.DOTALL):
        assert 'class="meant' not in part or re.search(r'<div class="meant( anew)?"', part)


def test_every_battle_shows_its_sums(page: str, log: Transcript) -> None:
    battles = [(line.n, line.event) for line in log.lines if isinstance(line.event, BattleFought)]
    assert battles
    for n, battle in battles:
        part = block(page, n)
        totals = [battle.defence, *battle.attacks]
        assert [int(x) for x in re.findall(r'class="total">= (-?\d+)', part)] == [total.amount for total in totals]
        shown = [int(x) for x in re.findall(r'class="part"><b>(-?\d+)', part)]
        assert shown == [p.amount for total in totals for p in total.parts]
        assert not re.search(r"\bt\d+\b", re.sub(r"<[^>]+>", "", part)), "a token's id instead of its face"


def test_every_placement_stands_face_up(log: Transcript) -> None:
    page = page_of(log, "en")
    numbers = {line.event.id: line.n for line in log.lines if isinstance(line.event, TokenLaid)}
    turned = [token for line in log.lines if isinstance(line.event, TokensTurnedUp) for token in line.event.tokens]
    for token in turned:
        part = block(page, numbers[token.id])
        assert 'class="face"' in part
        assert token.face.replace("-", " ") in part


def test_result_gives_every_part_and_is_hidden_at_first(page: str, log: Transcript) -> None:
    inside = page[page.index('<details class="spoiler main">') :]
    for event in log.events():
        if isinstance(event, SeatScored):
            assert re.search(rf'<td class="total"[^>]*>{event.total}</td>', inside)
    cover = page[: page.index('id="game"')]
    winner = next(event for event in log.events() if isinstance(event, GameWon))
    assert winner.winners
    assert "winner" not in cover[cover.index("<body") :]
    assert "<svg" not in cover


def test_each_round_has_its_pictures(page: str) -> None:
    for number in range(1, 6):
        part = page[page.index(f'<section class="chapter round" id="r{number}"') :]
        part = part[: part.index("</section>")]
        assert part.count("<figure>") == 3
    assert page.count("<figure>") == 1 + 5 * 3 + 11, "setup, three moments a round, and the atlas"
    assert page.count('class="rokugan-map"') == 11, "each picture is stored once"


def test_page_is_small(log: Transcript) -> None:
    assert len(page_of(log, "ru").encode()) < 2_000_000


@pytest.mark.parametrize("to", [0, 1, 5, 40, 150, 300])
def test_a_log_that_stops_early_gives_a_page(log: Transcript, to: int) -> None:
    page = page_of(replace(log, lines=log.lines[:to]), "en")
    outline(page)
    assert "stops before the end" in page
    assert 'class="winner"' not in page


def test_a_game_without_a_guide_gets_a_plain_page(log: Transcript) -> None:
    game = replace(log.game, guide=PlainGuide())
    page = page_of(replace(log, game=game), "en")
    outline(page)


def test_same_log_gives_the_same_page(log: Transcript) -> None:
    assert page_of(log, "en") == page_of(log, "en")


def test_control_characters_of_a_log_from_elsewhere_are_left_out(log: Transcript) -> None:
    """A log need not have gone through our own table, which would have cleaned it."""
    line = next(line for line in log.lines if isinstance(line.event, MessageSent))
    dirty = MessageSent("s1>all.9", log.seats[0], ("all",), "a\x1b[31mb\u202ec\x00")
    lines = [replace(one, event=dirty) if one.n == line.n else one for one in log.lines]
    page = page_of(replace(log, lines=tuple(lines)), "en")
    assert "a[31mbc" in page
    assert not re.search(r"[\x00-\x08\x1b\u202a-\u202e]", page)


def test_no_key_of_the_catalogue_is_shown_in_place_of_its_text(page: str) -> None:
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    sections = {key.split(".")[0] for key in load_texts("diplomat.report", "texts", "en").entries if "." in key}
    assert not re.findall(rf"\b(?:{'|'.join(sections)})\.[a-z_]+", text)
    assert not re.search(r"\{[a-z]+\}", text.replace("{seat}", "")), "a place that nothing filled"


def test_both_catalogues_say_the_same_things() -> None:
    english, russian = (load_texts("diplomat.report", "texts", lang).entries for lang in ("en", "ru"))
    assert set(english) == set(russian)
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", russian[key])), key
