// Renders a post as Markdown. Wording and order are not part of the contract (spec 1).
import { postUrl } from '../../model/handle.ts';
import type { Poll, Post, PostOrTombstone, Tombstone, UnidentifiedTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { User } from '../../model/user.ts';
import { formatInstant } from '../content/format.ts';
import {
  COMMUNITY_NOTE,
  choiceResult,
  displayName,
  pollState,
  postCounts,
  SENSITIVE,
  tombstoneSentence,
} from '../content/labels.ts';
import { articleMarkdown } from './article.ts';
import {
  autolink,
  blockquote,
  destination,
  escapeHeading,
  escapeLine,
  escapeParagraphs,
  escapeSpan,
  type MarkdownContext,
} from './escape.ts';
import { mediaMarkdown, pictureMarkdown } from './media.ts';

export const tombstoneMarkdown = (entry: Tombstone | UnidentifiedTombstone): string => {
  const subject = 'id' in entry ? `[This post](${postUrl(entry.id)})` : 'This post';
  return `*${tombstoneSentence(entry.reason, subject)}*`;
};

/** @returns for example `**Ada** (@ada)` */
export const bylineMarkdown = (context: MarkdownContext, { name, handle }: User): string =>
  `**${escapeSpan(context, name) || handle}** (${escapeSpan(context, `@${handle}`)})`;

export const postHeading = (context: MarkdownContext, author: User | undefined): string =>
  author === undefined
    ? 'Post'
    : escapeHeading(context, `${displayName(author, context.onRemoved)} (@${author.handle})`);

const footer = ({ url, created_at: created, metrics }: Post): string =>
  `[${created === undefined ? 'Post' : formatInstant(created)}](${destination(url)})${postCounts(metrics)}`;

const poll = (context: MarkdownContext, entry: Poll): string => {
  const choices = entry.choices.map((choice) => `- ${escapeLine(context, choice.label)}${choiceResult(choice)}`);
  return `**Poll**${pollState(entry)}\n\n${choices.join('\n')}`;
};

const card = (context: MarkdownContext, { url, title, description }: NonNullable<Post['card']>): string => {
  const label = title === undefined ? '' : escapeSpan(context, title, 'brackets');
  const link = label === '' ? autolink(url) : `[${label}](${destination(url)})`;
  return `**Link:** ${link}${description === undefined ? '' : `  \n${escapeLine(context, description)}`}`;
};

const quote = (context: MarkdownContext, entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return blockquote(tombstoneMarkdown(entry));
  if (!('metrics' in entry)) return blockquote(autolink(entry.url));
  const head = entry.author === undefined ? '' : `${bylineMarkdown(context, entry.author)}\n\n`;
  return blockquote(head + postMarkdown(context, entry));
};

const article = (context: MarkdownContext, entry: NonNullable<Post['article']>): string => {
  const title = escapeHeading(context, entry.title);
  const cover = entry.cover_url === undefined ? '' : pictureMarkdown(context, 'Cover', entry.cover_url);
  const body =
    entry.blocks.length > 0 ? articleMarkdown(context, entry) : escapeParagraphs(context, entry.preview_text ?? '', []);
  return [title === '' ? '' : `## ${title}`, cover, body].filter((block) => block !== '').join('\n\n');
};

export const appendBlock = (text: string, block: string): string =>
  text === '' || block === '' ? text + block : `${text}\n\n${block}`;

const NO_LINKS: readonly string[] = [];

/** A post without its author. */
export const postMarkdown = (context: MarkdownContext, post: Post): string => {
  const { links } = post;
  let text = escapeParagraphs(context, post.text, links.length === 0 ? NO_LINKS : links.map(({ url }) => url));
  if (post.sensitive) text = appendBlock(`*${SENSITIVE}*`, text);
  if (post.article !== undefined) text = appendBlock(text, article(context, post.article));
  for (const entry of post.media) text = appendBlock(text, mediaMarkdown(context, entry));
  if (post.poll !== undefined) text = appendBlock(text, poll(context, post.poll));
  if (post.quote !== undefined) text = appendBlock(text, quote(context, post.quote));
  if (post.card !== undefined) text = appendBlock(text, card(context, post.card));
  if (post.community_note !== undefined) {
    text = appendBlock(
      text,
      blockquote(`**${COMMUNITY_NOTE}:**\n\n${escapeParagraphs(context, post.community_note.text, NO_LINKS)}`),
    );
  }
  return appendBlock(text, footer(post));
};

/** An ancestor or a reply under its own heading. */
export const entryMarkdown = (context: MarkdownContext, item: PostOrTombstone): string => {
  if (isTombstone(item)) return `### Unavailable\n\n${tombstoneMarkdown(item)}`;
  return `### ${postHeading(context, item.author)}\n\n${postMarkdown(context, item)}`;
};

/** The lines above a post: who reposted it, and whom it answers. @param showsParent false: the parent is shown above */
export const contextMarkdown = (
  context: MarkdownContext,
  { reposted_by: reposter, in_reply_to: parent }: Post,
  showsParent = true,
): string => {
  const lines = [
    reposter === undefined ? '' : `Reposted by ${bylineMarkdown(context, reposter)}`,
    parent?.handle === undefined || !showsParent ? '' : `In reply to ${escapeSpan(context, `@${parent.handle}`)}`,
  ].filter((text) => text !== '');
  return lines.length === 0 ? '' : `${lines.join('  \n')}\n\n`;
};
