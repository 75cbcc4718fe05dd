// Rehearses the alarms: the lines that the pipeline writes for a fault are played against the alarms of the synthesized
// template. The table of all faults is docs/alarm-rehearsal.md; `npm run update -- golden` writes it.

import { describe, expect, test } from 'vitest';
import { alarmEntries, hurtAlarm } from '../../shared/contract/alarms.ts';
import {
  CANARY_REQUESTS_PER_FUNCTION,
  canaryAlarm,
  DEFAULT_CANARY_MINUTES,
} from '../../shared/contract/other-functions.ts';
import type { CallRecord } from '../../shared/ports/system.ts';
import type { Upstream } from '../../shared/ports/upstream.ts';
import { table } from '../../shared/publish/pages/markdown-blocks.ts';
import { newApiKey } from '../support/access-control.ts';
import { createAdminApp } from '../support/admin-app.ts';
import { conversation, createTestApp, found, upstreamReturning } from '../support/test-app.ts';
import {
  type Line,
  type Recorded,
  recordCanaryRun,
  recordFailingCanary,
  recordRequest,
  recordTool,
  restNames,
  written,
} from './cloudwatch/recorded-lines.ts';
import { type Raised, rehearse } from './cloudwatch/rehearse.ts';
import type { LoggedLines, Minute, Traffic } from './cloudwatch/service-traffic.ts';
import { templateOf } from './synthesized.ts';

const SETTINGS = {
  alarmEmail: 'ops@example.org',
  providers: 'fxtwitter,syndication,x_api',
  xApiTokenSecret: 'x-token',
};
const json = templateOf(SETTINGS).toJSON();

const ADDRESS = 'api.fxtwitter.com';

/** Requests per minute that reach a function, and those that the cache of CloudFront answers. Six functions have `others`. */
interface Size {
  readonly cached: number;
  readonly posts: number;
  readonly others: number;
  readonly mcp: number;
}

/** Requests per minute of the service. */
const RATES: readonly number[] = [20, 100, 250, 1000, 9000];

const sizeOf = (rate: number): Size => ({ cached: rate / 4, posts: rate * 0.3, others: rate / 20, mcp: rate * 0.15 });

/** The requests of a service, one of each kind. */
interface Kinds {
  readonly rest: readonly Recorded[];
  readonly tool: Recorded;
  /** @default the path is unknown */
  readonly bot?: Recorded;
  /** @default the requests of a run without a fault */
  readonly canary?: readonly Recorded[];
}

const recordKinds = async (upstream: Partial<Upstream> = {}): Promise<Kinds> => {
  const rest: Recorded[] = [];
  for (const surface of restNames) rest.push(await recordRequest(surface, { upstream }));
  return { rest, tool: await recordTool(upstream) };
};

const healthy = await recordKinds();

/** Every service has bots that try paths of other programs. */
const healthyBot = await recordRequest('discovery', {}, { target: '/wp-login.php' });

const canaryRun = await recordCanaryRun();

const isOfCanary = (request: Recorded): boolean => canaryRun.requests.includes(request);

/** The requests of the canary, all of which come in one minute. */
const canaryTraffic = (requests: readonly Recorded[] = canaryRun.requests): readonly Traffic[] =>
  [
    ...requests.map((request) => ({ request, perMinute: 1 })),
    ...healthy.rest.slice(0, 1).map((request) => ({ request, perMinute: canaryRun.cached, isCached: true })),
  ].map((row) => ({ ...row, everyMinutes: DEFAULT_CANARY_MINUTES }));

const trafficOf = (
  { rest, tool, bot = healthyBot, canary }: Kinds,
  { cached, posts, others, mcp }: Size,
): readonly Traffic[] => [
  ...healthy.rest.slice(0, 1).map((request) => ({ request, perMinute: cached, isCached: true })),
  ...rest.map((request) => ({ request, perMinute: request.surface === 'posts' ? posts : others })),
  { request: tool, perMinute: mcp },
  { request: bot, perMinute: 2 },
  ...canaryTraffic(canary),
];

/** Every function gives this answer to every request. */
const answeringAlike = (answer: Recorded): Kinds => {
  const of = ({ surface }: Recorded): Recorded => ({
    ...answer,
    surface,
    lines: answer.lines.map((line) => ({ ...line, surface })),
  });
  const { rest, tool } = healthy;
  return { rest: rest.map(of), tool: of(tool), bot: of(healthyBot), canary: canaryRun.requests.map(of) };
};

/** The metrics of a call are in the line of a request. */
const providerLine = (outcome: CallRecord['outcome']): Line =>
  written({
    level: 'info',
    event: 'request',
    surface: 'posts',
    status: 200,
    calls: [
      {
        provider: 'fxtwitter',
        kind: 'status',
        address: ADDRESS,
        outcome,
        status: 200,
        why: undefined,
        milliseconds: 90,
      },
    ],
  });

const circuitOpens: Line = written({
  level: 'warn',
  event: 'circuit',
  provider: 'fxtwitter',
  kind: 'status',
  address: ADDRESS,
  state: 'open',
});

/** The lines of a provider: one call per request for posts, and a breaker that opens once per minute. */
const providerLines = ({ posts }: Size, outcome: CallRecord['outcome']): readonly LoggedLines[] => [
  { lines: [providerLine(outcome)], perMinute: posts },
  ...(outcome === 'answered' ? [] : [{ lines: [circuitOpens], perMinute: 1 }]),
];

const normalMinute = (size: Size): Minute => ({
  traffic: trafficOf(healthy, size),
  logged: providerLines(size, 'answered'),
});

/** The same traffic, with a share of some requests that have another fate or duration. */
const withShare = (
  size: Size,
  share: number,
  change: Partial<Traffic>,
  concerns: (request: Recorded) => boolean = () => true,
): Minute => ({
  traffic: trafficOf(healthy, size).flatMap((row) =>
    row.isCached || !concerns(row.request)
      ? [row]
      : [
          { ...row, perMinute: row.perMinute * (1 - share) },
          { ...row, ...change, perMinute: row.perMinute * share },
        ],
  ),
});

const isPost = ({ surface }: Recorded): boolean => surface === 'posts';
/** Bots and the canary mostly send requests that call no provider. */
const isOfVisitor = (request: Recorded): boolean => !isOfCanary(request) && request !== healthyBot;
const isRest = ({ surface }: Recorded): boolean => surface !== 'mcp';
const isTool = (request: Recorded): boolean => !isRest(request);

/** Normal traffic and one more caller, who sends a request each second. */
const withCaller = (size: Size, caller: Partial<Traffic> & Pick<Traffic, 'request'>): Minute => {
  const normal = normalMinute(size);
  return { ...normal, traffic: [...normal.traffic, { perMinute: 60, ...caller }] };
};

const down = upstreamReturning({ kind: 'down', why: 'refused' });
const refusing = upstreamReturning({ kind: 'failed', why: 'html' });
const fallback: Partial<Upstream> = {
  readPost: async ({ id }) => ({
    ...found(conversation(id)),
    source: 'syndication',
    warnings: [{ code: 'fallback_answered', message: 'another one answered' }],
  }),
};

const silentKeys = { read: () => Promise.reject(new Error('the table does not answer')) };

/** A search with an API key that the store cannot verify, with the lines of the store. */
const recordUnverified = async (): Promise<Recorded> =>
  recordRequest('search', { access: { keys: silentKeys } }, { headers: { authorization: `Bearer ${newApiKey()}` } });

const recordInvalid = () => recordRequest('posts', {}, { target: '/api/v1/posts' });

const recordWrongToken = async (): Promise<readonly Line[]> => {
  const { send, log } = await createAdminApp();
  await send('GET /api/admin/keys', { headers: { authorization: 'Bearer a-wrong-token-for-tests' } });
  return log.map((line) => written({ surface: 'admin', ...line }));
};

/** Eleven invalid API keys of one network: ten are admitted before the line. */
const recordInvalidKeys = async (): Promise<readonly Line[]> => {
  const access = { keys: { read: async () => undefined } };
  const { get, log } = createTestApp({ access });
  for (let index = 0; index < 11; index += 1)
    await get('/api/v1/search?q=a', { headers: { authorization: `Bearer ${newApiKey()}` } });
  return log.map((line) => written({ surface: 'search', ...line }));
};

type SharedChange = readonly [share: number, change: Partial<Traffic>, concerns?: (request: Recorded) => boolean];

interface Fault {
  readonly title: string;
  /** @default all */
  readonly rates?: readonly number[];
  readonly minute: (size: Size) => Minute | Promise<Minute>;
  /** Minutes of the fault. @default 45 */
  readonly during?: number;
  /** The alarm of this name is raised, and mailed, from this rate on. Without it, no alarm is. @default all rates */
  readonly rings?: string;
  readonly from?: number;
  /** The first mail comes within so many minutes. @default 15, except for the alarms that count longer */
  readonly within?: number;
  /** The checks of the canary find the fault. */
  readonly breaksPromise?: boolean;
}

const sharing = (title: string, ...[share, change, concerns]: SharedChange): Fault => ({
  title,
  minute: (size) => withShare(size, share, change, concerns),
});

const oneCaller = (what: string, record: () => Promise<Recorded>): Fault => ({
  title: `One caller: ${what}, each second`,
  minute: async (size) => withCaller(size, { request: await record() }),
});

const logging = (title: string, record: () => Promise<readonly Line[]>, perMinute = 1): Fault => ({
  title,
  minute: async (size) => ({ ...normalMinute(size), logged: [{ lines: await record(), perMinute }] }),
});

const HURT = hurtAlarm.name;
/** One half alone is no part of the page, and HURT tells if both are raised. */
const HALVES = alarmEntries.flatMap(([name, { urgency }]) => (urgency === 'half' ? [name] : []));
const PAGES = [HURT, ...alarmEntries.flatMap(([name, { urgency }]) => (urgency === 'part' ? [name] : []))];

const faults: readonly Fault[] = [
  { title: 'No fault', minute: normalMinute },
  {
    title: 'No provider answers',
    minute: async (size) => ({
      traffic: trafficOf(await recordKinds(down), size),
      logged: providerLines(size, 'down'),
    }),
    rings: HURT,
  },
  {
    title: 'The first provider answers 429, and the second knows posts only',
    minute: async (size) => {
      const { rest } = await recordKinds(down);
      const { rest: posts, tool } = await recordKinds({ ...down, ...fallback });
      const answered = posts.filter(isPost);
      const all = [...answered, ...rest.filter((request) => !isPost(request))];
      return { traffic: trafficOf({ rest: all, tool }, size), logged: providerLines(size, 'throttled') };
    },
    rings: 'circuit-open',
  },
  {
    title: 'A provider changed its format',
    minute: async (size) => ({
      traffic: trafficOf(await recordKinds(refusing), size),
      logged: [{ lines: [providerLine('failed')], perMinute: size.posts }],
    }),
    rings: 'function-failing',
  },
  {
    title: 'DynamoDB does not answer',
    minute: async (size) => {
      const request = await recordUnverified();
      const normal = normalMinute(size);
      return { ...normal, traffic: [...normal.traffic, { request, perMinute: size.posts / 2 }] };
    },
    rings: 'store-trouble',
  },
  {
    title: 'CloudFront and the functions have different secrets',
    minute: async (size) => {
      // The guard of the function URL is the same.
      const refused = await recordRequest('posts', {}, { secret: 'another' });
      return { traffic: trafficOf(answeringAlike(refused), size) };
    },
    rings: HURT,
    breaksPromise: true,
  },
  { ...sharing('Lambda rejects a third of the requests', 1 / 3, { fate: 'throttle' }), rings: HURT },
  { ...sharing('Lambda rejects every request', 1, { fate: 'throttle' }), rings: HURT, breaksPromise: true },
  {
    ...sharing('API Gateway may not invoke the function of posts', 1, { fate: 'uninvoked' }, isPost),
    rings: HURT,
    breaksPromise: true,
  },
  {
    ...sharing('API Gateway may not invoke any function', 1, { fate: 'uninvoked' }, isRest),
    rings: HURT,
    breaksPromise: true,
  },
  {
    ...sharing('API Gateway answers every request with a 404 of its own', 1, { fate: 'unrouted' }, isRest),
    rings: HURT,
    breaksPromise: true,
  },
  {
    ...sharing('The function URL answers every request with a 403 of its own', 1, { fate: 'forbidden' }, isTool),
    rings: HURT,
    breaksPromise: true,
  },
  {
    ...sharing('CloudFront reaches neither the HTTP API nor the function URL', 1, { fate: 'unconnected' }),
    rings: HURT,
    breaksPromise: true,
  },
  {
    ...sharing(
      'Every answer of a function takes 6 seconds, except for those to the canary and to bots',
      1,
      { milliseconds: 6000 },
      isOfVisitor,
    ),
    rings: 'slow',
  },
  {
    title: 'A deployment answers every request with 400',
    minute: async (size) => {
      const refused = await recordInvalid();
      return { traffic: trafficOf(answeringAlike(refused), size) };
    },
    rings: 'all-rejected',
    breaksPromise: true,
  },
  {
    title: 'A deployment answers every request for posts with 400',
    minute: async (size) => {
      const refused = await recordInvalid();
      return withShare(size, 1, { request: refused }, isPost);
    },
    rings: canaryAlarm.name,
    breaksPromise: true,
  },
  {
    ...sharing('A deployment broke the function of posts', 1, { fate: 'crash' }, isPost),
    rings: 'function-crashing',
    breaksPromise: true,
  },
  {
    ...sharing('A deployment broke every function', 1, { fate: 'crash' }),
    rings: HURT,
    within: 3,
    breaksPromise: true,
  },
  {
    ...sharing('A tenth of the posts times out', 0.1, { fate: 'crash' }, isPost),
    rings: 'function-crashing',
    from: 9000,
  },
  {
    ...sharing('A tenth of the posts takes 7 seconds', 0.1, { milliseconds: 7000 }, isPost),
    rings: 'slow',
    from: 9000,
  },
  {
    title: 'The tools of MCP fail',
    minute: async (size) => ({ traffic: trafficOf({ rest: healthy.rest, tool: await recordTool(down) }, size) }),
    rings: HURT,
    from: 1000,
  },
  {
    ...logging('Two wrong operator tokens per minute for an hour', recordWrongToken, 2),
    during: 60,
    rings: 'wrong-tokens',
  },
  { ...logging('One client network tries invalid API keys', recordInvalidKeys), rings: 'repeated-invalid-keys' },
  {
    ...logging('The daily number of paid rows is reached', async () => [
      written({ level: 'warn', event: 'paid_rows_spent' }),
    ]),
    rings: 'paid-ceiling',
  },
  {
    title: 'Only bots: 40 unknown paths in each minute, and no other request',
    rates: [20],
    minute: () => ({ traffic: [{ request: healthyBot, perMinute: 40 }, ...canaryTraffic()] }),
  },
  {
    title: 'Only bots and one caller: 100 invalid requests in each minute, and no other request',
    rates: [20],
    minute: async () => {
      const request = await recordInvalid();
      return {
        traffic: [{ request, perMinute: 100 }, { request: healthyBot, perMinute: 2 }, ...canaryTraffic()],
      };
    },
  },
  {
    title: 'The edge function fails at one request per minute',
    minute: async (size) => {
      const normal = normalMinute(size);
      const request = await recordRequest('posts', {}, { headers: { 'X-Viewer-Error': '1' } });
      return { ...normal, traffic: [...normal.traffic, { request, perMinute: 1 }] };
    },
    rings: 'edge-error',
  },
  {
    title: 'One caller: 100 invalid requests in each minute',
    minute: async (size) => withCaller(size, { request: await recordInvalid(), perMinute: 100 }),
  },
  oneCaller('a URL that always fails', () => recordRequest('posts', { upstream: refusing })),
  {
    title: 'One caller: a URL that crashes the function, each second',
    minute: (size) => withShareOfCaller(size, { fate: 'crash' }),
  },
  {
    title: 'One caller: a URL that takes 7 seconds, each second',
    minute: (size) => withShareOfCaller(size, { milliseconds: 7000 }),
  },
  oneCaller('a post that is always degraded', () => recordRequest('posts', { upstream: fallback })),
  oneCaller('a tool that always fails', () => recordTool(down)),
  {
    title: 'One caller: requests to the HTTP API without CloudFront, each second',
    minute: async (size) =>
      withCaller(size, { request: await recordRequest('posts', {}, { secret: null }), isDirect: true }),
  },
  {
    title: 'One caller: requests to the HTTP API without CloudFront, and wrong ones with it, each second',
    minute: async (size) => {
      const direct = await recordRequest('posts', {}, { secret: null });
      const wrong = await recordInvalid();
      const normal = normalMinute(size);
      const caller: readonly Traffic[] = [
        { request: direct, perMinute: 40, isDirect: true },
        { request: wrong, perMinute: 20 },
      ];
      return { ...normal, traffic: [...normal.traffic, ...caller] };
    },
  },
  oneCaller('an embed as XML, which is not available', () =>
    recordRequest('oembed', {}, { target: '/oembed?url=x.com/jack/status/20&format=xml' }),
  ),
  {
    title: 'Only one caller: a URL that always fails, each second, and no other request',
    rates: [20],
    minute: async () => ({
      traffic: [{ request: await recordRequest('posts', { upstream: refusing }), perMinute: 60 }, ...canaryTraffic()],
    }),
    rings: 'function-failing',
  },
];

const withShareOfCaller = (size: Size, change: Partial<Traffic>): Minute => {
  const [request] = healthy.rest;
  if (request === undefined) throw new Error('there is no request');
  return withCaller(size, { request, ...change });
};

const ALARMS = [HURT, canaryAlarm.name, ...alarmEntries.map(([name]) => name)];

const namesOf = (raised: readonly Raised[]): readonly string[] =>
  raised.map(({ name }) => {
    const known = ALARMS.find((alarm) => name.startsWith(`Postern-${alarm}`));
    if (known === undefined) throw new Error(`${name} is unknown`);
    return known;
  });

/** The canary runs 7 minutes after the fault begins: then most alarms have to wait for a window without its requests. */
const BEFORE = 38;
/** Long enough for each window to pass. */
const AFTER = 75;

const failingRun = await recordFailingCanary();
const { _aws: metrics, ...goodRun } = failingRun;

const withCanary = ({ traffic, logged = [] }: Minute, isFailing: boolean): Minute => {
  const lines = [isFailing ? failingRun : goodRun];
  return { traffic, logged: [...logged, { lines, perMinute: 1, everyMinutes: DEFAULT_CANARY_MINUTES }] };
};

const play = async ({ minute, during = 45, breaksPromise = false }: Fault, size: Size): Promise<readonly Raised[]> => {
  const normal = withCanary(normalMinute(size), false);
  const fault = withCanary(await minute(size), breaksPromise);
  return rehearse(json, { before: BEFORE, during, after: AFTER, normal, fault });
};

/** `name (functions) after N minutes`, the mailed ones in bold. */
const cell = (raised: readonly Raised[]): string => {
  const names = namesOf(raised);
  const unique = [...new Set(names)];
  return unique
    .map((name) => {
      const rows = raised.filter((_, index) => names[index] === name);
      const minutes = Math.min(...rows.map((row) => row.minutes));
      const text = `${name}${rows.length > 1 ? ` (${rows.length})` : ''} ${minutes} min`;
      return rows.some(({ isMailed }) => isMailed) ? `**${text}**` : text;
    })
    .join(', ');
};

const raisedAlarms = new Map<string, Promise<readonly Raised[]>>();

/** Each fault is played once, by the first test that needs it. */
const raisedBy = (fault: Fault, rate: number): Promise<readonly Raised[]> => {
  const key = `${rate} ${fault.title}`;
  const raised = raisedAlarms.get(key) ?? play(fault, sizeOf(rate));
  raisedAlarms.set(key, raised);
  return raised;
};

const plays = faults.flatMap((fault) => (fault.rates ?? RATES).map((rate) => [fault.title, rate, fault] as const));

test.each(plays)('%s, at %i requests per minute: the alarm of the table rings, and ends', async (_, rate, fault) => {
  const raised = await raisedBy(fault, rate);
  const mailed = raised.filter(({ isMailed }) => isMailed);
  if (fault.rings === undefined) expect(namesOf(raised).filter((name) => !HALVES.includes(name))).toEqual([]);
  else if (rate >= (fault.from ?? 0)) expect(namesOf(mailed)).toContain(fault.rings);
  expect(raised.filter(({ hasEnded }) => !hasEnded).map(({ name }) => name)).toEqual([]);
  const [first] = mailed;
  if (first !== undefined && !/wrong-tokens|canary/.test(first.name))
    expect(first.minutes).toBeLessThanOrEqual(fault.within ?? 15);
});

describe.each([
  ['No provider answers', 'function-failing-posts'],
  ['Every answer of a function takes 6 seconds, except for those to the canary and to bots', 'slow-posts'],
])('%s', (title, alarm) => {
  const [fault] = faults.filter((row) => row.title === title);

  test.each([1, 5, 7, 15, 60])(
    'rings within 15 minutes, whenever the canary runs that comes every %i minutes',
    async (canaryMinutes) => {
      if (fault === undefined) throw new Error(`${title} is not played`);
      const [size, template] = [sizeOf(20), templateOf({ ...SETTINGS, canaryMinutes }).toJSON()];
      const scheduled = ({ traffic }: Minute): Minute => ({
        traffic: traffic.map((row) => (row.everyMinutes === undefined ? row : { ...row, everyMinutes: canaryMinutes })),
      });
      const [normal, failing] = [scheduled(normalMinute(size)), scheduled(await fault.minute(size))];
      for (let before = BEFORE; before < BEFORE + Math.min(canaryMinutes, DEFAULT_CANARY_MINUTES); before += 1) {
        const raised = rehearse(template, { before, during: 45, after: 0, normal, fault: failing });
        const minutes = raised.find(({ name }) => name === `Postern-${alarm}`)?.minutes;
        expect(minutes, `the canary runs in minute ${before % canaryMinutes}`).toBeLessThanOrEqual(15);
        expect(minutes, 'a minute before the fault').toBeGreaterThan(0);
      }
    },
  );
});

test('the conditions leave out as many requests of a run of the canary as a function gets at most', () => {
  const counts = Object.values(Object.groupBy(canaryRun.requests, ({ surface }) => surface)).map(
    (all = []) => all.length,
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(CANARY_REQUESTS_PER_FUNCTION);
  expect(Math.max(...counts)).toBeGreaterThan(CANARY_REQUESTS_PER_FUNCTION - 4);
});

describe.each([
  [
    'always fails',
    async (): Promise<Partial<Traffic>> => ({ request: await recordRequest('posts', { upstream: refusing }) }),
  ],
  ['crashes the function', async (): Promise<Partial<Traffic>> => ({ fate: 'crash' })],
  ['takes 7 seconds', async (): Promise<Partial<Traffic>> => ({ milliseconds: 7000 })],
])('one caller whose request %s', (_, change) => {
  test.each([0, 1, 3, 10, 30, 100, 300, 1000, 3000])(
    'raises no page beside %i other requests for posts per minute',
    async (posts) => {
      const size = { cached: posts, posts, others: Math.ceil(posts / 10), mcp: posts };
      const raised = await play({ title: '', minute: async () => withShareOfCaller(size, await change()) }, size);
      // Without another request for posts, all callers of posts are hurt: that is a ticket.
      const names = namesOf(raised).filter((name) => !HALVES.includes(name));
      expect(names.filter((name) => posts > 0 || PAGES.includes(name))).toEqual([]);
    },
  );
});

const mailSubject = (name: string, description: string): string => {
  const row = alarmEntries.find(([known]) => known === name)?.[1];
  const suffix = row?.per === 'service' || row === undefined ? '' : `-${row.per === 'function' ? 'posts' : ADDRESS}`;
  return `ALARM: "Postern-${name}${suffix}" in US East (N. Virginia): ${description}`;
};

test('the table of docs/alarm-rehearsal.md is the one of this rehearsal, and has every alarm', async () => {
  const rows: (readonly string[])[] = [];
  const mails = new Map<string, string>();
  const seen = new Set<string>();
  for (const fault of faults) {
    const cells: string[] = [];
    for (const rate of RATES) {
      const raised = fault.rates?.includes(rate) === false ? undefined : await raisedBy(fault, rate);
      cells.push(raised === undefined ? 'not played' : cell(raised) || 'none');
      for (const [index, name] of namesOf(raised ?? []).entries()) {
        const { isMailed, description = '' } = raised?.[index] ?? {};
        seen.add(name);
        if (isMailed && !mails.has(name)) mails.set(name, description);
      }
    }
    rows.push([fault.title, ...cells]);
  }
  expect([...seen].toSorted()).toEqual(ALARMS.toSorted());
  expect(new Set(rows.map(([title]) => title)).size).toBe(faults.length);
  const text = [
    '# Rehearsal of the alarms',
    '',
    'A test plays faults against the alarms of the template (`test/infra/alarm-rehearsal.test.ts`) and writes this page. The log lines are those of the pipeline; the alarms are evaluated by the rules that AWS documents. A column is a service with as many requests per minute. The times begin with the fault. CloudWatch adds up to three minutes, until the metrics arrive. Bold alarms are mailed; the others are parts of `users-are-hurt`. A number in brackets counts functions or addresses. The canary runs every 15 minutes, first 7 minutes after the fault begins.',
    '',
    'A quarter of the requests is answered by the cache, 30 % read posts, 15 % call tools, and each of the six other public functions gets 5 %. Bots try two unknown paths in each minute. The settings are `alarmEmail` and `x_api` as the last provider.',
    '',
    table(['Fault', ...RATES.map((rate) => rate.toLocaleString('en-US'))], rows),
    '',
    'A small service gets tickets instead of pages for faults that one caller could imitate. The canary (`canaryMinutes`) finds them without other traffic; here its runs fail where its checks find the fault.',
    '',
    '## What the mails say',
    '',
    table(
      ['Alarm', 'Mail'],
      [...mails].toSorted().map(([name, description]) => [`\`${name}\``, mailSubject(name, description)]),
    ),
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot('../../docs/alarm-rehearsal.md');
});
