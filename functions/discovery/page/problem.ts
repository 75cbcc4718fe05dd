// Shows the problem of a failed read on the front page.
import { element, requirePart } from '../../page/dom.ts';
import { formatWait } from '../../page/format.ts';
import { type Problem, problemText } from '../../page/problem.ts';

const ERRORS_PAGE = '/docs/errors';

const link = (href: string, content: string | Node): HTMLAnchorElement => {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.append(content);
  return anchor;
};

const resolutionText = ({ resolution, retry_after: seconds }: Problem): string | undefined =>
  seconds === undefined ? resolution : `Wait ${formatWait(seconds)} and try again.`;

const PROFILE = /^(?:(?:https?:\/\/)?[^/?#\s]+\/|@)([a-z0-9_]{1,15})\/?(?:[?#]|$)/i;

/** Links to the profile if the reader pasted the URL of a profile. */
const profileHint = (pasted: string, { code }: Problem): readonly Node[] => {
  const handle = code === 'invalid_path' || pasted.startsWith('@') ? PROFILE.exec(pasted)?.[1] : undefined;
  if (handle === undefined) return [];
  const hint = element('p', 'This names a profile. It can be read at ');
  hint.append(link(`/${handle}`, `${location.origin}/${handle}`), '.');
  return [hint];
};

const codeOf = ({ code }: Problem): readonly (Node | string)[] =>
  code === undefined ? [] : [' ', link(`${ERRORS_PAGE}#${code}`, element('code', code))];

const region = requirePart('problem');

export const clearProblem = (): void => region.replaceChildren();

/** @param pasted the text in the form */
export const showProblem = (problem: Problem, pasted: string): void => {
  const line = element('p');
  const text = problemText(problem, resolutionText(problem));
  line.append(element('strong', `${problem.title}.`), ` ${text}`, ...codeOf(problem));
  region.replaceChildren(line, ...profileHint(pasted, problem));
};
