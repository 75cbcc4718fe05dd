// Says on the front page why a text shows no post, and where to go on.

import { SHORT_LINK_ON_X } from '../../../shared/contract/pages-on-x.ts';
import { ERRORS_PATH } from '../../../shared/contract/paths.ts';
import type { BoxError, BoxMeaning } from '../../../shared/model/box.ts';
import { accountPath, xListPath } from '../../../shared/model/handle.ts';
import { MAX_SEARCH_UNITS } from '../../../shared/model/lists.ts';
import { element, requirePart } from '../../page/dom.ts';
import { formatWait } from '../../page/format.ts';
import { alertText, type Problem } from '../../page/problem.ts';

const link = (href: string, content: string | Node): HTMLAnchorElement => {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.append(content);
  return anchor;
};

const region = requirePart('problem');

const say = (...parts: readonly (string | Node)[]): HTMLElement => {
  const line = element('p');
  line.append(...parts);
  return line;
};

export const clearProblem = (): void => region.replaceChildren();

const boxErrors: Readonly<Record<BoxError, string>> = {
  invalid_url: 'Paste this link without its password.',
  unsupported_host: 'This is not a link of X. Paste the link of the post that it shows.',
  invalid_path: 'This link is not of a post, a profile or a search.',
  invalid_handle: 'The name in this link cannot be a name on X.',
  invalid_id: 'The number in this link cannot be of a post.',
  invalid_query: `A search has at most ${MAX_SEARCH_UNITS} characters.`,
};

type OtherMeaning = Exclude<BoxMeaning, { readonly kind: 'post' }>;

const NAME = /^[a-z0-9_]{1,15}$/i;

const suggestions = (handle: string | undefined, query: string): readonly (string | Node)[] => [
  'This is not a link to a post. Did you mean ',
  // The box leads to a name that a path cannot hold, too.
  ...(handle === undefined
    ? []
    : ['the profile ', link(`/?${new URLSearchParams({ q: `@${handle}` })}`, `@${handle}`), ' or ']),
  'a ',
  link(`/search?${new URLSearchParams({ q: query })}`, `search for ${query}`),
  '?',
];

const otherMeaning = (meaning: OtherMeaning): readonly (string | Node)[] => {
  switch (meaning.kind) {
    case 'error':
      return [meaning.isShort ? SHORT_LINK_ON_X.text : boxErrors[meaning.code]];
    case 'search':
      return suggestions(NAME.test(meaning.query) ? meaning.query : undefined, meaning.query);
    case 'account':
    case 'list': {
      const [noun, path] = meaning.kind === 'list' ? ['list', xListPath] : ['profile', accountPath];
      return [`This is a link to a ${noun}. `, link(path(meaning.id), 'Read it'), '.'];
    }
    default:
      return suggestions(meaning.handle, meaning.handle);
  }
};

/** Says what a text means that is not the link of a post. */
export const showOtherMeaning = (meaning: OtherMeaning): void => region.replaceChildren(say(...otherMeaning(meaning)));

/** Sentences for the answers that readers meet. The problem document is written for the authors of programs. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['post_not_found deleted', 'This post was deleted.'],
  ['post_not_found suspended', 'The account of the author is suspended.'],
  ['post_not_found withheld', 'X does not show this post to the public.'],
  ['post_not_found', 'X does not give this post.'],
  ['post_protected', 'Only followers can read this post.'],
  ['withheld_by_operator', 'The operator of this service withholds this post.'],
  ['upstream_failed', 'X does not answer just now.'],
  ['upstream_unavailable', 'X does not answer just now.'],
]);

/** The bar says it. A problem of sample data proves nothing about X. */
const isSample = document.querySelector('[data-part="sample"]') !== null;

const sentenceOf = ({ code = '', reason = '', detail }: Problem): string | undefined =>
  isSample && sentences.has(code) ? detail : (sentences.get(`${code} ${reason}`) ?? sentences.get(code));

const adviceOf = (problem: Problem): string => {
  const { code = '', retry_after: seconds, resolution } = problem;
  if (seconds !== undefined) return `Wait ${formatWait(seconds)} and try again.`;
  if (code.startsWith('upstream')) return 'Try again in a minute.';
  return sentenceOf(problem) === undefined ? alertText(problem, resolution) : '';
};

/** @param problem the answer of the service to the link of a post */
export const showProblem = (problem: Problem): void => {
  const { status, code } = problem;
  const line = say(element('strong', sentenceOf(problem) ?? `${problem.title}.`), ` ${adviceOf(problem)}`);
  const codes = code === undefined ? [] : [say(`${status ?? ''} · `, link(`${ERRORS_PATH}#${code}`, code))];
  region.replaceChildren(line, ...codes);
};
