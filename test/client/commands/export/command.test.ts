// Runs `npm run export` in processes of its own: without a service and through one, killed, interrupted and piped.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { breakOff, createKillSwitch } from '../../../support/break-off.ts';
import { idsIn, ndjsonAnswer, postsOf, problemAnswer } from '../../../support/export-service.ts';
import { type Behaviour, reply } from '../../../support/fault-server.ts';
import { type LongListOptions, startLongLists } from '../../../support/long-lists.ts';
import { runProgram, startProgram } from '../../../support/programs.ts';
import { seededRandom } from '../../../support/random.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { startTestServer } from '../../../support/test-server.ts';

const PROGRAM = 'client/commands/export.ts';

const run = (args: readonly string[], variables: Readonly<Record<string, string>> = { UPSTREAM: 'sample' }) =>
  runProgram(PROGRAM, args, { DATA_DIR: 'memory', ...variables });

const start = (args: readonly string[], variables: Readonly<Record<string, string>>) => {
  const child = startProgram(PROGRAM, args, { DATA_DIR: 'memory', ...variables });
  const ended = once(child, 'exit').then(([code]: unknown[]) => code);
  // Node drops what is not read before the process ends.
  return { child, ended, errors: text(child.stderr) };
};

const longLists = async (options: LongListOptions) => {
  const lists = await startLongLists(options);
  onTestFinished(lists.close);
  return { ...lists, variables: { UPSTREAM: 'live', PROVIDERS: 'fxtwitter', FXTWITTER_BASE_URL: lists.baseUrl } };
};

describe('npm run export', () => {
  test('[lists 7] prints the items of all pages without a service, and its progress on standard error', async () => {
    const { variables, followerIds } = await longLists({ count: 250 });
    const { output, errors, code } = await run(['--followers', '@ada'], variables);
    expect({ errors, code }).toEqual({ errors: '250 items, done\n', code: 0 });
    expect(idsIn(output)).toEqual(followerIds);
  });

  test.each([
    [['--followers', '@gone_gary'], /^The sample does not show this profile\n.*sample data.*\nThe sample has/],
    [['--search', ''], /^The search .*\n/],
    [['--xml'], /^usage: npm run -s export -- LIST/],
  ])('[lists 7] %j prints the problem and its resolution, and exits with 1', async (args, errors) => {
    expect(await run(args)).toEqual({ output: '', errors: expect.stringMatching(errors), code: 1 });
  });

  test('[lists 20] a conversation is exported as lines, as a table and as a graph, with the same posts', async () => {
    const LINK = 'https://x.com/ada_larsson/status/2034932961899447678';
    const lines = await run(['--conversation', LINK]);
    const ids = idsIn(lines.output);
    expect(ids).toHaveLength(16);
    const table = await run(['--conversation', LINK, '--format', 'csv']);
    expect([...table.output.matchAll(/^"([0-9]{19})",/gm)].map(([, id]) => id)).toEqual(ids);
    const graph = await run([`${LINK}/conversation`, '--format', 'graphml']);
    expect([...graph.output.matchAll(/<node id="([0-9]+)"/g)].map(([, id]) => id)).toEqual(ids);
    expect(graph.errors).toMatch(/16 items, done\n$/);
  });

  test('[lists 7] an export that SIGKILL ends several times is complete after --resume', async () => {
    const random = seededRandom(115);
    const killSwitch = createKillSwitch(random);
    const { postIds, variables } = await longLists({
      count: 1500,
      timelineEnd: 700,
      searchEnd: 250,
      onRequest: killSwitch.onRequest,
    });
    const folder = temporaryFolder();
    const file = join(folder, 'posts.ndjson');
    const { kills } = await breakOff({
      args: ['@ada', '--since', '2020-01-01'],
      environment: { ...variables, DATA_DIR: folder },
      file,
      times: 3,
      killSwitch,
      random,
      maxRequests: 25,
    });
    expect(kills).toBeGreaterThan(0);
    expect(idsIn(readFileSync(file, 'utf8'))).toEqual(postIds);
  });

  test('[lists 7] ends with 130 on SIGINT, between two pages, and says how to continue', async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    const { variables, postIds } = await longLists({
      count: 3000,
      onRequest: () => {
        requests += 1;
        if (requests === 12) resolve();
      },
    });
    const file = join(temporaryFolder(), 'posts.ndjson');
    const { child, ended, errors } = start(['@ada', '--resume', file], variables);
    await reached;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(await errors).toMatch(/^\d+ items\. Continue with --resume .*posts\.ndjson\n$/);
    const ids = idsIn(readFileSync(file, 'utf8'));
    expect(ids.length % 100).toBe(0);
    expect(ids).toEqual(postIds.slice(0, ids.length));
  });

  test('[lists 7] ends with 0 and silently if the reader of standard output ends', async () => {
    const { variables } = await longLists({ count: 5000, textLength: 2000 });
    const { child, ended, errors } = start(['@ada'], variables);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await errors).toBe('');
    expect(await ended).toBe(0);
  });
});

describe('npm run export with BASE_URL', () => {
  const ndjson = (answer: { readonly body: string }): Behaviour =>
    reply(200, answer.body, { 'content-type': 'application/x-ndjson' });
  const busy = (status: 429 | 503): Behaviour =>
    reply(status, problemAnswer(status, 'busy').body, { 'content-type': 'application/problem+json', 'retry-after': 1 });
  const cut: Behaviour = ({ socket }, response) => {
    response.writeHead(200, { 'content-length': 5000 }).write('{"id":', () => socket.resetAndDestroy());
  };

  test('[lists 7] waits after 429 and 503, repeats an answer that was cut off, and sends the API key', async () => {
    const posts = postsOf(4);
    const behaviours = [
      busy(429),
      ndjson(ndjsonAnswer(posts.slice(0, 2), 'AAAA')),
      busy(503),
      cut,
      ndjson(ndjsonAnswer(posts.slice(2), null)),
    ];
    const requests: { readonly url: string | undefined; readonly key: string | undefined }[] = [];
    const origin = await startTestServer((incoming, response) => {
      requests.push({ url: incoming.url, key: incoming.headers.authorization });
      behaviours.shift()?.(incoming, response);
    });
    const key = `pstn_${randomUUID()}`;
    const { output, errors, code } = await run(['--search', 'tide'], { BASE_URL: `${origin}/`, API_KEY: key });
    expect(code).toBe(0);
    expect(idsIn(output)).toEqual(posts.map(({ id }) => id));
    expect(errors).toMatch(
      /^0 items; The title of busy: waiting 1 s\n2 items; The title of busy: waiting 1 s\n2 items; .*: waiting 4 s\n4 items, done\n$/,
    );
    expect(errors).not.toContain(key);
    expect(new Set(requests.map(({ key: sent }) => sent))).toEqual(new Set([`Bearer ${key}`]));
    expect(requests.map(({ url }) => url)).toEqual([
      ...Array.from({ length: 2 }, () => '/api/v1/search?q=tide&limit=100&format=ndjson'),
      ...Array.from({ length: 3 }, () => '/api/v1/search?q=tide&cursor=AAAA&limit=100&format=ndjson'),
    ]);
  });

  test('[lists 7] follows no redirect, which could lead the API key elsewhere', async () => {
    const targets: (string | undefined)[] = [];
    const other = await startTestServer((incoming, response) => {
      targets.push(incoming.url);
      response.end();
    });
    const origin = await startTestServer((_, response) => void response.writeHead(302, { location: other }).end());
    expect((await run(['@ada'], { BASE_URL: origin, API_KEY: 'pstn_x' })).code).toBe(1);
    expect(targets).toEqual([]);
  });
});
