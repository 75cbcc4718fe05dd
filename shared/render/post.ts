// A conversation -> Markdown items. Wording and order are presentation, not contract (spec 1).
import type { Conversation } from '../model/conversation.ts';
import type { Poll, Post, PostOrTombstone, TombstoneReason } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import type { User } from '../model/user.ts';
import { visibleLine } from '../model/visible.ts';
import { articleMarkdown } from './article.ts';
import { autolink, destination, headingWords, type Ink, inline, line, paragraphs, quoted } from './escape.ts';
import { media, picture } from './media.ts';
import { counted, grouped, moment } from './words.ts';

const unavailable: Readonly<Record<TombstoneReason, string>> = {
  deleted: 'was deleted',
  protected: 'is not public',
  suspended: 'belongs to a suspended account',
  withheld: 'is withheld by the platform',
  unknown: 'is not available',
};

/** A name as part of a line: `**Ada** (@ada)`. */
const byline = (ink: Ink, { name, handle }: User): string =>
  `**${inline(ink, name) || handle}** (${inline(ink, `@${handle}`)})`;

const heading = (ink: Ink, author: User | undefined): string =>
  author === undefined
    ? 'Post'
    : headingWords(ink, `${visibleLine(author.name, ink.onRemoved) || author.handle} (@${author.handle})`);

const metricNames = [
  ['likes', 'like'],
  ['reposts', 'repost'],
  ['quotes', 'quote'],
  ['replies', 'reply', 'replies'],
  ['bookmarks', 'bookmark'],
  ['views', 'view'],
] as const;

const footer = ({ url, created_at: created, metrics }: Post): string => {
  let text = `[${created === undefined ? 'Post' : moment(created)}](${destination(url)})`;
  for (const [name, singular, plural] of metricNames) {
    const number = metrics[name];
    if (number !== null && number > 0) text += ` · ${counted(number, singular, plural)}`;
  }
  return text;
};

const poll = (ink: Ink, { choices, total_votes: total, ends_at: ends, closed }: Poll): string => {
  const facts = [
    total === null ? '' : counted(total, 'vote'),
    closed === undefined ? '' : closed ? 'closed' : `open until ${ends === undefined ? 'later' : moment(ends)}`,
  ].filter((fact) => fact !== '');
  const rows = choices.map(({ label, votes, percentage }) => {
    const result = [percentage === null ? '' : `${percentage} %`, votes === null ? '' : `(${grouped(votes)})`].filter(
      (part) => part !== '',
    );
    return `- ${line(ink, label)}${result.length > 0 ? `: ${result.join(' ')}` : ''}`;
  });
  return `**Poll**${facts.length > 0 ? ` (${facts.join(', ')})` : ''}\n\n${rows.join('\n')}`;
};

const card = (ink: Ink, { url, title, description }: NonNullable<Post['card']>): string => {
  const label = title === undefined ? '' : inline(ink, title, 'brackets');
  const link = label === '' ? autolink(url) : `[${label}](${destination(url)})`;
  return `**Link:** ${link}${description === undefined ? '' : `  \n${line(ink, description)}`}`;
};

const quote = (ink: Ink, entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return quoted(`*The quoted post ${unavailable[entry.reason]}.*`);
  if (!('metrics' in entry)) return quoted(autolink(entry.url));
  const head = entry.author === undefined ? '' : `${byline(ink, entry.author)}\n\n`;
  return quoted(head + content(ink, entry));
};

/** What stands between an author's name and the next post. */
const content = (ink: Ink, post: Post): string => {
  const urls = post.links.length === 0 ? [] : post.links.map(({ url }) => url);
  let text = paragraphs(ink, post.text, urls);
  const add = (block: string): void => {
    if (block !== '') text += (text === '' ? '' : '\n\n') + block;
  };
  if (post.article !== undefined) {
    const { title, cover_url: cover, preview_text: preview, blocks } = post.article;
    const words = headingWords(ink, title);
    add(words === '' ? '' : `## ${words}`);
    if (cover !== undefined) add(picture(ink, 'Cover', cover));
    add(blocks.length > 0 ? articleMarkdown(ink, post.article) : paragraphs(ink, preview ?? '', []));
  }
  for (const entry of post.media) add(media(ink, entry));
  if (post.poll !== undefined) add(poll(ink, post.poll));
  if (post.quote !== undefined) add(quote(ink, post.quote));
  if (post.card !== undefined) add(card(ink, post.card));
  if (post.community_note !== undefined) {
    add(quoted(`**Community note:**\n\n${paragraphs(ink, post.community_note.text, [])}`));
  }
  add(footer(post));
  return text;
};

/** A post under its own heading, as it stands among ancestors and replies. */
const entry = (ink: Ink, item: PostOrTombstone): string => {
  if (isTombstone(item)) return `### Unavailable\n\n*This post ${unavailable[item.reason]}.*`;
  return `### ${heading(ink, item.author)}\n\n${content(ink, item)}`;
};

const continuation = (ink: Ink, item: PostOrTombstone): string =>
  isTombstone(item) ? `*This post ${unavailable[item.reason]}.*` : content(ink, item);

const context = (ink: Ink, { post, ancestors }: Conversation): string => {
  const { reposted_by: reposter, in_reply_to: parent } = post;
  const lines = [
    reposter === undefined ? '' : `Reposted by ${byline(ink, reposter)}`,
    parent?.handle === undefined || ancestors.length > 0 ? '' : `In reply to ${inline(ink, `@${parent.handle}`)}`,
  ].filter((text) => text !== '');
  return lines.length === 0 ? '' : `${lines.join('  \n')}\n\n`;
};

export type Section = 'title' | 'ancestors' | 'post' | 'thread' | 'replies';

/** A piece of the document that is kept or left out as a whole. */
export interface Item {
  readonly section: Section;
  readonly markdown: string;
}

export const titleOf = (ink: Ink, { post }: Conversation): Item => ({
  section: 'title',
  markdown: `# ${heading(ink, post.author)}`,
});

export const focalItem = (ink: Ink, conversation: Conversation): Item => ({
  section: 'post',
  markdown: context(ink, conversation) + content(ink, conversation.post),
});

export const itemsOf = (ink: Ink, conversation: Conversation): Item[] => {
  const items: Item[] = [titleOf(ink, conversation)];
  for (const item of conversation.ancestors) items.push({ section: 'ancestors', markdown: entry(ink, item) });
  items.push(focalItem(ink, conversation));
  for (const item of conversation.thread) items.push({ section: 'thread', markdown: continuation(ink, item) });
  for (const item of conversation.replies) items.push({ section: 'replies', markdown: entry(ink, item) });
  return items;
};

const sectionHeadings: Readonly<Record<Section, string>> = {
  title: '',
  ancestors: '## In reply to',
  post: '## Post',
  thread: '## Thread',
  replies: '## Replies',
};

/** Puts items together in the order given, each section under its heading. */
export const documentOf = (items: readonly Item[]): string => {
  const hasAncestors = items.some(({ section }) => section === 'ancestors');
  let document = '';
  let current: Section = 'title';
  for (const { section, markdown } of items) {
    if (document !== '') document += '\n\n';
    const isNew = section !== current;
    // Without ancestors the title says it all.
    if (isNew && (section !== 'post' || hasAncestors)) document += `${sectionHeadings[section]}\n\n`;
    else if (!isNew && section === 'thread') document += '---\n\n';
    current = section;
    document += markdown;
  }
  return `${document}\n`;
};
