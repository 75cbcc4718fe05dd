// What stays and for how long: the page that `rel="deprecation"` and `rel="sunset"` name.

import { documents } from '../../contract/documents.ts';
import { deprecationField, lifecycles, sunsetField, versionPolicy } from '../../contract/lifecycle.ts';
import { operations, queryNames } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { deprecatedOperations } from '../lifecycle.ts';
import { day, fence, link, opening, sh, table } from './parts.ts';

const replacementText = (entry: (typeof deprecatedOperations)[number]): string =>
  'successor' in entry
    ? `\`${entry.successor}\``
    : Object.entries(entry.successors)
        .map(([value, path]) => `\`${entry.successor_parameter}=${value}\`: \`${path}\``)
        .join(', ');

const v1 = (path: string): string => `${B}${path.replace('{handle}', 'X')}`;

const { convert, browse } = operations;

/** Before, after, and a line between them that says so. */
const move = (before: string, after: string): string =>
  sh('# before', `curl '${before}'`, '# after', `curl '${after}'`);

export const versioningPage = (): string => `${opening(
  'versioning',
  `The current major version is ${versionPolicy.currentMajorVersion}. Breaking changes come only under a new path prefix, and v1 keeps working for at least ${versionPolicy.minimumSupportWindowMonths} months after its successor is published.`,
)}

## Two surfaces

| Surface | Promise |
| --- | --- |
| \`/api/v1/*\` | Versioned. Nothing below it breaks; \`/api/v2/*\` would be another version beside it. |
| permalinks: \`${operations.readPostPermalink.path}\`, \`${operations.readProfilePermalink.path}\`, \`${operations.searchPostsPermalink.path}\` and so on | Not versioned, stable, not deprecated. |

Without a new version we may

- add optional parameters, JSON members, keys in existing objects, and headers;
- add values to open-ended members such as \`source\`, and codes of warnings;
- change the wording, order and layout of Markdown and pages.

Ignore what you do not know, and do not parse Markdown as data. These are breaking, and come only with a new prefix:

- removing or renaming a parameter, a member or a route;
- changing the type of a member, or accepting less in a parameter;
- changing what a status or an error \`code\` means.

Upstream failure is a 502 or 503 problem document, never a change of version. Supported versions: ${versionPolicy.supportedVersions.map((version) => `\`${version}\``).join(', ')}.

## Deprecated routes

${table(
  ['Route', 'Replacement', 'Deprecated since', 'May stop answering after'],
  deprecatedOperations.map((entry) => [
    `\`GET ${entry.path}\``,
    replacementText(entry),
    day(entry.deprecation),
    day(entry.sunset),
  ]),
)}

Nothing else is deprecated and nothing has been removed. A deprecated route answers exactly as before and sends these headers with every answer, errors included:

${table(
  ['Header', 'Standard'],
  versionPolicy.deprecationSignals.map(({ header, standard }) => [`\`${header}\``, standard]),
)}

${sh(`curl -I '${B}${convert.path}?url=https://x.com/jack/status/20'`)}

${fence(
  'http',
  `
Deprecation: ${deprecationField(lifecycles.convert)}
Sunset: ${sunsetField(lifecycles.convert)}
Link: <${B}${operations.readPost.path}>; rel="successor-version", <${B}${documents.versioning.path}>; rel="deprecation"; type="text/html", <${B}${documents.versioning.path}>; rel="sunset"; type="text/html"`,
)}

\`Deprecation\` is \`@\` and Unix seconds; a date to come means that the route becomes deprecated then. \`Sunset\` is an HTTP date and never the earlier of the two. \`Link\` holds all relations in one line: the route that replaces this one (\`successor-version\`, without the query) and this page. \`${browse.path}\` without a \`resource\` that is known names no successor.

Programs find the same dates in \`x-api-lifecycle\` of ${link('openapi', '`/openapi.json`')} and in \`versioning\` of ${link('apiIndex', '`/api`')}. A deprecated operation has either \`successor\`, or \`successor_parameter\` and \`successors\` by its values: read both shapes.

## Moving

Parameters and bodies are the same on both sides, apart from \`resource\` and \`handle\`, which become part of the path. Cursors go on working.

${move(`${B}${convert.path}?url=https://x.com/jack/status/20`, `${v1(operations.readPost.path)}?url=https://x.com/jack/status/20`)}

${move(`${B}${browse.path}?resource=profile&handle=X`, v1(operations.readProfile.path))}

${move(`${B}${browse.path}?resource=followers&handle=X&limit=50`, `${v1(operations.listFollowers.path)}?limit=50`)}

${move(`${B}${browse.path}?resource=following&handle=X`, v1(operations.listFollowing.path))}

${move(`${B}${browse.path}?resource=search&q=tide&feed=top`, `${v1(operations.searchPosts.path)}?q=tide&feed=top`)}

\`${convert.path}\` takes ${queryNames(convert)
  .map((name) => `\`${name}\``)
  .join(', ')}. \`${browse.path}\` takes \`resource\`, which is one of ${Object.keys(browse.useCase.choices)
  .map((value) => `\`${value}\``)
  .join(', ')}, and the parameters of that read:

${sh('# 400 invalid_resource', `curl '${B}${browse.path}?handle=X'`)}

## What a client should do

Warn when \`Deprecation\` is present, follow \`rel="successor-version"\` at the next deploy, and fail loudly when \`Sunset\` is less than 30 days away.

## Releases

Every release is tagged and has a dated section in \`CHANGELOG.md\` of the project's repository; versions follow SemVer. The hosted service runs the latest tag. This page says how change is signalled. It is not an SLA.
`;
