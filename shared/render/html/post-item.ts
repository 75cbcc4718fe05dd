// Renders a post as an item of a list: of replies, of a profile or of search results.
import type { Post } from '../../model/post.ts';
import { cutOffset, readingMinutes } from '../content/cut.ts';
import { formatCount } from '../content/format.ts';
import { withoutQuoteUrl } from '../content/repeats.ts';
import { innerLinkHtml } from './elements.ts';
import { pathOfPost } from './inner-links.ts';
import { faceHtml, type Heading, itemBylineHtml, nameHtml, permalinkHtml } from './person.ts';
import { articleLabel, articleTeaserHtml, attachmentsHtml, type Figure, figuresHtml } from './post-parts.ts';
import { quoteHtml } from './quote.ts';
import { type TextOptions, textHtml } from './text.ts';

export interface PostItemOptions extends Pick<TextOptions, 'plain'> {
  /** false: the author is that of the page, and the date comes first. @default true */
  readonly showsByline?: boolean;
  /** A long text is cut, and its page is linked. @default true */
  readonly isCut?: boolean;
  /** The post is by the author of the post above. */
  readonly isByAuthor?: boolean;
  /** The element of the name. @default h3 */
  readonly heading?: Heading;
  /** @default likes and replies */
  readonly figures?: readonly Figure[];
  /** The number of posts of the thread that the post begins, if it is known. */
  readonly threadLength?: number | undefined;
}

const FIGURES: readonly Figure[] = ['likes', 'replies'];

const repostHtml = ({ reposted_by: reposter }: Post): string =>
  reposter === undefined ? '' : `<p class="meta">${nameHtml(reposter)} reposted</p>`;

export const postItemHtml = (
  post: Post,
  {
    showsByline = true,
    isCut = true,
    isByAuthor = false,
    heading = 'h3',
    figures = FIGURES,
    threadLength,
    plain,
  }: PostItemOptions = {},
): string => {
  const { author } = post;
  const path = pathOfPost(post);
  const shown = withoutQuoteUrl(post);
  const end = isCut ? cutOffset(shown.text) : undefined;
  const label = articleLabel(post);
  const facts = [...(isByAuthor ? ['the author'] : []), ...(label === undefined ? [] : [label])];
  const byline = showsByline
    ? itemBylineHtml(post, heading, facts)
    : `<p class="meta">${[permalinkHtml(post, 'day'), ...facts].join(' · ')}</p>`;
  const more = [
    ...(end === undefined ? [] : [`Read on, ${readingMinutes(post.text)} min`]),
    ...(threadLength === undefined ? [] : [`Read the thread, ${formatCount(threadLength, 'post')}`]),
  ].map((words) => innerLinkHtml(path, words, ' class="on"'));
  return [
    `<article class="item${showsByline && author !== undefined ? ' with' : ''}">`,
    showsByline && author !== undefined ? faceHtml(author) : '',
    repostHtml(post),
    byline,
    textHtml(shown, { plain, end }),
    articleTeaserHtml(post),
    attachmentsHtml(post, { quote: quoteHtml }),
    figuresHtml(post, { figures, repliesAt: path, before: more }),
    '</article>',
  ].join('');
};
