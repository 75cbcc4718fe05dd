// `npm run update -- examples`: requests the example answers of the documentation from the service and saves them, with
// the answers that it shows in full: problem documents, and posts in every format.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../shared/composition/environment.ts';
import { operations } from '../../shared/contract/operations.ts';
import { BASE_URL_PLACEHOLDER } from '../../shared/contract/placeholders.ts';
import { reads } from '../../shared/contract/reads/index.ts';
import { type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';
import { keysOf } from '../../shared/model/json.ts';
import {
  type Answers,
  type ComparedFormat,
  type ComparedPost,
  comparedPosts,
  type Example,
  exampleTarget,
  type FormatAnswer,
  type FormatRequest,
  formatRequests,
  problemRequests,
  RECORDED_WAIT,
} from '../../shared/publish/examples.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { answerHelp } from '../command/answer-help.ts';
import { sampleBaseUrls } from './choose-upstream.ts';
import { startSampleServer } from './sample-server.ts';
import { startLocalService } from './service.ts';

/** Replaces the real time, so that the same answer gives the same text. Only `fetched_at` has milliseconds. */
export const FETCHED_AT = '2026-11-21T12:00:00.000Z';
const INSTANT_WITH_MILLISECONDS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Sizes depend on the length of the base URL. */
const BASE_URL_OF_SIZES = 'https://postern.example';

const MAX_SEARCHES = 100;

const request = async (origin: string, { target, headers = {}, body }: FormatRequest): Promise<FormatAnswer> => {
  const answer = await fetch(`${origin}${target}`, {
    headers: { ...headers },
    ...(body !== undefined && { method: 'POST', body }),
  });
  const text = await answer.text();
  return {
    contentType: answer.headers.get('Content-Type') ?? '',
    body: text
      .replaceAll(origin, BASE_URL_PLACEHOLDER)
      .replaceAll(encodeURIComponent(origin), encodeURIComponent(BASE_URL_OF_SIZES))
      .replace(INSTANT_WITH_MILLISECONDS, FETCHED_AT),
  };
};

const recordProblem = async (origin: string, target: string): Promise<object> =>
  JSON.parse((await request(origin, { target })).body);

/** Searches until the allowance of callers without an API key is spent. */
const recordRateLimit = async (origin: string): Promise<object> => {
  for (let search = 1; search <= MAX_SEARCHES; search += 1) {
    const { contentType, body } = await request(origin, {
      target: `${operations.searchPosts.path}?q=search-${search}`,
    });
    if (!contentType.startsWith('application/problem+json')) continue;
    const { detail, ...problem } = JSON.parse(body);
    return {
      ...problem,
      detail: String(detail).replace(/ \d+ seconds?\.$/, ` ${RECORDED_WAIT} seconds.`),
      retry_after: RECORDED_WAIT,
    };
  }
  throw new Error(`${MAX_SEARCHES} searches did not spend the allowance`);
};

/** @returns the results by name, one request after the other */
const collect = async <Name extends string, Result>(
  names: readonly Name[],
  record: (name: Name) => Promise<Result>,
): Promise<Record<string, Result>> => {
  // `fromAsync` waits for each result.
  return Object.fromEntries(await Array.fromAsync(names, async (name) => [name, await record(name)] as const));
};

const formats = keysOf(formatRequests);

const recordFormat = (origin: string, post: ComparedPost, format: ComparedFormat): Promise<FormatAnswer> =>
  request(origin, formatRequests[format](comparedPosts[post]));

const sizeOf = ({ body }: FormatAnswer): number =>
  Buffer.byteLength(body.replaceAll(BASE_URL_PLACEHOLDER, BASE_URL_OF_SIZES));

/** @param origin the local service with the bundled sample and the default allowances */
export const recordAnswers = async (origin: string): Promise<Record<keyof Answers, object>> => ({
  problems: {
    ...(await collect(keysOf(problemRequests), (code) => recordProblem(origin, problemRequests[code]))),
    rate_limited: await recordRateLimit(origin),
  },
  formats: await collect(formats, (format) => recordFormat(origin, 'post', format)),
  sizes: await collect(keysOf(comparedPosts), (post) =>
    collect(formats, async (format) => sizeOf(await recordFormat(origin, post, format))),
  ),
});

const published = (file: string): string => fileURLToPath(new URL(`../../shared/publish/${file}`, import.meta.url));

/**
 * The documents show the answers of a live service, so the sample server takes the place of the providers. The fixed secret
 * gives the same cursors in every run.
 *
 * @param origin of a sample server
 */
export const exampleEnvironment = (origin: string): Environment => ({
  [env.upstream]: 'live',
  ...sampleBaseUrls(origin),
  [env.cursorSecrets]: 'examples',
  DATA_DIR: 'memory',
});

const names = keysOf(reads);

const fetchText = async (origin: string, name: UseCaseName, format: string): Promise<string> => {
  const answer = await fetch(`${origin}${exampleTarget(name, format)}`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return (await answer.text()).replaceAll(origin, BASE_URL_PLACEHOLDER);
};

/** @param origin the local service with `exampleEnvironment` */
export const recordExamples = async (origin: string): Promise<Record<string, Example>> => {
  const record = async (name: UseCaseName): Promise<readonly [string, Example]> => {
    const { fetched_at: readAt, ...json } = JSON.parse(await fetchText(origin, name, 'json'));
    const fetchedAt = readAt === undefined ? {} : { fetched_at: FETCHED_AT };
    const markdown =
      useCases[name].representation === 'json' ? {} : { markdown: await fetchText(origin, name, 'markdown') };
    return [name, { json: { ...fetchedAt, ...json }, ...markdown }];
  };
  return Object.fromEntries(await Promise.all(names.map(record)));
};

const writeJson = async (file: string, value: object): Promise<void> => {
  await writeFile(published(file), `${JSON.stringify(value, null, 2)}\n`);
  execFileSync('npm', ['exec', '--', 'biome', 'format', '--write', published(file)], { stdio: ['ignore', 2, 2] });
};

if (import.meta.main) {
  answerHelp();
  const sample = await startSampleServer();
  const service = await startLocalService({
    host: '127.0.0.1',
    port: 0,
    environment: exampleEnvironment(sample.origin),
    writeLog: () => undefined,
  });
  try {
    await writeJson('examples.json', await recordExamples(service.origin));
    await writeJson('answers.json', await recordAnswers(service.origin));
  } finally {
    await service.close();
    await sample.close();
  }
}
