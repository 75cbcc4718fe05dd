// Names the requests that several checks share. Reads of one post cost no allowance.
import type { Service } from '../service.ts';

export const JSON_ACCEPT = 'application/json';
export const MARKDOWN_ACCEPT = 'text/markdown';

export const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const postQuery = ({ known }: Service): string => `url=${encodeURIComponent(`https://x.com/i/status/${known.post}`)}`;

export const postTarget = (service: Service): string => `/api/v1/posts?${postQuery(service)}`;
export const postPermalink = ({ known }: Service): string => `/i/status/${known.post}`;
export const convertTarget = (service: Service): string => `/api/convert?${postQuery(service)}`;
export const oembedTarget = (service: Service): string => `/api/v1/oembed?${postQuery(service)}`;
export const engagementTarget = ({ known }: Service, list: 'replies' | 'quotes' | 'reposts'): string =>
  `/api/v1/posts/${known.post}/${list}`;
export const profileTarget = ({ known }: Service): string => `/api/v1/profiles/${known.profile}`;
export const searchTarget = ({ known }: Service): string =>
  `/api/v1/search?q=${encodeURIComponent(`from:${known.profile}`)}`;

const KNOWN_TEXTS: ReadonlyMap<string, string> = new Map([['20', 'just setting up my twttr']]);

/** The text of the post that is known to exist; undefined: the operator chose a post whose text is not known. */
export const knownText = ({ known }: Service): string | undefined => KNOWN_TEXTS.get(known.post);

/** A browse route that answers 400 without a provider call or a charge. */
export const REFUSED_SEARCH = '/api/v1/search';

export const UNKNOWN_ROUTE = '/api/v1/no-such-route';
