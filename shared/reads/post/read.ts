// Reads a post with its conversation, or for an embed without it. If the whole conversation is too large for one answer, it
// is reduced to the posts nearest to the focal post.
import type { PostInput } from '../../contract/inputs.ts';
import { versionedPath } from '../../contract/operations.ts';
import { useCases } from '../../contract/use-cases.ts';
import { NOTHING_TO_TRANSLATE, QUOTED_PREVIEW, type WarningCode, warning } from '../../contract/warnings.ts';
import {
  ancestorGap,
  countMissingReplies,
  hasArticlePreview,
  inThreadText,
  isPost,
  mapAround,
  type RepliesCount,
} from '../../model/conversation.ts';
import type { Post, Translation } from '../../model/post.ts';
import type { Conversation, Warning } from '../../model/resources.ts';
import { isFromTheFuture } from '../../model/snowflake.ts';
import { earlierOf, later } from '../../model/time.ts';
import { isTranslatable, isTranslationInto, withoutOtherLanguages } from '../../model/translations.ts';
import type { HttpPorts } from '../../ports/http.ts';
import type { Outcome, PostPorts, Requester, SourcedResult, UseCaseResult } from '../../ports/upstream.ts';
import { goneProblem, POST_PROBLEMS, problemFromOutcome, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';

const countParts = ({ ancestors, thread, replies }: Conversation): number =>
  ancestors.length + thread.length + replies.length;

/** Keeps the thread first, then the nearest ancestors, then the replies. */
const keepNearest = ({ post, ancestors, thread, replies }: Conversation, count: number): Conversation => {
  const after = thread.slice(0, count);
  const before = Math.min(ancestors.length, count - after.length);
  return {
    post,
    ancestors: ancestors.slice(ancestors.length - before),
    thread: after,
    replies: replies.slice(0, count - after.length - before),
  };
};

const truncationMessage = (count: number): string =>
  `The answer would be too large: ${count === 1 ? '1 post' : `${count} posts`} of the conversation left out. Read them one by one, or pass replies=off.`;

/** @returns what depends on the posts of a conversation */
type FactsOf = (conversation: Conversation) => Pick<SourcedResult<Conversation>, 'warnings' | 'missingReplies'>;

/**
 * @param factsOf @default nothing
 * @param kept the number of posts beside the post itself that are left. @default all
 */
export const withConversationParts = (
  whole: SourcedResult<Conversation>,
  factsOf: FactsOf = () => ({ warnings: [] }),
  kept: number = countParts(whole.value),
): UseCaseResult<Conversation> => {
  const left = countParts(whole.value) - kept;
  const value = left === 0 ? whole.value : keepNearest(whole.value, kept);
  const { warnings, missingReplies } = factsOf(value);
  const truncated = left === 0 ? [] : [warning('truncated', truncationMessage(left))];
  return {
    ...whole,
    value,
    missingReplies,
    warnings: [...whole.warnings, ...warnings, ...truncated],
    parts: { count: kept, minimum: 0, keep: (fewer) => withConversationParts(whole, factsOf, fewer) },
  };
};

const INCOMPLETE: WarningCode = 'thread_incomplete';

const limitConversation = ({ post, ancestors, thread, replies }: Conversation, input: PostInput): Conversation => ({
  post,
  ancestors: input.thread === 'off' ? [] : ancestors,
  thread: input.thread === 'off' ? [] : input.thread === 'full' ? thread : thread.slice(0, input.thread),
  replies: input.replies === 'off' ? [] : replies,
});

/** A thread with as many posts as requested is complete if no post before its end is missing. */
const isCompleteUpToLimit = ({ post, ancestors, thread }: Conversation, { thread: limit }: PostInput): boolean => {
  if (typeof limit !== 'number' || thread.length < limit) return false;
  const posts = [...ancestors, post, ...thread];
  return ancestorGap(posts.at(-1) ?? post, posts.slice(0, -1)) === undefined;
};

const repliesWarning = ({ id }: Post, count: RepliesCount): Warning => {
  const path = versionedPath('listReplies').replace('{id}', id);
  const message = `${count.shown} of ${count.total} replies are shown${inThreadText(count)}. All replies: ${path}, or the tool ${useCases.listReplies.tool} with the id ${id}.`;
  return warning('more_replies', message);
};

/** Providers give the whole article only of the post itself, whose preview is `article_incomplete`. */
const previewWarning = ({ post, ancestors, thread, replies }: Conversation): readonly Warning[] =>
  [post.quote, ...ancestors, ...thread, ...replies].some((entry) => isPost(entry) && hasArticlePreview(entry))
    ? [warning('article_previews', QUOTED_PREVIEW)]
    : [];

/** A caller waits this long for a translator, whose answer is only an addition to the post. */
const TRANSLATION_MILLISECONDS = 4500;

/** Translations of the provider stay in the posts around the post; only for the post itself a translator is asked. */
const translate = async (
  untranslated: Conversation,
  lang: string,
  askTranslator: (id: string) => Promise<Outcome<Translation>>,
): Promise<Conversation> => {
  const post = withoutOtherLanguages(untranslated.post, lang);
  const others = mapAround(untranslated, (entry) => withoutOtherLanguages(entry, lang));
  if (post.translation !== undefined || !isTranslatable(post, lang)) return { ...others, post };
  const outcome = await askTranslator(post.id);
  const isFound = outcome.kind === 'found' && isTranslationInto(lang, outcome.value);
  return { ...others, post: isFound ? { ...post, translation: { target_lang: lang, ...outcome.value } } : post };
};

const translationWarnings = (post: Post, { lang }: PostInput): readonly Warning[] => {
  if (lang === undefined || post.translation !== undefined) return [];
  return [warning('translation_unavailable', isTranslatable(post, lang) ? undefined : NOTHING_TO_TRANSLATE)];
};

/** @throws Problem `post_not_found`, `post_protected`, `rate_limited`, `upstream_failed` or `upstream_unavailable` */
export const readPost = async (
  input: PostInput,
  { upstream, clock, wall }: PostPorts & Pick<HttpPorts, 'clock' | 'wall'>,
  requester?: Requester,
): Promise<UseCaseResult<Conversation>> => {
  const { thread, replies } = input;
  const { id } = input.ref;
  const now = wall.now();
  if (isFromTheFuture(id, now)) throw goneProblem(POST_PROBLEMS, 'unknown');
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  const { translatePost } = upstream;
  const lang = translatePost && input.lang;
  const outcome = await upstream.readPost(
    { ...input.ref, thread, replies, ...(lang && { lang }) },
    deadline,
    requester,
  );
  if (outcome.kind !== 'found') throw problemFromOutcome(outcome, POST_PROBLEMS);
  const { value, source, fetchedAt } = outcome;
  const untranslated = limitConversation(value, input);
  const translatorDeadline = earlierOf(deadline, later(clock(), TRANSLATION_MILLISECONDS));
  const limited =
    translatePost === undefined || lang === undefined
      ? untranslated
      : await translate(untranslated, lang, (id) => translatePost({ id, lang }, translatorDeadline, requester));
  const warnings = [...outcome.warnings, ...translationWarnings(limited.post, input)];
  const isComplete = isCompleteUpToLimit(limited, input);
  const told = warnings.filter(({ code }) => !(isComplete && code === INCOMPLETE));
  // A provider that lists no replies says so itself.
  const countsReplies = replies !== 'off' && warnings.every(({ code }) => code !== 'replies_unavailable');
  return withConversationParts({ value: limited, source, fetchedAt, warnings: told }, (kept) => {
    const missing = countsReplies ? countMissingReplies({ ...kept, thread: value.thread }) : undefined;
    return {
      missingReplies: missing,
      warnings: [...previewWarning(kept), ...(missing === undefined ? [] : [repliesWarning(kept.post, missing)])],
    };
  });
};
