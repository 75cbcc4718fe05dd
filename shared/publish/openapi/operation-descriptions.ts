// Describes each operation in one or two sentences. Generators write them into the documentation of their methods.
import type { DocumentName } from '../../contract/documents.ts';
import { type Operation, useCasesOf } from '../../contract/operations.ts';
import { MAX_LOOKUP_POSTS } from '../../contract/parameters.ts';
import { type UseCaseName, useCases } from '../../contract/use-cases.ts';
import { MAX_CONVERSATION_REPLIES } from '../../model/conversation.ts';

const useCaseDescriptions: Readonly<Record<UseCaseName, string>> = {
  readPost: `Pass \`url\`, or \`handle\` and \`id\`. The answer has the post, the posts before it, the rest of its thread, and up to ${MAX_CONVERSATION_REPLIES} replies.`,
  readProfile: 'The account and a page of its recent posts in the order of X, without reposts and replies.',
  readProfileById:
    'As the read by handle. A handle can change or pass to another account, an id cannot. A cursor continues the list at the same address.',
  listPosts:
    'A page of the posts of the account in the order of X, without reposts. `kind` selects the posts, `since` and `until` a period.',
  listFollowers: 'A page of the accounts that follow the account, in the order of the source.',
  listFollowing: 'A page of the accounts that the account follows, in the order of the source.',
  searchPosts: 'A page of posts, or with `feed=users` of accounts, that match the words and operators of `q`.',
  listReplies:
    'A page of the replies to the post, as X orders the most liked or the newest. The continuation of the thread by its author is not among them.',
  listQuotes: 'A page of the posts that quote the post, in the order of the source.',
  listReposts: 'A page of the accounts that reposted the post, in the order of the source.',
  lookupPosts: `Up to ${MAX_LOOKUP_POSTS} posts, in the order of \`ids\`. A post that cannot be read is a tombstone in its place.`,
  readOembed: 'The HTML of an embed with its size, as oEmbed 1.0 defines it. Needs no script.',
};

const surfaceNotes: Readonly<Record<Operation['surface'], string>> = {
  versioned: '',
  permalink:
    'A path of X. The answers are those of the v1 route, which programs should prefer. If `Accept` names `text/html`, the answer is a page for people.',
  alias: 'Deprecated: the answers are those of the successor, with deprecation headers.',
};

const FEED_NOTE = 'An address of nitter. The answers are those of the v1 route as RSS 2.0.';

/** @returns text in Markdown */
export const operationDescription = (operation: Operation): string => {
  const names = useCasesOf(operation);
  const [name] = names;
  const note = operation.fixed?.format === undefined ? surfaceNotes[operation.surface] : FEED_NOTE;
  const main =
    names.length === 1 && name !== undefined
      ? useCaseDescriptions[name]
      : `Depending on the parameter: ${names.map((each) => useCases[each].summary.replace(/^[A-Z]/, (first) => first.toLowerCase())).join('; ')}.`;
  return note === '' ? main : `${main} ${note}`;
};

const documentDescriptions: Partial<Readonly<Record<DocumentName, string>>> = {
  apiIndex: 'The routes of the service, its documents and its versions, in one JSON document.',
  openapi: 'This description: OpenAPI 3.1 in JSON. Clients can be generated from it.',
  apiCatalog: 'The API catalog of RFC 9727: links to the description and to the documentation.',
  ard: 'The surfaces of the service for programs, as Agentic Resource Discovery defines them.',
  aiCatalog: 'The surfaces of the service for programs, as an AI Catalog.',
  serverCard: 'The card of the MCP server: its name, version and endpoint.',
  serverJson: 'The entry of the MCP server for a registry.',
  llms: 'What the service offers, with links, for language models.',
  llmsFull: 'All pages of the documentation as one Markdown text.',
  securityTxt: 'How to report a vulnerability (RFC 9116).',
  robots: 'The paths that crawlers may request (RFC 9309).',
  sitemap: 'The pages for readers, as XML.',
};

/** @throws Error if the document has no description */
export const documentDescription = (name: DocumentName): string => {
  const text = documentDescriptions[name];
  if (text === undefined) throw new Error(`the document ${name} has no description`);
  return text;
};
