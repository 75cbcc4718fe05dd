// Reading profiles, followers and followed accounts.

import { operations } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { code, link, opening, parameterTable, readTable, recorded, sh, warned } from './parts.ts';

const of = (path: string, handle: string): string => `${B}${path.replace('{handle}', handle)}`;

export const profilesPage = (): string => `${opening(
  'profiles',
  'Read a public profile with its recent posts, the followers of an account, and the accounts that it follows.',
)}

${sh(
  `curl ${B}/X`,
  `curl '${of(operations.readProfile.path, 'X')}?format=json&limit=5'`,
  `curl ${B}/X/followers`,
  `curl '${of(operations.listFollowing.path, 'X')}?format=json'`,
)}

## Parameters

The three reads take the same:

${parameterTable('readProfile')}

In a permalink the handle stands in the path as well. It means the same in any letter case. Some words are never a handle in a permalink, because they are addresses of this service, for example \`search\`, \`docs\` and \`status\`; for such an account call \`${operations.readProfile.path}\`.

## A profile

${readTable('readProfile')}

${recorded('readProfile')}

\`posts\` are the recent posts, newest first, without reposts and replies. They are a list with pages like any other: \`limit\` and \`cursor\` work on them. Long articles are previews there (${warned('article_previews')}): read the post itself for all of it.

| The account is | Profile | Followers, following |
| --- | --- | --- |
| protected | 200 with \`protected: true\`, no posts and the warning ${warned('posts_protected')} | 403 ${code('profile_protected')} |
| suspended, or unknown | 404 ${code('profile_not_found')} with \`reason\` | 404 ${code('profile_not_found')} with \`reason\` |
| there, but its posts cannot be read just now | 200, no posts and the warning ${warned('posts_unavailable')} | 502 ${code('upstream_failed')} or 503 ${code('upstream_unavailable')} if the list fails |

${sh(
  `curl '${B}/private_pia?format=json'`,
  '# 403 profile_protected',
  `curl ${B}/private_pia/followers`,
  '# 404 profile_not_found',
  `curl ${B}/gone_gary`,
)}

Handles such as these are invented; a ${link('selfHosting', 'local service')} with sample data knows them.

## Followers

${readTable('listFollowers')}

${recorded('listFollowers')}

## Following

${readTable('listFollowing')}

The body has the same members as that of followers.

## Pages

Every list, a profile's posts and a search included, holds exactly \`limit\` items while there are more. \`next_cursor\` in the body, and \`Link: <…>; rel="next"\` in the header, say where it goes on. The last line of the Markdown says it too. Without them the list has ended:

${sh(
  `curl '${B}/ada_larsson/followers?limit=100&format=json'`,
  `curl '${B}/ada_larsson/followers?limit=100&format=json&cursor=NEXT_CURSOR'`,
)}

- A cursor is opaque. It belongs to its list, its handle or search, and to the source that began the list.
- \`limit\`, \`format\` and \`max_tokens\` may change from page to page. v1, permalink and alias take each other's cursors.
- Any other change makes it 400 ${code('invalid_cursor')}. So may a change of the service's configuration: begin again without a cursor then.
- Where the source gives too little in time, or where a longer page would be ${link('limits', 'too large', 'other-limits')}, a page is short and says so: ${warned('partial_page')}. Its cursor goes on as usual.
- A cursor stays with its source. If that source fails, the next page is 502 or 503 rather than a page of somebody else's list; ask again later with the same cursor.
- A list that grows while it is read may show an item twice. Tell items apart by \`id\`.
- X shows only part of other people's lists, so one may end before the count in the profile.
`;
