// Presents problems to people as HTML, and an unknown route also as Markdown. Programs get the problem document.
import { ERRORS_PATH } from '../../contract/paths.ts';
import { problemRow } from '../../contract/problems.ts';
import { errorPageHtml } from '../html/error-page.ts';
import type { ErrorFacts } from './error-ways.ts';
import { wordingOf } from './error-words.ts';

const MAX_WAYS = 3;

/** The code says these reasons already. */
const isSaid = (reason: string): boolean => reason === 'unknown' || reason === 'protected';

/** The content of the box: what was asked for, if the box can hold it. */
const boxOf = ({ subject, query, handle }: ErrorFacts): string | undefined =>
  subject === 'profile' && handle !== undefined ? `@${handle}` : query;

export const presentError = (facts: ErrorFacts): string => {
  const { code, reason, document } = facts;
  const { ways, ...words } = wordingOf(facts);
  const query = boxOf(facts);
  return errorPageHtml({
    ...words,
    ways: ways.flatMap((find) => find(facts) ?? []).slice(0, MAX_WAYS),
    facts: [String(problemRow(code).status), code, ...(reason === undefined || isSaid(reason) ? [] : [reason])],
    meaning: `${ERRORS_PATH}#${code}`,
    ...(document !== undefined && { document }),
    ...(query !== undefined && { query }),
  });
};

export interface DirectoryEntry {
  readonly href: string;
  readonly rel: string;
  readonly title: string;
}

export interface UnknownRoute {
  readonly title: string;
  readonly detail: string | undefined;
  readonly resolution: string;
  readonly links: readonly DirectoryEntry[];
}

/** For agents that read Markdown. */
export const unknownRouteMarkdown = ({ title, detail, resolution, links }: UnknownRoute): string =>
  `# ${title}\n\n${detail === undefined ? '' : `${detail}\n\n`}${resolution}\n\n${links.map(({ href, title: label }) => `- [${label}](${href})`).join('\n')}\n`;
