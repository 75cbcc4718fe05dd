// What the pages may do: show our own style and icon; the front page also runs our own script and shows pictures of X.
import type { DocumentName } from '../../shared/contract/documents.ts';
import { pageSecurity } from '../../shared/render/page.ts';

const documentation = pageSecurity({ style: "'self'", pictures: ["'self'"] });

const frontPage = pageSecurity({
  style: "'self'",
  pictures: ["'self'"],
  showsPosts: true,
  script: "'self'",
  connect: "'self'",
  forms: "'self'",
});

export const pageHeaders = (name: DocumentName): Readonly<Record<string, string>> =>
  name === 'home' ? frontPage : documentation;
