// Lists the surfaces of the service with a request for any subject, and reads their answers.
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { META, mirrored, rpc } from '../support/mcp-calls.ts';
import type { Query } from '../support/send.ts';
import { followerName, hitText, postText, profileName, timelineText } from '../support/truthful-provider.ts';
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

const JSON_FORMAT = { accept: 'application/json' };

const proofOfPost = ({ id }: Subject): string => postText(id);
const xUrl = ({ id }: Subject): string => encodeURIComponent(`https://x.com/ada/status/${id}`);

const POST = { readsPost: true, honoursKey: false, proofOf: proofOfPost } as const;
const BROWSE = { readsPost: false, honoursKey: true, allowance: 'browse' } as const;
const SEARCH = { ...BROWSE, allowance: 'search' } as const;

export const surfaces: readonly ReadRoute[] = [
  {
    name: 'posts',
    lambda: 'posts',
    ...POST,
    queryOf: ({ id }) => ({ target: `/api/v1/posts?handle=ada&id=${id}&format=json` }),
  },
  {
    name: 'permalink',
    lambda: 'posts',
    ...POST,
    queryOf: ({ id }) => ({ target: `/ada/status/${id}`, headers: JSON_FORMAT }),
  },
  { name: 'oEmbed', lambda: 'oembed', ...POST, queryOf: (subject) => ({ target: `/oembed?url=${xUrl(subject)}` }) },
  {
    name: 'alias of posts',
    lambda: 'legacy',
    ...POST,
    queryOf: (subject) => ({ target: `/api/convert?url=${xUrl(subject)}&format=json` }),
  },
  {
    name: 'profile',
    lambda: 'profiles',
    ...BROWSE,
    queryOf: ({ handle }) => ({ target: `/api/v1/profiles/${handle}?format=json` }),
    proofOf: ({ handle }) => profileName(handle),
  },
  {
    name: 'timeline',
    lambda: 'profiles',
    ...BROWSE,
    queryOf: ({ handle }) => ({ target: `/api/v1/profiles/${handle}/posts?format=json` }),
    proofOf: ({ handle }) => timelineText(handle),
  },
  {
    name: 'followers',
    lambda: 'profiles',
    ...BROWSE,
    queryOf: ({ handle }) => ({ target: `/api/v1/profiles/${handle}/followers?format=json` }),
    proofOf: ({ handle }) => followerName(handle),
  },
  {
    name: 'search',
    lambda: 'search',
    ...SEARCH,
    queryOf: ({ handle }) => ({ target: `/api/v1/search?q=${handle}&format=json` }),
    proofOf: ({ handle }) => hitText(handle),
  },
  {
    name: 'alias of search',
    lambda: 'legacy',
    ...SEARCH,
    queryOf: ({ handle }) => ({ target: `/api/browse?resource=search&q=${handle}&format=json` }),
    proofOf: ({ handle }) => hitText(handle),
  },
  {
    name: 'feed',
    lambda: 'profiles',
    ...BROWSE,
    queryOf: ({ handle }) => ({ target: `/${handle}/rss` }),
    proofOf: ({ handle }) => timelineText(handle),
  },
  {
    name: 'MCP',
    lambda: 'mcp',
    readsPost: true,
    honoursKey: true,
    queryOf: ({ id }) => toolCall('x_get_post', { id }),
    proofOf: proofOfPost,
  },
  {
    name: 'MCP stateless',
    lambda: 'mcp',
    ...SEARCH,
    queryOf: ({ handle }) => statelessToolCall('x_search_posts', { q: handle }),
    proofOf: ({ handle }) => hitText(handle),
  },
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

export const readAnswer = (surface: ReadRoute, subject: Subject, { status, body }: Answer): Reading => {
  const isTool = surface.name.startsWith('MCP');
  const code = /"code":\s*"([a-z_]+)"/.exec(status >= 400 || body.includes('"isError":true') ? body : '')?.[1];
  const told = isTool && code !== undefined ? Number(/"status":(\d{3})/.exec(body)?.[1] ?? status) : status;
  const isTrue = body.includes(surface.proofOf(subject)) || body.includes(JSON.stringify(surface.proofOf(subject)));
  return { status: told, code, isTrue, isServed: status === 200 && code === undefined };
};

/** @throws if there is none */
export const surfaceNamed = (name: string): ReadRoute => {
  const surface = surfaces.find((row) => row.name === name);
  if (surface === undefined) throw new Error(`there is no surface ${name}`);
  return surface;
};
