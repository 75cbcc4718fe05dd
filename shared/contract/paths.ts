// Lists the paths that headers, problems and the edge function name, and matches paths with path templates. The edge function
// includes this file, so the code uses ES5 methods only.
import { HANDLE_LIST } from '../model/handle.ts';

/** The page has a section per problem code. The `type` of a problem is the URL of its section. */
export const ERRORS_PATH = '/docs/errors';

/** The target of the links `rel="deprecation"` and `rel="sunset"`. */
export const VERSIONING_PATH = '/docs/versioning';

/** The page about what the service withholds, and how to ask for it. The target of links `rel="blocked-by"`. */
export const REMOVAL_PATH = '/docs/removal';

/** The feed of the search for the words that follow. */
export const SEARCH_FEED = '/search/rss?q=';

export const MCP_PATH = '/mcp';

/** The picture that link previews show for pages without a picture of X: PREVIEW_PICTURE in head.ts. */
export const PREVIEW_PATH = '/assets/preview.png';

// Both a path and its template are split at slashes; `{name}` matches one segment.

export const isVariable = (segment: string): boolean => segment.charAt(0) === '{';

/** Both arguments are split at slashes. A variable does not match an empty segment. */
export const matchesTemplate = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => (isVariable(part) ? segments[index] !== '' : part === segments[index]));

/** The path of the edge has `%40`, and the path that API Gateway decodes has `@`. */
const HANDLE_SEGMENT = /^(?:@|%40)?\w{1,15}$/;

/** One or more handles and a comma, encoded or not. */
const HANDLES_SEGMENT = /^(?=.*(?:,|%2c))(?:[@, ]|%(?:40|2[0c]))*\w(?:[\w@, ]|%(?:40|2[0c]))*$/i;

/** The segment that stands for the handle of any author. */
const ANY_HANDLE = /^(?:@|%40)?i$/i;

/** The number of a photo or video in a post. */
const NUMBER_SEGMENT = /^[1-9][0-9]?$/;

/** A language of the provider: two letters, perhaps with further subtags. Other pages below a post have longer names. */
const LANGUAGE_SEGMENT = /^[a-z]{2}(?:-[a-z0-9]{1,8})*$/i;

const isRoutable = (variable: string, segment: string): boolean =>
  variable === '{number}' ? NUMBER_SEGMENT.test(segment) : variable !== '{lang}' || LANGUAGE_SEGMENT.test(segment);

/**
 * Checks handle, number and language of a path that matches a template. A reserved first segment is not a handle. The path of a
 * profile, which has one segment, must be a well-formed handle. Below `/i/`, X numbers articles on their own, so that
 * number is not the id of a post. A list of handles has a comma, so no first segment is reserved.
 *
 * @param isReserved gets the segment without @
 * @returns true also if the template has neither
 */
export const hasRoutableVariables = (
  template: readonly string[],
  segments: readonly string[],
  isReserved: (segment: string) => boolean,
): boolean => {
  const first = segments[1] || '';
  if (!template.every((part, index) => isRoutable(part, segments[index] || ''))) return false;
  if (template[1] === HANDLE_LIST) return HANDLES_SEGMENT.test(first);
  if (template[1] !== '{handle}') return true;
  if (template[2] === 'article' && ANY_HANDLE.test(first)) return false;
  return !isReserved(first.replace(/^(?:@|%40)/, '')) && (template.length > 2 || HANDLE_SEGMENT.test(first));
};

/** API Gateway has one variable in a segment, and one route for the paths of profiles and of timelines of several accounts. */
export const gatewayPath = (path: string): string => path.replace(HANDLE_LIST, '{handle}');

/** The route key of API Gateway. ANY, because the function itself answers HEAD, OPTIONS and unknown methods. */
export const routeKey = (path: string): string => `ANY ${gatewayPath(path)}`;
