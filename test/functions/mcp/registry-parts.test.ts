// Checks that tools read a text of 100 kB whole, and in small parts a shorter one: each note names the call for the next
// part, and the parts join to the Markdown of REST.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { createTestRegistry, resultText, splitResultText } from '../../support/mcp-registry.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';
import { RECORDED_AT } from '../../support/recorded-posts.ts';
import { createTestApp, found } from '../../support/test-app.ts';

const words = (length: number): string => 'The tide in the fjord rings like a glass. '.repeat(Math.ceil(length / 42));

/** Builds an article in the layout of the provider. @param blocks of Draft.js */
const providerArticle = (blocks: readonly object[]): Post => {
  const file = new URL('../../fixtures/fxtwitter/status/article.json', import.meta.url);
  const { status } = JSON.parse(readFileSync(file, 'utf8'));
  status.article.content.blocks = blocks;
  const mapped = createFxTwitterPostMapper(RECORDED_AT).post(status);
  if (mapped === undefined) throw new Error('the article was not mapped');
  return mapped;
};

const blockOf = (text: string, type = 'unstyled', ranges: readonly object[] = []) => ({
  key: 'k',
  data: {},
  entityRanges: [],
  inlineStyleRanges: ranges,
  text,
  type,
});

const recordedBlocks = (bytes: number): readonly object[] => {
  const file = new URL('../../fixtures/fxtwitter/status/article.json', import.meta.url);
  const { blocks } = JSON.parse(readFileSync(file, 'utf8')).status.article.content;
  return Array.from({ length: Math.ceil(bytes / JSON.stringify(blocks).length) * 4 }, () => blocks).flat();
};

const textsOf = (bytes: number): readonly (readonly [name: string, value: Conversation])[] => [
  ['an article of recorded blocks', conversationOf(providerArticle(recordedBlocks(bytes)))],
  [
    'one bold paragraph',
    conversationOf(providerArticle([blockOf(words(bytes), 'unstyled', [{ offset: 0, length: bytes, style: 'Bold' }])])),
  ],
  [
    'text of an author with a long name',
    conversationOf(postOf({ text: words(bytes), author: userOf('🐋'.repeat(300)) })),
  ],
  [
    'one fence',
    conversationOf(
      postOf({
        text: '',
        article: {
          title: 'T',
          blocks: [{ type: 'code', text: 'const tide = 1;\n'.repeat(bytes / 16), language: 'typescript' }],
        },
      }),
    ),
  ],
  [
    'a thread of 100 posts with replies',
    conversationOf(postOf(), {
      thread: Array.from({ length: 99 }, (_, index) => postOf({ id: String(100 + index), text: words(bytes / 100) })),
      replies: [postOf({ id: '300', text: 'A reply.' })],
    }),
  ],
];

const quoteOf = (text: string): string =>
  splitResultText(text)
    .quote.map((line) => line.slice(2))
    .join('\n');

const FENCE_SEAM = /\n(`{3,})\0\1[a-z]*/g;
const STYLE_SEAM = /(\*\*|\*|~~)\0( *)\1/g;

/** Leaves out what was added where a fence or a style was divided. */
const join = (parts: readonly string[]): string =>
  parts.join('\0').replace(FENCE_SEAM, '').replace(STYLE_SEAM, '$2').replaceAll('\0', '');

const NEXT =
  /^Part \d+ of (\d+)\. Next: call x_get_post with id "(\d+)", replies "(\w+)", part (\d+) and the same other arguments$/m;

describe('[parts 4] a text of 100 kB, or of 20 kB in small parts, is read whole', () => {
  const large = textsOf(100_000);
  type Case = readonly [name: string, others: { readonly max_tokens?: number }, value: Conversation];
  const cases: readonly Case[] = [
    ...large.map(([name, value]): Case => [name, {}, value]),
    ...textsOf(20_000).map(([name, value]): Case => [name, { max_tokens: 1000 }, value]),
  ];

  test.each(cases)('%s by x_get_post with %j', async (_, others, value) => {
    const upstream = { readPost: async () => found(value) };
    const whole = (await createTestApp({ upstream }).get('/a/status/20')).body;
    const { call } = createTestRegistry({ upstream });
    const texts: string[] = [];
    for (let args: object | undefined = { id: '20', ...others }; args !== undefined; ) {
      const text = resultText(await call('x_get_post', args));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * (others.max_tokens ?? 6000));
      texts.push(quoteOf(text));
      const [, , id, replies, part]: readonly (string | undefined)[] = NEXT.exec(text) ?? [];
      args = part === undefined ? undefined : { ...others, id, replies, part: Number(part) };
    }
    expect(texts.length).toBeGreaterThan(1);
    expect(`${join(texts)}\n`).toBe(whole);
  });

  test.each(large)('%s by fetch', async (_, value) => {
    const upstream = { readPost: async () => found(value) };
    const whole = (await createTestApp({ upstream }).get('/a/status/20')).body;
    const { call } = createTestRegistry({ upstream, toolSet: 'research' });
    const texts: string[] = [];
    for (let id: string | undefined = '20'; id !== undefined; ) {
      const text = resultText(await call('fetch', { id }));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
      const { text: part } = JSON.parse(text);
      texts.push(quoteOf(part));
      const [, next]: readonly (string | undefined)[] = /Next: fetch "(20\?part=\d+)"/.exec(part) ?? [];
      id = next;
    }
    expect(`${join(texts)}\n`).toBe(whole);
  });
});

describe('[parts 4] parts of x_get_post', () => {
  const value = conversationOf(postOf({ text: words(30_000) }), { replies: [postOf({ id: '300', text: 'A reply.' })] });
  const { call } = createTestRegistry({ upstream: { readPost: async () => found(value) } });

  test('page is another name of part', async () => {
    const text = resultText(await call('x_get_post', { id: '20', page: '2' }));
    expect(text).toContain('\nPart 2 of 2, the last.\n');
    expect(text).toBe(resultText(await call('x_get_post', { id: '20', part: 2, replies: 'off' })));
  });

  test('as JSON have the part as markdown, and lead to the next', async () => {
    const cut = await call('x_get_post', { id: '20', format: 'json' });
    expect(cut.structuredContent?.['warnings']).toMatchObject([
      { code: 'more_replies' },
      {
        message: expect.stringContaining(
          'For the whole text as Markdown, call x_get_post with id "20", replies "top", part 1',
        ),
      },
    ]);
    const texts: string[] = [];
    for (const part of [1, 2]) {
      const { structuredContent: body } = await call('x_get_post', { id: '20', format: 'json', part });
      expect(body).toMatchObject({
        markdown: expect.any(String),
        warnings: [{ code: 'truncated', message: expect.stringContaining(`Part ${part} of 2`) }],
      });
      expect(body).not.toHaveProperty('post');
      texts.push(String(body?.['markdown']));
    }
    const whole = await createTestApp({ upstream: { readPost: async () => found(value) } }).get(
      '/a/status/20?replies=off',
    );
    expect(`${texts.join('')}\n`).toBe(whole.body);
  });

  test.each(['markdown', 'json'])('as %s have figures unless metrics is off, and end with the last', async (format) => {
    const part = async (metrics: string) =>
      resultText(await call('x_get_post', { id: '20', part: 2, format, metrics })).includes(' · 3,000 views');
    expect([await part('on'), await part('off')]).toEqual([true, false]);
    const result = await call('x_get_post', { id: '20', part: 9, format });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'invalid_parameter' } });
    expect(resultText(result)).toContain('part must be at most 2: with this max_tokens the text has 2 parts.');
  });

  test.each([0, -1, 1.5, 'x', '2,3'])('do not exist for %j', async (part) => {
    const result = await call('x_get_post', { id: '20', part });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'invalid_parameter' } });
  });
});
