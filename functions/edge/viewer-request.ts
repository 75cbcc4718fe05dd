// Normalizes requests before the cache, as a CloudFront Function on viewer requests: equivalent requests get the same
// path, query and Accept, and with them the same cache key. The function also tells the origins the viewer's IP address
// and host. Its runtime supports little more than ES5.1, so infra/build/bundle-edge.ts rejects other syntax.

import { MAX_QUERY_PARAMETERS } from '../../shared/contract/bounds.ts';
import { BEARER_SCHEME, EDGE_HEADERS, UNROUTABLE_PREFIX } from '../../shared/contract/headers.ts';
import {
  linkPreviewNegotiation,
  MACHINE_PATHS,
  mediaTypes,
  type Negotiation,
  negotiations,
} from '../../shared/contract/media-types.ts';
import { hasRoutableVariables, MCP_PATH, matchesTemplate } from '../../shared/contract/paths.ts';
import { negotiateFormat } from '../../shared/http/content-negotiation.ts';
import { canonicalHandles, HANDLE_LIST, handleListSegment } from '../../shared/model/handle.ts';
import { canonicalLanguage } from '../../shared/model/languages.ts';

/** A query parameter or header as CloudFront passes it; `multiValue` is set if it occurs more than once. */
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

/** Path templates that are normalized alike. */
interface EdgeRoute {
  /** Each split at slashes; `{...}` stands for one segment. */
  readonly templates: readonly (readonly string[])[];
  /** `single`: one format, independent of Accept. `unknown`: a path of X, which `$default` answers. */
  readonly kind: keyof typeof negotiations | 'single';
  /** The query parameters of the route, sorted. */
  readonly names: Readonly<Record<string, true>>;
  /** The values of `format` that select a representation. */
  readonly formats: readonly string[];
}

/**
 * A route in a short form, because the script has a limit of size: names and formats are indices of `lists`, and `@` in a template
 * is the variable of a handle, `&` those of a list of handles.
 */
export type EncodedEdgeRoute = readonly [kind: EdgeRoute['kind'], templates: string, names: number, formats: number];

/** The part of the contract that the edge function needs. */
export interface EdgeContract {
  readonly routes: readonly EncodedEdgeRoute[];
  /** Names or formats, with spaces. Many routes have the same. */
  readonly lists: readonly string[];
  /** First segments that are never a handle, in lower case, with spaces. */
  readonly reserved: string;
  /** A User-Agent that contains one of them is of a link preview client. In lower case, with vertical bars. */
  readonly previewTokens: string;
}

/** `@` in an encoded template. */
const HANDLE = '{handle}';

/** Defined by the build. */
declare const EDGE_CONTRACT: EdgeContract;

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

const listAt = (index: number): readonly string[] => wordsOf(EDGE_CONTRACT.lists[index] || '');

const decodeRoute = (route: EncodedEdgeRoute): EdgeRoute => {
  const names: Record<string, true> = {};
  listAt(route[2]).forEach((name) => {
    names[name] = true;
  });
  return {
    kind: route[0],
    templates: wordsOf(route[1].replace(/@/g, HANDLE).replace(/&/g, HANDLE_LIST)).map((template) =>
      template.split('/'),
    ),
    names,
    formats: listAt(route[3]),
  };
};

const ROUTES = EDGE_CONTRACT.routes.map(decodeRoute);

const ANY_TYPE = '*/*';
/** Matches no format, so the origin answers 406. */
const NO_TYPE = 'application/x-none';
/** Per parameter: 2 values are enough for the origin to detect a repeated parameter. */
const MAX_VALUES = 2;
const MCP_NAMES = { tools: true } as const;
/** A path without a route can be a link of a search after the first slash. */
const SEARCH_NAMES = { f: true, q: true } as const;

/**
 * Paths that are not in canonical form: percent-encoded unreserved characters (RFC 3986 section 2.3), percent-encoded
 * separators, a % without two hexadecimal digits, empty segments, dot segments and backslashes.
 */
const NON_CANONICAL =
  /%(?:2[3def]|3[0-9f]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9ae]|(?![0-9a-f]{2}))|\/\/|\\|\/\.\.?(?:\/|$)/i;

const isCanonical = (path: string): boolean => !NON_CANONICAL.test(path) && path.indexOf(`${UNROUTABLE_PREFIX}/`) !== 0;

/** The path is percent-encoded once more: the origin decodes it once and sees the path as the viewer sent it. */
const unroutable = (path: string): string => UNROUTABLE_PREFIX + path.replace(/%/g, '%25');

const RESERVED = wordsOf(EDGE_CONTRACT.reserved);

const isReserved = (segment: string): boolean => RESERVED.includes(segment.toLowerCase());

const findTemplate = (route: EdgeRoute, segments: readonly string[]): readonly string[] | undefined =>
  route.templates.find(
    (template) => matchesTemplate(template, segments) && hasRoutableVariables(template, segments, isReserved),
  );

const findExactRoute = (segments: readonly string[]): EdgeRoute | undefined =>
  ROUTES.find((route) => findTemplate(route, segments) !== undefined);

/** Values that have one meaning in several spellings. @param variable of a path template, or the name of a parameter in braces */
const normalizeText = (variable: string | undefined, text: string): string => {
  if (variable === '{handles}') return canonicalHandles(text) || text;
  return variable === HANDLE ? text.toLowerCase() : variable === '{lang}' ? canonicalLanguage(text) : text;
};

/** The handles of a path that matches the template are percent-encoded well. @returns empty if they are too long */
const handlesOf = (segment: string): string => {
  const handles = canonicalHandles(decodeURIComponent(segment));
  return handles && handleListSegment(handles);
};

const normalizePath = (route: EdgeRoute, segments: readonly string[]): string => {
  const template = findTemplate(route, segments) || [];
  return segments
    .map((segment, index) =>
      template[index] === HANDLE_LIST ? handlesOf(segment) || segment : normalizeText(template[index], segment),
    )
    .join('/');
};

/** With the handle in lower case, the path can be one of X. */
const findRoute = (segments: readonly string[]): EdgeRoute | undefined => {
  const exact = findExactRoute(segments);
  const path = exact === undefined ? '' : normalizePath(exact, segments);
  return path === segments.join('/') ? exact : findExactRoute(path.split('/'));
};

/** @param most @default all */
const valuesOf = (field: EdgeField | undefined, most?: number): readonly string[] =>
  field === undefined
    ? []
    : field.multiValue === undefined
      ? [field.value]
      : field.multiValue.slice(0, most).map((item) => item.value);

const fieldOf = (values: readonly string[]): EdgeField => {
  const multiValue = values.map((value) => ({ value }));
  return multiValue.length === 1 ? { value: values[0] || '' } : { value: values[0] || '', multiValue };
};

/** `%66ormat` is `format` for the origin, so it must be the same for the cache. */
const decodeName = (name: string): string => {
  if (!/[%+]/.test(name)) return name;
  try {
    return decodeURIComponent(name.replace(/\+/g, ' '));
  } catch {
    return name;
  }
};

/** `%33` and `3` are the same value for the origin, so they must be the same for the cache. */
const normalizeValue = (name: string, value: string): string => {
  try {
    const decoded = decodeURIComponent(value.replace(/\+/g, ' '));
    return encodeURIComponent(normalizeText(`{${name}}`, decoded));
  } catch {
    return value;
  }
};

/** Names such as `constructor` are inherited, but no inherited property is `true`. */
const isKnown = (names: EdgeRoute['names'], name: string): boolean => names[name] === true;

/** Groups values by decoded name in one pass over the query, so that the cost does not grow with the route's names. */
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

/** Keeps only known parameters, sorted and decoded. A repeated parameter stays repeated: the origin rejects it. */
const normalizeQuery = (query: Readonly<EdgeFields>, names: EdgeRoute['names']): EdgeFields => {
  const known = Object.keys(names);
  const normalized: EdgeFields = {};
  if (known.length === 0) return normalized;
  const found = knownValues(query, names);
  known.forEach((name) => {
    const values = found[name];
    if (values !== undefined) normalized[name] = fieldOf(values.map((value) => normalizeValue(name, value)));
  });
  return normalized;
};

const choose = (accept: string, negotiation: Negotiation): string => {
  const chosen = negotiateFormat(accept, negotiation);
  return chosen === undefined ? NO_TYPE : mediaTypes[chosen];
};

/** The longest known User-Agent of a link preview client has 170 characters. The bound limits the compute time. */
const MAX_USER_AGENT = 256;

const PREVIEW_TOKENS = EDGE_CONTRACT.previewTokens.split('|');

const isLinkPreviewClient = (userAgent: string): boolean => {
  const text = userAgent.slice(0, MAX_USER_AGENT).toLowerCase();
  return PREVIEW_TOKENS.some((token) => text.indexOf(token) !== -1);
};

/** A wrong or repeated `format` selects nothing. The origin rejects it, in the type that Accept chooses. */
const selectsFormat = (format: EdgeField | undefined, route: EdgeRoute): boolean =>
  format !== undefined && format.multiValue === undefined && route.formats.includes(format.value);

/** Only the front page has a query: its box. A text in the box gets a redirect or an error; a blank text gets the page. */
const hasBoxText = (box: EdgeField | undefined): boolean => {
  if (box === undefined) return false;
  try {
    return box.multiValue !== undefined || decodeURIComponent(box.value).trim() !== '';
  } catch {
    return true; // not UTF-8, so not blank
  }
};

const negotiationOf = (
  kind: Exclude<EdgeRoute['kind'], 'single'>,
  userAgent: string,
  query: Readonly<EdgeFields>,
): Negotiation => {
  if (kind === 'page' && hasBoxText(query.q)) return negotiations.permalink;
  return kind === 'permalink' && isLinkPreviewClient(userAgent) ? linkPreviewNegotiation : negotiations[kind];
};

/** @returns the only type that the origin would choose, or any type if the origin does not read Accept */
const normalizeAccept = (
  accept: string,
  userAgent: string,
  route: EdgeRoute | undefined,
  path: string,
  query: Readonly<EdgeFields>,
): string => {
  if (route === undefined) {
    const chosen = MACHINE_PATHS.test(path) ? undefined : negotiateFormat(accept, negotiations.unknown);
    return chosen === undefined || chosen === 'json' ? ANY_TYPE : mediaTypes[chosen];
  }
  if (route.kind === 'single' || selectsFormat(query.format, route)) return ANY_TYPE;
  return choose(accept, negotiationOf(route.kind, userAgent, query));
};

const textOf = (field: EdgeField | undefined): string => valuesOf(field).join(',');

/** Sets the headers that origins trust, and removes the headers of the same names that the viewer sent. */
const setEdgeHeaders = (headers: EdgeFields, viewerIp: string, isNormalized: boolean): void => {
  const host = headers.host;
  delete headers[EDGE_HEADERS.originSecret];
  delete headers[EDGE_HEADERS.viewerHost];
  delete headers[EDGE_HEADERS.edgeError];
  headers[EDGE_HEADERS.viewerIp] = { value: viewerIp };
  if (host !== undefined) headers[EDGE_HEADERS.viewerHost] = { value: host.value };
  if (!isNormalized) headers[EDGE_HEADERS.edgeError] = { value: '1' };
};

/** Path, query and Accept. */
const normalize = (request: EdgeRequest): void => {
  const headers = request.headers;
  const path = request.uri;
  const canonical = isCanonical(path);
  const isSlashed = /.\/$/.test(path);
  const segments = (isSlashed ? path.slice(0, -1) : path).split('/');
  const found = canonical ? findRoute(segments) : undefined;
  // API Gateway ignores a trailing slash, and templates of profiles match paths of X. `$default` redirects both.
  const isElsewhere = found !== undefined && (isSlashed || found.kind === 'unknown');
  const route = isElsewhere ? undefined : found;
  const otherNames = path === MCP_PATH ? MCP_NAMES : SEARCH_NAMES;
  const query = normalizeQuery(request.querystring, found === undefined ? otherNames : found.names);
  // MCP clients accept two types at once, and the MCP server checks for both.
  if (path !== MCP_PATH) {
    const userAgent = textOf(headers['user-agent']);
    headers.accept = { value: normalizeAccept(textOf(headers.accept), userAgent, route, path, query) };
  }
  if (!canonical || isElsewhere) request.uri = unroutable(path);
  else if (route !== undefined) request.uri = normalizePath(route, segments);
  request.querystring = query;
};

export const handler = (event: EdgeEvent): EdgeRequest => {
  const request = event.request;
  const headers = request.headers;
  let isNormalized = false;
  try {
    normalize(request);
    isNormalized = true;
  } catch {
    // If the function throws, CloudFront answers 503 in HTML. The origin also understands a request that is not
    // normalized, and counts it; only the cache is used less.
  }
  if (!BEARER_SCHEME.test(textOf(headers.authorization))) delete headers.authorization;
  setEdgeHeaders(headers, event.viewer.ip, isNormalized);
  return request;
};
