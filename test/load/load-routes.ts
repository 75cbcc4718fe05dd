// Lists the routes that the load tests request, with what limits a caller there.
import { META, mirrored, rpc } from '../support/mcp-calls.ts';
import type { Subject } from './fake-provider.ts';

export interface LoadRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Set: the request is a POST. */
  readonly body?: string;
}

/** `fairUse` counts in the memory of one Lambda; the others are allowances in the store. */
export type CallerLimit = 'fairUse' | 'search' | 'browse' | 'none';

export interface LoadRoute {
  readonly name: string;
  /** The path in /openapi.json. */
  readonly path: string;
  readonly limit: CallerLimit;
  readonly acceptsKeys: boolean;
  /** Each subject is another answer. */
  readonly hasSubjects: boolean;
  readonly requestFor: (subject: Subject) => LoadRequest;
}

const JSON_ACCEPT = { accept: 'application/json' };
const MARKDOWN_ACCEPT = { accept: 'text/markdown' };
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const get = (target: string, headers: LoadRequest['headers'] = JSON_ACCEPT): LoadRequest => ({ target, headers });

const postUrl = ({ id }: Subject): string => encodeURIComponent(`https://x.com/ada/status/${id}`);

const byPost = { limit: 'fairUse', acceptsKeys: false, hasSubjects: true } as const;
const byHandle = { limit: 'browse', acceptsKeys: true, hasSubjects: true } as const;
const byQuery = { limit: 'search', acceptsKeys: true, hasSubjects: true } as const;
const isStatic = { limit: 'none', acceptsKeys: false, hasSubjects: false } as const;

const TOOL = 'x_get_profile';

export const loadRoutes: readonly LoadRoute[] = [
  {
    name: 'post, permalink, Markdown',
    path: '/{handle}/status/{id}',
    ...byPost,
    requestFor: ({ id }) => get(`/ada/status/${id}`, MARKDOWN_ACCEPT),
  },
  {
    name: 'post, JSON',
    path: '/api/v1/posts',
    ...byPost,
    requestFor: ({ id }) => get(`/api/v1/posts?handle=ada&id=${id}`),
  },
  {
    name: 'profile',
    path: '/api/v1/profiles/{handle}',
    ...byHandle,
    requestFor: ({ handle }) => get(`/api/v1/profiles/${handle}`),
  },
  {
    name: 'timeline',
    path: '/api/v1/profiles/{handle}/posts',
    ...byHandle,
    requestFor: ({ handle }) => get(`/api/v1/profiles/${handle}/posts`),
  },
  {
    name: 'followers',
    path: '/api/v1/profiles/{handle}/followers',
    ...byHandle,
    requestFor: ({ handle }) => get(`/api/v1/profiles/${handle}/followers`),
  },
  {
    name: 'search',
    path: '/api/v1/search',
    ...byQuery,
    requestFor: ({ handle }) => get(`/api/v1/search?q=${handle}`),
  },
  {
    name: 'feed, RSS',
    path: '/{handle}/rss',
    ...byHandle,
    requestFor: ({ handle }) => get(`/${handle}/rss`, {}),
  },
  {
    name: 'oEmbed',
    path: '/api/v1/oembed',
    ...byPost,
    requestFor: (subject) => get(`/api/v1/oembed?url=${postUrl(subject)}`),
  },
  {
    name: 'alias /api/convert',
    path: '/api/convert',
    ...byPost,
    requestFor: (subject) => get(`/api/convert?url=${postUrl(subject)}`),
  },
  {
    name: 'MCP, handshake revisions',
    path: '/mcp',
    ...byHandle,
    requestFor: ({ handle }) => ({
      target: '/mcp',
      headers: MCP_HEADERS,
      body: JSON.stringify(rpc('tools/call', { name: TOOL, arguments: { handle } })),
    }),
  },
  {
    name: 'MCP, stateless revision',
    path: '/mcp',
    ...byHandle,
    requestFor: ({ handle }) => {
      const params = { name: TOOL, arguments: { handle } };
      return {
        target: '/mcp',
        headers: { ...MCP_HEADERS, ...mirrored('tools/call', params) },
        body: JSON.stringify(rpc('tools/call', { ...params, _meta: META })),
      };
    },
  },
  { name: 'document', path: '/openapi.json', ...isStatic, requestFor: () => get('/openapi.json') },
  { name: 'home page', path: '/', ...isStatic, requestFor: () => get('/', { accept: 'text/html' }) },
];
