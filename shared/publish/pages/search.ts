// Searching.

import { operations } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { code, fence, link, opening, parameterTable, readTable, recorded, sh, warned } from './parts.ts';

const V1 = `${B}${operations.searchPosts.path}`;

export const searchPage = (): string => `${opening(
  'search',
  'Search public posts, or accounts, with the operators that X knows.',
)}

${sh(
  `curl '${B}/search?q=tide'`,
  `curl '${V1}?q=tide&feed=top&format=json&limit=2'`,
  `curl -G ${V1} --data-urlencode 'q=from:slowtv_live' --data-urlencode feed=latest`,
)}

${readTable('searchPosts')}

## Parameters

${parameterTable('searchPosts')}

Percent-encode \`q\`: \`#\` is \`%23\`, \`:\` may stay. White space at both ends is dropped. Without words it is 400 ${code('missing_query')}.

${sh(`curl '${B}/search?q=%23ferries&limit=3'`, '# 400 missing_query', `curl '${B}/search?q='`, '# 400 invalid_feed', `curl '${B}/search?q=tide&feed=best'`)}

## What comes back

${recorded('searchPosts')}

\`posts\` are posts as in ${link('posts')}, without a conversation around them. Their articles are previews (${warned('article_previews')}). Results go on like every list: see ${link('profiles', 'pages', 'pages')}.

| \`feed\` | Gives |
| --- | --- |
| \`latest\` | posts, newest first |
| \`top\` | posts, those first that X thinks matter |
| \`media\` | posts with pictures or videos |
| \`users\` | accounts, in \`users\` instead of \`posts\` |

A search for accounts gives a few that the source suggests, not all there are, and says so with ${warned('users_partial')}:

${sh(`curl '${V1}?q=tide&feed=users&format=json'`)}

${fence(
  'json',
  `
{
  "warnings": [{ "code": "users_partial" }],
  "feed": "users",
  "users": [{ "handle": "ada_larsson" }]
}`,
)}

## When there is nothing, or less

- No hits are 200 with an empty list.
- A query that the source refuses, because it is blocked or cannot be parsed, is 400 ${code('invalid_query')}.
- Where a fallback answered, which may know less, the body has \`degraded: true\` and the warning ${warned('fallback_answered')}. A source that searches the last days only says so with ${warned('recent_only')}.
- A short page with ${warned('partial_page')} has a cursor that goes on.
- A spent allowance is 429 ${code('rate_limited')}. Searches have the smallest allowance of all reads; a key raises it: see ${link('limits')}. The same search asked again within a minute usually comes from a cache and costs nothing.

${sh(`curl '${V1}?q=nothing-at-all-like-this&format=json'`)}

${fence('json', '{ "query": "nothing-at-all-like-this", "posts": [] }')}
`;
