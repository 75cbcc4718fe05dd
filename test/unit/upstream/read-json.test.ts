// Compares the reader of provider responses with JSON.parse: recorded and generated responses, whole and damaged.
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { asRecord, type JsonRecord, parseJson } from '../../../shared/model/json.ts';
import { asArray } from '../../../shared/upstream/json-readers.ts';
import { readJson } from '../../../shared/upstream/read-json.ts';
import { cases } from '../../support/full-form.ts';
import { author, conversationFixture, status } from '../../support/long-conversation.ts';
import { listExchanges } from '../../support/recorded-lists.ts';
import { bodyOf, exchanges } from '../../support/recorded-posts.ts';

/** From this size on, a response is read in parts. */
const LONG_BYTES = 30_000;

/** Compares also the order of members. */
const expectSame = (text: string | Buffer): void => {
  const bytes = Buffer.from(text);
  const expected = parseJson(bytes.toString('utf8'));
  const read = readJson(Buffer.from(bytes));
  expect(JSON.stringify(read)).toBe(JSON.stringify(expected));
  expect(read).toStrictEqual(expected);
};

const post = (seed: number, members: JsonRecord = {}): JsonRecord => ({ ...status(seed, true), ...members });
const posts = (count: number, members: JsonRecord = {}): JsonRecord[] =>
  Array.from({ length: count }, (_, seed) => post(seed, members));
const long = (members: JsonRecord): string => JSON.stringify({ code: 200, results: posts(24), ...members });

/** A recorded list, as often as makes the response long. */
const lengthened = (body: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (!Array.isArray(value) || value.length === 0) return [name, value];
      const times = Math.ceil(LONG_BYTES / JSON.stringify(value).length) + 1;
      return [name, Array.from({ length: times }, () => value).flat()];
    }),
  );

test.each([24, 100])('equal authors of %i posts are one object', (count) => {
  const text = JSON.stringify({ thread: posts(count) });
  const thread = asRecord(readJson(Buffer.from(text)))?.['thread'];
  expect(new Set(asArray(thread).map((entry) => asRecord(entry)?.['author'])).size).toBe(1);
  expectSame(text);
});

test('recorded responses, also with lists many times as long', () => {
  const bodies = [...exchanges, ...listExchanges].flatMap((exchange): JsonRecord[] => {
    const body = asRecord(parseJson(bodyOf(exchange)));
    return body === undefined ? [] : [body];
  });
  const texts = bodies.map((body) => JSON.stringify(lengthened(body)));
  expect(texts.filter((text) => text.length > LONG_BYTES).length).toBeGreaterThan(100);
  for (const text of [...texts, ...bodies.map((body) => JSON.stringify(body))]) expectSame(text);
});

test.each<[string, string]>([
  ['a list in groups', long({ results: [{ type: 'thread', statuses: posts(12) }, { statuses: posts(13) }] })],
  ['a body that is a list', JSON.stringify(posts(30))],
  ['markers of the layout within texts', long({ results: posts(24, { text: ',{"type":"status","author":{"a":[' }) })],
  ['a member named __proto__', long({}).replace('"code":200', '"__proto__":{"author":{"a":1}},"code":200')],
  ['authors in a member named __proto__', long({}).replaceAll('"quote":', '"__proto__":')],
  ['an author twice in one post', long({}).replaceAll('"likes":', `"author":${JSON.stringify(author(0))},"likes":`)],
  ['a list twice', `${long({}).slice(0, -1)},"results":[1]}`],
  ['spaces between tokens', JSON.stringify({ results: posts(24) }, undefined, 1)],
  ['a byte order mark', `\ufeff${long({})}`],
  ['a text after the end', `${long({})} }`],
  ['no end', long({}).slice(0, -1)],
  [
    'deep nesting',
    long({ results: posts(24), deep: 0 }).replace('"deep":0', `"deep":${'['.repeat(1000)}${']'.repeat(1000)}`),
  ],
])('responses of another layout %s', (_, text) => {
  expectSame(text);
});

test('nested authors with one head are compared in linear time', () => {
  const nested = (depth: number): string =>
    `${`{"author":{"name":"${'a'.repeat(70)}","x":`.repeat(depth)}1${'}}'.repeat(depth)}`;
  const text = `{"results":[${nested(400)},${nested(399)}]}`;
  const compared = vi.spyOn(Buffer.prototype, 'compare');
  onTestFinished(() => compared.mockRestore());
  readJson(Buffer.from(text));
  const bytes = compared.mock.calls.reduce((sum, [, , end]) => sum + Number(end), 0);
  expect(bytes).toBeLessThan(2 * text.length);
  compared.mockRestore();
  expectSame(text);
});

/** A long response whose authors are cut, with a list that is read in runs. */
const BYTES = Buffer.from(conversationFixture(30).json);
const FRAGMENTS = [
  '"author":{"',
  '{"type":"status"',
  ',',
  '[',
  ']',
  '{',
  '}',
  '"',
  '\\',
  '\\u0022',
  '\ud83d',
  '\u0000',
];

test('damaged bytes', () => {
  const places = fc.nat({ max: BYTES.length - 1 });
  const damages = fc.oneof(
    fc.record({ at: places, bytes: fc.nat({ max: 3000 }), by: fc.constant(Buffer.alloc(0)) }),
    fc.record({
      at: places,
      bytes: fc.nat({ max: 4 }),
      by: fc.uint8Array({ maxLength: 4 }).map((part) => Buffer.from(part)),
    }),
    fc.record({
      at: places,
      bytes: fc.constant(0),
      by: fc.constantFrom(...FRAGMENTS).map((part) => Buffer.from(part)),
    }),
    // A part of the response again, at another place.
    fc.record({ at: places, bytes: fc.constant(0), by: places.map((from) => BYTES.subarray(from, from + 1500)) }),
  );
  fc.assert(
    fc.property(fc.array(damages, { minLength: 1, maxLength: 3 }), (list) => {
      let damaged = BYTES;
      for (const { at, bytes, by } of list)
        damaged = Buffer.concat([damaged.subarray(0, at), by, damaged.subarray(at + bytes)]);
      expectSame(damaged);
    }),
    { numRuns: cases(150, 2000) },
  );
});

test('values of any shape in the layout', () => {
  const authors = fc.constantFrom(author(0), author(1), { ...author(0), likes: 1 }, {}, null, 'ada', [author(0)]);
  const entries = fc.letrec<{ entry: unknown }>((tie) => ({
    entry: fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.record(
        {
          type: fc.constantFrom('status', 'tombstone'),
          text: fc.string({ unit: 'binary', maxLength: 400 }),
          author: authors,
          quote: tie('entry'),
          statuses: fc.array(tie('entry'), { maxLength: 3 }),
        },
        { requiredKeys: ['type', 'author'] },
      ),
    ),
  })).entry;
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('thread', 'results', 'status', 'author', '__proto__', 'x'),
        fc.array(entries, { maxLength: 12 }),
      ),
      fc.nat({ max: 60 }),
      (body, count) => {
        expectSame(JSON.stringify({ ...body, replies: [...posts(count), ...posts(30)] }));
      },
    ),
    { numRuns: cases(60, 600) },
  );
});
