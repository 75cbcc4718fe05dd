// Presents every problem code for every kind of page.
import { describe, expect, test } from 'vitest';
import { type ProblemCode, problemRow, problems } from '../../../../shared/contract/problems.ts';
import { keysOf } from '../../../../shared/model/json.ts';
import type { ErrorFacts } from '../../../../shared/render/presenters/error-ways.ts';
import { presentError } from '../../../../shared/render/presenters/present-error.ts';

const SUBJECTS: readonly Pick<ErrorFacts, 'subject' | 'url' | 'correctedUrl' | 'handle' | 'id' | 'query'>[] = [
  { subject: 'post', url: '/jack/status/20', correctedUrl: '/jack/status/20', handle: 'jack', id: '20' },
  { subject: 'post', url: '/i/status/20', correctedUrl: '/i/status/20', id: '20' },
  { subject: 'post', url: '/a-b/status/x', correctedUrl: '/a-b/status/x' },
  { subject: 'profile', url: '/jack/followers', correctedUrl: '/jack/followers', handle: 'jack' },
  { subject: 'search', url: '/search?q=tide&feed=x', correctedUrl: '/search?q=tide', query: 'tide' },
  { subject: 'search', url: '/search', correctedUrl: '/search' },
  { subject: 'box', url: '/?q=t.co', correctedUrl: '/?q=t.co', query: 't.co' },
  { subject: 'box', url: '/', correctedUrl: '/' },
];

const facts = (members: Partial<ErrorFacts> & { readonly code: ProblemCode }): ErrorFacts => ({
  subject: 'post',
  url: '/jack/status/20',
  correctedUrl: '/jack/status/20',
  ...members,
});

const mainOf = (html: string): string => /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '';
const waysOf = (html: string): readonly string[] =>
  [...mainOf(html).matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) => href);

describe.each(keysOf(problems))('[pages 2] the page of %s', (code) => {
  test.each(SUBJECTS)('has one sentence, an explanation and at most 3 ways on for $subject $url', (subject) => {
    const html = presentError(facts({ ...subject, code }));
    const main = mainOf(html);
    expect(main).toMatch(/<h1>[A-Z@][^<]{8,60}\.<\/h1>\n<p>[^<]{10,}\.<\/p>/);
    expect(main).toContain(`<code>${problemRow(code).status} · ${code}</code>`);
    const ways = waysOf(html);
    expect(ways.length).toBeLessThanOrEqual(3);
    expect(new Set(ways).size).toBe(ways.length);
    expect(ways.filter((href) => href.startsWith('https://x.com/')).length).toBeLessThanOrEqual(1);
    expect(ways.every((href) => /^(?:\/(?!\/)|https:\/\/x\.com\/)/.test(href))).toBe(true);
    expect(html).not.toMatch(/undefined|null|NaN|\[object/);
  });
});

describe('[pages 2] the wait of a page', () => {
  const at = (seconds: number): string =>
    presentError(
      facts({ code: 'rate_limited', subject: 'search', wait: { seconds, until: '2026-11-22T14:03:20.000Z' } }),
    );

  test('counts down for 10 minutes and is a time of day beyond', () => {
    expect(at(600)).toContain(':root{--wait:600}');
    expect(at(601)).not.toContain('--wait');
    expect(at(601)).toContain('<h1>The next search is yours at 14:03:20 UTC.</h1>');
  });

  test('is named in the link of an outage', () => {
    const wait = { seconds: 30, until: '2026-11-22T14:03:20.000Z' };
    const html = presentError(facts({ code: 'upstream_unavailable', wait }));
    expect(html).toContain(
      '<a href="/jack/status/20">Try again</a>, best in <span class="count" aria-hidden="true"></span><span class="sr">30</span> seconds</li>',
    );
    expect(html).toContain('<title>X does not answer just now · Postern</title>');
  });
});

test('[pages 2] a long or hostile query is cut, escaped and isolated', () => {
  const query = `<b>"tide'& ${'سلام '.repeat(60)}`;
  const html = presentError(facts({ code: 'rate_limited', subject: 'search', query, url: '/search?q=x' }));
  const [, label = ''] = /Search for “<bdi>([^<]*)<\/bdi>” again/.exec(html) ?? [];
  expect(label).toMatch(/^&lt;b&gt;&quot;tide&#39;&amp; سلام.*…$/);
  expect(label.length).toBeLessThan(100);
  expect(html).not.toContain('<b>"');
});
