// `npm run measure -- strangers`: starts the service as `npm start` does, with 256 and with 512 MB of memory, and lets one
// address send what does not end, or ask for more than fits, beside a well-behaved caller. Prints what the other caller got
// and the largest memory, and exits with 1 if a bar is missed.
//
//   --only NAME, --megabytes 256

import { createServer, get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import type { Bar } from '../../infra/docs/measurement.ts';
import { listen } from '../../infra/local/listen.ts';
import { createProxyPath } from '../../shared/auth/picture-signatures.ts';
import { seededRandom } from '../../test/support/random.ts';
import { send } from '../../test/support/send.ts';
import { environmentWith, noneOf, publishMeasurement } from '../write-measurement.ts';
import { createFakeProvider, requestedResource } from './fake-provider.ts';
import { type LimitedProcess, startLimited } from './memory-limit.ts';

answerHelp();

const { values } = parseArgs({ options: { only: { type: 'string' }, megabytes: { type: 'string' } } });

const STRANGER = '127.0.0.2';
const VICTIM = '127.0.0.3';

const LARGE_ID = '4000000000000001';
const LARGE_TEXT = 'tide and fjord, gauge and harbour. '.repeat(52_000);

/** The healthy provider, with one post of 1.8 MB. */
const startProvider = () => {
  const fake = createFakeProvider({ faultShare: 0, random: seededRandom(1) });
  const author = { type: 'profile', screen_name: 'ada', id: '1', name: 'Ada', protected: false };
  const status = {
    type: 'status',
    source: 'Web',
    id: LARGE_ID,
    url: `https://x.com/ada/status/${LARGE_ID}`,
    text: LARGE_TEXT,
    author,
  };
  const post = { ...status, created_timestamp: 1_774_000_800, likes: 1, reposts: 1, replies: 0, lang: 'en' };
  const large = JSON.stringify({ code: 200, status: post, thread: [post], replies: [], cursor: null });
  return createServer((request, response) => {
    if (request.url?.includes(LARGE_ID)) response.writeHead(200, { 'content-type': 'application/json' }).end(large);
    else fake.server.emit('request', request, response);
  });
};

const MP4 = Buffer.from('\x00\x00\x00\x18ftypmp42', 'latin1');
const PICTURE = Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), Buffer.alloc(100_000, 1)]);
const VIDEO_BYTES = 200_000_000;

/** Pictures, and videos that fill every buffer. */
const startPictureHost = () =>
  createServer((request, response) => {
    if (!request.url?.includes('slow')) {
      response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': PICTURE.length }).end(PICTURE);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': VIDEO_BYTES });
    const chunk = Buffer.alloc(65_536);
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', write);
    };
    response.on('error', () => undefined).write(MP4);
    write();
  });

const program = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface Started extends LimitedProcess {
  readonly origin: string;
}

const start = async (
  args: readonly string[],
  megabytes: number,
  environment: Readonly<Record<string, string>>,
): Promise<Started> => {
  const limited = startLimited(process.execPath, args, megabytes * 1024 * 1024, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_COMPILE_CACHE: '.cache/node', ...environment },
  });
  const { stdout } = limited.child;
  if (stdout === null) throw new Error('the service has no output');
  for await (const line of createInterface({ input: stdout })) {
    const [, origin] = /^postern listening on (\S+)/.exec(line) ?? [];
    if (origin !== undefined) {
      stdout.resume();
      return { ...limited, origin };
    }
  }
  throw new Error(`the service does not start with ${megabytes} MB`);
};

/** What a scenario leaves open. */
type Attack = () => void;

const open = (origin: string, localAddress: string): Socket =>
  connect({ host: '127.0.0.1', port: Number(new URL(origin).port), localAddress }).on('error', () => undefined);

const CHUNK = Buffer.alloc(65_536, ' ');

/** Writes as fast as it may, up to a number of bytes. */
const pour = (socket: Socket, bytes: number): void => {
  let left = bytes;
  const write = (): void => {
    while (left > 0 && !socket.destroyed) {
      const part = CHUNK.subarray(0, Math.min(left, CHUNK.length));
      left -= part.length;
      if (!socket.write(part)) break;
    }
    if (left > 0 && !socket.destroyed) socket.once('drain', write);
  };
  write();
};

const BODY = 6_000_000;
const ACCEPTED_BODY = 262_144;

const postHead = (target: string, length: number): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const unfinishedBodies =
  (large: number, accepted: number) =>
  (origin: string): Attack => {
    const pourBody = (target: string, length: number): Socket => {
      const socket = open(origin, STRANGER).resume();
      socket.write(postHead(target, length));
      pour(socket, length - 1);
      return socket;
    };
    const sockets = [
      ...Array.from({ length: large }, (_, index) => pourBody(index % 2 === 0 ? '/mcp' : '/jack/status/20', BODY)),
      ...Array.from({ length: accepted }, () => pourBody('/mcp', ACCEPTED_BODY)),
    ];
    return () => {
      for (const socket of sockets) socket.destroy();
    };
  };

const unfinishedHeads =
  (count: number) =>
  (origin: string): Attack => {
    const field = `X-A: ${'a'.repeat(150)}\r\n`;
    const sockets = Array.from({ length: count }, () => {
      const socket = open(origin, STRANGER).resume();
      socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${field.repeat(190)}`);
      pour(socket, 1_000_000);
      return socket;
    });
    return () => {
      for (const socket of sockets) socket.destroy();
    };
  };

const FORMS = ['json', 'json', 'json', 'markdown'];

const manySizes =
  (count: number) =>
  (origin: string): Attack => {
    const requests = Array.from({ length: count }, (_, index) =>
      httpGet({
        host: '127.0.0.1',
        port: new URL(origin).port,
        path: `/ada/status/${LARGE_ID}?format=${FORMS[index % FORMS.length]}&max_tokens=${150_000 + index}`,
        localAddress: STRANGER,
        agent: false,
      }).on('error', () => undefined),
    );
    // Every second reader takes nothing.
    for (const [index, request] of requests.entries()) {
      request.on('response', (response) => {
        response.on('error', () => undefined);
        if (index % 2 === 0) response.resume();
        else response.pause();
      });
    }
    return () => {
      for (const request of requests) request.destroy();
    };
  };

const PICTURE_SECRET = 'secret of pictures';

const signedPath = createProxyPath(PICTURE_SECRET);

const proxyPath = (url: string): string => signedPath(url) ?? '';

const FILES_OF_NETWORK = 40;

const stoppedReaders =
  (networks: number) =>
  (origin: string): Attack => {
    const requests = Array.from({ length: networks * FILES_OF_NETWORK }, (_, index) =>
      httpGet(`${origin}${proxyPath(`https://pbs.twimg.com/media/slow${index}.jpg`)}`, {
        agent: false,
        headers: { 'X-Forwarded-For': `2001:db8:${index % networks}::1` },
      })
        .on('error', () => undefined)
        .on('response', (response) => void response.on('error', () => undefined).pause()),
    );
    return () => {
      for (const request of requests) request.destroy();
    };
  };

const VICTIMS = 20;
const VICTIM_MILLISECONDS = 10_000;
const BETWEEN_MILLISECONDS = 150;

let subjects = 0;

const readPost = async (origin: string): Promise<number> => {
  subjects += 1;
  const target = `/ada/status/${requestedResource('healthy', subjects).id}`;
  return (await send(origin, { target }, { localAddress: VICTIM, timeout: VICTIM_MILLISECONDS })).status;
};

const readPicture = async (origin: string): Promise<number> => {
  subjects += 1;
  const target = proxyPath(`https://pbs.twimg.com/media/p${subjects}.jpg`);
  const query = { target, headers: { 'X-Forwarded-For': '198.51.100.7' } };
  return (await send(origin, query, { timeout: VICTIM_MILLISECONDS })).status;
};

/** @returns the requests of the other caller that were served */
const serveVictims = async (origin: string, read: (origin: string) => Promise<number>): Promise<number> => {
  const answers: Promise<number>[] = [];
  for (let index = 0; index < VICTIMS; index += 1) {
    answers.push(read(origin).catch(() => 0));
    await setTimeout(BETWEEN_MILLISECONDS);
  }
  return (await Promise.all(answers)).filter((status) => status === 200).length;
};

interface Scenario {
  readonly name: string;
  readonly attack: (origin: string) => Attack;
  readonly readsPictures?: boolean;
}

const scenarios: readonly Scenario[] = [
  { name: '60 bodies of 6 MB and 20 of 256 kB that do not end', attack: unfinishedBodies(60, 20) },
  { name: '200 heads that do not end', attack: unfinishedHeads(200) },
  { name: '80 sizes of one post of 1.8 MB', attack: manySizes(80) },
  { name: '4 IPv6 networks that stop reading pictures', attack: stoppedReaders(4), readsPictures: true },
  { name: '10 IPv6 networks that stop reading pictures', attack: stoppedReaders(10), readsPictures: true },
];

const providerOrigin = await listen(startProvider(), '127.0.0.1', 0);
const pictureOrigin = await listen(startPictureHost(), '127.0.0.1', 0);

/** Before the other caller comes, so that what is to fill memory has done so. */
const LEAD_MILLISECONDS = 4000;

const measure = async ({ attack, readsPictures = false }: Scenario, megabytes: number) => {
  const environment = {
    PORT: '0',
    DATA_DIR: 'memory',
    UPSTREAM: 'live',
    PROVIDERS: 'fxtwitter',
    FXTWITTER_BASE_URL: providerOrigin,
  };
  const args = readsPictures
    ? [program('pictures-process.ts'), pictureOrigin, PICTURE_SECRET]
    : [program('../../infra/local/start.ts')];
  const service = await start(args, megabytes, environment);
  const read = readsPictures ? readPicture : readPost;
  await read(service.origin).catch(() => 0);
  const end = attack(service.origin);
  await setTimeout(LEAD_MILLISECONDS);
  const served = await serveVictims(service.origin, read);
  end();
  const isKilled = service.child.exitCode !== null || service.child.signalCode !== null;
  const peak = service.peak();
  await service.close();
  return { served, isKilled, peak, kind: service.kind };
};

const limits = values.megabytes === undefined ? [256, 512] : [Number(values.megabytes)];
const rows: string[][] = [];
let [killed, least, kind] = [0, VICTIMS, ''];
const peaks = new Map<number, number>();
for (const megabytes of limits) {
  for (const scenario of scenarios) {
    if (values.only !== undefined && !scenario.name.includes(values.only)) continue;
    const result = await measure(scenario, megabytes);
    kind = result.kind;
    killed += Number(result.isKilled);
    least = Math.min(least, result.served);
    peaks.set(megabytes, Math.max(peaks.get(megabytes) ?? 0, result.peak));
    const row = [
      scenario.name,
      `${megabytes} MB`,
      `${result.served} of ${VICTIMS}`,
      `${Math.round(result.peak / 1024 / 1024)} MB`,
      result.isKilled ? 'killed' : 'alive',
    ];
    console.log(row.join(' | '));
    rows.push(row);
  }
}

const bars: readonly Bar[] = [
  noneOf('strangers: services that were killed', killed),
  {
    name: 'strangers: requests of another caller that were served, least',
    value: (100 * least) / VICTIMS,
    unit: '%',
    bar: 95,
    direction: 'atLeast',
  },
];
if (values.only === undefined && values.megabytes === undefined) {
  publishMeasurement('strangers', {
    command: 'npm run measure -- strangers',
    environment: environmentWith(`memory limited by ${kind}`),
    bars,
    tables: [
      { columns: ['What strangers send', 'Memory', 'Served of another caller', 'Largest memory', 'Service'], rows },
    ],
  });
}
process.exit();
