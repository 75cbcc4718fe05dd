// The overview: what there is, and where.

import { documentRows, documents } from '../../contract/documents.ts';
import { lifecycles } from '../../contract/lifecycle.ts';
import { operationRows, operations, pathsOf, useCasesOf } from '../../contract/operations.ts';
import { MCP_PATH } from '../../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { useCases } from '../../contract/use-cases.ts';
import type { PageName } from './index.ts';
import { code, day, fence, link, opening, sh, table } from './parts.ts';

const about: Readonly<Record<Exclude<PageName, 'home' | 'docs'>, string>> = {
  quickstart: 'From the first post to pages, searches and errors, in five steps.',
  posts: 'Read a post with its thread, quotes, media and replies.',
  profiles: 'Read a profile, its followers and whom it follows, page by page.',
  search: 'Search posts and accounts.',
  embeds: 'oEmbed for web pages, and what chats show of a link.',
  formats: 'Markdown, JSON, Obsidian and HTML; members, warnings, caches and conditional requests.',
  errors: 'Every error code and what to do about it.',
  limits: 'What a caller may ask for, how a spent allowance is told, and optional keys.',
  versioning: 'What stays, what is deprecated, until when, and how to move.',
  client: 'A client for TypeScript, generated from the OpenAPI description.',
  mcp: 'The same reads as tools for agents.',
  selfHosting: 'Run it on one machine or on AWS, and operate it.',
};

const isTold = (name: string): name is keyof typeof about => Object.hasOwn(about, name);

const pageTable = table(
  ['Page', 'About'],
  documentRows.flatMap(([name]) => (isTold(name) ? [[link(name), about[name]]] : [])),
);

const pageOfResource = {
  post: link('posts'),
  profile: link('profiles'),
  users: link('profiles'),
  search: link('search'),
  oembed: link('embeds'),
} as const;

const routeTable = table(
  ['Route', 'Reads', 'More'],
  operationRows.map(([, operation]) => {
    const names = useCasesOf(operation);
    const [first] = names;
    const isAlias = operation.lifecycle !== undefined;
    return [
      pathsOf(operation)
        .map((path) => `\`GET ${path}\``)
        .join(', '),
      isAlias ? 'Deprecated' : names.map((name) => useCases[name].summary).join('; '),
      isAlias || first === undefined ? link('versioning') : pageOfResource[useCases[first].resource],
    ];
  }),
);

const descriptions = ['openapi', 'apiIndex', 'apiCatalog', 'ard', 'llms', 'llmsFull', 'securityTxt'] as const;

export const docsPage = (): string => `${opening(
  'docs',
  'Postern is a read-only door to what is already public on X: posts, profiles, followers and searches, as clean Markdown or JSON. No account, no key, nothing that writes.',
)}

Put this address in the place of \`https://x.com\`:

${sh(`curl ${B}/jack/status/20`)}

${fence(
  'markdown',
  `
# jack (@jack)

just setting up my twttr

[2006-03-21 20:50 UTC](https://x.com/jack/status/20) · … likes · …`,
)}

The same as JSON, by the versioned API:

${sh(`curl '${B}${operations.readPost.path}?url=https://x.com/jack/status/20&format=json'`)}

In a hurry: read the ${link('quickstart')}.

## Pages

${pageTable}

Every page is also there as Markdown: ask with \`Accept: text/markdown\`. ${link('llmsFull')} is all of them at once.

## Routes at a glance

${routeTable}

These routes, documents and pages are \`GET\`. \`HEAD\` answers the headers alone and \`OPTIONS\` the CORS preflight; any other method is ${code('method_not_allowed')}. The ${link('mcp')} server at \`${MCP_PATH}\` takes \`POST\`. Addresses below \`/api/v1\` are versioned. The others are permalinks: they have the shape of the addresses of X, give the same bytes, and are as stable. A path is exact: a trailing slash or another letter case of a fixed word is ${code('route_not_found')}. Handles mean the same in any letter case.

## Descriptions for programs

${table(
  ['Document', 'Path', 'Media type'],
  descriptions.map((name) => [link(name), `\`${documents[name].path}\``, `\`${documents[name].type}\``]),
)}

The ${link('openapi')} names every route, parameter, answer and error. All documents and pages name the others in \`Link\`, and so does every ${code('route_not_found')} in \`links\`. There is no OAuth: nothing is served below \`/.well-known/oauth-*\`.

## What is promised

The service is best effort and not covered by an SLA. When X or a source of the data fails, the answer is a 502 or 503 that says so, never "not found". What is versioned stays for a stated time: see ${link('versioning')}. The next date is ${day(lifecycles.convert.sunset)}, when the deprecated aliases may stop answering.

Releases are tagged and listed in \`CHANGELOG.md\` of the project's repository; the hosted service runs the latest tag. Postern is not affiliated with X, and what a post says belongs to who wrote it.
`;
