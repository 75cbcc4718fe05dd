// A surface of reads: API Gateway has matched the route already, so its key finds the operation; there is no router.
import { type RawParameters, readInput } from '../contract/inputs.ts';
import { negotiations } from '../contract/media-types.ts';
import {
  honoursKey,
  type Operation,
  operationRows,
  pathsOf,
  queryNames,
  type ReadInput,
  type ReadName,
  type ReadsOf,
  type ReadValue,
  reads,
  routeKey,
} from '../contract/operations.ts';
import { problem } from '../contract/problems.ts';
import type { SurfaceName } from '../contract/surfaces.ts';
import { isReserved, parseHandle } from '../model/handle.ts';
import type { DoorPorts, ListPorts, ReadResult } from '../ports.ts';
import type { Represent, Represented, Wanted } from '../render/represent.ts';
import type { CallContext } from './call.ts';
import { chain, type LambdaHandler } from './chain.ts';
import { type HttpEvent, type HttpResult, queryOf, type Route } from './event.ts';
import { nextPageUrl } from './next-page.ts';
import { readOf } from './read-of.ts';
import { representationFor } from './representation-for.ts';
import { respond } from './respond.ts';
import { withinTime } from './within-time.ts';

interface Answer<Input, Value> {
  read(input: Input): Promise<ReadResult<Value>>;
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
  /** Its first segment is a handle, so it may be something else of ours. */
  readonly beginsWithHandle: boolean;
  /** Nothing but a handle: what is none is no such route. */
  readonly isHandleAlone: boolean;
}

const compile = (id: string, operation: Operation, path: string): CompiledRoute => ({
  id,
  operation,
  ...(operation.lifecycle && { lifecycle: operation.lifecycle }),
  honoursKey: honoursKey(operation),
  negotiated: true,
  pattern: new RegExp(`^${path.replace('{number}', '[1-9][0-9]?').replace(/\{[a-z]+\}/g, '[^/]+')}$`),
  queryNames: queryNames(operation),
  beginsWithHandle: path.startsWith('/{handle}'),
  isHandleAlone: path === '/{handle}',
});

const routesOf = (name: SurfaceName): ReadonlyMap<string, CompiledRoute> =>
  new Map(
    operationRows
      .filter(([, operation]) => operation.surface === name)
      .flatMap(([id, operation]) => pathsOf(operation).map((path) => [routeKey(path), compile(id, operation, path)])),
  );

/** Reserved first segments are never handles; by v1 every handle can be read. */
const isMeant = ({ beginsWithHandle, isHandleAlone }: CompiledRoute, event: HttpEvent): boolean => {
  const handle = event.pathParameters?.['handle'] ?? '';
  if (!beginsWithHandle) return true;
  return !isReserved(handle.replace(/^@/, '')) && (!isHandleAlone || parseHandle(handle) !== undefined);
};

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

/** The parameter that chooses among reads chose none. */
const unresolved = ({ reads: choice }: Operation, event: HttpEvent) => {
  if (typeof choice === 'string') return problem('internal_error', { cause: 'a read that needs no choice' });
  const parameter = choice.by;
  const isRepeated = (queryOf(event).get(parameter)?.length ?? 0) > 1;
  const message = isRepeated ? 'was given more than once' : `must be one of ${Object.keys(choice.choices).join(', ')}`;
  return problem(isRepeated ? 'repeated_parameter' : 'invalid_resource', {
    errors: [{ parameter, message }],
    detail: `${parameter} ${message}.`,
  });
};

/** Reads and represents; a list that goes on says where (RFC 8288). */
const answerOf =
  <Input, Value extends object>({ read, represent }: Answer<Input, Value>) =>
  async (
    row: (typeof reads)[ReadName],
    input: Input,
    wanted: Wanted,
    context: CallContext,
    urlOf: (cursor: string) => string,
  ): Promise<Represented> => {
    const result = await withinTime(read(input), context);
    const cursor = 'next_cursor' in result.value ? result.value.next_cursor : undefined;
    if (typeof cursor !== 'string') return represent(row, result, wanted);
    const nextUrl = urlOf(cursor);
    const representation = represent(row, result, { ...wanted, nextUrl });
    return { ...representation, headers: { ...representation.headers, Link: `<${nextUrl}>; rel="next"` } };
  };

/** Input and answer are of the same read, which a name that is only known at run time cannot tell the compiler. */
type AnyAnswer = Answer<ReadInput<ReadName>, object>;

/**
 * A Lambda handler for the operations of one surface.
 *
 * @param answers one per read; leaving one out, or giving one too many, does not compile
 */
export const surface = <Name extends SurfaceName>(
  name: Name,
  ports: DoorPorts & Partial<ListPorts>,
  answers: Answers<ReadsOf<Name>>,
): LambdaHandler => {
  const routes = routesOf(name);
  const find = (event: HttpEvent): CompiledRoute | undefined => {
    const route = routes.get(event.routeKey);
    return route?.pattern.test(event.rawPath) && isMeant(route, event) ? route : undefined;
  };
  const byName = answers as unknown as Readonly<Partial<Record<ReadName, AnyAnswer>>>; // see AnyAnswer
  const answer = async (
    event: HttpEvent,
    { operation, queryNames: names }: CompiledRoute,
    context: CallContext,
  ): Promise<HttpResult> => {
    const { baseUrl } = context.call;
    const read = readOf(operation, event);
    if (read === undefined) throw unresolved(operation, event);
    const own = byName[read];
    if (own === undefined) throw problem('internal_error', { cause: `${name} does not answer ${read}` });
    const row = reads[read];
    const parameters = rawParameters(event, names);
    const input = readInput(row.input, parameters, { baseUrl, openCursor: ports.cursors?.open });
    const format = input.format ?? representationFor(event, negotiations[operation.kind]);
    const representation = await answerOf(own)(
      row,
      input,
      { format, maxTokens: input.maxTokens, baseUrl },
      context,
      (cursor) => nextPageUrl(baseUrl, operation, parameters, cursor),
    );
    return respond(event, representation, ports.settings.cacheTtlSeconds);
  };
  return chain(ports, { find, answer });
};
