// What every error means: a section per code, which is where the `type` of a problem leads.

import { contentTypes } from '../../contract/media-types.ts';
import { operations } from '../../contract/operations.ts';
import { ERRORS_PATH } from '../../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { MAX_REQUEST_HEAD_BYTES, type PlatformProblem, platformProblems } from '../../contract/platform-problems.ts';
import { type ProblemRow, problems } from '../../contract/problems.ts';
import { code, fence, link, opening, sh, table } from './parts.ts';

const rows = Object.entries<ProblemRow>(problems);

const statuses = [...new Set(rows.map(([, { status }]) => status))].toSorted((a, b) => a - b);

const linkTo = (name: string): string => `[\`${name}\`](${B}${ERRORS_PATH}#${name})`;

const statusTable = table(
  ['Status', 'Codes'],
  statuses.map((status) => [
    String(status),
    rows
      .filter(([, row]) => row.status === status)
      .map(([name]) => linkTo(name))
      .join(', '),
  ]),
);

const problemSection = ([name, row]: readonly [string, PlatformProblem & Pick<ProblemRow, 'retryAfter'>]): string =>
  `## ${name}\n\n**${row.status}** ${row.title}. ${row.resolution}${row.retryAfter === undefined ? '' : ` The answer carries \`Retry-After: ${row.retryAfter}\`.`}`;

export const errorsPage = (): string => `${opening(
  'errors',
  `Every error is a problem document (RFC 9457) with a stable \`code\` for programs and a \`resolution\` that says what to do.`,
)}

${sh('# 400 unsupported_host', `curl '${B}${operations.readPost.path}?url=https://example.com/a&thread=1'`)}

${fence(
  'json',
  `
{
  "type": "${B}${ERRORS_PATH}#unsupported_host",
  "title": "…",
  "status": 400,
  "code": "unsupported_host",
  "detail": "…",
  "resolution": "…",
  "instance": "${operations.readPost.path}",
  "errors": [
    { "parameter": "url", "message": "…" },
    { "parameter": "thread", "message": "…" }
  ]
}`,
)}

The media type is \`${contentTypes.problem}\`, whatever \`Accept\` says; only ${code('route_not_found')} may be ${link('formats', 'a page', 'choosing')}.

| Member | On | Meaning |
| --- | --- | --- |
| \`type\` | all | The address of the section below. |
| \`title\`, \`status\` | all | The same for every occurrence of a code. |
| \`code\` | all | Decide by this. It keeps its meaning within v1. |
| \`detail\` | all | What is special about this occurrence. For people. |
| \`resolution\` | all | One sentence that says what to do. |
| \`instance\` | all | The path that was asked for, without the query. |
| \`errors\` | wrong parameters | Every wrong parameter, each with \`parameter\` and \`message\`; \`code\` is that of the first. |
| \`reason\` | 403 and 404 of a post or profile | \`deleted\`, \`protected\`, \`suspended\`, \`withheld\` or \`unknown\`. |
| \`retry_after\` | 429, 503 | Seconds to wait, equal to \`Retry-After\`. |
| \`links\` | ${code('route_not_found')} | Where to find what exists: \`href\`, \`rel\`, \`title\`. |

The codes of v1 are those below; none changes its meaning. Treat what you do not know like its status.

## Retry or not

- 4xx but 429: do not repeat the same request. 403 and 404 of a post or profile may change with time, not within minutes.
- 429: wait exactly the seconds of \`Retry-After\`. See ${link('limits')}.
- 503: wait the seconds of \`Retry-After\`. 502 and 500: wait as long, and longer each time.
- 401 never starts an OAuth flow. No public error carries \`WWW-Authenticate\`.
- An outage of the source is never reported as "not found".

Errors of the caller and of the source are not cached; 403 and 404 of a post, profile or route are, for ${link('formats', 'a short time', 'caching')}. On a deprecated route errors carry the ${link('versioning', 'deprecation headers')} as well. Quote \`X-Request-Id\` when you report a failure.

## What the platform answers itself

A few requests never reach the service, and on AWS their answers have no problem document: a request body of more than 6 MB, a GET with a body, a head of more than ${MAX_REQUEST_HEAD_BYTES} bytes, a malformed request line or header field, and failures of AWS itself. Treat a 4xx without \`code\` as permanent and a 5xx without \`code\` like ${code('upstream_unavailable')}.

A service on one machine answers two of them with a problem document. Their codes are not among those of v1:

${Object.entries<PlatformProblem>(platformProblems).map(problemSection).join('\n\n').replaceAll(/^## /gm, '### ')}

## All codes

${statusTable}

${rows.map(problemSection).join('\n\n')}
`;
