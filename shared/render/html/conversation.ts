// Renders a conversation as a page: context, the post or its thread, the other forms of the page, replies.
import { queryString } from '../../contract/query-string.ts';
import {
  countMissingReplies,
  countReplies,
  inThreadText,
  isTombstone,
  type OwnThread,
  ownThread,
  type RepliesCount,
} from '../../model/conversation.ts';
import { isSameHandle } from '../../model/handle.ts';
import { MAX_CONVERSATION_REPLIES } from '../../model/lists.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import type { Conversation, Warning } from '../../model/resources.ts';
import { visibleText } from '../../model/visible-text.ts';
import { cutTitle } from '../content/cut.ts';
import { formatCount, formatNumber, yearAt } from '../content/format.ts';
import { displayName } from '../content/labels.ts';
import { previewAvatar, previewLines, previewPictures, previewVideo } from '../content/link-preview.ts';
import { linkPlacesOf } from '../content/links.ts';
import { threadLabel } from '../content/own-threads.ts';
import { withoutCommunity } from '../content/post-facts.ts';
import { bibtex, citation, markdownLink, postFileName, postTitle } from '../content/post-title.ts';
import { withoutOriginals } from '../content/translation.ts';
import { createMarkdownContext } from '../markdown/context.ts';
import { blockquote, escapeParagraphs, visibleLinks } from '../markdown/escape.ts';
import { type ItemDates, innerLinkHtml } from './elements.ts';
import { headHtml } from './head.ts';
import { type Html, html, joinHtml } from './html.ts';
import { belowPost, oembedUrl, permalinkPath } from './inner-links.ts';
import { htmlPage, otherFormsHtml, type PageService, readingQuery } from './page.ts';
import { answeredHtml } from './person.ts';
import { type PostItemOptions, postItemHtml } from './post-item.ts';
import { tombstoneHtml } from './post-parts.ts';
import { type Reading, readingHtml, readingStyle } from './reading.ts';
import { articleStyle, conversationStyle, mediaStylesFor, postStylesFor } from './style/post.ts';
import { focalHtml } from './thread.ts';
import { warningsHtml } from './warnings.ts';

/** Ancestors above the nearest one that are not folded. */
const OPEN_ABOVE = 2;

/** The date of the post that the page is about says its year and the zone, so a page that is kept stays right. */
const datesBelow = ({ created_at: created }: Post, readAt: number | undefined): ItemDates => {
  const year = readAt === undefined ? undefined : yearAt(readAt);
  return { year: year !== undefined && created?.startsWith(year) ? year : undefined };
};

/** What the items around a post share. */
interface AroundOptions {
  readonly dates: ItemDates;
  /** As in FocalOptions. */
  readonly hasViewers: boolean;
}

const contextItem = (
  entry: PostOrTombstone,
  isNearest: boolean,
  options: Pick<PostItemOptions, 'dates' | 'viewer'>,
): Html =>
  isTombstone(entry)
    ? tombstoneHtml(entry.reason, 'The post that was here')
    : postItemHtml(entry, { isCut: !isNearest, heading: 'h2', figures: ['likes'], ...options });

/** The post that is answered, if only its author or its id is known. */
const answeredLine = (post: Post): Html | undefined => {
  const answered = answeredHtml(post);
  return answered && html`<section class="context" aria-label="In reply to"><p>In reply to ${answered}</p></section>`;
};

const contextHtml = (
  context: readonly PostOrTombstone[],
  first: PostOrTombstone,
  { dates, hasViewers }: AroundOptions,
): Html | undefined => {
  if (context.length === 0) return isTombstone(first) ? undefined : answeredLine(first);
  const open = Math.max(0, context.length - 1 - OPEN_ABOVE);
  const items = context.map((entry, index) =>
    contextItem(entry, index === context.length - 1, { dates, viewer: hasViewers ? `c${index + 1}` : undefined }),
  );
  const folded =
    open > 0 && html`<details><summary>${formatCount(open, 'earlier post')}</summary>${items.slice(0, open)}</details>`;
  return html`<section class="context" aria-label="In reply to"><p>In reply to</p>${folded}${items.slice(open)}</section>`;
};

/** @returns false if all values are equal, because then they show no order */
const isDescending = (values: readonly (number | string | null | undefined)[]): boolean => {
  const [first] = values;
  let last = first;
  for (const value of values) {
    if (value === null || value === undefined || last === null || last === undefined || value > last) return false;
    last = value;
  }
  return last !== first;
};

/** The order of the replies, if they show one. The author's own answers follow what they answer. */
const orderOf = (replies: readonly PostOrTombstone[], isByAuthor: (reply: Post) => boolean): string => {
  const others = replies.flatMap((reply) => (isTombstone(reply) || isByAuthor(reply) ? [] : [reply]));
  if (isDescending(others.map(({ metrics }) => metrics.likes))) return ', most liked first';
  return isDescending(others.map(({ created_at: created }) => created)) ? ', newest first' : '';
};

/** The link to the page of all replies. */
const allRepliesHtml = ({ id, author }: Post): Html | undefined => {
  const path = belowPost(id, author?.handle, 'replies');
  return path === undefined ? undefined : innerLinkHtml(path, 'All replies', html` class="more"`);
};

/** Replies have replies, which the page of the post has not. */
const wholeConversationHtml = ({ id, author }: Post): Html =>
  html`<p class="hint">${innerLinkHtml(belowPost(id, author?.handle, 'conversation'), 'The whole conversation')}</p>`;

interface RepliesOptions extends AroundOptions {
  readonly heading: string;
  readonly reported: RepliesCount | undefined;
}

/** Without replies and without `reported`, the reader asked for none, or there are none. */
const repliesHtml = (
  conversation: Conversation,
  { heading, reported, dates, hasViewers }: RepliesOptions,
): Html | undefined => {
  const { post } = conversation;
  const replies = withoutCommunity(conversation.replies, post.community);
  if (replies.length === 0 && reported === undefined) return undefined;
  const missing = reported ?? countMissingReplies(conversation);
  const found = missing ?? countReplies(conversation);
  const isByAuthor = ({ author }: Post): boolean => isSameHandle(author?.handle, post.author?.handle);
  const items = replies.map((reply, index) =>
    isTombstone(reply)
      ? html`<div class="item">${tombstoneHtml(reply.reason, 'A reply')}</div>`
      : postItemHtml(reply, {
          isByAuthor: isByAuthor(reply),
          dates,
          viewer: hasViewers ? `r${index + 1}` : undefined,
        }),
  );
  const count = `${formatNumber(found.shown)}${missing ? ` of ${formatNumber(missing.total)}` : ''}${inThreadText(found)}`;
  const mayHaveMore = post.metrics.replies === null && replies.length >= MAX_CONVERSATION_REPLIES;
  const all = missing !== undefined || mayHaveMore ? allRepliesHtml(post) : undefined;
  return html`<section class="list" id="replies"><h2>${heading} <small>${count}${orderOf(replies, isByAuthor)}</small></h2>${joinHtml(items, '\n')}${all}${wholeConversationHtml(post)}</section>`;
};

/** Most posts have at most this many. A longer text is at the source that the note links. */
const NOTE_CHARACTERS = 280;

/** @returns a link that makes a note in Obsidian: the text as a quote, and its source */
const obsidianLink = (post: Post): string => {
  const visible = visibleText(post.text);
  const text = cutTitle(visible.trim(), NOTE_CHARACTERS);
  const indentation = visible.length - visible.trimStart().length;
  const links = visibleLinks(post.text, visible, linkPlacesOf(post)).flatMap(({ start, end, url }) => {
    const place = { start: start - indentation, end: end - indentation };
    return text.slice(place.start, place.end) === url ? [place] : []; // else it is cut
  });
  const quote = blockquote(escapeParagraphs(createMarkdownContext('obsidian'), text, links));
  const content = `${text === '' ? '' : `${quote}\n\n`}${post.url}\n`;
  return `obsidian://new?${queryString({ name: postFileName(post, '').name, content: content.toWellFormed() })}`;
};

const threadLine = ({ parts, focalIndex }: OwnThread): string => {
  if (parts.length === 1) return '';
  const thread = threadLabel(parts.length);
  return focalIndex === 0 ? thread : `Post ${focalIndex + 1} of a ${thread.toLowerCase()}`;
};

export interface ConversationPageOptions {
  readonly warnings?: readonly Warning[];
  /** The replies that X counts beyond those of the whole conversation. @default if the page has replies, they are compared with the post */
  readonly missing?: RepliesCount | undefined;
  /** Milliseconds since the epoch. @default the dates of all posts have their year */
  readonly readAt?: number | undefined;
  /** Unset: the service translates nothing. */
  readonly reading?: Reading | undefined;
  /** As in ViewContext. */
  readonly photo?: number | undefined;
  /** Unset: the page is not an answer of a service. */
  readonly service?: PageService | undefined;
  /** As in LinkBase. @default false */
  readonly isAlone?: boolean | undefined;
  /** As in ViewContext. @default false */
  readonly isKept?: boolean | undefined;
}

export const conversationHtml = (
  whole: Conversation,
  baseUrl: string,
  {
    warnings = [],
    missing,
    readAt,
    reading,
    photo,
    service,
    isAlone = false,
    isKept = false,
  }: ConversationPageOptions = {},
): Html => {
  const { post } = whole;
  const { author } = post;
  const isOnly = reading?.translation === 'only';
  const conversation = isOnly ? withoutOriginals(whole) : whole;
  const { replies } = conversation;
  const thread = ownThread(conversation);
  const title = postTitle(post);
  const path = permalinkPath(post);
  const url = isAlone ? post.url : `${baseUrl}${path}`;
  const query = readingQuery(reading);
  const shownPath = query === '' ? path : `${path}?${query}`;
  const dates = datesBelow(thread.first, readAt);
  const around: AroundOptions = { dates, hasViewers: !isAlone && !isKept };
  const focal = focalHtml(conversation.post, thread, {
    ...around,
    photo: around.hasViewers ? photo : undefined,
    isIncomplete: warnings.some(({ code }) => code === 'thread_incomplete'),
    repliesAt: replies.length === 0 ? undefined : '#replies',
    notes: html`${warningsHtml(warnings, shownPath)}${readingHtml(post, path, isAlone ? undefined : reading)}`,
  });
  const forms = otherFormsHtml({
    ...(!isAlone && { url: baseUrl + shownPath }),
    canonical: post.url,
    citations: [
      { label: 'Markdown link', text: markdownLink(title, url) },
      { label: 'Citation', text: citation(post) },
      { label: 'BibTeX', text: bibtex(post) },
    ],
    ...(!isAlone && {
      keep: {
        path: shownPath,
        // A link with the text of a thread would be as long as the page.
        ...(thread.parts.length === 1 && { note: obsidianLink(post) }),
      },
    }),
  });
  const heading = thread.focalIndex > 0 ? `Replies to post ${thread.focalIndex + 1}` : 'Replies';
  const hasArticle = thread.parts.some((part) => !isTombstone(part) && part.article !== undefined);
  const context = contextHtml(withoutCommunity(thread.context, post.community), thread.parts[0] ?? post, around);
  const below = repliesHtml(conversation, { heading, reported: missing, ...around });
  const main = html`${context}${focal.main}\n${forms}\n${below}`;
  return htmlPage({
    title,
    styles: [
      ...postStylesFor(main),
      conversationStyle,
      ...(hasArticle ? [articleStyle] : []),
      ...mediaStylesFor(main),
      ...(isAlone || reading === undefined ? [] : [readingStyle]),
    ],
    contents: focal.contents,
    reading,
    service,
    isAlone,
    head: headHtml({
      type: 'article',
      title,
      canonical: post.url,
      url,
      author: author && displayName(author),
      oembed: oembedUrl(post, baseUrl),
      description: [
        ...previewLines(post, {
          showsFigures: true,
          isTranslated: reading?.lang !== undefined,
        }),
        threadLine(thread),
      ],
      pictures: previewPictures(post),
      avatar: author && previewAvatar(author),
      video: previewVideo(post),
      handle: author?.handle,
      lang: post.lang,
      publishedAt: post.article?.published_at ?? post.created_at,
    }),
    main,
  });
};
