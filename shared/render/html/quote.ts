// Renders a quoted post: a quote in it once more, deeper quotes as links.
import type { Post } from '../../model/post.ts';
import { cutOffset } from '../content/cut.ts';
import { withoutQuoteUrl } from '../content/repeats.ts';
import { innerLinkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';
import { innerPath, pathOfPost } from './inner-links.ts';
import { bylineHtml } from './person.ts';
import { articleTeaserHtml, attachmentsHtml, readOnHtml, tombstoneHtml } from './post-parts.ts';
import { textHtml } from './text.ts';

type Quote = NonNullable<Post['quote']>;

/** A quote in a quote is shown, a quote in that one is linked. */
const DEEPEST = 2;

const lineHtml = (path: string | undefined, words: string): string =>
  `<blockquote class="quote"><p>${innerLinkHtml(path, escapeHtml(words))}</p></blockquote>`;

export const quoteHtml = (quote: Quote, depth = 1): string => {
  if ('unavailable' in quote) return tombstoneHtml(quote.reason, 'The quoted post');
  if (!('metrics' in quote)) return lineHtml(innerPath(quote.url), 'The quoted post');
  const { author } = quote;
  const path = pathOfPost(quote);
  if (depth > DEEPEST) return lineHtml(path, author === undefined ? 'Quote' : `Quote of @${author.handle}`);
  const shown = withoutQuoteUrl(quote);
  const end = cutOffset(shown.text);
  const more = end === undefined || path === undefined ? '' : `<p class="figures">${readOnHtml(path, shown.text)}</p>`;
  return `<blockquote class="quote">${bylineHtml(quote, { tag: 'p', date: 'short' })}${textHtml(shown, { end })}${more}${articleTeaserHtml(quote)}${attachmentsHtml(quote, { quote: (inner) => quoteHtml(inner, depth + 1) })}</blockquote>`;
};
