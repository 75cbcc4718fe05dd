// Renders the content of a feed item with the words of an embed, but whole: readers have no bounds. No script, no style,
// no relative URL, only pictures from hosts of X.
import { isPost } from '../../model/conversation.ts';
import type { Article, ArticleBlock, CommunityNote, Media, Post } from '../../model/post.ts';
import { isBlank } from '../../model/visible-text.ts';
import { COMMUNITY_NOTE, mediaLabel, mediaText, withoutOpenVotes } from '../content/labels.ts';
import { ownPictures, ownVideo } from '../content/link-preview.ts';
import { hasSize, mediumPicture, type SizedFile, stillUrl } from '../content/media-files.ts';
import { threadLabel } from '../content/own-threads.ts';
import { articleBeginning, headingLevel } from '../content/post-facts.ts';
import { withoutQuoteUrl } from '../content/repeats.ts';
import { type ShownCard, type ShownPart, shownArticle, shownParts } from '../content/shown-post.ts';
import { styledRanges } from '../content/style-runs.ts';
import { originalLabel, translatedPost, translationLabel } from '../content/translation.ts';
import {
  authorLink,
  cardName,
  contextText,
  dateLink,
  embedLinkHtml,
  linkify,
  plainHtml,
  pollHtml,
  tombstoneHtml,
} from '../embed/post-lines.ts';
import { blocksHtml, spansHtml } from '../html/article.ts';
import { type Html, type HtmlContent, html, joinHtml } from '../html/html.ts';
import { langAttribute, styledWriter } from '../html/text.ts';

// Selects the pictures and videos of a feed item. Readers load them without a click, so only hosts of X qualify, and
// nothing of a post that is marked as sensitive.

/** A file beside an item. Its length is not known. */
export interface Enclosure {
  readonly url: string;
  readonly type: string;
  readonly durationSeconds?: number | undefined;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
]);

/** X names the type in the file name, or in the query of a name without one. */
const PICTURE_TYPE = /\.(\w{3,4})(?::\w+)?(?:[?#]|$)|[?&]format=(\w{3,4})(?:[&#]|$)/i;

/** @param url of a picture of X @returns the media type; without a name, the one of most pictures */
const pictureType = (url: string): string => {
  const [, extension, format = ''] = PICTURE_TYPE.exec(url) ?? [];
  return TYPES.get((extension ?? format).toLowerCase()) ?? 'image/jpeg';
};

const firstPicture = (post: Post): Enclosure | undefined => {
  const [first] = ownPictures(post);
  return first && { url: first.url, type: pictureType(first.url) };
};

const MILLISECONDS = 1000;

const firstVideo = (post: Post): Enclosure | undefined => {
  const file = ownVideo(post);
  const duration = post.media.find(({ type }) => type !== 'photo')?.duration_ms;
  return (
    file && {
      url: file.url,
      type: 'video/mp4',
      durationSeconds: duration === undefined ? undefined : Math.round(duration / MILLISECONDS),
    }
  );
};

/** The files beside an item. */
export interface ItemFiles {
  /** The URL of the first picture, or of the still of a video. */
  readonly picture: string | undefined;
  /** The first picture or video, in the order of the post. A video without an MP4 file is its still. */
  readonly enclosure: Enclosure | undefined;
}

export const filesOf = (post: Post): ItemFiles => {
  const picture = firstPicture(post);
  const video = firstVideo(post);
  const startsWithPhoto = post.media[0]?.type === 'photo';
  return { picture: picture?.url, enclosure: startsWithPhoto ? (picture ?? video) : (video ?? picture) };
};

const sizeAttributes = (file: SizedFile): Html | false =>
  hasSize(file) && html` width="${file.width}" height="${file.height}"`;

const imageOf = (picture: SizedFile, alt: string): Html =>
  html`<img src="${picture.url}" alt="${alt}"${sizeAttributes(picture)}/>`;

/** @returns undefined if the picture is not from a host of X */
const imageHtml = (media: Media): Html | undefined => {
  const still = stillUrl(media);
  // The still of a video may have another size than the video.
  const picture = still === undefined ? undefined : mediumPicture(still, media.type === 'photo' ? media : {});
  return picture && imageOf(picture, media.alt_text ?? '');
};

/** The cover of an article. @returns undefined if the picture is not from a host of X */
const coverHtml = (url: string): Html | undefined => {
  const picture = mediumPicture(url);
  return picture && html`<p>${imageOf(picture, '')}</p>`;
};

/** @param isShown false: a link stands for the picture */
const mediaHtml = (media: Media, isShown: boolean): Html => {
  const image = isShown ? imageHtml(media) : undefined;
  if (image === undefined) return html`<p>${embedLinkHtml(media.url, plainHtml(mediaText(media)))}</p>`;
  const label = media.type !== 'photo' && html`<br/>${mediaLabel(media.type)}`;
  return html`<p>${embedLinkHtml(media.url, [image, label])}</p>`;
};

const paragraph = (content: HtmlContent, attributes?: Html): Html => html`<p${attributes} dir="auto">${content}</p>`;

const plainParagraph = (text: string): Html | undefined => (isBlank(text) ? undefined : paragraph(plainHtml(text)));

/** Article text can link to any scheme. */
const webLink = (url: string, content: Html): Html =>
  /^https?:\/\//i.test(url) ? embedLinkHtml(url, content) : content;

/** The title of the article is a heading of this level. */
const TITLE_LEVEL = 2;

const articleBlock = (block: ArticleBlock, isShown: boolean): Html => {
  switch (block.type) {
    case 'paragraph':
      return paragraph(spansHtml(block.spans, webLink));
    case 'heading': {
      const level = headingLevel(block.level, TITLE_LEVEL);
      return html`<h${level} dir="auto">${spansHtml(block.spans, webLink)}</h${level}>`;
    }
    case 'quote':
      return html`<blockquote>${paragraph(spansHtml(block.spans, webLink))}</blockquote>`;
    case 'list_item':
      return html`<li dir="auto">${spansHtml(block.spans, webLink)}</li>`;
    case 'code':
      return html`<pre><code>${block.text}</code></pre>`;
    case 'media':
      return mediaHtml(block.media, isShown);
    case 'post':
      return html`<blockquote><p>${embedLinkHtml(block.url, 'The embedded post')}</p></blockquote>`;
    case 'divider':
      return html`<hr/>`;
    default:
      return block satisfies never;
  }
};

const articleHtml = (article: Article, { url }: Post, isShown: boolean): Html => {
  const title =
    !isBlank(article.title) && html`<h${TITLE_LEVEL} dir="auto">${embedLinkHtml(url, article.title)}</h${TITLE_LEVEL}>`;
  const body =
    article.blocks.length > 0
      ? blocksHtml(article.blocks, (block) => articleBlock(block, isShown))
      : plainParagraph(articleBeginning(article));
  const cover = isShown && article.cover_url !== undefined && coverHtml(article.cover_url);
  return html`${title}${cover}${body}`;
};

const quoteHtml = (entry: NonNullable<Post['quote']>): Html => {
  if ('unavailable' in entry) return html`<blockquote>${tombstoneHtml(entry)}</blockquote>`;
  if (!isPost(entry)) return html`<blockquote><p>${embedLinkHtml(entry.url, entry.url)}</p></blockquote>`;
  return html`<blockquote cite="${entry.url}">${paragraph(authorLink(entry))}${itemHtml(entry)}</blockquote>`;
};

const noteHtml = (note: CommunityNote): Html | undefined =>
  isBlank(note.text)
    ? undefined
    : html`<blockquote><p><strong>${COMMUNITY_NOTE}</strong></p>${paragraph(linkify(note))}</blockquote>`;

const cardHtml = (card: ShownCard, isShown: boolean): Html => {
  const { url, title, description = '', label, domain, image_url: image, image_alt: alt = '' } = card;
  const picture =
    image !== undefined && isShown
      ? mediumPicture(image, { width: card.image_width, height: card.image_height })
      : undefined;
  const lines = [
    webLink(url, html`${picture && html`${imageOf(picture, alt)}<br/>`}${cardName(card)}`),
    !isBlank(description) && plainHtml(description),
    // A title hides the host.
    title !== undefined && label === undefined && domain,
  ];
  return paragraph(joinHtml(lines, html`<br/>`));
};

const writtenHtml = (post: Post): Html | undefined => {
  const shown = withoutQuoteUrl(post);
  const { text } = shown;
  if (isBlank(text)) return undefined;
  const writeStyled = styledWriter(text, styledRanges(shown));
  const written = linkify(shown, { write: (from, to) => writeStyled(from, to, plainHtml) });
  return paragraph(written, langAttribute(post.lang));
};

/** The text, below its translation if it has one. */
const textHtml = (post: Post): Html | undefined => {
  const { translation } = post;
  const original = writtenHtml(post);
  if (translation === undefined) return original;
  const label = (words: string): Html => html`<p><em>${words}</em></p>`;
  const translated = html`${label(translationLabel(translation))}${writtenHtml(translatedPost(post, translation))}`;
  return original === undefined ? translated : html`${translated}${label(originalLabel(post, translation))}${original}`;
};

const partHtml = (part: ShownPart, isShown: boolean): Html | undefined => {
  switch (part.kind) {
    case 'media':
      return html`${part.media.map((media) => mediaHtml(media, isShown))}`;
    case 'poll':
      return pollHtml(withoutOpenVotes(part.poll));
    case 'quote':
      return quoteHtml(part.quote);
    case 'card':
      return cardHtml(part.card, isShown);
    case 'note':
      return noteHtml(part.note);
    default:
      return part satisfies never;
  }
};

/** Says that the account went on, and leads to the whole. @param url of the first post */
export const threadHtml = (parts: number, url: string): Html => html`<p>${embedLinkHtml(url, threadLabel(parts))}</p>`;

/** The author is left out, because a feed names the author of each item. The date is a link to the post on X. */
export const itemHtml = (post: Post): Html => {
  const isShown = post.sensitive !== true;
  const article = shownArticle(post);
  return html`${[
    plainParagraph(contextText(post)),
    textHtml(post),
    article && articleHtml(article, post, isShown),
    ...shownParts(post, { hasBody: true }).map((part) => partHtml(part, isShown)),
    html`<p>${dateLink(post)}</p>`,
  ]}`;
};
