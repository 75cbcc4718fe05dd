// Posts with their conversation. What its answers mean is in interpret().
import { warning } from '../../contract/warnings.ts';
import { isArticlePreview } from '../../model/article.ts';
import type { Conversation, Warning } from '../../model/conversation.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { Outcome, PostRequest } from '../../ports.ts';
import type { Fetched } from '../exchange.ts';
import type { Provider, ProviderOptions } from '../providers.ts';
import { list, type RawRecord, record, text } from '../wire.ts';
import { mapReason, type PostMapper, postMapper } from './map.ts';
import { replyOf } from './reply.ts';

const MAX_REPLIES = 20;

const postPath = ({ id, thread, replies }: PostRequest): string => {
  if (replies !== 'off') return `/2/conversation/${id}?ranking_mode=${replies === 'top' ? 'likes' : 'recency'}`;
  return thread === 'off' ? `/2/status/${id}` : `/2/thread/${id}`;
};

/** Later posts have larger ids; of more digits than a number holds. */
const byAge = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** The provider sends replies in no particular order. */
const sortReplies = (replies: readonly PostOrTombstone[], by: 'top' | 'recent'): PostOrTombstone[] => {
  const rank = (entry: PostOrTombstone): number =>
    isTombstone(entry) || by === 'recent' ? 0 : (entry.metrics.likes ?? 0);
  return [...replies].sort((a, b) => rank(b) - rank(a) || byAge(b.id, a.id));
};

const distinct = (entries: readonly PostOrTombstone[], seen: Set<string>): PostOrTombstone[] =>
  entries.filter(({ id }) => !seen.has(id) && seen.add(id));

/** @param focal stands among the entries once more */
const entriesOf = (value: unknown, mapper: PostMapper, focal: Post): PostOrTombstone[] => {
  const entries: PostOrTombstone[] = [];
  for (const raw of list(value)) {
    const entry = record(raw)?.['id'] === focal.id ? focal : mapper.entry(raw);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
};

/** What stands before and after the post; where it is missing from its own conversation, age tells. */
const split = (
  entries: readonly PostOrTombstone[],
  { id: focal }: Post,
): readonly [PostOrTombstone[], PostOrTombstone[]] => {
  const at = entries.findIndex(({ id }) => id === focal);
  if (at !== -1) return [entries.slice(0, at), entries.slice(at + 1)];
  const isOlder = ({ id }: PostOrTombstone): boolean => byAge(id, focal) < 0;
  return [entries.filter(isOlder), entries.filter((entry) => !isOlder(entry))];
};

const assemble = (post: Post, body: RawRecord, request: PostRequest, mapper: PostMapper): Conversation => {
  const [before, after] = split(entriesOf(body['thread'], mapper, post), post);
  const seen = new Set([post.id]);
  const ancestors = distinct(before, seen);
  // After the post comes what its author added; an answer of anybody else is a reply.
  const isOwn = (entry: PostOrTombstone): boolean => isTombstone(entry) || entry.author?.handle === post.author?.handle;
  const thread = distinct(after.filter(isOwn), seen);
  if (request.replies === 'off') return { post, ancestors, thread, replies: [] };
  const replies = sortReplies(distinct(entriesOf(body['replies'], mapper, post), seen), request.replies);
  return { post, ancestors, thread, replies: replies.slice(0, MAX_REPLIES) };
};

const warningsOf = (conversation: Conversation): Warning[] =>
  isArticlePreview(conversation.post) ? [warning('article_incomplete')] : [];

const found = (
  status: RawRecord,
  body: RawRecord,
  request: PostRequest,
  source: string,
  now: number,
): Outcome<Conversation> => {
  const mapper = postMapper(now);
  const post = mapper.post(status);
  if (post === undefined) return { kind: 'failed', why: 'post without usable content' };
  // A repost is answered with the original; anything else under another id is a mix-up.
  if (post.id !== request.id && post.reposted_by === undefined) return { kind: 'failed', why: 'wrong post' };
  const value = assemble(post, body, request, mapper);
  return { kind: 'found', value, source, fetchedAt: now, warnings: warningsOf(value) };
};

/** A tombstone is believed for the post that was asked for. */
const gone = (status: RawRecord, request: PostRequest): Outcome<Conversation> =>
  (text(status['id']) ?? request.id) === request.id
    ? { kind: 'gone', reason: mapReason(status) }
    : { kind: 'failed', why: 'tombstone of another post' };

/** What an answer to a post request means; a bare 404 may be an outage. */
const interpret = (fetched: Fetched, request: PostRequest, source: string, now: number): Outcome<Conversation> => {
  const reply = replyOf(fetched);
  if (reply.kind !== 'reply') return reply;
  const { code, body } = reply;
  const status = record(body['status']);
  if (status?.['type'] === 'tombstone') return gone(status, request);
  if (code === 200 && status !== undefined) return found(status, body, request, source, now);
  if (code === 401 && body['status'] === null) return { kind: 'gone', reason: 'protected' };
  if (code === 404) return { kind: 'ambiguous' };
  if (code === 400) return { kind: 'refused', why: 'the provider refused the request' };
  return { kind: 'failed', why: `code ${code} without a post` };
};

/** It takes ids of two digits and more for ids. The few older posts are for the next source to find. */
const LEAST_DIGITS = 2;

export const conversationReader =
  ({ baseUrl, source, http, clock }: ProviderOptions): NonNullable<Provider['readPost']> =>
  async (request, budget) => {
    if (request.id.length < LEAST_DIGITS) return { kind: 'ambiguous' };
    return interpret(await http.get(`${baseUrl}${postPath(request)}`, budget), request, source, clock());
  };
