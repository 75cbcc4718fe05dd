// A post -> Markdown. Wording and order are presentation, not contract (spec 1).
import { postUrl } from '../model/handle.ts';
import type { Poll, Post, PostOrTombstone, Tombstone, UnidentifiedTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import type { User } from '../model/user.ts';
import { visibleLine } from '../model/visible.ts';
import { articleMarkdown } from './article.ts';
import { autolink, destination, headingWords, type Ink, inline, line, paragraphs, quoted } from './escape.ts';
import { media, picture } from './media.ts';
import { choiceResult, countsOf, pollState, unavailable } from './wording.ts';
import { moment } from './words.ts';

export const tombstone = (entry: Tombstone | UnidentifiedTombstone): string => {
  const subject = 'id' in entry ? `[This post](${postUrl(entry.id)})` : 'This post';
  return `*${subject} ${unavailable[entry.reason]}.*`;
};

/** A name as part of a line: `**Ada** (@ada)`. */
export const byline = (ink: Ink, { name, handle }: User): string =>
  `**${inline(ink, name) || handle}** (${inline(ink, `@${handle}`)})`;

export const heading = (ink: Ink, author: User | undefined): string =>
  author === undefined
    ? 'Post'
    : headingWords(ink, `${visibleLine(author.name, ink.onRemoved) || author.handle} (@${author.handle})`);

const footer = ({ url, created_at: created, metrics }: Post): string =>
  `[${created === undefined ? 'Post' : moment(created)}](${destination(url)})${countsOf(metrics)}`;

const poll = (ink: Ink, entry: Poll): string => {
  const choices = entry.choices.map((choice) => `- ${line(ink, choice.label)}${choiceResult(choice)}`);
  return `**Poll**${pollState(entry)}\n\n${choices.join('\n')}`;
};

const card = (ink: Ink, { url, title, description }: NonNullable<Post['card']>): string => {
  const label = title === undefined ? '' : inline(ink, title, 'brackets');
  const link = label === '' ? autolink(url) : `[${label}](${destination(url)})`;
  return `**Link:** ${link}${description === undefined ? '' : `  \n${line(ink, description)}`}`;
};

const quote = (ink: Ink, entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return quoted(tombstone(entry));
  if (!('metrics' in entry)) return quoted(autolink(entry.url));
  const head = entry.author === undefined ? '' : `${byline(ink, entry.author)}\n\n`;
  return quoted(head + content(ink, entry));
};

const article = (ink: Ink, entry: NonNullable<Post['article']>): string => {
  const title = headingWords(ink, entry.title);
  const cover = entry.cover_url === undefined ? '' : picture(ink, 'Cover', entry.cover_url);
  const body = entry.blocks.length > 0 ? articleMarkdown(ink, entry) : paragraphs(ink, entry.preview_text ?? '', []);
  return [title === '' ? '' : `## ${title}`, cover, body].filter((block) => block !== '').join('\n\n');
};

export const below = (text: string, block: string): string =>
  text === '' || block === '' ? text + block : `${text}\n\n${block}`;

const NO_LINKS: readonly string[] = [];

/** What stands between an author's name and the next post. */
export const content = (ink: Ink, post: Post): string => {
  const { links } = post;
  let text = paragraphs(ink, post.text, links.length === 0 ? NO_LINKS : links.map(({ url }) => url));
  if (post.sensitive) text = below('*Marked as sensitive.*', text);
  if (post.article !== undefined) text = below(text, article(ink, post.article));
  for (const entry of post.media) text = below(text, media(ink, entry));
  if (post.poll !== undefined) text = below(text, poll(ink, post.poll));
  if (post.quote !== undefined) text = below(text, quote(ink, post.quote));
  if (post.card !== undefined) text = below(text, card(ink, post.card));
  if (post.community_note !== undefined) {
    text = below(text, quoted(`**Community note:**\n\n${paragraphs(ink, post.community_note.text, NO_LINKS)}`));
  }
  return below(text, footer(post));
};

/** A post under its own heading, as it stands among ancestors and replies. */
export const entry = (ink: Ink, item: PostOrTombstone): string => {
  if (isTombstone(item)) return `### Unavailable\n\n${tombstone(item)}`;
  return `### ${heading(ink, item.author)}\n\n${content(ink, item)}`;
};

/** Who brought the post here, and what it answers, as lines above it. @param saysParent false where the parent shows */
export const context = (ink: Ink, { reposted_by: reposter, in_reply_to: parent }: Post, saysParent = true): string => {
  const lines = [
    reposter === undefined ? '' : `Reposted by ${byline(ink, reposter)}`,
    parent?.handle === undefined || !saysParent ? '' : `In reply to ${inline(ink, `@${parent.handle}`)}`,
  ].filter((text) => text !== '');
  return lines.length === 0 ? '' : `${lines.join('  \n')}\n\n`;
};
