// Shows a post, or the whole thread that it belongs to, as one text. Every text is inserted as text, never as HTML.
import { element } from '../../page/dom.ts';
import type { Media, Post, PostAnswer, User } from './api.ts';

/** The only hosts whose pictures the policy of the page allows. */
const PICTURE = /^https:\/\/(?:pbs|video|abs)\.twimg\.com\//;

/** The consecutive posts of one author around the post, in reading order. */
const partsOf = ({ ancestors, post, thread }: PostAnswer): readonly Post[] => {
  const isOwn = ({ author }: Post): boolean => author !== undefined && author.handle === post.author?.handle;
  return [...ancestors.slice(ancestors.findLastIndex((other) => !isOwn(other)) + 1), post, ...thread];
};

const picture = (url: string, alt: string, { width, height }: Pick<Media, 'width' | 'height'>): HTMLElement => {
  const image = document.createElement('img');
  if (width && height) Object.assign(image, { width, height });
  return Object.assign(image, { loading: 'lazy', alt, src: url });
};

const pictures = (media: readonly Media[]): readonly HTMLElement[] =>
  media.flatMap((item, index) => {
    const url = item.type === 'photo' ? item.url : item.thumbnail_url;
    const name = item.type === 'photo' ? 'Picture' : 'Still of the video';
    const alt = item.alt_text ?? `${name} ${index + 1} of ${media.length}, not described`;
    return url && PICTURE.test(url) ? [picture(url, alt, item)] : [];
  });

const wordsOf = ({ text = '', lang }: Post): HTMLElement => {
  const words = element('p', text, 'words');
  words.dir = 'auto';
  if (lang && /^[a-z]{2,3}(?:-|$)/i.test(lang) && !/^(?:und|zxx|q|art)/.test(lang)) words.lang = lang;
  return words;
};

const bodyOf = (post: Post): readonly HTMLElement[] => {
  if (post.author === undefined) return [element('p', 'This post cannot be read.', 'gone')];
  return [
    ...(post.article ? [element('p', post.article.title, 'title')] : []),
    ...(post.text ? [wordsOf(post)] : []),
    ...(post.article?.preview_text ? [element('p', post.article.preview_text, 'words')] : []),
    ...pictures(post.media ?? []),
    ...(post.quote ? [quoteOf(post.quote)] : []),
  ];
};

const quoteOf = (post: Post): HTMLElement => {
  const quote = document.createElement('blockquote');
  if (post.author) quote.append(element('p', `${post.author.name} (@${post.author.handle})`, 'meta'));
  quote.append(...bodyOf({ ...post, quote: null, media: [] }));
  return quote;
};

const faceOf = ({ name, handle, avatar_url: url }: User): HTMLElement => {
  const hasPicture = url !== undefined && PICTURE.test(url);
  const face = hasPicture ? picture(url, '', {}) : element('span', Array.from(name || handle)[0]);
  face.className = 'face';
  face.ariaHidden = 'true';
  return face;
};

const dateOf = (created: string): string =>
  new Date(created).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

const bylineOf = (author: User, { created_at: created }: Post, count: number): HTMLElement => {
  const byline = element('div', '', 'by');
  const names = document.createElement('div');
  const name = element('p', '', 'name');
  name.append(element('bdi', author.name || author.handle));
  const facts = [`@${author.handle}`, ...(created ? [dateOf(created)] : []), ...(count > 1 ? [`${count} posts`] : [])];
  names.append(name, element('p', facts.join(' · '), 'meta'));
  byline.append(faceOf(author), names);
  return byline;
};

/** @returns the byline and the parts of the thread */
export const threadElements = (answer: PostAnswer): readonly HTMLElement[] => {
  const parts = partsOf(answer);
  const [first = answer.post] = parts;
  const elements = parts.map((post) => {
    const part = element('div', '', 'part');
    part.append(...bodyOf(post));
    return part;
  });
  if (parts.length === 1 && (first.text ?? '').length <= 140)
    elements[0]?.querySelector('.words')?.classList.add('alone');
  return first.author === undefined ? elements : [bylineOf(first.author, first, parts.length), ...elements];
};
