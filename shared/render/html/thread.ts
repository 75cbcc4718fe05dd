// Renders the post that was asked for: alone, as an article, or as a part of the author's thread read as one text.
import type { OwnThread } from '../../model/conversation.ts';
import { branchesIn, isTombstone } from '../../model/conversation.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { readingMinutes } from '../content/cut.ts';
import { formatCount, formatDateTime, formatDay } from '../content/format.ts';
import { pollFacts } from '../content/labels.ts';
import { articleChange, articlePublication, articleText } from '../content/post-facts.ts';
import { withoutQuoteUrl } from '../content/repeats.ts';
import { shownArticle } from '../content/shown-post.ts';
import { articleBody, contentsHtml } from './article.ts';
import { type ItemDates, innerLinkHtml, timeHtml } from './elements.ts';
import { type Html, html, joinHtml } from './html.ts';
import { belowPost, pathOfPost, postPath } from './inner-links.ts';
import { FULL_WIDTH, pictureHtml } from './media.ts';
import { bylineHtml, communityHtml, permalinkHtml, repostHtml } from './person.ts';
import { quoteHtml, viewerOfQuote } from './post-item.ts';
import {
  attachmentsHtml,
  type Figure,
  type FiguresOptions,
  figuresHtml,
  postTextHtml,
  tombstoneHtml,
} from './post-parts.ts';
import { langAttribute, textHtml } from './text.ts';

interface FocalOptions {
  /** The thread may have more parts than are known. */
  readonly isIncomplete: boolean;
  /** Fragment of the replies; unset: none are shown. */
  readonly repliesAt: string | undefined;
  /** The notes about missing parts. */
  readonly notes: Html;
  readonly dates: ItemDates;
  /** Pictures open on the page. A file that is kept has each picture once. */
  readonly hasViewers: boolean;
  /** As in MediaOptions, of the post that was asked for. */
  readonly photo: number | undefined;
}

interface FocalArticle {
  readonly main: Html;
  /** The table of contents of an article. */
  readonly contents: Html | undefined;
}

const SHORT_TEXT = /^.{0,140}$/su;

const isShort = ({ text, translation }: Post): boolean =>
  SHORT_TEXT.test(text) && SHORT_TEXT.test(translation?.text ?? '');

const FIGURES: readonly Figure[] = ['replies', 'reposts', 'quotes', 'likes', 'views'];

const figurePaths = ({ id, author }: Post, repliesAt: string | undefined): NonNullable<FiguresOptions['paths']> => ({
  replies: repliesAt ?? belowPost(id, author?.handle, 'replies'),
  reposts: belowPost(id, author?.handle, 'retweets'),
  quotes: belowPost(id, author?.handle, 'quotes'),
});

const hasPicture = (entry: PostOrTombstone): boolean =>
  !isTombstone(entry) && (entry.article?.cover_url !== undefined || entry.media.some(({ type }) => type === 'photo'));

const coverHtml = (url: string | undefined, isInView: boolean): Html | undefined => {
  if (url === undefined) return undefined;
  const picture = pictureHtml({ url }, { alt: 'Cover', widths: FULL_WIDTH, isInView });
  return picture && html`<div class="media cover">${picture}</div>`;
};

interface StoryOptions {
  readonly titleTag: 'h1' | 'h2';
  readonly idPrefix: string;
  readonly isInView: boolean;
  /** As in ArticleOptions. */
  readonly viewer: string | undefined;
  /** Stands between title and prose. */
  readonly byline?: Html;
}

/** An article: cover, title, byline, prose. Of a preview only the first words are known. */
const storyHtml = (post: Post, { titleTag, idPrefix, isInView, viewer, byline }: StoryOptions): FocalArticle => {
  const { lang } = post;
  const article = shownArticle(post);
  if (article === undefined) return { main: html`${byline}`, contents: undefined };
  const body = articleBody(article.blocks, { lang, titleLevel: titleTag === 'h1' ? 1 : 2, idPrefix, viewer });
  const attributes = html`${langAttribute(lang)} dir="auto"`;
  const prose =
    article.blocks.length === 0
      ? textHtml({ text: article.preview_text ?? '', lang })
      : html`<div class="prose"${langAttribute(lang)}>${body.html}</div>`;
  const title = html`<${titleTag} class="title"${attributes}>${article.title}</${titleTag}>`;
  return {
    main: html`${coverHtml(article.cover_url, isInView)}${title}${byline}${prose}`,
    contents: contentsHtml(body.sections),
  };
};

interface PartMedia extends Pick<FocalOptions, 'dates' | 'hasViewers' | 'photo'> {
  readonly isInView: boolean;
  /** The number of the part. */
  readonly number: number;
}

const viewerOf = ({ number, hasViewers }: Pick<PartMedia, 'number' | 'hasViewers'>): string | undefined =>
  hasViewers ? `v${number}` : undefined;

const attachments = (post: Post, { isInView, dates, photo, ...part }: PartMedia): Html => {
  const viewer = viewerOf(part);
  return attachmentsHtml(post, {
    quote: (quote) => quoteHtml(quote, { dates, viewer: viewerOfQuote(viewer) }),
    isInView,
    viewer,
    photo,
    hasBody: true,
  });
};

/** A byline whose date is that of the first part. */
const focalByline = (post: Post, tag: 'h1' | 'p'): Html => {
  const { article } = post;
  const published = articlePublication(post);
  const changed = articleChange(post);
  const facts = [
    published !== undefined && html`published ${timeHtml(published, 'day')}`,
    changed !== undefined && html`changed ${timeHtml(changed, 'day')}`,
    article !== undefined && article.blocks.length > 0 && `${readingMinutes(articleText(article))} min`,
    communityHtml(post),
  ];
  return html`${repostHtml(post)}${bylineHtml(post, { tag, date: permalinkHtml(post), facts, isInView: true })}`;
};

const singleHtml = (post: Post, options: FocalOptions): FocalArticle => {
  const { repliesAt, notes } = options;
  const isStory = post.article !== undefined;
  const shown = withoutQuoteUrl(post);
  const { main, contents } = storyHtml(post, {
    titleTag: 'h1',
    idPrefix: 's',
    isInView: true,
    viewer: viewerOf({ ...options, number: 1 }),
    byline: focalByline(post, isStory ? 'p' : 'h1'),
  });
  const said = [
    main,
    postTextHtml(shown, { classes: isShort(shown) && !isStory ? ' short' : '' }),
    attachments(post, { ...options, isInView: post.article?.cover_url === undefined, number: 1 }),
  ];
  const parts = [...said, notes, figuresHtml(post, { figures: FIGURES, paths: figurePaths(post, repliesAt) })];
  return { main: html`<article class="focal${isStory ? ' story' : ''}">${parts}</article>`, contents };
};

const dayOf = (entry: PostOrTombstone | undefined): string | undefined =>
  entry === undefined || isTombstone(entry) || entry.created_at === undefined ? undefined : formatDay(entry.created_at);

/** The day of a part, if the nearest part before it with a known day is of another day. */
const dayLines = (parts: readonly PostOrTombstone[]): readonly (Html | undefined)[] => {
  let last: string | undefined;
  return parts.map((part) => {
    const day = dayOf(part);
    const isNew = day !== undefined && last !== undefined && day !== last;
    last = day ?? last;
    if (!isNew || isTombstone(part) || part.created_at === undefined) return undefined;
    return html`<p class="meta day">${timeHtml(part.created_at, 'day')}</p>`;
  });
};

interface PartOptions extends Pick<FocalOptions, 'dates' | 'hasViewers' | 'photo'> {
  readonly index: number;
  readonly count: number;
  readonly isAsked: boolean;
  readonly isInView: boolean;
  /** The date line. */
  readonly day: Html | undefined;
  /** The number of the part from which another branch begins with this part. */
  readonly branchFrom: number | undefined;
}

const branchHtml = (number: number | undefined): Html | false =>
  number !== undefined && html`<p class="meta">Another branch, from <a href="#p${number}">post ${number}</a></p>`;

/** The byline has the date of the first part only. */
const writtenAt = (entry: PostOrTombstone): string | undefined =>
  isTombstone(entry) || entry.created_at === undefined ? undefined : formatDateTime(entry.created_at);

/** The number leads to the same page, where it is opened at its part. */
const numberHtml = (entry: PostOrTombstone, { index, count, isAsked }: PartOptions): Html | undefined => {
  if (index === 0) return undefined;
  const path = isTombstone(entry) ? postPath(entry.id) : pathOfPost(entry);
  const number = String(index + 1);
  const label = `Post ${number} of ${count}${isAsked ? ', the one that the link named' : ''}`;
  const time = writtenAt(entry);
  const title = time !== undefined && html` title="${time}"`;
  const attributes = html` class="n"${title} aria-label="${label}"${isAsked && html` aria-current="true"`}`;
  return path === undefined
    ? html`<span class="n"${title}>${number}</span>`
    : innerLinkHtml(`${path}#p${number}`, number, attributes);
};

const partHtml = (entry: PostOrTombstone, options: PartOptions): Html => {
  const { index, isAsked, isInView, day, branchFrom } = options;
  const start = html`<section class="part${isAsked ? ' asked' : ''}" id="p${index + 1}">${numberHtml(entry, options)}${day}${branchHtml(branchFrom)}`;
  if (isTombstone(entry)) return html`${start}${tombstoneHtml(entry.reason, 'This part of the thread')}</section>`;
  const facts = entry.poll && pollFacts(entry.poll);
  const story = storyHtml(entry, {
    titleTag: 'h2',
    idPrefix: `p${index + 1}s`,
    isInView,
    viewer: viewerOf({ ...options, number: index + 1 }),
  }).main;
  const shown = withoutQuoteUrl(entry);
  const text = postTextHtml(shown, { classes: index === 0 && isShort(shown) ? ' short' : '' });
  return html`${start}${story}${text}${attachments(entry, { ...options, number: index + 1 })}${facts && html`<p class="figures">${facts}</p>`}</section>`;
};

const threadHtml = (
  post: Post,
  { parts, focalIndex, first }: OwnThread,
  { isIncomplete, repliesAt, notes, dates, hasViewers, photo }: FocalOptions,
): Html => {
  const count = parts.length;
  const inView = parts.findIndex(hasPicture);
  const days = dayLines(parts);
  const branches = branchesIn(parts);
  const isFromMiddle = focalIndex > 0;
  const number = focalIndex + 1;
  const time = writtenAt(post);
  const sections = parts.map((part, index) => {
    const answered = branches.get(part.id);
    return partHtml(part, {
      index,
      count,
      isAsked: isFromMiddle && index === focalIndex,
      isInView: index === inView,
      day: days[index],
      branchFrom: answered === undefined ? undefined : answered + 1,
      dates,
      hasViewers,
      photo: index === focalIndex ? photo : undefined,
    });
  });
  const asked = isFromMiddle
    ? html`<p class="note">The link was to post ${number} of this thread${time !== undefined && `, of ${time}`}. <a href="#p${number}">Go to it</a></p>`
    : undefined;
  const { poll: _, ...counted } = post;
  const before = [
    `Thread of ${formatCount(count, 'post')}${isIncomplete ? ' or more' : ''}`,
    ...(isFromMiddle ? [`counts of post ${number}`] : []),
  ];
  const figures = figuresHtml(counted, { figures: FIGURES, paths: figurePaths(post, repliesAt), before });
  return html`<article class="focal">${focalByline(first, 'h1')}${asked}${joinHtml(sections, '\n')}${notes}${figures}</article>`;
};

export const focalHtml = (post: Post, thread: OwnThread, options: FocalOptions): FocalArticle =>
  thread.parts.length > 1
    ? { main: threadHtml(post, thread, options), contents: undefined }
    : singleHtml(post, options);
