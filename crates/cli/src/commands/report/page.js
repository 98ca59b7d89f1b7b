"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const SVG = "http://www.w3.org/2000/svg";
const KINDS = [["deny", "denied"], ["ask", "asked"], ["edit", "edited"], ["allow", "allowed"], ["abstain", "no objection"]];

function element(name, parent, text, style) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = String(text);
  if (style) made.className = style;
  if (parent) parent.appendChild(made);
  return made;
}

function shape(name, parent, values, text) {
  const made = document.createElementNS(SVG, name);
  for (const key of Object.keys(values)) made.setAttribute(key, String(values[key]));
  if (text !== undefined) made.textContent = String(text);
  parent.appendChild(made);
  return made;
}

function kind(record) {
  if (record.decision === "deny" || record.decision === "ask") return record.decision;
  return record.edited ? "edit" : record.decision;
}

const NAMES = { deny: "denied", ask: "asked", edit: "edited", allow: "allowed", abstain: "no_objection" };

function bars(parent, title, table, most) {
  const rows = Object.entries(table || {}).sort((a, b) => b[1].events - a[1].events).slice(0, most);
  if (!rows.length) return;
  const box = element("section", parent);
  element("h2", box, title);
  const height = rows.length * 24;
  const svg = shape("svg", box, { viewBox: "0 0 400 " + height, role: "img", "aria-label": title });
  const largest = Math.max(...rows.map((row) => row[1].events), 1);
  rows.forEach(([name, counts], place) => {
    const y = place * 24;
    shape("text", svg, { x: 0, y: y + 15 }, name.length > 26 ? name.slice(0, 25) + "…" : name);
    let x = 170;
    for (const [key] of KINDS) {
      const width = (counts[NAMES[key]] || 0) / largest * 190;
      if (width > 0) shape("rect", svg, { x: x, y: y + 4, width: width, height: 14, class: key });
      x += width;
    }
    shape("text", svg, { x: x + 6, y: y + 15 }, counts.events);
  });
}

function timeline(parent) {
  const days = Object.entries(data.stats.by_day || {}).slice(-60);
  if (!days.length) return;
  element("h2", parent, "Events by day (UTC)");
  const svg = shape("svg", parent, { viewBox: "0 0 1140 170", role: "img", "aria-label": "events by day" });
  const largest = Math.max(...days.map((day) => day[1].events), 1);
  const width = Math.min(1130 / days.length, 60);
  days.forEach(([day, counts], place) => {
    let y = 140;
    const group = shape("g", svg, {});
    shape("title", group, {}, day + ": " + counts.events + " events, " + counts.denied + " denied, " + counts.asked + " asked");
    for (const [key] of [...KINDS].reverse()) {
      const height = (counts[NAMES[key]] || 0) / largest * 125;
      y -= height;
      if (height > 0) shape("rect", group, { x: place * width + 1, y: y, width: Math.max(width - 3, 2), height: height, class: key });
    }
    if (place === 0 || place === days.length - 1 || (width >= 40 && place % 2 === 0)) {
      shape("text", svg, { x: place * width, y: 158 }, day.slice(5));
    }
  });
}

function cards(parent) {
  const box = element("div", parent, null, "cards");
  const card = (value, name, style) => {
    const made = element("div", box, null, "card");
    element("b", made, value, style);
    element("span", made, name);
  };
  const all = data.stats.all || {};
  card(all.events || 0, "events");
  for (const [key, name] of KINDS) card(all[NAMES[key]] || 0, name, key);
  card(data.stats.prompts_saved || 0, "prompts saved");
  const micros = data.stats.micros || {};
  for (const [key, name] of [["p50", "time, half of all"], ["p99", "time, 99 %"]]) {
    if (micros[key] !== null && micros[key] !== undefined) card(duration(micros[key]), name);
  }
}

function duration(micros) {
  if (micros < 1000) return micros + " µs";
  return micros < 1000000 ? micros / 1000 + " ms" : micros / 1000000 + " s";
}

function list(parent) {
  element("h2", parent, "Events, newest first");
  const filters = element("div", parent, null, "filters");
  const search = element("input", filters);
  search.type = "search";
  search.placeholder = "Search commands, rules, reasons, ids";
  search.setAttribute("aria-label", search.placeholder);
  const choose = (name, values) => {
    const made = element("select", filters);
    made.setAttribute("aria-label", name);
    element("option", made, name).value = "";
    for (const [value, text] of values) element("option", made, text).value = value;
    return made;
  };
  const decision = choose("all decisions", KINDS);
  const hosts = [...new Set(data.records.map((record) => record.host || "unknown"))].sort();
  const host = choose("all agents", hosts.map((name) => [name, name]));
  const rules = [...new Set(data.records.flatMap((record) => record.rules || []))].sort();
  const rule = choose("all rules", rules.map((name) => [name, name]));
  const count = element("p", parent);
  const table = element("table", element("div", parent, null, "scroll"));
  const head = element("tr", element("thead", table));
  for (const name of ["time (UTC)", "id", "agent", "decision", "tool", "call", "rules"]) element("th", head, name);
  const body = element("tbody", table);
  const show = () => {
    const words = search.value.toLowerCase();
    const wanted = data.records.filter((record) =>
      (!decision.value || kind(record) === decision.value) &&
      (!host.value || (record.host || "unknown") === host.value) &&
      (!rule.value || (record.rules || []).includes(rule.value)) &&
      (!words || [record.id, record.summary, record.reason, record.tool, record.session, ...(record.rules || [])].join("\n").toLowerCase().includes(words)));
    body.replaceChildren();
    for (const record of wanted.slice(-500).reverse()) {
      const row = element("tr", body);
      element("td", row, String(record.time).slice(0, 19).replace("T", " "), "time");
      element("code", element("td", row, null, "id"), record.id);
      element("td", row, record.host || "unknown");
      const found = KINDS.find((entry) => entry[0] === kind(record));
      const cell = element("td", row, found ? found[1] : record.decision, kind(record));
      if (record.honored === "no" || record.alarm) element("div", cell, "the host did not obey", "alarm");
      element("td", row, record.tool || record.event, "name");
      const call = element("td", row, null, "call");
      element("code", call, record.summary || "");
      if (record.reason) call.title = record.reason;
      element("td", row, (record.rules || []).join(", "));
    }
    count.textContent = wanted.length + " of " + data.records.length + " events" + (wanted.length > 500 ? ", the newest 500 are shown" : "");
  };
  for (const control of [search, decision, host, rule]) control.addEventListener("input", show);
  show();
}

element("h1", page, "Checkrein report");
element("p", page, "What agents asked for and what was answered. Version " + data.version + ".");
if (data.stats.disobeyed) element("p", page, "Denied calls that ran all the same: " + data.stats.disobeyed, "alarm");
cards(page);
timeline(page);
const columns = element("div", page, null, "columns");
bars(columns, "By rule", data.stats.by_rule, 12);
bars(columns, "By agent", data.stats.by_agent, 12);
bars(columns, "By tool", data.stats.by_tool, 12);
list(page);
