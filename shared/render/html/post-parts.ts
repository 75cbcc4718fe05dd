// Renders the parts of a post that follow its text, and the line with its counts.
import type { Media, Poll, Post, TombstoneReason } from '../../model/post.ts';
import { PLACES } from '../../model/text-places.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { cutExcerpt, cutOffset, readingMinutes } from '../content/cut.ts';
import { formatCount } from '../content/format.ts';
import { choiceShare, goneSentence, metricNames, pollFacts } from '../content/labels.ts';
import { shownPicture } from '../content/media-files.ts';
import { articleBeginning, articleText } from '../content/post-facts.ts';
import { withoutQuoteUrl } from '../content/repeats.ts';
import { type ShownCard, type ShownPart, shownParts } from '../content/shown-post.ts';
import { originalLabel, translatedPost, translationLabel } from '../content/translation.ts';
import { anyLinkHtml, decorativeSymbol, factsHtml, innerLinkHtml, REPEATED } from './elements.ts';
import { type Html, type HtmlContent, html } from './html.ts';
import { pathOfPost } from './inner-links.ts';
import { type MediaOptions, mediaHtml } from './media.ts';
import { langAttribute, type TextOptions, textHtml } from './text.ts';

// Renders the preview of a link. The whole card is the link.

/** The style sheet crops the picture of a small card. */
const CARD_SIZE = html` width="136" height="136"`;
/** Two lines have no more. */
const CARD_CHARACTERS = 160;

/** A narrower picture would be enlarged. */
const MIN_WIDE = 600;

/** @param isLarge a landscape picture that is large enough stands above the words, over their width */
const cardHtml = (
  {
    url,
    title,
    description,
    image_url: picture,
    image_width: width = 0,
    image_height: height = 0,
    image_alt: alt = '',
    label,
    domain,
  }: ShownCard,
  isLarge: boolean,
): Html => {
  const shown = picture === undefined ? undefined : shownPicture(picture);
  const isWide = isLarge && shown !== undefined && width >= MIN_WIDE && width > height && height > 0;
  const size = isWide ? html` width="${width}" height="${height}"` : CARD_SIZE;
  const image = shown && html`<img src="${visibleUrl(shown.src)}"${size} alt="${alt}" loading="lazy" decoding="async">`;
  const small = (text: string, classes?: Html): Html | false =>
    text.trim() !== '' && html`<small${classes} dir="auto">${text}</small>`;
  const words = html`<b dir="auto">${title ?? url}</b>${small(description ?? '', html` class="lines"`)}${small(label ?? domain)}`;
  return anyLinkHtml(url, html`${image}<span>${words}</span>`, html` class="card${isWide && ' wide'}"`);
};

// Renders a poll: words and shares, with bars as SVG.

const WHOLE = 100;

/** Presentation attributes of SVG take the place of style attributes, which the pages do not have. */
const barHtml = (percentage: number): Html =>
  html`<svg aria-hidden="true"><rect width="${Math.min(WHOLE, Math.max(0, percentage))}%" height="100%"/></svg>`;

/** The number of votes and the end are facts of the post, beside its counts. */
const pollHtml = ({ choices }: Poll): Html | undefined => {
  if (choices.length === 0) return undefined;
  const most = choices.reduce((highest, { percentage }) => Math.max(highest, percentage ?? 0), 0);
  const items = choices.map((choice) => {
    const { label, percentage } = choice;
    const leads = percentage !== null && percentage > 0 && percentage === most;
    const bar = percentage !== null && Number.isFinite(percentage) && barHtml(percentage);
    return html`<li${leads && html` class="most"`}><span dir="auto">${label}</span><span>${choiceShare(choice)}</span>${bar}</li>`;
  });
  return html`<ul class="poll">${items}</ul>`;
};

// Renders the sentence that stands for a post that cannot be read.

/** @param what the subject of the sentence, with a capital letter */
export const tombstoneHtml = (reason: TombstoneReason, what: string): Html =>
  html`<p class="gone">${decorativeSymbol('wall')}<span>${goneSentence(reason, what)}</span></p>`;

/** What a post says of the pictures that it shows. */
type PictureOptions = Pick<MediaOptions, 'isInView' | 'viewer' | 'photo' | 'showsDescriptions'>;

export interface AttachmentOptions extends PictureOptions {
  /** Renders the quoted post. */
  readonly quote: (quote: NonNullable<Post['quote']>) => Html | undefined;
  /** The whole article is shown, and the picture of a card is large. @default false: only the beginning, and a small picture */
  readonly hasBody?: boolean;
}

const mediaNoun = (media: readonly Media[]): string => {
  const isPicture = media.every(({ type }) => type === 'photo');
  const noun = isPicture ? 'picture' : media.some(({ type }) => type === 'photo') ? 'media' : 'video';
  return media.length === 1 || noun === 'media' ? noun : `${noun}s`;
};

/** Closed details load no lazy picture. */
const veiledHtml = (media: readonly Media[], options: MediaOptions): Html =>
  html`<details class="veil"><summary>Sensitive ${mediaNoun(media)}, marked by the author or by X. Show</summary>${mediaHtml(media, { ...options, isInView: false })}</details>`;

const postMediaHtml = (media: readonly Media[], { sensitive, lang, author }: Post, pictures: PictureOptions): Html => {
  const options = { lang, author, ...pictures };
  return sensitive ? veiledHtml(media, options) : mediaHtml(media, options);
};

const noteHtml = (note: NonNullable<Post['community_note']>, lang: string | undefined): Html =>
  html`<aside class="aside" aria-label="Community note"><b>Readers added context</b>${textHtml({ ...note, lang })}</aside>`;

/** A long text and a long translation are cut. @returns undefined: neither is long */
export const cutEndOf = ({ text, translation }: Post): number | undefined =>
  cutOffset(text) ?? cutOffset(translation?.text ?? '');

/** The text of a post, below its translation if it has one. @param post without the URL of its quote */
export const postTextHtml = (
  post: Post,
  { isCut = false, ...options }: Pick<TextOptions, 'plain'> & { classes?: string; isCut?: boolean } = {},
): Html | undefined => {
  const write = (shown: Post): Html | undefined =>
    textHtml(shown, { ...options, end: isCut ? cutOffset(shown.text) : undefined });
  const { translation } = post;
  const original = write(post);
  if (translation === undefined) return original;
  const label = (words: string): Html => html`<p class="meta">${words}</p>`;
  const translated = html`${label(translationLabel(translation))}${write(withoutQuoteUrl(translatedPost(post, translation)))}`;
  return original === undefined ? translated : html`${translated}${label(originalLabel(post, translation))}${original}`;
};

const partHtml = (
  part: ShownPart,
  post: Post,
  { quote, hasBody = false, ...options }: AttachmentOptions,
): Html | undefined => {
  switch (part.kind) {
    case 'media':
      return postMediaHtml(part.media, post, options);
    case 'poll':
      return pollHtml(part.poll);
    case 'quote':
      return quote(part.quote);
    case 'card':
      return cardHtml(part.card, hasBody);
    case 'note':
      return noteHtml(part.note, post.lang);
    default:
      return part satisfies never;
  }
};

/** What stands below the text. */
export const attachmentsHtml = (post: Post, options: AttachmentOptions): Html => {
  const parts = shownParts(post, { hasBody: options.hasBody ?? false });
  const isMarked = post.sensitive === true && parts[0]?.kind !== 'media';
  const mark = isMarked && html`<p class="meta">Marked as sensitive by the author or by X.</p>`;
  return html`${mark}${parts.map((part) => partHtml(part, post, options))}`;
};

/** @returns for example `Article, 9 min`; without the time if only a preview is known */
export const articleLabel = ({ article }: Post): string | undefined =>
  article === undefined
    ? undefined
    : article.blocks.length === 0
      ? 'Article'
      : `Article, ${readingMinutes(articleText(article))} min`;

/** The title of an article and its first words, which lead to its page; with a cover that pages load, a card. */
export const articleTeaserHtml = (post: Post): Html | undefined => {
  const { article, lang } = post;
  if (article === undefined) return undefined;
  const path = pathOfPost(post);
  const attributes = html`${langAttribute(lang)} dir="auto"`;
  const text = articleBeginning(article);
  const cover = article.cover_url === undefined ? undefined : shownPicture(article.cover_url);
  if (cover === undefined || path === undefined) {
    const title = innerLinkHtml(path, article.title, REPEATED);
    return html`<p class="title"${attributes}>${title}</p>${textHtml({ text, lang, [PLACES]: [] }, { end: cutOffset(text) })}`;
  }
  const image = html`<img src="${visibleUrl(cover.src)}"${CARD_SIZE} alt="" loading="lazy">`;
  const beginning = text !== '' && html`<small class="lines"${attributes}>${cutExcerpt(text, CARD_CHARACTERS)}</small>`;
  return innerLinkHtml(
    path,
    html`${image}<span><b${attributes}>${article.title}</b>${beginning}</span>`,
    html` class="card"${REPEATED}`,
  );
};

/** The link from a cut text to its page. A text that is left out has its translation. @returns only the words if there is no path */
export const readOnHtml = (path: string | undefined, { text, translation }: Post): Html =>
  innerLinkHtml(
    path,
    `Read on, ${readingMinutes(text || (translation?.text ?? ''))} min`,
    html` class="on"${REPEATED}`,
  );

/** The counts of a post that its line can name. */
export type Figure = 'replies' | 'reposts' | 'quotes' | 'likes' | 'views';

export interface FiguresOptions {
  readonly figures: readonly Figure[];
  /** The paths or fragments that counts link. */
  readonly paths?: Readonly<Partial<Record<Figure, string | undefined>>>;
  /** Stands before the counts. */
  readonly before?: readonly HtmlContent[];
}

/** One line with the counts that are known and not zero, and the facts of the poll. */
export const figuresHtml = (
  { metrics, poll }: Post,
  { figures, paths = {}, before = [] }: FiguresOptions,
): Html | undefined => {
  const counts = figures.flatMap((name) => {
    const count = metrics[name];
    if (count === null || count === 0) return [];
    return [innerLinkHtml(paths[name], formatCount(count, ...metricNames[name]))];
  });
  const facts = factsHtml([...before, poll && pollFacts(poll), ...counts]);
  return facts && html`<p class="figures">${facts}</p>`;
};
