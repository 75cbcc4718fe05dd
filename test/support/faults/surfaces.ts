// Lists the surfaces of the service with a request for any subject, and reads their answers.
import type { LambdaName } from '../../../shared/contract/lambdas.ts';
import { META, mirrored, rpc } from '../mcp-calls.ts';
import type { Query } from '../send.ts';
import { followerName, hitText, postText, profileName, timelineText } from '../truthful-provider.ts';
import type { Answer } from './client.ts';

export interface Subject {
  readonly id: string;
  readonly handle: string;
}

export interface ReadRoute {
  readonly name: string;
  /** The function that answers. */
  readonly lambda: LambdaName;
  /** A second provider reads the same posts. */
  readonly readsPost: boolean;
  /** The route reads API keys. */
  readonly honoursKey: boolean;
  /** The allowance that a request spends. */
  readonly allowance?: 'search' | 'browse';
  queryOf(subject: Subject): Query;
  /** The words that a true answer about the subject has. */
  proofOf(subject: Subject): string;
}

const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const toolCall = (name: string, args: object): Query => ({
  target: '/mcp',
  headers: MCP_HEADERS,
  body: JSON.stringify(rpc('tools/call', { name, arguments: args })),
});

const statelessToolCall = (name: string, args: object): Query => {
  const params = { name, arguments: args, _meta: META };
  return {
    target: '/mcp',
    headers: { ...MCP_HEADERS, ...mirrored('tools/call', params) },
    body: JSON.stringify(rpc('tools/call', params)),
  };
};

type Kind = Pick<ReadRoute, 'readsPost' | 'honoursKey' | 'allowance'>;

const POST: Kind = { readsPost: true, honoursKey: false };
const BROWSE: Kind = { readsPost: false, honoursKey: true, allowance: 'browse' };
const SEARCH: Kind = { ...BROWSE, allowance: 'search' };

/** @param proofOf the words about the id of a post, or about a handle @param queryOf the request for it */
const surface = (
  name: string,
  lambda: LambdaName,
  kind: Kind,
  proofOf: (of: string) => string,
  queryOf: (of: string) => Query | string,
): ReadRoute => {
  const idOrHandle = ({ id, handle }: Subject): string => (kind.readsPost ? id : handle);
  return {
    name,
    lambda,
    ...kind,
    queryOf(subject) {
      const query = queryOf(idOrHandle(subject));
      return typeof query === 'string' ? { target: query } : query;
    },
    proofOf: (subject) => proofOf(idOrHandle(subject)),
  };
};

const xUrl = (id: string): string => encodeURIComponent(`https://x.com/ada/status/${id}`);
const asJson = (target: string): Query => ({ target, headers: { accept: 'application/json' } });

export const surfaces: readonly ReadRoute[] = [
  surface('posts', 'posts', POST, postText, (id) => `/api/v1/posts?handle=ada&id=${id}&format=json`),
  surface('permalink', 'posts', POST, postText, (id) => asJson(`/ada/status/${id}`)),
  surface('oEmbed', 'oembed', POST, postText, (id) => `/oembed?url=${xUrl(id)}`),
  surface('alias of posts', 'legacy', POST, postText, (id) => `/api/convert?url=${xUrl(id)}&format=json`),
  surface('profile', 'profiles', BROWSE, profileName, (handle) => `/api/v1/profiles/${handle}?format=json`),
  surface('timeline', 'profiles', BROWSE, timelineText, (handle) => `/api/v1/profiles/${handle}/posts?format=json`),
  surface(
    'followers',
    'profiles',
    BROWSE,
    followerName,
    (handle) => `/api/v1/profiles/${handle}/followers?format=json`,
  ),
  surface('search', 'search', SEARCH, hitText, (word) => `/api/v1/search?q=${word}&format=json`),
  surface('alias of search', 'legacy', SEARCH, hitText, (word) => `/api/browse?resource=search&q=${word}&format=json`),
  surface('feed', 'profiles', BROWSE, timelineText, (handle) => `/${handle}/rss`),
  surface('MCP', 'mcp', { ...POST, honoursKey: true }, postText, (id) => toolCall('x_get_post', { id })),
  surface('MCP stateless', 'mcp', SEARCH, hitText, (word) => statelessToolCall('x_search_posts', { q: word })),
];

/** The result for the caller: the HTTP status, or that of the problem in a tool result. */
export interface Reading {
  readonly status: number;
  /** Undefined: no problem. */
  readonly code: string | undefined;
  /** The answer is about the subject. */
  readonly isTrue: boolean;
  readonly isServed: boolean;
}

export interface Asked {
  readonly query: Query;
  readonly answer: Answer;
  readonly reading: Reading;
}

export const readAnswer = (route: ReadRoute, subject: Subject, { status, body }: Answer): Reading => {
  const isTool = route.name.startsWith('MCP');
  const code = /"code":\s*"([a-z_]+)"/.exec(status >= 400 || body.includes('"isError":true') ? body : '')?.[1];
  const told = isTool && code !== undefined ? Number(/"status":(\d{3})/.exec(body)?.[1] ?? status) : status;
  const isTrue = body.includes(route.proofOf(subject)) || body.includes(JSON.stringify(route.proofOf(subject)));
  return { status: told, code, isTrue, isServed: status === 200 && code === undefined };
};

/** @throws if there is none */
export const surfaceNamed = (name: string): ReadRoute => {
  const found = surfaces.find((row) => row.name === name);
  if (found === undefined) throw new Error(`there is no surface ${name}`);
  return found;
};
