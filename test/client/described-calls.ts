// Derives calls from /openapi.json for the programs that call every operation through a generated client: one call that is
// answered, from the examples of the description, and one that is not. A new operation has its calls without a change here.

type Values = Readonly<Record<string, string | number>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema?: { readonly enum?: readonly string[] };
  readonly example?: string | number;
}

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: object }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface ClientDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<'get' | 'post', Operation>>>>;
}

export interface DescribedCall {
  readonly operationId: string;
  readonly method: 'get' | 'post';
  /** A template. Its variables are in `path`, in the order of the template. */
  readonly route: string;
  readonly path: Values;
  readonly query: Values;
  readonly header: Values;
  readonly body?: object;
  readonly status: number;
  /** The first media type of the 200, which a generated client expects. */
  readonly mediaType: string;
  /** The names of the schemas of its body; empty for text and for a body without a named schema. */
  readonly schemas: readonly string[];
  /** The problem code of an answer that is an error. */
  readonly code?: string;
}

const nameOf = ({ $ref }: Schema): readonly string[] => ($ref === undefined ? [] : [$ref.split('/').at(-1) ?? '']);

const hasName = (parameter: Parameter | { readonly $ref: string }): parameter is Parameter => 'name' in parameter;

/** The query asks for JSON where the operation has several formats. */
const exampleOf = ({ name, schema, example }: Parameter): string | number | undefined =>
  name === 'format' && schema?.enum?.includes('json') ? 'json' : example;

const valuesIn = (place: Parameter['in'], parameters: readonly Parameter[]): Values =>
  Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = parameter.in === place ? exampleOf(parameter) : undefined;
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );

const answered = (route: string, method: 'get' | 'post', operation: Operation): DescribedCall => {
  const parameters = (operation.parameters ?? []).filter(hasName);
  const [[mediaType, { schema }] = ['', { schema: {} }]] = Object.entries(operation.responses['200']?.content ?? {});
  const body = operation.requestBody?.content['application/json']?.example;
  return {
    operationId: operation.operationId,
    method,
    route,
    path: valuesIn('path', parameters),
    // An example of a body needs no parameter beside it.
    query: body === undefined ? valuesIn('query', parameters) : {},
    header: {},
    ...(body !== undefined && { body }),
    status: 200,
    mediaType,
    schemas: [schema, ...(schema.oneOf ?? [])].flatMap(nameOf),
  };
};

/** Every call that has an answer, in the order of the description. */
export const answeredCalls = ({ paths }: ClientDescription): readonly DescribedCall[] =>
  Object.entries(paths).flatMap(([route, { get, post }]) => [
    ...(get === undefined ? [] : [answered(route, 'get', get)]),
    ...(post === undefined ? [] : [answered(route, 'post', post)]),
  ]);

const DELETED_POST = '1990000000000000001';

/**
 * The same call with one wrong value, which the types of the client allow. A document for programs cannot fail, so it is
 * asked for again with its ETag.
 */
export const unansweredCall = (
  call: DescribedCall,
  operation: ReadonlySet<string>,
  etag: string | undefined,
): DescribedCall => {
  const { query, path } = call;
  if (call.body !== undefined) return { ...call, body: { jsonrpc: '2.0', id: 1 }, status: 400 };
  if (operation.has('cursor'))
    return { ...call, query: { ...query, cursor: 'AAAA' }, status: 400, code: 'invalid_cursor' };
  if ('id' in path) return { ...call, path: { ...path, id: DELETED_POST }, status: 404, code: 'post_not_found' };
  if (operation.has('ids')) return { ...call, query: { ...query, ids: '020' }, status: 400, code: 'invalid_id' };
  if (operation.has('url')) {
    const { handle: _, id: __, ...others } = query;
    const url = 'https://example.com/jack/status/20';
    return { ...call, query: { ...others, url }, status: 400, code: 'unsupported_host' };
  }
  if (etag === undefined) throw new Error(`${call.operationId} has no ETag`);
  return { ...call, header: { 'If-None-Match': etag }, status: 304 };
};

/** The names of the query parameters of an operation. */
export const queryNamesOf = ({ paths }: ClientDescription, { route, method }: DescribedCall): ReadonlySet<string> =>
  new Set(
    (paths[route]?.[method].parameters ?? [])
      .filter(hasName)
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name),
  );
