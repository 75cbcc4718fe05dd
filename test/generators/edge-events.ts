// Generates events of CloudFront for functions on viewer requests: any header, repeated fields, cookies, and a query as
// CloudFront splits it.
import fc from 'fast-check';
import type { EdgeField, EdgeRequest } from '../../functions/edge/viewer-request.ts';
import { addressTexts, ipAddresses } from './addresses.ts';
import { authorizationFields } from './credentials.ts';
import { nastyString, percentEncoded } from './nasty-strings.ts';
import { weighted } from './seed.ts';

export interface EdgeEvent {
  readonly viewer: { readonly ip: string };
  readonly request: EdgeRequest;
}

const fieldOf = (values: fc.Arbitrary<string>): fc.Arbitrary<EdgeField> =>
  weighted(
    [5, values.map((value) => ({ value }))],
    [
      1,
      fc
        .array(values, { minLength: 2, maxLength: 4 })
        .map((all) => ({ value: all[0] ?? '', multiValue: all.map((value) => ({ value })) })),
    ],
  );

// biome-ignore format: side by side they fit on a screen
const NAMES = [
  'format', 'limit', 'cursor', 'max_tokens', 'part', 'metrics', 'lang', 'translation', 'handle', 'id', 'ids', 'url', 'q', 'feed', 'kind',
  'since', 'until', 'thread', 'replies', 'layout', 'sort', 'resource', 'tools', '%66ormat', 'form%61t', 'fo+rmat',
  'FORMAT', '__proto__', 'constructor', 'toString', 'utm_source', '', '%', '%zz', 'a[]',
];

// biome-ignore format: side by side they fit on a screen
const PATHS = [
  '/', '/api/v1/posts', '/api/v1/search', '/api/v1/profiles/Jack', '/Jack', '/@Jack/status/20', '/%40jack/followers',
  '/search', '/search/rss', '/i/web/status/20', '/mcp', '/docs', '/docs/errors', '/api', '/openapi.json', '/oembed',
  '/api/convert', '/api/browse', '/admin', '/api/admin/keys', '/-/api', '/jack/status/20/photo/1',
];

const paths = weighted(
  [6, fc.constantFrom(...PATHS)],
  [2, nastyString.chain(percentEncoded).map((text) => `/${text.replaceAll(/[?#\s]/g, '')}`)],
  [
    2,
    fc
      .tuple(
        fc.constantFrom(...PATHS),
        fc.constantFrom('/', '//', '/.', '/..', '%2f', '\\', '%', '.json', ';a', '%00', '/x'),
      )
      .map((two) => two.join('')),
  ],
);

const query = fc.dictionary(
  weighted(
    [6, fc.constantFrom(...NAMES)],
    [1, nastyString.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 100))],
  ),
  fieldOf(
    fc.oneof(
      fc.constantFrom('json', 'markdown', '20', 'Jack', 'a+b', ''),
      nastyString.chain(percentEncoded),
      addressTexts.chain(percentEncoded),
    ),
  ),
  { maxKeys: 5 },
);

const manyNames = fc
  .nat(300)
  .map(
    (count): Record<string, EdgeField> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, { value: 'b' }])),
  );

const headers = fc.record<Record<string, EdgeField>>(
  {
    host: fieldOf(fc.constantFrom('postern.test', 'evil.example', 'a:1', '')),
    accept: fieldOf(
      fc.oneof(
        fc.constantFrom(
          '*/*',
          'text/html',
          'application/json',
          'text/markdown',
          'a/b;q=x',
          `${'a/b,'.repeat(3000)}text/html`,
        ),
        nastyString,
      ),
    ),
    'user-agent': fieldOf(fc.oneof(fc.constantFrom('Slackbot 1.0', 'Mozilla/5.0', 'x'.repeat(9000)), nastyString)),
    authorization: fieldOf(authorizationFields().map(({ value }) => value)),
    cookie: fieldOf(nastyString),
    'x-viewer-ip': fieldOf(ipAddresses.map(({ text }) => text)),
    'x-viewer-host': fieldOf(nastyString),
    'x-origin-secret': fieldOf(nastyString),
    'x-viewer-error': fieldOf(nastyString),
    'x-forwarded-for': fieldOf(ipAddresses.map(({ text }) => text)),
    constructor: fieldOf(nastyString),
  },
  { requiredKeys: [] },
);

export const edgeEvents: fc.Arbitrary<EdgeEvent> = fc
  .record({
    ip: ipAddresses.filter(({ network }) => network !== 'unknown').map(({ text }) => text.trim()),
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'),
    uri: paths,
    querystring: weighted([9, query], [1, manyNames]),
    headers,
    cookies: fc.dictionary(nastyString, fieldOf(nastyString), { maxKeys: 3 }),
  })
  .map(({ ip, ...request }) => ({ viewer: { ip }, request }));
