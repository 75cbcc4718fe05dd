// Divides a lookup of many posts into requests, and joins their answers.
import { MAX_LOOKUP_POSTS } from '../../shared/contract/bounds.ts';
import type { LookupEntry, PostLookupBody, Warning } from './openapi.ts';
import { PosternError } from './postern-error.ts';
import { LostConnection } from './retry.ts';

/** Requests at the same time. */
const CONCURRENCY = 3;

/** The source of an answer without a post that was read. */
const NO_SOURCE = 'none';

interface Part {
  readonly ids: readonly string[];
  readonly answer?: PostLookupBody;
  readonly error?: Error;
}

/** A failure of the moment. Other errors concern all requests. */
const isOfOneRequest = (error: unknown): error is Error =>
  error instanceof LostConnection ||
  (error instanceof PosternError && (error.status === 0 || error.status === 429 || error.status >= 500));

function* divide(ids: readonly string[]): Generator<readonly [part: number, ids: readonly string[]], void> {
  for (let part = 0; part * MAX_LOOKUP_POSTS < ids.length; part += 1)
    yield [part, ids.slice(part * MAX_LOOKUP_POSTS, (part + 1) * MAX_LOOKUP_POSTS)];
}

/** As the service writes a post that it could not read, beside others that it could. */
const unreadPost = (id: string): LookupEntry => ({ id, unavailable: true, reason: 'failed' });

const warningOf = ({ ids, answer, error }: Part): readonly Warning[] =>
  answer?.warnings ?? [{ code: 'posts_failed', message: `${ids.length} posts could not be read. ${error?.message}` }];

/** Warnings of one code can count other posts. */
const distinctMessages = (warnings: readonly Warning[]): Warning[] => [
  ...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values(),
];

const distinctSources = (answers: readonly PostLookupBody[]): string => {
  const sources = new Set(answers.flatMap(({ source }) => source.split(', ')));
  if (sources.size > 1) sources.delete(NO_SOURCE);
  return [...sources].join(', ');
};

/** @throws the error of the first part if no part has an answer */
const join = (parts: readonly Part[]): PostLookupBody => {
  const answers = parts.flatMap(({ answer }) => answer ?? []);
  const [first] = answers;
  if (first === undefined) throw parts[0]?.error;
  return {
    ...first,
    source: distinctSources(answers),
    fetched_at: answers.map((answer) => answer.fetched_at).toSorted()[0] ?? first.fetched_at,
    warnings: distinctMessages(parts.flatMap(warningOf)),
    posts: parts.flatMap(({ ids, answer }) => answer?.posts ?? ids.map(unreadPost)),
    markdown: answers.map(({ markdown }) => markdown).join('\n'),
  };
};

/**
 * Reads each post once, in the order of the ids. If some requests fail, their posts are entries with the reason `failed`.
 *
 * @param read sends one request
 */
export const lookUp = async (
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<PostLookupBody>,
): Promise<PostLookupBody> => {
  const distinct = [...new Set(ids)];
  if (distinct.length <= MAX_LOOKUP_POSTS) return read(distinct);
  const parts: Part[] = [];
  const queue = divide(distinct);
  const work = async (): Promise<void> => {
    // An error that is thrown ends the queue for all.
    for (const [part, some] of queue)
      parts[part] = await read(some).then(
        (answer) => ({ ids: some, answer }),
        (error: unknown) => {
          if (isOfOneRequest(error)) return { ids: some, error };
          throw error;
        },
      );
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return join(parts);
};
