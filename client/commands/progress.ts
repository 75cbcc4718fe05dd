// Reports the progress of an export on standard error: a line that changes on a terminal, or a line now and then.
import { versionedPath } from '../../shared/contract/operations.ts';
import { isVariable, matchesTemplate } from '../../shared/contract/paths.ts';
import type { UseCaseName } from '../../shared/contract/use-cases.ts';
import { postUrl } from '../../shared/model/handle.ts';
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import { parameterOf, pathOf, withQuery } from './list-target.ts';
import { send } from './request.ts';
import type { Service } from './service.ts';

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
  { useCase: 'listPosts', subject: 'profile', metric: (target) => TIMELINE_METRICS.get(parameterOf(target, 'kind')) },
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

/** X counts most lists in the profile or the post. @returns undefined if the number is not known */
export const expectedTotal = async (
  target: string,
  service: Service,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const segments = pathOf(target).split('/');
  for (const { useCase, subject, metric } of rows) {
    const template = versionedPath(useCase).split('/');
    const name = matchesTemplate(template, segments) ? metric(target) : undefined;
    if (name === undefined) continue;
    const variable = segments[template.findIndex(isVariable)] ?? '';
    const response = await send(service, { target: subjectTarget(subject, variable), signal });
    const count = asRecord(asRecord(asRecord(parseJson(await response.text()))?.[subject])?.['metrics'])?.[name];
    return typeof count === 'number' ? count : undefined;
  }
  return undefined;
};

export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Milliseconds. */
  readonly now: () => number;
  /** The items of the file before. */
  readonly count: number;
  /** The expected number of all items. */
  readonly total?: number | undefined;
  /** The end of a timeline in milliseconds since the epoch: `since`. */
  readonly since?: number | undefined;
  /** The singular of the things that are counted. @default 'item' */
  readonly noun?: string;
}

export interface Progress {
  /** @param createdAt time of the last item in milliseconds since the epoch */
  add(items: number, createdAt: number | undefined): void;
  wait(seconds: number, reason: string): void;
  /** Writes a line that stays. */
  say(text: string): void;
  readonly count: number;
}

const TERMINAL_INTERVAL = 200;
const LINE_INTERVAL = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

const number = new Intl.NumberFormat('en');

export const itemsText = (count: number, noun = 'item'): string =>
  `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${number.format(Math.ceil(seconds / 60))} min`;

export const createProgress = (options: ProgressOptions): Progress => {
  const { write, isTerminal, now, total, since, noun } = options;
  const startedAt = now();
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt;
  let count = options.count;
  let newest: number | undefined;
  let oldest: number | undefined;

  const elapsedSeconds = (): number => (now() - startedAt) / 1000;

  /** The done part of the rest, from 0 to 1. */
  const doneShare = (): number | undefined => {
    if (since !== undefined && newest !== undefined && oldest !== undefined && newest > since)
      return (newest - oldest) / (newest - since);
    return total === undefined || total <= options.count
      ? undefined
      : (count - options.count) / (total - options.count);
  };

  const statusText = (): string => {
    const seconds = elapsedSeconds();
    const rate = seconds > 0 ? `, ${number.format(Math.round((count - options.count) / seconds))} per second` : '';
    const share = doneShare();
    const left =
      share !== undefined && share > 0 && share < 1
        ? `, about ${durationText((seconds * (1 - share)) / share)} left`
        : '';
    return `${itemsText(count, noun)}${rate}${left}`;
  };

  const show = (text: string): void => {
    shownAt = now();
    write(isTerminal ? `${CLEAR_LINE}${visibleLine(text)}` : `${visibleLine(text)}\n`);
  };

  return {
    get count() {
      return count;
    },
    add(items, createdAt) {
      count += items;
      newest ??= createdAt;
      oldest = createdAt ?? oldest;
      if (now() - shownAt >= (isTerminal ? TERMINAL_INTERVAL : LINE_INTERVAL)) show(statusText());
    },
    wait: (seconds, reason) =>
      show(`${itemsText(count, noun)}; ${reason.replace(/\.$/, '')}: waiting ${durationText(seconds)}`),
    say: (text) => write(`${isTerminal ? CLEAR_LINE : ''}${visibleLine(text)}\n`),
  };
};
