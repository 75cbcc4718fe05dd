// Lists a request for every operation and format, and for every problem that a caller can cause. With the bundled
// sample, every service answers them alike.

export interface SuiteRequest {
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The problem code of an error. */
  readonly code?: string;
}

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Is malformed, so no key store is needed. */
const UNKNOWN_KEY = 'Bearer pstn_unknown';

const ok = (target: string, accept?: string): SuiteRequest => ({
  target,
  status: 200,
  ...(accept !== undefined && { headers: { accept } }),
});

const fails = (status: number, code: string, target: string, headers?: Record<string, string>): SuiteRequest => ({
  target,
  status,
  code,
  ...(headers && { headers }),
});

const inBothFormats = (target: string): readonly SuiteRequest[] => [
  ok(target, 'text/markdown'),
  ok(target, 'application/json'),
];

const inAllFormats = (target: string): readonly SuiteRequest[] => [...inBothFormats(target), ok(target, BROWSER)];

const POST = 'url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20';

const useCaseRequests: readonly SuiteRequest[] = [
  ...inBothFormats(`/api/v1/posts?${POST}`),
  ok(`/api/v1/posts?${POST}&format=obsidian`),
  ok(`/api/v1/posts?${POST}&format=epub`),
  ok('/ada_larsson/status/2034932961899447678?format=csl'),
  ok('/ada_larsson/status/2034932961899447678?download=1', BROWSER),
  ok('/lena_quay/status/2100000000000000411?layout=unrolled', 'text/markdown'),
  ...inAllFormats('/jack/status/20'),
  ok('/jack/status/20/photo/1'),
  ok('/jack/status/20/video/1'),
  ok('/ada_larsson/status/2034932961899447678', 'application/json'),
  ...inAllFormats('/lena_quay/status/2100000000000000411'),
  ...[
    '1848831595014459513',
    '1899954694652309701',
    '1841206275088290279',
    '2033136122065847308',
    '2033845798302647530',
  ].map((id) => ok(`/i/status/${id}`, 'application/json')),
  ok('/jack/statuses/20', 'application/json'),
  ok('/jack/article/20', 'application/json'),
  ...inAllFormats('/noor_alhuda/status/2029172504785846383/en'),
  ...inAllFormats('/i/web/status/20'),
  ...inBothFormats('/api/v1/posts/lookup?ids=20,https%3A%2F%2Fx.com%2Fi%2Fstatus%2F1990000000000000001'),
  ...inBothFormats('/api/v1/profiles/ada_larsson/posts?kind=replies&limit=3'),
  ok('/api/v1/profiles/ada_larsson/posts?since=2026-01-01&format=json'),
  ...inAllFormats('/ada_larsson/with_replies?limit=3'),
  ...inAllFormats('/ada_larsson/media?limit=3'),
  ...inAllFormats('/ada_larsson/articles?limit=3'),
  ...inBothFormats('/api/v1/posts/2034932961899447678/replies?sort=recent&limit=3'),
  ...inAllFormats('/ada_larsson/status/2034932961899447678/replies?limit=3'),
  ...inBothFormats('/api/v1/posts/2034932961899447678/conversation'),
  ...inAllFormats('/ada_larsson/status/2034932961899447678/conversation'),
  ok('/ada_larsson/status/2034932961899447678/conversation?format=ndjson'),
  ok('/api/v1/posts/2034932961899447678/conversation?format=csv'),
  ok('/api/v1/posts/2034932961899447678/conversation?format=graphml'),
  ...inBothFormats('/api/v1/posts/2028036267832246272/quotes?limit=3'),
  ...inAllFormats('/i/status/2028036267832246272/quotes'),
  ...inBothFormats('/api/v1/posts/2028036267832246272/reposts?limit=3'),
  ...inAllFormats('/i/status/2028036267832246272/retweets'),
  ...['rss', 'atom', 'jsonfeed'].flatMap((format) => [
    ok(`/api/v1/profiles/ada_larsson/posts?limit=3&format=${format}`),
    ok(`/ada_larsson/media?format=${format}`, BROWSER),
    ok(`/api/v1/search?q=tide&limit=3&format=${format}`),
  ]),
  ok('/ada_larsson/rss?limit=3', BROWSER),
  ok('/ada_larsson/with_replies/rss', 'application/rss+xml'),
  ok('/ada_larsson/media/rss', 'image/png'),
  ok('/search/rss?q=tide&limit=3'),
  ...inBothFormats('/api/v1/timeline?handles=ada_larsson,X&limit=3'),
  ...inBothFormats('/api/v1/lists/2026/posts?limit=3'),
  ...inAllFormats('/i/lists/2026?limit=3'),
  ok('/i/lists/2026/rss?limit=3'),
  ...inAllFormats('/ada_larsson,X?limit=3'),
  ...inAllFormats('/ada_larsson,X/with_replies?limit=3'),
  ...inAllFormats('/ada_larsson,X/media?limit=3'),
  ok('/ada_larsson,X/rss?limit=3', BROWSER),
  ok('/ada_larsson,X/with_replies/rss', 'application/rss+xml'),
  ok('/ada_larsson,X/media/rss', 'image/png'),
  ...inBothFormats('/api/v1/profiles/ada_larsson?limit=3'),
  ...inAllFormats('/X'),
  ...inBothFormats('/api/v1/users/2201001?limit=3'),
  ...inAllFormats('/i/user/783214'),
  ...inBothFormats('/api/v1/profiles/ada_larsson/followers?limit=5'),
  ...inAllFormats('/ada_larsson/followers'),
  ok('/ada_larsson/followers?format=ndjson'),
  ok('/ada_larsson/followers?format=csv'),
  ok('/api/v1/posts/lookup?ids=20,1990000000000000001&format=csv'),
  ok('/ada_larsson/following?format=opml'),
  ok('/api/v1/timeline?handles=ada_larsson,X&format=opml'),
  ...inBothFormats('/api/v1/profiles/ada_larsson/following?limit=5'),
  ...inAllFormats('/ada_larsson/following'),
  ...inBothFormats('/api/v1/search?q=tide&limit=3'),
  ok('/api/v1/search?q=tide&feed=users&format=json'),
  ok('/api/v1/search?q=tide&format=ndjson'),
  ok('/api/v1/search?q=tide&feed=users&format=csv'),
  ok('/ada_larsson/media?limit=3&format=csv', BROWSER),
  ...inAllFormats('/search?q=tide&feed=top'),
  ok(`/api/v1/oembed?${POST}`),
  ok(`/oembed?${POST}&maxwidth=320&maxheight=200&format=json`),
  ...inBothFormats(`/api/convert?${POST}`),
  ...inBothFormats('/api/browse?resource=profile&handle=X'),
  ok('/api/browse?resource=followers&handle=X&format=json'),
  ok('/api/browse?resource=following&handle=X&format=json'),
  ok('/api/browse?resource=search&q=tide&limit=2&format=json'),
];

const documents: readonly SuiteRequest[] = [
  '/api /openapi.json /.well-known/api-catalog /.well-known/ard.json /.well-known/ai-catalog.json',
  '/.well-known/agent-skills/index.json /.well-known/agent-skills/read-x/SKILL.md',
  '/.well-known/security.txt /mcp/server-card /server.json /llms.txt /llms-full.txt /robots.txt /sitemap.xml',
]
  .flatMap((names) => names.split(' '))
  .map((target) => ok(target));

const problems: readonly SuiteRequest[] = [
  fails(400, 'missing_parameter', '/api/v1/posts'),
  fails(400, 'invalid_url', '/api/v1/posts?url=ftp%3A%2F%2Fx.com'),
  fails(400, 'unsupported_host', '/api/v1/posts?url=https%3A%2F%2Fexample.com%2Fjack%2Fstatus%2F20'),
  fails(400, 'invalid_path', '/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack'),
  fails(400, 'invalid_handle', '/api/v1/posts?handle=a-b&id=20'),
  fails(400, 'invalid_id', '/api/v1/posts?handle=jack&id=020'),
  fails(400, 'invalid_format', `/api/v1/posts?${POST}&format=pdf`),
  fails(400, 'invalid_parameter', `/api/convert?${POST}&thread=1`),
  fails(400, 'repeated_parameter', '/api/v1/search?q=a&q=b'),
  fails(400, 'missing_parameter', '/api/v1/posts/lookup'),
  fails(400, 'invalid_id', '/api/v1/posts/lookup?ids=20,020'),
  fails(400, 'invalid_parameter', `/api/v1/posts/lookup?ids=${Array(21).fill('20').join(',')}`),
  fails(400, 'invalid_parameter', '/api/v1/profiles/X/posts?kind=likes'),
  fails(400, 'invalid_parameter', '/api/v1/profiles/X/posts?since=yesterday'),
  fails(400, 'invalid_parameter', '/X/media?since=2026-02-01&until=2026-01-01'),
  fails(400, 'missing_query', '/search'),
  fails(400, 'invalid_query', `/api/v1/search?q=${'a'.repeat(513)}`),
  fails(400, 'invalid_format', '/search?q=tide&feed=users&format=rss', { accept: BROWSER }),
  fails(400, 'missing_query', '/search/rss', { accept: BROWSER }),
  fails(400, 'invalid_feed', '/api/v1/search?q=tide&feed=people'),
  fails(400, 'invalid_cursor', '/api/v1/profiles/X/followers?cursor=AAAA'),
  fails(400, 'invalid_resource', '/api/browse?resource=posts'),
  fails(400, 'invalid_parameter', `/oembed?${POST}&maxwidth=wide`),
  fails(401, 'invalid_key', '/api/v1/search?q=tide', { authorization: UNKNOWN_KEY }),
  fails(401, 'invalid_key', '/api/browse?resource=profile&handle=X', { authorization: UNKNOWN_KEY }),
  fails(401, 'invalid_key', '/X', { authorization: UNKNOWN_KEY }),
  fails(403, 'post_protected', '/i/status/1990000000000000100'),
  fails(403, 'post_protected', '/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F1990000000000000100'),
  fails(403, 'profile_protected', '/private_pia/followers'),
  fails(403, 'profile_protected', '/private_pia/media'),
  fails(404, 'post_not_found', '/i/status/1990000000000000001'),
  fails(404, 'post_not_found', '/api/v1/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F1990000000000000001'),
  fails(400, 'invalid_parameter', '/api/v1/posts/20/replies?sort=old'),
  fails(400, 'invalid_id', '/api/v1/posts/020/quotes'),
  fails(400, 'invalid_handle', '/a-b/status/20/retweets'),
  fails(403, 'post_protected', '/api/v1/posts/1990000000000000100/replies'),
  fails(403, 'post_protected', '/api/v1/posts/1990000000000000100/conversation'),
  fails(400, 'invalid_format', '/api/v1/posts/20/replies?format=graphml'),
  fails(400, 'invalid_cursor', '/api/v1/posts/20/conversation?cursor=AAAA'),
  fails(404, 'post_not_found', '/api/v1/posts/1990000000000000001/quotes'),
  fails(404, 'profile_not_found', '/gone_gary'),
  fails(404, 'profile_not_found', '/api/v1/profiles/gone_gary/posts'),
  fails(404, 'profile_not_found', '/gone_gary/rss', { accept: BROWSER }),
  fails(404, 'profile_not_found', '/api/browse?resource=profile&handle=gone_gary'),
  fails(404, 'route_not_found', '/docs/status/20'),
  fails(406, 'not_acceptable', `/api/v1/posts?${POST}`, { accept: 'image/png' }),
  fails(406, 'not_acceptable', '/search?q=tide', { accept: 'image/png' }),
  fails(501, 'format_not_implemented', `/oembed?${POST}&format=xml`),
  fails(501, 'not_available_here', '/i/lists/1'),
  fails(503, 'upstream_unavailable', '/flaky_feed/followers'),
];

export const routeSuite: readonly SuiteRequest[] = [...useCaseRequests, ...documents, ...problems];
