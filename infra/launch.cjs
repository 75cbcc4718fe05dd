// Runs a program with the Node that the project brings: `node infra/launch.cjs PROGRAM ...`. PROGRAM is a file of
// TypeScript, or a command such as `vitest`, which then finds this Node as `node` in PATH.
//
// The Node of the machine starts this file, and can be old: it is plain JavaScript, which Node 12 can parse. npm up to 10
// removes the link node_modules/.bin/node, because two optional packages own it (npm/cli issue 4362). So Node is found by
// its package.
'use strict';
const { spawn } = require('child_process');
const { existsSync } = require('fs');
const { constants } = require('os');
const { delimiter, join, resolve } = require('path');
const { engines, optionalDependencies } = require('../package.json');

const ROOT = join(__dirname, '..');
const NEEDED = Number(/[0-9]+/.exec(engines.node)[0]);
const COMPILE_CACHE = 'NODE_COMPILE_CACHE';

const name = `node-${process.platform}-${process.arch}`;
/** The package needs glibc: npm installs it beside another C library, too, where it cannot run. */
const loader = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }[process.arch];
const brought = join(ROOT, 'node_modules', name, 'bin/node');
const hasBrought = existsSync(brought) && existsSync(loader);
const isBrought = process.versions.node === optionalDependencies[name];
const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED;
const [program, ...args] = process.argv.slice(2);
const isFile = program !== undefined && /\.ts$/.test(program);

const fail = (message) => {
  console.error(message);
  process.exit(1);
};

const refuse = () =>
  fail(
    `Postern needs Node ${NEEDED} or newer; this is Node ${process.versions.node}, and npm has installed no other for ${process.platform}-${process.arch}. Install Node ${NEEDED}, or run the container.`,
  );

const pathWith = (node) => [join(node, '..'), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);

/** Starts a program in this process, as if the command line had named it. */
const runHere = () => {
  const { enableCompileCache, runMain } = require('module');
  process.env.PATH = pathWith(process.execPath);
  enableCompileCache(process.env[COMPILE_CACHE]);
  process.argv.splice(1, 2, resolve(program));
  runMain();
};

/** Waits for a child with the signals that this process gets. */
const runWith = (node) => {
  const env = Object.assign({}, process.env, { PATH: pathWith(node) });
  const [file, argv] = isFile ? [node, [program, ...args]] : [program, args];
  const forward = (signal) => {
    // A terminal sends SIGINT to the child as well.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  // Before the child starts, or a signal at its start would end this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  const child = spawn(file, argv, { stdio: 'inherit', env });
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + constants.signals[signal] : code));
};

if (program === undefined) fail('usage: node infra/launch.cjs PROGRAM ...');
process.env[COMPILE_CACHE] = process.env[COMPILE_CACHE] || join(ROOT, '.cache/node');
if (hasBrought && !(isFile && isBrought)) runWith(brought);
else if (!isNewEnough) refuse();
else if (isFile) runHere();
else runWith(process.execPath);
