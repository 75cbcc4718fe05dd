// Answers people who open a page that cannot be shown: with a page of the error, and on unknown routes also with Markdown for
// agents. Apart from the problem documents, so that a bundle whose routes nobody opens as pages has none.
import { contentTypes, MACHINE_PATHS, negotiations } from '../../contract/media-types.ts';
import { type Problem, problemRow, resolutionOf } from '../../contract/problems.ts';
import { queryString } from '../../contract/query-string.ts';
import { parseHandle, parseId } from '../../model/handle.ts';
import type { Instant } from '../../model/time.ts';
import type { HttpPorts, HttpSettings } from '../../ports/http.ts';
import type { ErrorFacts } from '../../render/presenters/error-ways.ts';
import { type DirectoryEntry, presentError, unknownRouteMarkdown } from '../../render/presenters/present-error.ts';
import { negotiateFormat } from '../content-negotiation.ts';
import { type HttpEvent, headerOf, type PageRoute, queryOf, type Route, requestPath } from '../event.ts';
import { pageHeaders } from '../page-headers.ts';
import type { ErrorPage, FindErrorPage } from './problem-responses.ts';

const FORMAT = 'format';

/** A wrong or repeated `format` selects nothing, so Accept decides. */
const selectsFormat = (event: HttpEvent, { formats, queryNames }: PageRoute): boolean => {
  const [format, ...more] = queryNames.includes(FORMAT) ? (queryOf(event).get(FORMAT) ?? []) : [];
  return format !== undefined && more.length === 0 && formats.includes(format);
};

const prefersPage = (event: HttpEvent, pages: PageRoute): boolean =>
  !selectsFormat(event, pages) && negotiateFormat(headerOf(event, 'accept'), pages.negotiation) === 'html';

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

const requestedPageOf = ({ operation }: Route): ErrorFacts['subject'] => {
  if (operation === undefined) return 'box';
  const { path, useCase } = operation;
  if (path.includes('{id}'))
    return useCase === 'readXList' ? 'list' : useCase === 'readProfileById' ? 'profile' : 'post';
  return path.includes('{handle}') ? 'profile' : 'search';
};

/** The path of a list has a word after the handle of the profile or the id of the post. */
const isListBelow = ({ operation }: Route): boolean => {
  const { path } = operation ?? { path: '' };
  return path.includes('{') && !path.endsWith('}');
};

/** A browser can request the problem document if GET with `format` has the same problem. */
const hasDocument = ({ code, options }: Problem, { queryNames }: PageRoute): boolean =>
  queryNames.includes(FORMAT) &&
  code !== 'method_not_allowed' &&
  code !== 'uri_too_long' &&
  options.errors?.[0]?.parameter !== FORMAT;

/** The facts about a path that no route has. */
const UNKNOWN_ROUTE: ErrorFacts = { code: 'route_not_found', subject: 'box', url: '/', correctedUrl: '/' };

/**
 * @returns undefined: the client gets the problem document (requirements: pages)
 */
export const errorPageFacts = (
  event: HttpEvent,
  thrown: Problem,
  route: Route | undefined,
  now: Instant,
): ErrorFacts | undefined => {
  const pages = route?.errorPages;
  if (route === undefined || pages === undefined || !prefersPage(event, pages)) return undefined;
  const { code, options } = thrown;
  const path = code === 'uri_too_long' ? '/' : requestPath(event);
  const parameters = code === 'uri_too_long' ? [] : parametersOf(event, pages);
  const id = parseId(event.pathParameters?.['id'] ?? '');
  const { handle: segment = '' } = event.pathParameters ?? {};
  const handle = parseHandle(segment);
  // The box reads a list of handles.
  const list = route.operation?.path.includes('{handles}') && code !== 'uri_too_long' ? segment : undefined;
  const [, query = list] = parameters.find(([name]) => name === QUERY) ?? [];
  const seconds = options.retryAfter ?? problemRow(code).retryAfter;
  return {
    code,
    subject: requestedPageOf(route),
    ...(isListBelow(route) && { isList: true }),
    url: withQuery(path, queryText(parameters)),
    correctedUrl: withQuery(path, queryText(withoutWrong(parameters, thrown))),
    ...(hasDocument(thrown, pages) && {
      document: withQuery(path, queryText([...parameters, [FORMAT, 'json']])),
    }),
    ...(options.detail !== undefined && { detail: options.detail }),
    ...(options.reason !== undefined && { reason: options.reason }),
    ...(options.onX && { onX: options.onX }),
    ...(seconds !== undefined && { wait: { seconds, until: new Date(now + seconds * 1000).toISOString() } }),
    ...(handle !== undefined && handle !== 'i' && { handle }),
    ...(id !== undefined && { id }),
    ...(query !== undefined && { query }),
  };
};

const htmlPage = (facts: ErrorFacts, settings: HttpSettings): ErrorPage => ({
  body: String(presentError(facts, { isSample: settings.isSample, isIndexed: false })),
  headers: { 'Content-Type': contentTypes.html, ...pageHeaders(settings) },
});

/** @returns undefined: the client gets the problem document, as on all paths for programs */
const unknownRoutePage = (
  event: HttpEvent,
  thrown: Problem,
  links: readonly DirectoryEntry[],
  baseUrl: string,
  settings: HttpSettings,
): ErrorPage | undefined => {
  if (MACHINE_PATHS.test(event.rawPath)) return undefined;
  const chosen = negotiateFormat(headerOf(event, 'accept'), negotiations.unknown);
  const { detail, onX } = thrown.options;
  if (chosen === 'html') return htmlPage({ ...UNKNOWN_ROUTE, ...(onX && { onX }) }, settings);
  if (chosen !== 'markdown') return undefined;
  const { title } = problemRow('route_not_found');
  const body = unknownRouteMarkdown({ title, detail, resolution: resolutionOf(thrown, baseUrl), links });
  return { body, headers: { 'Content-Type': contentTypes.markdown, ...pageHeaders(settings) } };
};

export const createErrorPages =
  ({ settings, wall }: HttpPorts): FindErrorPage =>
  (event, thrown, route, links, baseUrl) => {
    if (links !== undefined) return unknownRoutePage(event, thrown, links, baseUrl, settings);
    const facts = errorPageFacts(event, thrown, route, wall.now());
    return facts && htmlPage({ ...facts, isSample: settings.isSample }, settings);
  };
