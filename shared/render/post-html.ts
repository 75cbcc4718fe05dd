// A post as HTML: every third-party word is a text node.
import { postUrl } from '../model/handle.ts';
import type { Card, Media, Poll, Post, Tombstone } from '../model/post.ts';
import type { User } from '../model/user.ts';
import { articleHtml } from './article-html.ts';
import { image, link } from './html-parts.ts';
import { isPicture } from './media.ts';
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
const linked = (words: string, urls: readonly string[]): string => {
  const [url, ...others] = urls;
  if (url === undefined) return escapeHtml(words);
  return words
    .split(url)
    .map((part) => linked(part, others))
    .join(link(url, escapeHtml(url)));
};

/** Writing direction is the text's own. */
export const text = (words: string, urls: readonly string[] = []): string =>
  words === '' ? '' : `<p class="text" dir="auto">${linked(words, urls)}</p>`;

export const titleOf = ({ name, handle }: User): string => `${name} (@${handle})`;

export const nameOf = ({ author }: Post): string => (author === undefined ? 'Post' : titleOf(author));

export const byline = (post: Post): string => `<p class="by">${escapeHtml(nameOf(post))}</p>`;

export const tombstone = ({ id, reason }: Tombstone): string =>
  `<p>${link(postUrl(id), 'This post')} ${unavailable[reason]}.</p>`;

const quote = (entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return `<blockquote>${tombstone(entry)}</blockquote>`;
  if (!('metrics' in entry)) return `<blockquote><p>${link(entry.url, escapeHtml(entry.url))}</p></blockquote>`;
  return `<blockquote>${byline(entry)}${body(entry)}</blockquote>`;
};

const poll = (entry: Poll): string => {
  const choices = entry.choices.map((choice) => `<li>${escapeHtml(choice.label)}${choiceResult(choice)}</li>`);
  return `<p>Poll${pollState(entry)}</p><ul>${choices.join('')}</ul>`;
};

const card = ({ url, title, description, image_url: picture }: Card): string =>
  `<p>${picture === undefined ? '' : image(picture, '')}${link(url, escapeHtml(title ?? url))}${description === undefined ? '' : `<br>${escapeHtml(description)}`}</p>`;

const article = (entry: NonNullable<Post['article']>): string =>
  `<h2>${escapeHtml(entry.title)}</h2>${entry.cover_url === undefined ? '' : `<p>${image(entry.cover_url, 'Cover')}</p>`}` +
  (entry.blocks.length > 0 ? articleHtml(entry.blocks) : text(entry.preview_text ?? ''));

export const body = (post: Post): string => {
  const urls = post.links.map(({ url }) => url).sort((a, b) => b.length - a.length);
  return [
    post.sensitive ? '<p>Marked as sensitive.</p>' : '',
    text(post.text, urls),
    post.article === undefined ? '' : article(post.article),
    ...post.media.map(media),
    post.poll === undefined ? '' : poll(post.poll),
    post.quote === undefined ? '' : quote(post.quote),
    post.card === undefined ? '' : card(post.card),
    post.community_note === undefined
      ? ''
      : `<blockquote><p><strong>Community note</strong></p>${text(post.community_note.text)}</blockquote>`,
    `<footer>${link(post.url, escapeHtml(post.created_at === undefined ? post.url : moment(post.created_at)))}${countsOf(post.metrics)}</footer>`,
  ].join('');
};

export const context = ({ reposted_by: reposter, in_reply_to: parent }: Post): string =>
  (reposter === undefined ? '' : `<p class="by">Reposted by ${escapeHtml(titleOf(reposter))}</p>`) +
  (parent?.handle === undefined ? '' : `<p class="by">In reply to @${escapeHtml(parent.handle)}</p>`);

export const pictureOf = ({ media: all, article: essay }: Post): string | undefined =>
  [...all.map(({ type, url, thumbnail_url: still }) => (type === 'photo' ? url : still)), essay?.cover_url].find(
    (url) => url !== undefined && isPicture(url),
  );
