// A post as HTML: every third-party word is a text node.
import { postUrl } from '../model/handle.ts';
import type { Card, Media, Poll, Post, Tombstone, UnidentifiedTombstone } from '../model/post.ts';
import type { User } from '../model/user.ts';
import { articleHtml } from './article-html.ts';
import { type Hand, image, link, ourHand } from './html-parts.ts';
import { linkPlaces } from './links.ts';
import { escapeHtml } from './page.ts';
import { choiceResult, countsOf, pollState, unavailable } from './wording.ts';
import { moment } from './words.ts';

const media = ({ type, url, alt_text: alt, thumbnail_url: still }: Media): string => {
  const shown =
    type === 'photo'
      ? image(url, alt ?? 'Photo')
      : `${still === undefined ? '' : image(still, alt ?? '')} Play ${type}`;
  return `<p>${link(url, shown)}</p>`;
};

/** Words with the addresses that are known to be links. */
export const linked = (words: string, urls: readonly string[], hand: Hand = ourHand): string => {
  let html = '';
  let position = 0;
  for (const { start, end, url } of linkPlaces(words, urls)) {
    html += hand.words(words.slice(position, start)) + hand.link(url, escapeHtml(url));
    position = end;
  }
  return html + hand.words(words.slice(position));
};

/** Addresses in the text that are links. */
export const urlsOf = ({ links }: Post): readonly string[] => links.map(({ url }) => url);

/** Writing direction is the text's own. */
export const text = (words: string, urls: readonly string[] = []): string =>
  words === '' ? '' : `<p class="text" dir="auto">${linked(words, urls)}</p>`;

export const titleOf = ({ name, handle }: User): string => `${name} (@${handle})`;

export const nameOf = ({ author }: Post): string => (author === undefined ? 'Post' : titleOf(author));

export const byline = (post: Post): string => `<p class="by">${escapeHtml(nameOf(post))}</p>`;

export const tombstone = (entry: Tombstone | UnidentifiedTombstone, hand: Hand = ourHand): string => {
  const subject = 'id' in entry ? hand.link(postUrl(entry.id), 'This post') : 'This post';
  return `<p>${subject} ${unavailable[entry.reason]}.</p>`;
};

const quote = (entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return `<blockquote>${tombstone(entry)}</blockquote>`;
  if (!('metrics' in entry)) return `<blockquote><p>${link(entry.url, escapeHtml(entry.url))}</p></blockquote>`;
  return `<blockquote>${byline(entry)}${body(entry)}</blockquote>`;
};

export const poll = (entry: Poll): string => {
  const choices = entry.choices.map(
    (choice) => `<li dir="auto">${escapeHtml(choice.label)}${choiceResult(choice)}</li>`,
  );
  return `<p>Poll${escapeHtml(pollState(entry))}</p>${choices.length === 0 ? '' : `<ul>${choices.join('')}</ul>`}`;
};

const card = ({ url, title, description, image_url: picture }: Card): string =>
  `<p>${picture === undefined ? '' : image(picture, '')}${link(url, escapeHtml(title ?? url))}${description === undefined ? '' : `<br>${escapeHtml(description)}`}</p>`;

const article = (entry: NonNullable<Post['article']>): string =>
  `<h2>${escapeHtml(entry.title)}</h2>${entry.cover_url === undefined ? '' : `<p>${image(entry.cover_url, 'Cover')}</p>`}` +
  (entry.blocks.length > 0 ? articleHtml(entry.blocks) : text(entry.preview_text ?? ''));

export const SENSITIVE = 'Marked as sensitive.';
export const COMMUNITY_NOTE = 'Community note';

/** When it was written, else where it is. */
export const dateOf = ({ url, created_at: created }: Post): string => (created === undefined ? url : moment(created));

/** As a link to where it is on X. */
export const dateLink = (post: Post, hand: Hand = ourHand): string => hand.link(post.url, escapeHtml(dateOf(post)));

export const body = (post: Post): string =>
  [
    post.sensitive ? `<p>${SENSITIVE}</p>` : '',
    text(post.text, urlsOf(post)),
    post.article === undefined ? '' : article(post.article),
    ...post.media.map(media),
    post.poll === undefined ? '' : poll(post.poll),
    post.quote === undefined ? '' : quote(post.quote),
    post.card === undefined ? '' : card(post.card),
    post.community_note === undefined
      ? ''
      : `<blockquote><p><strong>${COMMUNITY_NOTE}</strong></p>${text(post.community_note.text)}</blockquote>`,
    `<footer>${dateLink(post)}${countsOf(post.metrics)}</footer>`,
  ].join('');

/** Plain lines that stand before a post. */
export const contextOf = ({ reposted_by: reposter, in_reply_to: parent }: Post): readonly string[] => [
  ...(reposter === undefined ? [] : [`Reposted by ${titleOf(reposter)}`]),
  ...(parent?.handle === undefined ? [] : [`In reply to @${parent.handle}`]),
];

export const context = (post: Post): string =>
  contextOf(post)
    .map((line) => `<p class="by">${escapeHtml(line)}</p>`)
    .join('');
