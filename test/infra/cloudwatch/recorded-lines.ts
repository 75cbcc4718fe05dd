// Records the log lines that the pipeline writes for a request, with and without a fault.
import { runCanary } from '../../../functions/canary/run-canary.ts';
import { createMcpHandler } from '../../../functions/mcp/create-handler.ts';
import { createRegistry } from '../../../functions/mcp/create-registry.ts';
import { clientNetwork } from '../../../shared/auth/client-network.ts';
import { createMetricEmbedder } from '../../../shared/composition/embedded-metrics.ts';
import { createJsonLog } from '../../../shared/composition/environment.ts';
import { type LambdaName, lambdaNames } from '../../../shared/contract/lambdas.ts';
import { DEFAULT_CANARY_MINUTES } from '../../../shared/contract/other-functions.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { createFairUse } from '../../../shared/rate-limit/fair-use.ts';
import { createTestAccessControl } from '../../support/access-control.ts';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { clocksOf } from '../../support/clocks.ts';
import type { RequestOptions } from '../../support/event.ts';
import { localOptions, startSlowService } from '../../support/local-service.ts';
import { mcpCalls, rpc } from '../../support/mcp-calls.ts';
import {
  BASE_URL,
  createTestApp,
  cursors,
  NOW,
  type TestAppOptions,
  upstreamFindingAll,
} from '../../support/test-app.ts';

/** The name of the default stack. */
export const NAMESPACE = 'Postern';

export type Line = Readonly<Record<string, unknown>>;

/** One request with its lines. */
export interface Recorded {
  readonly surface: LambdaName;
  readonly status: number;
  readonly lines: readonly Line[];
}

const targets = {
  posts: '/api/v1/posts?url=https://x.com/jack/status/20&format=json',
  engagements: '/api/v1/posts/20/replies',
  oembed: '/oembed?url=https://x.com/jack/status/20',
  profiles: '/api/v1/profiles/jack',
  search: '/api/v1/search?q=fjord',
  legacy: '/api/convert?url=https://x.com/jack/status/20',
  discovery: '/docs',
} as const satisfies Partial<Record<LambdaName, string>>;

export type RestName = keyof typeof targets;

export const restNames: readonly RestName[] = [
  'posts',
  'engagements',
  'oembed',
  'profiles',
  'search',
  'legacy',
  'discovery',
];

/** The line as the log of a function has it, with its embedded metrics. The instance has written no metrics of calls before. */
export const written = (fields: LogFields): Line => {
  let text = '{}';
  const embed = createMetricEmbedder(NAMESPACE);
  createJsonLog({ write: (line) => (text = line), clock: () => NOW, embed })(fields);
  return JSON.parse(text);
};

const linesOf = (surface: LambdaName, log: readonly LogFields[]): readonly Line[] =>
  log.map((line) => written({ surface, ...line }));

/** The lines of one REST request. @param target another target of the surface */
export const recordRequest = async (
  surface: RestName,
  options: TestAppOptions = {},
  request: RequestOptions & { readonly target?: string } = {},
): Promise<Recorded> => {
  const { get, log } = createTestApp(options);
  const answer = await get(request.target ?? targets[surface], request);
  return { surface, status: answer.status, lines: linesOf(surface, log) };
};

const runCanaryAt = async (origin: string): Promise<Line> => {
  let text = '{}';
  await runCanary({
    ...clocksOf(() => NOW),
    origin: new URL(origin),
    known: { post: '20', profile: 'X' },
    minutes: DEFAULT_CANARY_MINUTES,
    namespace: NAMESPACE,
    writeLine: (line) => (text = line),
  });
  return JSON.parse(text);
};

/** The line of a run of the canary that finds a broken promise: nothing listens at the address. */
export const recordFailingCanary = (): Promise<Line> => runCanaryAt('http://127.0.0.1:1');

export interface CanaryRun {
  /** The requests that reach a function. */
  readonly requests: readonly Recorded[];
  /** The number of requests that the cache of CloudFront answers. */
  readonly cached: number;
}

/** The requests of a run of the canary, after an earlier run has filled the cache. */
export const recordCanaryRun = async (): Promise<CanaryRun> => {
  const texts: string[] = [];
  const service = await startSlowService({
    ...localOptions(AMPLE_ALLOWANCES),
    writeLog: (text) => void texts.push(text),
  });
  await runCanaryAt(service.origin);
  texts.length = 0;
  const { requests: total } = await runCanaryAt(service.origin).finally(service.close);
  const lines: readonly LogFields[] = texts.flatMap((text) => text.trim().split('\n')).map((text) => JSON.parse(text));
  const requests = lines
    .filter(({ event }) => event === 'request')
    .map((line): Recorded => {
      const surface = lambdaNames.find((name) => name === line['surface']);
      if (surface === undefined) throw new Error(`${String(line['surface'])} is no function`);
      return { surface, status: Number(line['status']), lines: [written(line)] };
    });
  return { requests, cached: Number(total) - requests.length };
};

/** The lines of one call of a tool: HTTP answers 200, and the problem is in the result. */
export const recordTool = async (upstream: Partial<Upstream> = {}): Promise<Recorded> => {
  const log: LogFields[] = [];
  const clocks = clocksOf(() => NOW);
  const ports = {
    ...clocks,
    log: (line: LogFields): void => void log.push(line),
    settings: { originSecrets: ['local'], baseUrl: BASE_URL, cacheTtlSeconds: 300 },
    upstream: { ...upstreamFindingAll, ...upstream },
    cursors,
    fairUse: createFairUse(clocks.clock, clientNetwork),
    accessControl: createTestAccessControl(clocks),
    readPicture: async () => undefined,
  };
  const registry = createRegistry(ports);
  const { call } = mcpCalls(createMcpHandler(registry, ports, { research: registry }));
  const { status = 0 } = await call(
    rpc('tools/call', { name: 'x_get_post', arguments: { url: 'https://x.com/jack/status/20' } }),
  );
  return { surface: 'mcp', status, lines: linesOf('mcp', log) };
};
