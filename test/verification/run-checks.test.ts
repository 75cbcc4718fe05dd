// Tests the result of a check by what the check says, and the order and the end of a run.
import { expect, test } from 'vitest';
import { monotonic } from '../../shared/model/time.ts';
import { type Check, ProviderOutage, Skipped, type Verifier } from '../../shared/verification/check.ts';
import { type RunOptions, runChecks } from '../../shared/verification/run-checks.ts';
import { createService } from '../../shared/verification/service.ts';

const service = createService({
  origin: new URL('http://service.example'),
  known: { post: '20', profile: 'X' },
  wall: { now: () => 0 },
});

const checkOf = (run: (verify: Verifier) => string, more: Partial<Check> = {}): Check => ({
  name: 'made-up',
  statement: 'It is so',
  rows: [],
  run: async (_, verify) => run(verify),
  ...more,
});

const AMPLE: RunOptions = { clock: () => monotonic(0), budgetMilliseconds: 1000 };

const raise = (error: unknown): never => {
  throw error;
};

/** A check that finds faults before it ends. */
const failing =
  (count: number, end: () => string = () => '') =>
  (verify: Verifier): string => {
    for (let at = 1; at <= count; at += 1) verify.holds(false, `fault ${at}`);
    return end();
  };

test.each<readonly [string, (verify: Verifier) => string, string, readonly string[]]>([
  ['no fault', () => 'three routes', 'pass', ['three routes']],
  [
    'conditions that hold',
    (verify) => {
      verify.holds(true, 'never seen');
      verify.equals([1, 'a'], [1, 'a'], 'the list');
      verify.equals(undefined, undefined, 'nothing');
      return 'fine';
    },
    'pass',
    ['fine'],
  ],
  [
    'a fault of each kind',
    (verify) => {
      verify.holds(false, 'no tag');
      verify.equals(404, 200, 'the status');
      verify.equals(undefined, 'a', 'the type');
      verify.equals('a', undefined, 'the field');
      return 'not shown';
    },
    'fail',
    [
      'no tag',
      'the status is 404, expected 200',
      'the type is absent, expected "a"',
      'the field is "a", expected none',
    ],
  ],
  ['four faults', failing(4), 'fail', ['fault 1', 'fault 2', 'fault 3', 'fault 4']],
  ['five faults', failing(5), 'fail', ['fault 1', 'fault 2', 'fault 3', 'fault 4', 'and 1 more']],
  ['an error', () => raise(new Error('no result')), 'fail', ['no result']],
  [
    'an error of the connection',
    () => raise(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    'fail',
    ['no answer: ECONNREFUSED'],
  ],
  ['a reason to skip', () => raise(new Skipped('no key')), 'skip', ['no key']],
  ['an outage', () => raise(new ProviderOutage('502')), 'provider', ['502']],
  ['a fault before a reason to skip', failing(1, () => raise(new Skipped('no key'))), 'fail', ['fault 1']],
  ['a fault before an outage', failing(1, () => raise(new ProviderOutage('502'))), 'fail', ['fault 1']],
  ['a fault before an error', failing(1, () => raise(new Error('no result'))), 'fail', ['fault 1', 'no result']],
])('the result of a check with %s', async (_, run, result, seen) => {
  const check = checkOf(run);
  expect(await runChecks([check], service, AMPLE)).toEqual([{ check, result, seen }]);
});

test('a check over all answers runs after the others, and the findings have the order of the checks', async () => {
  const order: string[] = [];
  const named = (name: string, isLast: boolean): Check =>
    checkOf(
      () => {
        order.push(name);
        return name;
      },
      { name, isLast },
    );
  const checks = [named('over all', true), ...['a', 'b', 'c', 'd', 'e'].map((name) => named(name, false))];
  const findings = await runChecks(checks, service, AMPLE);
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'over all']);
  expect(findings.map(({ check }) => check)).toEqual(checks);
});

test('four checks run at a time', async () => {
  let running = 0;
  let most = 0;
  const checks = Array.from(
    { length: 9 },
    (): Check => ({
      ...checkOf(() => ''),
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return '';
      },
    }),
  );
  await runChecks(checks, service, AMPLE);
  expect(most).toBe(4);
});

test('no check starts after the time is over; one that is due at the last millisecond starts', async () => {
  const times = [5, 1005, 1006];
  const checks = ['due', 'late'].map((name) => checkOf(() => 'done', { name }));
  const findings = await runChecks(checks, service, {
    clock: () => monotonic(times.shift() ?? 1006),
    budgetMilliseconds: 1000,
  });
  expect(findings.map(({ result, seen }) => [result, ...seen])).toEqual([
    ['pass', 'done'],
    ['skip', 'not started: the time is over'],
  ]);
});
