// Tests the files that readers keep, as clients get them.
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { ReadPicture } from '../../../shared/ports/pictures.ts';
import { drawnPicture } from '../../support/kept-books.ts';
import { readZip } from '../../support/read-zip.ts';
import { conversation, createTestApp, found, NOW, post, postUpstreamReturning } from '../../support/test-app.ts';

const PERMALINK = '/jack/status/20';
const POST = '/api/v1/posts?handle=jack&id=20';
const BROWSER = { headers: { accept: 'text/html' } };

const withPicture: Conversation = {
  ...conversation('20'),
  post: { ...post('20'), media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }] },
};

const app = (value: Conversation = withPicture, readPicture: ReadPicture = drawnPicture) =>
  createTestApp({ upstream: postUpstreamReturning(found(value)), readPicture });

describe.each([PERMALINK, POST, '/api/convert?handle=jack&id=20'])('%s', (target) => {
  const separator = target.includes('?') ? '&' : '?';
  const epub = `${target}${separator}format=epub`;

  test('[keep 1] [keep 4] is a book with format=epub', async () => {
    const { status, headers, bytes } = await app().get(epub);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/epub+zip');
    expect(headers['content-disposition']).toBe('attachment; filename="jack - just setting up my twttr.epub"');
    expect(headers['content-encoding']).toBeUndefined();
    expect(readZip(bytes).map(({ name }) => name)).toContain('EPUB/pictures/1.png');
  });

  test('[keep 3] answers 304 and HEAD as any other format', async () => {
    const { get } = app();
    const first = await get(epub, { headers: { 'accept-encoding': 'br' } });
    const again = await get(epub, { headers: { 'if-none-match': first.headers['etag'] ?? '' } });
    expect(again).toMatchObject({ status: 304, body: '' });
    const head = await get(epub, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head.headers['etag']).toBe(first.headers['etag']);
  });

  test('is a citation with format=csl', async () => {
    const { headers, body } = await app().get(`${target}${separator}format=csl`);
    expect(headers['content-type']).toBe('application/vnd.citationstyles.csl+json');
    expect(headers['content-disposition']).toBe('attachment; filename="jack - just setting up my twttr.json"');
    expect(JSON.parse(body)).toEqual([
      {
        id: 'x-20',
        type: 'post',
        title: 'just setting up my twttr',
        author: [{ literal: 'jack (@jack)' }],
        issued: { 'date-parts': [[2006, 3, 21]] },
        'container-title': 'X',
        URL: 'https://x.com/jack/status/20',
        number: '20',
      },
    ]);
  });
});

test('[keep 3] a file lacks a picture only for a minute', async () => {
  const { headers } = await app(withPicture, async () => undefined).get(`${PERMALINK}?format=epub`);
  expect(headers['cache-control']).toContain('s-maxage=60');
  const whole = await app().get(`${PERMALINK}?format=epub`);
  expect(whole.headers['cache-control']).not.toContain('s-maxage=60');
});

test('[keep 2] [reading 4] the page of a permalink is one file with download=1', async () => {
  const { headers, body } = await app().get(`${PERMALINK}?download=1`, BROWSER);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename="jack - just setting up my twttr.html"');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(body).toContain('src="data:image/png;base64,');
  expect(body).not.toContain('popover');
  expect((await app().get(PERMALINK, BROWSER)).body).toContain('<button type="button" popovertarget="v1-0">');
});

test.each([
  [`${PERMALINK}?download=1`, { headers: { accept: 'text/markdown' } }],
  [`${PERMALINK}?download=1&format=json`, BROWSER],
  [`${PERMALINK}?download=1&format=epub`, BROWSER],
  [`${PERMALINK}?download=yes`, BROWSER],
  [`${PERMALINK}?download=`, BROWSER],
  [`${POST}&download=1`, {}],
])('%s is 400 invalid_parameter', async (target, options) => {
  const { status, headers, body } = await app().get(target, options);
  expect(status).toBe(400);
  expect(headers['content-type'] === 'application/problem+json' ? JSON.parse(body).code : body).toContain(
    'invalid_parameter',
  );
});

test('[keep 5] pictures count of fair use, and a book beyond it has links', async () => {
  const media = Array.from({ length: 50 }, (_, index) => ({
    type: 'photo' as const,
    url: `https://pbs.twimg.com/media/p${index}.jpg`,
  }));
  const many = { ...withPicture, post: { ...withPicture.post, media } };
  const { get } = createTestApp({ upstream: postUpstreamReturning(found(many)), readPicture: drawnPicture, now: NOW });
  const counts: number[] = [];
  for (let number = 0; number < 3; number += 1) {
    const { bytes } = await get(`${PERMALINK}?format=epub`, { headers: { 'x-viewer-ip': '192.0.2.9' } });
    counts.push(readZip(bytes).filter(({ name }) => name.includes('pictures/')).length);
  }
  expect(counts).toEqual([50, 50, 20]);
});
