// Lists the operators of X that a search text can contain.
import { escapeHtml } from './escape.ts';

/** Each with its meaning. The search of X defines them. */
const OPERATORS: readonly (readonly [text: string, meaning: string])[] = [
  ['two words', 'both of them, in any order'],
  ['"two words"', 'exactly these words'],
  ['this OR that', 'one of them'],
  ['-word', 'without this word'],
  ['from:handle', 'by one account'],
  ['to:handle', 'answers to one account'],
  ['#tag', 'with this hashtag'],
  ['since:2026-03-01', 'from this day on (UTC)'],
  ['until:2026-04-01', 'before this day (UTC)'],
  ['lang:fr', 'in one language'],
  ['filter:links', 'with links; also images, videos, replies'],
  ['min_faves:100', 'with at least so many likes'],
  ['url:example.org', 'with a link to a site'],
];

export const SEARCH_HELP_TITLE = 'What a search can say';

/** @returns HTML of a list */
export const searchHelpHtml = (): string =>
  `<dl class="says">${OPERATORS.map(([text, meaning]) => `<dt><code>${escapeHtml(text)}</code></dt><dd>${escapeHtml(meaning)}</dd>`).join('')}</dl>`;
