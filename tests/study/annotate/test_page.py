"""The page for people: a session by keyboard in a real browser, killed and gone on with; strangers get nothing."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from diplomat.core.proceedings import MessageSent, NoteSealed, PlanSealed
from diplomat.study.annotate.files import read_sheet
from diplomat.study.annotate.server import build
from diplomat.study.annotate.session import Session
from diplomat.study.annotate.store import Store
from diplomat.study.annotate.terms import Terms
from diplomat.study.annotate.units import Log
from tests.study.annotate.coding import STAMP, act, coding, write

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
ADDRESS, TOKEN = "127.0.0.1:8000", "secret-token"
browsing = [pytest.mark.long, pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "anna.jsonl") as store:
        yield store


def session(log: Log, store: Store, **options: Any) -> Session:
    return Session(log.units, store, "anna", "en", lambda: STAMP, **options)


def client(made: Session, token: str = TOKEN, **headers: str) -> Any:
    given = {"authorization": f"Bearer {token}", **headers}
    return TestClient(build(made, TOKEN, ADDRESS), base_url=f"http://{ADDRESS}", headers=given)


def body(*acts: dict[str, Any], state: str = "done", **more: Any) -> dict[str, Any]:
    return {"acts": list(acts), "state": state, "seconds": 1.5, **more}


# --- who is let in


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:8000"}, 200),
        ({"origin": f"http://{ADDRESS}"}, 200),
        ({"host": "evil.example:8000"}, 403),
        ({"host": "127.0.0.1"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"authorization": "Bearer wrong"}, 403),
        ({"authorization": ""}, 403),
        ({"authorization": "Bearer \u00e9"}, 403),
    ],
)
@pytest.mark.parametrize("path", ["/api/session", "/api/unit/0"])
def test_only_our_page_with_its_token_gets_anything(
    log: Log, store: Store, headers: dict[str, str], status: int, path: str
) -> None:
    coded = {name: value.encode("latin-1") for name, value in headers.items()}
    assert client(session(log, store)).get(path, headers=coded).status_code == status


def test_the_page_itself_needs_no_token_and_loads_nothing_from_elsewhere(log: Log, store: Store) -> None:
    stranger = client(session(log, store), token="")
    for path in ("/", "/page/annotate.js", "/page/words.js", "/page/acts.js", "/page/annotate.css"):
        got = stranger.get(path)
        assert got.status_code == 200
        assert "default-src 'none'" in got.headers["content-security-policy"]
        assert not re.search(r"(https?:)?//[a-z]", got.text.replace("// ", ""))
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", got.text)
    for path in ("/page/server.py", "/page/..%2fserver.py", "/server.py"):
        assert stranger.get(path).status_code == 404
    assert stranger.get("/", headers={"host": "evil.example"}).status_code == 403


# --- what is sent to it


def test_nothing_of_what_came_later_or_was_private_is_sent(log: Log, store: Store) -> None:
    page = client(session(log, store))
    events = list(log.transcript.events())
    secret = [one.plan.text for one in events if isinstance(one, PlanSealed)]
    secret += [one.text for one in events if isinstance(one, NoteSealed)]
    order = {one.id: n for n, one in enumerate(events) if isinstance(one, MessageSent)}
    assert not any(one.message.text in page.get("/api/session").text for one in log.units)
    for number, unit in enumerate(log.units):
        got = page.get(f"/api/unit/{number}")
        shown = got.json()
        assert not any(len(one) > 12 and json.dumps(one, ensure_ascii=False)[1:-1] in got.text for one in secret)
        assert [one["id"] for one in shown["earlier"]] == [one.id for one in unit.past.shared(unit.message)]
        assert all(order[one["id"]] < order[shown["message"]["id"]] for one in shown["earlier"])
        assert "pledges" not in got.text
    assert page.get(f"/api/unit/{len(log.units)}").status_code == 422


def test_terms_of_the_game_do_not_depend_on_what_happened(log: Log, store: Store) -> None:
    page = client(session(log, store))
    first, last = (page.get(f"/api/unit/{number}").json()["terms"] for number in (0, len(log.units) - 1))
    assert first == last
    assert {one for one, _ in first["fields"]["target"]} == set(log.transcript.seats)
    assert len(first["fields"]["province"]) > 20


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_terms_of_the_game_are_offered_in_words(log: Log, store: Store, lang: str) -> None:
    terms = Terms(log, lang).offered()
    shown = [*terms["called"].values(), *(word for _, word in terms["verbs"])]
    assert {verb for verb, _ in terms["verbs"]} == set(log.game.pledges.verbs)
    assert set(terms["called"]) == set(terms["fields"])
    assert not [word for word in shown if "_" in word or (lang == "ru" and re.search("[a-z]", word))]


def test_a_coder_who_turns_back_is_not_blind_any_more_and_the_row_says_so(log: Log, store: Store) -> None:
    made = session(log, store)
    page = client(made)
    for number in (0, 1):
        assert page.get(f"/api/unit/{number}").json()["blind"]
        assert page.post(f"/api/unit/{number}", json=body()).json()["blind"]
    assert not page.get("/api/unit/0").json()["blind"]
    assert not page.post("/api/unit/0", json=body()).json()["blind"]
    again = client(session(log, store))
    assert not again.get("/api/unit/0").json()["blind"]
    assert [row.blind for row in read_sheet(store.path).rows] == [False, True]


# --- what it sends


def test_codings_on_which_coders_agree_were_not_seen_by_who_adjudicates(log: Log, store: Store) -> None:
    store.write(coding(log.units[-1], "anna", by="adjudicated", rule="agreed"))
    assert client(session(log, store, adjudicates=True)).get("/api/unit/0").json()["blind"]


def test_a_coding_is_on_the_disk_before_it_is_called_saved(log: Log, store: Store) -> None:
    page = client(session(log, store))
    text = log.units[0].message.text
    one = {"act": "promise", "start": 0, "end": 4, "words": text[:4], "ref": None}
    assert page.post("/api/unit/0", json=body(one, state="draft")).json() == {"saved": True, "done": 0, "blind": True}
    assert [row.acts[0].words for row in read_sheet(store.path).begun] == [text[:4]]
    assert page.post("/api/unit/0", json=body(one)).json()["done"] == 1
    assert client(session(log, store)).get("/api/session").json()["open"] == 1


REFUSED = {
    "words that are not there": body({"act": "promise", "start": 0, "end": 4, "words": "nono"}),
    "an act of no kind": body({"act": "vow", "start": 0, "end": 1, "words": "x"}),
    "no state": {"acts": [], "seconds": 1},
    "no object": [1],
    "acts that are no list": {"acts": 5, "state": "done", "seconds": 1},
}


@pytest.mark.parametrize("sent", REFUSED.values(), ids=list(REFUSED))
def test_what_makes_no_sense_is_refused_and_not_written(log: Log, store: Store, sent: Any) -> None:
    page = client(session(log, store))
    got = page.post("/api/unit/0", json=sent)
    assert got.status_code == 422
    assert got.json()["why"]
    assert store.path.read_bytes() == b""
    assert page.post("/api/unit/0", content=b"{}", headers={"content-type": "text/plain"}).status_code == 422
    assert page.post("/api/unit/0", json={"acts": ["x" * 300_000]}).status_code == 422


def test_a_goal_is_said_back_in_words_or_its_fault_is(log: Log, store: Store) -> None:
    page = client(session(log, store))
    sender = log.units[0].message.sender
    other = next(seat for seat in log.transcript.seats if seat != sender)
    goal = {"verb": "not_attack", "by": sender, "first": 1, "last": 1, "args": {"target": other}}

    def asked(own: bool = True, **changes: Any) -> dict[str, str]:
        got: dict[str, str] = page.post("/api/unit/0/goal", json={"goal": {**goal, **changes}, "own": own}).json()
        return got

    assert asked()["text"]
    assert asked()["why"] == ""
    bad: list[dict[str, Any]] = [{"first": 9, "last": 9}, {"args": {}}, {"by": other, "args": {"target": sender}}]
    for changes in bad:
        assert asked(**changes)["why"]
        assert "{" not in asked(**changes)["why"]
    assert asked(own=False, by=other, args={"target": sender})["text"]


# --- a person at it

COMMAND = (
    "import typer; from diplomat.cli import annotate; app = typer.Typer(); app.callback()(lambda: None);"
    "annotate.register(app); app()"
)


class Running:
    """The command in a process of its own."""

    def __init__(self, *words: str | Path) -> None:
        command = [sys.executable, "-c", COMMAND, "annotate", *map(str, words)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        assert self.link.startswith("http://127.0.0.1:"), self.process.communicate()

    def end(self, how: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(how)
        _, said = self.process.communicate(timeout=20)
        return self.process.returncode, said


Start = Callable[..., Running]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts the command; what is still running in the end is stopped."""
    running: list[Running] = []

    def started(*words: str | Path) -> Running:
        running.append(Running(*words))
        return running[-1]

    yield started
    for one in running:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.faults = []
    page.on("pageerror", lambda fault: page.faults.append(str(fault)))
    page.on("console", lambda message: page.faults.append(message.text))
    yield page
    context.close()


def opened(tab: Any, link: str) -> Any:
    tab.goto("about:blank")
    tab.goto(link)
    tab.locator("#words span").first.wait_for()
    return tab.keyboard


def at(tab: Any, number: int) -> None:
    tab.locator("#progress", has_text=re.compile(rf"^{number} ")).wait_for()


def saved(tab: Any, lang: str) -> None:
    tab.locator("#saved", has_text={"en": "saved", "ru": "сохранено"}[lang]).wait_for()


@pytest.mark.parametrize("width", [1400, 390])
@browsing[0]
@browsing[1]
def test_three_messages_by_keyboard_a_reload_a_kill_and_going_on(
    tab: Any, start: Start, game: Path, log: Log, tmp_path: Path, width: int
) -> None:
    out, lang = tmp_path / "anna.jsonl", log.transcript.header.lang
    words = (game, "--coder", "anna", "--out", out, "--lang", lang)
    running = start(*words)
    tab.set_viewport_size({"width": width, "height": 844})
    keys = opened(tab, running.link)
    for key in ("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "1", "c", "v", "g"):
        keys.press(key)
    tab.locator("#form[open]").wait_for()
    for key in (*["Tab"] * 4, "ArrowDown", "ArrowDown", "Enter"):
        keys.press(key)
    tab.locator("#acts .goal").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    keys.press("Enter")
    at(tab, 2)
    keys.press("n")
    at(tab, 3)
    keys.press("s")
    keys.press("3")
    saved(tab, lang)
    tab.reload()
    at(tab, 3)
    assert tab.locator("#acts li.on").count() == 1
    keys.press("i")
    saved(tab, lang)
    assert tab.faults == []
    running.end(signal.SIGKILL)
    running = start(*words)
    keys = opened(tab, running.link)
    at(tab, 3)
    keys.press("Enter")
    at(tab, 4)
    code, told = running.end(signal.SIGINT)
    assert code == 0
    assert f"3 of {len(log.units)}" in told
    rows = read_sheet(out).rows
    tokens = re.findall(r"\S+", log.units[0].message.text)
    assert [len(row.acts) for row in rows] == [1, 0, 1]
    first, third = rows[0].acts[0], rows[2].acts[0]
    assert first.words.split() == tokens[1:3]
    assert (first.certainty, first.confidence, len(first.goals)) == ("hedged", 0.5, 1)
    assert (third.act, third.conditional) == ("ask", True)
    assert all(row.blind for row in rows)


@browsing[0]
@browsing[1]
def test_words_are_marked_by_dragging_and_counted_by_code_points(tab: Any) -> None:
    page = Path(__file__).parents[3] / "diplomat/study/annotate/page/words.js"
    script = page.read_text("utf-8").replace("export ", "")
    tab.set_content("<div id=box></div>")
    tab.add_script_tag(content=f"{script}; window.words = new Words(box, () => words.draw([])); window.cut = cut;")
    text = "Да 🦊👑 I\nswear 👩‍👩‍👧 it."
    tab.evaluate("text => { box.style.font = '30px monospace'; words.show(text) }", text)
    spans = tab.locator("#box span")
    assert spans.all_inner_texts() == text.split()
    boxes = [span.bounding_box() for span in spans.all()]
    tab.mouse.move(boxes[1]["x"] + 2, boxes[1]["y"] + 10)
    tab.mouse.down()
    tab.mouse.move(boxes[3]["x"] + 30, boxes[3]["y"] + 10, steps=5)
    tab.mouse.up()
    mark = tab.evaluate("words.mark")
    assert text[mark["start"] : mark["end"]] == "🦊👑 I\nswear"
    assert tab.evaluate("([text, a, b]) => cut(text, a, b)", [text, mark["start"], mark["end"]]) == "🦊👑 I\nswear"


@browsing[0]
@browsing[1]
def test_two_coders_are_settled_by_key(tab: Any, start: Start, game: Path, log: Log, tmp_path: Path) -> None:
    one, other, third = log.units[:3]
    anna = [coding(one, "anna", act(one, one.message.text[:5])), coding(other, "anna"), coding(third, "anna")]
    ivan = [
        coding(one, "ivan"),
        coding(other, "ivan"),
        coding(third, "ivan", act(third, third.message.text[:5], "ask")),
    ]
    files = [write(tmp_path / f"{rows[0].coder}.jsonl", rows) for rows in (anna, ivan)]
    gold = tmp_path / "gold.jsonl"
    both = [word for path in files for word in ("--adjudicate", str(path))]
    running = start(game, *both, "--coder", "eva", "--out", gold, "--lang", "en")
    keys = opened(tab, running.link)
    for number in (1, 2):
        at(tab, number)
        assert "anna" not in tab.locator("main").inner_text().lower()
        sides = tab.locator("#two > div")
        assert sides.count() == 2
        keys.press("a" if "Nothing" not in sides.first.inner_text() else "b")
        tab.locator("#acts li.on").wait_for()
        keys.press("Enter")
    tab.locator("#say", has_text="All messages are done").wait_for()
    assert running.end(signal.SIGINT)[0] == 0
    rows = {row.message: row for row in read_sheet(gold).rows}
    assert [rows[unit.message.id].rule for unit in (one, other, third)] == ["first", "agreed", "second"]
    assert {row.by for row in rows.values()} == {"adjudicated"}
    assert {row.coder for row in rows.values()} == {"eva"}
    assert all(row.blind for row in rows.values())
