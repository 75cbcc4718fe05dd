import { describe, expect, test } from 'vitest';
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

describe('POST /api/admin/keys', () => {
  test('returns 400 with the parameter name when the label is invalid', async () => {
    const { ada, stored } = await createAdminApp();
    for (const label of LABELS) await expectWrong(ada, KEYS, { label }, 'label', LABEL);
    expect(await stored()).toBe('[[],[],[]]');
  });

  test('returns 400 missing_parameter when the label is missing', async () => {
    const { ada, stored } = await createAdminApp();
    for (const json of [{}, { search: '60/60' }]) {
      const document = expectRefusal(await ada(KEYS, { json }), 400, 'missing_parameter');
      expect(document).toMatchObject({
        errors: [{ parameter: 'label', message: 'is required' }],
        detail: 'label is required.',
      });
    }
    expect(await stored()).toBe('[[],[],[]]');
  });

  test('returns 400 with the parameter name when the search allowance is invalid', async () => {
    const { ada, stored } = await createAdminApp();
    for (const search of SEARCHES) await expectWrong(ada, KEYS, { label: 'x', search }, 'search', SEARCH);
    expect(await stored()).toBe('[[],[],[]]');
  });

  test('returns 400 without the name of the member when a member is unknown', async () => {
    const { ada, stored } = await createAdminApp();
    for (const text of [
      '{"label":"x","ECHO":1}',
      '{"label":"x","state":"enabled"}',
      '{"label":"x","id":"ECHO"}',
      '{"label":"x","secret":"ECHO"}',
      '{"label":"x","__proto__":{"search":"ECHO"}}',
      '{"__proto__":{"label":"ECHO"}}',
      '{"label":"x","constructor":"ECHO"}',
      '{"label":"x","toString":null}',
      '{"label":"x","Label":"ECHO"}',
      '{"label":"x","":1}',
    ])
      await expectWrong(ada, KEYS, JSON.parse(text), 'body', MEMBERS);
    expect(await stored()).toBe('[[],[],[]]');
  });

  test('returns 400 when the body is not a JSON object', async () => {
    const { ada, stored } = await createAdminApp();
    const headers = { 'content-type': 'application/json' };
    for (const text of [
      '',
      ' ',
      'ECHO',
      '{',
      '{"label":"ECHO"',
      '{label:"ECHO"}',
      '{}{}',
      '[]',
      '[{"label":"ECHO"}]',
      'null',
      'true',
      '7',
      '"ECHO"',
      '\ufeff{}',
    ]) {
      for (const isBase64 of [false, true]) {
        const document = expectRefusal(await ada(KEYS, { text, headers, isBase64 }), 400, 'invalid_parameter');
        expect(document['errors']).toEqual([{ parameter: 'body', message: 'must be a JSON object' }]);
        expect(JSON.stringify(document)).not.toContain('ECHO');
      }
    }
    expect(await stored()).toBe('[[],[],[]]');
  });
});

describe('PATCH /api/admin/keys/{id}', () => {
  const STATE = 'must be enabled or disabled';
  const STATES = ['', 'ECHO', 'Enabled', 'deleted', 'enabled ', null, true, 1, [], ['enabled'], {}];
  const UNKNOWN = [
    { id: 'ECHO' },
    { created_at: 'ECHO' },
    { ECHO: 1 },
    JSON.parse('{"__proto__":{"state":"disabled"}}'),
  ];

  test.each([
    ['a label', LABELS.map((label) => ({ label })), 'label', LABEL],
    ['a search allowance', SEARCHES.map((search) => ({ search })), 'search', SEARCH],
    ['a state', STATES.map((state) => ({ state })), 'state', STATE],
    ['an unknown member', UNKNOWN, 'body', 'may have the members label, search, state and no others'],
  ])('returns 400 and changes nothing when %s is invalid, whether the key exists or not', async (...row) => {
    const [, changes, parameter, message] = row;
    const { ada, createKey, stored } = await createAdminApp();
    const { id } = await createKey({ label: 'Kept', search: '7/60' });
    const before = await stored();
    for (const json of changes) {
      await expectWrong(ada, `PATCH /api/admin/keys/${id}`, json, parameter, message);
      await expectWrong(ada, 'PATCH /api/admin/keys/unknown', json, parameter, message);
    }
    expect(await stored()).toBe(before);
  });

  test('changes nothing when one of several members is invalid', async () => {
    const { ada, createKey, stored } = await createAdminApp();
    const { id } = await createKey({ label: 'Kept' });
    const before = await stored();
    const line = `PATCH /api/admin/keys/${id}`;
    await expectWrong(ada, line, { label: 'New', state: 'ECHO' }, 'state', STATE);
    await expectWrong(ada, line, { label: '', state: 'disabled' }, 'label', LABEL);
    expect(await stored()).toBe(before);
  });
});

describe('POST /admin/session', () => {
  test.each([
    [{}, 'missing_parameter', 'token', 'is required'],
    [{ token: null }, 'invalid_parameter', 'token', 'must be a text'],
    [{ token: 5 }, 'invalid_parameter', 'token', 'must be a text'],
    [{ token: [TOKENS.ada] }, 'invalid_parameter', 'token', 'must be a text'],
    [{ token: TOKENS.ada, ECHO: 1 }, 'invalid_parameter', 'body', 'may have the members token and no others'],
    [[TOKENS.ada], 'invalid_parameter', 'body', 'must be a JSON object'],
  ])('[admin 1] returns 400 and charges no attempt when the body is %j', async (json, code, parameter, message) => {
    const { send, log, stored } = await createAdminApp();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const document = expectRefusal(await send(SESSION, { json, address: ADDRESS }), 400, code);
      expect(document['errors']).toEqual([{ parameter, message }]);
      expect(JSON.stringify(document)).not.toMatch(/ECHO|a-token-of/);
    }
    expect(JSON.stringify(log)).not.toMatch(/operator_refused|a-token-of/);
    expect(await stored()).toBe('[[],[],[]]');
  });
});
