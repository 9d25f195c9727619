// One message at a time: words are marked, acts added by key, and every change is sent at once to be kept.
import { key, list, made, side } from "/page/acts.js";
import { Words, cut } from "/page/words.js";

const KEYS = {
  polarity: "P", certainty: "C", explicitness: "E", level: "L", conditional: "I", testable: "T", stated: "D",
  confidence: "V", ref: "R", goal: "G", given: "H", mark: "M", delete: "Del",
};
const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-"];
const CODES = ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6", "Digit7", "Digit8", "Digit9", "Digit0", "Minus"];
const HELP = [
  ["move", "← →"], ["extend", "Shift+← →"], ["whole", "W"], ["sentence", "S"], ["act", "1 … 9, 0, -"], ["choose", "↑ ↓"],
  ["mark", "M"], ["goal", "G"], ["given", "H"], ["ref", "R"], ["delete", "Del"], ["undo", "U"], ["nothing", "N"],
  ["done", "Enter"], ["next", "J, PgDn"], ["previous", "K, PgUp"], ["open", "F"], ["help", "?"],
];
const $ = (id) => document.getElementById(id);
const token = location.hash.slice(1);
let scheme = null;
let unit = null;
let acts = [];
let chosen = -1;
let past = [];
let rule = "";
let state = "draft";
let seconds = 0;
let since = 0;
let part = "goals";
let busy = false;
let ended = false;
const waiting = new Map();
let sending = null;

function say(name, facts = {}) {
  const text = scheme?.texts[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, place) => (place in facts ? String(facts[place]) : whole));
}

async function ask(path, body) {
  const options = { headers: { Authorization: `Bearer ${token}` } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const got = await fetch(path, options);
  const data = await got.json();
  if (!got.ok) throw Object.assign(new Error(data.why), { final: got.status < 500 });
  return data;
}

function notice(text) {
  $("notice").hidden = !text;
  $("notice").textContent = text;
}

// Keeping what is coded: the latest state of every message, until the server has it on its disk.

function keep() {
  waiting.set(unit.number, { acts: acts.map(({ said, ...act }) => act), state, rule, seconds: spent() });
  $("saved").textContent = say("page.saving");
  sending ??= send().finally(() => { sending = null; });
  return sending;
}

async function send() {
  let tries = 0;
  while (waiting.size) {
    const [number, coding] = waiting.entries().next().value;
    try {
      const got = await ask(`/api/unit/${number}`, coding);
      if (waiting.get(number) === coding) waiting.delete(number);
      scheme.done = got.done;
      tries = 0;
      if (ended) notice("");
      ended = false;
    } catch (fault) {
      $("saved").className = "bad";
      $("saved").textContent = fault.final ? fault.message : say("page.unsaved");
      if (fault.final) return;
      tries += 1;
      if (tries === 4) {
        ended = true;
        notice(say("page.ended"));
      }
      await new Promise((done) => setTimeout(done, 700));
    }
  }
  $("saved").className = "";
  $("saved").textContent = say("page.saved");
  progress();
}

function spent() {
  return seconds + (Date.now() - since) / 1000;
}

// What is seen.

function name(seat) {
  if (seat === "all") return say("page.everyone");
  const shown = unit.seats.find(([id]) => id === seat)?.[1];
  return shown && shown !== seat ? `${seat} ${shown}` : seat;
}

function head(message) {
  return `${message.id} · ${say("page.from_to", { sender: name(message.from), to: message.to.map(name).join(", ") })}`;
}

function progress() {
  const facts = { at: unit.number + 1, total: scheme.total, done: scheme.done };
  $("progress").textContent = `${say("page.progress", facts)} · ${say("page.coder", { coder: scheme.coder })}`;
}

function draw() {
  words.draw(acts);
  const mark = words.mark;
  const marked = mark && cut(unit.message.text, mark.start, mark.end);
  $("marked").textContent = marked ? say("page.marked", { words: marked }) : say("page.nothing_marked");
  const on = {
    keys: KEYS, choose: (index) => { if (index !== chosen) { chosen = index; draw(); } }, turn, ref, remove,
    mark: remark, goal: open, drop: (index, which, number) => change(() => { acts[index][which].splice(number, 1); acts[index].said[which].splice(number, 1); }),
  };
  $("acts").replaceChildren(...(acts.length ? list(acts, chosen, scheme, say, on) : [made("li", {}, say("page.no_acts"))]));
  const answered = acts[chosen]?.ref;
  for (const item of $("earlier").children) item.classList.toggle("answered", Boolean(answered) && item.dataset.id === answered);
}

function show(got) {
  unit = got;
  acts = structuredClone(got.coding?.acts ?? []);
  chosen = acts.length - 1;
  past = [];
  rule = got.coding?.rule ?? "";
  state = got.coding?.state ?? "draft";
  seconds = got.coding?.seconds ?? 0;
  since = Date.now();
  scheme.done = got.done;
  notice(got.blind ? "" : say("page.not_blind"));
  $("head").textContent = `${got.title} · ${got.game}${got.last ? ` · ${say("page.round", { now: got.now, last: got.last })}` : ""} · ${head(got.message)}`;
  const before = got.earlier.map((one) => made("li", { class: one.from === got.message.from ? "own" : "", "data-id": one.id }, made("span", { class: "who" }, head(one)), one.text));
  $("earlier").replaceChildren(...(before.length ? before : [made("li", {}, say("page.no_earlier"))]));
  $("earlier").scrollTop = $("earlier").scrollHeight;
  $("two").hidden = !got.two;
  if (got.two) {
    $("two").replaceChildren(
      side(got.two[0], say("page.first_coder"), scheme, say, () => take(0), "A"),
      side(got.two[1], say("page.second_coder"), scheme, say, () => take(1), "B"),
    );
  }
  words.show(got.message.text);
  tell("");
  draw();
  progress();
  $("words").focus({ preventScroll: true });
}

function tell(text) {
  $("say").textContent = text;
}

async function go(number) {
  if (number === null || number < 0 || number >= scheme.total || busy) return;
  busy = true;
  try {
    await sending;
    show(await ask(`/api/unit/${number}`));
  } catch (fault) {
    notice(fault.final ? fault.message : say("page.ended"));
  } finally {
    busy = false;
  }
}

// What is done.

function change(how) {
  past.push(structuredClone({ acts, chosen, rule }));
  how();
  if (rule && unit.two) rule = "edited";
  chosen = Math.min(chosen, acts.length - 1);
  tell("");
  draw();
  keep();
}

function undo() {
  const before = past.pop();
  if (!before) return;
  ({ acts, chosen, rule } = before);
  draw();
  keep();
}

function place() {
  return words.mark ?? { start: 0, end: Array.from(unit.message.text).length };
}

function add(kind) {
  change(() => {
    const { start, end } = place();
    const act = { act: kind, start, end, words: cut(unit.message.text, start, end), goals: [], given: [], said: { goals: [], given: [] }, ref: null };
    for (const [code, values] of Object.entries(scheme.qualifiers)) act[code] = values[0];
    for (const code of scheme.switches) act[code] = code === "testable";
    act.confidence = scheme.sure.at(-1);
    acts.push(act);
    chosen = acts.length - 1;
    words.clear();
  });
}

function turn(index, code) {
  if (!acts[index]) return tell(say("page.no_act"));
  chosen = index;
  return change(() => {
    const act = acts[index];
    const values = code === "confidence" ? scheme.sure : scheme.qualifiers[code] ?? [false, true];
    act[code] = values[(values.indexOf(act[code]) + 1) % values.length];
  });
}

function ref() {
  if (!acts[chosen]) return tell(say("page.no_act"));
  const ids = [null, ...unit.earlier.map((one) => one.id).reverse()];
  return change(() => { acts[chosen].ref = ids[(ids.indexOf(acts[chosen].ref ?? null) + 1) % ids.length]; });
}

function remark() {
  if (!acts[chosen]) return tell(say("page.no_act"));
  return change(() => {
    const { start, end } = place();
    Object.assign(acts[chosen], { start, end, words: cut(unit.message.text, start, end) });
    words.clear();
  });
}

function remove() {
  if (acts[chosen]) change(() => acts.splice(chosen, 1));
}

function take(which) {
  if (!unit.two) return;
  change(() => { acts = structuredClone(unit.two[which].acts); chosen = acts.length - 1; });
  rule = which ? "second" : "first";
  keep();
}

async function finish() {
  state = "done";
  const next = unit.next_open;
  await keep();
  if (waiting.size) return;
  if (next === null) tell(say("page.finished"));
  else await go(next);
}

function nothing() {
  if (acts.length) return tell(say("page.has_acts"));
  return finish();
}

// The form for goals.

function field(label, input) {
  return made("label", {}, made("span", {}, label), input);
}

function open(which) {
  if (!acts[chosen]) return tell(say("page.no_act"));
  if (!unit.terms.verbs.length) return tell(say("page.no_verbs"));
  part = which;
  const other = unit.message.to.find((seat) => seat !== "all") ?? unit.message.from;
  const select = (id, options, value) => {
    const made_ = made("select", { id }, ...options.map(([one, text]) => made("option", { value: one }, text && text !== one ? `${text} (${one})` : one)));
    made_.value = value;
    return made_;
  };
  const number = (id, value) => made("input", { id, type: "number", min: 1, max: unit.last || 99, value, required: true });
  const rows = [
    field(say("page.verb"), select("verb", unit.terms.verbs, unit.terms.verbs[0][0])),
    field(say("page.by"), select("by", unit.seats, which === "goals" ? unit.message.from : other)),
    field(say("page.first"), number("first", unit.now)),
    field(say("page.last"), number("last", unit.now)),
  ];
  for (const [argument, options] of Object.entries(unit.terms.fields)) {
    const id = `arg-${argument}`;
    const named = options.map(([one, text]) => [one, unit.seats.find(([seat]) => seat === one)?.[1] ?? text]);
    rows.push(field(unit.terms.called[argument], named.length ? select(id, [["", say("page.none")], ...named], "") : made("input", { id })));
  }
  $("form-title").textContent = say(which === "goals" ? "page.goal_title" : "page.given_title");
  $("fields").replaceChildren(...rows);
  $("wrong").textContent = "";
  $("form").showModal();
  $("verb").focus();
  return undefined;
}

async function agree(event) {
  event.preventDefault();
  const args = {};
  for (const argument of Object.keys(unit.terms.fields)) {
    const value = $(`arg-${argument}`).value;
    if (value) args[argument] = value;
  }
  const goal = { verb: $("verb").value, by: $("by").value, first: Number($("first").value), last: Number($("last").value), args };
  try {
    const got = await ask(`/api/unit/${unit.number}/goal`, { goal, own: part === "goals" });
    if (got.why) {
      $("wrong").textContent = got.why;
      return;
    }
    $("form").close();
    change(() => { acts[chosen][part].push(goal); acts[chosen].said[part].push(got.text); });
    $("words").focus({ preventScroll: true });
  } catch (fault) {
    $("wrong").textContent = fault.message;
  }
}

// Keys: by their place on the board, so that they work in every layout.

function pressed(event) {
  if ($("form").open || !unit || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = CODES.indexOf(event.code);
  const onButton = event.target instanceof HTMLButtonElement;
  const does = {
    ArrowLeft: () => words.move(-1, event.shiftKey), ArrowRight: () => words.move(1, event.shiftKey),
    ArrowUp: () => { chosen = Math.max(chosen - 1, acts.length ? 0 : -1); draw(); },
    ArrowDown: () => { chosen = Math.min(chosen + 1, acts.length - 1); draw(); },
    KeyW: () => words.whole(), KeyS: () => words.sentence(), Escape: () => words.clear(),
    KeyP: () => turn(chosen, "polarity"), KeyC: () => turn(chosen, "certainty"), KeyE: () => turn(chosen, "explicitness"),
    KeyL: () => turn(chosen, "level"), KeyI: () => turn(chosen, "conditional"), KeyT: () => turn(chosen, "testable"),
    KeyD: () => turn(chosen, "stated"), KeyV: () => turn(chosen, "confidence"), KeyR: ref, KeyM: remark,
    KeyG: () => open("goals"), KeyH: () => open("given"), Delete: remove, Backspace: remove, KeyU: undo,
    KeyA: () => take(0), KeyB: () => take(1), KeyN: nothing, KeyF: () => go(unit.next_open),
    KeyJ: () => go(unit.number + 1), PageDown: () => go(unit.number + 1), KeyK: () => go(unit.number - 1), PageUp: () => go(unit.number - 1),
  };
  if (event.key === "?") $("keys").hidden = !$("keys").hidden;
  else if (act >= 0 && !event.shiftKey) add(scheme.acts[act]);
  else if (event.code === "Enter" && !onButton) finish();
  else if (does[event.code]) does[event.code]();
  else return;
  event.preventDefault();
}

const words = new Words($("words"), () => { if (unit) draw(); });

async function start() {
  try {
    scheme = await ask("/api/session");
  } catch (fault) {
    if (token && !fault.final) notice(fault.message);
    else $("no-token").hidden = false;
    return;
  }
  document.documentElement.lang = scheme.lang;
  document.title = say("page.title");
  $("title").textContent = say("page.title");
  for (const [id, text] of [["past-title", "earlier"], ["now-title", "message"], ["said-title", "acts"], ["help-title", "help"], ["add", "add"], ["cancel", "cancel"]]) {
    $(id).textContent = say(`page.${text}`);
  }
  if (!scheme.total) {
    notice(say(scheme.adjudicates ? "page.agreed" : "page.finished"));
    return;
  }
  $("kinds").append(...scheme.acts.map((kind, index) => made("button", { type: "button", click: () => add(kind) }, key(DIGITS[index]), " ", say(`act.${kind}`))));
  const rows = [...HELP, ...["polarity", "certainty", "explicitness", "level", "conditional", "testable", "stated", "confidence"].map((code) => [code, KEYS[code]])];
  if (scheme.adjudicates) rows.unshift(["take_first", "A"], ["take_second", "B"]);
  $("keys").append(...rows.map(([action, keys]) => made("div", {}, made("dt", {}, key(keys)), made("dd", {}, scheme.texts[`key.${action}`] ?? say(`code.${action}`)))));
  const marks = [["sentence", "S", () => words.sentence()], ["whole", "W", () => words.whole()], ["extend", "Shift+→", () => words.move(1, true)]];
  $("marks").append(...marks.map(([action, keys, does]) => made("button", { type: "button", click: does }, key(keys), " ", say(`key.${action}`))));
  const steps = [["nothing", "N", nothing], ["done", "Enter", finish], ["previous", "K", () => go(unit.number - 1)], ["next", "J", () => go(unit.number + 1)], ["undo", "U", undo]];
  $("steps").append(...steps.map(([action, keys, does]) => made("button", { type: "button", click: does }, key(keys), " ", say(`key.${action}`))));
  $("goal").addEventListener("submit", agree);
  // Enter would open a list instead of adding what was chosen.
  $("goal").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target === $("cancel")) return;
    event.preventDefault();
    $("goal").requestSubmit();
  });
  $("cancel").addEventListener("click", () => $("form").close());
  document.addEventListener("keydown", pressed);
  window.addEventListener("beforeunload", (event) => { if (waiting.size) event.preventDefault(); });
  $("main").hidden = false;
  await go(scheme.open);
}

start();
