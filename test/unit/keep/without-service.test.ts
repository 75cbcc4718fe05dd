// Tests files and texts that are read where no service is: their links lead to X.
import { expect, test } from 'vitest';
import { createProxyPath } from '../../../shared/auth/picture-signatures.ts';
import { isLoopback } from '../../../shared/model/loopback.ts';
import type { ProxyPath } from '../../../shared/model/picture-hosts.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { pageUrlOnX } from '../../../shared/render/html/inner-links.ts';
import { pageOf, serialize } from '../../../shared/render/presenters/serialize.ts';
import { keep, recordedBooks, richBooks } from '../../support/kept-books.ts';
import { readZip } from '../../support/read-zip.ts';

const LOCAL = 'http://127.0.0.1:3000';

const URLS = { baseUrl: LOCAL, isAlone: true, pageUrl: () => '/ada/status/20' };

/** @returns the files with markup */
const textsOf = async (
  form: 'epub' | 'html',
  conversation: Conversation,
  proxyPath: ProxyPath | undefined,
): Promise<readonly string[]> => {
  const { body } = await keep(conversation, {
    form,
    proxyPath,
    urls: URLS,
    page: (shown) => pageOf(presentPost(shown, URLS)),
  });
  if (form === 'html') return [body];
  return readZip(Buffer.from(body, 'base64'))
    .filter(({ name }) => /\.(?:xhtml|opf)$/.test(name))
    .map(({ bytes }) => bytes.toString());
};

const HREF = /\b(?:href|action)="([^"]*)"/g;
/** A place in the file itself, or another file of the book. */
const INNER = /^(?:#|[\w./-]+\.(?:xhtml|css|png|jpg|webp|gif)(?:#[\w-]+)?$|package\.opf$)/;

const expectAlone = (text: string, name: string): void => {
  expect(text, name).not.toMatch(/127\.0\.0\.1|localhost|\[::1?\]|0\.0\.0\.0/);
  expect(text, name).not.toMatch(/<form|class="brand"|\/docs\b|\/assets\//);
  for (const [, href = ''] of text.matchAll(HREF))
    if (!INNER.test(href)) expect(new URL(href).protocol, `${name}: ${href}`).toMatch(/^https?:$/);
};

test.each(['epub', 'html'] as const)(
  '[save 6] the %s file of every recorded post without a service links to X and to no service',
  async (form) => {
    let links = 0;
    for (const [name, conversation] of [...(await recordedBooks()), ...richBooks])
      for (const proxyPath of [undefined, createProxyPath('secret of cursors')])
        for (const text of await textsOf(form, conversation, proxyPath)) {
          expectAlone(text, name);
          links += text.match(/href="https:\/\/x\.com\//g)?.length ?? 0;
        }
    expect(links).toBeGreaterThan(500);
  },
);

test.each(['markdown', 'obsidian', 'json'] as const)(
  '[save 6] a recorded post as %s without a service names no service',
  async (format) => {
    for (const [name, value] of [...(await recordedBooks()), ...richBooks]) {
      const warnings = [{ code: 'more_replies', message: '2 of 23 replies are shown.' }];
      const view = presentPost({ value, source: 'fxtwitter', fetchedAt: 0, warnings }, URLS);
      const { body } = serialize(view, { format, maxTokens: undefined });
      expect(body, name).not.toMatch(/127\.0\.0\.1|localhost/);
    }
  },
);

test.each([
  ['/jack', 'https://x.com/jack'],
  ['/@home', 'https://x.com/home'],
  ['/jack/with_replies', 'https://x.com/jack/with_replies'],
  ['/jack/followers', 'https://x.com/jack/followers'],
  ['/jack/status/20', 'https://x.com/jack/status/20'],
  ['/i/status/20?lang=de', 'https://x.com/i/status/20'],
  ['/jack/status/20/replies', 'https://x.com/jack/status/20'],
  ['/jack/status/20/quotes', 'https://x.com/jack/status/20/quotes'],
  ['/i/lists/7', 'https://x.com/i/lists/7'],
  ['/i/user/12', 'https://x.com/i/user/12'],
  ['/search?q=%23tide', 'https://x.com/search?q=%23tide&f=live'],
  ['/search?q=tide&feed=top', 'https://x.com/search?q=tide'],
  ['/search?q=tide&feed=users', 'https://x.com/search?q=tide&f=user'],
  ['/ada,bo', 'https://x.com/search?q=%28from%3Aada%20OR%20from%3Abo%29%20-filter%3Areplies&f=live'],
  ['/ada,bo/media', 'https://x.com/search?q=%28from%3Aada%20OR%20from%3Abo%29%20filter%3Amedia&f=live'],
  ['/', undefined],
  ['/docs', undefined],
  ['/llms.txt', undefined],
  ['/api/v1/posts?url=x', undefined],
  ['/docs/errors#a', undefined],
])('[save 6] the page %s is %s on X', (path, url) => expect(pageUrlOnX(path)).toBe(url));

test.each([
  'http://127.0.0.1:3000',
  'http://127.9.9.9',
  'http://localhost:1',
  'http://a.localhost',
  'http://LOCALHOST./x',
  'http://[::1]:3000',
  'http://[::]',
  'http://0.0.0.0:80',
  'http://2130706433',
  'http://0x7f.1',
  'http://[::ffff:127.0.0.1]',
])('[save 6] %s is a loopback URL', (url) => expect(isLoopback(url)).toBe(true));

test.each([
  'https://postern.example',
  'http://192.168.1.5:3000',
  'https://127.example',
  'https://localhost.example',
  'x',
])('[save 6] %s is no loopback URL', (url) => expect(isLoopback(url)).toBe(false));
