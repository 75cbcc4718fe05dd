// Runs the built edge function on a viewer request in a context without Node, as CloudFront does.
import { createContext, Script } from 'node:vm';
import type { EdgeField, EdgeRequest } from '../../functions/edge/viewer-request.ts';
import { EDGE_FILE } from '../build/dist-layout.ts';

/** Globals of a bare Node context that cloudfront-js-2.0 does not have. */
const NOT_AT_THE_EDGE = [
  'Atomics',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'FinalizationRegistry',
  'Intl',
  'Iterator',
  'Map',
  'Proxy',
  'Reflect',
  'Set',
  'SharedArrayBuffer',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'WebAssembly',
  'console',
  'globalThis',
] as const;

export interface ViewerRequest {
  readonly method: string;
  /** Path and query as the viewer sent them. */
  readonly target: string;
  /** Alternating names and values, as in Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[];
  readonly viewerIp: string;
}

export interface CanonicalRequest {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names; repeated fields joined. */
  readonly headers: Readonly<Record<string, string>>;
}

export type EdgeFunction = (request: ViewerRequest) => CanonicalRequest;

const manyOf = ({ value, multiValue = [{ value }] }: EdgeField): readonly { readonly value: string }[] => multiValue;

const fieldsOf = (pairs: Iterable<readonly [string, string]>): Record<string, EdgeField> => {
  const fields = new Map<string, EdgeField>();
  for (const [name, value] of pairs) {
    const first = fields.get(name);
    fields.set(name, first === undefined ? { value } : { ...first, multiValue: [...manyOf(first), { value }] });
  }
  return Object.fromEntries(fields);
};

const valuesOf = (field: EdgeField): readonly string[] => manyOf(field).map(({ value }) => value);

const queryPairs = (query: string): readonly (readonly [string, string])[] =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    });

export const headerPairs = (rawHeaders: readonly string[]): readonly (readonly [string, string])[] =>
  rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
  );

export const splitTarget = (target: string): readonly [path: string, query: string] => {
  const mark = target.indexOf('?');
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
};

export const edgeEvent = ({ method, target, rawHeaders, viewerIp }: ViewerRequest): object => {
  const [uri, query] = splitTarget(target);
  return {
    version: '1.0',
    context: {
      distributionDomainName: 'local',
      distributionId: 'local',
      eventType: 'viewer-request',
      requestId: 'local',
    },
    viewer: { ip: viewerIp },
    request: {
      method,
      uri,
      querystring: fieldsOf(queryPairs(query)),
      headers: fieldsOf(headerPairs(rawHeaders)),
      cookies: {},
    },
  };
};

const canonicalRequest = ({ uri, querystring, headers }: EdgeRequest): CanonicalRequest => ({
  path: uri,
  query: Object.entries(querystring)
    .flatMap(([name, field]) => valuesOf(field).map((value) => `${name}=${value}`))
    .join('&'),
  headers: Object.fromEntries(Object.entries(headers).map(([name, field]) => [name, valuesOf(field).join(',')])),
});

/**
 * Loads the script as a function from event to request. Both are passed as JSON, so the script gets no Node objects.
 */
export const edgeScript = (source: string): ((event: object) => EdgeRequest) => {
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  new Script(NOT_AT_THE_EDGE.map((name) => `delete this.${name};`).join('\n')).runInContext(context);
  new Script(source, { filename: EDGE_FILE }).runInContext(context);
  const invoke = new Script('(json) => JSON.stringify(handler(JSON.parse(json)))').runInContext(context);
  return (event) => JSON.parse(invoke(JSON.stringify(event)));
};

/** @param source the script of the edge function */
export const createEdgeFunction = (source: string): EdgeFunction => {
  const run = edgeScript(source);
  return (request) => canonicalRequest(run(edgeEvent(request)));
};
