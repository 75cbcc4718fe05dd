// Answers people who open a page that cannot be shown: with a page of the error, and on unknown routes also with Markdown for
// agents. Apart from the problem documents, so that a bundle whose routes nobody opens as pages has none.
import { contentTypes, MACHINE_PATHS, negotiations } from '../../contract/media-types.ts';
import type { ErrorFacts } from '../../contract/problem-ways.ts';
import { type Problem, problemRow } from '../../contract/problems.ts';
import { queryString } from '../../contract/query-string.ts';
import { parseHandle, parseId } from '../../model/handle.ts';
import type { Instant } from '../../model/time.ts';
import type { HttpPorts } from '../../ports/http.ts';
import { presentError, unknownRouteMarkdown } from '../../render/presenters/present-error.ts';
import { negotiateFormat } from '../content-negotiation.ts';
import { type HttpEvent, type PageRoute, queryOf, type Route, requestHeader, requestPath } from '../event.ts';
import { asksForOAuth } from '../oauth-requests.ts';
import { pageHeaders } from '../page-headers.ts';
import { requestedReading } from '../requested-reading.ts';
import type { ErrorPage, FindErrorPage } from './problem-responses.ts';

const FORMAT = 'format';

/** A wrong or repeated `format` selects nothing, so Accept decides. */
const selectsFormat = (event: HttpEvent, { formats, queryNames }: PageRoute): boolean => {
  const [format, ...more] = queryNames.includes(FORMAT) ? (queryOf(event).get(FORMAT) ?? []) : [];
  return format !== undefined && more.length === 0 && formats.includes(format);
};

const prefersPage = (event: HttpEvent, pages: PageRoute): boolean =>
  !selectsFormat(event, pages) &&
  negotiateFormat(requestHeader(event, 'accept'), pages.negotiationOf(event)) === 'html';

const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

type Parameters = readonly (readonly [name: string, value: string])[];

/** The parameters of the page without `format`. A repeated parameter stays repeated. */
const parametersOf = (event: HttpEvent, { queryNames }: PageRoute): Parameters => {
  const query = queryOf(event);
  return queryNames
    .filter((name) => name !== FORMAT)
    .flatMap((name) => (query.get(name) ?? []).map((value): Parameters[number] => [name, value.toWellFormed()]));
};

const queryText = (parameters: Parameters): string =>
  parameters.map(([name, value]) => queryString({ [name]: value })).join('&');

/** The parameter without which a search has no page. */
const QUERY = 'q';

/** Leaves out what was wrong. A repeated query keeps its first value. */
const withoutWrong = (parameters: Parameters, { options: { errors = [] } }: Problem): Parameters => {
  const first = parameters.find(([name]) => name === QUERY);
  const wrong = errors.map(({ parameter }) => parameter);
  return parameters.filter((pair) => (pair[0] === QUERY ? pair === first : !wrong.includes(pair[0])));
};

/** What of a route decides about the page of its errors. */
type ErrorRoute = Pick<Route, 'operation' | 'errorPages'>;

const requestedPageOf = ({ operation }: ErrorRoute): ErrorFacts['subject'] => {
  if (operation === undefined) return 'box';
  const { path, useCase } = operation;
  if (path.includes('{id}'))
    return useCase === 'readXList' ? 'list' : useCase === 'readProfileById' ? 'profile' : 'post';
  return path.includes('{handle}') ? 'profile' : 'search';
};

/** The path of a list has a word after the handle of the profile or the id of the post. */
const isListBelow = ({ operation }: ErrorRoute): boolean => {
  const { path } = operation ?? { path: '' };
  return path.includes('{') && !path.endsWith('}');
};

/** A browser can request the problem document if GET with `format` has the same problem. */
const hasDocument = ({ code, options }: Problem, { queryNames }: PageRoute): boolean =>
  queryNames.includes(FORMAT) &&
  code !== 'method_not_allowed' &&
  code !== 'uri_too_long' &&
  options.errors?.[0]?.parameter !== FORMAT;

/** @returns `14:03:20 UTC` */
const clockTime = (now: Instant): string => `${new Date(now).toISOString().slice(11, 19)} UTC`;

/**
 * @returns undefined: the client gets the problem document (requirements: pages)
 */
export const errorPageFacts = (
  event: HttpEvent,
  thrown: Problem,
  route: ErrorRoute | undefined,
  now: Instant,
): ErrorFacts | undefined => {
  const pages = route?.errorPages;
  if (route === undefined || pages === undefined || !prefersPage(event, pages)) return undefined;
  const { code, options } = thrown;
  const isTooLong = code === 'uri_too_long';
  const path = isTooLong ? '/' : requestPath(event);
  const parameters = isTooLong ? [] : parametersOf(event, pages);
  const id = parseId(event.pathParameters?.['id'] ?? '');
  const { handle: segment = '' } = event.pathParameters ?? {};
  const handle = parseHandle(segment);
  // The box reads a list of handles.
  const list = route.operation?.path.includes('{handles}') && !isTooLong ? segment : undefined;
  const [, query = list] = parameters.find(([name]) => name === QUERY) ?? [];
  const seconds = options.retryAfter ?? problemRow(code).retryAfter;
  return {
    subject: requestedPageOf(route),
    isList: isListBelow(route),
    url: withQuery(path, queryText(parameters)),
    correctedUrl: withQuery(path, queryText(withoutWrong(parameters, thrown))),
    document: hasDocument(thrown, pages) ? withQuery(path, queryText([...parameters, [FORMAT, 'json']])) : undefined,
    detail: options.detail,
    reason: options.reason,
    onX: options.onX,
    wait: seconds === undefined ? undefined : { seconds, until: clockTime(now + seconds * 1000) },
    handle: handle === 'i' ? undefined : handle,
    id,
    query,
  };
};

/** Paths for programs have problem documents only, and other paths without a route have pages. */
const unknownRoute = (event: HttpEvent): ErrorRoute => ({
  errorPages:
    MACHINE_PATHS.test(event.rawPath) || asksForOAuth(event)
      ? undefined
      : { negotiationOf: () => negotiations.unknown, formats: [], queryNames: [] },
});

export const createErrorPages =
  ({ settings, wall }: HttpPorts): FindErrorPage =>
  (event, thrown, given, links, baseUrl) => {
    const route = links === undefined ? given : unknownRoute(event);
    const answer = (type: string, body: string): ErrorPage => ({
      body,
      headers: { 'Content-Type': type, ...pageHeaders(settings) },
    });
    const facts = errorPageFacts(event, thrown, route, wall.now());
    if (facts) {
      const service = { isSample: settings.isSample, isIndexed: false };
      return answer(
        contentTypes.html,
        String(presentError(thrown.code, facts, service, settings.isUntranslated ? {} : requestedReading(event))),
      );
    }
    if (links === undefined || route?.errorPages === undefined) return undefined;
    if (negotiateFormat(requestHeader(event, 'accept'), route.errorPages.negotiationOf(event)) !== 'markdown')
      return undefined;
    // An unknown route is also available as Markdown.
    return answer(contentTypes.markdown, unknownRouteMarkdown(thrown, baseUrl, links));
  };
