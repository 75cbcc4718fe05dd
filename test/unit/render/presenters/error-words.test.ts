// Compares the words and the ways on of every error page with a golden file. `npm run update -- golden` writes the file again;
// review its diff.
import { expect, test } from 'vitest';
import { problems } from '../../../../shared/contract/problem-rows.ts';
import type { ErrorFacts } from '../../../../shared/contract/problem-ways.ts';
import type { ProblemCode } from '../../../../shared/contract/problems.ts';
import { keysOf } from '../../../../shared/model/json.ts';
import { TombstoneReason } from '../../../../shared/model/post.ts';
import { presentError } from '../../../../shared/render/presenters/present-error.ts';

const requestFor = (url: string, members: Omit<ErrorFacts, 'url' | 'correctedUrl'>): ErrorFacts => ({
  url: `${url}?thread=1`,
  correctedUrl: url,
  ...members,
});

const REQUESTS: readonly ErrorFacts[] = [
  requestFor('/jack/status/20', { subject: 'post', handle: 'jack', id: '20' }),
  requestFor('/i/status/20', { subject: 'post', id: '20' }),
  requestFor('/jack/status/x', { subject: 'post', handle: 'jack' }),
  requestFor('/jack/status/20/quotes', { subject: 'post', isList: true, handle: 'jack', id: '20' }),
  requestFor('/i/status/x/quotes', { subject: 'post', isList: true }),
  requestFor('/jack', { subject: 'profile', handle: 'jack' }),
  requestFor('/a-b', { subject: 'profile' }),
  requestFor('/jack/media', { subject: 'profile', isList: true, handle: 'jack' }),
  requestFor('/search', { subject: 'search', query: 'high  tide ' }),
  requestFor('/search', { subject: 'search', query: 'tide '.repeat(20) }),
  requestFor('/search', { subject: 'search' }),
  requestFor('/', { subject: 'box', query: 't.co/x', document: '/?q=t.co%2Fx&format=json' }),
];

/** What is protected has a code of its own. */
const reasons = TombstoneReason.exclude(['protected']).options.map((reason) => ({ reason }));
const waits = [{ wait: { seconds: 24, until: '14:03:20 UTC' } }];
const onX = [
  {
    onX: {
      text: 'On X, this address leads to the posts that an account likes. X shows this only to the account itself.',
      way: { href: '/jack', label: 'Profile of @jack' },
    },
  },
];
const details = [{ detail: '“thread” must be on or off.' }];

/** The facts of an error besides those of the request. */
const occurrences: Readonly<Partial<Record<ProblemCode, readonly Partial<ErrorFacts>[]>>> = {
  invalid_parameter: details,
  invalid_path: onX,
  route_not_found: onX,
  post_not_found: reasons,
  post_protected: [{ reason: 'protected' }],
  profile_not_found: reasons,
  rate_limited: waits,
  internal_error: waits,
  upstream_unavailable: waits,
};

const states = { bricks: 'missing', planks: 'shut', knob: 'dark' } as const;

const stateIn = (html: string): string =>
  keysOf(states).flatMap((part) => (html.includes(`class="${part}"`) ? states[part] : []))[0] ?? 'retry';

const textOf = (html: string): string =>
  html
    .replaceAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&');

const partsOf = (html: string, pattern: RegExp): string =>
  [...html.matchAll(pattern)].map(([, part = '']) => textOf(part)).join(' | ');

const wordsOf = (html: string): string =>
  [
    `**${partsOf(html, /<h1>(.*)<\/h1>/g)}**`,
    partsOf(html, /<\/h1>\n<p>(.*)<\/p>/g),
    `State: ${stateIn(html)}. Title: ${partsOf(html, /<title>(.*)<\/title>/g)}.`,
    partsOf(html, /(<code>.*What this code means<\/a>)/g),
  ].join('\n\n');

const nameOf = ({ url, isList, query }: ErrorFacts): string =>
  `${url}${isList ? ' (a list)' : ''}${query === undefined ? '' : ` (${query})`}`;

/** The requests of each value, in the order of the values. */
const grouped = (facts: readonly ErrorFacts[], keyOf: (facts: ErrorFacts) => string): Map<string, ErrorFacts[]> => {
  const groups = new Map<string, ErrorFacts[]>();
  for (const entry of facts) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return groups;
};

/** Pages of the same words stand together, and within them those of the same ways. */
const sectionOf = (code: ProblemCode): string => {
  const all = [{}, ...(occurrences[code] ?? [])].flatMap((occurrence) =>
    REQUESTS.map((request): ErrorFacts => ({ ...request, ...occurrence })),
  );
  const pages = [...grouped(all, (facts) => wordsOf(String(presentError(code, facts))))].map(([words, sameWords]) => {
    const ways = [...grouped(sameWords, (facts) => partsOf(String(presentError(code, facts)), /<li>(.*?)<\/li>/g))];
    const lines = ways.map(([shown, sameWays]) => `- ${sameWays.map(nameOf).join(', ')}: ${shown}`);
    return `${words}\n\n${lines.join('\n')}\n`;
  });
  return `## ${code}\n\n${pages.join('\n')}`;
};

test('[pages 2] the pages of all errors have the words and the ways on of the golden file', async () => {
  await expect(keysOf(problems).map(sectionOf).join('\n')).toMatchFileSnapshot('../../../golden/errors/pages.md');
});

test('[pages 2] the box of an error page holds the account or the query that was asked for', () => {
  const boxes = REQUESTS.map((request) =>
    partsOf(String(presentError('route_not_found', request)), /name="q" value="([^"]*)"/g),
  );
  expect(boxes.filter((text) => text !== '')).toEqual(['@jack', '@jack', 'high  tide ', 'tide '.repeat(20), 't.co/x']);
});

test('[pages 2] a page without ways on has no list', () => {
  const html = String(presentError('profile_not_found', { subject: 'box', url: '/', correctedUrl: '/' }));
  expect(html).not.toContain('<ul');
  expect(html).toMatch(/show it to the public\.<\/p>\n<p class="facts code">/);
});

const pageOf = (members: Partial<ErrorFacts>): string =>
  String(presentError('rate_limited', { subject: 'search', url: '/search?q=x', correctedUrl: '/search', ...members }));

test('[pages 2] the wait of a page counts down for 10 minutes and is a time of day beyond', () => {
  const at = (seconds: number): string => pageOf({ wait: { seconds, until: '14:03:20 UTC' } });
  expect(at(600)).toContain(':root{--wait:600}');
  expect(at(600)).toContain('<span class="count" aria-hidden="true"></span><span class="sr">600</span> seconds');
  expect(at(601)).not.toContain('--wait');
  expect(at(601)).toContain('<h1>The next search is yours at 14:03:20 UTC.</h1>');
});

test('[pages 2] a long or hostile query is cut, escaped and isolated', () => {
  const query = `<b>"tide'& ${'سلام '.repeat(60)}`;
  const html = pageOf({ query });
  const [, label = ''] = /Search for “<bdi>([^<]*)<\/bdi>” again/.exec(html) ?? [];
  expect(label).toMatch(/^&lt;b&gt;&quot;tide&#39;&amp; سلام.*…$/);
  expect(label.length).toBeLessThan(100);
  expect(html).not.toContain('<b>"');
});
