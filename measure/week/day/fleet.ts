// Simulates the instances of the Lambdas in virtual time: an instance has one request at a time, a request without an idle
// instance starts one, and an instance that was idle for long ends.

import { coldStart } from '../../../infra/docs/bill.ts';
import type { HttpEvent } from '../../../shared/http/event.ts';
import type { LambdaHandler } from '../../../shared/http/pipeline.ts';
import { context, event } from '../../../test/support/event.ts';
import { mcpEvent } from '../../../test/support/mcp-server.ts';
import { createVirtualHandler, type VirtualService } from '../virtual-handler.ts';
import { IDLE_MILLISECONDS, isIn, OWN_MILLISECONDS, outage } from './day-assumptions.ts';
import type { RequestKind, Visitor } from './traffic.ts';

export type ReadKind = Exclude<RequestKind, 'document'>;

interface CallTime {
  calls: number;
  seconds: number;
}

export interface FleetFigures {
  calls: number;
  starts: number;
  /** Seconds of execution, by kind of request. */
  readonly seconds: Record<ReadKind, number>;
  busy: number;
  /** The most concurrent executions outside of the outage, and in it. */
  readonly busiest: { outside: number; during: number };
  /** Calls that ended, and their seconds, by the time at which they started. */
  readonly ended: { outside: CallTime; during: CallTime };
  instances: number;
  mostInstances: number;
}

interface IdleInstance {
  readonly handle: LambdaHandler;
  readonly since: number;
}

const LAMBDAS = { post: 'posts', list: 'profiles', search: 'search', tool: 'mcp' } as const;

/** Ids of this length are older than the virtual day. */
const FIRST_ID = 1_000_000_000;

const requestOf = (kind: ReadKind, subject: number, { ip, authorization }: Visitor): HttpEvent => {
  const headers = {
    'x-viewer-ip': ip,
    accept: 'application/json',
    ...(authorization !== undefined && { authorization }),
  };
  const [id, handle, isEven] = [String(FIRST_ID + subject), `u${subject}`, subject % 2 === 0];
  switch (kind) {
    case 'post':
      return event(`/api/v1/posts?handle=ada&id=${id}`, { headers });
    case 'list':
      return event(`/api/v1/profiles/${handle}${isEven ? '' : '/followers'}`, { headers });
    case 'search':
      return event(`/api/v1/search?q=word${subject}`, { headers });
    case 'tool': {
      // Half of the calls read posts, by fair use; the others read followers.
      const [name, args] = isEven ? ['x_get_post', { id }] : ['x_list_followers', { handle }];
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const accept = 'application/json, text/event-stream';
      return mcpEvent({
        headers: { ...headers, accept, 'content-type': 'application/json' },
        body: JSON.stringify(message),
      });
    }
    default:
      return kind satisfies never;
  }
};

export const createFleet = (service: VirtualService) => {
  const { time } = service;
  /** Per Lambda, the most recently used one last. */
  const idle: Record<ReadKind, IdleInstance[]> = { post: [], list: [], search: [], tool: [] };
  const figures: FleetFigures = {
    calls: 0,
    starts: 0,
    seconds: { post: 0, list: 0, search: 0, tool: 0 },
    busy: 0,
    busiest: { outside: 0, during: 0 },
    ended: { outside: { calls: 0, seconds: 0 }, during: { calls: 0, seconds: 0 } },
    instances: 0,
    mostInstances: 0,
  };

  const removeOld = (kind: ReadKind): void => {
    const instances = idle[kind];
    const keep = instances.findIndex(({ since }) => time.now() - since < IDLE_MILLISECONDS);
    const old = keep === -1 ? instances.length : keep;
    instances.splice(0, old);
    figures.instances -= old;
  };

  return {
    figures,
    /** @param subject the number of the post, the profile or the query @returns `ok`, or the code of the problem document */
    async read(kind: ReadKind, subject: number, visitor: Visitor): Promise<string> {
      removeOld(kind);
      figures.calls += 1;
      const startedAt = time.now();
      const waiting = idle[kind].pop();
      if (waiting === undefined) {
        figures.starts += 1;
        figures.instances += 1;
        figures.mostInstances = Math.max(figures.mostInstances, figures.instances);
      }
      const handle = waiting?.handle ?? createVirtualHandler(LAMBDAS[kind], service);
      figures.busy += 1;
      const phase = isIn(outage, startedAt) ? 'during' : 'outside';
      figures.busiest[phase] = Math.max(figures.busiest[phase], figures.busy);
      await time.sleep(OWN_MILLISECONDS + (waiting === undefined ? coldStart.milliseconds : 0));
      const { statusCode, body = '' } = await handle(requestOf(kind, subject, visitor), context());
      const isProblem = statusCode !== 200 || body.includes('"isError":true');
      const result = isProblem ? (/"code":\s*"([a-z_]+)"/.exec(body)?.[1] ?? 'internal_error') : 'ok';
      figures.busy -= 1;
      const seconds = (time.now() - startedAt) / 1000;
      figures.seconds[kind] += seconds;
      const ended = figures.ended[phase];
      ended.calls += 1;
      ended.seconds += seconds;
      idle[kind].push({ handle, since: time.now() });
      return result;
    },
  };
};
