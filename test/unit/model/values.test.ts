// Tests the values of the model at their edges: handles, ids, times, languages, offsets, errors and JSON.
import { describe, expect, test } from 'vitest';
import { ancestorGap } from '../../../shared/model/conversation.ts';
import { isReserved, RESERVED_SEGMENTS } from '../../../shared/model/handle.ts';
import { parseInstant } from '../../../shared/model/instant-text.ts';
import { errorKind, errorMessage, errorText, parseJson } from '../../../shared/model/json.ts';
import type { Post, PostOrTombstone } from '../../../shared/model/post.ts';
import { isFromTheFuture, snowflakeTime } from '../../../shared/model/snowflake.ts';
import { validOffset } from '../../../shared/model/visible-text.ts';
import { postOf } from '../../support/post-models.ts';

test('the first segments of the routes are no handles, in any letter case', () => {
  expect([...RESERVED_SEGMENTS].join(' ')).toBe(
    'api admin docs mcp search oembed home about status assets static health login openapi',
  );
  expect([isReserved('Docs'), isReserved('doc'), isReserved('')]).toEqual([true, false, false]);
});

test.each([
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-03-02T10:05:09Z', '2026-03-02T10:05:09.000Z'],
  ['2026-03-02t10:05:09z', '2026-03-02T10:05:09.000Z'],
  ['2026-03-02 10:05:09.5Z', '2026-03-02T10:05:09.500Z'],
  ['2026-03-02T10:05:09.123456789Z', '2026-03-02T10:05:09.123Z'],
  ['2026-03-02T10:05:09+02:00', '2026-03-02T08:05:09.000Z'],
  ['2026-03-02T10:05:09 02:00', '2026-03-02T08:05:09.000Z'],
  ['2026-03-02T10:05:09-02:30', '2026-03-02T12:35:09.000Z'],
])('parseInstant reads %s as %s', (text, instant) => {
  expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(instant);
});

// biome-ignore format: side by side they fit on a screen
test.each([
  '', '2026-02-30', '2026-13-01', '2026-3-2', '2026-02-30T10:00:00Z', '2026-03-02T24:00:00Z', '2026-03-02T10:60:00Z',
  '2026-03-02T10:05Z', '2026-03-02T10:05:09', '2026-03-02T10:05:09.Z', '2026-03-02T10:05:09.1234567890Z',
  '2026-03-02T10:05:09*02:00', 'tomorrow',
])('parseInstant does not read "%s"', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test('the id of a post has its time, and an id of more than a minute ahead is from the future', () => {
  expect(snowflakeTime('20')).toBe(1288834974657n);
  const time = Date.parse('2026-03-02T10:00:00Z');
  const idAt = (milliseconds: number): string => String((BigInt(milliseconds) - 1288834974657n) << 22n);
  expect(snowflakeTime(idAt(time))).toBe(BigInt(time));
  expect([60_000, 60_001].map((ahead) => isFromTheFuture(idAt(time + ahead), time))).toEqual([false, true]);
});

test('validOffset keeps the offset of a text that is not well-formed', () => {
  expect([validOffset('a\udc0bb', 1), validOffset('\ud83db', 1)]).toEqual([1, 1]);
});

test('an error is logged with its stack, or its message, and the user of a command gets the message', () => {
  const error = new Error('lost');
  const withoutStack = Object.assign(new Error('lost'), { stack: undefined });
  expect([error, withoutStack, 'text', 7].map(errorText)).toEqual([error.stack, 'lost', 'text', '7']);
  expect([error, 'text', undefined].map(errorMessage)).toEqual(['lost', 'text', 'undefined']);
});

test('the kind of an error is its code or its name, never its message', () => {
  const coded = (code: unknown): Error => Object.assign(new TypeError('secret'), { code });
  const kinds = [coded('ECONNRESET'), coded(7), new RangeError('secret'), 'secret', undefined].map(errorKind);
  expect(kinds).toEqual(['ECONNRESET', 'TypeError', 'RangeError', 'unknown', 'unknown']);
});

test('parseJson gives undefined for a text that is not JSON', () => {
  expect(['{"a":[1]}', 'null', '', '{'].map(parseJson)).toEqual([{ a: [1] }, null, undefined, undefined]);
});

describe('the gap before an ancestor', () => {
  const entry = (id: string, answered?: string): Post =>
    postOf({ id, ...(answered !== undefined && { in_reply_to: { handle: 'ada', id: answered } }) });
  const missing = (id: string): PostOrTombstone => ({ id, unavailable: true, reason: 'deleted' });

  test.each<[string, Post, readonly PostOrTombstone[], ReturnType<typeof ancestorGap>]>([
    ['a post that answers nothing', entry('5'), [], undefined],
    ['a post without its ancestor', entry('5', '4'), [], { id: '4', index: 0 }],
    ['a whole chain', entry('5', '4'), [entry('3'), entry('4', '3')], undefined],
    ['a chain without its beginning', entry('5', '4'), [entry('3', '2'), entry('4', '3')], { id: '2', index: 0 }],
    ['a chain without its middle', entry('5', '4'), [entry('2'), entry('4', '3')], { id: '3', index: 1 }],
    ['a chain without its end', entry('5', '4'), [entry('2'), entry('3', '2')], { id: '4', index: 2 }],
    [
      'two gaps, of which the nearest counts',
      entry('5', '4'),
      [entry('1', '0'), entry('3', '2')],
      { id: '4', index: 2 },
    ],
    ['a tombstone in the place of the answered post', entry('5', '4'), [missing('9')], undefined],
    ['a gap before a tombstone', entry('5', '9'), [entry('3', '2'), missing('9')], { id: '2', index: 0 }],
    ['a post that answers one of later', entry('5', '4'), [entry('3', '5'), entry('4', '3')], undefined],
  ])('ancestorGap of %s', (_, post, ancestors, gap) => {
    expect(ancestorGap(post, ancestors)).toEqual(gap);
  });
});
