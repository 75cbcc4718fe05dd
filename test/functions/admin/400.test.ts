import { expect, test } from 'vitest';
import { ADDRESS, createAdminApp, expectRefusal, type SendAdminRequest, TOKENS } from '../../support/admin-app.ts';

const KEYS = 'POST /api/admin/keys';
const SESSION = 'POST /admin/session';

const LABEL = 'must be a text of 1 to 100 visible characters in one line';
const SEARCH =
  'must be COUNT/SECONDS, of at most a day, or COUNT/SECONDS,COUNT/SECONDS with a smaller burst limit whose seconds divide the first';
const MEMBERS = 'may have the members label, search and no others';

/** The answer names the invalid parameter and repeats none of its text. */
const expectWrong = async (send: SendAdminRequest, line: string, json: unknown, parameter: string, message: string) => {
  const answer = await send(line, { json });
  expect([json, answer.status]).toEqual([json, 400]);
  const document = expectRefusal(answer, 400, 'invalid_parameter');
  expect(document).toMatchObject({ errors: [{ parameter, message }], detail: `${parameter} ${message}.` });
  expect(JSON.stringify(document)).not.toContain('ECHO');
};

// biome-ignore format: side by side they fit on a screen
const LABELS: readonly unknown[] = [
  'Ada\u202eadA', 'A\u200bda', '', ' \t\n', 'ECHO\nECHO', 'ECHO\rECHO', 'ECHO\tECHO', 'ECHO\u0000ECHO',
  'ECHO\u001bECHO', 'ECHO\u007fECHO', 'ECHO\u0085ECHO', 'ECHO\u2028ECHO', 'ECHO\u2029ECHO', 'ECHO\ud83d',
  '\udc0bECHO', 'ECHO\udc0b\ud83dECHO', 'x'.repeat(101), '🐋'.repeat(101), 5, true, null, [], ['ECHO'],
  { text: 'ECHO' },
];

// biome-ignore format: side by side they fit on a screen
const SEARCHES: readonly unknown[] = [
  '', 'ECHO', '60', '60/', '/60', '0/60', '60/0', '060/60', '60/060', '-1/60', '1.5/60', '60/86401', '10000000/60',
  ' 60/60', '60/60 ', '60 / 60', '60/60\n', '60/60,', '60/60,60/30', '60/60,61/30', '60/60,10/60', '60/60,10/61',
  '60/60,10/7', '60/60,10/10,1/1', '６０/60', 60, true, [], ['60/60'], { count: 60, seconds: 60 },
];

const CHANGE = 'PATCH /api/admin/keys/unknown';

// biome-ignore format: side by side they fit on a screen
const STATES: readonly unknown[] = [
  '', 'ECHO', 'Enabled', 'deleted', 'enabled ', null, true, 1, [], ['enabled'], {},
];

/** Members that only a created key or no key has. */
const UNKNOWN: readonly unknown[] = [
  '{"label":"x","ECHO":1}',
  '{"label":"x","id":"ECHO"}',
  '{"label":"x","secret":"ECHO"}',
  '{"label":"x","created_at":"ECHO"}',
  '{"label":"x","__proto__":{"search":"ECHO"}}',
  '{"__proto__":{"label":"ECHO"}}',
  '{"label":"x","constructor":"ECHO"}',
  '{"label":"x","Label":"ECHO"}',
  '{"label":"x","":1}',
].map((text) => JSON.parse(text));

test.each<readonly [line: string, what: string, bodies: readonly unknown[], parameter: string, message: string]>([
  [KEYS, 'a label', LABELS.map((label) => ({ label })), 'label', LABEL],
  [KEYS, 'a search allowance', SEARCHES.map((search) => ({ label: 'x', search })), 'search', SEARCH],
  [KEYS, 'an unknown member', [...UNKNOWN, { label: 'x', state: 'enabled' }], 'body', MEMBERS],
  [CHANGE, 'a label', LABELS.map((label) => ({ label, state: 'disabled' })), 'label', LABEL],
  [CHANGE, 'a search allowance', SEARCHES.map((search) => ({ search })), 'search', SEARCH],
  [CHANGE, 'a state', STATES.map((state) => ({ label: 'New', state })), 'state', 'must be enabled or disabled'],
  [CHANGE, 'an unknown member', UNKNOWN, 'body', MEMBERS.replace('search', 'search, state')],
])(
  '%s returns 400, names what is wrong and changes nothing when %s is invalid',
  async (line, _, bodies, parameter, message) => {
    const { ada, createKey, stored } = await createAdminApp();
    const { id } = await createKey({ label: 'Kept', search: '7/60' });
    const before = await stored();
    for (const json of bodies) {
      await expectWrong(ada, line, json, parameter, message);
      // The answer is the same for a key that exists.
      await expectWrong(ada, line.replace('unknown', id), json, parameter, message);
    }
    expect(await stored()).toBe(before);
  },
);

test('POST /api/admin/keys returns 400 missing_parameter when the label is missing', async () => {
  const { ada, stored } = await createAdminApp();
  for (const json of [{}, { search: '60/60' }]) {
    const document = expectRefusal(await ada(KEYS, { json }), 400, 'missing_parameter');
    const errors = [{ parameter: 'label', message: 'is required' }];
    expect(document).toMatchObject({ errors, detail: 'label is required.' });
  }
  expect(await stored()).toBe('[[],[],[]]');
});

// biome-ignore format: side by side they fit on a screen
const NO_OBJECTS = [
  '', ' ', 'ECHO', '{', '{"label":"ECHO"', '{label:"ECHO"}', '{}{}', '[]', '[{"label":"ECHO"}]', 'null', 'true', '7',
  '"ECHO"', '\ufeff{}',
];

test('POST /api/admin/keys returns 400 when the body is not a JSON object', async () => {
  const { ada, stored } = await createAdminApp();
  const headers = { 'content-type': 'application/json' };
  for (const text of NO_OBJECTS) {
    for (const isBase64 of [false, true]) {
      const document = expectRefusal(await ada(KEYS, { text, headers, isBase64 }), 400, 'invalid_parameter');
      expect(document['errors']).toEqual([{ parameter: 'body', message: 'must be a JSON object' }]);
      expect(JSON.stringify(document)).not.toContain('ECHO');
    }
  }
  expect(await stored()).toBe('[[],[],[]]');
});

test.each([
  [{}, 'missing_parameter', 'token', 'is required'],
  [{ token: null }, 'invalid_parameter', 'token', 'must be a text'],
  [{ token: 5 }, 'invalid_parameter', 'token', 'must be a text'],
  [{ token: [TOKENS.ada] }, 'invalid_parameter', 'token', 'must be a text'],
  [{ token: TOKENS.ada, ECHO: 1 }, 'invalid_parameter', 'body', 'may have the members token and no others'],
  [[TOKENS.ada], 'invalid_parameter', 'body', 'must be a JSON object'],
])(
  '[admin 1] POST /admin/session returns 400 and charges no attempt when the body is %j',
  async (json, code, parameter, message) => {
    const { send, log, stored } = await createAdminApp();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const document = expectRefusal(await send(SESSION, { json, address: ADDRESS }), 400, code);
      expect(document['errors']).toEqual([{ parameter, message }]);
      expect(JSON.stringify(document)).not.toMatch(/ECHO|a-token-of/);
    }
    expect(JSON.stringify(log)).not.toMatch(/operator_refused|a-token-of/);
    expect(await stored()).toBe('[[],[],[]]');
  },
);
