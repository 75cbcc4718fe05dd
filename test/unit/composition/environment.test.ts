import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createElapsedClock,
  createJsonLog,
  httpFromEnvironment,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
  waitingClock,
} from '../../../shared/composition/environment.ts';
import { elapsed } from '../../../shared/model/time.ts';
import { httpUrl } from '../../../shared/settings/base-parsers.ts';

const baseUrlIn = (from: Record<string, string>, name: string) => parseVariable(from, name, httpUrl);

describe('a variable', () => {
  test.each(['api.example.test', 'https://user:pw@api.example.test'])(
    'that is invalid is rejected with its name and without its value: %s',
    (value) => {
      const read = () => baseUrlIn({ FXTWITTER_BASE_URL: value }, 'FXTWITTER_BASE_URL');
      expect(read).toThrow(/^FXTWITTER_BASE_URL must be an http\(s\) address/);
      expect(read).not.toThrow(/pw/);
    },
  );

  test('that is unset or empty has its default', () => {
    expect(baseUrlIn({}, 'BASE_URL')).toBeUndefined();
    expect(baseUrlIn({ BASE_URL: '' }, 'BASE_URL')).toBeUndefined();
    expect(readVariable({ X: '' }, 'X')).toBeUndefined();
    expect([undefined, '', '60'].map((value) => readCacheTtlSeconds({ CACHE_TTL_SECONDS: value }))).toEqual([
      300, 300, 60,
    ]);
    expect(() => readCacheTtlSeconds({ CACHE_TTL_SECONDS: '86401' })).toThrow(/^CACHE_TTL_SECONDS must be/);
  });
});

describe('httpFromEnvironment', () => {
  test('[pictures 6] pages take pictures from signed paths, and a service without a secret does not start', () => {
    const { settings } = httpFromEnvironment({ PICTURES: 'proxied', CURSOR_SECRETS: 'new,old' });
    expect(settings.proxyPath?.('https://pbs.twimg.com/media/a.jpg')).toMatch(
      /^\/assets\/pbs\/[\w-]{16}\/media\/a\.jpg$/,
    );
    expect(() => httpFromEnvironment({ PICTURES: 'proxied' })).toThrow('CURSOR_SECRETS');
  });

  test('httpFromEnvironment accepts one or two origin secrets; without a secret every request is rejected', () => {
    const secrets = (value?: string) => httpFromEnvironment({ ORIGIN_SECRETS: value }).settings.originSecrets;
    expect(secrets('new, old')).toEqual(['new', 'old']);
    expect(secrets(' one ')).toEqual(['one']);
    expect(secrets(',,')).toEqual([]);
    expect(secrets('')).toEqual([]);
    expect(secrets()).toEqual([]);
  });

  test('httpFromEnvironment has the documented defaults', () => {
    expect(httpFromEnvironment({}).settings).toEqual({
      baseUrl: undefined,
      originSecrets: [],
      cacheTtlSeconds: 300,
      isSample: false,
      isIndexed: false,
      proxyPath: undefined,
      isUntranslated: false,
    });
    expect(Number.isInteger(httpFromEnvironment({}).clock())).toBe(true);
  });
});

const HOUR = 3_600_000;

test.each([
  ['outside of Lambda', false, [0, 5000, 5000, 65_000]],
  // A frozen function cannot tell a pause from a jump, and forgets rather than keeps what is old.
  ['in Lambda', true, [0, 5000, 5000 + HOUR, 65_000 + HOUR]],
])(
  'a clock that jumps back, forth and back by an hour changes durations %s only by its pauses',
  (_, isLambda, seen) => {
    let [running, ahead] = [1_000_000, 1_795_000_000_000];
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(performance, 'now').mockImplementation(() => running + 0.7);
    vi.spyOn(Date, 'now').mockImplementation(() => running + ahead);
    const clock = createElapsedClock(isLambda);
    const start = clock();
    const durations = [elapsed(start, clock())];
    for (const [jump, milliseconds] of [
      [-HOUR, 5000],
      [HOUR, 0],
      [-HOUR, 60_000],
    ] as const) {
      ahead += jump;
      running += milliseconds;
      durations.push(elapsed(start, clock()));
    }
    expect(durations).toEqual(seen);
  },
);

test('the clock of waiting stands still while the process is busy, and goes on while it waits', async () => {
  const start = waitingClock();
  const end = performance.now() + 100;
  while (performance.now() < end);
  expect(waitingClock()).toBe(start);
  // A loaded machine may suspend the process for the whole of one delay.
  while (waitingClock() === start) await new Promise((done) => setTimeout(done, 20));
  expect(elapsed(start, waitingClock())).toBeGreaterThan(0);
});

const lineOf = (fields: Record<string, string | number | boolean | undefined>): string => {
  const lines: string[] = [];
  createJsonLog({ write: (line) => void lines.push(line), clock: () => 0 })({
    level: 'info',
    event: 'test',
    ...fields,
  });
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
};

const parsed = (line: string): Record<string, unknown> => JSON.parse(line);

/** A terminal or a log reader can take these for the start of a line or for a command; some are halves of characters. */
const dangerous = fc.constantFrom(
  ...'\r\n\t\u0000\u000b\u000c\u001b\u007f\u0085\u009b\u2028\u2029'.split(''),
  '\ud83d',
  '\udc0b',
  '🐋',
);

test('[bounds 5] a log line is one well-formed line, and has at most 200 characters of a value', () => {
  const value = fc.string({ unit: fc.oneof(dangerous, fc.constantFrom('x', '"')), maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(value, fc.string({ unit: 'grapheme-composite' }), (text, other) => {
      const line = lineOf({ text, other });
      expect(line.isWellFormed()).toBe(true);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(parsed(line)).toMatchObject({ event: 'test', text: text.slice(0, 200).toWellFormed() });
    }),
    { numRuns: 500 },
  );
});
