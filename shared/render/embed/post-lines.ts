// Writes the lines of an embedded post: author, date, context, poll and tombstone.
import { postUrl, profileUrl } from '../../model/handle.ts';
import type { Poll, Post, Tombstone, UnidentifiedTombstone } from '../../model/post.ts';
import type { PlaceType } from '../../model/text-places.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { formatInstant, unbreakable } from '../content/format.ts';
import { choiceResult, pollState, SENSITIVE, tombstoneReasons, userTitle } from '../content/labels.ts';
import { type LinkedText, placesOf } from '../content/links.ts';
import type { ShownCard } from '../content/shown-post.ts';
import { escaped, type Html, type HtmlContent, html, trustedHtml } from '../html/html.ts';
import { searchUrlOnX } from '../html/inner-links.ts';

const HAS_LAYOUT = /[\n\t]| {2}/;
/** Browsers show only one space of several, and none at the start of a line. */
const SPACES = /(?<=\n)[ \t]+|[ \t]{2,}|\t/g;

/** The last space within a line stays, because a line can end there. */
const keptSpaces = (spaces: string, offset: number, text: string): string => {
  const kept = unbreakable(spaces);
  return text.charAt(offset - 1) === '\n' ? kept : `${kept.slice(1)} `;
};

/** The style sheet of the other site keeps neither line ends nor the indentation of code. */
export const plainHtml = (plain: string): Html => {
  const line = escaped(plain);
  const text = String(line);
  return HAS_LAYOUT.test(text) ? trustedHtml(text.replace(SPACES, keptSpaces).replaceAll('\n', '<br/>')) : line;
};

/** Readers of the other site want to stay on its page. */
export const embedLinkHtml = (url: string, content: HtmlContent): Html =>
  html`<a href="${visibleUrl(url)}" rel="nofollow noopener" target="_blank">${content}</a>`;

interface LinkifyOptions {
  readonly end?: number;
  readonly write?: (from: number, to: number) => Html;
}

const urlOf = (type: PlaceType, words: string): string => {
  switch (type) {
    case 'link':
      return words;
    case 'mention':
      return profileUrl(words.slice(1));
    case 'hashtag':
    case 'cashtag':
      return searchUrlOnX(words.replace('＃', '#'), 'latest');
    default:
      return type satisfies never;
  }
};

/**
 * Mentions, hashtags and cashtags lead to X, as all links of an embed.
 *
 * @param end the UTF-16 offset at which the text is cut
 * @param write writes a range between links; the ranges are in their order
 */
export const linkify = (source: LinkedText, { end = source.text.length, write }: LinkifyOptions = {}): Html => {
  const { text } = source;
  const between = write ?? ((from: number, to: number): Html => plainHtml(text.slice(from, to)));
  const parts: Html[] = [];
  let position = 0;
  for (const place of placesOf(source)) {
    if (place.end > end) break;
    const words = text.slice(place.start, place.end);
    parts.push(between(position, place.start), embedLinkHtml(urlOf(place.type, words), words));
    position = place.end;
  }
  return html`${parts}${between(position, end)}`;
};

export const authorName = ({ author }: Post): string => (author === undefined ? 'Post' : userTitle(author));

/** The author as a link to the profile on X. */
export const authorLink = (post: Post): Html => {
  const name = authorName(post);
  return post.author === undefined ? escaped(name) : embedLinkHtml(post.author.url, name);
};

export const tombstoneHtml = (entry: Tombstone | UnidentifiedTombstone): Html => {
  const subject = 'id' in entry ? embedLinkHtml(postUrl(entry.id), 'This post') : 'This post';
  return html`<p>${subject} ${tombstoneReasons[entry.reason]}.</p>`;
};

export const pollHtml = (entry: Poll): Html => {
  const choices = entry.choices.map((choice) => html`<li dir="auto">${choice.label}${choiceResult(choice)}</li>`);
  return html`<p>Poll${pollState(entry)}</p>${choices.length > 0 && html`<ul>${choices}</ul>`}`;
};

/** The time of the post; its URL if the time is unknown. */
export const dateText = ({ url, created_at: created }: Post): string =>
  created === undefined ? url : formatInstant(created);

/** The date of the post as a link to the post on X. */
export const dateLink = (post: Post): Html => embedLinkHtml(post.url, dateText(post));

/** The words of the link of a card, as plain text. */
export const cardName = ({ url, title, label }: ShownCard): string =>
  `${label === undefined ? '' : `${label}: `}${title ?? url}`;

/** Plain lines above a post: who reposted it, whom it answers, and that it is marked as sensitive. */
export const contextText = ({ reposted_by: reposter, in_reply_to: parent, sensitive }: Post): string =>
  [
    ...(reposter === undefined ? [] : [`Reposted by ${userTitle(reposter)}`]),
    ...(parent?.handle === undefined ? [] : [`In reply to @${parent.handle}`]),
    ...(sensitive ? [SENSITIVE] : []),
  ].join('\n');
