// Creates the provider for the syndication CDN of X, which serves embeds. It reads single posts with fewer members. Its
// "not found" confirms the failed outcome of another provider.
import type { QueryKind } from '../../contract/providers.ts';
import { warning } from '../../contract/warnings.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { TombstoneReason } from '../../model/post.ts';
import type { Conversation } from '../../model/resources.ts';
import type { Outcome, PostRequest } from '../../ports/upstream.ts';
import type { FetchResult } from '../http-request.ts';
import type { CallBudget, Query, QueryKinds } from '../json-client.ts';
import { asText } from '../json-readers.ts';
import { withPartWarnings } from '../part-warnings.ts';
import type { Canaries, Provider, ProviderOptions } from '../provider.ts';
import { isTruncated, mapPost } from './map-post.ts';

/** Derives the token from the id, as the embed script does. It is not a secret. Without it the CDN returns `{}`. */
export const embedToken = (id: string): string => ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, '');

const tombstoneTexts: readonly (readonly [RegExp, TombstoneReason])[] = [
  [/\bdeleted\b/i, 'deleted'],
  [/\bsuspended\b/i, 'suspended'],
  [/\blimits who can view\b/i, 'protected'],
];

/** A tombstone without text is a post that only signed-in readers can see. */
const tombstoneReason = (body: JsonRecord): TombstoneReason => {
  const text = asText(asRecord(asRecord(body['tombstone'])?.['text'])?.['text']) ?? '';
  return tombstoneTexts.find(([pattern]) => pattern.test(text))?.[1] ?? 'withheld';
};

const found = (body: JsonRecord, request: PostRequest, source: string, now: number): Outcome<Conversation> => {
  const post = mapPost(body, now);
  if (post === undefined || post.id !== request.id) return { kind: 'failed', why: 'wrong post' };
  if (asRecord(body['user']) === undefined) return { kind: 'gone', reason: 'suspended' };
  const parent = request.thread === 'off' ? undefined : asRecord(body['parent']);
  const ancestor = parent && mapPost(parent, now);
  const answered = post.in_reply_to;
  const isAncestor = ancestor !== undefined && ancestor.id === (answered && (answered.id ?? ancestor.id));
  const isCut = isTruncated(body) || (isAncestor && parent !== undefined && isTruncated(parent));
  const wantsConversation = request.thread !== 'off' || request.replies !== 'off';
  const warnings = [
    ...(wantsConversation ? [warning('conversation_unavailable')] : []),
    warning('counts_unavailable'),
    ...(isCut ? [warning('text_incomplete')] : []),
    ...(post.article === undefined ? [] : [warning('article_incomplete')]),
  ];
  const value = { post, ancestors: isAncestor ? [ancestor] : [], thread: [], replies: [] };
  return { kind: 'found', value, source, fetchedAt: now, warnings };
};

const outcomeOf = (fetched: FetchResult, request: PostRequest, source: string, now: number): Outcome<Conversation> => {
  if (fetched.kind !== 'response') return fetched;
  if (fetched.status === 404 && fetched.isHtml) return { kind: 'absent' };
  const body = asRecord(fetched.json);
  if (fetched.status !== 200 || body === undefined) return { kind: 'failed', why: `status ${fetched.status}` };
  if (body['__typename'] === 'TweetTombstone') return { kind: 'gone', reason: tombstoneReason(body) };
  if (body['__typename'] === 'Tweet') return found(body, request, source, now);
  return { kind: 'failed', why: 'an object that is no post' };
};

const queryOf = (baseUrl: string, id: string): Query<QueryKind<'syndication'>> => ({
  kind: 'post',
  url: `${baseUrl}/tweet-result?id=${id}&lang=en&token=${embedToken(id)}`,
});

export const syndicationQueryKinds = (baseUrl: string, { post }: Canaries): QueryKinds => ({
  canaryUrlOf: () => queryOf(baseUrl, post).url,
});

export const createSyndication = ({
  baseUrl,
  source,
  http,
  clock,
}: ProviderOptions<'syndication'>): Required<Pick<Provider, 'readPost'>> =>
  withPartWarnings({
    async readPost(request: PostRequest, budget: CallBudget) {
      return outcomeOf(await http.get(queryOf(baseUrl, request.id), budget), request, source, clock());
    },
  });
