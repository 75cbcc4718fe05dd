// Compares an answer with the truth of the simulated world.
import type { OriginResponse } from '../../infra/local/origin-response.ts';
import type { Answer } from '../faults/client.ts';
import { type Reading, type ReadRoute, readAnswer, type Subject } from '../faults/surfaces.ts';
import { conformanceErrors } from '../support/conformance.ts';
import { DAY, existsAt, MINUTE, type ProviderEpisode, type World } from './world.ts';

export interface Asked {
  readonly surface: ReadRoute;
  readonly subject: Subject;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly response: OriginResponse;
}

export interface Checked {
  readonly reading: Reading;
  readonly keyStatus: string | undefined;
  readonly retryAfter: number | undefined;
  readonly errors: readonly string[];
  /** "Not found" for a subject that exists, in the time after an outage began that the documentation names. */
  readonly isFalseAbsence: boolean;
}

/** Decision 5: Retry-After of our own 503, and the longest Retry-After of a provider that is obeyed, with one more probe. */
const RECOVERY_MILLISECONDS = 30_000;
const PROBE_MILLISECONDS = 10_000;
/** A found canary is believed for 30 s. The 404 stays in a cache of the function and in the shared cache for 30 s each. */
const FALSE_ABSENCE_MILLISECONDS = 95_000;
/** s-maxage, stale-while-revalidate and the cache of a function. */
const DELETED_VISIBLE_MILLISECONDS = 66 * MINUTE;

const recoversAt = ({ to, failure, retryAfter }: ProviderEpisode): number => {
  const wait = failure === 'throttled' ? retryAfter * 1000 : 0;
  return to + Math.max(RECOVERY_MILLISECONDS, wait) + PROBE_MILLISECONDS;
};

/** @returns true if a provider failed at some time in the interval, or is still within its time to recover */
export const mayFail = (world: World, from: number, to: number): boolean =>
  world.providerEpisodes.some((episode) => episode.from <= to && from <= recoversAt(episode));

/** The statuses that are true for a subject, and those that caches may still have. */
const trueStatuses = (world: World, { surface, subject, startedAt, endedAt }: Asked): readonly number[] => {
  if (surface.proofOf(subject).includes(subject.id)) {
    const post = world.posts.find(({ id }) => id === subject.id);
    if (post === undefined) return [200];
    if (post.existence === 'missing') return [404];
    if (post.existence === 'protected') return [403];
    if (existsAt(post, startedAt)) return existsAt(post, endedAt) ? [200] : [200, 404];
    const isVisible = startedAt - post.deletedAt < DELETED_VISIBLE_MILLISECONDS;
    const isStaleIfError = mayFail(world, post.deletedAt, endedAt) && startedAt - post.deletedAt < DAY;
    return isVisible || isStaleIfError ? [200, 404] : [404];
  }
  if (surface.allowance === 'search') return [200];
  const existence = world.handles.get(subject.handle) ?? 'exists';
  if (existence === 'exists') return [200];
  if (existence === 'missing') return [404];
  return surface.name === 'profile' ? [200] : [403];
};

const answerOf = ({ response, startedAt, endedAt }: Asked): Answer => ({
  status: response.status,
  headers: Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  ),
  body: response.body.toString(),
  milliseconds: endedAt - startedAt,
});

const DEADLINE_MILLISECONDS = 8500;

export const checkAnswer = (world: World, asked: Asked): Checked => {
  const { surface, subject, startedAt, endedAt } = asked;
  const answer = answerOf(asked);
  const reading = readAnswer(surface, subject, answer);
  const { status, isTrue, code } = reading;
  const query = surface.queryOf(subject);
  const allowed = trueStatuses(world, asked);
  const isFailure = status === 502 || status === 503;
  const isRefusal = status === 429 || status === 401;
  const isFalseAbsence =
    status === 404 &&
    !allowed.includes(404) &&
    world.providerEpisodes.some(
      ({ failure, from }) => failure === 'absent' && from <= endedAt && endedAt - from <= FALSE_ABSENCE_MILLISECONDS,
    );
  const errors = [
    ...(isFailure && !mayFail(world, startedAt, endedAt) ? [`${status} although no provider fails`] : []),
    ...(!isFailure && !isRefusal && !allowed.includes(status) && !isFalseAbsence
      ? [`${status} ${code ?? ''} is false, ${allowed.join(' or ')} is true`]
      : []),
    ...(status === 200 && !isTrue ? ['the answer is not about the subject'] : []),
    ...(answer.body.includes('LEAKY') ? ['text of the provider'] : []),
    ...(answer.milliseconds > DEADLINE_MILLISECONDS ? [`answered after ${answer.milliseconds} ms`] : []),
    ...(status === 200 ? [] : conformanceErrors(query.body === undefined ? 'GET' : 'POST', query.target, answer)),
  ];
  const told = answer.headers['retry-after'] ?? /"retry_after":(\d+)/.exec(answer.body)?.[1];
  return {
    reading,
    keyStatus: answer.headers['x-api-key-status'],
    retryAfter: told === undefined ? undefined : Number(told),
    errors: errors.map(
      (error) =>
        `${new Date(startedAt).toISOString()} ${surface.name} ${subject.id} ${subject.handle}: ${error} (${endedAt - startedAt} ms)`,
    ),
    isFalseAbsence,
  };
};
