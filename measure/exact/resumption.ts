// Runs `npm run measure -- resumption --times 50`: kills exports of 10,000 items at random moments, resumes them, and compares
// their files with the lists. Then exports and resumes 80 MB within 64 MB of memory. Does the same with saved posts and their
// pictures: 50 kills, then 10,000 posts within 64 MB. Exits with 1 if an item is lost, repeated or changed.
//
//   --times 50   kills
//   --seed 1     repeats the moments of a run
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { startLocalService } from '../../infra/local/service.ts';
import { breakOff, createKillSwitch, runCommandProcess, startUnreliableProxy } from '../../test/support/break-off.ts';
import { startLongLists } from '../../test/support/long-lists.ts';
import { seededRandom } from '../../test/support/random.ts';
import { pictureAt, startSavedPosts } from './saved-posts.ts';

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
const whole = await runCommandProcess({ ...bounded, args: ['@ada'], outputFile: fileOf('long') });
const bytes = statSync(fileOf('long')).size;
truncateSync(fileOf('long'), Math.floor(bytes * 0.9));
const resumed = await runCommandProcess({ ...bounded, args: ['--resume', fileOf('long')] });
check(`${(bytes / 1e6).toFixed(0)} MB within 64 MB of memory`, fileOf('long'), long.postIds);
if (whole.code !== 0 || resumed.code !== 0) {
  console.log(whole.errors, resumed.errors);
  process.exitCode = 1;
}
await long.close();

interface Saved {
  readonly posts: Awaited<ReturnType<typeof startSavedPosts>>;
  readonly out: string;
  readonly maxBytes: number;
}

/** Compares every file of the folder with what the provider and the host of pictures sent. */
const checkSaved = (what: string, { posts: { ids, pathsOf }, out, maxBytes }: Saved): void => {
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'media');
  const expected = new Set(
    ids.flatMap((id) => [`ada-${id}.md`, ...pathsOf(id).map((_, at) => `media/${id}-${at + 1}.jpg`)]),
  );
  const lost = [...expected].filter((name) => !names.includes(name)).length;
  const more = names.filter((name) => !expected.has(name));
  const changed = ids.filter((id) => {
    const note = readFileSync(join(out, `ada-${id}.md`), 'utf8');
    return !pathsOf(id).every((path, at) => {
      const file = `media/${id}-${at + 1}.jpg`;
      return note.includes(`](${file})`) && readFileSync(join(out, file)).equals(pictureAt(path, maxBytes));
    });
  });
  console.log(`${what}: ${names.length} files, ${lost} lost, ${more.length} too many, ${changed.length} changed`);
  if (lost + more.length + changed.length > 0) process.exitCode = 1;
};

const saves = async (
  options: { readonly count: number; readonly pictures: number; readonly maxBytes: number },
  onRequest?: () => void,
) => {
  const posts = await startSavedPosts({ ...options, ...(onRequest && { onRequest }) });
  const out = join(folder, `notes-${options.count}`);
  const links = `${out}.txt`;
  writeFileSync(links, posts.ids.map((id) => `${id}\n`).join(''));
  const run = {
    program: 'measure/exact/save-process.ts',
    args: [posts.origin, '--from', links, '--out', out],
    environment: { ...providers, FXTWITTER_BASE_URL: posts.origin, DATA_DIR: 'memory' },
  };
  return { run, saved: { posts, out, maxBytes: options.maxBytes } };
};

const saveSwitch = createKillSwitch(random);
const killed = await saves({ count: 6 * times, pictures: 2, maxBytes: 400_000 }, saveSwitch.onRequest);
let kills = 0;
for (let time = 0; time < times; time += 1) {
  const { code } = await runCommandProcess({ ...killed.run, kill: saveSwitch.arm(1 + Math.floor(random() * 24)) });
  if (code === undefined) kills += 1;
}
saveSwitch.disarm();
const last = await runCommandProcess(killed.run);
checkSaved(`${6 * times} posts with pictures, killed ${kills} times`, killed.saved);
await killed.saved.posts.close();

const many = await saves({ count: COUNT, pictures: 1, maxBytes: 2000 });
const all = await runCommandProcess({ ...many.run, nodeOptions: ['--max-old-space-size=64'] });
checkSaved(`${COUNT} posts within 64 MB of memory`, many.saved);
await many.saved.posts.close();
for (const { code, errors } of [last, all]) {
  if (code === 0) continue;
  console.log(errors);
  process.exitCode = 1;
}
rmSync(folder, { recursive: true });
