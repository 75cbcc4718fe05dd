// Renders a post as HTML. All third-party text is in text nodes.
import { postUrl } from '../../model/handle.ts';
import type { Card, Media, Poll, Post, Tombstone, UnidentifiedTombstone } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { formatInstant } from '../content/format.ts';
import {
  COMMUNITY_NOTE,
  choiceResult,
  mediaLabel,
  pollState,
  postCounts,
  SENSITIVE,
  tombstoneSentence,
} from '../content/labels.ts';
import { linkPlaces } from '../content/links.ts';
import { articleHtml } from './article.ts';
import { imageHtml, type LinkStyle, linkHtml, pageLinkStyle } from './elements.ts';
import { escapeHtml } from './page.ts';

const media = ({ type, url, alt_text: alt, thumbnail_url: thumbnail }: Media): string => {
  const label = mediaLabel(type);
  const shown =
    type === 'photo'
      ? imageHtml(url, alt ?? label)
      : `${thumbnail === undefined ? '' : imageHtml(thumbnail, alt ?? '')} ${label}`;
  return `<p>${linkHtml(url, shown)}</p>`;
};

/** @param urls the URLs in the text that the provider marks as links */
export const linkify = (text: string, urls: readonly string[], linkStyle: LinkStyle = pageLinkStyle): string => {
  let html = '';
  let position = 0;
  for (const { start, end, url } of linkPlaces(text, urls)) {
    html += linkStyle.text(text.slice(position, start)) + linkStyle.link(url, escapeHtml(url));
    position = end;
  }
  return html + linkStyle.text(text.slice(position));
};

export const urlsOf = ({ links }: Post): readonly string[] => links.map(({ url }) => url);

/** The browser chooses the writing direction by the text. */
export const textHtml = (text: string, urls: readonly string[] = []): string =>
  text === '' ? '' : `<p class="text" dir="auto">${linkify(text, urls)}</p>`;

export const userTitle = ({ name, handle }: User): string => `${name} (@${handle})`;

export const authorName = ({ author }: Post): string => (author === undefined ? 'Post' : userTitle(author));

export const bylineHtml = (post: Post): string => `<p class="by">${escapeHtml(authorName(post))}</p>`;

export const tombstoneHtml = (
  entry: Tombstone | UnidentifiedTombstone,
  linkStyle: LinkStyle = pageLinkStyle,
): string => {
  const subject = 'id' in entry ? linkStyle.link(postUrl(entry.id), 'This post') : 'This post';
  return `<p>${tombstoneSentence(entry.reason, subject)}</p>`;
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

/** The time of the post; its URL if the time is unknown. */
export const dateText = ({ url, created_at: created }: Post): string =>
  created === undefined ? url : formatInstant(created);

/** The date of the post as a link to the post on X. */
export const dateLink = (post: Post, linkStyle: LinkStyle = pageLinkStyle): string =>
  linkStyle.link(post.url, escapeHtml(dateText(post)));

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

/** Plain lines above a post: who reposted it, and whom it answers. */
export const contextLines = ({ reposted_by: reposter, in_reply_to: parent }: Post): readonly string[] => [
  ...(reposter === undefined ? [] : [`Reposted by ${userTitle(reposter)}`]),
  ...(parent?.handle === undefined ? [] : [`In reply to @${parent.handle}`]),
];

export const contextHtml = (post: Post): string =>
  contextLines(post)
    .map((line) => `<p class="by">${escapeHtml(line)}</p>`)
    .join('');
