#!/usr/bin/env node
// Starts the installed program. Plain old JavaScript, because an older Node cannot parse the program itself.
const [, major, minor] = /(\d+)\.(\d+)/.exec(require("../package.json").engines.node);
const found = process.versions.node.split(".").map(Number);
if (found[0] < Number(major) || (found[0] === Number(major) && found[1] < Number(minor))) {
  console.error(`Node ${major}.${minor} or newer is required (found v${process.versions.node}).`);
  process.exitCode = 1;
} else void import("./alerts.js");
