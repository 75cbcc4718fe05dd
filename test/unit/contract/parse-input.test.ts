// Shows what each input makes of its parameters: the parsed input, or what a caller reads about each wrong parameter.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseInput, queryKeyOf } from '../../../shared/contract/inputs.ts';
import type { ParameterName } from '../../../shared/contract/parameters.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import { type UseCaseName, useCases } from '../../../shared/contract/use-cases.ts';
import type { ListPosition } from '../../../shared/model/lists.ts';

const POSITION: ListPosition = {
  provider: 'fxtwitter',
  size: 20,
  isPartial: false,
  emptyPages: 0,
  recentFingerprints: [],
};

const long = (count: number): string => 'a'.repeat(count);

/** Values of each parameter, alone or together with others. Each is tried with the arguments that an input needs. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  url: [
    'url=',
    'url=https://x.com/jack/status/20',
    'url=http://twitter.com/i/web/status/20/photo/1?s=1',
    'url=https://a.example/jack/status/21',
    'url=https://b.example/jack/status/21',
    'url=https://x.com/home',
    'url=https://x.com/jack/status/0',
    'url=https://x.com/not-a-handle/status/20',
    'url=ftp://x.com/jack/status/20',
    'url=https://x.com/jack/status/20&url=https://x.com/jack/status/20',
  ],
  handle: [
    'handle=',
    'handle=@Jack',
    'handle=not-a-handle',
    `handle=${long(15)}`,
    `handle=${long(16)}`,
    'handle=a&handle=a',
  ],
  id: ['id=', 'id=0', 'id=020', 'id=9223372036854775807', 'id=9223372036854775808', 'id=1&id=1'],
  ids: [
    'ids=',
    'ids=20',
    'ids=20, 21 ,20,https://x.com/jack/status/22',
    'ids=20,,21',
    'ids=20,jack',
    'ids=20,0',
    'ids=https://x.com/home',
    `ids=${Array.from({ length: 20 }, (_, index) => index + 1).join(',')}`,
    `ids=${Array.from({ length: 21 }, (_, index) => index + 1).join(',')}`,
  ],
  handles: [
    'handles=',
    'handles= ,,',
    'handles=Bo, @ada ,,bo,',
    'handles=ada,b-o',
    `handles=${Array.from({ length: 20 }, (_, index) => `a${index}`).join(',')},A0`,
    `handles=${Array.from({ length: 21 }, (_, index) => `a${index}`).join(',')}`,
    `handles=${long(1000)}`,
    `handles=${long(1001)}`,
    'handles=ada&handles=ada',
  ],
  kind: ['kind=', 'kind=media', 'kind=likes'],
  since: [
    'since=',
    'since=2026-03-02',
    'since=yesterday',
    'since=2026-03-02&until=2026-03-03T00:00:00Z',
    'since=2026-03-02&until=2026-03-02',
    'since=2026-03-03&until=2026-03-02',
  ],
  until: ['until=', 'until=2026-03-02', 'until=tomorrow'],
  sort: ['sort=', 'sort=recent', 'sort=best'],
  format: [
    'format=',
    'format=markdown',
    'format=json',
    'format=obsidian',
    'format=ndjson',
    'format=rss',
    'format=xml',
    'format=json&format=json',
  ],
  thread: ['thread=', 'thread=off', 'thread=full', 'thread=1', 'thread=2', 'thread=100', 'thread=101', 'thread=2.0'],
  replies: ['replies=', 'replies=recent', 'replies=off', 'replies=all'],
  layout: [
    'layout=',
    'layout=conversation',
    'layout=unrolled',
    'layout=unrolled&format=json',
    'layout=unrolled&format=obsidian',
    'layout=unrolled&replies=top',
    'layout=wide',
  ],
  q: ['q=', 'q=%20', 'q=%20a%20b%20', 'q=a%00', 'q=a%0Ab', 'q=%7F', `q=${long(512)}`, `q=${long(513)}`, 'q=a&q=b'],
  feed: [
    'feed=',
    'feed=top',
    'feed=media',
    'feed=users',
    'feed=users&format=rss',
    'feed=top&format=rss',
    'feed=newest',
  ],
  limit: ['limit=', 'limit=0', 'limit=1', 'limit=100', 'limit=101', 'limit=01', 'limit=1e1'],
  cursor: [
    'cursor=',
    'cursor=good',
    'cursor=forged',
    `cursor=${long(6000)}`,
    `cursor=${long(6001)}`,
    'cursor=good&limit=0',
  ],
  max_tokens: ['max_tokens=99', 'max_tokens=100', 'max_tokens=200000', 'max_tokens=200001'],
  metrics: ['metrics=on', 'metrics=off', 'metrics=', 'metrics=yes'],
  maxwidth: ['maxwidth=0', 'maxwidth=1', 'maxwidth=999999999999999', 'maxwidth=1000000000000000', 'maxwidth=wide'],
  maxheight: ['maxheight=0', 'maxheight=1', 'maxheight=-1'],
};

const IDENTIFYING: Partial<Readonly<Record<ParameterName, string>>> = {
  handle: 'handle=jack',
  id: 'id=20',
  ids: 'ids=20',
  handles: 'handles=ada,bo',
  q: 'q=tide',
};

/** The arguments without which an input is incomplete. */
const neededBy = (name: UseCaseName): readonly string[] => {
  const needed = useCases[name].parameters.flatMap((parameter) => IDENTIFYING[parameter] ?? []);
  return needed.length > 0 ? needed : ['url=https://x.com/jack/status/20'];
};

const parse = (name: UseCaseName, query: string): string => {
  const raw = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) raw.set(key, [...(raw.get(key) ?? []), value]);
  try {
    const input = parseInput(name, raw, {
      baseUrl: 'https://a.example',
      decodeCursor: (_, text) => (text === 'good' ? POSITION : undefined),
    });
    const { position, ...rest } = { position: undefined, ...input };
    const key = queryKeyOf(input);
    return `${JSON.stringify(rest)}${position === undefined ? '' : ' continued'}${key === '' ? '' : ` of ${key}`}`;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, options } = error;
    const { errors = [], detail = 'no detail' } = options;
    const all = errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; ');
    return `${code}: ${detail}${all === detail.slice(0, -1) ? '' : ` [${all}]`}`;
  }
};

const shorter = (text: string): string => text.replaceAll(/a{20,}/g, (run) => `a*${run.length}`);

const nameOf = (argument: string): string => argument.split('=')[0] ?? '';

test('each value of each parameter is parsed or rejected as in the golden file', async () => {
  const lines: string[] = [];
  const golden = readFileSync(new URL('../../golden/contract/inputs.txt', import.meta.url), 'utf8');
  // New inputs follow those of the golden file.
  const names = new Set([...[...golden.matchAll(/^## (\w+)/gm)].map(([, name]) => name), ...Object.keys(useCases)]);
  for (const name of [...names].filter((each): each is UseCaseName => Object.hasOwn(useCases, each ?? ''))) {
    const needed = neededBy(name);
    const queries = [
      '',
      needed.join('&'),
      ...useCases[name].parameters.flatMap((parameter) =>
        (VALUES[parameter] ?? []).map((values) =>
          [...needed.filter((argument) => nameOf(argument) !== parameter), values].join('&'),
        ),
      ),
    ];
    lines.push(`## ${name}`, ...[...new Set(queries)].map((query) => `?${query}\n  ${parse(name, query)}`), '');
  }
  await expect(shorter(lines.join('\n'))).toMatchFileSnapshot('../../golden/contract/inputs.txt');
});

test.each([
  ['url=https://x.com/a/status/20&handle=b&id=20', '{"id":"20","handle":"a"}'],
  ['handle=b&id=20', '{"id":"20","handle":"b"}'],
])('a post that is named by %o has the reference %s', (query, ref) => {
  expect(parse('readPost', query)).toContain(`"ref":${ref}`);
});

test('[urls 15] parseInput rejects a url and an id of different posts', () => {
  expect(parse('readPost', 'url=https://x.com/jack/status/20&handle=jack&id=21')).toMatch(/^invalid_parameter: /);
});
