// The documentation pages, as Markdown. Tables of codes, dates and parameters come from the contract.
import { BASE_URL_PLACEHOLDER, ERRORS_PAGE, VERSIONING_PAGE } from '../contract/addresses.ts';
import { type AllowanceSetting, allowanceSettings } from '../contract/allowances.ts';
import { lifecycles, versionPolicy } from '../contract/lifecycle.ts';
import { documentRows, operations, queryNames, versionedPath } from '../contract/operations.ts';
import { parameters } from '../contract/parameters.ts';
import { type ProblemRow, problems } from '../contract/problems.ts';
import { warningMessages } from '../contract/warnings.ts';
import { deprecatedOperations } from './lifecycle.ts';

const day = (instant: string): string => instant.slice(0, 10);
const B = BASE_URL_PLACEHOLDER;

const problemSection = ([code, row]: readonly [string, ProblemRow]): string =>
  `## ${code}\n\n**${row.status}** ${row.title}. ${row.resolution}${row.retryAfter === undefined ? '' : ` The answer carries \`Retry-After: ${row.retryAfter}\`.`}`;

export const errorsPage = (): string => `# Errors

Every error is an RFC 9457 problem document with media type \`application/problem+json\`, whatever \`Accept\` says. Beside the members of the RFC it carries \`code\`, which is stable and meant for programs, and \`resolution\`, one sentence that says what to do. An outage of the source is never reported as "not found". No public error carries \`WWW-Authenticate\`.

Parameter errors list every wrong parameter in \`errors\`; 429 and 503 carry \`retry_after\` in seconds, equal to the \`Retry-After\` header; 403 and 404 of a post or profile carry \`reason\`: \`deleted\`, \`protected\`, \`suspended\`, \`withheld\` or \`unknown\`; \`route_not_found\` carries \`links\` to what exists.

## What the platform answers itself

A few requests never reach the service, and their answers have no problem document: a request body of more than 6 MB, a GET with a body, headers of more than 20 kB, a malformed request line, and failures of AWS itself. Treat a 4xx without \`code\` as permanent and a 5xx without \`code\` like \`upstream_unavailable\`.

${Object.entries<ProblemRow>(problems).map(problemSection).join('\n\n')}
`;

const replacementText = (entry: (typeof deprecatedOperations)[number]): string =>
  'successor' in entry
    ? `\`${entry.successor}\``
    : Object.entries(entry.successors)
        .map(([value, path]) => `\`${entry.successor_parameter}=${value}\`: \`${path}\``)
        .join(', ');

export const versioningPage = (): string => `# Versioning and deprecation

\`/api/v1/*\` is the current major version, ${versionPolicy.currentMajorVersion}. Breaking changes come only under a new path prefix, and v1 keeps working for at least ${versionPolicy.minimumSupportWindowMonths} months after its successor is published. Inside v1 we may add optional parameters, JSON members, headers and values of open-ended members such as \`source\`; ignore what you do not know. Permalinks such as \`/{handle}/status/{id}\` are not versioned, stable and not deprecated. The wording and layout of Markdown are presentation: do not parse it as data.

## Deprecated routes

| Route | Replacement | Deprecated since | May stop answering after |
| --- | --- | --- | --- |
${deprecatedOperations.map((entry) => `| \`GET ${entry.path}\` | ${replacementText(entry)} | ${day(entry.deprecation)} | ${day(entry.sunset)} |`).join('\n')}

Nothing else is deprecated and nothing has been removed. A deprecated route answers exactly as before and sends these headers with every answer, errors included:

| Header | Standard |
| --- | --- |
${versionPolicy.deprecationSignals.map(({ header, standard }) => `| \`${header}\` | ${standard} |`).join('\n')}

\`Deprecation\` is \`@\` and Unix seconds; \`Sunset\` is an HTTP date; \`Link\` names the successor (\`rel="successor-version"\`) and this page (\`rel="deprecation"\` and \`rel="sunset"\`).

## What a client should do

Warn when \`Deprecation\` is present, follow \`rel="successor-version"\` at the next deploy, and fail loudly when \`Sunset\` is less than 30 days away.
`;

const parameterTable = (names: readonly string[]): string =>
  Object.entries(parameters)
    .filter(([name]) => names.includes(name))
    .map(
      ([name, { description, schema }]) =>
        `| \`${name}\` | ${schema['default'] === undefined ? '' : `\`${String(schema['default'])}\``} | ${description} |`,
    )
    .join('\n');

const perSeconds = ({ preset }: AllowanceSetting): string => {
  const [count, seconds] = preset.split('/');
  return `${count} in ${seconds} s`;
};

export const homePage = (): string => `# Postern

A read-only door to what is already public on X. Put this address in the place of \`https://x.com\` and read the post as clean Markdown or JSON, with its thread, quotes, pictures and replies. Profiles, followers and searches work the same way. No account, no key, nothing that writes.

- [The first post](${B}/jack/status/20), and the same [as JSON](${B}/jack/status/20?format=json) and [as Markdown](${B}/jack/status/20?format=markdown)
- [A profile](${B}/X) and [a search](${B}/search?q=tide)
- [How to use it](${B}/docs), [what errors mean](${B}${ERRORS_PAGE}), [what will stay](${B}${VERSIONING_PAGE})
- [All routes](${B}/api), for programs
`;

export const docsPage = (): string => `# Documentation

A read-only door to what is already public on X. Paste a link, get the post as clean Markdown or JSON. No account, no key.

## Read a post

Replace \`https://x.com\` with this address, or pass the link:

\`\`\`sh
curl ${B}/jack/status/20
curl '${B}/api/v1/posts?url=https://x.com/jack/status/20'
curl '${B}/api/v1/posts?handle=jack&id=20&format=json'
\`\`\`

Markdown is the default. JSON comes with \`format=json\` or \`Accept: application/json\`, an Obsidian note with \`format=obsidian\`; a browser gets a page on a permalink. \`format\` wins over \`Accept\`.

| Parameter | Default | Meaning |
| --- | --- | --- |
${parameterTable(queryNames(operations.readPost))}

## Read a profile, its followers, and whom it follows

\`\`\`sh
curl ${B}/X
curl '${B}/api/v1/profiles/X?format=json&limit=5'
curl ${B}/X/followers
curl '${B}/api/v1/profiles/X/following?format=json'
\`\`\`

| Parameter | Default | Meaning |
| --- | --- | --- |
${parameterTable(queryNames(operations.readProfile))}

A profile comes with its recent posts, without reposts and replies. A protected profile is shown with \`protected: true\` and no posts; its lists are 403 \`profile_protected\`. A suspended or unknown profile is 404 \`profile_not_found\` with the \`reason\`.

## Search

\`\`\`sh
curl '${B}/search?q=tide'
curl '${B}/api/v1/search?q=from%3AX&feed=top&format=json'
curl '${B}/api/v1/search?q=tide&feed=users'
\`\`\`

| Parameter | Default | Meaning |
| --- | --- | --- |
${parameterTable(queryNames(operations.searchPosts))}

No hits are an empty list. A query that the source refuses, because it is blocked or cannot be parsed, is 400 \`invalid_query\`.

## Pages

Every list, a profile's posts included, holds exactly \`limit\` items while there are more. \`next_cursor\` in the body, and \`Link: <…>; rel="next"\` in the header, say where it goes on; without them the list has ended:

\`\`\`sh
curl '${B}/X/followers?limit=100&format=json'
curl '${B}/X/followers?limit=100&format=json&cursor=NEXT_CURSOR'
\`\`\`

A cursor is opaque. It belongs to its list, handle or search, and to the source that began the list; \`limit\`, \`format\` and \`max_tokens\` may change from page to page, and v1, permalink and alias take each other's cursors. Any other change makes it 400 \`invalid_cursor\`. Where the source gives too little in time, a page is short and says so with the warning \`partial_page\`; its cursor goes on as usual. X shows only part of other people's follower lists, so a list may end before the count of the profile.

## What comes back

JSON of a post has \`post\`, \`ancestors\`, \`thread\` and \`replies\`; of a profile \`profile\` and \`posts\`; of a list \`handle\` and \`users\`; of a search \`query\`, \`feed\`, \`posts\` or \`users\`, and \`degraded\` where a fallback with less data answered. Lists have \`next_cursor\` unless they end. All have \`markdown\`, and every body has \`source\` (who answered; open-ended), \`fetched_at\` (when the source was read) and \`warnings\`, empty when the answer is complete. Ids are strings. A post of a conversation that cannot be read is \`{"id", "unavailable": true, "reason"}\`.

| Warning | Meaning |
| --- | --- |
${Object.entries(warningMessages)
  .map(([code, message]) => `| \`${code}\` | ${message} |`)
  .join('\n')}

## Limits and keys

| Allowance | Spent by | Without a key | With a key |
| --- | --- | --- | --- |
| \`search\` | \`${versionedPath('searchPosts')}\`, \`/search\` | ${perSeconds(allowanceSettings.searchAnonymous)} | ${perSeconds(allowanceSettings.searchKeyed)}, or what the key was given |
| \`browse\` | profiles, followers, followed accounts | ${perSeconds(allowanceSettings.browse)} | the same |

Posts and documents spend nothing. These are the defaults; \`RateLimit-Policy\` on every answer says what holds here, and \`RateLimit\` (with a key, and on 429) what is left. One allowance is shared by all addresses of a read, \`/api/browse\` included, and counted per key, or else per address (an IPv6 network of /64 is one). A read costs one, in whatever form; an answer from a cache, 304 from a cache, 400, 401 and failures of the source (5xx) cost nothing. When it is spent the answer is 429 \`rate_limited\`: wait exactly the seconds of \`Retry-After\`. Windows begin at another moment for each caller.

A key is optional, raises the search allowance and shows nothing that is not public. It is handed out by the operator, has no expiry, and is sent in one place:

\`\`\`sh
curl -H 'Authorization: Bearer YOUR_KEY' '${B}/api/v1/search?q=tide'
\`\`\`

\`X-Api-Key-Status\` says what became of it: \`valid\`; \`anonymous\`, none was sent; \`invalid\`, it is unknown, malformed or disabled, and the answer is 401 \`invalid_key\`; \`unverified\`, keys could not be looked up just now, and the request was served with the allowance of callers without one. What is asked with a key is \`private, no-store\`. Post routes do not read it. Only a hash of a key is stored; of addresses, a keyed hash for a day.

## Caching

Profiles, lists and searches may come from a shared cache up to a minute old, and up to 5 minutes more while they are fetched anew. Posts may be up to 5 minutes old by default, and up to an hour more. A deleted post can stay visible for about 65 minutes then, and for a day while the source is down; \`Cache-Control\` of each answer says what holds. Answers carry a weak \`ETag\`; send it back in \`If-None-Match\` for a 304.

## More

${documentRows.map(([, { path, title }]) => `- [${title}](${B}${path})`).join('\n')}

The service is best effort and not covered by an SLA. Deprecated routes: see [versioning](${B}${VERSIONING_PAGE}), next date ${day(lifecycles.convert.sunset)}.
`;
