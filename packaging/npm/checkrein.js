#!/usr/bin/env node
"use strict";
// Starts the program that came with the package of this platform. `checkrein init` registers that program itself, so
// that no agent waits for Node.
const { spawnSync } = require("node:child_process");
const os = require("node:os");

// A hook's denial: an agent must not take a program that cannot start for consent.
const DENIED = 2;

const name = `checkrein-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/checkrein`);
} catch {
  process.stderr.write(
    `checkrein: the package \`${name}\` is missing. Checkrein runs on Linux and macOS, x64 and arm64; ` +
      "on these, install it again without `--omit=optional`.\n",
  );
  process.exit(DENIED);
}

const done = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (done.error) {
  process.stderr.write(`checkrein: cannot start ${program}: ${done.error.message}\n`);
  process.exit(DENIED);
}
// As a shell reports a program that a signal ended.
process.exit(done.status ?? 128 + (os.constants.signals[done.signal] ?? 0));
