// A surface of reads: API Gateway has matched the route already, so its key finds the operation; there is no router.
import { type RawParameters, readInput } from '../contract/inputs.ts';
import { negotiations } from '../contract/media-types.ts';
import {
  type Operation,
  operationRows,
  pathsOf,
  queryNames,
  type ReadInput,
  type ReadName,
  type ReadsOf,
  reads,
  routeKey,
} from '../contract/operations.ts';
import { problem } from '../contract/problems.ts';
import type { SurfaceName } from '../contract/surfaces.ts';
import type { Conversation } from '../model/conversation.ts';
import { isReserved } from '../model/handle.ts';
import type { DoorPorts, ReadResult } from '../ports.ts';
import { represent } from '../render/represent.ts';
import type { Call, CallContext } from './call.ts';
import { chain, type LambdaHandler } from './chain.ts';
import { type HttpEvent, type HttpResult, queryOf, type Route } from './event.ts';
import { readOf } from './read-of.ts';
import { representationFor } from './representation-for.ts';
import { respond } from './respond.ts';
import { withinTime } from './within-time.ts';

/** Which read answers what: exactly those that the surface's rows name. */
export type Implementations<Name extends SurfaceName> = {
  readonly [Read in ReadsOf<Name>]: (input: ReadInput<Read>, call: Call) => Promise<ReadResult<Conversation>>;
};

interface CompiledRoute extends Route {
  readonly operation: Operation;
  /** Paths are exact; API Gateway alone decides on decoded text and a trailing slash. */
  readonly pattern: RegExp;
  readonly queryNames: readonly string[];
}

const compile = (id: string, operation: Operation, path: string): CompiledRoute => ({
  id,
  operation,
  ...(operation.lifecycle && { lifecycle: operation.lifecycle }),
  negotiated: true,
  pattern: new RegExp(`^${path.replace('{number}', '[1-9][0-9]?').replace(/\{[a-z]+\}/g, '[^/]+')}$`),
  queryNames: queryNames(operation),
});

const routesOf = (name: SurfaceName): ReadonlyMap<string, CompiledRoute> =>
  new Map(
    operationRows
      .filter(([, operation]) => operation.surface === name)
      .flatMap(([id, operation]) => pathsOf(operation).map((path) => [routeKey(path), compile(id, operation, path)])),
  );

const rawParameters = (event: HttpEvent, names: readonly string[]): RawParameters => {
  const query = queryOf(event);
  const known = new Map<string, readonly string[]>();
  for (const name of names) {
    const values = query.get(name);
    if (values !== undefined) known.set(name, values);
  }
  for (const [name, value] of Object.entries(event.pathParameters ?? {})) {
    if (value !== undefined && name !== 'number') known.set(name, [value]);
  }
  return known;
};

/**
 * A Lambda handler for the operations of one surface.
 *
 * @param implementations one function per read; leaving one out, or giving one too many, does not compile
 */
export const surface = <Name extends SurfaceName>(
  name: Name,
  ports: DoorPorts,
  implementations: Implementations<Name>,
): LambdaHandler => {
  const routes = routesOf(name);
  const find = (event: HttpEvent): CompiledRoute | undefined => {
    const route = routes.get(event.routeKey);
    if (route === undefined || !route.pattern.test(event.rawPath)) return undefined;
    const handle = event.pathParameters?.['handle'];
    return handle !== undefined && isReserved(handle.replace(/^@/, '')) ? undefined : route;
  };
  const byName: Readonly<Partial<Record<ReadName, Implementations<SurfaceName>[ReadName]>>> = implementations;
  const answer = async (
    event: HttpEvent,
    { operation, queryNames: names }: CompiledRoute,
    context: CallContext,
  ): Promise<HttpResult> => {
    const { call } = context;
    const read = readOf(operation, event);
    if (read === undefined) throw problem('invalid_resource');
    const implementation = byName[read];
    if (implementation === undefined) throw problem('internal_error', { cause: `${name} does not implement ${read}` });
    const row = reads[read];
    const input = readInput(row.input, rawParameters(event, names), call);
    const format = input.format ?? representationFor(event, negotiations[operation.kind]);
    const result = await withinTime(implementation(input, call), context);
    return respond(
      event,
      represent(row, result, { format, maxTokens: input.maxTokens, baseUrl: call.baseUrl }),
      ports.settings.cacheTtlSeconds,
    );
  };
  return chain(ports, { find, answer });
};
