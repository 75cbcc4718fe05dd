// A post -> Markdown. Wording and order are presentation, not contract (spec 1).
import { postUrl } from '../../model/handle.ts';
import type { Poll, Post, PostOrTombstone, Tombstone, UnidentifiedTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { User } from '../../model/user.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { formatInstant } from '../content/format.ts';
import { choiceResult, pollState, postCounts, tombstoneLabels } from '../content/labels.ts';
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
  return `*${subject} ${tombstoneLabels[entry.reason]}.*`;
};

/** A name as part of a line: `**Ada** (@ada)`. */
export const bylineMarkdown = (ink: MarkdownContext, { name, handle }: User): string =>
  `**${escapeSpan(ink, name) || handle}** (${escapeSpan(ink, `@${handle}`)})`;

export const postHeading = (ink: MarkdownContext, author: User | undefined): string =>
  author === undefined
    ? 'Post'
    : escapeHeading(ink, `${visibleLine(author.name, ink.onRemoved) || author.handle} (@${author.handle})`);

const footer = ({ url, created_at: created, metrics }: Post): string =>
  `[${created === undefined ? 'Post' : formatInstant(created)}](${destination(url)})${postCounts(metrics)}`;

const poll = (ink: MarkdownContext, entry: Poll): string => {
  const choices = entry.choices.map((choice) => `- ${escapeLine(ink, choice.label)}${choiceResult(choice)}`);
  return `**Poll**${pollState(entry)}\n\n${choices.join('\n')}`;
};

const card = (ink: MarkdownContext, { url, title, description }: NonNullable<Post['card']>): string => {
  const label = title === undefined ? '' : escapeSpan(ink, title, 'brackets');
  const link = label === '' ? autolink(url) : `[${label}](${destination(url)})`;
  return `**Link:** ${link}${description === undefined ? '' : `  \n${escapeLine(ink, description)}`}`;
};

const quote = (ink: MarkdownContext, entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return blockquote(tombstoneMarkdown(entry));
  if (!('metrics' in entry)) return blockquote(autolink(entry.url));
  const head = entry.author === undefined ? '' : `${bylineMarkdown(ink, entry.author)}\n\n`;
  return blockquote(head + postMarkdown(ink, entry));
};

const article = (ink: MarkdownContext, entry: NonNullable<Post['article']>): string => {
  const title = escapeHeading(ink, entry.title);
  const cover = entry.cover_url === undefined ? '' : pictureMarkdown(ink, 'Cover', entry.cover_url);
  const body =
    entry.blocks.length > 0 ? articleMarkdown(ink, entry) : escapeParagraphs(ink, entry.preview_text ?? '', []);
  return [title === '' ? '' : `## ${title}`, cover, body].filter((block) => block !== '').join('\n\n');
};

export const appendBlock = (text: string, block: string): string =>
  text === '' || block === '' ? text + block : `${text}\n\n${block}`;

const NO_LINKS: readonly string[] = [];

/** What stands between an author's name and the next post. */
export const postMarkdown = (ink: MarkdownContext, post: Post): string => {
  const { links } = post;
  let text = escapeParagraphs(ink, post.text, links.length === 0 ? NO_LINKS : links.map(({ url }) => url));
  if (post.sensitive) text = appendBlock('*Marked as sensitive.*', text);
  if (post.article !== undefined) text = appendBlock(text, article(ink, post.article));
  for (const entry of post.media) text = appendBlock(text, mediaMarkdown(ink, entry));
  if (post.poll !== undefined) text = appendBlock(text, poll(ink, post.poll));
  if (post.quote !== undefined) text = appendBlock(text, quote(ink, post.quote));
  if (post.card !== undefined) text = appendBlock(text, card(ink, post.card));
  if (post.community_note !== undefined) {
    text = appendBlock(
      text,
      blockquote(`**Community note:**\n\n${escapeParagraphs(ink, post.community_note.text, NO_LINKS)}`),
    );
  }
  return appendBlock(text, footer(post));
};

/** A post under its own heading, as it stands among ancestors and replies. */
export const entryMarkdown = (ink: MarkdownContext, item: PostOrTombstone): string => {
  if (isTombstone(item)) return `### Unavailable\n\n${tombstoneMarkdown(item)}`;
  return `### ${postHeading(ink, item.author)}\n\n${postMarkdown(ink, item)}`;
};

/** Who brought the post here, and what it answers, as lines above it. @param saysParent false where the parent shows */
export const contextMarkdown = (
  ink: MarkdownContext,
  { reposted_by: reposter, in_reply_to: parent }: Post,
  saysParent = true,
): string => {
  const lines = [
    reposter === undefined ? '' : `Reposted by ${bylineMarkdown(ink, reposter)}`,
    parent?.handle === undefined || !saysParent ? '' : `In reply to ${escapeSpan(ink, `@${parent.handle}`)}`,
  ].filter((text) => text !== '');
  return lines.length === 0 ? '' : `${lines.join('  \n')}\n\n`;
};
