// The HTTP API (payload 2.0) event as the door sees it, and what is known of one request on its way through.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { BEARER_SCHEME, EDGE_HEADERS, UNROUTABLE_PREFIX } from '../contract/headers.ts';
import type { RawParameters } from '../contract/inputs.ts';
import type { LifecycleName } from '../contract/lifecycle.ts';
import type { Operation } from '../contract/operations.ts';
import type { HttpSettings } from '../ports/http.ts';

export type HttpEvent = APIGatewayProxyEventV2;
export type HttpResult = APIGatewayProxyStructuredResultV2 & { headers: Record<string, string | number | boolean> };

/** What a route is, as far as headers and methods are concerned. */
export interface Route {
  readonly id: string;
  readonly operation?: Operation | undefined;
  /** The operator's: no page of another origin may read it, no cache keep it. */
  readonly isPrivate?: boolean;
  readonly lifecycle?: LifecycleName;
  /** The edge keeps no answers, and compresses none. */
  readonly isUncached?: boolean;
  /** The Authorization header is read. */
  readonly honoursKey: boolean;
  /** The answer depends on Accept. */
  readonly negotiated: boolean;
  /** @default READ_METHODS */
  readonly methods?: readonly string[];
}

export const methodOf = (event: HttpEvent): string => event.requestContext.http.method;

export const headerOf = (event: HttpEvent, name: string): string | undefined => event.headers[name];

/** Whether a key is presented, of whatever form; other schemes are not looked at (spec 5.4). */
export const presentsBearer = (event: HttpEvent): boolean => BEARER_SCHEME.test(headerOf(event, 'authorization') ?? '');

const MAX_INSTANCE_BYTES = 512;
/** `%F0%9F%90%8B`: four bytes of UTF-8. */
const MAX_ESCAPED_CHARACTER = 12;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false; // cut within an escape or within a character
  }
};

const UNSAFE_IN_PATH = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/gu;

const percentEncode = (character: string): string =>
  encodeURIComponent(character.isWellFormed() ? character : '\ufffd').replace(/^%$/, '%25');

const encodePath = (path: string): string => path.replace(UNSAFE_IN_PATH, percentEncode);

/** Below the prefix the path is as the caller wrote it: its escapes stay. */
const encodeBetweenEscapes = (path: string): string =>
  path
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, index) => (index % 2 === 1 ? part : encodePath(part)))
    .join('');

/** Without the character at the end that the bound has cut in two, if it has. */
const dropPartialEscape = (cut: string): string => {
  const ends = Array.from({ length: MAX_ESCAPED_CHARACTER }, (_, less) => cut.slice(0, cut.length - less));
  return ends.find(isDecodable) ?? '';
};

/** RFC 9457 `instance`: the path alone, since a secret pasted into a query must not come back. */
export const problemInstance = ({ rawPath }: HttpEvent): string => {
  const moved = rawPath.startsWith(`${UNROUTABLE_PREFIX}/`);
  const encoded = moved ? encodeBetweenEscapes(rawPath.slice(UNROUTABLE_PREFIX.length)) : encodePath(rawPath);
  return encoded.length <= MAX_INSTANCE_BYTES ? encoded : dropPartialEscape(encoded.slice(0, MAX_INSTANCE_BYTES));
};

const DEFAULT_PORT_OR_DOT = /(?:\.|\.?:443)$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}$/;

/** The one spelling of a host name; a shared cache must not hold the others. */
const hostOf = (viewerHost: string): string | undefined => {
  const host = viewerHost.toLowerCase().replace(DEFAULT_PORT_OR_DOT, '');
  return HOST.test(host) && host.length <= 253 ? host : undefined;
};

/**
 * `{base_url}`: configured, else the host that the edge saw (believed only behind the origin check), else the
 * API's own domain, which AWS sets. Never Host or X-Forwarded-*.
 */
export const baseUrlOf = (event: HttpEvent, settings: HttpSettings, edgeIsTrusted: boolean): string => {
  if (settings.baseUrl !== undefined) return settings.baseUrl;
  const viewerHost = edgeIsTrusted ? hostOf(headerOf(event, EDGE_HEADERS.viewerHost) ?? '') : undefined;
  return `https://${viewerHost ?? event.requestContext.domainName}`;
};

const NEEDS_ENCODING = /[^!-~]/;

/** Path and query in bytes as a client sends them; API Gateway has decoded the path. */
export const targetBytes = ({ rawPath, rawQueryString }: HttpEvent): number => {
  const path = NEEDS_ENCODING.test(rawPath) ? encodeURI(rawPath.toWellFormed()).length : rawPath.length;
  return path + (rawQueryString === '' ? 0 : 1 + rawQueryString.length);
};

const decodeQuery = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Not UTF-8, or a stray %: the text as sent.
    return spaced;
  }
};

/** The query parsed from its raw form, because API Gateway joins repeated names with commas. */
export const queryOf = (event: HttpEvent): RawParameters => {
  const parameters = new Map<string, string[]>();
  if (event.rawQueryString === '') return parameters;
  for (const pair of event.rawQueryString.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeQuery(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeQuery(pair.slice(equals + 1));
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
};

/** undefined: absent, or given more than once. */
export const singleQueryValue = (event: HttpEvent, name: string): string | undefined => {
  const values = queryOf(event).get(name);
  return values?.length === 1 ? values[0] : undefined;
};
