// A failure in words for people.
import type { Problem } from './api.ts';
import { element, link, requirePart } from './dom.ts';

const ERRORS_PAGE = '/docs/errors';

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const formatWait = (seconds: number): string =>
  seconds < 120 ? counted(seconds, 'second', 'seconds') : `${Math.ceil(seconds / 60)} minutes`;

const resolutionText = ({ resolution, retry_after: seconds }: Problem): string | undefined =>
  seconds === undefined ? resolution : `Wait ${formatWait(seconds)} and try again.`;

const wordsOf = (problem: Problem): string =>
  [problem.detail === `${problem.title}.` ? undefined : problem.detail, resolutionText(problem)]
    .filter((words) => words !== undefined)
    .join(' ');

const PROFILE = /^(?:(?:https?:\/\/)?[^/?#\s]+\/|@)([a-z0-9_]{1,15})\/?(?:[?#]|$)/i;

/** Of somebody who pasted the link of a profile. */
const profileHint = (asked: string, { code }: Problem): readonly Node[] => {
  const handle = code === 'invalid_path' || asked.startsWith('@') ? PROFILE.exec(asked)?.[1] : undefined;
  if (handle === undefined) return [];
  const hint = element('p', 'This names a profile. It can be read at ');
  hint.append(link(`/${handle}`, `${location.origin}/${handle}`), '.');
  return [hint];
};

const codeOf = ({ code }: Problem): readonly (Node | string)[] =>
  code === undefined ? [] : [' ', link(`${ERRORS_PAGE}#${code}`, element('code', code))];

export const clearProblem = (): void => requirePart('problem').replaceChildren();

/** @param asked what was pasted */
export const showProblem = (problem: Problem, asked: string): void => {
  const line = element('p', '');
  line.append(element('strong', `${problem.title}.`), ` ${wordsOf(problem)}`, ...codeOf(problem));
  requirePart('problem').replaceChildren(line, ...profileHint(asked, problem));
};
