// The list of acts that are coded, as elements; every text of others goes in as text, never as markup.

/** An element with attributes and children; strings become text. */
export function made(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "click") element.addEventListener("click", value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function key(name) {
  return made("kbd", {}, name);
}

/** The codes of an act with their keys: what each is called, its value in words. */
export function codes(act, scheme, say) {
  const rows = [];
  for (const name of Object.keys(scheme.qualifiers)) rows.push([name, say(`code.${act[name]}`)]);
  for (const name of scheme.switches) rows.push([name, say(act[name] ? "page.yes" : "page.no")]);
  const near = scheme.sure.reduce((a, b) => (Math.abs(b - act.confidence) < Math.abs(a - act.confidence) ? b : a));
  rows.push(["confidence", say(`code.${near}`)]);
  return rows;
}

/** The list, with the act that is being worked on opened. */
export function list(acts, chosen, scheme, say, on) {
  return acts.map((act, index) => {
    const open = index === chosen;
    const item = made("li", { class: open ? "on" : "", "aria-current": open ? "true" : null, click: () => on.choose(index) });
    item.append(made("span", { class: "kind" }, say(`act.${act.act}`)));
    if (act.ref) item.append(` (${say("page.ask_ref", { id: act.ref })})`);
    item.append(made("q", { class: "quote" }, act.words));
    for (const part of ["goals", "given"]) {
      act[part].forEach((goal, number) => {
        const text = `${say(`page.${part}`)}: ${act.said[part][number] ?? JSON.stringify(goal)}`;
        const drop = made("button", { type: "button", "aria-label": `${say("page.remove")}: ${text}`, click: () => on.drop(index, part, number) }, "×");
        item.append(made("div", { class: "goal" }, open ? drop : "", text));
      });
    }
    const rows = codes(act, scheme, say);
    if (open) {
      const buttons = rows.map(([name, value]) =>
        made("button", { type: "button", "data-code": name, click: () => on.turn(index, name) }, key(on.keys[name]), " ", `${say(`code.${name}`)}: `, made("b", {}, value)),
      );
      const more = [["ref", on.ref], ["goal", () => on.goal("goals")], ["given", () => on.goal("given")], ["mark", on.mark], ["delete", on.remove]].map(([name, act]) =>
        made("button", { type: "button", click: act }, key(on.keys[name]), " ", say(`key.${name}`)),
      );
      item.append(made("div", { class: "codes" }, ...buttons, ...more));
    } else {
      item.append(made("span", { class: "who" }, rows.map(([, value]) => value).join(" · ")));
    }
    return item;
  });
}

/** What one of two coders said, to choose from. */
export function side(coding, title, scheme, say, take, keyName) {
  const rows = coding.acts.map((act) => {
    const goals = ["goals", "given"].flatMap((part) => act.said[part].map((text) => `${say(`page.${part}`)}: ${text}`));
    const values = codes(act, scheme, say).map(([name, value]) => `${say(`code.${name}`)}: ${value}`).join("; ");
    return made("li", {}, made("b", {}, say(`act.${act.act}`)), " ", made("q", {}, act.words), ...goals.map((text) => made("em", {}, text)), made("em", {}, values));
  });
  const body = rows.length ? made("ul", {}, ...rows) : made("p", {}, say("page.no_acts"));
  return made("div", {}, made("h2", {}, title), body, made("button", { type: "button", click: take }, key(keyName), " ", say(keyName === "A" ? "key.take_first" : "key.take_second")));
}
