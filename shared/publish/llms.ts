// Builds /llms.txt (llmstxt.org) and /llms-full.txt: the documentation for language models, as a summary and in full.

import { type DocumentName, documents } from '../contract/documents.ts';
import { operationRows, queryNames } from '../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../contract/placeholders.ts';
import { pageNames } from './document.ts';
import { operationSummary } from './operation-summary.ts';
import { readPage } from './pages/read-page.ts';
import { summaryOf } from './summary.ts';

const SUMMARY =
  'Postern gives read-only access to public content on X (Twitter), as Markdown or JSON: posts with their threads, profiles, followers, searches. It needs no account and no API key.';

const link = (name: DocumentName, note = ''): string =>
  `- [${documents[name].title}](${B}${documents[name].path})${note === '' ? '' : `: ${note}`}`;

const routes = operationRows
  .filter(([, { lifecycle }]) => lifecycle === undefined)
  .map(([, operation]) => {
    return `- \`GET ${operation.path}\`: ${operationSummary(operation)}. Query: ${queryNames(operation).join(', ')}`;
  });

export const llms = (): string => `# Postern

> ${SUMMARY}

To read a post, replace https://x.com in its URL with ${B}. ${B}/jack/status/20 returns Markdown, and with \`?format=json\` JSON. Profiles (\`/{handle}\`), \`/{handle}/followers\`, \`/{handle}/following\` and \`/search?q=\` work the same way. Every error is a problem document (RFC 9457) with a stable \`code\` and a \`resolution\`. After a 429 or 503, wait for the number of seconds in \`Retry-After\`. The documentation pages are available as Markdown with \`Accept: text/markdown\`.

Routes:

${routes.join('\n')}

## Documentation

${pageNames
  .filter((name) => name !== 'home')
  .map((name) => link(name, summaryOf(readPage(name))))
  .join('\n')}

## Descriptions for programs

${link('openapi', 'OpenAPI 3.1 with every route, parameter, answer and error')}
${link('apiIndex', 'routes, versions, deprecations')}
${link('apiCatalog', 'RFC 9727 link set')}
${link('ard', 'every interface for programs')}

## Optional

${link('llmsFull', 'the pages above in one file')}
${link('sitemap')}
`;

/** All pages in the order of the document table. */
export const llmsFull = (): string =>
  pageNames
    .filter((name) => name !== 'home')
    .map((name) => `<!-- ${B}${documents[name].path} -->\n\n${readPage(name)}`)
    .join('\n');
