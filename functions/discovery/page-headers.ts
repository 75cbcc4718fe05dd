// Sets the security headers of the HTML pages. Every page may load and run only the service's own files, and send its
// form only to the service; only the front page may also show pictures of X.
import type { DocumentName } from '../../shared/contract/documents.ts';
import { pageSecurityHeaders } from '../../shared/http/page-headers.ts';

const ownParts = {
  style: "'self'",
  pictures: ["'self'"],
  script: "'self'",
  connect: "'self'",
  forms: "'self'",
} as const;

const documentation = pageSecurityHeaders(ownParts);

const frontPage = pageSecurityHeaders({ ...ownParts, showsPosts: true });

export const pageHeaders = (name: DocumentName): Readonly<Record<string, string>> =>
  name === 'home' ? frontPage : documentation;
