// /llms.txt (llmstxt.org): the documentation for language models, in short and in full.

import { type DocumentName, documents } from '../contract/documents.ts';
import { operationRows, queryNames, useCasesOf } from '../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../contract/placeholders.ts';
import { useCases } from '../contract/use-cases.ts';
import { pageNames } from './document.ts';
import { readPage } from './pages/read-page.ts';
import { summaryOf } from './summary.ts';

const SUMMARY =
  'Postern reads what is already public on X (Twitter), as clean Markdown or JSON: posts with their threads, profiles, followers, searches. Read-only, no account, no key.';

const link = (name: DocumentName, note = ''): string =>
  `- [${documents[name].title}](${B}${documents[name].path})${note === '' ? '' : `: ${note}`}`;

const routes = operationRows
  .filter(([, { lifecycle }]) => lifecycle === undefined)
  .map(([, operation]) => {
    const summary = useCasesOf(operation).map((read) => useCases[read].summary);
    return `- \`GET ${operation.path}\`: ${summary.join('; ')}. Query: ${queryNames(operation).join(', ')}`;
  });

export const llms = (): string => `# Postern

> ${SUMMARY}

To read a post, put ${B} in the place of https://x.com: ${B}/jack/status/20 is Markdown, with \`?format=json\` JSON. Profiles (\`/{handle}\`), \`/{handle}/followers\`, \`/{handle}/following\` and \`/search?q=\` work the same way. Every error is a problem document (RFC 9457) with a stable \`code\` and a \`resolution\`. Wait the seconds of \`Retry-After\` on 429 and 503. Pages of this documentation are Markdown with \`Accept: text/markdown\`.

Routes:

${routes.join('\n')}

## Documentation

${pageNames
  .filter((name) => name !== 'home')
  .map((name) => link(name, summaryOf(readPage(name))))
  .join('\n')}

## Descriptions for programs

${link('openapi', 'OpenAPI 3.1, every route, parameter, answer and error')}
${link('apiIndex', 'routes, versions, deprecations')}
${link('apiCatalog', 'RFC 9727 link set')}
${link('ard', 'every machine surface')}

## Optional

${link('llmsFull', 'the pages above in one text')}
${link('sitemap')}
`;

/** Every page, one after the other. */
export const llmsFull = (): string =>
  pageNames
    .filter((name) => name !== 'home')
    .map((name) => `<!-- ${B}${documents[name].path} -->\n\n${readPage(name)}`)
    .join('\n');
