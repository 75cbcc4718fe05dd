// Shows a post, or the whole thread that it belongs to, as one text. Every text is inserted as text, never as HTML.

import { isTombstone, ownThread } from '../../../shared/model/conversation.ts';
import { isLanguageTag } from '../../../shared/model/languages.ts';
import type { Media, Post, PostOrTombstone } from '../../../shared/model/post.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { User } from '../../../shared/model/user.ts';
import { formatDate } from '../../../shared/render/content/format.ts';
import { stillUrl } from '../../../shared/render/content/media-files.ts';
import { element } from '../../page/dom.ts';
import type { LoadableUrl } from './loadable.ts';

const picture = (url: string, alt: string, { width, height }: Pick<Media, 'width' | 'height'>): HTMLElement => {
  const image = document.createElement('img');
  if (width && height) Object.assign(image, { width, height });
  return Object.assign(image, { loading: 'lazy', alt, src: url });
};

const pictures = (media: readonly Media[], loadableUrl: LoadableUrl): readonly HTMLElement[] =>
  media.flatMap((item, index) => {
    const still = stillUrl(item);
    const url = still && loadableUrl(still);
    const name = item.type === 'photo' ? 'Picture' : 'Still of the video';
    const alt = item.alt_text ?? `${name} ${index + 1} of ${media.length}, not described`;
    return url ? [picture(url, alt, item)] : [];
  });

const wordsOf = ({ text, lang }: Post): HTMLElement => {
  const words = element('p', text, 'words');
  words.dir = 'auto';
  if (lang !== undefined && isLanguageTag(lang)) words.lang = lang;
  return words;
};

const postBody = (post: Post, loadableUrl: LoadableUrl): readonly HTMLElement[] => [
  ...(post.article ? [element('p', post.article.title, 'title')] : []),
  ...(post.text ? [wordsOf(post)] : []),
  ...(post.article?.preview_text ? [element('p', post.article.preview_text, 'words')] : []),
  ...pictures(post.media, loadableUrl),
  ...(post.quote ? [quoteOf(post.quote, loadableUrl)] : []),
];

const gone = (): HTMLElement => element('p', 'This post cannot be read.', 'gone');

/** A quote in a quote is left out, and so are the pictures of a quote. */
const quoteOf = (post: NonNullable<Post['quote']>, loadableUrl: LoadableUrl): HTMLElement => {
  const quote = document.createElement('blockquote');
  if (!('metrics' in post)) {
    quote.append(gone());
    return quote;
  }
  const { quote: _, ...shown } = post;
  if (post.author) quote.append(element('p', `${post.author.name} (@${post.author.handle})`, 'meta'));
  quote.append(...postBody({ ...shown, media: [] }, loadableUrl));
  return quote;
};

const bodyOf = (part: PostOrTombstone, loadableUrl: LoadableUrl): readonly HTMLElement[] =>
  isTombstone(part) ? [gone()] : postBody(part, loadableUrl);

const avatarOf = ({ name, handle, avatar_url: given }: User, loadableUrl: LoadableUrl): HTMLElement => {
  const url = given && loadableUrl(given);
  const avatar = url ? picture(url, '', {}) : element('span', Array.from(name || handle)[0]);
  avatar.className = 'avatar';
  avatar.ariaHidden = 'true';
  return avatar;
};

const bylineOf = (
  author: User,
  { created_at: created }: Post,
  count: number,
  loadableUrl: LoadableUrl,
): HTMLElement => {
  const byline = element('div', '', 'by');
  const names = document.createElement('div');
  const name = element('p', '', 'name');
  name.append(element('bdi', author.name || author.handle));
  const facts = [
    `@${author.handle}`,
    ...(created ? [formatDate(created)] : []),
    ...(count > 1 ? [`${count} posts`] : []),
  ];
  const line = element('p', '', 'meta');
  // As factsHtml writes them.
  for (const fact of facts) line.append(element('span', fact), ' ');
  names.append(name, line);
  byline.append(avatarOf(author, loadableUrl), names);
  return byline;
};

const MAX_ALONE_UNITS = 140;

/** @returns the byline and the parts of the thread */
export const threadElements = (answer: Conversation, loadableUrl: LoadableUrl): readonly HTMLElement[] => {
  const { parts, first } = ownThread(answer);
  const elements = parts.map((entry) => {
    const part = element('div', '', 'part');
    part.append(...bodyOf(entry, loadableUrl));
    return part;
  });
  if (parts.length === 1 && answer.post.text.length <= MAX_ALONE_UNITS)
    elements[0]?.querySelector('.words')?.classList.add('alone');
  const { author } = answer.post;
  return author === undefined ? elements : [bylineOf(author, first, parts.length, loadableUrl), ...elements];
};
