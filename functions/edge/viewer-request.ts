// The CloudFront Function on viewer request: requests that mean the same are made to look the same
// before the cache is asked, and what only the edge knows is written down for the origins. Its runtime knows ES5.1
// and little more; infra/build/bundle-edge.ts bundles this file and refuses what the runtime would refuse.

import { MAX_QUERY_PARAMETERS } from '../../shared/contract/edge.ts';
import { BEARER_SCHEME, EDGE_HEADERS, UNROUTABLE_PREFIX } from '../../shared/contract/headers.ts';
import { MACHINE_PATHS, mediaTypes, type Negotiation, negotiations } from '../../shared/contract/media-types.ts';
import { hasRoutableHandle, matchesTemplate } from '../../shared/contract/path-template.ts';
import { negotiateFormat } from '../../shared/http/content-negotiation.ts';

/** A query parameter or header as CloudFront hands it over; `multiValue` when it came more than once. */
export interface EdgeField {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[];
}
type EdgeFields = Record<string, EdgeField>;

export interface EdgeRequest {
  method: string;
  /** The path as the viewer sent it, still percent-encoded. */
  uri: string;
  /** Names and values still percent-encoded. */
  querystring: EdgeFields;
  headers: EdgeFields;
  cookies: EdgeFields;
}

interface EdgeEvent {
  readonly viewer: { readonly ip: string };
  readonly request: EdgeRequest;
}

export interface EdgeRoute {
  /** The path template, split at slashes; `{...}` stands for one segment. */
  readonly segments: readonly string[];
  /** `single`: one form, whatever is accepted. */
  readonly kind: Exclude<keyof typeof negotiations, 'unknown'> | 'single';
  /** Query names that mean something there, sorted: an own property each. */
  readonly names: Readonly<Record<string, true>>;
}

/** What the edge must know of the contract. */
export interface EdgeContract {
  readonly routes: readonly EdgeRoute[];
  /** First segments that are never a handle, in lower case. */
  readonly reserved: readonly string[];
}

/** Put in when the script is built. */
declare const EDGE_CONTRACT: EdgeContract;

const ANY_TYPE = '*/*';
/** Matches no offer, so the door answers 406. */
const NO_TYPE = 'application/x-none';
/** Of one name: enough for the door to see that it was given more than once. */
const MAX_VALUES = 2;
/** MCP clients name two types at once, and the endpoint wants to see both. */
const MCP_PATH = '/mcp';

/**
 * A second spelling of an address that has one, or a trick: what RFC 3986 section 2.3 says needs no escape, escaped
 * separators, a % that escapes nothing, empty or dot segments, backslashes.
 */
const NON_CANONICAL =
  /%(?:2[3def]|3[0-9f]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9ae]|(?![0-9a-f]{2}))|\/\/|\\|\/\.\.?(?:\/|$)/i;

const isCanonical = (path: string): boolean => !NON_CANONICAL.test(path) && path.indexOf(`${UNROUTABLE_PREFIX}/`) !== 0;

/** Escaped once more, so that the origin, which decodes once, sees the path as the viewer wrote it. */
const unroutable = (path: string): string => UNROUTABLE_PREFIX + path.replace(/%/g, '%25');

const isReserved = (segment: string): boolean => EDGE_CONTRACT.reserved.includes(segment.toLowerCase());

const findRoute = (segments: readonly string[]): EdgeRoute | undefined =>
  EDGE_CONTRACT.routes.find(
    (route) => matchesTemplate(route.segments, segments) && hasRoutableHandle(route.segments, segments, isReserved),
  );

/** Handles mean the same in any letter case. */
const normalizePath = (route: EdgeRoute, segments: readonly string[]): string =>
  segments.map((segment, index) => (route.segments[index] === '{handle}' ? segment.toLowerCase() : segment)).join('/');

/** @param most @default all */
const valuesOf = (field: EdgeField | undefined, most?: number): readonly string[] =>
  field === undefined
    ? []
    : field.multiValue === undefined
      ? [field.value]
      : field.multiValue.slice(0, most).map((each) => each.value);

const fieldOf = (values: readonly string[]): EdgeField => {
  const multiValue = values.map((value) => ({ value }));
  return multiValue.length === 1 ? { value: values[0] || '' } : { value: values[0] || '', multiValue };
};

/** `%66ormat` is `format` to the door, so it is to the cache. */
const decodeName = (name: string): string => {
  if (!/[%+]/.test(name)) return name;
  try {
    return decodeURIComponent(name.replace(/\+/g, ' '));
  } catch {
    return name;
  }
};

/** `%33` and `3` are one value to the door, so they are to the cache. What cannot be decoded stays as it is. */
const normalizeValue = (name: string, value: string): string => {
  try {
    const decoded = decodeURIComponent(value.replace(/\+/g, ' '));
    return encodeURIComponent(name === 'handle' ? decoded.toLowerCase() : decoded);
  } catch {
    return value;
  }
};

/** `constructor` and its like are inherited by every object, and are no names of ours. */
const isKnown = (names: EdgeRoute['names'], name: string): boolean => Object.hasOwn(names, name);

/** By the name that is meant; each spelling is looked at once, whatever the number of names that the route knows. */
const knownValues = (query: Readonly<EdgeFields>, names: EdgeRoute['names']): Record<string, readonly string[]> => {
  const found: Record<string, readonly string[]> = {};
  Object.keys(query)
    .slice(0, MAX_QUERY_PARAMETERS)
    .forEach((spelling) => {
      const name = decodeName(spelling);
      if (!isKnown(names, name)) return;
      found[name] = (found[name] || []).concat(valuesOf(query[spelling], MAX_VALUES)).slice(0, MAX_VALUES);
    });
  return found;
};

/** Known names only, in one order, under one spelling. A name that came twice stays twice: the door refuses it. */
const normalizeQuery = (query: Readonly<EdgeFields>, names: EdgeRoute['names']): EdgeFields => {
  const known = Object.keys(names);
  const folded: EdgeFields = {};
  if (known.length === 0) return folded;
  const found = knownValues(query, names);
  known.forEach((name) => {
    const values = found[name];
    if (values !== undefined) folded[name] = fieldOf(values.map((value) => normalizeValue(name, value)));
  });
  return folded;
};

const choose = (accept: string, negotiation: Negotiation): string => {
  const chosen = negotiateFormat(accept, negotiation);
  return chosen === undefined ? NO_TYPE : mediaTypes[chosen];
};

/** The one type that the door would choose; anything where it would not look. */
const normalizeAccept = (
  accept: string,
  route: EdgeRoute | undefined,
  path: string,
  query: Readonly<EdgeFields>,
): string => {
  if (route === undefined) {
    const chosen = MACHINE_PATHS.test(path) ? undefined : negotiateFormat(accept, negotiations.unknown);
    return chosen === undefined || chosen === 'json' ? ANY_TYPE : mediaTypes[chosen];
  }
  if (route.kind === 'single' || query.format !== undefined) return ANY_TYPE;
  return choose(accept, negotiations[route.kind]);
};

const textOf = (field: EdgeField | undefined): string => valuesOf(field).join(',');

/** What the edge vouches for; whatever the viewer sent under these names is gone. */
const setEdgeHeaders = (headers: EdgeFields, viewerIp: string): void => {
  const host = headers.host;
  delete headers[EDGE_HEADERS.originSecret];
  delete headers[EDGE_HEADERS.viewerHost];
  headers[EDGE_HEADERS.viewerIp] = { value: viewerIp };
  if (host !== undefined) headers[EDGE_HEADERS.viewerHost] = { value: host.value };
};

export const handler = (event: EdgeEvent): EdgeRequest => {
  const request = event.request;
  const headers = request.headers;
  const path = request.uri;
  const canonical = isCanonical(path);
  const segments = path.split('/');
  const route = canonical ? findRoute(segments) : undefined;

  if (!canonical) request.uri = unroutable(path);
  else if (route !== undefined) request.uri = normalizePath(route, segments);
  request.querystring = normalizeQuery(request.querystring, route === undefined ? {} : route.names);
  if (path !== MCP_PATH) {
    headers.accept = { value: normalizeAccept(textOf(headers.accept), route, path, request.querystring) };
  }
  if (!BEARER_SCHEME.test(textOf(headers.authorization))) delete headers.authorization;
  setEdgeHeaders(headers, event.viewer.ip);
  return request;
};
