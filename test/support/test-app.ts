// Runs the Lambda handlers behind one function that routes like API Gateway, with a fixed clock, a captured log, and
// the upstream of the test.

import {
  createEngagementsHandler,
  createPostsHandler,
  createProfilesHandler,
  createSearchHandler,
} from '../../functions/bindings/reads.ts';
import { createDiscoveryHandler } from '../../functions/discovery/create-handler.ts';
import { createLegacyHandler } from '../../functions/legacy/create-handler.ts';
import { createOembedHandler } from '../../functions/oembed/create-handler.ts';
import { compressDocuments, documentsFromContract } from '../../infra/build/documents-plugin.ts';
import type { AccessControlOptions } from '../../shared/auth/access-control.ts';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import type { Allowances } from '../../shared/contract/allowances.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { permalinkPaths } from '../../shared/contract/operations.ts';
import type { OperatorValues } from '../../shared/contract/placeholders.ts';
import type { HttpResult } from '../../shared/http/event.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { Conversation, Warning } from '../../shared/model/resources.ts';
import type { User } from '../../shared/model/user.ts';
import type { HttpSettings } from '../../shared/ports/http.ts';
import type { ReadPicture } from '../../shared/ports/pictures.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import type { FailedOutcome, Outcome, Upstream, UpstreamPage } from '../../shared/ports/upstream.ts';
import { createFairUse } from '../../shared/rate-limit/fair-use.ts';
import { createCursorCodec } from '../../shared/reads/paging/signed-cursors.ts';
import { createTestAccessControl, UNLIMITED_ALLOWANCES } from './access-control.ts';
import { clocksOf } from './clocks.ts';
import { expectConformance } from './conformance.ts';
import { decoded } from './content-coding.ts';
import { CURSOR_SECRET } from './cursor-secret.ts';
import { context, type RequestOptions, routedEvent } from './event.ts';

export const BASE_URL = 'https://api.example.test';
export const NOW = Date.parse('2026-11-21T12:00:00Z');

/** A post without replies. */
export const post = (id: string, handle = 'jack', text = 'just setting up my twttr'): Conversation['post'] => ({
  id,
  url: `https://x.com/${handle}/status/${id}`,
  text,
  created_at: '2006-03-21T20:50:14Z',
  author: { handle, name: handle, url: `https://x.com/${handle}` },
  metrics: { likes: 1, reposts: 2, replies: 0, quotes: 4, bookmarks: 5, views: null },
  media: [],
  mentions: [],
  hashtags: [],
  cashtags: [],
  links: [],
});

export const found = <T>(value: T, warnings: readonly Warning[] = []): Outcome<T> => ({
  kind: 'found',
  value,
  source: 'fxtwitter',
  fetchedAt: NOW,
  warnings,
});

export const conversation = (id: string, handle?: string): Conversation => ({
  post: post(id, handle),
  ancestors: [],
  thread: [],
  replies: [],
});

export const user = (handle = 'jack', members: Partial<User> = {}): User => ({
  handle,
  id: `id-${handle}`,
  name: handle,
  url: `https://x.com/${handle}`,
  protected: false,
  ...members,
});

export const page = <T>(items: readonly T[], next?: string): UpstreamPage<T> => ({
  items,
  provider: 'fxtwitter',
  isFallback: false,
  ...(next !== undefined && { next }),
});

/** Finds everything: every post and profile, and lists of one item. */
export const upstreamFindingAll: Upstream = {
  readPost: async ({ id }) => found(conversation(id)),
  readProfile: async (handle) => found(user(handle)),
  listPosts: async () => found(page([post('20')])),
  listUsers: async () => found(page([user('ada')])),
};

const upstreamCalling = (call: () => Promise<FailedOutcome>): Upstream => ({
  readPost: call,
  readProfile: call,
  listPosts: call,
  listUsers: call,
});

/** Returns this outcome for every call. */
export const upstreamReturning = (outcome: FailedOutcome): Upstream => upstreamCalling(async () => outcome);

/** Returns this outcome for every post. */
export const postUpstreamReturning = (outcome: Outcome<Conversation>): Pick<Upstream, 'readPost'> => ({
  readPost: async () => outcome,
});

const failUnexpectedCall = (): never => {
  throw new Error('a provider was called');
};
/** Fails a test whose request must be rejected before the upstream. */
export const upstreamNotCalled: Upstream = upstreamCalling(failUnexpectedCall);

export const cursors = createCursorCodec([CURSOR_SECRET]);

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body after content decoding. */
  readonly body: string;
  /** The body as sent. */
  readonly bytes: Buffer;
  json(): Record<string, unknown>;
}

export interface TestAppOptions {
  /** Missing functions find everything. */
  readonly upstream?: Partial<Upstream>;
  readonly now?: number | (() => number);
  readonly settings?: Partial<HttpSettings>;
  readonly remainingMilliseconds?: number;
  readonly operator?: OperatorValues;
  /** @default no picture can be read */
  readonly readPicture?: ReadPicture;
  /** @default every admin request throws */
  readonly admin?: LambdaHandler;
  /** @default there are no keys, and the allowances are unlimited */
  readonly access?: Partial<Omit<AccessControlOptions, 'allowances'>> & { readonly allowances?: Partial<Allowances> };
}

/** The answer of a function as a client reads it. */
export const responseOf = (result: HttpResult): TestResponse => {
  const headers = Object.fromEntries(
    Object.entries(result.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const bytes = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const body = decoded(bytes, headers['content-encoding']);
  return { status: result.statusCode ?? 0, headers, body, bytes, json: () => JSON.parse(body) };
};

const documents = await compressDocuments(await documentsFromContract(), 0);

export interface TestApp {
  get(target: string, options?: RequestOptions): Promise<TestResponse>;
  readonly log: LogFields[];
}

export const createTestApp = ({
  upstream = upstreamFindingAll,
  now = NOW,
  settings,
  remainingMilliseconds,
  access = {},
  admin = failUnexpectedCall,
  operator = {},
  readPicture,
}: TestAppOptions = {}): TestApp => {
  const lines: LogFields[] = [];
  const clocks = clocksOf(typeof now === 'function' ? now : () => now);
  const log = (fields: LogFields): void => void lines.push(fields);
  const ports = {
    ...clocks,
    log,
    accessControl: createTestAccessControl({
      ...clocks,
      log,
      ...access,
      allowances: { ...UNLIMITED_ALLOWANCES, ...access.allowances },
    }),
    settings: { originSecrets: ['local'], baseUrl: BASE_URL, cacheTtlSeconds: 300, ...settings },
    upstream: { ...upstreamFindingAll, ...upstream },
    cursors,
    fairUse: createFairUse(clocks.clock, clientNetwork),
    ...(readPicture && { readPicture }),
  };
  const handlers = {
    posts: createPostsHandler(ports),
    engagements: createEngagementsHandler(ports),
    profiles: createProfilesHandler(ports),
    search: createSearchHandler(ports),
    legacy: createLegacyHandler(ports),
    oembed: createOembedHandler(ports),
    discovery: createDiscoveryHandler(documents, { ...ports, operator, permalinkPaths }),
    mcp: failUnexpectedCall,
    admin,
  } satisfies Record<LambdaName, LambdaHandler>;
  return {
    log: lines,
    async get(target, options) {
      const { lambda, event } = routedEvent(target, options);
      const answer = responseOf(await handlers[lambda](event, context(remainingMilliseconds)));
      expectConformance(options?.method ?? 'GET', target, answer, options?.headers);
      return answer;
    },
  };
};
