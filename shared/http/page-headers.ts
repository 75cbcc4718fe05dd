// Builds the security headers of HTML pages. A page may do only what its headers name.
import { PICTURE_HOSTS } from '../render/content/picture-hosts.ts';

export interface PageSecurityOptions {
  /** The members without a comment are source lists of Content-Security-Policy. */
  readonly style: string;
  readonly pictures?: readonly string[];
  /** The page loads pictures from hosts of X. */
  readonly showsPosts?: boolean;
  readonly script?: string;
  readonly connect?: string;
  readonly forms?: string;
}

export const pageSecurityHeaders = ({
  style: styles,
  pictures = [],
  showsPosts = false,
  script,
  connect,
  forms = "'none'",
}: PageSecurityOptions): Readonly<Record<string, string>> => {
  const images = [...pictures, ...(showsPosts ? PICTURE_HOSTS.map((host) => `https://${host}`) : [])];
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `img-src ${images.join(' ')}`,
      `style-src ${styles}`,
      ...(script === undefined ? [] : [`script-src ${script}`]),
      ...(connect === undefined ? [] : [`connect-src ${connect}`]),
      "base-uri 'none'",
      `form-action ${forms}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
};

/** Pages of posts and lists run nothing and load only pictures from hosts of X. */
export const PAGE_HEADERS = pageSecurityHeaders({ style: "'unsafe-inline'", showsPosts: true });
