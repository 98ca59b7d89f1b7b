// Measures a call through a bridge beside the start of the program alone, in turns, and prints the medians in ms.
// Usage: node cost.mjs MODULE EVENTS PROGRAM; the bridge is Pi's.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, events, program] = process.argv.slice(2);
const ROUNDS = 41;

const { default: bridge } = await import(pathToFileURL(module));
const known = {};
bridge({ on: (event, handler) => (known[event] = handler) });
const { arguments: recorded } = JSON.parse(readFileSync(events, "utf8")).find((one) => one.name === "tool_call-1");
const context = {
  cwd: process.cwd(),
  hasUI: false,
  sessionManager: { getSessionId: () => "s", getSessionFile: () => undefined },
};
const [{ toolName, toolCallId, input }] = recorded;
const text = JSON.stringify({ tool_name: toolName, tool_input: input, tool_use_id: toolCallId, cwd: process.cwd() });

/** Starts the program and waits for its end, with nothing around it. */
const alone = () =>
  new Promise((resolve) => {
    const child = spawn(program, ["hook", "--host", "pi", "--event", "PreToolUse"], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.stdout.resume();
    child.on("close", resolve);
    child.stdin.end(text);
  });

const times = { bridge: [], alone: [] };
for (let round = 0; round < ROUNDS; round++) {
  let start = performance.now();
  const answer = await known.tool_call(structuredClone(recorded[0]), context);
  times.bridge.push(performance.now() - start);
  if (answer !== undefined) throw new Error(`the call was not let through: ${JSON.stringify(answer)}`);
  start = performance.now();
  await alone();
  times.alone.push(performance.now() - start);
}
const median = (list) => list.sort((one, other) => one - other)[ROUNDS >> 1];
console.log(JSON.stringify({ bridge: median(times.bridge), alone: median(times.alone) }));
