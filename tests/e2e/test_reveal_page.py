"""The page of a finished game in a real browser: it fits a phone, needs no network and no mouse."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from diplomat.cli.reveal import page_of

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

pytestmark = [pytest.mark.long, pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")]


def _talkers() -> ModuleType:
    place = Path(__file__).parents[1] / "report" / "talkers.py"
    spec = importlib.util.spec_from_file_location("talkers", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    log = _talkers().played(folder / "game.jsonl")
    for lang in ("en", "ru"):
        (folder / f"{lang}.html").write_text(page_of(log, lang), encoding="utf-8")
    return {lang: folder / f"{lang}.html" for lang in ("en", "ru")}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    page = context.new_page()
    yield page
    context.close()


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("width", [390, 1400])
def test_page_fits_its_window_and_asks_no_network(tab: Any, pages: dict[str, Path], lang: str, width: int) -> None:
    asked: list[str] = []
    faults: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: faults.append(message.text))
    tab.on("pageerror", lambda fault: faults.append(str(fault)))
    tab.set_viewport_size({"width": width, "height": 844})
    tab.goto(pages[lang].as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert asked == [pages[lang].as_uri()]
    assert faults == []


def test_first_screen_tells_no_result(tab: Any, pages: dict[str, Path]) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(pages["en"].as_uri())
    assert tab.locator(".cover").bounding_box()["height"] >= 843
    assert not tab.locator(".winner").is_visible()
    assert tab.get_by_role("link", name="The story in brief").is_visible()


@pytest.mark.parametrize(("width", "most"), [(390, 4000), (1400, 3000)])
def test_the_closed_page_is_short_and_its_contents_stay_in_sight(
    tab: Any, pages: dict[str, Path], width: int, most: int
) -> None:
    tab.set_viewport_size({"width": width, "height": 844})
    for page in pages.values():
        tab.goto(page.as_uri())
        assert tab.evaluate("document.documentElement.scrollHeight") < most
        tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        box = tab.locator(".contents").bounding_box()
        assert 0 <= box["y"] < 5
        assert box["height"] < 70, "one line on a phone, two at most elsewhere"


def test_the_whole_story_is_reached_without_a_mouse(tab: Any, pages: dict[str, Path]) -> None:
    """Tab and Enter only: the brief, the first card, the plan behind it, the deed in its round."""

    def focused() -> str:
        return str(tab.evaluate("document.activeElement.outerHTML.slice(0, 160)"))

    def press_until(wanted: str) -> None:
        for _ in range(120):
            tab.keyboard.press("Tab")
            if wanted in focused():
                return
        raise AssertionError(f"{wanted} is not reached by Tab; last was {focused()}")

    tab.goto(pages["en"].as_uri())
    press_until('href="#brief-inside"')
    tab.keyboard.press("Enter")
    tab.wait_for_function("document.querySelector('#brief details').open")
    assert tab.locator(".winner").is_visible()
    press_until('href="#c1"')
    tab.keyboard.press("Enter")
    tab.wait_for_function("document.querySelector('#promises details').open")
    assert tab.locator("#c1").is_visible()
    press_until("The plan sealed at that moment")
    tab.keyboard.press("Enter")
    assert tab.locator("#c1 .four .note[open]").first.is_visible()
    outline = tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "whoever uses keys sees where they are"


def test_every_part_opens_by_key(tab: Any, pages: dict[str, Path]) -> None:
    tab.goto(pages["en"].as_uri())
    for part in tab.locator("details.main").all():
        part.locator("> summary").focus()
        tab.keyboard.press("Enter")
        assert part.evaluate("e => e.open")


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("way", ["click", "key"])
@pytest.mark.parametrize("width", [390, 1400])
def test_the_contents_open_the_part_that_they_name(
    browser: Any, pages: dict[str, Path], width: int, way: str, scripts: bool
) -> None:
    """Its heading stays in sight under the contents, so that one knows where one has come."""
    context = browser.new_context(java_script_enabled=scripts, viewport={"width": width, "height": 844})
    tab = context.new_page()
    tab.goto(pages["en"].as_uri())
    links = tab.locator(".contents a:visible")
    for at in range(links.count()):
        link = links.nth(at)
        name = str(link.get_attribute("href")).removeprefix("#").removesuffix("-inside")
        if name in ("top", "rounds"):  # never folded
            continue
        if way == "click":
            link.click()
        else:
            link.focus()
            tab.keyboard.press("Enter")
        inside = tab.locator(f"#{name}-inside")
        inside.wait_for(state="visible")
        assert inside.bounding_box()["height"] > 20, name
        assert tab.locator(f"#{name} > details").get_attribute("open") is not None, name
        heading, bar = tab.locator(f"#h-{name}").bounding_box(), tab.locator(".contents").bounding_box()
        assert bar["y"] + bar["height"] <= heading["y"] <= 700, name
    context.close()


def test_pictures_change_by_arrow_key(tab: Any, pages: dict[str, Path]) -> None:
    tab.goto(pages["en"].as_uri() + "#r2-inside")
    figures = tab.locator("#r2 figure")
    assert [figure.is_visible() for figure in figures.all()] == [True, False, False]
    tab.locator("#pic2-1").focus()
    tab.keyboard.press("ArrowRight")
    assert [figure.is_visible() for figure in figures.all()] == [False, True, False]


def test_the_atlas_shows_one_moment_and_its_letters_are_legible_on_a_phone(tab: Any, pages: dict[str, Path]) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(pages["ru"].as_uri())
    tab.locator("#map details.main").first.evaluate("e => { e.open = true }")
    figures = tab.locator("#map figure")
    assert [figure.is_visible() for figure in figures.all()].count(True) == 1
    heights = tab.evaluate(
        "[...document.querySelectorAll('#map figure:first-of-type svg text')]"
        ".filter(e => /[А-Яа-я]{3}/.test(e.textContent))"
        ".map(e => e.getBoundingClientRect().height)"
    )
    assert heights
    assert min(heights) >= 8.5, "pixels from top to bottom of the smallest name"
    tab.locator('label[for="whole"]').click()
    frame = tab.locator("#map .frame:visible")
    assert frame.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_a_round_shows_the_pictures_of_the_atlas(tab: Any, pages: dict[str, Path]) -> None:
    """Each picture is stored once, in a part that may be closed, and drawn again from there."""
    tab.goto(pages["en"].as_uri() + "#r1-inside")
    tab.wait_for_function("document.querySelector('#r1 details').open")
    box = tab.locator("#r1 figure:visible use").bounding_box()
    assert box["width"] > 200
    shot = tab.locator("#r1 .frame:visible").screenshot()
    assert len(shot) > 20_000, "an empty frame would be a tiny picture"


def test_only_private_talk_is_left_when_asked_for(tab: Any, pages: dict[str, Path]) -> None:
    tab.goto(pages["en"].as_uri())
    tab.get_by_text("private talk", exact=True).click()
    assert tab.locator(".e.private").first.is_visible()
    assert not tab.locator(".e.board").first.is_visible()
    assert not tab.locator(".speech:not(.private)").first.is_visible()


def test_a_link_opens_the_closed_part_that_it_leads_into(tab: Any, pages: dict[str, Path]) -> None:
    tab.goto(pages["en"].as_uri())
    inside = tab.locator("#r3 .fold .deed[id]").last
    assert not inside.is_visible()
    name = inside.get_attribute("id")
    tab.goto("about:blank")
    tab.goto(pages["en"].as_uri() + f"#{name}")
    tab.wait_for_function("document.querySelector(':target').closest('details').open")
    assert tab.locator(f"#{name}").is_visible()


def test_broken_promises_lead_to_the_deed_and_leave_no_empty_heading(tab: Any, pages: dict[str, Path]) -> None:
    tab.goto(pages["en"].as_uri())
    tab.get_by_text("broken promises", exact=True).click()
    for stage in tab.locator(".stage:visible").all():
        assert stage.locator(".breached:visible").count()
    assert not tab.get_by_text("Privately meant: the same as just before").locator("visible=true").count()
    link = tab.locator(".breach a:visible").first
    deed = tab.locator(str(link.get_attribute("href")))
    assert not deed.is_visible()
    link.click()
    assert deed.is_visible()


def test_a_larger_picture_moves_within_its_own_box(tab: Any, pages: dict[str, Path]) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(pages["en"].as_uri() + "#r1-inside")
    tab.locator('label[for="zoom1"]').click()
    frame = tab.locator("#r1 .frame:visible")
    assert frame.evaluate("e => e.scrollWidth > 2 * e.clientWidth")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_result_and_contents_fit_a_phone_without_moving_sideways(tab: Any, pages: dict[str, Path]) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    for page in pages.values():
        tab.goto(page.as_uri())
        tab.locator(".spoiler > summary").click()
        for part in ("#brief .wide", ".contents", ".contents ol", ".filters"):
            assert tab.locator(part).evaluate("e => e.scrollWidth <= e.clientWidth"), part


def test_on_paper_every_part_is_open(tab: Any, pages: dict[str, Path]) -> None:
    tab.goto(pages["en"].as_uri())
    tab.emulate_media(media="print")
    for part in (".winner", "#c1", "#r1 .speech", "#check dl"):
        box = tab.locator(part).first.bounding_box()
        assert box is not None, part
        assert box["height"] > 5, part


@pytest.mark.parametrize("width", [390, 1400])
def test_a_map_has_no_empty_strips_beside_it(tab: Any, pages: dict[str, Path], width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 844})
    tab.goto(pages["ru"].as_uri() + "#map-inside")
    drawn, box = tab.evaluate(
        """() => { const svg = document.querySelector('.atlas figure svg'), b = svg.viewBox.baseVal,
        r = svg.getBoundingClientRect(); return [b.width / b.height, r.width / r.height]; }"""
    )
    assert box == pytest.approx(drawn, rel=0.01)


def test_the_signs_of_the_key_stand_in_one_line(tab: Any, pages: dict[str, Path]) -> None:
    tab.set_viewport_size({"width": 1400, "height": 844})
    tab.goto(pages["en"].as_uri() + "#course-inside")
    tops = tab.evaluate("[...document.querySelectorAll('.key')].slice(0, 4).map(k => k.getBoundingClientRect().top)")
    assert max(tops) - min(tops) <= 2


def test_a_table_that_goes_on_beyond_the_edge_shows_it_by_a_shadow(tab: Any, pages: dict[str, Path]) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(pages["ru"].as_uri())
    shades = tab.evaluate("[...document.querySelectorAll('.wide')].map(w => getComputedStyle(w).backgroundAttachment)")
    assert shades
    assert all("scroll" in one and "local" in one for one in shades)
