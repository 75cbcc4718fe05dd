#!/usr/bin/env node
// Starts the command `postern` of the package. Any Node since 12 can read this file, so that one that is too old says so.
/** Beside this file in the package. */
const PROGRAM = '../infra/local/postern.mjs';

const { engines } = require('../package.json');

const partsOf = (version) => version.replace(/^[^0-9]*/, '').split('.').map(Number);
const [major, minor] = partsOf(process.versions.node);
const [leastMajor, leastMinor] = partsOf(engines.node);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(`postern needs Node ${leastMajor}.${leastMinor} or newer, and this is Node ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  import(PROGRAM);
}
