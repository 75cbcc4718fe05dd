// Reads the events of API Gateway HTTP APIs (payload 2.0), and creates the state of each request.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { BEARER_SCHEME, CANARY_HEADER, EDGE_HEADERS, UNROUTABLE_PREFIX } from '../contract/headers.ts';
import type { RawParameters } from '../contract/inputs.ts';
import { mediaTypes, type NegotiableFormat, type Negotiation } from '../contract/media-types.ts';
import type { Form } from '../contract/metrics.ts';
import type { Operation } from '../contract/operations.ts';
import { problem } from '../contract/problems.ts';
import type { Monotonic } from '../model/time.ts';
import type { Caller, ChargeResult } from '../ports/access-control.ts';
import type { HttpPorts, HttpSettings } from '../ports/http.ts';
import type { CallRecord } from '../ports/system.ts';
import type { CacheUse } from '../ports/upstream.ts';
import { createCanaryCheck } from './canary-proof.ts';
import { isEqualConstantTime } from './constant-time.ts';
import { negotiateFormat, offersOf } from './content-negotiation.ts';

export type HttpEvent = APIGatewayProxyEventV2;
export type HttpResult = APIGatewayProxyStructuredResultV2 & {
  statusCode: number;
  headers: Record<string, string | number | boolean>;
};

/** How a route answers people with pages. Its errors are pages as well. */
export interface PageRoute {
  /** An error is a page if HTML wins. */
  negotiationOf(event: HttpEvent): Negotiation;
  /** The values of `format` that select another representation, and with it the problem document. */
  readonly formats: readonly string[];
  /** The query parameters of the page. */
  readonly queryNames: readonly string[];
}

/** The properties of a route that decide about methods and header fields. */
export interface Route {
  readonly id: string;
  /** The name of the document, for the log. */
  readonly document?: string;
  readonly operation?: Operation | undefined;
  /** Only for operators: pages of other origins cannot read it, and caches do not store it. */
  readonly isPrivate?: boolean;
  /** A permalink or the search: a page of X under its path, which search engines could index. @default false */
  readonly isPermalink?: boolean;
  /** The edge neither caches nor compresses its responses. */
  readonly isUncached?: boolean;
  /** The route reads the Authorization field. */
  readonly honoursKey: boolean;
  /** The route charges an allowance. A route that ignores the key charges the client network. @default false */
  readonly chargesAllowance?: boolean;
  /** The response depends on Accept. */
  readonly negotiated: boolean;
  /** Unset: every error is a problem document. */
  readonly errorPages?: PageRoute | undefined;
  /** @default READ_METHODS */
  readonly methods?: readonly string[];
}

export const methodOf = (event: HttpEvent): string => event.requestContext.http.method;

export const requestHeader = (event: HttpEvent, name: string): string | undefined => event.headers[name];

/**
 * The event as API Gateway sends it: header names in lower case, and the route key of the deployed route. The local API of
 * SAM sends `X-Origin-Secret` and `GET /path`. Every request of CloudFront has the origin secret in lower case, so nothing
 * is copied on AWS.
 */
export const asDeployed = (event: HttpEvent): HttpEvent => {
  if (requestHeader(event, EDGE_HEADERS.originSecret) !== undefined) return event;
  const headers = Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...event, headers: Object.fromEntries(headers), routeKey: event.routeKey.replace(/^[A-Z]+ /, 'ANY ') };
};

/** True for any Bearer token, also a malformed one. Other schemes are ignored (requirements: keys). */
export const presentsBearer = (event: HttpEvent): boolean =>
  BEARER_SCHEME.test(requestHeader(event, 'authorization') ?? '');

const MAX_INSTANCE_BYTES = 512;
/** `%F0%9F%90%8B`: four bytes of UTF-8. */
const MAX_ESCAPED_CHARACTER = 12;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false; // the cut is within an escape or within a character
  }
};

const UNSAFE_IN_PATH = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/gu;

const percentEncode = (character: string): string =>
  encodeURIComponent(character.isWellFormed() ? character : '\ufffd').replace(/^%$/, '%25');

const encodePath = (path: string): string => path.replace(UNSAFE_IN_PATH, percentEncode);

/** Below UNROUTABLE_PREFIX the path is as the client sent it, so its escapes stay. */
const encodeBetweenEscapes = (path: string): string =>
  path
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, index) => (index % 2 === 1 ? part : encodePath(part)))
    .join('');

/** Drops the last character if the bound has split its escapes. */
const dropPartialEscape = (cut: string): string => {
  const ends = Array.from({ length: MAX_ESCAPED_CHARACTER }, (_, less) => cut.slice(0, cut.length - less));
  // A path with an escape that is not UTF-8 is not decodable at any end.
  return ends.find(isDecodable) ?? cut.replace(/%[0-9A-Fa-f]?$/, '');
};

/** @returns the path as the client sent it, percent-encoded */
export const requestPath = ({ rawPath }: HttpEvent): string =>
  rawPath.startsWith(`${UNROUTABLE_PREFIX}/`)
    ? encodeBetweenEscapes(rawPath.slice(UNROUTABLE_PREFIX.length))
    : encodePath(rawPath);

/** RFC 9457 `instance`: only the path, because a secret in the query must not be repeated. */
export const problemInstance = (event: HttpEvent): string => {
  const encoded = requestPath(event);
  return encoded.length <= MAX_INSTANCE_BYTES ? encoded : dropPartialEscape(encoded.slice(0, MAX_INSTANCE_BYTES));
};

const DEFAULT_PORT_OR_DOT = /(?:\.|\.?:443)$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}$/;

/** Normalizes a host name, so that a shared cache does not store several spellings. */
const hostOf = (viewerHost: string): string | undefined => {
  const host = viewerHost.toLowerCase().replace(DEFAULT_PORT_OR_DOT, '');
  return HOST.test(host) && host.length <= 253 ? host : undefined;
};

/**
 * `{base_url}`: the operator's setting, else the stage variable of the local service, which believes only proxies that the
 * operator trusts, else the host that the edge saw, else the domain of the API, which AWS sets.
 * Never Host or X-Forwarded-*.
 *
 * @param edgeIsTrusted the request passed the origin check, so its edge headers are authentic
 */
export const baseUrlOf = (event: HttpEvent, settings: HttpSettings, edgeIsTrusted: boolean): string => {
  const set = settings.baseUrl ?? event.stageVariables?.['baseUrl'];
  if (set !== undefined) return set;
  const viewerHost = edgeIsTrusted ? hostOf(requestHeader(event, EDGE_HEADERS.viewerHost) ?? '') : undefined;
  return `https://${viewerHost ?? event.requestContext.domainName}`;
};

const NEEDS_ENCODING = /[^!-~]/;

/** The size of path and query in bytes, as the client sent them. API Gateway has decoded the path. */
export const targetBytes = ({ rawPath, rawQueryString }: HttpEvent): number => {
  const path = NEEDS_ENCODING.test(rawPath) ? encodeURI(rawPath.toWellFormed()).length : rawPath.length;
  return path + (rawQueryString === '' ? 0 : 1 + rawQueryString.length);
};

const decodeQuery = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced; // not UTF-8, or a % without digits
  }
};

/** Parses the raw query, because API Gateway joins the values of repeated names with commas. */
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

/** @returns undefined: absent or repeated */
export const singleQueryValue = (event: HttpEvent, name: string): string | undefined => {
  const values = queryOf(event).get(name);
  return values?.length === 1 ? values[0] : undefined;
};

// The state of one request is on the Lambda context, where Middy's handlers expect the results of middleware. A
// request came through CloudFront if it has the secret header, which only CloudFront sends.

/** What happened while the request was answered. An unset member did not: nothing was read, or nothing was charged. */
export interface ReadFacts {
  /** The source of the result. */
  provider?: string;
  /** If there are several results, the one that took the longest way: `miss` rather than `joined` rather than `hit`. */
  cache?: CacheUse;
  allowance?: ChargeResult['decision'];
  isRefunded?: boolean;
  isDegraded?: boolean;
  /** Unset: Content-Type names the representation. */
  form?: Form;
  /** The calls of providers. @default none */
  calls?: CallRecord[];
  /** The line is written, so that it gets no further call. */
  isLogged?: true;
  /** A body whose size is known. */
  body?: { readonly text: string; readonly bytes: number };
}

export interface RequestState<Found extends Route = Route> {
  /** undefined: no such route */
  readonly route: Found | undefined;
  readonly fromEdge: boolean;
  readonly baseUrl: string;
  /** Milliseconds on the port's clock. */
  readonly startedAt: Monotonic;
  /** The first request of the function instance. */
  readonly isColdStart: boolean;
  /** The canary of this deployment sent it. */
  readonly isCanary: boolean;
  /** For the log line. */
  readonly facts: ReadFacts;
  /** Set by authentication; unset: the route ignores API keys and charges no allowance. */
  caller?: Caller;
}

export interface HandlerContext<Found extends Route = Route> extends Context {
  readonly state: RequestState<Found>;
}

export const createRequestState = <Found extends Route>(
  { settings, clock }: HttpPorts,
  findRoute: (event: HttpEvent) => Found | undefined,
): ((event: HttpEvent) => RequestState<Found>) => {
  const isFromEdge = createOriginCheck(settings.originSecrets);
  const isFromCanary = createCanaryCheck(settings.originSecrets);
  let isFirst = true;
  return (event) => {
    const fromEdge = isFromEdge(event);
    const isColdStart = isFirst;
    isFirst = false;
    return {
      route: findRoute(event),
      fromEdge,
      baseUrl: baseUrlOf(event, settings, fromEdge),
      startedAt: clock(),
      isColdStart,
      // One that is refused counts, as others that are: an alarm compares them.
      isCanary: fromEdge && isFromCanary(requestHeader(event, CANARY_HEADER)),
      facts: {},
    };
  };
};

/** @param secrets the current and, during a rotation, the previous value; an empty list rejects every request */
export const createOriginCheck = (secrets: readonly string[]): ((event: HttpEvent) => boolean) => {
  const accepted = secrets.filter((secret) => secret !== '');
  return (event) => {
    const presented = requestHeader(event, EDGE_HEADERS.originSecret) ?? '';
    let matches = false;
    // No early exit: each secret is compared.
    for (const secret of accepted) {
      if (isEqualConstantTime(secret, presented)) matches = true;
    }
    return matches;
  };
};

/** @returns the format that Accept selects @throws Problem `not_acceptable`, which lists the offers */
export const requireFormat = (event: HttpEvent, negotiation: Negotiation): NegotiableFormat => {
  const chosen = negotiateFormat(requestHeader(event, 'accept'), negotiation);
  if (chosen !== undefined) return chosen;
  const offers = offersOf(negotiation).map((offer) => mediaTypes[offer]);
  throw problem('not_acceptable', { detail: `This address offers ${offers.join(', ')}.` });
};
