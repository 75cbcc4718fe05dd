import { expect, test } from 'vitest';
import { invalidParameters } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const GOOD = 'url=x.com/jack/status/20';
// biome-ignore format: side by side they fit on a screen
const BAD_NUMBERS = [
  'abc', '', '0', '-1', '1.5', '+5', '007', '1e3', '0x10', '550px', '%20550', '٥', 'Infinity', '1234567890123456',
];

const REFUSED: readonly (readonly [query: string, code: string, parameters: readonly string[]])[] = [
  ['', 'missing_parameter', ['url']],
  ['url=', 'missing_parameter', ['url']],
  ['maxwidth=400', 'missing_parameter', ['url']],
  ['handle=jack&id=20', 'missing_parameter', ['url']],
  ...BAD_NUMBERS.flatMap((value) =>
    ['maxwidth', 'maxheight'].map((name) => [`${GOOD}&${name}=${value}`, 'invalid_parameter', [name]] as const),
  ),
  [`${GOOD}&maxwidth=1&maxwidth=1`, 'repeated_parameter', ['maxwidth']],
  [`${GOOD}&maxheight=1&maxheight=2`, 'repeated_parameter', ['maxheight']],
  [`${GOOD}&${GOOD}`, 'repeated_parameter', ['url']],
  [`${GOOD}&format=json&format=json`, 'repeated_parameter', ['format']],
  [`${GOOD}&maxwidth=0&maxheight=x`, 'invalid_parameter', ['maxwidth', 'maxheight']],
  ['url=x.com/jack', 'invalid_path', ['url']],
  ['url=https://x.com/', 'invalid_path', ['url']],
  ['url=https://x.com/search?q=a', 'invalid_path', ['url']],
  ['url=x.com/jack/status/abc', 'invalid_id', ['url']],
  ['url=x.com/ja-ck/status/20', 'invalid_handle', ['url']],
  ['url=javascript:alert(1)', 'invalid_url', ['url']],
  ['url=%zz', 'invalid_url', ['url']],
];

test.each(REFUSED)(
  '[oembed 1] [problems 1] [problems 2] oEmbed with ?%s returns 400 %s',
  async (query, code, parameters) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const path of ['/api/v1/oembed', '/oembed'])
      expect(invalidParameters(expectProblem(await get(`${path}?${query}`), 400, code))).toEqual(parameters);
  },
);

test.each([
  'https://example.com/jack/status/20',
  'https://x.com.evil.example/jack/status/20',
  'https://x.com@evil.example/jack/status/20',
  'https://evil.example/https://x.com/jack/status/20',
  'https://evil.example/?url=https://x.com/jack/status/20',
  'https://x.com:8443/jack/status/20',
  'http://127.0.0.1/jack/status/20',
  'http://169.254.169.254/latest/meta-data/',
  'https://t.co/abc',
  'https://youtube.com/watch?v=20',
])('[urls 16] [oembed 1] oEmbed for %s returns 400 without a provider call because the host is not X', async (url) => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const path of ['/api/v1/oembed', '/oembed']) {
    const answer = await get(`${path}?url=${encodeURIComponent(url)}`);
    expect(invalidParameters(expectProblem(answer, 400, 'unsupported_host'))).toEqual(['url']);
    expect(answer.body).not.toContain('"html"');
  }
});
