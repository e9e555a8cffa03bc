#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts the program of the package for this machine, with the caller's arguments, input and output.
const { spawn } = require("node:child_process");

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
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
const passOn = (signal) => {
  // A terminal's keys reach the program by themselves.
  if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
};
const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
for (const signal of signals) process.on(signal, passOn);
child.on("error", (error) => {
  console.error(`hearth: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  for (const name of signals) process.off(name, passOn);
  if (signal) process.kill(process.pid, signal);
  process.exitCode = code ?? 2;
});
