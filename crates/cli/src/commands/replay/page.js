"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const WORDS = { deny: "denied", ask: "asked", allow: "allowed", abstain: "left alone" };

function element(name, parent, text, style) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = String(text);
  if (style) made.className = style;
  if (parent) parent.appendChild(made);
  return made;
}

function table(parent, heads, rows) {
  const box = element("div", parent, undefined, "scroll");
  const made = element("table", box);
  const head = element("tr", element("thead", made));
  for (const [text, style] of heads) element("th", head, text, style);
  const body = element("tbody", made);
  for (const row of rows) {
    const line = element("tr", body);
    row.forEach(([text, style], place) => {
      const cell = element("td", line, style === "code" ? undefined : text, style === "code" ? heads[place][1] : style);
      if (style === "code") element("code", cell, text);
    });
  }
  return body;
}

const summary = data.summary;
element("h1", page, "Checkrein replay");
element("p", page, "What would have happened to " + summary.calls + " calls in " + summary.sessions + " sessions, from " +
  (summary.first || "").slice(0, 10) + " to " + (summary.last || "").slice(0, 10) + ".");
const cards = element("div", page, undefined, "cards");
const alone = summary.calls - summary.denied - summary.asked - summary.allowed;
for (const [number, text, style] of [
  [summary.denied, "denied", "deny"], [summary.asked, "asked about", "ask"], [alone, "left alone", "abstain"],
  [summary.allowed, "prompts saved by your allow rules", "allow"], [summary.savable, "prompts that suggestions could save", "abstain"],
  [summary.without_files, "judged without the files of that day", "abstain"],
]) {
  const card = element("div", cards, undefined, "card");
  element("b", card, number, style);
  element("span", card, text);
}

element("h2", page, "By agent");
table(page, [["agent"], ["calls", "number"], ["sessions", "number"], ["denied", "number"], ["asked", "number"], ["allowed", "number"]],
  Object.entries(summary.agents).map(([name, counts]) => [
    [name], [counts.calls, "number"], [counts.sessions, "number"], [counts.denied, "number"], [counts.asked, "number"],
    [counts.allowed, "number"],
  ]));

if (summary.changes.length) {
  element("h2", page, "What the new policy decides differently");
  table(page, [["before"], ["after"], ["rule"], ["calls", "number"], ["example"]], summary.changes.map((change) => [
    [WORDS[change.before], change.before], [WORDS[change.after], change.after], [change.rule], [change.calls, "number"],
    [change.example, "code"],
  ]));
}

element("h2", page, "What would have been denied or asked about");
const filters = element("div", page, undefined, "filters");
const search = element("input", filters);
search.type = "search";
search.placeholder = "filter by rule or command";
const rows = summary.groups.slice().sort((a, b) => b.calls - a.calls);
const body = table(page, [["decision"], ["rule"], ["calls", "number"], ["sessions", "number"], ["last"], ["example"]], rows.map((group) => [
  [WORDS[group.decision], group.decision], [group.rule], [group.calls, "number"], [group.sessions, "number"],
  [(group.last || "").slice(0, 10), "time"], [group.example, "code"],
]));
search.addEventListener("input", () => {
  const wanted = search.value.toLowerCase();
  Array.from(body.children).forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
});
