// Redirects the text of the box, `GET /?q=`, to the permalink or search that it means (requirements: pages).
import { negotiations } from '../../shared/contract/media-types.ts';
import { pageOnX, SHORT_LINK_ON_X } from '../../shared/contract/pages-on-x.ts';
import type { PageOnX } from '../../shared/contract/problem-ways.ts';
import { problem } from '../../shared/contract/problems.ts';
import { queryString, urlWithQuery } from '../../shared/contract/query-string.ts';
import { type HttpEvent, type HttpResult, type PageRoute, queryOf, singleQueryValue } from '../../shared/http/event.ts';
import { redirectTo } from '../../shared/http/redirect.ts';
import { parseAccounts, parseText, type TextMeaning } from '../../shared/model/account-list.ts';
import { MAX_HANDLES } from '../../shared/model/handle.ts';
import { MAX_SEARCH_UNITS } from '../../shared/model/lists.ts';
import { locationOf } from './unrouted-paths.ts';

const PARAMETER = 'q';
/** The timeline to which the form of its page adds accounts. */
const TO = 'to';
/** The choice of a reader that the page with the box was for. The page that they are led to reads it. */
const READING = ['lang', 'translation'] as const;

/** People write into the box. A program that does not name HTML gets the problem document, as on permalinks. */
export const BOX_PAGES: PageRoute = {
  negotiationOf: () => negotiations.permalink,
  formats: [],
  queryNames: [PARAMETER, TO, ...READING],
};

/** With a blank text the front page is read, as without the parameter. */
export const usesBox = (event: HttpEvent): boolean => {
  const texts = queryOf(event).get(PARAMETER) ?? [];
  return texts.length > 1 || texts.some((text) => text.trim() !== '');
};

type BoxError = Extract<TextMeaning, { kind: 'error' }>['code'];

const messages: Readonly<Record<BoxError, string>> = {
  invalid_url: 'is a link with credentials',
  unsupported_host: 'is not a link of X or of a known mirror; paste the link of the post, the profile or the search',
  invalid_path: 'is a link, but not of a post, a profile, a list of one of them or a search',
  invalid_handle: 'is the link of a post with a handle that is not 1 to 15 letters, digits or underscores',
  invalid_id: 'is the link of a post with an id that is not a decimal number of at most 9223372036854775807',
  invalid_parameter: `names more than ${MAX_HANDLES} accounts; a timeline has at most ${MAX_HANDLES}`,
  invalid_query: `is longer than ${MAX_SEARCH_UNITS} UTF-16 units`,
};

const rejection = (code: BoxError | 'repeated_parameter', message: string, onX?: PageOnX): Error =>
  problem(code, {
    detail: onX?.text ?? `${PARAMETER} ${message}.`,
    errors: [{ parameter: PARAMETER, message }],
    ...(onX && { onX }),
  });

const withReading = (location: string, event: HttpEvent): string => {
  const query = queryString(
    Object.fromEntries(READING.map((name) => [name, singleQueryValue(event, name) || undefined])),
  );
  return urlWithQuery(location, query);
};

/**
 * The redirect does not depend on Accept. Its target is a path without a host, so it cannot lead to another service.
 *
 * @returns undefined if the box is absent or empty
 * @throws Problem if the text is a link that the service cannot open
 */
export const boxRedirect = (event: HttpEvent, baseUrl: string): HttpResult | undefined => {
  const [text, ...more] = queryOf(event).get(PARAMETER) ?? [];
  if (more.length > 0) throw rejection('repeated_parameter', 'was given more than once');
  if (text === undefined) return undefined;
  const { origin } = new URL(baseUrl);
  const to = singleQueryValue(event, TO);
  const meaning = to === undefined ? parseText(text, origin) : parseAccounts(text, origin, to);
  if (meaning === undefined) {
    if (to !== undefined && text.trim() !== '')
      throw rejection('invalid_handle', 'must hold only handles and links of profiles');
    return undefined;
  }
  if (meaning.kind === 'error') {
    const { code, path } = meaning;
    const isShort = 'isShort' in meaning;
    throw rejection(code, messages[code], isShort ? SHORT_LINK_ON_X : path === undefined ? undefined : pageOnX(path));
  }
  return redirectTo(303, withReading(locationOf(meaning), event));
};
