// Estimates the number of items of a list, for the progress of an export: X counts most lists in the profile or the post.

import { versionedPath } from '../../../shared/contract/operations.ts';
import { isVariable, matchesTemplate } from '../../../shared/contract/path-template.ts';
import type { UseCaseName } from '../../../shared/contract/use-cases.ts';
import { postUrl } from '../../../shared/model/handle.ts';
import { asRecord, parseJson } from '../../../shared/model/json.ts';
import { parameterOf, pathOf, withQuery } from './list-target.ts';
import type { ServiceClient } from './service-client.ts';

interface CountRow {
  readonly useCase: UseCaseName;
  /** @returns the member of `metrics`; undefined: X does not count the list */
  metric(target: string): string | undefined;
  /** The member of the body that has the metrics, and where to read it. */
  readonly subject: 'profile' | 'post';
}

/** X counts the posts of a profile together with its reposts and replies, which is no estimate for a part of them. */
const TIMELINE_METRICS: ReadonlyMap<string | undefined, string> = new Map([
  ['media', 'media'],
  ['replies', 'posts'],
]);

const rows: readonly CountRow[] = [
  { useCase: 'listFollowers', subject: 'profile', metric: () => 'followers' },
  { useCase: 'listFollowing', subject: 'profile', metric: () => 'following' },
  {
    useCase: 'listPosts',
    subject: 'profile',
    metric: (target) => TIMELINE_METRICS.get(parameterOf(target, 'kind')),
  },
  { useCase: 'listReplies', subject: 'post', metric: () => 'replies' },
  { useCase: 'listQuotes', subject: 'post', metric: () => 'quotes' },
  { useCase: 'listReposts', subject: 'post', metric: () => 'reposts' },
];

const subjectTarget = (subject: CountRow['subject'], variable: string): string =>
  subject === 'profile'
    ? withQuery(versionedPath('readProfile').replace('{handle}', variable), { limit: 1, format: 'json' })
    : withQuery(versionedPath('readPost'), {
        url: postUrl(variable),
        thread: 'off',
        replies: 'off',
        format: 'json',
      });

/** @returns undefined if the number is not known */
export const expectedTotal = async (
  target: string,
  client: Pick<ServiceClient, 'get'>,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const segments = pathOf(target).split('/');
  for (const { useCase, subject, metric } of rows) {
    const template = versionedPath(useCase).split('/');
    const name = matchesTemplate(template, segments) ? metric(target) : undefined;
    if (name === undefined) continue;
    const variable = segments[template.findIndex(isVariable)] ?? '';
    const { body } = await client.get(subjectTarget(subject, variable), signal);
    const count = asRecord(asRecord(asRecord(parseJson(body))?.[subject])?.['metrics'])?.[name];
    return typeof count === 'number' ? count : undefined;
  }
  return undefined;
};
