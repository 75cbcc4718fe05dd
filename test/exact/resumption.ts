// Runs `npm run measure -- resumption --times 50`: kills exports of 10,000 items at random moments, resumes them, and compares
// their files with the lists. Then exports and resumes 80 MB within 64 MB of memory. Exits with 1 if an item is lost or
// repeated.
//
//   --times 50   kills
//   --seed 1     repeats the moments of a run
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { startLocalService } from '../../infra/local/service.ts';
import { startLongLists } from '../support/long-lists.ts';
import { seededRandom } from '../support/random.ts';
import { breakOff, createKillSwitch, runExportCommand, startUnreliableProxy } from './break-off.ts';

answerHelp();

const { values } = parseArgs({
  options: { times: { type: 'string', default: '50' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
});
const times = Number(values.times);
const random = seededRandom(Number(values.seed));
const COUNT = 10_000;

console.log(`seed ${values.seed}`);

const folder = mkdtempSync(join(tmpdir(), 'resumption-'));
const fileOf = (name: string): string => join(folder, `${name}.ndjson`);
const idsIn = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [String(JSON.parse(line).id)]));

const check = (what: string, file: string, expected: readonly string[]): void => {
  const ids = idsIn(file);
  const distinct = new Set(ids);
  const lost = expected.filter((id) => !distinct.has(id)).length;
  const isOrdered = ids.every((id, index) => id === expected[index]);
  console.log(
    `${what}: ${lost} lost, ${ids.length - distinct.size} repeated, ${isOrdered ? 'in order' : 'out of order'}`,
  );
  if (lost > 0 || ids.length !== expected.length || !isOrdered) process.exitCode = 1;
};

const killSwitch = createKillSwitch(random);
const lists = await startLongLists({ count: COUNT, onRequest: killSwitch.onRequest });
const providers = { UPSTREAM: 'live', PROVIDERS: 'fxtwitter', FXTWITTER_BASE_URL: lists.baseUrl };

const posts = await breakOff({
  args: ['@ada'],
  environment: { ...providers, DATA_DIR: join(folder, 'data') },
  file: fileOf('posts'),
  times,
  killSwitch,
  random,
  maxRequests: 16,
});
check(`${COUNT} posts without a service, killed ${posts.kills} times`, fileOf('posts'), lists.postIds);

const service = await startLocalService({
  host: '127.0.0.1',
  port: 0,
  environment: { ...providers, DATA_DIR: 'memory', ALLOWANCE_BROWSE: '8/2', CACHE_TTL_SECONDS: '0' },
  writeLog: () => undefined,
});
const proxySwitch = createKillSwitch(random);
const proxy = await startUnreliableProxy(service.origin, random, proxySwitch.onRequest);
const followers = await breakOff({
  args: ['--followers', '@ada'],
  environment: { BASE_URL: proxy.origin },
  file: fileOf('followers'),
  times,
  killSwitch: proxySwitch,
  random,
  maxRequests: 3,
});
const { limited, busy, cut } = proxy.faults;
check(
  `${COUNT} followers through a service, killed ${followers.kills} times, with ${limited} answers 429, ${busy} answers 503 and ${cut} answers cut off`,
  fileOf('followers'),
  lists.followerIds,
);
await proxy.close();
await service.close();
await lists.close();

const long = await startLongLists({ count: COUNT, textLength: 8000 });
const bounded = {
  environment: { ...providers, FXTWITTER_BASE_URL: long.baseUrl, DATA_DIR: join(folder, 'data') },
  nodeOptions: ['--max-old-space-size=64'],
};
const whole = await runExportCommand({ ...bounded, args: ['@ada'], outputFile: fileOf('long') });
const bytes = statSync(fileOf('long')).size;
truncateSync(fileOf('long'), Math.floor(bytes * 0.9));
const resumed = await runExportCommand({ ...bounded, args: ['--resume', fileOf('long')] });
check(`${(bytes / 1e6).toFixed(0)} MB within 64 MB of memory`, fileOf('long'), long.postIds);
if (whole.code !== 0 || resumed.code !== 0) {
  console.log(whole.errors, resumed.errors);
  process.exitCode = 1;
}
await long.close();
rmSync(folder, { recursive: true });
