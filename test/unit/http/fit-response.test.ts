// Tests how a response becomes small enough for Lambda.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_RESPONSE_BYTES } from '../../../shared/contract/bounds.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import { fitResponse, responseBytes, truncateValue } from '../../../shared/http/fit-response.ts';
import type { UseCaseResult } from '../../../shared/ports/upstream.ts';

const MAX = MAX_RESPONSE_BYTES;

const resultOf = (count: number, minimum: number, kept: number[]): UseCaseResult<{ readonly count: number }> => ({
  value: { count },
  source: 'fxtwitter',
  fetchedAt: 0,
  warnings: [],
  parts: {
    count,
    minimum,
    keep: (fewer) => {
      kept.push(fewer);
      return resultOf(fewer, minimum, kept);
    },
  },
});

/** @param bytesOf the size of a response by its number of parts */
const attemptsOf = (count: number, minimum: number, bytesOf: (count: number) => number) => {
  const kept: number[] = [];
  const response = fitResponse(resultOf(count, minimum, kept), {
    render: ({ value }) => value.count,
    bytesOf,
  });
  return { response, kept };
};

test.each<readonly [string, number, number, (count: number) => number, readonly number[]]>([
  ['a response of the maximum size is whole', 10, 1, () => MAX, []],
  ['a response of one byte more loses at least a part', 100, 1, (count) => (count === 100 ? MAX + 1 : MAX), [94]],
  ['a response of twice the size keeps a little less than half', 100, 1, (count) => (MAX / 50) * count, [47]],
  ['the next attempt starts from the last one', 100, 0, (count) => (count > 40 ? 2 * MAX : MAX), [47, 22]],
  ['at least one part is left out', 2, 0, (count) => (count === 2 ? MAX + 1 : MAX), [1]],
  ['the minimum is kept', 3, 1, (count) => (count > 1 ? 100 * MAX : MAX), [1]],
])('%s', (_, count, minimum, bytesOf, kept) => {
  expect(attemptsOf(count, minimum, bytesOf)).toEqual({ response: kept.at(-1) ?? count, kept });
});

test('the smallest result is truncated with a warning until it fits', () => {
  const value = { texts: ['a'.repeat(3_000_000), 'b'.repeat(6_000_000)] };
  const warnings = [{ code: 'fallback_answered', message: 'another one' }];
  const rendered: UseCaseResult<typeof value>[] = [];
  const { body } = fitResponse(
    { value, source: 'fxtwitter', fetchedAt: 0, warnings },
    {
      render: (part) => {
        rendered.push(part);
        return { body: JSON.stringify(part.value) };
      },
      bytesOf: (response) => responseBytes(response.body),
    },
  );
  expect(responseBytes(body)).toBeLessThanOrEqual(MAX);
  expect(responseBytes(body)).toBeGreaterThan(MAX * 0.9);
  expect(rendered.map((part) => part.warnings.map(({ code }) => code))).toEqual([
    ['fallback_answered'],
    ['fallback_answered', 'truncated'],
  ]);
  expect(rendered[1]?.warnings[1]?.message).toBe(
    'The answer would be too large: long texts and lists of the post or account end early.',
  );
});

test('a result of 20 large parts is smaller before it is rendered', () => {
  const text = 'a'.repeat(2_000_000);
  const rendered: number[] = [];
  const resultWith = (count: number): UseCaseResult<readonly string[]> => ({
    value: Array.from({ length: count }, () => text),
    source: 'fxtwitter',
    fetchedAt: 0,
    warnings: [],
    parts: { count, minimum: 1, keep: resultWith },
  });
  fitResponse(resultWith(20), { render: ({ value }) => rendered.push(value.length), bytesOf: () => MAX });
  expect(rendered).toEqual([5]);
});

test('a result that cannot become small enough is internal_error with its size', () => {
  const attempt = () => fitResponse(resultOf(1, 1, []), { render: ({ value }) => value, bytesOf: () => 7_000_000 });
  expect(attempt).toThrow(Problem);
  expect(attempt).toThrow(
    expect.objectContaining({ code: 'internal_error', options: { cause: 'an answer of 7000000 bytes' } }),
  );
});

test.each([
  ['', 0],
  ['abc', 18],
  ['a'.repeat(916_666), 5_499_996],
  ['a'.repeat(916_667), 916_669],
  ['"'.repeat(1_000_000), 2_000_002],
  ['ø'.repeat(1_000_000), 2_000_002],
])('responseBytes() is the size of a string in JSON, or a bound that is below the maximum', (body, bytes) => {
  expect(responseBytes(body)).toBe(bytes);
});

const WAVE = '🌊';

test('[text 8] a truncated text has whole characters only, wherever it ends', () => {
  for (const lead of ['', 'a', 'ab']) {
    const text = lead + WAVE.repeat(5000);
    for (const codeUnits of [0, 4096, 4097, 6000]) {
      const limit = Math.max(4096, codeUnits);
      const whole = Math.floor((limit - lead.length) / WAVE.length);
      expect(truncateValue(text, codeUnits), `${lead} at ${codeUnits}`).toBe(`${lead}${WAVE.repeat(whole)}…`);
    }
  }
});

test('a list ends where the limit is reached', () => {
  expect(truncateValue({ ids: ['1', '2', '3'] }, 0)).toEqual({ ids: [] });
  // `ids` takes 7 code units and each id 3.
  expect(truncateValue({ ids: ['1', '2', '3'] }, 8)).toEqual({ ids: ['1'] });
  expect(truncateValue({ ids: ['1', '2', '3'] }, 13)).toEqual({ ids: ['1', '2'] });
  // A number takes 8.
  expect(truncateValue([1, 2, 3, 4], 16)).toEqual([1, 2]);
  expect(truncateValue([1, 2, 3, 4], 17)).toEqual([1, 2, 3]);
});

test('a value that fits stays the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(truncateValue(value, JSON.stringify(value).length * 8 + 64)).toEqual(value);
    }),
    { numRuns: 200 },
  );
});
