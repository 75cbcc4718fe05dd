// Lists the example requests of the documents, which the bundled sample data can answer. Loads the recorded answers.
import { mediaTypes } from '../contract/media-types.ts';
import { operations, versionedPath } from '../contract/operations.ts';
import type { ParameterName } from '../contract/parameters.ts';
import { MCP_PATH } from '../contract/paths.ts';
import type { ProblemCode } from '../contract/problems.ts';
import { queryString } from '../contract/query-string.ts';
import { readWords } from '../contract/reads/index.ts';
import { type UseCaseName, useCases } from '../contract/use-cases.ts';
import { keysOf } from '../model/json.ts';
import recordedAnswers from './answers.json' with { type: 'json' };
import recorded from './examples.json' with { type: 'json' };

export type ExampleParameters = Partial<Readonly<Record<ParameterName, string>>>;

/** @returns path and query of the example request, in the given format */
export const exampleTarget = (name: UseCaseName, format: string): string => {
  const { ...query }: Partial<Record<ParameterName, string>> = readWords[name].example;
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
  lang: 'de',
} as const satisfies ExampleParameters;

/** Requests that fail, by the code of the problem. The pages show the complete answers. */
export const problemRequests = {
  unsupported_host: `${operations.readPost.path}?url=https://example.com/a&thread=1`,
  post_not_found: '/i/status/1990000000000000001',
  post_protected: '/i/status/1990000000000000100',
  route_not_found: '/api/v1/nothing',
} as const satisfies Partial<Readonly<Record<ProblemCode, string>>>;

/** The posts whose sizes the page about formats compares. The first is real, the second invented. */
export const comparedPosts = { post: '/jack/status/20', thread: '/ada_larsson/status/2034932961899447678' } as const;

export type ComparedPost = keyof typeof comparedPosts;

export interface FormatRequest {
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly body?: string;
}

const onX = (permalink: string): string => `https://x.com${permalink}`;

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

// Loads the recorded answers that the documents show: one to the example request of each use case, problem documents, and one
// post in every format. `npm run update -- examples` records them from the bundled sample data, and a test compares them.

/** The waiting time in recorded answers; a real answer has the seconds until the next window. */
export const RECORDED_WAIT = 24;

export type RecordedProblem = keyof typeof problemRequests | 'rate_limited';

export interface FormatAnswer {
  readonly contentType: string;
  readonly body: string;
}

export interface Answers {
  readonly problems: Readonly<Record<RecordedProblem, object>>;
  /** The first compared post. */
  readonly formats: Readonly<Record<ComparedFormat, FormatAnswer>>;
  /** In bytes of UTF-8, with the base URL https://postern.example. */
  readonly sizes: Readonly<Record<ComparedPost, Readonly<Record<ComparedFormat, number>>>>;
}

export const answers: Answers = recordedAnswers;

export interface Example {
  readonly json: Readonly<Record<string, unknown>>;
  /** Absent if the use case has no Markdown form. */
  readonly markdown?: string;
}

const examples: Readonly<Partial<Record<UseCaseName, Example>>> = recorded;

export const exampleRows: readonly (readonly [UseCaseName, Example])[] = keysOf(recorded).map((name) => [
  name,
  recorded[name],
]);

/** @throws Error if the use case has no example */
export const exampleOf = (name: UseCaseName): Example => {
  const example = examples[name];
  if (example === undefined) throw new Error(`${name} has no example`);
  return example;
};
