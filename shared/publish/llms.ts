// Builds /llms.txt (llmstxt.org) and /llms-full.txt: the documentation for language models, as an overview, and as one
// text for agents.

import { type DocumentName, documents } from '../contract/documents.ts';
import { operationRows, queryNames } from '../contract/operations.ts';
import { MCP_PATH } from '../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../contract/placeholders.ts';
import { chapters, type PageName } from './document.ts';
import { operationSummary } from './operations.ts';
import { readPageText, summaryOf } from './pages/read-page.ts';

const SUMMARY =
  'Postern gives read-only access to public content on X (Twitter), as Markdown or JSON: posts with their threads, profiles, followers, searches. It needs no account and no API key.';

const link = (name: DocumentName, note = ''): string =>
  `- [${documents[name].title}](${B}${documents[name].path})${note === '' ? '' : `: ${note}`}`;

const routes = operationRows
  .filter(([, { lifecycle }]) => lifecycle === undefined)
  .map(([, operation]) => {
    return `- \`GET ${operation.path}\`: ${operationSummary(operation)}. Query: ${queryNames(operation).join(', ')}`;
  });

const FIRST_STEPS = `To read a post, replace https://x.com in its URL with ${B}. ${B}/jack/status/20 returns Markdown, and with \`?format=json\` JSON. Profiles (\`/{handle}\`), \`/{handle}/followers\`, \`/{handle}/following\` and \`/search?q=\` work the same way. Every error is a problem document (RFC 9457) with a stable \`code\` and a \`resolution\`. After a 429 or 503, wait for the number of seconds in \`Retry-After\`. The documentation pages are available as Markdown with \`Accept: text/markdown\`.`;

export const llms = (): string => `# Postern

> ${SUMMARY}

${FIRST_STEPS}

Routes:

${routes.join('\n')}

## Documentation

${chapters.map((name) => link(name, summaryOf(readPageText(name)))).join('\n')}

## Descriptions for programs

${link('openapi', 'OpenAPI 3.1 with every route, parameter, answer and error')}
${link('apiIndex', 'routes, versions, deprecations')}
${link('apiCatalog', 'RFC 9727 link set')}
${link('skill', 'teaches an agent to read X with this service')}
${link('ard', 'every interface for programs')}

## Optional

${link('llmsFull', 'what an agent needs of the pages above, in one file')}
${link('sitemap')}
`;

/** The pages that an agent needs to call the service, or the sections of a page. */
const agentPages: readonly (readonly [name: PageName, sections?: readonly string[]])[] = [
  ['posts'],
  ['profiles'],
  ['search'],
  ['formats', ['Choosing', 'JSON', 'Warnings']],
  ['errors', ['Retry or not', 'All codes']],
  ['limits', ['Allowances', 'Headers', 'Other limits']],
];

/** A longer recorded answer is left out: a request returns it. */
const MAX_ANSWER_CHARACTERS = 600;
const ANSWER = /^```(?:json|markdown|html)\n(.*?)^```\n\n?/gms;
const PAGE_LINK = /\[([^\]]*)\]\(\{base_url\}\/docs[^)]*\)/g;

const forAgents = (name: PageName, sections?: readonly string[]): string =>
  readPageText(name)
    .split(/^(?=## )/m)
    .filter((text) => !text.startsWith('## ') || (sections?.some((title) => text.startsWith(`## ${title}\n`)) ?? true))
    .join('')
    .replace(ANSWER, (block, answer: string) => (answer.length > MAX_ANSWER_CHARACTERS ? '' : block))
    .replace(PAGE_LINK, '$1');

const TABLE_ROW = /^\| (`\w+`) \|.*\n/gm;

const AS_ABOVE = ' | as above |\n';
/** Between two names of rows that are shortened. */
const BETWEEN_NAMES = `${AS_ABOVE}| `;
const SHORT_ROWS = /(?:^\| `\w+` \| as above \|\n)+/gm;

/** Shortens the rows of parameters and members that stand alike in a table above: one row for those that follow each other. */
function withoutRepeatedRows(text: string): string {
  const seen = new Set<string>();
  return text
    .replace(TABLE_ROW, (row, name: string) => {
      if (seen.has(row)) return `| ${name}${AS_ABOVE}`;
      seen.add(row);
      return row;
    })
    .replace(SHORT_ROWS, (rows) => rows.slice(0, -AS_ABOVE.length).replaceAll(BETWEEN_NAMES, ', ') + AS_ABOVE);
}

export const llmsFull = (): string =>
  withoutRepeatedRows(
    [
      `# Postern for agents\n\n${SUMMARY} ${B}${documents.docs.path} has all pages, ${B}${documents.openapi.path} describes every answer, and ${B}${MCP_PATH} is the same as tools (MCP).\n\n${FIRST_STEPS}\n`,
      ...agentPages.map(([name, sections]) => `<!-- ${B}${documents[name].path} -->\n\n${forAgents(name, sections)}`),
    ].join('\n'),
  );
