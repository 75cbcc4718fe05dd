// Reads the words of a search text, so that a page can mark them and suggest other searches. X alone decides what a search
// text means: whatever looks like an operator is left out.
import { parseHandle } from '../../model/handle.ts';

/** A text between quotes is one term. */
const TERM = /-?"[^"]*"|\S+/g;

/** `from:ada`, `-filter:links`, `https://…` */
const OPERATOR = /^[-(]*[a-z_]+:./i;
const CONNECTIVE = /^\(*(?:OR|AND)\)*$/;
const TAG = /^\(*[#＃@＠$]/;
const FROM = /^from:@?(\w+)$/i;

/** Without the connectives between terms, they group nothing. */
const PARENTHESES = /[()]/g;

/** From the first to the last letter, so without parentheses and punctuation around it. */
const CORE = /[\p{L}\p{M}\p{N}_](?:.*[\p{L}\p{M}\p{N}_])?/su;

export interface QueryWords {
  /** Words and quoted phrases that a post has to contain, without quotes. */
  readonly words: readonly string[];
  /** The search text without operators and excluded words; empty if nothing is left. */
  readonly plain: string;
  /** The query has operators or excluded words. */
  readonly hasOperators: boolean;
  /** The handle in `from:`. */
  readonly from?: string | undefined;
}

/** @returns undefined for a term that is no word, such as `(`, `#tag` or `-word` */
const wordOf = (term: string): string | undefined =>
  term.startsWith('-') || TAG.test(term) ? undefined : CORE.exec(term)?.[0];

export const queryWords = (query: string): QueryWords => {
  const terms = query.match(TERM) ?? [];
  const isOperator = (term: string): boolean => OPERATOR.test(term) || (term.startsWith('-') && term.length > 1);
  const others = terms.filter((term) => !isOperator(term) && !CONNECTIVE.test(term) && CORE.test(term));
  const from = terms.flatMap((term) => FROM.exec(term)?.[1] ?? []).at(0);
  return {
    words: [...new Set(others.map(wordOf).filter((word) => word !== undefined))],
    plain: others.map((term) => term.replace(PARENTHESES, '')).join(' '),
    hasOperators: terms.some(isOperator),
    from: from === undefined ? undefined : parseHandle(from),
  };
};

const WORD_CHARACTER = '[\\p{L}\\p{M}\\p{N}_\\u200c\\u200d]';
/** Texts in these scripts have no spaces between words, or join particles to them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

const patternOf = (word: string): string => {
  const literal = word
    .split(/\s+/)
    .map((part) => part.replace(SYNTAX, '\\$&'))
    .join('\\s+');
  return UNSPACED.test(word) ? literal : `(?<!${WORD_CHARACTER})${literal}(?!${WORD_CHARACTER})`;
};

/**
 * An expression that finds the words as whole words in any letter case. Its size is bounded by that of a query, so that the
 * work is linear in the text.
 *
 * @returns undefined if there are no words
 */
export const wordPattern = (words: readonly string[]): RegExp | undefined =>
  words.length === 0
    ? undefined
    : // The longest alternative comes first: a phrase before its first word.
      new RegExp(
        words
          .toSorted((a, b) => b.length - a.length)
          .map(patternOf)
          .join('|'),
        'giu',
      );
