// Records the log lines that the pipeline writes for a request, with and without a fault.
import { createMcpHandler } from '../../../functions/mcp/create-handler.ts';
import { createRegistry } from '../../../functions/mcp/create-registry.ts';
import { clientNetwork } from '../../../shared/auth/client-address.ts';
import type { LambdaName } from '../../../shared/contract/lambdas.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { createFairUse } from '../../../shared/rate-limit/fair-use.ts';
import { createTestAccessControl } from '../../support/access-control.ts';
import type { RequestOptions } from '../../support/event.ts';
import { mcpCalls, rpc } from '../../support/mcp-calls.ts';
import {
  BASE_URL,
  createTestApp,
  cursors,
  NOW,
  type TestAppOptions,
  upstreamFindingAll,
} from '../../support/test-app.ts';

/** A line with the members that the contract of metrics names. */
export type Line = Readonly<Record<string, string | number | boolean | undefined>>;

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

const oneIf = (condition: boolean): number => (condition ? 1 : 0);

const isFailure = (status: unknown): boolean => Number(status) >= 500 && status !== 501;

/** The metrics of a line, by the contract; members that the line has win. */
const derived: Readonly<Record<string, (line: Line) => Line>> = {
  request: ({ status, code, key, bytes }) => ({
    failures: oneIf(isFailure(status)),
    refusals: oneIf(status === 429),
    forbidden_origins: oneIf(code === 'forbidden_origin'),
    keyed: oneIf(key === 'valid' || key === 'unverified'),
    unverified: oneIf(key === 'unverified'),
    degraded: 0,
    cache_hits: 0,
    cold_starts: 0,
    bytes: bytes ?? 0,
  }),
  tool: ({ status }) => ({ tool_failures: oneIf(isFailure(status)), tool_duration_ms: 0 }),
  upstream: ({ outcome }) => ({
    failures: oneIf(outcome === 'failed' || outcome === 'down'),
    throttled: oneIf(outcome === 'throttled'),
  }),
  circuit: ({ state }) => ({ circuits_opened: oneIf(state === 'open') }),
};

export const withMetrics = (line: Line): Line => ({ ...derived[String(line['event'])]?.(line), ...line });

const linesOf = (surface: LambdaName, log: readonly LogFields[], members: Line = {}): readonly Line[] =>
  log.map((line) => withMetrics({ ...members, surface, ...line }));

/** The lines of one REST request. @param target another target of the surface */
export const recordRequest = async (
  surface: RestName,
  options: TestAppOptions = {},
  request: RequestOptions & { readonly target?: string } = {},
): Promise<Recorded> => {
  const { get, log } = createTestApp(options);
  const answer = await get(request.target ?? targets[surface], request);
  const isDegraded = surface === 'posts' && answer.status === 200 && answer.body.includes('"fallback_answered"');
  return { surface, status: answer.status, lines: linesOf(surface, log, isDegraded ? { degraded: 1 } : {}) };
};

/** The lines of one call of a tool: HTTP answers 200, and the problem is in the result. */
export const recordTool = async (upstream: Partial<Upstream> = {}): Promise<Recorded> => {
  const log: LogFields[] = [];
  const clock = (): number => NOW;
  const ports = {
    clock,
    log: (line: LogFields): void => void log.push(line),
    settings: { originSecrets: ['local'], baseUrl: BASE_URL, cacheTtlSeconds: 300 },
    upstream: { ...upstreamFindingAll, ...upstream },
    cursors,
    fairUse: createFairUse(clock, clientNetwork),
    accessControl: createTestAccessControl({ clock }),
  };
  const registry = createRegistry(ports);
  const { call } = mcpCalls(createMcpHandler(registry, ports, { research: registry }));
  const { status = 0, json } = await call(
    rpc('tools/call', { name: 'x_get_post', arguments: { url: 'https://x.com/jack/status/20' } }),
  );
  const problem = json.result.isError === true ? json.result._meta : undefined;
  // The line of a message precedes its result, so the test adds the status of the problem.
  const lines = log.map((line) => (line.event === 'mcp' ? { ...line, event: 'tool', status: problem?.status } : line));
  return { surface: 'mcp', status, lines: linesOf('mcp', lines) };
};
