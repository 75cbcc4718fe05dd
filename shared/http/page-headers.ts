// Builds what HTTP adds to HTML pages: security headers, beyond which a page may do nothing.
import { PICTURE_HOSTS, proxiedHosts } from '../model/picture-hosts.ts';
import type { HttpSettings } from '../ports/http.ts';

/** The rules for search engines of an answer that shows content of X. */
export const NO_INDEX = 'noindex, nofollow';

export interface PageSecurityOptions {
  /** The members without a comment are source lists of Content-Security-Policy. */
  readonly style: string;
  readonly pictures?: readonly string[];
  /** The page loads pictures from hosts of X. */
  readonly showsPosts?: boolean;
  readonly script?: string;
  readonly connect?: string;
  readonly forms?: string;
  readonly media?: string;
  readonly manifest?: string;
  /** Forbids style attributes, which inline style elements do not need. */
  readonly forbidsStyleAttributes?: boolean;
}

export const pageSecurityHeaders = ({
  style: styles,
  pictures = [],
  showsPosts = false,
  script,
  connect,
  forms = "'none'",
  media,
  manifest,
  forbidsStyleAttributes = false,
}: PageSecurityOptions): Readonly<Record<string, string>> => {
  const images = [...pictures, ...(showsPosts ? PICTURE_HOSTS.map((host) => `https://${host}`) : [])];
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `img-src ${images.join(' ')}`,
      ...(media === undefined ? [] : [`media-src ${media}`]),
      `style-src ${styles}`,
      ...(forbidsStyleAttributes ? ["style-src-attr 'none'"] : []),
      ...(script === undefined ? [] : [`script-src ${script}`]),
      ...(connect === undefined ? [] : [`connect-src ${connect}`]),
      ...(manifest === undefined ? [] : [`manifest-src ${manifest}`]),
      "base-uri 'none'",
      `form-action ${forms}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
};

/** A browser that shows a feed as a document runs and loads nothing. */
export const FEED_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
};

const pageHeadersFor = (proxiesPictures: boolean): Readonly<Record<string, string>> =>
  pageSecurityHeaders({
    style: "'unsafe-inline'",
    forbidsStyleAttributes: true,
    pictures: ["'self'"],
    showsPosts: !proxiesPictures,
    media: proxiesPictures ? "'self'" : `https://${proxiedHosts.video}`,
    forms: "'self'",
  });

/**
 * Pages of posts, lists and errors run nothing. They load the icons of the service, and pictures and videos from hosts of
 * X. Their forms lead to this service.
 */
export const PAGE_HEADERS = pageHeadersFor(false);

const PROXIED_PAGE_HEADERS = pageHeadersFor(true);

/** @returns the security headers of a page, which with proxied pictures loads nothing from another origin */
export const pageHeaders = ({ proxyPath }: Pick<HttpSettings, 'proxyPath'>): typeof PAGE_HEADERS =>
  proxyPath === undefined ? PAGE_HEADERS : PROXIED_PAGE_HEADERS;
