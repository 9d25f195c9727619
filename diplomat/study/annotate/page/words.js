// A message as words that can be marked.  Offsets are code points, as everywhere in the study; strings of this
// language count UTF-16 units, so lengths are never taken from them.

const SENTENCE_END = /[.!?;…\n]/u;

/** The words of a text with their places; what stands between them belongs to none. */
export function tokens(text) {
  const points = Array.from(text);
  const found = [];
  let start = -1;
  for (let at = 0; at <= points.length; at += 1) {
    const blank = at === points.length || /\s/u.test(points[at]);
    if (!blank && start < 0) start = at;
    if (blank && start >= 0) {
      found.push({ start, end: at });
      start = -1;
    }
  }
  return found;
}

/** The code points of a text from one place to another. */
export function cut(text, start, end) {
  return Array.from(text).slice(start, end).join("");
}

export class Words {
  /** Shows texts in a box and keeps a cursor and a mark in it; tells `changed` of every change. */
  constructor(box, changed) {
    this.box = box;
    this.changed = changed;
    this.text = "";
    this.all = [];
    this.spans = [];
    this.at = 0;
    this.from = null;
    document.addEventListener("mouseup", () => this.fromMouse());
    box.addEventListener("click", (event) => this.fromClick(event));
  }

  show(text) {
    this.text = text;
    this.all = tokens(text);
    this.at = 0;
    this.from = null;
    this.spans = [];
    const points = Array.from(text);
    const parts = [];
    let done = 0;
    for (const token of this.all) {
      parts.push(document.createTextNode(points.slice(done, token.start).join("")));
      const span = document.createElement("span");
      span.textContent = points.slice(token.start, token.end).join("");
      this.spans.push(span);
      parts.push(span);
      done = token.end;
    }
    parts.push(document.createTextNode(points.slice(done).join("")));
    this.box.replaceChildren(...parts);
    this.box.scrollTop = 0;
    this.draw([]);
  }

  /** The marked code points, or null. */
  get mark() {
    if (this.from === null || this.all.length === 0) return null;
    const [low, high] = [Math.min(this.from, this.at), Math.max(this.from, this.at)];
    return { start: this.all[low].start, end: this.all[high].end };
  }

  move(step, extend) {
    const last = this.all.length - 1;
    if (last < 0) return;
    if (extend && this.from === null) {
      this.from = this.at;
    } else {
      if (!extend) this.from = null;
      this.at = Math.min(Math.max(this.at + step, 0), last);
    }
    this.changed();
    this.spans[this.at].scrollIntoView({ block: "nearest" });
  }

  whole() {
    this.from = 0;
    this.at = Math.max(this.all.length - 1, 0);
    this.changed();
  }

  sentence() {
    const points = Array.from(this.text);
    const ends = (token) => points.slice(token.start, token.end).some((point) => SENTENCE_END.test(point));
    const breaks = (index) => points.slice(this.all[index].end, this.all[index + 1]?.start).includes("\n");
    let low = this.at;
    let high = this.at;
    while (low > 0 && !ends(this.all[low - 1]) && !breaks(low - 1)) low -= 1;
    while (high < this.all.length - 1 && !ends(this.all[high]) && !breaks(high)) high += 1;
    this.from = low;
    this.at = high;
    this.changed();
  }

  clear() {
    this.from = null;
    this.changed();
  }

  /** Whole words that were dragged over. */
  fromMouse() {
    const chosen = document.getSelection();
    if (!chosen || chosen.isCollapsed || !this.box.contains(chosen.anchorNode) || !this.box.contains(chosen.focusNode)) return;
    const hit = this.spans.map((span, index) => (chosen.containsNode(span, true) ? index : -1)).filter((index) => index >= 0);
    chosen.removeAllRanges();
    if (hit.length === 0) return;
    this.from = hit[0];
    this.at = hit[hit.length - 1];
    this.dragged = true;
    this.changed();
  }

  fromClick(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const index = this.spans.indexOf(event.target);
    if (index < 0) return;
    if (event.shiftKey && this.from === null) this.from = this.at;
    if (!event.shiftKey) this.from = null;
    this.at = index;
    this.changed();
  }

  /** Draws cursor and mark; `had` are places that acts have. */
  draw(had) {
    const mark = this.mark;
    this.all.forEach((token, index) => {
      const list = this.spans[index].classList;
      list.toggle("at", index === this.at);
      list.toggle("in", mark !== null && token.start >= mark.start && token.end <= mark.end);
      list.toggle("had", had.some((each) => token.start < each.end && each.start < token.end));
    });
  }
}
