// Runs `npm run keys` in a separate process against the service and checks its output and exit code.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { isWellFormedApiKey } from '../../../shared/auth/api-key.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import type { Variables } from '../../support/program-environment.ts';
import { runProgram, startProgram, startServiceProgram } from '../../support/programs.ts';
import { startTestServer } from '../../support/test-server.ts';

const TOKEN = 'a-token-of-the-operator-for-tests-only';

const run = (argumentList: readonly string[], variables: Variables) =>
  runProgram('client/commands/keys.ts', argumentList, variables);

const log: string[] = [];
const service = shareService({
  ...localOptions({ ADMIN_TOKEN: TOKEN }),
  writeLog: (line) => void log.push(line),
});

const operator = (): Variables => ({ BASE_URL: service.origin, ADMIN_TOKEN: TOKEN });

/** Runs a command that must succeed. @returns the lines that it prints */
const keys = async (...argumentList: readonly string[]): Promise<readonly string[]> => {
  const { output, errors, code } = await run(argumentList, operator());
  expect({ errors, code }).toEqual({ errors: '', code: 0 });
  expect(output === '' || output.endsWith('\n')).toBe(true);
  return output.split('\n').slice(0, -1);
};

const create = async (label: string, ...more: readonly string[]) => {
  const [line = '', key = '', ...rest] = await keys('create', '--label', label, ...more);
  expect(rest).toEqual([]);
  return { line, key, id: line.split('\t')[0] ?? '' };
};

const lineOf = async (id: string): Promise<readonly string[] | undefined> =>
  (await keys('list')).map((line) => line.split('\t')).find(([first]) => first === id);

const statusWith = async (key: string): Promise<number> =>
  (await service.get('/api/v1/search?q=tide', { headers: { Authorization: `Bearer ${key}` } })).status;

const failing = async (argumentList: readonly string[], variables: Variables): Promise<string> => {
  const { output, errors, code } = await run(argumentList, variables);
  expect({ output, code }).toEqual({ output: '', code: 1 });
  expect(errors).not.toMatch(/\bat .+:\d+|a-token-of/);
  return errors;
};

test('[keys 16] `keys create` prints the secret on the last line, and the secret works', async () => {
  const { line, key, id } = await create('Tide watch');
  expect(line.split('\t')).toEqual([id, 'Tide watch', 'enabled', '60/60', '-']);
  expect(id).toMatch(/^[a-z0-9]{8,}$/);
  expect(isWellFormedApiKey(key)).toBe(true);
  expect(await statusWith(key)).toBe(200);
  expect((await keys('list')).join('\n')).not.toContain(key);
  expect(log.join('')).not.toContain(key);
});

test('`keys list` prints id, label, state, search allowance and day of the last use of each key', async () => {
  const first = await create('A <b>label</b> of 🐋 & "blanks"');
  const second = await create('Own', '--search', '600/60,20/1');
  expect(await lineOf(first.id)).toEqual([first.id, 'A <b>label</b> of 🐋 & "blanks"', 'enabled', '60/60', '-']);
  expect(await lineOf(second.id)).toEqual([second.id, 'Own', 'enabled', '600/60,20/1', '-']);
  await statusWith(second.key);
  expect((await lineOf(second.id))?.[4]).toMatch(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]$/);
  expect((await lineOf(first.id))?.[4]).toBe('-');
});

test('[keys 17] [keys 18] disable, enable and delete apply to the next request', async () => {
  const { id, key } = await create('Switched');
  expect((await keys('disable', id)).map((line) => line.split('\t').slice(0, 4))).toEqual([
    [id, 'Switched', 'disabled', '60/60'],
  ]);
  expect(await statusWith(key)).toBe(401);
  expect((await lineOf(id))?.[2]).toBe('disabled');
  expect((await keys('enable', id)).map((line) => line.split('\t')[2])).toEqual(['enabled']);
  expect(await statusWith(key)).toBe(200);
  expect(await keys('delete', id)).toEqual([]);
  expect(await statusWith(key)).toBe(401);
  expect(await lineOf(id)).toBeUndefined();
  for (const command of ['disable', 'enable', 'delete'])
    expect(await failing([command, id], operator())).toBe('No such key\n');
});

test('`keys list` prints a label on one line, without what a terminal would obey', async () => {
  const origin = await startTestServer((_, response) => {
    response.end(JSON.stringify({ keys: [{ id: 'a', label: 'x\u001b]0;y\u0007\tz\n\u202e', state: 'enabled' }] }));
  });
  const { output } = await run(['list'], { ADMIN_TOKEN: TOKEN, BASE_URL: origin });
  expect(output).toBe('a\tx]0;y z\tenabled\t-\t-\n');
});

test('BASE_URL may end with slashes', async () => {
  const { id } = await create('Slash');
  const { output, code } = await run(['list'], { ...operator(), BASE_URL: `${service.origin}//` });
  expect(code).toBe(0);
  expect(output).toContain(id);
});

describe('`npm run keys` prints the error and exits with 1', () => {
  test.each([
    [
      ['create', '--label', ''],
      /^A parameter has a value that is not accepted\nlabel must be a text of 1 to 100 .*\n$/,
    ],
    [['create', '--label', 'x'.repeat(101)], /^A parameter has a value that is not accepted\nlabel /],
    [['create', '--label', 'x', '--search', '60'], /^A parameter has a value that is not accepted\nsearch must be /],
    [['delete', 'unknown'], /^No such key\n$/],
    [['disable', 'a/b'], /^No such (?:key|route)\n$/],
    [['enable', '../keys'], /^No such (?:key|route)\n$/],
  ])('for %j', async (argumentList, errors) => {
    const before = await keys('list');
    expect(await failing(argumentList, operator())).toMatch(errors);
    expect(await keys('list')).toEqual(before);
  });

  test('[admin 1] [commands 4] for a wrong token, with the place of the right one', async () => {
    expect(await failing(['list'], { ...operator(), ADMIN_TOKEN: 'wrong' })).toMatch(
      /^This route is private\nADMIN_TOKEN is wrong\n.* npm start prints it as "operator token: …"/,
    );
  });

  test.each([{}, { ADMIN_TOKEN: '' }])('[commands 4] without a token, with its place: %j', async (token) => {
    expect(await failing(['list'], { BASE_URL: service.origin, ...token })).toMatch(
      /^ADMIN_TOKEN must be set\n.* npm start prints it as "operator token: …"[\s\S]*DATA_DIR .*\nOn AWS/,
    );
  });

  test.each(['http://127.0.0.1:9', 'nonsense'])('when no service answers: %s', async (origin) => {
    const variables = { ADMIN_TOKEN: TOKEN, BASE_URL: origin };
    expect(await failing(['list'], variables)).toBe(`${origin} does not answer. Start the service, or set BASE_URL.\n`);
  });

  test('when another program answers at BASE_URL', async () => {
    for (const body of ['<h1>Welcome</h1>', '{}', '{"id":"x"}', '{"keys":[{}]}']) {
      const origin = await startTestServer((_, response) => void response.end(body));
      for (const argumentList of [['list'], ['create', '--label', 'x']]) {
        const errors = await failing(argumentList, { ADMIN_TOKEN: TOKEN, BASE_URL: origin });
        expect(errors).toBe(`${origin} is not a Postern service. Set BASE_URL.\n`);
      }
    }
  });

  test('when another program answers with an error', async () => {
    const origin = await startTestServer((_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'));
    expect(await failing(['delete', 'an-id'], { ADMIN_TOKEN: TOKEN, BASE_URL: origin })).toBe('HTTP 502\n');
  });

  test('when another program redirects, which could lead the token elsewhere', async () => {
    const tokens: (string | undefined)[] = [];
    const origin = await startTestServer(({ url, headers }, response) => {
      if (url === '/away') tokens.push(headers.authorization);
      response.writeHead(307, { location: '/away' }).end();
    });
    expect(await failing(['list'], { ADMIN_TOKEN: TOKEN, BASE_URL: origin })).toMatch(/does not answer/);
    expect(tokens).toEqual([]);
  });

  test('without what a terminal obeys', async () => {
    const title = 'No\u001b[2J\u009b5m such\u202e key\r\n';
    const problem = { type: 'about:blank', title, status: 404, code: 'key_not_found', detail: `${title}.` };
    const origin = await startTestServer((_, response) => {
      response.writeHead(404, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ ...problem, resolution: '', instance: '' }));
    });
    expect(await failing(['list'], { ADMIN_TOKEN: TOKEN, BASE_URL: origin })).toBe('No[2J5m such key\n');
  });
});

// biome-ignore format: side by side they fit on a screen
const USAGES = [
  [[]], [['nonsense']], [['create', 'a name', '--label', 'x']], [['create', '--search', '60/60']], [['create', '--name', 'x']],
  [['list', 'x']], [['list', '--label', 'x']], [['disable', 'a', 'b']], [['disable', 'a', '--label', 'x']], [['delete']],
];

test.each(USAGES)('%j prints the usage', async (argumentList) => {
  expect(await failing(argumentList, operator())).toBe(
    'usage: npm run -s keys -- create --label NAME [--search 60/60] | list | disable ID | enable ID | delete ID\n',
  );
});

describe('npm start', () => {
  test('prints the token that it generated, and the command accepts the token', async () => {
    const { lines, origin } = await startServiceProgram({}, 3);
    const [, , token = ''] = lines;
    expect(token).toMatch(/^operator token: [A-Za-z0-9_-]{43}$/);
    const variables = {
      BASE_URL: origin,
      ADMIN_TOKEN: token.replace('operator token: ', ''),
    };
    expect(await run(['list'], variables)).toEqual({ output: '', errors: '', code: 0 });
  });

  test('does not print a configured token', async () => {
    const child = startProgram('infra/local/start.ts', [], {
      UPSTREAM: 'sample',
      DATA_DIR: 'memory',
      PORT: '0',
      ADMIN_TOKEN: TOKEN,
    });
    const output = text(child.stdout);
    const errors = text(child.stderr);
    const [chunk]: unknown[] = await once(child.stdout, 'data');
    expect(String(chunk)).toContain('postern listening on');
    child.kill('SIGTERM');
    expect(`${String(chunk)}${await output}${await errors}`).not.toMatch(/a-token-of|operator token/);
  });
});
