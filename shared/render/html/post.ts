// A post as HTML: every third-party word is a text node.
import { postUrl } from '../../model/handle.ts';
import type { Card, Media, Poll, Post, Tombstone, UnidentifiedTombstone } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { formatInstant } from '../content/format.ts';
import { choiceResult, pollState, postCounts, tombstoneLabels } from '../content/labels.ts';
import { linkPlaces } from '../content/links.ts';
import { articleHtml } from './article.ts';
import { imageHtml, type LinkStyle, linkHtml, pageLinkStyle } from './elements.ts';
import { escapeHtml } from './page.ts';

const media = ({ type, url, alt_text: alt, thumbnail_url: still }: Media): string => {
  const shown =
    type === 'photo'
      ? imageHtml(url, alt ?? 'Photo')
      : `${still === undefined ? '' : imageHtml(still, alt ?? '')} Play ${type}`;
  return `<p>${linkHtml(url, shown)}</p>`;
};

/** Words with the addresses that are known to be links. */
export const linkify = (words: string, urls: readonly string[], hand: LinkStyle = pageLinkStyle): string => {
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
export const textHtml = (words: string, urls: readonly string[] = []): string =>
  words === '' ? '' : `<p class="text" dir="auto">${linkify(words, urls)}</p>`;

export const userTitle = ({ name, handle }: User): string => `${name} (@${handle})`;

export const authorName = ({ author }: Post): string => (author === undefined ? 'Post' : userTitle(author));

export const bylineHtml = (post: Post): string => `<p class="by">${escapeHtml(authorName(post))}</p>`;

export const tombstoneHtml = (entry: Tombstone | UnidentifiedTombstone, hand: LinkStyle = pageLinkStyle): string => {
  const subject = 'id' in entry ? hand.link(postUrl(entry.id), 'This post') : 'This post';
  return `<p>${subject} ${tombstoneLabels[entry.reason]}.</p>`;
};

const quote = (entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return `<blockquote>${tombstoneHtml(entry)}</blockquote>`;
  if (!('metrics' in entry)) return `<blockquote><p>${linkHtml(entry.url, escapeHtml(entry.url))}</p></blockquote>`;
  return `<blockquote>${bylineHtml(entry)}${bodyHtml(entry)}</blockquote>`;
};

export const pollHtml = (entry: Poll): string => {
  const choices = entry.choices.map(
    (choice) => `<li dir="auto">${escapeHtml(choice.label)}${choiceResult(choice)}</li>`,
  );
  return `<p>Poll${escapeHtml(pollState(entry))}</p>${choices.length === 0 ? '' : `<ul>${choices.join('')}</ul>`}`;
};

const card = ({ url, title, description, image_url: picture }: Card): string =>
  `<p>${picture === undefined ? '' : imageHtml(picture, '')}${linkHtml(url, escapeHtml(title ?? url))}${description === undefined ? '' : `<br>${escapeHtml(description)}`}</p>`;

const article = (entry: NonNullable<Post['article']>): string =>
  `<h2>${escapeHtml(entry.title)}</h2>${entry.cover_url === undefined ? '' : `<p>${imageHtml(entry.cover_url, 'Cover')}</p>`}` +
  (entry.blocks.length > 0 ? articleHtml(entry.blocks) : textHtml(entry.preview_text ?? ''));

export const SENSITIVE = 'Marked as sensitive.';
export const COMMUNITY_NOTE = 'Community note';

/** When it was written, else where it is. */
export const dateOf = ({ url, created_at: created }: Post): string =>
  created === undefined ? url : formatInstant(created);

/** As a link to where it is on X. */
export const dateLink = (post: Post, hand: LinkStyle = pageLinkStyle): string =>
  hand.link(post.url, escapeHtml(dateOf(post)));

export const bodyHtml = (post: Post): string =>
  [
    post.sensitive ? `<p>${SENSITIVE}</p>` : '',
    textHtml(post.text, urlsOf(post)),
    post.article === undefined ? '' : article(post.article),
    ...post.media.map(media),
    post.poll === undefined ? '' : pollHtml(post.poll),
    post.quote === undefined ? '' : quote(post.quote),
    post.card === undefined ? '' : card(post.card),
    post.community_note === undefined
      ? ''
      : `<blockquote><p><strong>${COMMUNITY_NOTE}</strong></p>${textHtml(post.community_note.text)}</blockquote>`,
    `<footer>${dateLink(post)}${postCounts(post.metrics)}</footer>`,
  ].join('');

/** Plain lines that stand before a post. */
export const contextLines = ({ reposted_by: reposter, in_reply_to: parent }: Post): readonly string[] => [
  ...(reposter === undefined ? [] : [`Reposted by ${userTitle(reposter)}`]),
  ...(parent?.handle === undefined ? [] : [`In reply to @${parent.handle}`]),
];

export const contextHtml = (post: Post): string =>
  contextLines(post)
    .map((line) => `<p class="by">${escapeHtml(line)}</p>`)
    .join('');
