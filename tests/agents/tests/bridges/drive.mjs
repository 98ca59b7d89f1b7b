// Calls the handlers of a bridge with recorded events, once for each answer of the program, and prints what it sent and what it did.
// Usage: node drive.mjs MODULE EVENTS DIRECTORY; the program of the bridge is DIRECTORY/program.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, events, directory] = process.argv.slice(2);
const { default: bridge } = await import(pathToFileURL(module));

/** The program: it keeps what it gets, and says what it is told to. */
const says = (answer, exit) =>
  `#!/bin/sh\ncat > '${directory}/sent'\nprintf '%s' '${answer}'\nexit ${exit}\n`;

const ANSWERS = {
  none: ["{}", 0],
  deny: ['{"decision":"deny","reason":"no","output":"[output withheld]"}', 0],
  ask: ['{"decision":"ask","reason":"sure?"}', 0],
  input: ['{"input":{"command":"edited"}}', 0],
  output: ['{"output":"edited"}', 0],
  prompt: ['{"prompt":"edited"}', 0],
  context: ['{"context":"know"}', 0],
  "no text": ["", 0],
  "no object": ["[]", 0],
  "wrong type": ['{"reason":1}', 0],
  "unknown decision": ['{"decision":"maybe"}', 0],
  "exit code 1": ["{}", 1],
  missing: undefined,
};

/** The context that Pi gives to every handler; the other agents give their own. */
const PI = {
  cwd: "/home/dev/project",
  hasUI: false,
  ui: { confirm: async () => false, notify() {} },
  sessionManager: { getSessionId: () => "s", getSessionFile: () => "/home/dev/session.jsonl" },
};

/** Loads the bridge as its agent does, and returns its handlers. */
async function handlers() {
  const known = {};
  const on = (event, handler) => (known[event] = handler);
  if (typeof bridge !== "function") bridge.register({ on });
  else Object.assign(known, await bridge({ directory: "/home/dev/project", on }));
  return known;
}

for (const { name, arguments: recorded } of JSON.parse(readFileSync(events, "utf8"))) {
  for (const [said, answer] of Object.entries(ANSWERS)) {
    rmSync(`${directory}/program`, { force: true });
    rmSync(`${directory}/sent`, { force: true });
    if (answer !== undefined) {
      writeFileSync(`${directory}/program`, says(...answer));
      chmodSync(`${directory}/program`, 0o755);
    }
    const known = await handlers();
    const theirs = name.replace(/-\d+$/, "");
    const given = structuredClone(recorded);
    if (known[theirs] === undefined) given[0] = { event: given[0] };
    const handler = known[theirs] ?? known.event;
    // An agent keeps its own reference to these.
    const inside = (one) => one?.args ?? one?.input ?? one?.params;
    const kept = given.map(inside);
    if (given.length === 1) given.push(PI);
    const done = {};
    try {
      done.returned = await handler(...given);
    } catch (error) {
      done.thrown = error.message;
    }
    given.forEach((now, place) => {
      const before = known[theirs] === undefined ? { event: recorded[0] } : recorded[place];
      if (now !== PI && JSON.stringify(now) !== JSON.stringify(before)) done[`argument ${place}`] = now;
    });
    if (given.some((one, place) => inside(one) !== kept[place])) done.replaced = true;
    const sent = existsSync(`${directory}/sent`) ? JSON.parse(readFileSync(`${directory}/sent`, "utf8")) : null;
    console.log(JSON.stringify({ name, said, sent, done }));
  }
}
