// Lists simple faults of a service, which the verification should find.
import type { Answer } from '../../shared/verification/answer.ts';
import {
  type Change,
  every,
  hasHeader,
  hasStatus,
  isBelow,
  isMethod,
  onlyOf,
  otherValue,
  type Scope,
  withBody,
  within,
  withLine,
  withMember,
  withOther,
  without,
  withProblem,
} from './changes.ts';

export interface PlantedFault {
  readonly name: string;
  readonly fault: Change;
}

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The header fields that the checks look at, and the answers that may lack them. */
const FIELDS: readonly (readonly [string, Scope, readonly string[]])[] = [
  [
    'an answer',
    every,
    wordsOf(`
      access-control-allow-headers access-control-allow-methods access-control-allow-origin
      access-control-expose-headers allow cache-control content-encoding content-security-policy content-type
      deprecation etag link ratelimit-policy sunset vary x-api-key-status x-content-type-options x-request-id`),
  ],
  [
    'HEAD',
    isMethod('HEAD'),
    wordsOf('content-type cache-control etag vary access-control-allow-origin x-api-key-status sunset'),
  ],
  ['304', hasStatus(304), wordsOf('cache-control etag vary access-control-allow-origin')],
  [
    'a post that is read with a key',
    (answer) => isBelow('/api/v1/posts?url=')(answer) && hasHeader('Authorization')(answer),
    ['cache-control', 'etag', 'vary'],
  ],
  ['an alias', isBelow('/api/convert?'), wordsOf('content-type etag cache-control vary')],
];

/** Header lines that no answer may have, or not all. */
const LINES: readonly (readonly [string, string])[] = [
  ['access-control-allow-credentials', 'true'],
  ['age', '1'],
  ['deprecation', '@1'],
  ['link', '<https://a.example>; rel="successor-version"'],
  ['proxy-authenticate', 'Basic'],
  ['ratelimit', '"search";r=1'],
  ['set-cookie', 'AWSALB=a'],
  ['sunset', 'Tue, 15 Sep 2026 00:00:00 GMT'],
  ['www-authenticate', 'Bearer'],
  ['x-amzn-remapped-www-authenticate', 'Bearer'],
  ['x-api-key-status', 'unverified'],
  ['x-cache', 'Hit from cloudfront'],
];

const MEMBERS = wordsOf(`
  _meta annotations base_url code content current_major_version deprecation deprecation_signals
  deprecated_aliases entries error fetched_at handle href html id instance isError jsonrpc linkset markdown
  minimum_support_window_months openapi path paths posts profile protocolVersion readOnlyHint reason
  remotes replies resolution result routes scheme securitySchemes source status successor successors sunset
  supportedVersions text title tools type url version versioning warnings width x-api-lifecycle`);

/** The name of a fault, and a part of bodies with its replacement. */
const TEXTS: readonly (readonly [string, RegExp, string])[] = [
  ['security.txt has no contact', /^Contact: .*$/gm, ''],
  ['security.txt has expired', /^Expires: .*$/gm, 'Expires: 2026-01-01T00:00:00Z'],
  ['security.txt does not expire', /^Expires: .*$/gm, ''],
  ['a Markdown document has no heading', /^# /g, ''],
  ['a Markdown document has no links', /\]\([^()\s]+\)/g, ']'],
  ['a Markdown document links a page that does not exist', /\]\((https?:[^()\s]*)\/docs[^()\s]*\)/g, ']($1/docs/none)'],
  ['the errors page lacks a section', /id="missing_query"/g, ''],
  ['the versioning page lacks a date', /2026-09-15/g, 'soon'],
  ['a page has no title for link previews', /og:title/g, 'title'],
  ['a page does not begin as HTML', /^<!doctype html>/gi, ''],
  ['an embed has a script', /<blockquote/g, '<script>1</script><blockquote'],
  ['an embed has an event handler', /<blockquote/g, '<blockquote onclick=1'],
  ['an item of RSS has no id', /<guid[^>]*>[^<]+<\/guid>/, ''],
  ['all items of RSS have one id', /(<guid[^>]*>)[^<]+<\/guid>/g, '$1one</guid>'],
  ['RSS does not end', /<\/rss>\s*$/g, ''],
  ['ard.json lacks oEmbed', /\/api\/v1\/oembed/g, '/embed'],
  ['ard.json lacks the overview', /\/llms\.txt/g, '/docs'],
  ['MCP has lost a tool', /"name":"x_list_replies"/g, '"name":"x_other"'],
  ['the catalogs name another deployment', /http:\/\/[\d.:]+/g, 'https://staging.example'],
  ['the API lacks posts', /"\/api\/v1\/posts"/g, '"/api/v1/other"'],
  ['every text is another', /x\.com/g, 'y.com'],
];

const OTHERS: readonly PlantedFault[] = [
  { name: 'the provider fails', fault: within(isBelow('/api/v1/'), withProblem(502, 'upstream_failed')) },
  { name: 'the provider is down', fault: within(isBelow('/api/v1/'), withProblem(503, 'upstream_unavailable')) },
  { name: 'every allowance is spent', fault: within(isBelow('/api/v1/'), withProblem(429, 'rate_limited')) },
  { name: '502 has another code', fault: within(isBelow('/api/v1/'), withProblem(502, 'internal_error')) },
  { name: '429 has another code', fault: within(isBelow('/api/v1/'), withProblem(429, 'too_many')) },
  {
    name: '400 says that the provider failed',
    fault: within(isBelow('/api/v1/'), withProblem(400, 'upstream_failed')),
  },
  { name: 'every path is Markdown', fault: withOther('content-type', 'text/markdown; charset=utf-8') },
  { name: 'every path is JSON', fault: withOther('content-type', 'application/json') },
  { name: 'every path is a page', fault: withOther('content-type', 'text/html; charset=utf-8') },
  {
    name: 'a page may load any script',
    fault: withOther('content-security-policy', "script-src *; default-src 'none'"),
  },
  { name: 'a page may be framed', fault: withOther('content-security-policy', "default-src 'none'") },
  { name: 'Cache-Control is private', fault: withOther('cache-control', 'private') },
  { name: 'Cache-Control is without end', fault: withOther('cache-control', 'public, max-age=1') },
  { name: 'all answers have one tag', fault: withOther('etag', 'W/"same"') },
  { name: 'ETag has no quotation marks', fault: withOther('etag', 'same') },
  { name: 'Vary names only the coding', fault: withOther('vary', 'Accept-Encoding') },
  {
    name: 'JSON posts have another body',
    fault: within(
      onlyOf('application/json'),
      withBody(() => '{"post":{}}'),
    ),
  },
  {
    name: 'compressed answers have another body',
    fault: within(
      hasHeader('Accept-Encoding'),
      withBody(() => 'a'),
    ),
  },
  {
    name: 'a key changes the body',
    fault: within(
      hasHeader('Authorization'),
      withBody(() => '{"code":"a"}'),
    ),
  },
  { name: 'all requests have one id', fault: withOther('x-request-id', 'same') },
  {
    name: 'User-Agent is lost before the edge function',
    fault: within(hasHeader('User-Agent'), withOther('content-type', 'text/markdown; charset=utf-8')),
  },
  { name: '304 has a body', fault: within(hasStatus(304), (answer) => ({ ...answer, bytes: 1 })) },
  {
    name: 'every 404 is 200',
    fault: within(hasStatus(404), (answer) => ({ ...answer, status: 200 })),
  },
  { name: 'a tag never matches', fault: within(hasStatus(304), (answer) => ({ ...answer, status: 200 })) },
  ...[200, 304, 403, 404, 500, 504].map((status) => ({
    name: `every status is ${status}`,
    fault: (answer: Answer) => ({ ...answer, status }),
  })),
  { name: 'every body is empty', fault: withBody(() => '') },
  { name: 'every body is an empty object', fault: withBody(() => '{}') },
  {
    name: 'an answer repeats its key',
    fault: (answer) => ({ ...answer, body: `${answer.body}${answer.probe.headers?.['Authorization'] ?? ''}` }),
  },
  {
    name: 'a header field repeats the key of the query',
    fault: (answer) => withLine('x-query', answer.target.split('api_key=')[1] ?? '')(answer),
  },
];

export const FAULTS: readonly PlantedFault[] = [
  ...OTHERS,
  ...FIELDS.flatMap(([subject, scope, names]) =>
    names.map((name) => ({ name: `${subject} lacks ${name}`, fault: within(scope, without(name)) })),
  ),
  ...LINES.map(([name, value]) => ({ name: `an answer has ${name}: ${value}`, fault: withLine(name, value) })),
  ...MEMBERS.flatMap((name) => [
    { name: `no body has ${name}`, fault: withMember(name, () => undefined) },
    { name: `${name} of a body is another`, fault: withMember(name, otherValue) },
  ]),
  ...TEXTS.map(([name, part, replacement]) => ({
    name,
    fault: withBody((body) => body.replace(part, replacement)),
  })),
];
