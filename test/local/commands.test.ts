// Runs the npm commands in separate processes and checks their output and exit codes.
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tasks } from '../../infra/command/tasks.ts';
import { startLocalService } from '../../infra/local/service.ts';
import { createServiceLog } from '../../infra/local/service-log.ts';
import manifest from '../../package.json' with { type: 'json' };
import { faultServer, html, neverResponds, recorded } from '../support/fault-server.ts';
import { isFullForm } from '../support/full-form.ts';
import { localOptions, sendRequest, startSlowService } from '../support/local-service.ts';
import type { Variables } from '../support/program-environment.ts';
import { firstLines, runProgram, startServiceProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestServer } from '../support/test-server.ts';

const SAMPLE = { UPSTREAM: 'sample' };

const ended = (child: ChildProcess): Promise<number | null> => new Promise((done) => void child.once('exit', done));

const run = (command: string, argumentList: readonly string[] = [], variables: Variables = SAMPLE) =>
  runProgram(`infra/local/${command}.ts`, argumentList, { DATA_DIR: 'memory', ...variables });

describe('npm start', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'prints the origin and the upstream, and exits with 0 on %s',
    async (signal) => {
      const { child, lines, origin } = await startServiceProgram();
      expect(lines).toEqual([
        expect.stringMatching(/^postern listening on http:\/\/127\.0\.0\.1:[0-9]+$/),
        expect.stringMatching(/^upstream: sample, [0-9]+ bundled posts/),
      ]);
      expect((await sendRequest(origin, '/jack/status/20')).status).toBe(200);
      child.kill(signal);
      expect(await ended(child)).toBe(0);
    },
  );

  test.each([
    [{}, 'the token above', 3],
    [{ ADMIN_TOKEN: 'a-token-of-ada-for-tests-only-of-commands' }, 'ADMIN_TOKEN', 2],
    [{ ADMIN_TOKEN_HASHES: `ada=${'0'.repeat(64)}` }, 'a token of ADMIN_TOKEN_HASHES', 2],
  ])('[commands 6] `npm start` with %j says where to go, and each place answers', async (variables, token, before) => {
    const { lines, origin } = await startServiceProgram(variables, before + 4);
    expect(lines.slice(before)).toEqual([
      `page: ${origin}/`,
      `MCP: ${origin}/mcp`,
      `dashboard: ${origin}/admin, sign in with ${token}`,
      `documentation: ${origin}/docs`,
    ]);
    const headers = { accept: 'text/html' };
    for (const path of ['/', '/admin', '/docs'])
      expect((await fetch(`${origin}${path}`, { headers })).status).toBe(200);
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    expect((await sendRequest(origin, '/mcp', { method: 'POST', headers: types, body })).status).toBe(200);
  });

  test('[commands 6] `npm start` names the address of its readers if BASE_URL is set', async () => {
    const { lines } = await startServiceProgram({ BASE_URL: 'https://posts.example.org/' }, 7);
    expect(lines[0]).toMatch(/^postern listening on http:\/\/127\.0\.0\.1:/);
    expect(lines.slice(3)).toEqual([
      'page: https://posts.example.org/',
      'MCP: https://posts.example.org/mcp',
      'dashboard: https://posts.example.org/admin, sign in with the token above',
      'documentation: https://posts.example.org/docs',
    ]);
  });

  test('`npm start` prints nothing of the function logs on standard output', async () => {
    const { child, origin } = await startServiceProgram();
    const log = firstLines(child.stderr, 1);
    await sendRequest(origin, '/api/v1/posts');
    expect(JSON.parse((await log)[0] ?? '')).toMatchObject({ event: 'request', status: 400 });
  });

  test('[commands 3] on a terminal, `npm start` logs one short line per request, without the query', async () => {
    const written: string[] = [];
    const log = createServiceLog(true, (text) => void written.push(text));
    const server = await faultServer({ fxtwitter: html(503), canary: html(503) });
    const variables = { PROVIDERS: 'fxtwitter', FXTWITTER_BASE_URL: server.fxtwitter, UPSTREAM: 'live' };
    const sample = await startLocalService({ ...localOptions({}), ...log });
    onTestFinished(sample.close);
    for (const target of ['/jack/status/20', '/jack/status/20', '/search?q=secret&limit=0', '/%1b%5b2J'])
      await sendRequest(sample.origin, target, { headers: { accept: 'application/json' } });
    expect(written.map((line) => line.replace(/ [0-9]+ ms/, ' N ms'))).toEqual([
      'GET /jack/status/20 200 N ms\n',
      'GET /jack/status/20 200 N ms cached\n',
      'GET /search 400 N ms\n',
      'GET /%1b%5b2J 404 N ms\n',
    ]);
    written.length = 0;
    const live = await startLocalService({ ...localOptions(variables), ...log });
    onTestFinished(live.close);
    await sendRequest(live.origin, '/jack/status/20', { headers: { accept: 'application/json' } });
    expect(written.at(-1)).toMatch(/^GET \/jack\/status\/20 50[23] [0-9]+ ms\n$/);
    expect(written.slice(0, -1)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:warn|error) calls: .*fxtwitter conversation/)]),
    );
    expect(written.join('')).not.toMatch(/request_id|[{}]/);
  });

  test('[commands 3] without a terminal, the log has one JSON line per request, of a function or of the shared cache', () => {
    const written: string[] = [];
    const { writeLog, reportRequest } = createServiceLog(false, (text) => void written.push(text));
    const request = { method: 'GET', path: '/jack', status: 200, milliseconds: 1.2 };
    writeLog('{"event":"request"}\n');
    reportRequest?.({ ...request, cached: undefined });
    reportRequest?.({ ...request, cached: { operation: 'readProfilePermalink', form: 'html' } });
    expect(written).toEqual([
      '{"event":"request"}\n',
      '{"level":"info","event":"request","cache":"edge","operation":"readProfilePermalink","form":"html","method":"GET","status":200,"duration_ms":1}\n',
    ]);
  });

  test('[commands 3] a line of the shared cache has the operation and the form of the line of the function', async () => {
    const written: string[] = [];
    const log = createServiceLog(false, (text) => void written.push(...text.trimEnd().split('\n')));
    const service = await startLocalService({ ...localOptions({}), ...log });
    onTestFinished(service.close);
    for (const [accept, target] of [
      ['text/html', '/jack/status/20'],
      ['application/json', '/jack/status/20'],
      ['text/markdown', '/jack/status/20?format=obsidian'],
      ['text/html', '/jack'],
      ['text/html', '/docs'],
      ['text/markdown', '/docs'],
      ['application/json', '/openapi.json'],
    ] as const) {
      written.length = 0;
      for (const condition of [{}, {}, { 'If-None-Match': '*' }])
        await sendRequest(service.origin, target, { headers: { accept, ...condition } });
      const lines = written.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
      const [original, ...cached] = lines.map(({ operation, form }) => ({ operation, form }));
      expect(lines.map(({ cache }) => cache).slice(1), target).toEqual(['edge', 'edge']);
      expect(cached, target).toEqual([original, original]);
    }
  });

  test('`npm start` names the port when it is in use', async () => {
    const { port } = new URL(await startTestServer(() => undefined));
    expect(await run('start', [], { ...SAMPLE, PORT: port })).toEqual({
      output: '',
      errors: `postern: port ${port} of 127.0.0.1 is in use. Set PORT to another port.\n`,
      code: 1,
    });
  });

  test.each([
    [{ PORT: 'http' }, 'postern: PORT must be a whole number from 0 to 65535\n'],
    [{ PORT: '0', UPSTREAM: 'mock' }, 'postern: UPSTREAM must be auto, live or sample\n'],
    [
      { PORT: '0', ...SAMPLE, CACHE_TTL_SECONDS: '-1' },
      'postern: CACHE_TTL_SECONDS must be a whole number of seconds from 0 to 86400\n',
    ],
    [
      { PORT: '0', HOST: '192.0.2.7' },
      'postern: HOST 192.0.2.7 is no address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.\n',
    ],
  ])('`npm start` names the invalid setting %j', async (variables, errors) => {
    expect(await run('start', [], variables)).toEqual({ output: '', errors, code: 1 });
  });

  test('`npm start` removes its temporary bundles', async () => {
    const directory = temporaryFolder();
    const { child } = await startServiceProgram({ TMPDIR: directory });
    child.kill('SIGTERM');
    await ended(child);
    expect(readdirSync(directory)).toEqual([]);
  });
});

const ofScripts = Object.entries(manifest.scripts).flatMap(([name, script]) => {
  const [, file] = /\bnode infra\/launch\.cjs (\S+\.ts)(?:$|;)/.exec(script) ?? [];
  return file === undefined ? [] : [{ name, file }];
});
const ofTasks = Object.entries(tasks).flatMap(([script, programs]) =>
  Object.entries(programs).map(([name, [file]]) => ({ name: `${script} -- ${name}`, file })),
);
const programs = [...ofScripts, ...ofTasks];

describe('--help', () => {
  test('[commands 4] every program of package.json answers it', () => {
    expect(programs.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['start', 'read', 'deploy', 'measure -- bench', 'update -- golden']),
    );
    const answers = /^(?: {2})?answerHelp\((?:USAGE)?\);$/m;
    const source = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(programs.filter(({ file }) => !answers.test(source(file)))).toEqual([]);
  });

  /** A start of all programs takes 20 s of CPU time. */
  const OFTEN_USED = ['start', 'read', 'keys', 'export', 'invoke', 'verify', 'measure -- bench', 'measure -- flakes'];

  test.each(programs.filter(({ name }) => isFullForm || OFTEN_USED.includes(name)))(
    '[commands 4] npm run $name -- --help prints its usage and exits with 0',
    async ({ name, file }) => {
      const { output, errors, code } = await runProgram(file, ['--help'], { DATA_DIR: 'memory' });
      expect({ errors, code }).toEqual({ errors: '', code: 0 });
      expect(output).toMatch(
        ['prepare', 'postpack'].includes(name) ? 'npm runs this' : new RegExp(`npm (?:run (?:-s )?)?${name}\\b`),
      );
      expect(output).not.toMatch(/^\/\/|^import /m);
    },
  );
});

describe.each(Object.keys(tasks))('npm run %s', (script) => {
  const runTask = (...options: readonly string[]) => runProgram('infra/command/tasks.ts', [script, ...options], {});

  test('lists its programs', async () => {
    const { output, code } = await runTask();
    expect([code, output.match(/^ {2}[a-z-]+/gm)?.map((name) => name.trim())]).toEqual([
      0,
      Object.keys(tasks[script] ?? {}),
    ]);
  });
});

describe('UPSTREAM=auto', () => {
  const choice = async (fxtwitter: string, start = startSlowService): Promise<string> => {
    const service = await start(localOptions({ UPSTREAM: '', FXTWITTER_BASE_URL: fxtwitter }));
    await service.close();
    return service.upstream;
  };

  test('is live when the provider answers with JSON of any content', async () => {
    const server = await faultServer({ canary: recorded('fxtwitter/status/missing.json', 404) });
    expect(await choice(server.fxtwitter)).toBe(`upstream: live, ${server.fxtwitter}`);
    expect(server.calls()).toEqual(['/fx/2/status/20']);
    expect(server.userAgents[0]).toMatch(/^Postern\//);
  });

  test('is sample when the probe is not answered with JSON', async () => {
    const server = await faultServer({ canary: html(200) });
    expect(await choice(server.fxtwitter)).toMatch(/^upstream: sample, .*does not answer/);
  });

  test('probes the first provider of PROVIDERS', async () => {
    const server = await faultServer({ syndication: html(404) });
    const service = await startSlowService(
      localOptions({
        UPSTREAM: '',
        PROVIDERS: 'syndication,fxtwitter',
        SYNDICATION_BASE_URL: server.syndication,
        FXTWITTER_BASE_URL: 'http://127.0.0.1:9',
      }),
    );
    await service.close();
    expect(service.upstream).toBe(`upstream: live, ${server.syndication}`);
    expect(server.calls()).toEqual(['/synd/tweet-result?id=20']);
  });

  test('is sample when the probe is not answered in time', async () => {
    const server = await faultServer({ canary: neverResponds });
    expect(await choice(server.fxtwitter, startLocalService)).toMatch(/^upstream: sample/);
  });
});

describe('npm run invoke', () => {
  test.each([
    ['posts', 'read-post', { statusCode: 200, body: expect.stringContaining('just setting up my twttr') }],
    [
      'discovery',
      'not-found',
      { statusCode: 404, headers: expect.objectContaining({ 'Content-Type': 'application/problem+json' }) },
    ],
    ['mcp', 'mcp-tools-list', { statusCode: 200, body: expect.stringContaining('x_get_post') }],
    ['profiles', 'read-profile', { statusCode: 200, body: expect.stringContaining('"handle":"ada_larsson"') }],
    ['search', 'search', { statusCode: 200, body: expect.stringContaining('"query":"tide"') }],
    ['legacy', 'browse', { statusCode: 200, headers: expect.objectContaining({ Deprecation: '@1789430400' }) }],
    ['oembed', 'read-oembed', { statusCode: 200, body: expect.stringContaining('"width":400') }],
  ])('%s answers test/events/%s.json', async (name, file, response) => {
    const { output, errors, code } = await run('invoke', [name, `test/events/${file}.json`]);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject(response);
    expect(JSON.parse(errors.trim().split('\n').at(-1) ?? '')).toMatchObject({ event: 'request' });
  });

  test('a file is found from the folder in which npm was called', async () => {
    const INIT_CWD = fileURLToPath(new URL('../events', import.meta.url));
    const { output } = await run('invoke', ['discovery', 'not-found.json'], { ...SAMPLE, INIT_CWD });
    expect(JSON.parse(output)).toMatchObject({ statusCode: 404 });
  });

  test('the admin function accepts ADMIN_TOKEN', async () => {
    const operator = { ...SAMPLE, ADMIN_TOKEN: 'a-token-of-the-operator-for-tests-only' };
    const invoke = async (event: string, variables: Variables) => {
      const { output, errors, code } = await run('invoke', ['admin', `test/events/${event}.json`], variables);
      expect(code).toBe(0);
      expect(errors).not.toContain('a-token-of');
      return JSON.parse(output);
    };
    expect(await invoke('list-keys', operator)).toMatchObject({ statusCode: 200, body: '{"keys":[]}\n' });
    const { statusCode, headers, body } = await invoke('create-key', operator);
    const { id, ...key } = JSON.parse(body);
    expect([statusCode, headers.Location]).toEqual([201, `/api/admin/keys/${id}`]);
    expect(key).toMatchObject({ label: 'Tide watch', search: '60/60', secret: expect.stringMatching(/^pstn_/) });
    for (const variables of [SAMPLE, { ...SAMPLE, ADMIN_TOKEN: 'a-token-of-another-operator-for-tests' }]) {
      expect(await invoke('list-keys', variables)).toMatchObject({
        statusCode: 401,
        body: expect.stringContaining('"unauthorized"'),
      });
    }
  });

  test.each([
    [[], /^usage: npm run invoke/],
    [['nothing', 'test/events/head.json'], /^there is no function nothing; there are posts, /],
    [['posts', 'test/events/nothing.json'], /^there is no file test\/events\/nothing\.json\n$/],
    [['posts', 'README.md'], /^README\.md: line 1, column 1: expected a value, found a comment: JSON has none\n$/],
    [['posts', 'tsconfig.json'], /^tsconfig\.json is no HTTP API event/],
  ])('%j prints one line and exits with 1', async (argumentList, errors) => {
    expect(await run('invoke', argumentList)).toEqual({ output: '', errors: expect.stringMatching(errors), code: 1 });
  });

  test.each([
    { routeKey: 'ANY /{handle}', headers: null, requestContext: null },
    { routeKey: 'ANY /{handle}', headers: {}, requestContext: { http: { method: 'GET' } } },
    { routeKey: 'ANY /{handle}', rawPath: '/jack', headers: {}, requestContext: {} },
  ])('%j says what the event lacks', async (event) => {
    const file = join(temporaryFolder(), 'event.json');
    writeFileSync(file, JSON.stringify(event));
    expect(await run('invoke', ['profiles', file])).toEqual({
      output: '',
      errors: `${file} is no HTTP API event: it needs routeKey, rawPath, headers and requestContext.http\n`,
      code: 1,
    });
  });

  test.each([
    [['profiles', 'test/events/read-profile.json'], { ALLOWANCE_BROWSE: 'many' }, /ALLOWANCE_BROWSE/],
    [['posts', 'test/events/head.json'], { PROVIDERS: 'unknown' }, /PROVIDERS/],
  ])('a setting that is wrong ends the command: %j', async (args, setting, errors) => {
    expect(await run('invoke', args, { ...SAMPLE, ...setting })).toEqual({
      output: '',
      errors: expect.stringMatching(errors),
      code: 1,
    });
  });
});
