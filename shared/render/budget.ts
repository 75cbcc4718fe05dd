// Markdown within a token budget (decisions 3, `max_tokens`): cut between posts; if the post itself is too long, it
// is shortened in the model and rendered again, so that fences and links are closed by construction.
import type { Warning } from '../model/conversation.ts';
import type { Conversation } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import { createInk, type Ink } from './escape.ts';
import { documentOf, focalItem, type Item, itemsOf, type Section, titleOf } from './post.ts';
import { counted } from './words.ts';

const BYTES_PER_TOKEN = 4;

export interface Budgeted {
  readonly markdown: string;
  readonly warning?: Warning;
}

const bytes = (text: string): number => Buffer.byteLength(text);

const notice = (what: string): string => `*Truncated: ${what}. Ask again with a larger max_tokens for the rest.*\n`;

const truncated = (document: string, what: string): Budgeted => ({
  markdown: `${document}\n${notice(what)}`,
  warning: { code: 'truncated', message: `The Markdown was cut to fit max_tokens: ${what}.` },
});

/** Headings and gaps that a section costs beyond its items. */
const SECTION_BYTES = 24;

/** Posts are kept in this order of worth and shown in reading order. */
const worth: readonly Section[] = ['thread', 'ancestors', 'replies'];

const byWorth = (items: readonly Item[]): readonly Item[] =>
  worth.flatMap((section) => {
    const own = items.filter((item) => item.section === section);
    return section === 'ancestors' ? own.reverse() : own; // the nearest ancestor says most
  });

const keepWhole = (items: readonly Item[], focal: Item, limit: number): readonly Item[] => {
  const kept = new Set<Item>([...items.filter(({ section }) => section === 'title'), focal]);
  let used = bytes(documentOf([...kept]));
  for (const item of byWorth(items)) {
    used += bytes(item.markdown) + SECTION_BYTES;
    if (used > limit) break;
    kept.add(item);
  }
  return items.filter((item) => kept.has(item));
};

const BOUNDARIES: readonly RegExp[] = [
  /\n\s*\n/g, // paragraph
  /[.!?…。！？](?=[\s"'”’)]|$)|[。！？]/g, // sentence
  /\s+/g, // word
];

/** Ends of text that may be kept, best kind of boundary first. */
const cutPoints = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map((match) => match.index + (/\s/.test(match[0]) ? 0 : match[0].length)).filter((at) => at > 0);

const longestFitting = (points: readonly number[], fits: (at: number) => boolean): number | undefined => {
  let low = 0;
  let high = points.length - 1;
  let best: number | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = points[middle];
    if (at !== undefined && fits(at)) {
      best = at;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
};

const bare = ({ id, url, created_at: created, metrics, author, in_reply_to: parent }: Post, text: string, links: Post['links']): Post => ({
  id, url, text, metrics, media: [], mentions: [], hashtags: [], links,
  ...(created !== undefined && { created_at: created }),
  ...(author !== undefined && { author }),
  ...(parent !== undefined && { in_reply_to: parent }),
});

/** Versions of a post, from nearly all of it to its first words. */
const shortenPost = (post: Post, fits: (shorter: Post) => boolean): Post => {
  const { article } = post;
  if (article !== undefined && article.blocks.length > 0) {
    const withBlocks = (count: number): Post => ({
      ...bare(post, post.text, post.links),
      article: { title: article.title, blocks: article.blocks.slice(0, count) },
    });
    const count = longestFitting(article.blocks.map((_, index) => index + 1), (at) => fits(withBlocks(at)));
    if (count !== undefined) return withBlocks(count);
    const [first] = article.blocks;
    const words = first !== undefined && 'spans' in first ? first.spans.map(({ text }) => text).join('') : (article.preview_text ?? '');
    return shortenPost({ ...bare(post, `${article.title}\n\n${words}`, []) }, fits);
  }
  const whole = bare(post, post.text, post.links);
  if (fits(whole)) return whole;
  for (const pattern of BOUNDARIES) {
    const at = longestFitting(cutPoints(post.text, pattern), (end) => fits(bare(post, `${post.text.slice(0, end)} …`, post.links)));
    if (at !== undefined) return bare(post, `${post.text.slice(0, at)} …`, post.links);
  }
  const points = Array.from({ length: post.text.length }, (_, index) => index);
  const at = longestFitting(points, (end) => fits(bare(post, `${post.text.slice(0, end)}…`, [])));
  return bare(post, at === undefined ? '' : `${post.text.slice(0, at).toWellFormed()}…`, []);
};

const shortenFocal = (ink: Ink, conversation: Conversation, limit: number): Budgeted => {
  const what = 'the post was shortened and the rest of the conversation left out';
  const alone = (post: Post): Conversation => ({ post, ancestors: [], thread: [], replies: [] });
  const render = (with_: Ink, post: Post): string => documentOf([titleOf(with_, alone(post)), focalItem(with_, alone(post))]);
  const fits = (post: Post): boolean => bytes(`${render(createInk(ink.dialect), post)}\n${notice(what)}`) <= limit;
  return truncated(render(ink, shortenPost(conversation.post, fits)), what);
};

/** @param maxTokens undefined: no bound */
export const conversationMarkdown = (ink: Ink, conversation: Conversation, maxTokens: number | undefined): Budgeted => {
  const items = itemsOf(ink, conversation);
  const document = documentOf(items);
  const limit = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens * BYTES_PER_TOKEN;
  if (maxTokens === undefined || bytes(document) <= limit) return { markdown: document };
  const focal = items.find(({ section }) => section === 'post');
  const describe = (left: number): string => `${counted(left, 'post')} of the conversation left out`;
  const room = limit - bytes(notice(describe(items.length))) - 1;
  if (focal === undefined || bytes(documentOf([titleOf(ink, conversation), focal])) > room) return shortenFocal(ink, conversation, limit);
  const kept = keepWhole(items, focal, room);
  return truncated(documentOf(kept), describe(items.length - kept.length));
};
