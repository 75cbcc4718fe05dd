// Tests the loader of a deployed bundle and the host of the local service with compiled code, and without code that they can use.
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Stack } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkedCode, withChecksum } from '../../infra/build/checked-code.ts';
import { compiledVersions, compileEmulated, compileHere, LAMBDA_FLAG } from '../../infra/build/compiled-code.ts';
import { bundleFile, functionFolder, LOADER_FILE, ROOT } from '../../infra/build/dist-layout.ts';
import { withBundles } from '../../infra/build/kept-build.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { functionBasics } from '../../infra/constructs/function-basics.ts';
import { damages } from '../support/damaged-files.ts';
import { event } from '../support/event.ts';
import { cases } from '../support/full-form.ts';
import { seededRandom } from '../support/random.ts';
import { unvalidatedApp } from './synthesized.ts';

const dist = mkdtempSync(join(tmpdir(), 'postern-compiled-'));

beforeAll(async () => {
  await withBundles(async (directory) => cpSync(directory, dist, { recursive: true }));
  expect(compileHere(dist)).toBe(true);
});

afterAll(() => rmSync(dist, { recursive: true }));

const compiledFile = (bundle: string): string => `${bundle}.${process.version}-${process.arch}`;

/** A copy of the build without compiled code. */
const copyOfBuild = (): string => {
  const own = mkdtempSync(join(tmpdir(), 'postern-compiled-'));
  onTestFinished(() => rmSync(own, { recursive: true }));
  cpSync(dist, own, { recursive: true, filter: (file) => !file.includes('.cjs.v') });
  return own;
};

/** A copy of the function, which a test may change. */
const copy = (): { readonly loader: string; readonly bundle: string; readonly compiled: string } => {
  const own = mkdtempSync(join(tmpdir(), 'postern-compiled-'));
  onTestFinished(() => rmSync(own, { recursive: true }));
  cpSync(functionFolder(dist, 'discovery'), functionFolder(own, 'discovery'), { recursive: true });
  const bundle = bundleFile(own, 'discovery');
  return { loader: join(functionFolder(own, 'discovery'), LOADER_FILE), bundle, compiled: compiledFile(bundle) };
};

/** Prints the status of an answer and what V8 says about the compiled code: false, true, or nothing without code. */
const RUNNER = `
const vm = require('node:vm');
const { Script } = vm;
let rejected;
const logged = [];
process.stdout.write = (line) => logged.push(JSON.parse(line));
vm.Script = class extends Script {
  constructor(...options) { super(...options); rejected = this.cachedDataRejected; }
};
const [, file, request] = process.argv;
require(file).handler(JSON.parse(request), { awsRequestId: 'test', getRemainingTimeInMillis: () => 12000 })
  .then(({ statusCode }) => console.error(JSON.stringify({
    status: statusCode, rejected, code: logged.flatMap(({ event, compiled_code }) => event === 'start' ? compiled_code : []).join(),
  })));`;

const REQUEST = JSON.stringify(event('/openapi.json', { headers: { 'x-viewer-ip': '192.0.2.1' } }));

const start = async (loader: string, flags: readonly string[] = [LAMBDA_FLAG]): Promise<unknown> => {
  const { stderr } = await promisify(execFile)(process.execPath, [...flags, '-e', RUNNER, loader, REQUEST], {
    env: { ORIGIN_SECRETS: 'local' },
  });
  return JSON.parse(stderr);
};

test('[platform 10] V8 accepts the compiled code with the flags of Lambda, and the function answers and logs it', async () => {
  expect(await start(copy().loader)).toEqual({ status: 200, rejected: false, code: 'taken' });
  const memory = ['--max-semi-space-size=25', '--max-old-space-size=460'];
  expect(await start(copy().loader, [LAMBDA_FLAG, ...memory])).toEqual({ status: 200, rejected: false, code: 'taken' });
});

test('every function has compiled code, and the canary has none', () => {
  const hasCode = (name: string): boolean => readFileSync(compiledFile(bundleFile(dist, name))).length > 100_000;
  for (const name of [
    'posts',
    'engagements',
    'oembed',
    'profiles',
    'search',
    'legacy',
    'discovery',
    'mcp',
    'admin',
    'media',
  ])
    expect(hasCode(name), name).toBe(true);
  expect(() => hasCode('canary')).toThrow('ENOENT');
});

test('[platform 10] an emulated Node compiles with the servers of the process that starts it', async () => {
  const own = copyOfBuild();
  expect(compiledVersions(own)).toEqual([]);
  expect(compileEmulated(own, [process.execPath])).toBe(true);
  expect(compiledVersions(own)).toEqual([process.version]);
  expect(await start(join(functionFolder(own, 'discovery'), LOADER_FILE))).toMatchObject({ code: 'taken' });
});

test('a function without compiled code for its Node answers', async () => {
  const { loader, compiled } = copy();
  rmSync(compiled);
  expect(await start(loader)).toEqual({ status: 200, code: 'none' });
});

test('a function answers when V8 refuses the compiled code of other flags or another version', async () => {
  const { loader, bundle, compiled } = copy();
  expect(await start(loader, [])).toEqual({ status: 200, rejected: true, code: 'refused' });
  const code = readFileSync(compiled).subarray(0, -4);
  code.writeUInt32LE(code.readUInt32LE(4) + 1, 4); // the version of V8
  writeFileSync(compiled, withChecksum(code, readFileSync(bundle)));
  expect(await start(loader)).toEqual({ status: 200, rejected: true, code: 'refused' });
});

const SEED = 20261128;
const damaged = Object.entries(damages).flatMap(([name, damage]) =>
  Array.from({ length: cases(1, 4) }, (_, round) => ({ name, round, damage, random: seededRandom(SEED + round) })),
);

/** Answers as the local service does. A process of its own, because V8 ends the process that runs damaged code. */
const LOCAL_RUNNER = `
const [, host, file, request] = process.argv;
import(host).then(({ loadBundle }) => {
  const { handler } = loadBundle(file, Object.create(process, { env: { value: { ORIGIN_SECRETS: 'local' } } }));
  return handler(JSON.parse(request), { awsRequestId: 'test', getRemainingTimeInMillis: () => 12000 });
}).then(({ statusCode }) => console.log(JSON.stringify({ status: statusCode })));`;

const answerOnce = async (bundle: string): Promise<unknown> => {
  const host = pathToFileURL(join(ROOT, 'infra/local/function-host.ts')).href;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', LOCAL_RUNNER, host, bundle, REQUEST]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
};

describe('[platform 7] damaged compiled code', () => {
  test.each(damaged)('is refused by a deployed function, which answers: $name, $round', async ({ damage, random }) => {
    const { loader, compiled } = copy();
    writeFileSync(compiled, damage(readFileSync(compiled), random));
    expect(await start(loader)).toEqual({ status: 200, code: 'none' });
  });

  test('is refused and replaced by the local service, which answers', async () => {
    const { bundle } = copy();
    const kept = `${bundle}.compiled`;
    const source = readFileSync(bundle);
    await answerOnce(bundle);
    const whole = readFileSync(kept);
    expect(checkedCode(whole, source)?.length).toBeGreaterThan(100_000);
    for (const { name, damage, random } of damaged) {
      const broken = damage(whole, random);
      writeFileSync(kept, broken);
      expect(await answerOnce(bundle), name).toEqual({ status: 200 });
      expect(checkedCode(broken, source), name).toBeUndefined();
      expect(checkedCode(readFileSync(kept), source), name).toBeDefined();
    }
  });
});

test('a function answers from its source when the source changed, also to one of the same length', async () => {
  const { loader, bundle } = copy();
  const source = readFileSync(bundle, 'utf8');
  writeFileSync(bundle, source.replace('"use strict"', '"use stricT"'));
  expect(await start(loader)).toEqual({ status: 200, code: 'none' });
  writeFileSync(bundle, source);
  appendFileSync(bundle, ';');
  expect(await start(loader)).toEqual({ status: 200, code: 'none' });
});

/** @returns the place of the error of a setting that is not valid */
const placeOfError = (file: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [LAMBDA_FLAG, '-e', 'require(process.argv[1])', file], {
    env: { ORIGIN_SECRETS: 'local', CACHE_TTL_SECONDS: 'never' },
  }).catch(({ stderr }) => /bundle\.cjs:\d+:\d+/.exec(stderr)?.[0]);

test('an error names the same place of the bundle with the loader, with and without compiled code', async () => {
  const { loader, bundle, compiled } = copy();
  const place = await placeOfError(bundle);
  expect(place).toMatch(/^bundle\.cjs:/);
  expect(await placeOfError(loader)).toBe(place);
  rmSync(compiled);
  expect(await placeOfError(loader)).toBe(place);
});

test('the asset of a function has another name after another source or Node, not after another compilation', () => {
  const { bundle, compiled } = copy();
  const own = join(bundle, '..', '..', '..');
  const assetOf = (): string => {
    const stack = new Stack(unvalidatedApp(), 'Assets');
    const { code } = functionBasics(stack, 'discovery', { config: readConfig({}), dist: own });
    return code.bind(stack).s3Location?.objectKey ?? '';
  };
  const first = assetOf();
  writeFileSync(compiled, 'another compilation');
  expect(assetOf()).toBe(first);
  writeFileSync(`${bundle}.v24.99.0-arm64`, '');
  const other = assetOf();
  expect(other).not.toBe(first);
  appendFileSync(bundle, ';');
  expect([first, other]).not.toContain(assetOf());
});
