// From nothing to pages, searches and errors.

import { documents } from '../../contract/documents.ts';
import { operations } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { code, fence, link, opening, sh } from './parts.ts';

export const quickstartPage = (): string => `${opening(
  'quickstart',
  'Read your first post, then a profile, a list and a search, and learn what errors look like. You need curl and nothing else: no account, no key.',
)}

## 1. Read a post

Take the address of a post and replace \`https://x.com\` with \`${B}\`:

${sh(`curl ${B}/jack/status/20`)}

You get Markdown. A browser gets a page. With the address as it is, call the versioned API:

${sh(
  `curl '${B}${operations.readPost.path}?url=https://x.com/jack/status/20'`,
  `curl '${B}${operations.readPost.path}?handle=jack&id=20'`,
)}

Use \`/api/v1\` in programs and permalinks wherever people paste links. Both give the same bytes.

## 2. Take JSON

${sh(`curl '${B}/jack/status/20?format=json'`)}

${fence(
  'json',
  `
{
  "fetched_at": "…",
  "source": "…",
  "warnings": [],
  "post": {
    "id": "20",
    "url": "https://x.com/jack/status/20",
    "text": "just setting up my twttr",
    "created_at": "2006-03-21T20:50:14Z",
    "author": { "handle": "jack", "name": "jack" }
  },
  "ancestors": [],
  "thread": [],
  "replies": [],
  "markdown": "# jack (@jack)…"
}`,
)}

\`Accept: application/json\` does the same. Ids are strings: they are too large for numbers of JavaScript. Look at \`warnings\`: it is empty when the answer is complete. ${link('formats')} has all members.

## 3. Read a profile and its lists

${sh(`curl ${B}/X`, `curl '${B}/X/followers?limit=5&format=json'`, `curl '${B}${operations.listFollowing.path.replace('{handle}', 'X')}?format=json'`)}

A list goes on while \`next_cursor\` is in the body. Pass it back unchanged as \`cursor\`:

${sh(
  `curl '${B}/ada_larsson/followers?limit=50&format=json'`,
  `curl '${B}/ada_larsson/followers?limit=50&format=json&cursor=NEXT_CURSOR'`,
)}

\`ada_larsson\` is invented. She is in the sample data that a ${link('selfHosting', 'service of your own')} answers from when it cannot reach a source; elsewhere take a handle that you know.

## 4. Search

${sh(`curl '${B}/search?q=tide'`, `curl -G ${B}${operations.searchPosts.path} --data-urlencode 'q=from:X' --data-urlencode feed=top --data-urlencode format=json`)}

Searches are the scarce part: there is an ${link('limits', 'allowance')} for each caller. Posts cost nothing.

## 5. Expect errors

Every error is a problem document (RFC 9457). Decide by \`code\`, which never changes its meaning; \`resolution\` says what to do:

${sh('# 404 post_not_found', `curl ${B}/i/status/1990000000000000001`)}

${fence(
  'json',
  `
{
  "type": "${B}${documents.errors.path}#post_not_found",
  "title": "The post does not exist or is not available",
  "status": 404,
  "code": "post_not_found",
  "resolution": "Check the id; do not retry soon.",
  "instance": "/i/status/1990000000000000001",
  "reason": "…"
}`,
)}

| Answer | Do |
| --- | --- |
| 400 | Correct the parameters named in \`errors\`. The same request fails again. |
| 401 ${code('invalid_key')} | Drop the \`Authorization\` header, or get another key. |
| 403, 404 | Do not retry soon. \`reason\` says why, as far as it is known. |
| 429 ${code('rate_limited')} | Wait exactly the seconds of \`Retry-After\`. |
| 502, 503 | The source failed. Wait for \`Retry-After\`, or half a minute, and ask again. |

## Next

- ${link('posts')}: threads, replies, what cannot be read
- ${link('client')}: the same with types
- ${link('mcp')}: the same for agents
- ${link('selfHosting')}: the same on your own machine
`;
