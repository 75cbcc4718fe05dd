// Compares with golden files what each provider is requested, and the outcome. `npm run update -- golden` writes the files
// again.
import { expect, test } from 'vitest';
import type { TimelineKind } from '../../../shared/model/lists.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import type { Provider, ProviderOptions, ProviderPage } from '../../../shared/upstream/provider.ts';
import { createSyndication } from '../../../shared/upstream/syndication/provider.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import * as fxTwitter from '../../support/constructed/fxtwitter-bodies.ts';
import * as syndication from '../../support/constructed/syndication-bodies.ts';
import * as xApi from '../../support/constructed/x-api-bodies.ts';
import type { Json } from '../../support/member-table.ts';
import { BASE_URL, json, type ListRequest, providerCalling, readList } from '../../support/provider-calls.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');

type Create = (options: ProviderOptions) => Provider;

/** @returns the body of the first pattern that the URL has */
type Answers = readonly (readonly [RegExp, Json])[];

/** Shows the requested fields only once. */
const LONG_PARAMETER = /[?&][a-z.]+=[^&]{60,}/g;

const decoded = (path: string, shown: Set<string>): string =>
  decodeURIComponent(path.replaceAll('+', ' ')).replaceAll(LONG_PARAMETER, (parameter) => {
    if (shown.has(parameter)) return parameter.replace(/=.*/s, '=…');
    shown.add(parameter);
    return parameter;
  });

/** @returns a line per request and the outcome */
const linesOf = async (
  create: Create,
  answers: Answers,
  shown: Set<string>,
  call: (provider: Provider, budget: CallBudget) => Promise<Outcome<unknown>> | undefined,
): Promise<string[]> => {
  const lines: string[] = [];
  const answer = ({ href }: URL): FetchResult => {
    const path = href.slice(BASE_URL.length);
    lines.push(`  GET ${decoded(path, shown)}`);
    const [, body] = answers.find(([pattern]) => pattern.test(path)) ?? [];
    return body === undefined ? json({ code: 404 }, 404) : json(body);
  };
  const outcome = await call(providerCalling(create, answer, NOW), {
    deadline: readingAt(NOW + 8000),
    calls: { retries: 0 },
  });
  return [...lines, `  ${outcome === undefined ? 'not offered' : summaryOf(outcome)}`];
};

const isPage = (value: unknown): value is ProviderPage<unknown> =>
  typeof value === 'object' && value !== null && 'items' in value;

const summaryOf = (outcome: Outcome<unknown>): string => {
  if (outcome.kind !== 'found') return JSON.stringify(outcome);
  const codes = outcome.warnings.map(({ code }) => code).join(', ');
  const { value } = outcome;
  const page = isPage(value) ? ` ${value.items.length} items, next ${value.next ?? 'none'}` : '';
  return `found${page}${codes === '' ? '' : `, with ${codes}`}`;
};

const ID = '2031309083243446753';
const KINDS: readonly TimelineKind[] = ['posts', 'replies', 'media', 'articles'];

type Call = Parameters<typeof linesOf>[3];
type NamedCall = readonly [string, Call];

const listed = (name: string, request: ListRequest, size = 20, cursor?: string): NamedCall => [
  name,
  (provider, budget) => readList(provider, request, { size, ...(cursor !== undefined && { cursor }) }, budget),
];

const timelineAt = (
  cursor: string | undefined,
  kind: TimelineKind = 'posts',
  period: { readonly since?: number; readonly until?: number } = {},
): NamedCall => {
  const times = Object.entries(period).map(([name, time]) => ` ${name} ${new Date(time).toISOString()}`);
  const request = { list: 'posts', kind, handle: 'ada_larsson', ...period } as const;
  return listed(`timeline of ${kind}${times.join('')}, cursor ${cursor ?? 'none'}`, request, 20, cursor);
};

const FORMS = (['off', 'full'] as const).flatMap((thread) =>
  (['off', 'top', 'recent'] as const).map((replies) => ({ id: ID, thread, replies })),
);

const HANDLE = 'ada_larsson';

/** The calls that all providers of lists have in common. */
const commonCalls = (sizes: readonly number[]): readonly NamedCall[] => [
  ...FORMS.map(
    (request): NamedCall => [
      `post, thread ${request.thread}, replies ${request.replies}`,
      (provider, budget) => provider.readPost?.(request, budget),
    ],
  ),
  [
    'post with an id of one digit',
    (provider, budget) => provider.readPost?.({ id: '1', thread: 'off', replies: 'off' }, budget),
  ],
  ['profile', (provider, budget) => provider.readProfile?.(HANDLE, budget)],
  ...KINDS.map((kind) => timelineAt(undefined, kind)),
  ...(['latest', 'top', 'media'] as const).map((feed) =>
    listed(`search, ${feed}`, { list: 'search', query: 'tide & ice', feed }),
  ),
  ...(['top', 'recent'] as const).map((order) => listed(`replies, ${order}`, { list: 'replies', id: ID, order })),
  ...(['followers', 'following'] as const).map((list) => listed(list, { list, handle: HANDLE })),
  listed('suggested accounts', { list: 'users', query: 'ada l' }),
  ...sizes.flatMap((size) => [
    listed(`quotes, ${size}`, { list: 'quotes', id: ID }, size),
    listed(`reposts, ${size}`, { list: 'reposts', id: ID }, size),
    listed(`timeline, ${size}`, { list: 'posts', kind: 'posts', handle: HANDLE }, size, '7:T'),
    listed(`followers, ${size}`, { list: 'followers', handle: HANDLE }, size, '7:T'),
    listed(`search, ${size}`, { list: 'search', query: 'tide', feed: 'latest' }, size, 'T'),
  ]),
];

const repliesAt = (cursor?: string, id = ID): NamedCall =>
  listed(`replies to ${id}, cursor ${cursor ?? 'none'}`, { list: 'replies', id, order: 'recent' }, 20, cursor);

const report = async (create: Create, answers: Answers, calls: readonly NamedCall[]): Promise<string> => {
  const parts: string[] = [];
  const shown = new Set<string>();
  for (const [name, call] of calls) parts.push([name, ...(await linesOf(create, answers, shown, call))].join('\n'));
  return `${parts.join('\n')}\n`;
};

const golden = (name: string): string => `../../golden/upstream/${name}-requests.txt`;

const DAY = 86_400_000;

test('FxTwitter is requested for each list and page', async () => {
  const status = {
    ...fxTwitter.conversation,
    status: { type: 'status', id: ID, text: 'x', source: 'Web' },
    thread: [],
    replies: [],
  };
  const older = { type: 'status', id: '40', text: 'x', created_at: '2026-08-10T12:00:00Z' };
  const posts = { ...fxTwitter.posts, results: [older] };
  const answers: Answers = [
    [/\/reposts|follow/, fxTwitter.users],
    [/\/typeahead/, { code: 200, users: fxTwitter.users['results'] }],
    [/\/2\/(?:status|conversation|thread)\/[0-9]+(?:\?|$)/, status],
    [/\/2\/profile\/\w+(?:$|\?)/, fxTwitter.profile],
    [/./, posts],
  ];
  const calls = [
    ...commonCalls([1, 20, 21]),
    repliesAt(undefined, '1'),
    ...['conversation|eve|7|9|5|0|||T', 'search|eve|7|9|5|0||8|T', 'eve|T'].map((cursor) => repliesAt(cursor)),
    ...KINDS.map((kind) => timelineAt(undefined, kind, { until: NOW - DAY })),
    timelineAt(undefined, 'posts', { until: NOW }),
    timelineAt(undefined, 'posts', { until: NOW + 1 }),
    timelineAt(undefined, 'posts', { until: NOW - DAY + 1 }),
    timelineAt(undefined, 'posts', { until: 0 }),
    timelineAt(undefined, 'posts', { since: NOW - 20 * DAY, until: NOW - DAY }),
    timelineAt(undefined, 'posts', { since: 0, until: NOW - DAY }),
    timelineAt(undefined, 'posts', { since: NOW - 2 * DAY }),
    timelineAt('SCROLL'),
    timelineAt('2026-08-20/2026-08-15/SCROLL'),
    timelineAt('2026-08-20//'),
    timelineAt('2026-08-20//DAAB'),
    timelineAt('2026-08-11//DAAB'),
    timelineAt('2026-08-11/2026-08-10/DAAB', 'posts', { since: Date.parse('2026-08-10T00:00:00Z') }),
    timelineAt('2026-08-12/2026-08-11/DAAB', 'posts', { since: Date.parse('2026-08-10T23:00:00Z') }),
    timelineAt('2026-02-30//'),
    timelineAt('2026-08-20/2026-02-30/'),
    timelineAt('2006-03-21//'),
    timelineAt('2006-03-22//'),
    timelineAt('2026-08-20//', 'articles'),
  ];
  await expect(await report(createFxTwitter, answers, calls)).toMatchFileSnapshot(golden('fxtwitter'));
});

test('the official API is requested for each list and page', async () => {
  const fields = ({ data }: Json): Json => (typeof data === 'object' && data !== null ? { ...data } : {});
  const recent = { ...xApi.text, data: { ...fields(xApi.text), id: ID, created_at: '2026-08-24T00:00:00Z' } };
  const answers: Answers = [
    [/\/2\/users\/by\/username\//, xApi.profile],
    [/\/2\/tweets\/99\?/, { data: { id: '99', text: 'x' } }],
    [/\/2\/tweets\/[0-9]+\?/, recent],
    [/\/(?:followers|following|retweeted_by)\?/, { data: [fields(xApi.profile)], meta: { next_token: 'n' } }],
    [/./, xApi.posts],
  ];
  const start = Date.parse('2010-11-06T00:00:01Z');
  const end = NOW - 10_000;
  const long = (feed: 'latest' | 'media', length: number): NamedCall =>
    listed(`a search of ${length} characters, ${feed}`, { list: 'search', query: 'x'.repeat(length), feed });
  const calls = [
    ...commonCalls([1, 4, 5, 9, 10, 100, 101, 1000, 1001]),
    repliesAt(undefined, '99'),
    ...['7:eve:T', '7::T', '7:eve:', '7:eve', '07:eve:T', `7:${'e'.repeat(31)}:T`].map((cursor) => repliesAt(cursor)),
    ...['7:T', '7:', ':T', 'T', '7', '77', '07:T'].map((cursor) => timelineAt(cursor)),
    ...[start - 1, start, start + 1, end, end + 1].map((since) => timelineAt('7:T', 'posts', { since })),
    ...[start, start + 1, start + 2000, end, end + 1].map((until) => timelineAt('7:T', 'posts', { until })),
    timelineAt('7:T', 'posts', { since: start + 500, until: end - 500 }),
    long('latest', 512),
    long('latest', 513),
    long('media', 500),
    long('media', 501),
  ];
  await expect(await report(createXApi, answers, calls)).toMatchFileSnapshot(golden('x-api'));
});

test('the syndication CDN is requested for posts only', async () => {
  const answers: Answers = [[/./, { ...syndication.text, id_str: ID }]];
  await expect(await report(createSyndication, answers, commonCalls([]))).toMatchFileSnapshot(golden('syndication'));
});
