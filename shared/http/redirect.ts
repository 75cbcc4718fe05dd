// Redirects a path to the route that reads the same, before anything is authenticated, charged or read.
import { cacheControl } from '../contract/caching.ts';
import { REDIRECT_OPERATION } from '../contract/metrics.ts';
import { decodeSegment } from '../model/x-urls.ts';
import { type HttpEvent, type HttpResult, type Route, requestPath } from './event.ts';

/** A route that only leads to another one. */
export interface RedirectRoute extends Route {
  readonly statusCode: 303 | 308;
  /** A path without a host. */
  readonly location: string;
}

export const redirectRoute = (statusCode: RedirectRoute['statusCode'], location: string): RedirectRoute => ({
  id: REDIRECT_OPERATION,
  honoursKey: false,
  negotiated: false,
  statusCode,
  location,
});

export const redirectTo = (statusCode: RedirectRoute['statusCode'], location: string): HttpResult => ({
  statusCode,
  headers: {
    Location: location,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': cacheControl('document', 0),
  },
  // RFC 9110 sections 15.4.4 and 15.4.9: a short note with the target.
  body: `${location}\n`,
});

/** API Gateway sends ASCII. A header field has no other characters. */
export const asciiQuery = ({ rawQueryString }: HttpEvent): string => {
  const query = rawQueryString.replace(/[^!-~]+/g, (text) => encodeURIComponent(text.toWellFormed()));
  return query === '' ? '' : `?${query}`;
};

/** A valid permalink has no other characters. Each segment has one, so the location has no host. */
export const PLAIN_PATH = /^(?:\/(?:@|%40)?[\w,.-]+)+$/;

/** Chats put marks behind a link, such as the bars of a spoiler or the bracket of a sentence. */
const MARKED_ID = /^([1-9][0-9]{0,18})[\p{P}\p{S}]+$/u;

/**
 * @param template the path of a permalink, split at slashes
 * @returns undefined if no marks stand behind the id
 */
export const redirectToId = (event: HttpEvent, template: readonly string[]): RedirectRoute | undefined => {
  const at = template.indexOf('{id}');
  const segments = requestPath(event).split('/');
  const [, id] = MARKED_ID.exec(decodeSegment(segments[at] ?? '') ?? '') ?? [];
  if (at === -1 || id === undefined) return undefined;
  const path = segments.with(at, id).join('/');
  return PLAIN_PATH.test(path) ? redirectRoute(308, `${path}${asciiQuery(event)}`) : undefined;
};
