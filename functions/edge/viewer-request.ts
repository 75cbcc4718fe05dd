// Normalizes requests before the cache, as a CloudFront Function on viewer requests: equivalent requests get the same
// path, query and Accept, and with them the same cache key. The function also tells the origins the viewer's IP address
// and host. Its runtime supports little more than ES5.1, so infra/build/bundle-edge.ts rejects other syntax.

import { isPrivatePath } from '../../shared/contract/admin-operations.ts';
import { MAX_QUERY_PARAMETERS } from '../../shared/contract/bounds.ts';
import { BEARER_SCHEME, EDGE_HEADERS, UNROUTABLE_PREFIX } from '../../shared/contract/headers.ts';
import {
  linkPreviewNegotiation,
  MACHINE_PATHS,
  mediaTypes,
  type Negotiation,
  negotiations,
  withFeeds,
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

/** A route that the path of a request matches. */
interface EdgeRoute {
  /** `single`: one format, independent of Accept. `unknown`: a path of X, which `$default` answers. */
  readonly kind: string;
  /** Split at slashes; `{...}` stands for one segment. Empty if the path has no variables. */
  readonly template: readonly string[];
  /** The query parameters of the route, sorted. */
  readonly names: readonly string[];
  /** The values of `format` that select a representation. */
  readonly formats: readonly string[];
}

/**
 * The part of the contract that the edge function needs, as texts: the script has a limit of size, and starts without work
 * that grows with the routes. A request reads only the routes that it may match.
 *
 * The routes are groups, each after `#`: a word for what its routes share, and their templates, between spaces. The word is the
 * kind, the names and the formats, with points; each character stands for a word of `names` or `formats`. `~` stands for the names that lists begin with. In a template, `!` is the variable of a handle, `*` those of a list of handles, `&` the path of a post, and `^` the prefix of the API.
 */
export interface EdgeContract {
  /** The routes without variables, as `encodeLiteral` writes them. */
  readonly literals: string;
  /** The routes with variables by their number of segments, with vertical bars, in order of precedence. */
  readonly templates: string;
  /** The names that most lists begin with, as characters. */
  readonly listNames: string;
  /** All query parameters, sorted, with spaces. */
  readonly names: string;
  /** The values of `format`, with spaces. */
  readonly formats: string;
  /** First segments that are never a handle, in lower case, each between spaces. */
  readonly reserved: string;
  /** A User-Agent that contains one of them is of a link preview client. In lower case, with vertical bars. */
  readonly previewTokens: string;
}

/** `!` in an encoded template. */
const HANDLE = '{handle}';

/** `&` in an encoded template. The path of a post precedes most templates. */
export const ENCODED_POST = '/!/status/{id}';

/** `^` in an encoded template. */
export const ENCODED_API = '/api/v1';

/** Defined by the build. */
declare const EDGE_CONTRACT: EdgeContract;

/** Stands for the first word; the character after it stands for the second one, and so on. None of them separates or is a variable. */
export const FIRST_WORD = '0';

/** @param code in which each character stands for a word */
const wordsOf = (words: string, code: string | undefined): readonly string[] => {
  const all = words.split(' ');
  return (code || '').split('').map((character) => all[character.charCodeAt(0) - FIRST_WORD.charCodeAt(0)] || '');
};

/** @param head the first word of a group */
const decodeRoute = (head: string | undefined, template: readonly string[]): EdgeRoute => {
  const parts = (head || '').split('.');
  return {
    kind: parts[0] || '',
    template,
    names: wordsOf(EDGE_CONTRACT.names, parts[1]),
    formats: wordsOf(EDGE_CONTRACT.formats, parts[2]),
  };
};

const ANY_TYPE = '*/*';
/** Matches no format, so the origin answers 406. */
const NO_TYPE = 'application/x-none';
/** Per parameter: 2 values are enough for the origin to detect a repeated parameter. */
const MAX_VALUES = 2;
const MCP_NAMES = ['tools'] as const;
/** A path without a route can be one of X, such as a search or a button, also as a link after the first slash. */
const NAMES_ON_X = ['f', 'in_reply_to', 'q', 'screen_name', 'tweet_id', 'user_id'] as const;

/**
 * Paths that are not in canonical form: percent-encoded unreserved characters (RFC 3986 section 2.3), percent-encoded
 * separators, a % without two hexadecimal digits, empty segments, dot segments, backslashes and spaces.
 */
const NON_CANONICAL =
  /%(?:2[3def]|3[0-9f]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9ae]|(?![0-9a-f]{2}))|\/\/|[\\ ]|\/\.\.?(?:\/|$)/i;

const isCanonical = (path: string): boolean => !NON_CANONICAL.test(path) && path.indexOf(`${UNROUTABLE_PREFIX}/`) !== 0;

/** The path is percent-encoded once more: the origin decodes it once and sees the path as the viewer sent it. */
const unroutable = (path: string): string => UNROUTABLE_PREFIX + path.replace(/%/g, '%25');

const isReserved = (segment: string): boolean => EDGE_CONTRACT.reserved.indexOf(` ${segment.toLowerCase()} `) !== -1;

/** Most documents are in two folders. */
export const encodeLiteral = (path: string): string =>
  path.replace('/docs/', '!').replace('/assets/', '*').replace('/.well-known/', '^');

const findLiteralRoute = (path: string): EdgeRoute | undefined => {
  const literal = ` ${encodeLiteral(path)} `;
  const group = EDGE_CONTRACT.literals.split('#').find((routes) => routes.indexOf(literal) !== -1);
  return group === undefined ? undefined : decodeRoute(group.split(' ')[0], []);
};

const findTemplateRoute = (segments: readonly string[]): EdgeRoute | undefined => {
  const groups = (EDGE_CONTRACT.templates.split('|')[segments.length] || '')
    .replace(/~/g, EDGE_CONTRACT.listNames)
    .replace(/\^/g, ENCODED_API)
    .replace(/&/g, ENCODED_POST)
    .replace(/!/g, HANDLE)
    .replace(/\*/g, HANDLE_LIST)
    .split('#');
  let found: EdgeRoute | undefined;
  groups.some((group) => {
    const words = group.split(' ');
    return words.some((word) => {
      const template = word.split('/');
      if (!matchesTemplate(template, segments) || !hasRoutableVariables(template, segments, isReserved)) return false;
      found = decodeRoute(words[0], template);
      return true;
    });
  });
  return found;
};

const findExactRoute = (segments: readonly string[]): EdgeRoute | undefined =>
  findLiteralRoute(segments.join('/')) || findTemplateRoute(segments);

/** X has two prefixes for a post without its author. The contract has the pages below a post at the other one. */
const WEB_PREFIX = /^\/i\/web(?=\/s)/;

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
  const template = route.template;
  return segments
    .map((segment, index) =>
      template[index] === HANDLE_LIST ? handlesOf(segment) || segment : normalizeText(template[index], segment),
    )
    .join('/');
};

/** With the handle in lower case, the path can be one of X. */
const findRoute = (segments: readonly string[]): EdgeRoute | undefined => {
  const exact = findExactRoute(segments);
  if (exact === undefined) return undefined;
  const path = normalizePath(exact, segments);
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

/** Groups values by decoded name in one pass over the query, so that the cost does not grow with the route's names. */
const knownValues = (query: Readonly<EdgeFields>, names: readonly string[]): Record<string, readonly string[]> => {
  const found: Record<string, readonly string[]> = {};
  Object.keys(query)
    .slice(0, MAX_QUERY_PARAMETERS)
    .forEach((spelling) => {
      const name = decodeName(spelling);
      if (!names.includes(name)) return;
      found[name] = (found[name] || []).concat(valuesOf(query[spelling], MAX_VALUES)).slice(0, MAX_VALUES);
    });
  return found;
};

/** Keeps only known parameters, sorted and decoded. A repeated parameter stays repeated: the origin rejects it. */
const normalizeQuery = (query: Readonly<EdgeFields>, names: readonly string[]): EdgeFields => {
  const normalized: EdgeFields = {};
  if (names.length === 0) return normalized;
  const found = knownValues(query, names);
  names.forEach((name) => {
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

const isLinkPreviewClient = (userAgent: string): boolean => {
  const text = userAgent.slice(0, MAX_USER_AGENT).toLowerCase();
  return EDGE_CONTRACT.previewTokens.split('|').some((token) => text.indexOf(token) !== -1);
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

/** A route with one format has none. */
const negotiationsByKind: Readonly<Record<string, Negotiation | undefined>> = negotiations;

const negotiationOf = (kind: string, userAgent: string, query: Readonly<EdgeFields>): Negotiation | undefined => {
  if (kind === 'page' && hasBoxText(query.q)) return negotiations.permalink;
  return kind === 'permalink' && isLinkPreviewClient(userAgent) ? linkPreviewNegotiation : negotiationsByKind[kind];
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
  const negotiation = negotiationOf(route.kind, userAgent, query);
  return negotiation === undefined || selectsFormat(query.format, route)
    ? ANY_TYPE
    : choose(accept, withFeeds(negotiation, route.formats, query.feed?.value));
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

/** Path, query and Accept. Those of private routes stay as they are: nothing of them is cached. */
const normalize = (request: EdgeRequest): void => {
  const headers = request.headers;
  // Clients of MCP are configured with both. A redirect would lose the body of many of them.
  if (request.uri === `${MCP_PATH}/`) request.uri = MCP_PATH;
  const path = request.uri.replace(WEB_PREFIX, '/i');
  const canonical = isCanonical(path);
  if (canonical && isPrivatePath(path)) return;
  const isSlashed = /.\/$/.test(path);
  const segments = (isSlashed ? path.slice(0, -1) : path).split('/');
  const found = canonical ? findRoute(segments) : undefined;
  // API Gateway ignores a trailing slash, and templates of profiles match paths of X. `$default` redirects both.
  const isElsewhere = found !== undefined && (isSlashed || found.kind === 'unknown');
  const route = isElsewhere ? undefined : found;
  const otherNames = path === MCP_PATH ? MCP_NAMES : NAMES_ON_X;
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
