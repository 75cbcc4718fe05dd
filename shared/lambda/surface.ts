// A surface of reads: API Gateway has matched the route already, so its key finds the operation; there is no router.
import { EDGE_HEADERS } from '../contract/headers.ts';
import { type ListInput, type RawParameters, readInput } from '../contract/inputs.ts';
import { negotiations } from '../contract/media-types.ts';
import {
  honoursKey,
  isNegotiated,
  type Operation,
  operationRows,
  pathsOf,
  queryNames,
  type ReadInput,
  type ReadName,
  type ReadsOf,
  type ReadValue,
  reads,
} from '../contract/operations.ts';
import type { OpenCursor } from '../contract/parameters.ts';
import { isMeant, routeKey } from '../contract/path-template.ts';
import { problem } from '../contract/problems.ts';
import type { SurfaceName } from '../contract/surfaces.ts';
import { isReserved } from '../model/handle.ts';
import type { AccessPorts, DoorPorts, FairUse, FairUsePorts, ListPorts, ReadAnswer, Requester } from '../ports.ts';
import type { Represent, Represented, Wanted } from '../render/represent.ts';
import type { CallContext } from './call.ts';
import { chain, type LambdaHandler } from './chain.ts';
import { type HttpEvent, type HttpResult, headerOf, queryOf, type Route } from './event.ts';
import { fitting, sizeOf } from './fit.ts';
import { lifecycleHeaders } from './lifecycle-headers.ts';
import { apiKey } from './middleware/api-key.ts';
import type { Owed } from './middleware/response-headers.ts';
import { pageUrl } from './page-url.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { requireRead } from './read-of.ts';
import { representationFor } from './representation-for.ts';
import { requesterFor } from './requester.ts';
import { respond } from './respond.ts';
import { withinTime } from './within-time.ts';

interface Answer<Input, Value> {
  /** @param requester on whose behalf */
  read(input: Input, requester?: Requester): Promise<ReadAnswer<Value>>;
  readonly represent: Represent<Value>;
}

/** How reads are answered: what does each, and what makes its result a representation. */
export type Answers<Names extends ReadName> = {
  readonly [Name in Names]: Answer<ReadInput<Name>, ReadValue<Name>>;
};

interface CompiledRoute extends Route {
  readonly operation: Operation;
  /** Paths are exact; API Gateway alone decides on decoded text and a trailing slash. */
  readonly pattern: RegExp;
  readonly queryNames: readonly string[];
  /** The template, split at slashes. */
  readonly segments: readonly string[];
}

const compile = (id: string, operation: Operation, path: string): CompiledRoute => ({
  id,
  operation,
  ...(operation.lifecycle && { lifecycle: operation.lifecycle }),
  honoursKey: honoursKey(operation),
  negotiated: isNegotiated(operation),
  pattern: new RegExp(`^${path.replace('{number}', '[1-9][0-9]?').replace(/\{[a-z]+\}/g, '[^/]+')}$`),
  queryNames: queryNames(operation),
  segments: path.split('/'),
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

/** The reads of a surface that honour keys. */
type KeyedReadsOf<Name extends SurfaceName> = {
  [Read in ReadsOf<Name>]: (typeof reads)[Read]['key'] extends 'honoured' ? Read : never;
}[ReadsOf<Name>];

/** The reads of a surface that spend no allowance. */
type UnmeteredReadsOf<Name extends SurfaceName> = {
  [Read in ReadsOf<Name>]: (typeof reads)[Read]['spends'] extends 'fair-use' ? Read : never;
}[ReadsOf<Name>];

/** What a surface is given: what seals cursors and who may ask only where a read of its has them. */
export type SurfacePorts<Name extends SurfaceName> = DoorPorts &
  (Extract<ReadInput<ReadsOf<Name>>, ListInput> extends never ? unknown : ListPorts) &
  (KeyedReadsOf<Name> extends never ? unknown : AccessPorts) &
  (UnmeteredReadsOf<Name> extends never ? unknown : FairUsePorts);

interface Asked {
  readonly event: HttpEvent;
  readonly route: CompiledRoute;
  readonly context: CallContext;
  readonly openCursor: OpenCursor | undefined;
  readonly fairUse: FairUse | undefined;
}

/** A list that goes on says where (RFC 8288). */
const withNextLink = (representation: Represented, value: object, urlOf: Wanted['pageUrl']): Represented => {
  const cursor = 'next_cursor' in value ? value.next_cursor : undefined;
  if (typeof cursor !== 'string') return representation;
  return { ...representation, headers: { ...representation.headers, Link: `<${urlOf(cursor)}>; rel="next"` } };
};

const answerRead = async <Name extends ReadName>(
  name: Name,
  { read, represent }: Answers<ReadName>[Name],
  { event, route, context, openCursor, fairUse }: Asked,
): Promise<Represented> => {
  const { baseUrl } = context.call;
  const { operation, queryNames: names } = route;
  const row: (typeof reads)[Name] = reads[name];
  const parameters = rawParameters(event, names);
  const input = readInput<(typeof reads)[Name]['input']>(row.input, parameters, { baseUrl, openCursor });
  const format =
    row.forms === 'json' ? 'json' : (input.format ?? representationFor(event, negotiations[operation.kind]));
  const own = { baseUrl, path: operation.path, names, parameters };
  const urlOf = (cursor?: string): string => pageUrl(own, cursor === undefined ? { format: undefined } : { cursor });
  const address = headerOf(event, EDGE_HEADERS.viewerIp);
  const requester = requesterFor(row, input, { fairUse, caller: context.call.caller, address });
  const whole = await withinTime(read(input, requester), context);
  const maxTokens = 'maxTokens' in input ? input.maxTokens : undefined;
  const wanted = { format, maxTokens, baseUrl, pageUrl: urlOf };
  const { result, made } = fitting(whole, {
    make: (part) => represent(row, part, wanted),
    sizeOf: ({ body }) => sizeOf(body),
  });
  return withNextLink(made, result.value, urlOf);
};

/**
 * A Lambda handler for the operations of one surface.
 *
 * @param answers one per read; leaving one out, or giving one too many, does not compile
 */
export const surface = <Name extends SurfaceName>(
  name: Name,
  ports: SurfacePorts<Name>,
  answers: Answers<ReadsOf<Name>>,
): LambdaHandler => {
  const routes = routesOf(name);
  const find = (event: HttpEvent): CompiledRoute | undefined => {
    const route = routes.get(event.routeKey);
    const path = event.rawPath;
    return route?.pattern.test(path) && isMeant(route.segments, path.split('/'), isReserved) ? route : undefined;
  };
  const byName: Partial<Answers<ReadName>> = answers;
  const { settings, cursors, access, fairUse }: DoorPorts & Partial<ListPorts & AccessPorts & FairUsePorts> = ports;
  const answer = async (event: HttpEvent, route: CompiledRoute, context: CallContext): Promise<HttpResult> => {
    const read = requireRead(route.operation, event);
    const own = byName[read];
    if (own === undefined) throw problem('internal_error', { cause: `${name} does not answer ${read}` });
    const representation = await answerRead(read, own, {
      event,
      route,
      context,
      openCursor: cursors?.open,
      fairUse,
    });
    return respond(event, representation, settings.cacheTtlSeconds);
  };
  // Where no key is honoured there is nothing to wait for, and no allowance to tell of.
  const owed: Owed = (call, event, status) => ({
    ...lifecycleHeaders(call.route, event, call.baseUrl),
    ...(access && rateLimitHeaders(call, event, status, access)),
  });
  return chain(ports, { find, answer, owed, steps: access === undefined ? [] : [apiKey(access)] });
};
