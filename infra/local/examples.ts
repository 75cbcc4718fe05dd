// `npm run update -- examples`: requests the example answers of the documentation from the service and saves them.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../shared/composition/environment.ts';
import { BASE_URL_PLACEHOLDER } from '../../shared/contract/placeholders.ts';
import { type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';
import { keysOf } from '../../shared/model/table-keys.ts';
import { exampleRequests, exampleTarget } from '../../shared/publish/example-requests.ts';
import type { Example } from '../../shared/publish/examples.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { answerHelp } from '../command/answer-help.ts';
import { sampleBaseUrls } from './choose-upstream.ts';
import { FETCHED_AT, recordAnswers } from './record-answers.ts';
import { startSampleServer } from './sample-server.ts';
import { startLocalService } from './service.ts';

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

const names: readonly UseCaseName[] = keysOf(exampleRequests);

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

const writeJson = (file: string, value: object): Promise<void> =>
  writeFile(published(file), `${JSON.stringify(value, null, 2)}\n`);

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
