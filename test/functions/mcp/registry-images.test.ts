// Tests the images that x_get_post gives to models that see.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { PictureFile, ReadPicture } from '../../../shared/ports/pictures.ts';
import { mcpCalls, rpc } from '../../support/mcp-calls.ts';
import { createTestRegistry, LABEL, splitResultText } from '../../support/mcp-registry.ts';
import { mcpHandler } from '../../support/mcp-server.ts';
import { conversation, found, post } from '../../support/test-app.ts';

const FILE: PictureFile = { mimeType: 'image/png', bytes: Buffer.from('\x89PNG\r\n\x1a\npicture', 'latin1') };
const BLOCK = { type: 'image', data: FILE.bytes.toString('base64'), mimeType: 'image/png' };

const photo = (name: string, alt?: string): Post['media'][number] => ({
  type: 'photo',
  url: `https://pbs.twimg.com/media/${name}.jpg`,
  ...(alt !== undefined && { alt_text: alt }),
});

const withMedia = (members: Partial<Post> = {}, thread: readonly Post[] = []) => ({
  ...conversation('20'),
  post: { ...post('20'), media: [photo('a', 'A low tide.'), photo('b')], ...members },
  thread: [...thread],
});

interface Setup {
  readonly value?: ReturnType<typeof withMedia>;
  readonly readPicture?: ReadPicture;
  readonly now?: () => number;
}

const setup = ({ value = withMedia(), readPicture = async () => FILE, ...options }: Setup = {}) => {
  const requests: (readonly [string, number])[] = [];
  const { call, registry } = createTestRegistry({
    ...options,
    upstream: { readPost: async () => found(value) },
    async readPicture(url, maxBytes) {
      requests.push([url, maxBytes]);
      return readPicture(url, maxBytes);
    },
  });
  const get = async (args: object = {}) => {
    const { content, ...rest } = await call('x_get_post', { id: '20', ...args });
    const [{ text }, ...images] = content;
    return { ...rest, text, images, ...splitResultText(text) };
  };
  return { requests, get, registry };
};

test('[images 1] images follow the text, small, and a quoted line names each with its alternative text', async () => {
  const { get, requests } = setup();
  const { images, quote, label } = await get({ images: 2 });
  expect(images).toEqual([BLOCK, BLOCK]);
  expect(label).toBe(LABEL);
  expect(quote.slice(-3)).toEqual([
    '> [Image 1: A low tide.](https://pbs.twimg.com/media/a.jpg)',
    '> ',
    '> [Image 2](https://pbs.twimg.com/media/b.jpg)',
  ]);
  expect(requests).toEqual([
    ['https://pbs.twimg.com/media/a.jpg?name=small', 300_000],
    ['https://pbs.twimg.com/media/b.jpg?name=small', 300_000],
  ]);
});

test('[images 1] JSON names the images in a member', async () => {
  const { images, structuredContent } = await setup().get({ images: 4, format: 'json' });
  expect(images).toHaveLength(2);
  expect(structuredContent).toMatchObject({
    images: [
      { url: 'https://pbs.twimg.com/media/a.jpg', alt_text: 'A low tide.' },
      { url: 'https://pbs.twimg.com/media/b.jpg' },
    ],
  });
});

test('[images 1] the pictures of the post come first, then those of its article, its quote and its thread', async () => {
  const still: Post['media'][number] = {
    type: 'video',
    url: 'https://video.twimg.com/a.mp4',
    thumbnail_url: 'https://pbs.twimg.com/amplify_video_thumb/1/img/c.jpg',
  };
  const value = withMedia({ media: [still], quote: { ...post('19'), media: [photo('d')] } }, [
    { ...post('21'), media: [photo('e'), photo('d')] },
    { ...post('22'), media: [photo('secret')], sensitive: true },
    { ...post('23'), media: [{ type: 'photo', url: 'https://evil.example/f.jpg' }, photo('g')] },
  ]);
  const { get, requests } = setup({ value });
  await get({ images: 4 });
  expect(requests.map(([url]) => /(\w+)\.jpg/.exec(url)?.[1])).toEqual(['c', 'd', 'e', 'g']);
});

describe('[images 2] a sensitive post', () => {
  test('gives no image, and the text says so', async () => {
    const value = withMedia({ sensitive: true, quote: { ...post('19'), media: [photo('c')] } });
    const { get, requests } = setup({ value });
    const { images, notes } = await get({ images: 4 });
    expect(images).toEqual([]);
    expect(requests).toEqual([]);
    expect(notes).toContain('Note: The images of a post that is marked as sensitive are left out.');
  });

  test('that is quoted gives no image', async () => {
    const value = withMedia({ media: [], quote: { ...post('19'), media: [photo('c')], sensitive: true } });
    const { get, requests } = setup({ value });
    expect((await get({ images: 4 })).images).toEqual([]);
    expect(requests).toEqual([]);
  });
});

describe('[images 3] a failure', () => {
  test('of one picture leaves the others and the text', async () => {
    const { get } = setup({ readPicture: async (url) => (url.includes('/a.') ? undefined : FILE) });
    const { images, quote, notes, isError } = await get({ images: 2 });
    expect(isError).toBeUndefined();
    expect(images).toEqual([BLOCK]);
    expect(quote.at(-1)).toBe('> [Image 1](https://pbs.twimg.com/media/b.jpg)');
    expect(notes).toContain('Note: 1 of 2 images could not be read.');
    const { structuredContent } = await get({ images: 2, format: 'json' });
    expect(structuredContent).toMatchObject({ warnings: [{ code: 'image_unavailable' }] });
  });

  test('each image counts one of the fair-use bound, and beyond it the post has none', async () => {
    const { get, requests } = setup();
    for (let call = 0; call < 60; call += 1) expect((await get({ images: 2 })).images).toHaveLength(2);
    const { images, notes, isError } = await get({ images: 2 });
    expect([images, isError, requests.length]).toEqual([[], undefined, 120]);
    expect(notes.join()).toContain('the fair use of this client network is spent');
  });

  test('a call in a batch gets no images, because its answers share one bound', async () => {
    const { registry, requests } = setup();
    const { call } = mcpCalls(mcpHandler(registry));
    const get = rpc('tools/call', { name: 'x_get_post', arguments: { id: '20', images: 4 } });
    const [answer] = (await call([get, get])).json;
    expect(answer.result.content).toHaveLength(1);
    expect(answer.result.content[0].text).toContain('A call in a batch gets no images.');
    expect(requests).toEqual([]);
    expect((await call(get)).json.result.content).toHaveLength(3);
  });
});

describe('[images 4] the argument', () => {
  test('above 4 counts as 4, and the text says so', async () => {
    const value = withMedia({ media: ['a', 'b', 'c', 'd', 'e'].map((name) => photo(name)) });
    const { images, notes } = await setup({ value }).get({ images: 9 });
    expect(images).toHaveLength(4);
    expect(notes).toContain('images is at most 4: 4 was used.');
  });

  test.each([
    ['2', 2],
    [' 1 ', 1],
    [true, 2],
    [false, 0],
    ['', 0],
    [null, 0],
    [undefined, 0],
    [0, 0],
  ])('%j gives %d images, and reads no others', async (images, count) => {
    const { get, requests } = setup();
    const { images: given, notes } = await get({ images });
    expect([given.length, requests.length]).toEqual([count, count]);
    expect(notes.join()).not.toContain('Ignored');
  });

  test.each([-1, 1.5, 'many', [1, 2], {}])('%j is refused before the post is read', async (images) => {
    const { text, isError } = await setup().get({ images });
    expect(isError).toBe(true);
    expect(text).toContain('images must be a whole number from 0 to 4.');
  });
});

test('[images 4] long alternative texts are cut, and the text stays within its bound', async () => {
  const alt = '[](https://evil.example) ![x](https://evil.example/y) `*_ ] '.repeat(60);
  const value = withMedia({
    media: ['a', 'b', 'c', 'd'].map((name) => photo(name, alt)),
    text: 'word '.repeat(30_000),
  });
  const { get } = setup({ value });
  for (const args of [{}, { format: 'json' }, { max_tokens: 800 }, { max_tokens: 800, format: 'json' }]) {
    const { text, images } = await get({ images: 4, ...args });
    expect(images).toHaveLength(4);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual('max_tokens' in args ? 3200 : 24_000);
  }
  const { quote } = await get({ images: 4, max_tokens: 800 });
  expect(quote.filter((line) => /^> \[Image \d: /.test(line))).toHaveLength(4);
  expect(quote.join('\n')).not.toMatch(/(?<!\\)\]\(https:\/\/evil/);
});

test('[images 4] only the first part of a long text has images', async () => {
  const { get } = setup({ value: withMedia({ text: 'word '.repeat(3000) }) });
  expect((await get({ images: 2, max_tokens: 800, part: 1 })).images).toHaveLength(2);
  expect((await get({ images: 2, max_tokens: 800, part: 2 })).images).toEqual([]);
});
