// Defines an example request per use case. The bundled sample data contains the answers.
import { mediaTypes } from '../contract/media-types.ts';
import { operations, versionedPath } from '../contract/operations.ts';
import type { ParameterName } from '../contract/parameters.ts';
import { MCP_PATH } from '../contract/paths.ts';
import type { ProblemCode } from '../contract/problems.ts';
import { queryString } from '../contract/query-string.ts';
import { type UseCaseName, useCases } from '../contract/use-cases.ts';

export type ExampleParameters = Partial<Readonly<Record<ParameterName, string>>>;

export const exampleRequests = {
  readPost: { url: 'https://x.com/jack/status/20' },
  readProfile: { handle: 'X', limit: '1' },
  readProfileById: { id: '2201001', limit: '1' },
  listPosts: { handle: 'ada_larsson', kind: 'media', limit: '1' },
  listFollowers: { handle: 'ada_larsson', limit: '1' },
  listFollowing: { handle: 'ada_larsson', limit: '1' },
  searchPosts: { q: '#ferries', limit: '1' },
  lookupPosts: { ids: '20,1990000000000000001' },
  listReplies: { id: '2034932961899447678', limit: '1' },
  listQuotes: { id: '2028036267832246272', limit: '1' },
  listReposts: { id: '2028036267832246272', limit: '1' },
  readOembed: { url: 'https://x.com/jack/status/20' },
} as const satisfies Readonly<Record<UseCaseName, ExampleParameters>>;

/** @returns path and query of the example request, in the given format */
export const exampleTarget = (name: UseCaseName, format: string): string => {
  const { ...query }: Partial<Record<ParameterName, string>> = exampleRequests[name];
  const path = versionedPath(name).replace(/\{(handle|id)\}/g, (_, variable: 'handle' | 'id') => {
    const value = query[variable] ?? '';
    delete query[variable];
    return value;
  });
  return `${path}?${queryString({ ...query, format })}`;
};

/** Example values of parameters that the requests above do not use. */
export const exampleValues = {
  id: '20',
  handle: 'jack',
  max_tokens: '2000',
  maxwidth: '550',
  feed: 'latest',
} as const satisfies ExampleParameters;

/** Requests that fail, by the code of the problem. The pages show the complete answers. */
export const problemRequests = {
  unsupported_host: `${operations.readPost.path}?url=https://example.com/a&thread=1`,
  post_not_found: '/i/status/1990000000000000001',
  post_protected: '/i/status/1990000000000000100',
  route_not_found: '/api/v1/nothing',
} as const satisfies Partial<Readonly<Record<ProblemCode, string>>>;

/** The posts whose sizes the page about formats compares. The first is real, the second invented. */
export const comparedPosts = {
  post: '/jack/status/20',
  thread: '/ada_larsson/status/2034932961899447678',
} as const;

export type ComparedPost = keyof typeof comparedPosts;

export interface FormatRequest {
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly body?: string;
}

const onX = (permalink: string): string => `https://x.com${permalink}`;

/** The request of a post in each format. */
export const formatRequests = {
  markdown: (permalink) => ({ target: permalink }),
  json: (permalink) => ({ target: `${permalink}?format=json` }),
  obsidian: (permalink) => ({ target: `${permalink}?format=obsidian` }),
  html: (permalink) => ({ target: permalink, headers: { Accept: 'text/html' } }),
  oembed: (permalink) => ({ target: `${operations.readOembed.path}?url=${onX(permalink)}` }),
  mcp: (permalink) => ({
    target: MCP_PATH,
    headers: { 'Content-Type': mediaTypes.json },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: useCases.readPost.tool, arguments: { url: onX(permalink) } },
    }),
  }),
} as const satisfies Readonly<Record<string, (permalink: string) => FormatRequest>>;

export type ComparedFormat = keyof typeof formatRequests;
