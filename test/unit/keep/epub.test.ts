// Tests books with a reader of archives and parsers of XML that know nothing of their writer. .ci/books gives the same books to
// epubcheck.
import { XMLValidator } from 'fast-xml-parser';
import sax from 'sax';
import { describe, expect, test } from 'vitest';
import { warning } from '../../../shared/contract/warnings.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { ReadPicture } from '../../../shared/ports/pictures.ts';
import { readSeed } from '../../generators/seed.ts';
import { cases } from '../../support/full-form.ts';
import { drawnPicture, hostileBook, keep, recordedBooks, richBooks } from '../../support/kept-books.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';
import { readZip } from '../../support/read-zip.ts';
import { articlePost } from '../../support/rich-articles.ts';

interface ReadBook {
  readonly names: readonly string[];
  readonly file: (name: string) => string;
  readonly hrefs: readonly string[];
  readonly ids: readonly string[];
  readonly sources: readonly string[];
}

const IS_XML = /\.(?:xhtml|opf|xml)$/;

/** @throws if a file is missing or is not well-formed */
const readBook = (archive: Buffer): ReadBook => {
  const entries = readZip(archive);
  const [first] = entries;
  expect(first).toMatchObject({ name: 'mimetype', isStored: true });
  expect(archive.toString('latin1', 30, 58)).toBe('mimetypeapplication/epub+zip');
  const hrefs: string[] = [];
  const ids: string[] = [];
  const sources: string[] = [];
  for (const { name, bytes } of entries.filter(({ name }) => IS_XML.test(name))) {
    const text = bytes.toString();
    expect(XMLValidator.validate(text), name).toBe(true);
    const parser = sax.parser(true);
    parser.onerror = (error: Error) => {
      throw new Error(`${name}: ${error.message}`);
    };
    parser.onopentag = ({ name: element, attributes }: { name: string; attributes: Record<string, string> }) => {
      if (element === 'a' && attributes['href'] !== undefined) hrefs.push(attributes['href']);
      if (element === 'img') sources.push(attributes['src'] ?? '');
      if (attributes['id'] !== undefined) ids.push(`${name}#${attributes['id']}`);
      expect(attributes['lang'], name).toBe(attributes['xml:lang'] === undefined ? undefined : attributes['lang']);
    };
    parser.write(text).close();
  }
  const byName = new Map(entries.map(({ name, bytes }) => [name, bytes.toString()]));
  return {
    names: entries.map(({ name }) => name),
    file: (name) => byName.get(`EPUB/${name}`) ?? '',
    hrefs,
    ids,
    sources,
  };
};

const bookOf = async (conversation: Conversation, options: Parameters<typeof keep>[1] = {}): Promise<ReadBook> => {
  const { body, isBase64Encoded } = await keep(conversation, options);
  expect(isBase64Encoded).toBe(true);
  return readBook(Buffer.from(body, 'base64'));
};

/** Nothing is loaded from another host, and every part of the book is there. */
const expectWhole = ({ names, sources, hrefs, ids, file }: ReadBook): void => {
  expect(new Set(ids).size).toBe(ids.length);
  for (const source of sources) expect(names).toContain(`EPUB/${source}`);
  for (const href of hrefs) {
    if (/^https?:/.test(href)) continue;
    const [name = '', fragment] = href.split('#');
    expect(names, href).toContain(`EPUB/${name}`);
    if (fragment !== undefined) expect(ids, href).toContain(`EPUB/${name}#${fragment}`);
  }
  const listed = [...file('package.opf').matchAll(/ href="([^"]+)"/g)].map(([, href]) => `EPUB/${href}`);
  expect([...listed, 'META-INF/container.xml', 'EPUB/package.opf', 'mimetype'].toSorted()).toEqual(
    [...names].toSorted(),
  );
};

test('[keep 1] recorded posts, threads and articles are whole books', async () => {
  const books = [...(await recordedBooks()), ...richBooks];
  expect(books.length).toBeGreaterThan(100);
  for (const [, conversation] of books) expectWhole(await bookOf(conversation));
});

test('[keep 1] posts of hostile texts and URLs are whole books', async () => {
  const book = hostileBook(readSeed());
  for (let number = 0; number < cases(20, 200); number += 1) expectWhole(await bookOf(book(number)[1]));
});

/** The contents as lists of lists of titles. */
const contentsOf = ({ file }: ReadBook): string =>
  (/<nav.*<\/nav>/s.exec(file('nav.xhtml'))?.[0] ?? '')
    .replace(/<h2>.*?<\/h2>|<a [^>]*>|<\/a>|<\/?nav[^>]*>|\n/g, '')
    .replaceAll('<ol>', '(')
    .replaceAll('</ol>', ')')
    .replaceAll('<li>', '[')
    .replaceAll('</li>', ']');

const headingOf = (level: number, text: string) => ({ type: 'heading' as const, level, spans: [{ text }] });

test('[keep 6] the contents of a book have the headings of all levels, each below the one that it belongs to', async () => {
  const blocks = [
    headingOf(3, 'Before'),
    headingOf(1, 'One'),
    headingOf(2, 'One A'),
    headingOf(3, 'Deep'),
    headingOf(2, 'One B'),
    headingOf(1, 'Two'),
    headingOf(3, 'Skipped'),
    { type: 'paragraph' as const, spans: [{ text: 'End.' }] },
  ];
  const sections = '([Before][One([One A([Deep])][One B])][Two([Skipped])])';
  const essay = postOf({ text: '', article: { title: 'Essay', blocks } });
  expect(contentsOf(await bookOf(conversationOf(essay)))).toBe(`([Title page][Essay${sections}][About this book])`);
  const answer = postOf({ id: '21', text: 'Then', in_reply_to: { handle: 'ada', id: '20' } });
  expect(contentsOf(await bookOf(conversationOf(essay, { thread: [answer] })))).toBe(
    `([Title page][1. Essay${sections}][2. Then][About this book])`,
  );
});

const PICTURE = 'https://pbs.twimg.com/media/a.jpg';

const part = (id: string, text: string, members = {}) =>
  postOf({ id, url: `https://x.com/ada/status/${id}`, text, created_at: `2026-03-0${id}T10:00:00Z`, ...members });

const THREAD = conversationOf(part('1', 'First part', { lang: 'en' }), {
  ancestors: [postOf({ id: '7', text: 'What <next>?', author: userOf('Cy', 'cy') })],
  thread: [
    part('2', 'Second part', {
      in_reply_to: { handle: 'ada', id: '1' },
      media: [{ type: 'photo', url: PICTURE, alt_text: 'A <quiet> fjord', width: 40, height: 30 }],
      poll: { choices: [{ label: 'Yes', votes: 3, percentage: 75 }], total_votes: 4, closed: true },
      quote: postOf({ id: '9', text: `${'A long quote. '.repeat(30)}Its end.`, author: userOf('Bo', 'bo') }),
    }),
    { id: '3', unavailable: true, reason: 'deleted' },
    part('4', '', { media: [{ type: 'photo', url: PICTURE.replace('a.jpg', 'b.jpg') }] }),
    part('5', '', { article: { title: '\u202e', preview_text: 'First words', blocks: [] } }),
  ],
  replies: [
    postOf({ id: '30', text: 'Thanks', author: userOf('Di', 'di'), created_at: '2026-03-09T10:00:00.500Z' }),
    { id: '31', unavailable: true, reason: 'protected' },
  ],
});

const ARTICLE = conversationOf(
  articlePost({
    cover_url: 'https://pbs.twimg.com/media/c.jpg',
    modified_at: '2026-04-01T10:00:00Z',
  }),
);

/** The name of its author is a control character. */
const ARABIC = conversationOf(postOf({ text: 'مرحبا', lang: 'ar', author: userOf('\u202e', 'ada') }));
const UNKNOWN = conversationOf(postOf({ text: ' ', lang: 'qme', author: undefined, created_at: undefined }));

/** The files of a book without its pictures and the style. */
const textOf = ({ names, file }: ReadBook): string =>
  names.map((name) => (IS_XML.test(name) ? `== ${name}\n${file(name.replace('EPUB/', ''))}` : `== ${name}\n`)).join('');

test.each([
  ['thread', THREAD],
  ['article', ARTICLE],
  ['arabic', ARABIC],
  ['unknown', UNKNOWN],
])('[keep 1] the book of the %s is as in its golden file', async (name, conversation) => {
  const text = textOf(await bookOf(conversation));
  await expect(text).toMatchFileSnapshot(`../../golden/keep/${name}.txt`);
});

test.each([
  ['https://a.example/%zz?q=[|]', 'https://a.example/%25zz?q=%5B%7C%5D'],
  ['https://a_b.a-b.example:81/x#y', 'https://a_b.a-b.example:81/x#y'],
  ['https://a./', 'https://a./'],
  ['https://a..example/', undefined],
  ['https://-a.example/', undefined],
  ['https://a-.example/', undefined],
  ['https://a.example-/', undefined],
  ['https://[::1]/', undefined],
  ['https://user@a.example/', 'https://a.example/'],
])('a book links %s to %s', async (url, target) => {
  const { hrefs } = await bookOf(conversationOf(postOf({ text: `See ${url}`, links: [{ url }] })));
  const foreign = hrefs.filter((href) => /^https:\/\/(?!x\.com\/|postern\.example\/)/.test(href));
  expect(foreign).toEqual(target === undefined ? [] : [target]);
});

test('a long text is divided into files that old readers take', async () => {
  const thread = Array.from({ length: 40 }, (_, index) => postOf({ id: `${30 + index}`, text: 'word '.repeat(5000) }));
  const { names, file } = await bookOf(conversationOf(postOf(), { thread }));
  const texts = names.filter((name) => name.includes('text-'));
  expect(texts.length).toBeGreaterThan(3);
  for (const name of texts) expect(file(name.replace('EPUB/', '')).length).toBeLessThan(202_000);
});

describe('[keep 2] the pictures of a book', () => {
  const pictures = (count: number): Conversation =>
    conversationOf(
      postOf({
        media: Array.from({ length: count }, (_, index) => ({
          type: 'photo' as const,
          url: `https://pbs.twimg.com/media/p${index}.jpg`,
          alt_text: `Number ${index}`,
        })),
      }),
    );

  test('are in it while it stays below 4,000,000 bytes, and the others are links that it mentions', async () => {
    const bytes = Buffer.alloc(900_000, 7);
    const { body, isIncomplete } = await keep(pictures(6), {
      readPicture: async () => ({ mimeType: 'image/jpeg', bytes }),
    });
    const archive = Buffer.from(body, 'base64');
    expect(archive.length).toBeGreaterThan(3_600_000);
    expect(archive.length).toBeLessThanOrEqual(4_000_000);
    expect(isIncomplete).toBe(false);
    const { sources, file, hrefs } = readBook(archive);
    expect(sources).toHaveLength(4);
    expect(hrefs).toContain('https://pbs.twimg.com/media/p5.jpg?name=large');
    expect(file('text-1.xhtml')).toContain('<span class="omitted">Number 5</span>');
    expect(file('about.xhtml')).toContain('Some pictures are links');
  });

  test('are links if X does not send them, and the answer counts as incomplete', async () => {
    const { body, isIncomplete } = await keep(pictures(2), {
      readPicture: async (url, ...rest) => (url.includes('p0') ? undefined : drawnPicture(url, ...rest)),
    });
    expect(isIncomplete).toBe(true);
    expect(readBook(Buffer.from(body, 'base64')).sources).toEqual(['pictures/1.png']);
  });

  test('are links, for which X is not asked, if the post or the quote is marked as sensitive, also those of its article', async () => {
    const asked: string[] = [];
    const readPicture: ReadPicture = async (url, ...rest) => {
      asked.push(url);
      return drawnPicture(url, ...rest);
    };
    const media = { type: 'photo' as const, url: 'https://pbs.twimg.com/media/b.jpg' };
    const article = { title: 'A fjord', cover_url: PICTURE, blocks: [{ type: 'media' as const, media }] };
    const post = { ...pictures(1).post, article };
    await keep(conversationOf(post), { readPicture });
    expect(asked.length).toBeGreaterThan(1);
    asked.length = 0;
    await keep(conversationOf(postOf({ quote: { ...post, sensitive: true } })), { readPicture });
    const { sources, file } = await bookOf(conversationOf({ ...post, sensitive: true }), { readPicture });
    expect([asked, sources]).toEqual([[], []]);
    expect(file('text-1.xhtml')).toContain('Sensitive picture');
    expect(file('about.xhtml')).not.toContain('Some pictures are links');
  });

  test('are read a few at a time', async () => {
    let running = 0;
    let most = 0;
    await keep(pictures(30), {
      readPicture: async (url, ...rest) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return drawnPicture(url, ...rest);
      },
    });
    expect(most).toBe(6);
  });
});

test('the last page of a book has the warnings of the read', async () => {
  const { file } = await bookOf(THREAD, { warnings: [warning('thread_incomplete')] });
  expect(file('about.xhtml')).toContain('The thread may go on');
});
