// Builds conversations in the layout of the real service, and providers that serve them.
import { readFileSync } from 'node:fs';
import type { Conversation } from '../../shared/model/resources.ts';
import type { Outcome, PostRequest } from '../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../shared/upstream/http-request.ts';
import { readingAt } from './clocks.ts';
import { type ConversationLayout, type LaidOut, layoutOf, type RawPost } from './conversation-layout.ts';
import { json, providerCalling } from './provider-calls.ts';

interface RecordedConversation {
  readonly status: RawPost;
  readonly thread: readonly RawPost[];
  readonly replies?: readonly RawPost[];
  readonly cursor?: unknown;
}

export type ThreadRoute = 'conversation' | 'thread' | 'status';

export const recordedTide = (route: ThreadRoute, part: number): RecordedConversation =>
  JSON.parse(readFileSync(new URL(`../fixtures/fxtwitter/${route}/tide_${400 + part}.json`, import.meta.url), 'utf8'));

/** Parts with recorded responses. */
export const RECORDED_PARTS = [1, 2, 10, 11, 15, 21, 24, 25] as const;

export const partId = (part: number): string => `2100000000000000${400 + part}`;

/** Ids of all parts in order. */
export const PARTS: readonly string[] = Array.from({ length: 25 }, (_, index) => partId(index + 1));

const tidePosts = (): readonly RawPost[] => [
  ...recordedTide('conversation', 25).thread,
  ...(recordedTide('conversation', 1).replies ?? []),
];

export const tideLayout = (): ConversationLayout => layoutOf(tidePosts());

const PATH = /\/2\/(conversation|thread|status)\/([0-9]+)(?:\?(.*))?$/;

/** Replaces a response. @returns undefined: the response is not replaced */
export type Fault = (route: string, id: string, call: number) => LaidOut | 'down' | undefined;

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Creates the provider FxTwitter without a network. */
export const threadReader = (layout: ConversationLayout, fault: Fault = () => undefined) => {
  /** Requested paths in order. */
  const calls: string[] = [];
  const answerTo = ({ href }: URL): FetchResult => {
    const [path = '', route = '', id = '', query = ''] = PATH.exec(href) ?? [];
    calls.push(path);
    const answer = fault(route, id, calls.length) ?? layout.answer(route, id, new URLSearchParams(query));
    return answer === 'down' ? { kind: 'down', why: 'status 503' } : json(structuredClone(answer.body), answer.status);
  };
  const provider = providerCalling(createFxTwitter, answerTo, NOW);
  const read = (request: PostRequest): Promise<Outcome<Conversation>> =>
    provider.readPost(request, { deadline: readingAt(NOW + 8000), calls: { retries: 1 } });
  return { calls, read };
};

export const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

export interface WrittenPost {
  readonly id: string;
  readonly by: string;
  /** Id of the answered post. */
  readonly to?: string | undefined;
  readonly likes?: number | undefined;
  /** A tombstone with this reason replaces the post. */
  readonly gone?: string | undefined;
}

/** Builds posts of FxTwitter with all members of a conversation. A post counts the answers to it. */
export const rawPosts = (posts: readonly WrittenPost[]): RawPost[] => {
  const authors = new Map(posts.map(({ id, by }) => [id, by]));
  const answers = new Map<string | undefined, number>();
  for (const { to } of posts) answers.set(to, (answers.get(to) ?? 0) + 1);
  return posts.map(({ id, by, to, likes = 0, gone }) =>
    gone === undefined
      ? {
          type: 'status',
          id,
          text: `post ${id}`,
          author: { screen_name: by, name: by },
          source: 'Twitter Web App',
          likes,
          replies: answers.get(id) ?? 0,
          replying_to: to === undefined ? null : { screen_name: authors.get(to) ?? by, status: to },
        }
      : { type: 'tombstone', reason: gone, id, ...(to !== undefined && { parent: to }) },
  );
};

/** Builds a chain of posts of one author with the ids 1001, 1002 and so on. */
export const chainOf = (length: number, by = 'ada'): WrittenPost[] =>
  Array.from({ length }, (_, index) => ({
    id: String(1001 + index),
    by,
    to: index === 0 ? undefined : String(1000 + index),
  }));
