// Generates HTTP requests from /openapi.json: every operation with every parameter, valid values and broken ones mixed,
// in every spelling that HTTP allows. The description says which values are valid, so no list of routes is needed.
import fc from 'fast-check';
import { addressTexts } from './addresses.ts';
import { authorizationFields } from './credentials.ts';
import { exchanges } from './json-rpc-fuzz.ts';
import { CANARY, nastyString, percentEncoded } from './nasty-strings.ts';
import { weighted } from './seed.ts';

export interface HostileRequest {
  /** The operation that the target was made from, such as `GET /api/v1/posts`. */
  readonly operation: string;
  readonly method: string;
  /** Path and query: printable ASCII without spaces. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** The part of an OpenAPI description that is read. */
export interface DescribedApi {
  readonly paths: Readonly<Record<string, object>>;
}

/** Values that the service under test knows. */
export interface KnownValues {
  readonly handles: readonly string[];
  readonly ids: readonly string[];
  /** Cursors that the service wrote. */
  readonly cursors: readonly string[];
  readonly apiKeys: readonly string[];
}

const parametersOf = (operation: object): readonly Parameter[] => {
  const all: unknown = Reflect.get(operation, 'parameters');
  return Array.isArray(all) ? all.filter((item) => typeof item === 'object' && item !== null && 'schema' in item) : [];
};

/** Texts that have a meaning to the operation but are not of the schema, or only for some accounts. */
const specialOf = (name: string, known: KnownValues): fc.Arbitrary<string> | undefined => {
  switch (name) {
    case 'handle':
      return fc.oneof(
        fc.constantFrom(...known.handles),
        fc.constantFrom(...known.handles).map((handle) => `@${handle}`),
      );
    case 'id':
      return fc.constantFrom(...known.ids);
    case 'ids':
      return fc.array(fc.constantFrom(...known.ids), { minLength: 1, maxLength: 22 }).map((ids) => ids.join(','));
    case 'number':
      return fc.constantFrom('1', '2', '4', '99');
    case 'url':
      return weighted(
        [
          3,
          fc
            .tuple(fc.constantFrom(...known.handles), fc.constantFrom(...known.ids))
            .map(([handle, id]) => `https://x.com/${handle}/status/${id}`),
        ],
        [1, addressTexts],
      );
    case 'q':
      return fc.oneof(fc.constantFrom('tide', 'from:ada_larsson', '#ferries', 'a b', '"a b"'), addressTexts);
    case 'cursor':
      return known.cursors.length === 0 ? undefined : fc.constantFrom(...known.cursors);
    case 'since':
    case 'until':
      return fc.constantFrom('2026-01-01', '2026-02-28T12:00:00Z', '2010-01-01', '2100-01-01');
    case 'tools':
      return fc.constantFrom('research', 'x_get_post', '');
    default:
      return undefined;
  }
};

const validOf = ({ name, schema, example }: Parameter, known: KnownValues): fc.Arbitrary<string> => {
  const special = specialOf(name, known);
  if (special !== undefined) return special;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { minimum = 0, maximum = 2 ** 31 - 1 } = schema;
  if (schema.type === 'integer')
    return fc
      .oneof(fc.constantFrom(minimum, minimum + 1, maximum), fc.integer({ min: minimum, max: maximum }))
      .map(String);
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
  return example === undefined ? nastyString : fc.constant(String(example));
};

const parameterValue = (parameter: Parameter, known: KnownValues): fc.Arbitrary<string> => {
  const { minimum = 0, maximum = 0 } = parameter.schema;
  return weighted(
    [24, validOf(parameter, known)],
    [4, nastyString],
    [1, fc.constantFrom(String(minimum - 1), String(maximum + 1))],
  ).chain(percentEncoded);
};

/** Path segments keep their place: an empty value would make another path. */
const segmentOf = (parameter: Parameter, known: KnownValues): fc.Arbitrary<string> =>
  weighted(
    [6, validOf(parameter, known).map((text) => encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@'))],
    [1, parameterValue(parameter, known).map((text) => text.replaceAll(/[?#]/g, '') || '%20')],
  );

// biome-ignore format: side by side they fit on a screen
const STRANGE_NAMES = [
  'utm_source', 'callback', 'jsonp', '__proto__', 'constructor', 'a[]', 'a[b]', 'format[]', 'Format', 'FORMAT',
  '%66ormat', 'form%61t', 'q%00', '', '%', '_', 'debug', 'admin', 'X-Amz-Signature', 'nocache', 'limit%20',
];

const strangeName = fc.oneof(
  fc.constantFrom(...STRANGE_NAMES),
  nastyString.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 300)),
);

const strangePair = fc
  .tuple(strangeName, nastyString, fc.boolean())
  .chain(([name, value, hasValue]) =>
    hasValue ? percentEncoded(value).map((text) => `${name}=${text}`) : fc.constant(name),
  );

const queryOf = (parameters: readonly Parameter[], known: KnownValues): fc.Arbitrary<string> => {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const pairOf = (parameter: Parameter): fc.Arbitrary<string> =>
    parameterValue(parameter, known).map((value) => `${parameter.name}=${value}`);
  const required = inQuery
    .filter(({ name, required: isRequired }) => isRequired === true || name === 'url' || name === 'ids')
    .map(pairOf);
  const usual = fc.tuple(...required.map((pair) => fc.option(pair, { nil: undefined, freq: 9 })));
  const optional =
    inQuery.length === 0
      ? fc.constant<string[]>([])
      : fc.array(fc.constantFrom(...inQuery).chain(pairOf), { maxLength: 3 });
  const strange = weighted([5, fc.constant<string[]>([])], [1, fc.array(strangePair, { maxLength: 3 })]);
  return fc
    .tuple(usual, optional, strange, fc.constantFrom('&', '&', '&', '&', '&', '&', '&&', ';'))
    .map(([first, second, third, separator]) =>
      [...first.filter((pair) => pair !== undefined), ...second, ...third].join(separator),
    );
};

/** Changes a path that a description has, so that it has no route or another one. */
const strangePath = (path: string): fc.Arbitrary<string> =>
  // biome-ignore format: side by side they fit on a screen
  fc.constantFrom(
    `${path}/`, `/${path}`, `${path}//`, path.toUpperCase(), `${path}.json`, `${path}.css`, `${path};a=b`, `${path}/..`,
    `/.${path}`, path.replaceAll('/', '%2f'), path.replaceAll('/', '\\'), `/-${path}`, `${path}%00`, `${path}/x.js`,
    `/admin/..${path}`, `/api/v2${path}`, path.replace('a', '%61'), `${path}/status/20`, `/docs${path}`, '/.env',
    '/admin', '/api/admin/keys',
  );

// biome-ignore format: side by side they fit on a screen
const ACCEPT = [
  '*/*', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json', 'text/markdown',
  'text/html', 'application/json;q=0', 'text/*;q=0.5, */*;q=0.1', 'application/rss+xml', 'application/atom+xml',
  'application/feed+json', 'application/x-ndjson', 'image/png', '', ';', ',,,', 'q=1', 'text/html;q=2', 'text/html;q=',
  'a/b;c="d,e"', '*', '*/json', 'text/event-stream',
];

/** Leaves the characters that a field value may have (RFC 9110 section 5.5), because a client cannot send others. */
const asFieldValue = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 2000);

const asFields = (headers: HostileRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asFieldValue(value)]));

const fieldText = nastyString.map(asFieldValue);

// biome-ignore format: side by side they fit on a screen
const AGENTS = [
  'Mozilla/5.0', 'Slackbot-LinkExpanding 1.0', 'Twitterbot/1.0', 'Discordbot/2.0', 'curl/8', '', 'a'.repeat(900),
  'WhatsApp/2',
];

const accepts = weighted([6, fc.constantFrom(...ACCEPT)], [1, fieldText]);

const commonHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    accept: accepts,
    'user-agent': fc.constantFrom(...AGENTS),
    'accept-encoding': fc.oneof(
      fc.constantFrom('gzip', 'br', 'zstd', 'identity;q=0', '*', 'gzip;q=0, br', 'deflate'),
      fieldText,
    ),
    'if-none-match': fc.oneof(fc.constantFrom('*', '""', 'W/"a"', '"a", "b"', 'W/', ','), fieldText),
  },
  { requiredKeys: [] },
);

// biome-ignore format: side by side they fit on a screen
const STRANGE_HEADERS = [
  'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-original-url', 'x-rewrite-url',
  'x-http-method-override', 'x-viewer-ip', 'x-viewer-host', 'x-origin-secret', 'cookie', 'referer', 'origin', 'range',
  'if-modified-since', 'accept-language', 'x-request-id', 'x-amzn-trace-id', 'via', 'x-api-key',
  'access-control-request-headers', 'cloudfront-viewer-address', 'mcp-session-id', CANARY,
];

const strangeHeaders = fc.dictionary(fc.constantFrom(...STRANGE_HEADERS), fieldText, { maxKeys: 3 });

const headersOf = (hasKeys: boolean, known: KnownValues): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      commonHeaders,
      weighted([3, fc.constant({})], [1, strangeHeaders]),
      fc.option(
        authorizationFields(known.apiKeys).map(({ value }) => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')),
        { nil: undefined, freq: hasKeys ? 1 : 5 },
      ),
    )
    .map(([common, strange, authorization]) => ({
      ...common,
      ...strange,
      ...(authorization !== undefined && { authorization }),
    }));

const methods = weighted(
  [20, fc.constant('GET')],
  [2, fc.constant('HEAD')],
  [1, fc.constantFrom('OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH')],
);

/** The gateway takes no more, and Node's client sends no more. */
const MAX_TARGET = 16_000;

const readRequests = (path: string, operation: object, known: KnownValues): fc.Arbitrary<HostileRequest> => {
  const parameters = parametersOf(operation);
  const segments = path.split('/').map((part): fc.Arbitrary<string> => {
    const parameter = parameters.find(({ name, in: place }) => place === 'path' && part === `{${name}}`);
    return parameter === undefined ? fc.constant(part) : segmentOf(parameter, known);
  });
  const usualPath = fc.tuple(...segments).map((parts) => parts.join('/'));
  const paths = weighted([12, usualPath], [1, usualPath.chain(strangePath)]);
  const hasKeys = 'security' in operation;
  return fc
    .tuple(methods, paths, queryOf(parameters, known), headersOf(hasKeys, known))
    .map(([method, where, query, headers]) => ({
      operation: `GET ${path}`,
      method,
      target: `${where}${query === '' ? '' : `?${query}`}`.slice(0, MAX_TARGET),
      headers,
    }));
};

// biome-ignore format: side by side they fit on a screen
const BODIES = [
  '', '{', '[]', 'null', '{"jsonrpc":"2.0"}', `[${'['.repeat(5000)}`, 'a'.repeat(70_000), '\u0000', '<xml/>',
  'a=b&c=d',
];

const mcpHeaders = fc.record(
  {
    'content-type': weighted(
      [6, fc.constant('application/json')],
      [
        1,
        fc.constantFrom(
          'text/plain',
          'application/json; charset=utf-16',
          '',
          'multipart/form-data',
          'application/x-www-form-urlencoded',
        ),
      ],
    ),
    accept: weighted([6, fc.constant('application/json, text/event-stream')], [1, accepts]),
  },
  { requiredKeys: ['content-type', 'accept'] },
);

const mcpRequests = (known: KnownValues): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(
      weighted([9, exchanges], [1, fc.constantFrom(...BODIES).map((body) => ({ headers: {}, body }))]),
      mcpHeaders,
      headersOf(true, known),
      fc.constantFrom(
        '/mcp',
        '/mcp',
        '/mcp',
        '/mcp?tools=research',
        '/mcp?tools=a',
        '/mcp?tools=research&tools=b',
        '/mcp/',
        '/mcp?q=a',
      ),
    )
    .map(([{ headers, body }, types, others, target]) => ({
      operation: 'POST /mcp',
      method: 'POST',
      target,
      headers: { ...others, ...types, ...asFields(headers) },
      body,
    }));

/** Requests of every operation; those of MCP more often, because it has several methods. */
export const hostileRequests = (description: DescribedApi, known: KnownValues): fc.Arbitrary<HostileRequest> => {
  const all = Object.entries(description.paths).flatMap(([path, item]) => {
    const read: unknown = Reflect.get(item, 'get');
    return [
      ...(typeof read === 'object' && read !== null ? [{ weight: 1, arbitrary: readRequests(path, read, known) }] : []),
      ...('post' in item ? [{ weight: 4, arbitrary: mcpRequests(known) }] : []),
    ];
  });
  return fc.oneof(...all);
};
