// Sets the security headers of the HTML pages. Every page may load the service's own style and icon; only the front
// page may also run the service's script and show pictures of X.
import type { DocumentName } from '../../shared/contract/documents.ts';
import { pageSecurityHeaders } from '../../shared/http/page-headers.ts';

const documentation = pageSecurityHeaders({ style: "'self'", pictures: ["'self'"] });

const frontPage = pageSecurityHeaders({
  style: "'self'",
  pictures: ["'self'"],
  showsPosts: true,
  script: "'self'",
  connect: "'self'",
  forms: "'self'",
});

export const pageHeaders = (name: DocumentName): Readonly<Record<string, string>> =>
  name === 'home' ? frontPage : documentation;
