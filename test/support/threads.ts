// Conversations in the layout of the real service: recorded ones, and providers that answer about them.
import { readFileSync } from 'node:fs';
import {
  type ConversationLayout,
  type LaidOut,
  layoutOf,
  type RawPost,
} from '../../infra/local/conversation-layout.ts';
import type { Conversation } from '../../shared/model/conversation.ts';
import type { Outcome, PostRequest } from '../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../shared/upstream/fxtwitter/provider.ts';
import type { JsonClient } from '../../shared/upstream/json-client.ts';

interface RecordedConversation {
  readonly status: RawPost;
  readonly thread: readonly RawPost[];
  readonly replies?: readonly RawPost[];
  readonly cursor?: unknown;
}

export type ThreadRoute = 'conversation' | 'thread' | 'status';

export const recordedTide = (route: ThreadRoute, part: number): RecordedConversation =>
  JSON.parse(readFileSync(new URL(`../fixtures/fxtwitter/${route}/tide_${400 + part}.json`, import.meta.url), 'utf8'));

/** Parts of which the answers were recorded. */
export const RECORDED_PARTS = [1, 2, 10, 11, 15, 21, 24, 25] as const;

export const partId = (part: number): string => `2100000000000000${400 + part}`;

/** Ids of all parts, in order. */
export const PARTS: readonly string[] = Array.from({ length: 25 }, (_, index) => partId(index + 1));

/** An answer of the author to a reply: no part of the thread. */
export const OWN_ANSWER = '2100000000000000440';

const tidePosts = (): readonly RawPost[] => [
  ...recordedTide('conversation', 25).thread,
  ...(recordedTide('conversation', 1).replies ?? []),
];

export const tideLayout = (): ConversationLayout => layoutOf(tidePosts());

const PATH = /\/2\/(conversation|thread|status)\/([0-9]+)(?:\?(.*))?$/;

/** Instead of an answer; undefined: the answer as it is. */
export type Fault = (route: string, id: string, call: number) => LaidOut | 'down' | undefined;

const NOW = Date.parse('2026-11-21T12:00:00Z');

export interface ThreadReader {
  read(request: PostRequest): Promise<Outcome<Conversation>>;
  /** Paths in order. */
  readonly calls: string[];
}

/** FxTwitter without a network. */
export const threadReader = (layout: ConversationLayout, fault: Fault = () => undefined): ThreadReader => {
  const calls: string[] = [];
  const http: JsonClient = {
    get: async (url) => {
      const [path = '', route = '', id = '', query = ''] = PATH.exec(url) ?? [];
      calls.push(path);
      const answer = fault(route, id, calls.length) ?? layout.answer(route, id, new URLSearchParams(query));
      if (answer === 'down') return { kind: 'down', why: 'status 503' };
      return { kind: 'response', status: answer.status, json: structuredClone(answer.body), isHtml: false };
    },
  };
  const provider = createFxTwitter({ baseUrl: 'http://127.0.0.1', source: 'fxtwitter', http, clock: () => NOW });
  return { calls, read: (request) => provider.readPost(request, { deadline: NOW + 8000, retries: 1 }) };
};

export const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

export interface WrittenPost {
  readonly id: string;
  readonly by: string;
  /** Id of the post that it answers. */
  readonly to?: string | undefined;
  readonly likes?: number | undefined;
  /** Instead of the post there is a tombstone with this reason. */
  readonly gone?: string | undefined;
}

/** Posts as FxTwitter sends them, each with what its conversation needs. */
export const rawPosts = (posts: readonly WrittenPost[]): RawPost[] => {
  const authors = new Map(posts.map(({ id, by }) => [id, by]));
  return posts.map(({ id, by, to, likes = 0, gone }) =>
    gone === undefined
      ? {
          type: 'status',
          id,
          text: `post ${id}`,
          author: { screen_name: by, name: by },
          likes,
          replying_to: to === undefined ? null : { screen_name: authors.get(to) ?? by, status: to },
        }
      : { type: 'tombstone', reason: gone, id, ...(to !== undefined && { parent: to }) },
  );
};

/** A chain of posts by one author: 1001, 1002 and so on. */
export const chainOf = (length: number, by = 'ada'): WrittenPost[] =>
  Array.from({ length }, (_, index) => ({
    id: String(1001 + index),
    by,
    to: index === 0 ? undefined : String(1000 + index),
  }));
