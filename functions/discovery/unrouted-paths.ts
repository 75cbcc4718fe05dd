// Answers paths that have no route. Redirects them to the route that reads the same: a path with a trailing slash, paths
// that people reach by replacing only the host of a URL of X, and a whole link of X after the first slash. Of the other
// paths of X, says what they lead to on X and what can be read instead.

import { documentRows } from '../../shared/contract/documents.ts';
import { pageOnX, SEARCH_PAGE, withoutSlash } from '../../shared/contract/pages-on-x.ts';
import { hasRoutableVariables, matchesTemplate, SEARCH_FEED } from '../../shared/contract/paths.ts';
import type { ProblemOptions } from '../../shared/contract/problems.ts';
import { queryString } from '../../shared/contract/query-string.ts';
import { readElsewhere } from '../../shared/contract/x-pages.ts';
import { type HttpEvent, requestPath } from '../../shared/http/event.ts';
import { asciiQuery, PLAIN_PATH, type RedirectRoute, redirectRoute } from '../../shared/http/redirect.ts';
import { parseText, type TextMeaning, textTarget } from '../../shared/model/account-list.ts';
import { isReserved, parseHandle } from '../../shared/model/handle.ts';
import { decodeSegment, isKnownHost, parseWebUrl } from '../../shared/model/x-urls.ts';

/** @returns a path without a host */
export const locationOf = (meaning: Exclude<TextMeaning, { readonly kind: 'error' }>): string => {
  const { path, query } = textTarget(meaning);
  return query === undefined ? path : `${path}?${queryString({ ...query })}`;
};

const isBelow = (path: string, template: string): boolean => {
  const segments = path.split('/');
  const parts = template.split('/');
  return matchesTemplate(parts, segments) && hasRoutableVariables(parts, segments, isReserved);
};

const pages = documentRows.flatMap(([, { kind, path }]) => (kind === 'page' && path !== '/' ? [path] : []));

/** On mirrors, the feed of a search. */
const FEED_OF_SEARCH = /\/search\/rss$/;

const SCHEME = /^https?:\/{1,2}/i;

/**
 * Proxies fold the two slashes of the scheme into one, and programs percent-encode the link.
 *
 * @param path `/https://x.com/jack/status/20`, with or without the scheme
 * @param query of the request: that of the link, unless the link is percent-encoded
 * @returns undefined if it is no link of a read on a host of X or of a mirror; nothing is requested from the host
 */
const linkedRead = (path: string, query: string): TextMeaning | undefined => {
  const text = path.slice(1);
  const link = /%2f/i.test(text) ? decodeSegment(text) : text;
  const url = link === undefined ? undefined : parseWebUrl(link.replace(SCHEME, 'https://'));
  return url && isKnownHost(url, undefined) ? parseText(url.href + (url.search === '' ? query : '')) : undefined;
};

/** @param permalinkPaths the path templates of permalinks */
export const createRedirectFinder = (
  permalinkPaths: readonly string[],
): ((event: HttpEvent) => RedirectRoute | undefined) => {
  const templates = [...permalinkPaths, ...pages];
  return (event) => {
    const path = requestPath(event);
    const target = withoutSlash(path);
    if (target !== path && PLAIN_PATH.test(target) && templates.some((template) => isBelow(target, template)))
      return redirectRoute(308, `${target}${asciiQuery(event)}`);
    const linked = linkedRead(path, asciiQuery(event));
    if (linked !== undefined && linked.kind !== 'error') return redirectRoute(308, locationOf(linked));
    const onX = target.replace(/^\/hashtag\//i, '/hashtag/');
    if (!readElsewhere.some((template) => isBelow(onX, template))) return undefined;
    const meaning = parseText(`https://x.com${onX}${asciiQuery(event)}`);
    if (meaning === undefined || meaning.kind === 'error') return undefined;
    const location = locationOf(meaning);
    return redirectRoute(303, FEED_OF_SEARCH.test(onX) ? location.replace(SEARCH_PAGE, SEARCH_FEED) : location);
  };
};

/** An account can have the name of a page of X. */
const accountOf = (path: string): string => {
  const handle = parseHandle(path.slice(1));
  return handle === undefined || isReserved(handle) || handle === 'i'
    ? ''
    : ` An account of this name is at {base_url}/@${handle}.`;
};

/** @returns undefined if X has no page at the path */
export const describeUnknown = (event: HttpEvent): ProblemOptions | undefined => {
  const path = requestPath(event);
  const onX = pageOnX(path);
  if (onX === undefined) return undefined;
  const href = onX.way?.href;
  const resolution =
    href === undefined
      ? 'Find what can be read in {base_url}/docs.'
      : href === SEARCH_PAGE
        ? `Search with {base_url}${href}WORDS.`
        : `Read {base_url}${href}.`;
  return { detail: onX.text, resolution: `${resolution}${accountOf(path)}`, onX };
};
