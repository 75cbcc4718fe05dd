// Renders a post as an item of a list: of replies, of a profile or of search results; and the quote in a post.
import { idOfQuote, isPost } from '../../model/conversation.ts';
import { isSameHandle } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import { isOwn, type SeenThread, threadStartLabel } from '../content/own-threads.ts';
import { withoutLeadingMentions, withoutQuoteUrl } from '../content/repeats.ts';
import { factsHtml, type ItemDates, innerLinkHtml, REPEATED } from './elements.ts';
import { type Html, html } from './html.ts';
import { innerPath, pathOfPost } from './inner-links.ts';
import {
  answeredHtml,
  avatarHtml,
  bylineHtml,
  communityHtml,
  type Heading,
  itemBylineHtml,
  itemLinkHtml,
  languageFact,
  repostHtml,
} from './person.ts';
import {
  type AttachmentOptions,
  articleLabel,
  articleTeaserHtml,
  attachmentsHtml,
  cutEndOf,
  type Figure,
  figuresHtml,
  postTextHtml,
  readOnHtml,
  tombstoneHtml,
} from './post-parts.ts';
import type { TextOptions } from './text.ts';

// Renders a quoted post: a quote in it once more, deeper quotes as links.

type Quote = NonNullable<Post['quote']>;

/** A quote in a quote is shown, a quote in that one is linked. */
const DEEPEST = 2;

const lineHtml = (path: string | undefined, words: string): Html =>
  html`<blockquote class="quote"><p>${innerLinkHtml(path, words, html` class="at"`)}</p></blockquote>`;

export interface QuoteOptions {
  /** @default 1 */
  readonly depth?: number;
  /** A long text is cut, and its page is linked. @default true */
  readonly isCut?: boolean;
  /** As in itemDateText. */
  readonly dates?: ItemDates | undefined;
  /** The id of the viewer of the pictures, one of the page. Unset: each picture links its file. */
  readonly viewer?: string | undefined;
}

/** The viewer shows the descriptions of pictures. A list has no room to show them a second time. */
const picturesIn = (viewer: string | undefined): Pick<AttachmentOptions, 'viewer' | 'showsDescriptions'> => ({
  viewer,
  showsDescriptions: viewer === undefined,
});

/** @returns the id of the viewer of the quote in a post */
export const viewerOfQuote = (viewer: string | undefined): string | undefined => viewer && `${viewer}q`;

export const quoteHtml = (quote: Quote, { depth = 1, ...options }: QuoteOptions = {}): Html => {
  const { isCut = true, dates, viewer } = options;
  if ('unavailable' in quote) return tombstoneHtml(quote.reason, 'The quoted post');
  if (!isPost(quote)) return lineHtml(innerPath(quote.url), 'The quoted post');
  const { author } = quote;
  const path = pathOfPost(quote);
  if (depth > DEEPEST) return lineHtml(path, author === undefined ? 'Quote' : `Quote of @${author.handle}`);
  const shown = withoutQuoteUrl(quote);
  const end = isCut ? cutEndOf(shown) : undefined;
  const more = end !== undefined && path !== undefined && html`<p class="figures">${readOnHtml(path, shown)}</p>`;
  return html`<blockquote class="quote">${bylineHtml(quote, { tag: 'p', date: itemLinkHtml(quote, dates), facts: [languageFact(quote)] })}${postTextHtml(shown, { isCut })}${more}${articleTeaserHtml(quote)}${attachmentsHtml(quote, { quote: (inner) => quoteHtml(inner, { ...options, depth: depth + 1, viewer: viewerOfQuote(viewer) }), ...picturesIn(viewer) })}</blockquote>`;
};

export interface PostItemOptions extends Pick<TextOptions, 'plain'>, Pick<QuoteOptions, 'dates' | 'viewer'> {
  /** false: the author is that of the page, and the date comes first. @default true */
  readonly showsByline?: boolean;
  /** A long text is cut, and its page is linked. @default true */
  readonly isCut?: boolean;
  /** The line with the date says who is answered, so the text does not begin with it. @default false */
  readonly showsAnswered?: boolean;
  /** The id of the post that the page is about. A quote of it is not shown again. */
  readonly about?: string;
  /** The post is by the author of the post above. */
  readonly isByAuthor?: boolean;
  /** The thread that the post begins. */
  readonly thread?: SeenThread | undefined;
  /** The element of the name. @default h3 */
  readonly heading?: Heading;
  /** @default likes and replies */
  readonly figures?: readonly Figure[];
}

const FIGURES: readonly Figure[] = ['likes', 'replies', 'views'];

export const postItemHtml = (
  post: Post,
  {
    showsByline = true,
    isCut = true,
    showsAnswered = false,
    about,
    isByAuthor = false,
    thread,
    heading = 'h3',
    figures = FIGURES,
    plain,
    dates,
    viewer,
  }: PostItemOptions = {},
): Html => {
  const { author } = post;
  const path = pathOfPost(post);
  const whole = withoutQuoteUrl(post);
  const shown = showsAnswered
    ? withoutLeadingMentions(whole, (handle) => isSameHandle(handle, post.in_reply_to?.handle))
    : whole;
  const label = articleLabel(post);
  const answered = showsAnswered ? answeredHtml(post) : undefined;
  const facts = [
    isByAuthor && 'the author',
    answered && html`in reply to ${answered}`,
    communityHtml(post),
    languageFact(post),
    label,
  ];
  const date = itemLinkHtml(post, dates);
  const byline = showsByline
    ? itemBylineHtml(post, heading, date, facts)
    : html`<p class="meta">${factsHtml([date, ...facts])}</p>`;
  const more = [
    ...(isCut && cutEndOf(shown) !== undefined ? [readOnHtml(path, post)] : []),
    ...(thread === undefined || !isOwn(post)
      ? []
      : [innerLinkHtml(path, threadStartLabel(thread.parts), html` class="on"${REPEATED}`)]),
  ];
  return html`${[
    html`<article class="item${showsByline && author !== undefined ? ' with' : ''}">`,
    showsByline && author && avatarHtml(author),
    repostHtml(post),
    byline,
    postTextHtml(shown, { plain, isCut }),
    articleTeaserHtml(post),
    attachmentsHtml(post, {
      quote: (quote) =>
        about !== undefined && idOfQuote(quote) === about
          ? undefined
          : quoteHtml(quote, { dates, viewer: viewerOfQuote(viewer) }),
      ...picturesIn(viewer),
    }),
    figuresHtml(post, { figures, paths: { replies: path && `${path}#replies` }, before: more }),
    html`</article>`,
  ]}`;
};
