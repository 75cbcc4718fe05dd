// Renders a post as Markdown. Wording and order are not part of the contract.
import { isPost, isTombstone } from '../../model/conversation.ts';
import { isSameHandle, postUrl } from '../../model/handle.ts';
import type {
  Article,
  Community,
  Poll,
  Post,
  PostOrTombstone,
  Tombstone,
  UnidentifiedTombstone,
} from '../../model/post.ts';
import { PLACES, type PlacedText, placesBefore, type TextRange } from '../../model/text-places.ts';
import type { User } from '../../model/user.ts';
import { cutOffset, withCutMark } from '../content/cut.ts';
import { formatDay, formatInstant } from '../content/format.ts';
import {
  COMMUNITY_NOTE,
  choiceResult,
  displayName,
  pollState,
  postCounts,
  SENSITIVE,
  tombstoneSentence,
} from '../content/labels.ts';
import { linkPlacesOf } from '../content/links.ts';
import { isPictureHost } from '../content/media-files.ts';
import { isOwn, threadLabel } from '../content/own-threads.ts';
import {
  articleBeginning,
  articleChange,
  articlePublication,
  communityName,
  communityUrl,
} from '../content/post-facts.ts';
import { leadingMentions, withoutLeadingMentions, withoutQuoteUrl } from '../content/repeats.ts';
import { type ShownCard, type ShownPart, shownArticle, shownParts } from '../content/shown-post.ts';
import { styledRanges } from '../content/style-runs.ts';
import { originalLabel, translatedPost, translationLabel } from '../content/translation.ts';
import { articleMarkdown, mediaMarkdown, pictureMarkdown, TITLE_LEVEL } from './article.ts';
import type { MarkdownContext, PostStyle } from './context.ts';
import {
  autolink,
  blockquote,
  destination,
  escapeHeading,
  escapeLine,
  escapeParagraphs,
  escapeSpan,
} from './escape.ts';
import { styledParagraphs } from './styled-text.ts';

export const tombstoneMarkdown = (entry: Tombstone | UnidentifiedTombstone): string => {
  const subject = 'id' in entry ? `[This post](${postUrl(entry.id)})` : 'This post';
  return `*${tombstoneSentence(entry.reason, subject)}*`;
};

/** @returns for example `**Ada** (@ada)` */
const bylineMarkdown = (context: MarkdownContext, { name, handle }: User): string =>
  `**${escapeSpan(context, name) || escapeSpan(context, handle)}** (${escapeSpan(context, `@${handle}`)})`;

export const postHeading = (context: MarkdownContext, author: User | undefined): string =>
  author === undefined
    ? 'Post'
    : escapeHeading(context, `${displayName(author, context.onRemoved)} (@${author.handle})`);

const communityMarkdown = (context: MarkdownContext, community: Community): string =>
  ` in [${escapeSpan(context, communityName(community), 'brackets')}](${destination(communityUrl(community))})`;

/** The date of a post with its URL, the community, and the counts. */
export const postFooter = (
  context: MarkdownContext,
  { url, created_at: created, community, metrics }: Post,
): string => {
  const date = `[${created === undefined ? 'Post' : formatInstant(created)}](${destination(url)})`;
  return (
    date + (community === undefined ? '' : communityMarkdown(context, community)) + postCounts(metrics, context.metrics)
  );
};

const NO_LINKS: readonly TextRange[] = [];

const CARD_PICTURE = 'Preview of the link';

const poll = (context: MarkdownContext, entry: Poll): string => {
  const choices = entry.choices.map((choice) => `- ${escapeLine(context, choice.label)}${choiceResult(choice)}`);
  return `**Poll**${pollState(entry)}\n\n${choices.join('\n')}`;
};

const card = (context: MarkdownContext, shown: ShownCard): string => {
  const { url, title, description, domain, image_url: image, image_alt: alt } = shown;
  const label = title === undefined ? '' : escapeSpan(context, title, 'brackets');
  const link = label === '' ? autolink(url) : `[${label}](${destination(url)})`;
  // A short link hides its host.
  const host = url.includes(domain) ? '' : ` (${escapeSpan(context, domain)})`;
  const lines = `**${shown.label ?? 'Link'}:** ${link}${host}${description === undefined ? '' : `  \n${escapeLine(context, description)}`}`;
  return image !== undefined && isPictureHost(image)
    ? appendBlock(pictureMarkdown(context, alt ?? CARD_PICTURE, image), lines)
    : lines;
};

const quote = (context: MarkdownContext, entry: NonNullable<Post['quote']>): string => {
  if ('unavailable' in entry) return blockquote(tombstoneMarkdown(entry));
  if (!isPost(entry)) return blockquote(autolink(entry.url));
  const head = entry.author === undefined ? '' : `${bylineMarkdown(context, entry.author)}\n\n`;
  return blockquote(head + postMarkdown(context, entry));
};

/** @returns undefined: the text is not too long */
const cutEnd = ({ isCut = false }: MarkdownContext, text: string): number | undefined =>
  isCut ? cutOffset(text) : undefined;

const cutText = (context: MarkdownContext, text: string): string => {
  const end = cutEnd(context, text);
  return end === undefined ? text : withCutMark(text.slice(0, end));
};

const articleBody = (context: MarkdownContext, entry: Article): string => {
  if (context.isCut) return escapeParagraphs(context, cutText(context, articleBeginning(entry)), NO_LINKS);
  return entry.blocks.length > 0
    ? articleMarkdown(context, entry)
    : escapeParagraphs(context, entry.preview_text ?? '', linkPlacesOf({ text: entry.preview_text ?? '' }));
};

const article = (context: MarkdownContext, post: Post, entry: Article): string => {
  const published = articlePublication(post);
  const changed = articleChange(post);
  const dates = [
    ...(published === undefined ? [] : [`Published ${formatDay(published)}`]),
    ...(changed === undefined ? [] : [`Changed ${formatDay(changed)}`]),
  ];
  const date = dates.length === 0 ? '' : `*${dates.join(' · ')}*`;
  const title = escapeHeading(context, entry.title);
  const cover = entry.cover_url === undefined ? '' : pictureMarkdown(context, 'Cover', entry.cover_url);
  const heading = title === '' ? '' : `${'#'.repeat(context.titleLevel ?? TITLE_LEVEL)} ${title}`;
  return [heading, date, cover, articleBody(context, entry)].filter((block) => block !== '').join('\n\n');
};

export const appendBlock = (text: string, block: string): string =>
  text === '' || block === '' ? text + block : `${text}\n\n${block}`;

/** The beginning of a text with the links that are whole in it. A link that is divided is left out. */
const beginning = (post: Post, end: number): Post => {
  const places = linkPlacesOf(post);
  const cutAt = places.find((place) => place.start < end && end < place.end)?.start ?? end;
  const text = withCutMark(post.text.slice(0, cutAt));
  return { ...post, text, [PLACES]: placesBefore(places, text.length - 1) };
};

/** @param whole without the URL of its quote */
const textMarkdown = (context: MarkdownContext, whole: Post): string => {
  const end = cutEnd(context, whole.text);
  const shown = end === undefined ? whole : beginning(whole, end);
  const { text } = shown;
  const ranges = styledRanges(shown);
  const links = linkPlacesOf(shown);
  return ranges.length === 0 ? escapeParagraphs(context, text, links) : styledParagraphs(context, text, ranges, links);
};

const aside = (context: MarkdownContext, label: string, source: PlacedText): string =>
  blockquote(`**${label}:**\n\n${escapeParagraphs(context, source.text, linkPlacesOf(source))}`);

/**
 * The line below a text that is cut, or below an article, of which only the beginning is shown.
 *
 * @param post without the URL of its quote
 */
const readOnLine = (context: MarkdownContext, post: Post): string => {
  const { isCut = false, readOn } = context;
  if (!isCut || readOn === undefined) return '';
  const texts = [post.text, post.translation?.text ?? ''];
  const isWhole = post.article === undefined && texts.every((text) => cutOffset(text) === undefined);
  return isWhole ? '' : `Read on: ${readOn(post)}`;
};

/** @param original the text of the post as Markdown */
const withTranslation = (context: MarkdownContext, post: Post, original: string): string => {
  const { translation } = post;
  if (translation === undefined) return original;
  const label = `*${escapeSpan(context, translationLabel(translation))}*`;
  const translated = appendBlock(label, textMarkdown(context, withoutQuoteUrl(translatedPost(post, translation))));
  return original === '' || context.translation === 'only'
    ? translated
    : `${translated}\n\n*${originalLabel(post, translation)}*\n\n${original}`;
};

/** The line below the first post of a thread, of which a list has only some parts. */
const threadLine = ({ threads, readOn }: MarkdownContext, post: Post): string => {
  const thread = isOwn(post) ? threads?.get(post.id) : undefined;
  return thread === undefined || readOn === undefined ? '' : `${threadLabel(thread.parts)}: ${readOn(post)}`;
};

const partMarkdown = (context: MarkdownContext, part: ShownPart, { author }: Post): string => {
  switch (part.kind) {
    case 'media':
      return part.media.map((item) => mediaMarkdown(context, item, author)).join('\n\n');
    case 'poll':
      return poll(context, part.poll);
    case 'quote':
      return quote(context, part.quote);
    case 'card':
      return card(context, part.card);
    case 'note':
      return aside(context, COMMUNITY_NOTE, part.note);
    default:
      return part satisfies never;
  }
};

/** A post without its author and counts. */
export const postBody = (context: MarkdownContext, post: Post): string => {
  const shown = withoutQuoteUrl(post);
  let text = withTranslation(context, post, textMarkdown(context, shown));
  if (post.sensitive) text = appendBlock(`*${SENSITIVE}*`, text);
  const story = shownArticle(post);
  if (story !== undefined) text = appendBlock(text, article(context, post, story));
  text = appendBlock(text, readOnLine(context, shown));
  for (const part of shownParts(post, { hasBody: context.isCut !== true }))
    text = appendBlock(text, partMarkdown(context, part, post));
  return appendBlock(text, threadLine(context, post));
};

/** A post without its author. */
export const postMarkdown = (context: MarkdownContext, post: Post): string =>
  appendBlock(postBody(context, post), postFooter(context, post));

/** Handles in lower case. */
type IsNamed = (handle: string) => boolean;

/** The headings of posts have level 3, so the headings within them are deeper. */
const BELOW_HEADING: PostStyle = { titleLevel: 4 };

/** An ancestor or a reply under its own heading. @param isNamed true: the document names the account */
export const entryMarkdown = (context: MarkdownContext, item: PostOrTombstone, isNamed: IsNamed): string => {
  if (isTombstone(item)) return `### Unavailable\n\n${tombstoneMarkdown(item)}`;
  const body = postMarkdown({ ...context, ...BELOW_HEADING }, withoutLeadingMentions(item, isNamed));
  return `### ${postHeading(context, item.author)}\n\n${body}`;
};

const reposterLine = (context: MarkdownContext, { reposted_by: reposter }: Post): string =>
  reposter === undefined ? '' : `Reposted by ${bylineMarkdown(context, reposter)}`;

const replyLine = (context: MarkdownContext, post: Post): string => {
  const parent = post.in_reply_to?.handle;
  const others = leadingMentions(post).handles.filter((handle) => !isSameHandle(handle, parent));
  const handles = parent === undefined ? others : [parent, ...others];
  return handles.length === 0
    ? ''
    : `In reply to ${handles.map((handle) => escapeSpan(context, `@${handle}`)).join(', ')}`;
};

export interface ContextualPost {
  /** The lines above the post: who reposted it, and whom it answers. Empty, or with a blank line at the end. */
  readonly above: string;
  /** The post without what is above it. */
  readonly post: Post;
}

/** @param isNamed unset: the post that it answers is not shown above */
export const withContext = (context: MarkdownContext, post: Post, isNamed?: IsNamed): ContextualPost => {
  const lines = [reposterLine(context, post), isNamed === undefined ? replyLine(context, post) : ''];
  const above = lines.filter((line) => line !== '').join('  \n');
  return {
    above: above === '' ? '' : `${above}\n\n`,
    post: withoutLeadingMentions(post, isNamed ?? (() => true)),
  };
};

/** A post under its own heading, with the lines above it. */
export const headedPost = (context: MarkdownContext, entry: Post): string => {
  const { above, post } = withContext(context, entry);
  const body = postMarkdown({ ...context, ...BELOW_HEADING }, post);
  return `### ${postHeading(context, post.author)}\n\n${above}${body}`;
};
