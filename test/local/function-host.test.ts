// Tests the host of the functions: what a bundle sees, the compiled code that is kept beside it, and the limits of Lambda.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { withChecksum } from '../../infra/build/checked-code.ts';
import { bundleFile } from '../../infra/build/dist-layout.ts';
import type { OriginRequest } from '../../infra/local/api-gateway.ts';
import { createApiGateway, createFunctionUrl } from '../../infra/local/api-gateway.ts';
import { hostFunctions, loadBundle } from '../../infra/local/function-host.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => vi.useRealTimers());

/** Every function has this body. @param body the source of a handler @param second a file beside it */
const bundles = (body: string, second = ''): string => {
  const dist = temporaryFolder();
  for (const name of Object.keys(lambdas)) {
    const file = bundleFile(dist, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `exports.handler = async (event, context) => { ${body} };`);
    writeFileSync(join(dirname(file), 'second.cjs'), second);
  }
  return dist;
};

const hosted = (body: string) => {
  const failures: string[] = [];
  const report = (message: string): void => void failures.push(message);
  const functions = hostFunctions(bundles(body), {}, () => undefined);
  return { failures, api: createApiGateway(functions, report), url: createFunctionUrl(functions, report) };
};

const request: OriginRequest = {
  method: 'GET',
  path: '/jack/status/20',
  query: '',
  headers: {},
  body: Buffer.alloc(0),
  sourceIp: '192.0.2.1',
};

/** The size of the JSON response around its body. */
const FRAME = JSON.stringify({ statusCode: 200, headers: {}, body: '' }).length;
const MAX_BYTES = 6_291_556;

const sized = (characters: string): string => `return { statusCode: 200, headers: {}, body: ${characters} };`;

test('a function loads the file beside its bundle when it needs it, after the folder was removed', async () => {
  const body = "return { statusCode: require('./second.cjs').status(), headers: {} };";
  const dist = bundles(body, 'exports.status = () => Number(process.env.STATUS);');
  const api = createApiGateway(
    hostFunctions(dist, { STATUS: '218' }, () => undefined),
    () => undefined,
  );
  rmSync(dist, { recursive: true });
  expect(await api(request)).toMatchObject({ status: 218 });
});

describe('[platform 4] the response of a function', () => {
  test('may have as many bytes as Lambda sends', async () => {
    const { api, url, failures } = hosted(sized(`'a'.repeat(${MAX_BYTES - FRAME})`));
    expect((await api(request)).status).toBe(200);
    expect((await url(request)).status).toBe(200);
    expect(failures).toEqual([]);
  });

  test('is replaced by the error of AWS when it has one byte more', async () => {
    const { api, url, failures } = hosted(sized(`'a'.repeat(${MAX_BYTES - FRAME + 1})`));
    expect(await api(request)).toMatchObject({ status: 500, body: Buffer.from('{"message":"Internal Server Error"}') });
    expect(await url(request)).toMatchObject({ status: 502, body: Buffer.from('{"Message":"Internal Server Error"}') });
    expect(failures).toEqual([
      expect.stringContaining('posts: Error: Function.ResponseSizeTooLarge'),
      expect.stringContaining('mcp: Error: Function.ResponseSizeTooLarge'),
    ]);
  });

  test('is measured as JSON: escaped quotation marks and characters outside ASCII count with all their bytes', async () => {
    expect((await hosted(sized(`'"'.repeat(${MAX_BYTES / 2})`)).api(request)).status).toBe(500);
    expect((await hosted(sized(`'ж'.repeat(${MAX_BYTES / 2})`)).api(request)).status).toBe(500);
    expect((await hosted(sized(`'ж'.repeat(${MAX_BYTES / 2 - FRAME})`)).api(request)).status).toBe(200);
  });
});

describe('[platform 4] the time of a function', () => {
  test('ends after 12 s with the error of AWS', async () => {
    vi.useFakeTimers();
    const { api, failures } = hosted('return new Promise(() => undefined);');
    let status: number | undefined;
    void api(request).then((reply) => {
      status = reply.status;
    });
    await vi.advanceTimersByTimeAsync(11_999);
    expect(status).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(status).toBe(500);
    expect(failures).toEqual([expect.stringContaining('timed out after 12 s')]);
  });

  test('is passed to the function as its remaining time', async () => {
    const { api } = hosted(
      'return { statusCode: 200, headers: {}, body: String(context.getRemainingTimeInMillis()) };',
    );
    const left = Number((await api(request)).body.toString());
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(12_000);
  });
});

const SOURCE = `
  exports.answer = () => process.env.ANSWER;
  exports.fails = () => { throw new Error('here'); };
  exports.place = [__dirname, __filename];
  exports.path = require('node:path').basename(__filename);`;

const bundleOf = (source = SOURCE): string => {
  const file = join(temporaryFolder(), 'index.cjs');
  writeFileSync(file, source);
  return file;
};

const load = (file: string, answer = '42') => loadBundle(file, { env: { ANSWER: answer } });

const call = (exported: object, name: string): unknown => Reflect.apply(Reflect.get(exported, name), undefined, []);

test('a bundle sees its own process, its path, and the modules of Node', () => {
  const file = bundleOf();
  const exported = load(file);
  expect(call(exported, 'answer')).toBe('42');
  expect(exported).toMatchObject({ place: [join(file, '..'), file], path: 'index.cjs' });
});

test('two loads of a bundle share nothing', () => {
  const file = bundleOf();
  const [one, other] = [load(file, 'one'), load(file, 'other')];
  expect([call(one, 'answer'), call(other, 'answer')]).toEqual(['one', 'other']);
});

test('compiled code that V8 does not accept is ignored and replaced', () => {
  const file = bundleOf();
  writeFileSync(`${file}.compiled`, withChecksum(Buffer.from('of another version'), SOURCE));
  expect(call(load(file), 'answer')).toBe('42');
  expect(readFileSync(`${file}.compiled`, 'latin1')).not.toContain('of another version');
  expect(readdirSync(dirname(file)).toSorted()).toEqual(['index.cjs', 'index.cjs.compiled']);
});

test('an error names the line of the bundle, also from kept code', () => {
  const file = bundleOf();
  for (let loads = 0; loads < 2; loads += 1) {
    const exported = load(file);
    const thrown = (): void => void call(exported, 'fails');
    expect(thrown).toThrow(expect.objectContaining({ stack: expect.stringContaining('index.cjs:3:') }));
  }
});
