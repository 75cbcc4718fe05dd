// The surfaces as AWS would run them, behind one function that routes like API Gateway: fixed clock, captured log,
// and an upstream that the test hands in.
import { discoverySurface } from '../../functions/discovery/surface.ts';
import { legacySurface } from '../../functions/legacy/surface.ts';
import { postsSurface } from '../../functions/posts/surface.ts';
import { documentsFromContract } from '../../infra/build/documents-plugin.ts';
import type { SurfaceName } from '../../shared/contract/surfaces.ts';
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import type { Conversation, Warning } from '../../shared/model/conversation.ts';
import type { DoorSettings, LogFields, Outcome, Upstream } from '../../shared/ports.ts';
import { context, dispatched, type RequestOptions } from './event.ts';

export const BASE_URL = 'https://api.example.test';
export const NOW = Date.parse('2026-11-21T12:00:00Z');

export const post = (id: string, handle = 'jack', text = 'just setting up my twttr'): Conversation['post'] => ({
  id,
  url: `https://x.com/${handle}/status/${id}`,
  text,
  created_at: '2006-03-21T20:50:14Z',
  author: { handle, name: handle, url: `https://x.com/${handle}` },
  metrics: { likes: 1, reposts: 2, replies: 3, quotes: 4, bookmarks: 5, views: null },
  media: [],
  mentions: [],
  hashtags: [],
  links: [],
});

export const found = (value: Conversation, warnings: readonly Warning[] = []): Outcome<Conversation> => ({
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

/** Finds every post. */
export const generous: Upstream = { readPost: async ({ id }) => found(conversation(id)) };

export const answering = (outcome: Outcome<Conversation>): Upstream => ({ readPost: async () => outcome });

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  json(): Record<string, unknown>;
}

export interface HouseOptions {
  readonly upstream?: Upstream;
  readonly now?: number | (() => number);
  readonly settings?: Partial<DoorSettings>;
  readonly remainingMilliseconds?: number;
}

export interface House {
  get(target: string, options?: RequestOptions): Promise<Answer>;
  readonly log: LogFields[];
}

export const house = ({
  upstream = generous,
  now = NOW,
  settings,
  remainingMilliseconds,
}: HouseOptions = {}): House => {
  const log: LogFields[] = [];
  const ports = {
    clock: typeof now === 'function' ? now : () => now,
    log: (fields: LogFields) => void log.push(fields),
    settings: { originSecrets: ['local'], baseUrl: BASE_URL, cacheTtlSeconds: 300, ...settings },
    upstream,
  };
  const surfaces = {
    posts: postsSurface(ports),
    legacy: legacySurface(ports),
    discovery: discoverySurface(documentsFromContract(), ports),
  } satisfies Record<SurfaceName, LambdaHandler>;
  return {
    log,
    async get(target, options) {
      const { surface, event } = dispatched(target, options);
      const result = await surfaces[surface](event, context(remainingMilliseconds));
      const headers = Object.fromEntries(
        Object.entries(result.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
      );
      const body = result.body ?? '';
      return { status: result.statusCode ?? 0, headers, body, json: () => JSON.parse(body) };
    },
  };
};
