// Tests pages as one file, as parse5 reads them.

import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { expect, test } from 'vitest';
import { createProxyPath } from '../../../shared/auth/picture-signatures.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { ReadPicture } from '../../../shared/ports/pictures.ts';
import { trustedHtml } from '../../../shared/render/html/html.ts';
import { readSeed } from '../../generators/seed.ts';
import { drawnPicture, hostileBook, keep, recordedBooks, richBooks } from '../../support/kept-books.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';

type Node = DefaultTreeAdapterMap['node'];

/** @returns name and attributes of every element */
const elementsOf = (node: Node): readonly (readonly [string, Readonly<Record<string, string>>])[] => [
  ...('tagName' in node
    ? [[node.tagName, Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))] as const]
    : []),
  ...('childNodes' in node ? node.childNodes.flatMap(elementsOf) : []),
];

const LOADS = /^(?:src|srcset|poster|background|data|imagesrcset)$/;

const expectAlone = (html: string): void => {
  for (const [name, attributes] of elementsOf(parse(html))) {
    expect(['script', 'iframe', 'video', 'audio', 'source', 'object', 'embed']).not.toContain(name);
    if (name === 'link') expect(attributes['rel']).toBe('canonical');
    for (const [key, value] of Object.entries(attributes)) {
      if (LOADS.test(key)) expect(value).toMatch(/^data:image\/(?:png|jpeg|gif|webp);base64,/);
      if (name === 'a' && key === 'href') expect(value).toMatch(/^(?:#|https?:\/\/|obsidian:)/);
      if (key === 'action') expect(value).toMatch(/^https:\/\/postern\.example\//);
    }
  }
  expect(html).not.toMatch(/url\(\s*['"]?(?!data:)|@import/);
};

const html = async (conversation: Conversation, options: Parameters<typeof keep>[1] = {}): Promise<string> => {
  const { body, isBase64Encoded, fileName } = await keep(conversation, { form: 'html', ...options });
  expect(isBase64Encoded).toBe(false);
  expect(fileName.ascii).toMatch(/\.html$/);
  return body;
};

test('[keep 2] the page of every recorded post as one file loads nothing', async () => {
  for (const [, conversation] of [...(await recordedBooks()), ...richBooks]) expectAlone(await html(conversation));
});

test('[keep 2] pages of hostile texts as one file load nothing', async () => {
  const book = hostileBook(readSeed());
  for (let number = 0; number < 20; number += 1) expectAlone(await html(book(number)[1]));
});

const PICTURE = { type: 'photo' as const, url: 'https://pbs.twimg.com/media/a.jpg', alt_text: 'A fjord' };

test('a file has its pictures, also if the page takes them through the service', async () => {
  const page = (src: string): string =>
    `<head><meta charset="utf-8"></head><body><main><img src="${src}" alt="A"></main>`;
  for (const src of [PICTURE.url, '/assets/pbs/0123456789abcdef/media/a.jpg?name=small'])
    expect(await html(conversationOf(postOf()), { page: () => trustedHtml(page(src)) })).toContain(
      '<img src="data:image/png;base64,',
    );
});

test('[pictures 6] a file links to its pictures through the service by signed paths', async () => {
  const proxyPath = createProxyPath('secret of cursors');
  const conversation = conversationOf(postOf({ media: [PICTURE] }));
  const file = await html(conversation, { proxyPath });
  expect(file).toContain(`href="https://postern.example${proxyPath(`${PICTURE.url}?name=large`)}"`);
  expect(file).not.toMatch(/\/assets\/pbs\/media/);
});

test('[keep 2] a file stays below 4,000,000 bytes and says that pictures are links', async () => {
  const media = Array.from({ length: 4 }, (_, index) => ({
    ...PICTURE,
    url: `https://pbs.twimg.com/media/${index}.jpg`,
  }));
  const file = await html(conversationOf(postOf({ media })), {
    readPicture: async () => ({ mimeType: 'image/jpeg', bytes: Buffer.alloc(900_000) }),
  });
  expect(Buffer.byteLength(file)).toBeLessThanOrEqual(4_000_000);
  expect(file.match(/data:image\/jpeg/g)).toHaveLength(3);
  expect(file).toContain('Some pictures are links');
});

test('a picture that a page shows several times counts each time', async () => {
  const author = { ...userOf('Ada', 'ada'), avatar_url: 'https://pbs.twimg.com/profile_images/1/a_normal.jpg' };
  const replies = Array.from({ length: 20 }, (_, index) => postOf({ id: `${index + 30}`, author, text: 'Reply' }));
  const file = await html(conversationOf(postOf({ author }), { replies }), {
    readPicture: async () => ({ mimeType: 'image/png', bytes: Buffer.alloc(180_000) }),
  });
  expect(Buffer.byteLength(file)).toBeLessThanOrEqual(4_000_000);
});

test('a video is its still with a link to the file', async () => {
  const url = 'https://video.twimg.com/vid/avc1/1280x720/a.mp4';
  const media = [
    { type: 'video' as const, url, thumbnail_url: 'https://pbs.twimg.com/media/s.jpg', duration_ms: 61_000 },
  ];
  const file = await html(conversationOf(postOf({ media })));
  expect(file).toContain(`<a href="${url}" rel="nofollow noopener"><img src="data:image/png;base64,`);
  expect(file).toContain('<span>▶</span></a></div><p class="meta">Video, 1:01</p>');
});

test.each(['epub', 'html'] as const)('[keep 2] a picture of another host is asked for by no %s', async (form) => {
  const asked: string[] = [];
  const media = ['https://tracker.example/a.jpg', 'https://pbs.twimg.com.tracker.example/media/a.jpg', PICTURE.url].map(
    (url) => ({ ...PICTURE, url }),
  );
  const readPicture: ReadPicture = async (url, ...rest) => {
    asked.push(new URL(url).host);
    return drawnPicture(url, ...rest);
  };
  const author = { ...userOf('ada'), avatar_url: 'https://tracker.example/b.jpg' };
  await keep(conversationOf(postOf({ media, author })), { form, readPicture });
  expect(new Set(asked)).toEqual(new Set(['pbs.twimg.com']));
});
