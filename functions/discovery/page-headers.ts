// What the pages may do: show our own style and icon; the front page also runs our own script and shows pictures of X.
import type { DocumentName } from '../../shared/contract/documents.ts';
import { pageSecurityHeaders } from '../../shared/render/html/page.ts';

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
