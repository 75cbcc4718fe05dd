// Compares an answer with the truth of the simulated world.

import type { OriginResponse } from '../../infra/local/api-gateway.ts';
import { freshnessOf } from '../../infra/local/shared-cache.ts';
import { cacheControl, DEFAULT_CACHE_TTL_SECONDS } from '../../shared/contract/caching.ts';
import { conformanceErrors } from '../../test/support/conformance.ts';
import type { Answer } from '../../test/support/faults/client.ts';
import { type Reading, type ReadRoute, readAnswer, type Subject } from '../../test/support/faults/surfaces.ts';
import {
  existsAt,
  MINUTE,
  type ProviderEpisode,
  type ProviderFailure,
  type ProviderName,
  type World,
} from './world.ts';

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
  /** The first provider failed, so only the second could tell the truth. */
  readonly needsSecond: boolean;
}

/** Retry-After of our own 503, and the longest Retry-After of a provider that is obeyed, with one more probe. */
const RECOVERY_MILLISECONDS = 30_000;
const PROBE_MILLISECONDS = 10_000;
/** A found canary is believed for 30 s. The 404 stays in a cache of the function and in the shared cache for 30 s each. */
const FALSE_ABSENCE_MILLISECONDS = 95_000;
/** A cache of a function can give a deleted post to the shared cache, which then counts from there. */
const FUNCTION_CACHE_MILLISECONDS = MINUTE;
/** The ids of the simulated posts have no time, so the posts are old. */
const POST_FRESHNESS = freshnessOf(cacheControl('monthOldPost', DEFAULT_CACHE_TTL_SECONDS));
const DELETED_VISIBLE_MILLISECONDS = FUNCTION_CACHE_MILLISECONDS + (POST_FRESHNESS?.staleWhileRevalidate ?? 0);
const DELETED_STALE_MILLISECONDS = FUNCTION_CACHE_MILLISECONDS + (POST_FRESHNESS?.staleIfError ?? 0);

/** A breaker counts a response of any content as a success, so these failures open none. */
const OPENS_NO_CIRCUIT: ReadonlySet<ProviderFailure> = new Set(['slow', 'html', 'absent', 'another']);

/** The read must prove that its subject is missing. It needs more calls, and a canary whose failure counts for 30 s. */
const provesAbsence = (world: World, { surface, subject }: Asked): boolean =>
  surface.readsPost
    ? world.posts.some(({ id, existence }) => id === subject.id && existence === 'missing')
    : surface.allowance !== 'search' && world.handles.get(subject.handle) === 'missing';

const recoversAt = ({ to, failure, retryAfter }: ProviderEpisode, isAbsence: boolean): number => {
  if (OPENS_NO_CIRCUIT.has(failure) && !isAbsence) return to;
  const wait = failure === 'throttled' ? retryAfter * 1000 : 0;
  return to + Math.max(RECOVERY_MILLISECONDS, wait) + PROBE_MILLISECONDS;
};

/** Each entry names providers that together know the truth, so the answer must tell it while those of one entry work. */
type Sources = readonly (readonly ProviderName[])[];

/**
 * The second provider reads posts only. It has no lists, and it knows that a post is missing, but not why, so a deleted post
 * needs the tombstone of the first. A bare "not found" of the first provider needs the second to confirm it.
 */
const sourcesOf = (world: World, { surface, subject, startedAt, endedAt }: Asked): Sources => {
  if (!surface.readsPost) return [['fx']];
  const post = world.posts.find(({ id }) => id === subject.id);
  if (post?.existence === 'missing') return [['fx', 'synd']];
  const isDeleted = post?.existence === 'exists' && !(existsAt(post, startedAt) && existsAt(post, endedAt));
  return isDeleted ? [['fx']] : [['fx'], ['synd']];
};

/**
 * The time to recover excuses only a provider that failed itself: an outage of one provider leaves the breakers of the other
 * alone. The begin of an episode excuses nothing, because a read keeps the time of an attempt for the second provider. A
 * slow provider answers within the time of an attempt, so it excuses only a read that needs many calls.
 *
 * @returns the providers that must tell the truth about the subject at this time; undefined: the read may fail
 */
const workingSource = (world: World, asked: Asked): readonly ProviderName[] | undefined => {
  const { startedAt, endedAt } = asked;
  const isAbsence = provesAbsence(world, asked);
  const failing = new Set(
    world.providerEpisodes
      .filter(({ failure }) => failure !== 'slow' || isAbsence)
      .filter((episode) => episode.from <= endedAt && startedAt <= recoversAt(episode, isAbsence))
      .flatMap(({ providers }) => providers),
  );
  return sourcesOf(world, asked).find((source) => !source.some((provider) => failing.has(provider)));
};

/** The statuses that are true for a subject, and those that caches may still have. */
const trueStatuses = (world: World, asked: Asked): readonly number[] => {
  const { surface, subject, startedAt, endedAt } = asked;
  if (surface.proofOf(subject).includes(subject.id)) {
    const post = world.posts.find(({ id }) => id === subject.id);
    if (post === undefined) return [200];
    if (post.existence === 'missing') return [404];
    if (post.existence === 'protected') return [403];
    if (existsAt(post, startedAt)) return existsAt(post, endedAt) ? [200] : [200, 404];
    const age = startedAt - post.deletedAt;
    if (surface.lambda === 'mcp') return age < FUNCTION_CACHE_MILLISECONDS ? [200, 404] : [404];
    const isStaleIfError = age < DELETED_STALE_MILLISECONDS && workingSource(world, asked) === undefined;
    return age < DELETED_VISIBLE_MILLISECONDS || isStaleIfError ? [200, 404] : [404];
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
  stalledMilliseconds: 0,
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
  const source = workingSource(world, asked);
  const isFalseAbsence =
    status === 404 &&
    !allowed.includes(404) &&
    world.providerEpisodes.some(
      ({ failure, from, providers }) =>
        failure === 'absent' &&
        from <= endedAt &&
        endedAt - from <= FALSE_ABSENCE_MILLISECONDS &&
        sourcesOf(world, asked).every((names) => names.some((name) => providers.includes(name))),
    );
  const errors = [
    ...(isFailure && source !== undefined ? [`${status} although ${source.join(' and ')} can answer`] : []),
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
    needsSecond: source?.includes('fx') === false,
  };
};
