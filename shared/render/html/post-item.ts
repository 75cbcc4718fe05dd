// Renders a post as an item of a list: of replies, of a profile or of search results.
import type { Post } from '../../model/post.ts';
import { cutOffset } from '../content/cut.ts';
import { withoutQuoteUrl } from '../content/repeats.ts';
import { pathOfPost } from './inner-links.ts';
import { communityFacts, faceHtml, type Heading, itemBylineHtml, permalinkHtml, repostHtml } from './person.ts';
import {
  articleLabel,
  articleTeaserHtml,
  attachmentsHtml,
  type Figure,
  figuresHtml,
  readOnHtml,
} from './post-parts.ts';
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
}

const FIGURES: readonly Figure[] = ['likes', 'replies'];

export const postItemHtml = (
  post: Post,
  {
    showsByline = true,
    isCut = true,
    isByAuthor = false,
    heading = 'h3',
    figures = FIGURES,
    plain,
  }: PostItemOptions = {},
): string => {
  const { author } = post;
  const path = pathOfPost(post);
  const shown = withoutQuoteUrl(post);
  const end = isCut ? cutOffset(shown.text) : undefined;
  const label = articleLabel(post);
  const facts = [
    ...(isByAuthor ? ['the author'] : []),
    ...communityFacts(post),
    ...(label === undefined ? [] : [label]),
  ];
  const byline = showsByline
    ? itemBylineHtml(post, heading, facts)
    : `<p class="meta">${[permalinkHtml(post, 'day'), ...facts].join(' · ')}</p>`;
  const more = end === undefined ? [] : [readOnHtml(path, post.text)];
  return [
    `<article class="item${showsByline && author !== undefined ? ' with' : ''}">`,
    showsByline && author !== undefined ? faceHtml(author) : '',
    repostHtml(post),
    byline,
    textHtml(shown, { plain, end }),
    articleTeaserHtml(post),
    attachmentsHtml(post, { quote: quoteHtml, isCut }),
    figuresHtml(post, { figures, repliesAt: path, before: more }),
    '</article>',
  ].join('');
};
