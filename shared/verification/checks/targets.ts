// Names the requests that several checks share. Reads of one post cost no allowance.
import type { Service } from '../service.ts';

export const JSON_ACCEPT = 'application/json';
export const MARKDOWN_ACCEPT = 'text/markdown';

/** The header of browsers. */
export const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const postQuery = ({ subject }: Service): string =>
  `url=${encodeURIComponent(`https://x.com/i/status/${subject.post}`)}`;

export const postTarget = (service: Service): string => `/api/v1/posts?${postQuery(service)}`;
export const postPermalink = ({ subject }: Service): string => `/i/status/${subject.post}`;
export const convertTarget = (service: Service): string => `/api/convert?${postQuery(service)}`;
export const oembedTarget = (service: Service): string => `/api/v1/oembed?${postQuery(service)}`;
export const engagementTarget = ({ subject }: Service, list: 'replies' | 'quotes' | 'reposts'): string =>
  `/api/v1/posts/${subject.post}/${list}`;
export const profileTarget = ({ subject }: Service): string => `/api/v1/profiles/${subject.profile}`;
export const searchTarget = ({ subject }: Service): string =>
  `/api/v1/search?q=${encodeURIComponent(`from:${subject.profile}`)}`;

const KNOWN_TEXTS: ReadonlyMap<string, string> = new Map([['20', 'just setting up my twttr']]);

/** The text of the post that is known to exist; undefined: the operator chose a post whose text is not known. */
export const knownText = ({ subject }: Service): string | undefined => KNOWN_TEXTS.get(subject.post);

/** A browse route that answers 400 without a provider call or a charge. */
export const REFUSED_SEARCH = '/api/v1/search';

export const UNKNOWN_ROUTE = '/api/v1/no-such-route';
