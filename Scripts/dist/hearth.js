#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts the program of the package for this machine, with the caller's arguments, input and output.
const { spawnSync } = require("node:child_process");

const name = `hearth-firestore-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/hearth`);
} catch {
  console.error(
    `hearth: the package ${name} is not installed. There are programs for Linux with glibc; was npm told to leave out ` +
      "optional dependencies?");
  process.exit(2);
}
const run = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`hearth: ${run.error.message}`);
  process.exit(2);
}
if (run.signal) process.kill(process.pid, run.signal);
process.exit(run.status ?? 2);
