// Runs `npm run measure -- hostile`: sends generated requests and raw bytes to the whole local service over HTTP, judges every
// answer, and prints counts by kind of read and status. Exits with 1 if an answer is wrong.
//
//   --requests 100000  the number of requests; a tenth of them are raw bytes
//   --only 1234        sends one request again and prints it with its answer; the seed is FUZZ_SEED
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { startLocalService } from '../../infra/local/service.ts';
import { type HostileRequest, hostileRequests } from '../../test/generators/requests.ts';
import { casesOf, readSeed } from '../../test/generators/seed.ts';
import { AMPLE_ALLOWANCES } from '../../test/support/ample-allowances.ts';
import { answerErrors, type JudgedAnswer } from '../../test/support/answer-oracle.ts';
import { description } from '../../test/support/conformance.ts';
import { environmentWith, noneOf, publishMeasurement } from '../write-measurement.ts';
import { createHostileClient } from './http-client.ts';
import { collectKnownValues } from './known-values.ts';
import { rawAnswerErrors, rawStatus } from './raw-answer.ts';
import { rawRequests } from './raw-http.ts';
import { createTally } from './tally.ts';

answerHelp();

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, only: { type: 'string' } },
});

const OPERATOR_TOKEN = 'operator-token-of-the-hostile-run';
const CURSOR_SECRET = 'cursor-secret-of-the-hostile-run-0123456789';
const EVERY_RAW = 10;
const CONCURRENCY = 12;
const MAX_PRINTED = 20;

const seed = readSeed();
const requests = Number(values.requests);

/** Limits are not the subject: a refusal would hide the answer to the input. */
const ENVIRONMENT = {
  UPSTREAM: 'sample',
  DATA_DIR: 'memory',
  ADMIN_TOKEN: OPERATOR_TOKEN,
  CURSOR_SECRETS: CURSOR_SECRET,
  ...AMPLE_ALLOWANCES,
};

const faultLines: string[] = [];
const service = await startLocalService({
  host: '127.0.0.1',
  port: 0,
  environment: ENVIRONMENT,
  writeLog: (text) => {
    if (/"level":"error"/.test(text)) faultLines.push(text.slice(0, 600));
  },
});
const client = createHostileClient(service.origin);
const known = await collectKnownValues(client, OPERATOR_TOKEN);
const requestOf = casesOf(hostileRequests(description, known), seed);
const bytesOf = casesOf(rawRequests, seed);
const secrets = [OPERATOR_TOKEN, CURSOR_SECRET, ...known.apiKeys];
const tally = createTally();

const failed = (number: number, errors: readonly string[], input: string): void => {
  tally.fail();
  if (tally.failures() > MAX_PRINTED) return;
  console.log(`\nFUZZ_SEED=${seed} npm run measure -- hostile --only ${number}\n${input}\n  ${errors.join('\n  ')}`);
};

const asText = ({ method, target, headers, body }: HostileRequest): string =>
  `${method} ${target.slice(0, 500)} ${JSON.stringify(headers).slice(0, 700)}${body === undefined ? '' : `\n${body.slice(0, 500)}`}`;

const sendRaw = async (number: number): Promise<void> => {
  const bytes = bytesOf(number);
  const answer = await client.sendRaw(bytes);
  tally.count('malformed HTTP', rawStatus(answer));
  const errors = rawAnswerErrors(answer, secrets);
  if (errors.length > 0) failed(number, errors, JSON.stringify(bytes.toString('latin1')).slice(0, 1500));
  if (values.only !== undefined) console.log(answer.toString('utf8').slice(0, 3000));
};

const sendRequest = async (number: number): Promise<void> => {
  const request = requestOf(number);
  const answer = await client.send(request).catch((error: unknown): JudgedAnswer => {
    failed(number, [`no answer: ${String(error)}`], asText(request));
    return { status: 0, headers: {}, body: '' };
  });
  tally.count(request.operation, answer.status);
  if (answer.status === 0) return;
  const errors = answerErrors(request, answer, { secrets, isAtEdge: true });
  if (errors.length > 0) failed(number, errors, asText(request));
  if (values.only !== undefined)
    console.log(asText(request), answer.status, answer.headers, answer.body.slice(0, 3000));
};

const isRaw = (number: number): boolean => number % EVERY_RAW === EVERY_RAW - 1;
const sendNumber = (number: number): Promise<void> => (isRaw(number) ? sendRaw(number) : sendRequest(number));

let next = 0;
const work = async (): Promise<void> => {
  while (next < requests) {
    const number = next;
    next += 1;
    await sendNumber(number);
    if (next % 10_000 === 0 && number === next - 1) console.log(`${next} requests, ${tally.failures()} wrong answers`);
  }
};

if (values.only !== undefined) await sendNumber(Number(values.only));
else {
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  for (const line of faultLines.slice(0, 5)) console.log(`logged as a fault: ${line}`);
  publishMeasurement('hostile', {
    command: `npm run measure -- hostile --requests ${requests}`,
    environment: environmentWith(`seed ${seed}`),
    bars: [
      noneOf('Hostile input: answers with a 5xx status other than 501', tally.faults()),
      noneOf('Hostile input: undeclared or wrong answers', tally.failures()),
      noneOf('Hostile input: faults in the log', faultLines.length),
    ],
    tables: [tally.table()],
  });
}

client.close();
await service.close();
