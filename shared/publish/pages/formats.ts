// Representations, members of JSON, warnings and caches.

import { type CacheClass, cacheControl, DEFAULT_CACHE_TTL_SECONDS } from '../../contract/caching.ts';
import { MAX_QUERY_PARAMETERS } from '../../contract/edge.ts';
import { headerDescriptions } from '../../contract/header-descriptions.ts';
import { EXPOSED_HEADERS, READ_ALLOW_FIELD } from '../../contract/headers.ts';
import { contentTypes, mediaTypes, type Negotiation, negotiations } from '../../contract/media-types.ts';
import { operations } from '../../contract/operations.ts';
import { parameters } from '../../contract/parameters.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { warningMessages } from '../../contract/warnings.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { code, duration, fence, freshness, link, opening, sh, table, warned } from './parts.ts';

const kinds: Readonly<Record<keyof typeof negotiations, string>> = {
  versioned: '`/api/v1/*`',
  alias: 'the deprecated aliases',
  permalink: 'permalinks',
  page: 'the front page and `/docs`',
  unknown: 'a route that is not there',
};

const typesOf = (offers: Negotiation['offers']): string => offers.map((offer) => `\`${mediaTypes[offer]}\``).join(', ');

const offerTable = table(
  ['Addresses', 'Offer, in order of preference', 'Only if named'],
  Object.entries<Negotiation>(negotiations).map(([kind, { offers, explicitOnly }]) => [
    Object.entries(kinds).find(([name]) => name === kind)?.[1] ?? kind,
    typesOf(offers),
    typesOf(explicitOnly),
  ]),
);

const postMembers: Readonly<Record<keyof Post, string>> = {
  id: 'Decimal digits, always a string.',
  url: 'The post on X.',
  text: 'Plain text: entities decoded, short links expanded.',
  created_at: 'When it was posted.',
  lang: 'The language that X found.',
  author: 'A user.',
  metrics: '`likes`, `reposts`, `replies`, `quotes`, `bookmarks`, `views`: each a number, or `null` where unknown.',
  media:
    'Each with `type` (`photo`, `video`, `gif`), `url`, and where known `width`, `height`, `alt_text`, `duration_ms`, `thumbnail_url`, `variants`.',
  poll: '`choices` (`label`, `votes`, `percentage`), `total_votes`, `ends_at`, `closed`.',
  quote:
    'The quoted post; or a tombstone, without `id` if the source does not name the post; or `{"id", "url"}` beyond four levels.',
  article: '`title`, `preview_text`, `cover_url`, `markdown`, `blocks`. Without blocks it is a preview.',
  community_note: '`text`.',
  card: 'The preview of a link: `url`, `title`, `description`, `image_url`.',
  in_reply_to: '`handle` and `id` of what it answers.',
  reposted_by: 'The user whose repost it is.',
  conversation_id: 'Id of the first post of the conversation.',
  sensitive: '`true`: X warns of its pictures.',
  mentions: 'Handles without @.',
  hashtags: 'Without #.',
  links: 'Addresses in the text, each with `url` and `display_url`.',
};

const userMembers: Readonly<Record<keyof User, string>> = {
  handle: 'Without @, as its owner spells it.',
  id: 'Decimal digits, always a string.',
  name: 'The name shown.',
  url: 'The profile on X.',
  bio: 'Plain text.',
  location: 'Whatever its owner wrote.',
  website: 'An address.',
  avatar_url: 'A picture.',
  banner_url: 'A picture.',
  created_at: 'When the account was opened.',
  verified: 'Whether X shows a badge.',
  protected: '`true`: only approved followers see the posts.',
  metrics: '`followers`, `following`, `posts`, `likes`, `media`: each a number, or `null` where unknown.',
};

const memberTable = (members: Readonly<Record<string, string>>): string =>
  table(
    ['Member', 'Meaning'],
    Object.entries(members).map(([name, meaning]) => [`\`${name}\``, meaning]),
  );

const cacheRows = [
  ['post', 'posts and embeds'],
  ['list', 'profiles, lists, searches'],
  ['degraded', 'answers with a warning that may pass, or cut by `max_tokens`'],
  ['missing', '403 and 404 of a post or profile'],
  ['route', 'routes that are not there'],
  ['document', 'documents and pages'],
  ['none', 'every other error'],
  ['private', 'whatever is asked with a Bearer key on a route that reads keys'],
] as const satisfies readonly (readonly [CacheClass, string])[];

const isDescribed = (name: string): name is keyof typeof headerDescriptions => Object.hasOwn(headerDescriptions, name);

const headerTable = table(
  ['Header', 'Meaning'],
  EXPOSED_HEADERS.split(', ')
    .filter(isDescribed)
    .map((name) => [`\`${name}\``, headerDescriptions[name].description]),
);

const { minimum, maximum } = parameters.max_tokens.schema;
const { fresh, whileRevalidating, ifError } = freshness('post');

export const formatsPage = (): string => `${opening(
  'formats',
  'Which representations there are, how one is chosen, what JSON holds, what warnings mean, and how long answers are kept.',
)}

${sh(
  `curl ${B}/jack/status/20`,
  `curl '${B}/jack/status/20?format=json'`,
  `curl -H 'Accept: application/json' ${B}/jack/status/20`,
  `curl '${B}/jack/status/20?format=obsidian'`,
  `curl -H 'Accept: text/html' ${B}/jack/status/20`,
)}

## Choosing

\`format\` wins. Without it \`Accept\` decides, by RFC 9110 with weights:

${offerTable}

- No \`Accept\`, \`*/*\` or \`text/plain\` give what is preferred: Markdown for reads.
- At equal weight a type that is named beats one that a wildcard covers: \`application/json, text/plain, */*\` is JSON. Where both are named alike it is Markdown.
- \`text/html\` is chosen on a permalink when it has the highest weight, as browsers send it. \`/api/*\` never answers with a page.
- If nothing that is accepted is on offer, the answer is 406 ${code('not_acceptable')}, and its \`detail\` names the offers.
- Errors are \`${contentTypes.problem}\` whatever is accepted. One exception: on a route that is not there, who names HTML or Markdown gets that, but not below \`/api\`, \`/.well-known\`, \`/mcp\` and \`/openapi.json\`.
- \`Vary\` says what an answer depends on: \`Accept\` where there are several forms, \`Authorization\` where keys are read, \`Accept-Encoding\` everywhere. The same \`ETag\` holds for every compression of a representation.

## Markdown and Obsidian

Markdown is for reading, by people and by language models. Its wording, order and layout may change at any time: do not parse it, take JSON. What people wrote is escaped, so that it cannot pass for structure. Code of an article names its language only if it is a known one that no reader runs or draws: never \`mermaid\` or \`dataviewjs\`. Characters that are not seen are left out, unless a script or an emoji needs them. \`format=obsidian\`, for posts alone, puts YAML before it:

${sh(`curl '${B}/jack/status/20?format=obsidian'`)}

${fence('markdown', '---\ntitle: "jack (@jack)"\nauthor: "jack"\nhandle: "jack"\nurl: "https://x.com/jack/status/20"\nid: "20"\ncreated: "2006-03-21T20:50:14Z"\n---\n\n# jack (@jack)\n\njust setting up my twttr')}

### A bound for Markdown

\`max_tokens\` (${String(minimum)} to ${String(maximum)}) bounds it, for models with little room. A token is taken as 4 bytes of UTF-8. It is cut between posts; if the first alone is too long, within it, with everything closed. The last line and the warning ${warned('truncated')} say what was left out and how to get it. With \`format=json\` it bounds \`markdown\` alone: it leaves the other members whole.

${sh(`curl '${B}/i/status/2034932961899447678?max_tokens=100'`)}

${fence('markdown', '🧵 1/ How to build a hydrophone for €12\n\n*Truncated: … left out. Ask again with a larger max_tokens for the rest.*')}

## JSON

Names are \`snake_case\`. Times are RFC 3339 in UTC. What is not known is left out, or \`null\` where a number belongs; never an empty string. Ignore members that you do not know: new ones may come at any time. Every body but oEmbed's has these:

| Member | Meaning |
| --- | --- |
| \`source\` | Who answered. Open-ended: new values may appear. |
| \`fetched_at\` | When the source was read. It stays the same while a cache answers. |
| \`warnings\` | Each with \`code\` and \`message\`; empty when the answer is complete. |
| \`markdown\` | The same as Markdown. |

| Body of | Own members |
| --- | --- |
| ${link('posts', 'a post')} | \`post\`, \`ancestors\`, \`thread\`, \`replies\` |
| ${link('profiles', 'a profile')} | \`profile\`, \`posts\`, \`next_cursor\` |
| ${link('profiles', 'followers, following')} | \`handle\`, \`users\`, \`next_cursor\` |
| ${link('search', 'a search')} | \`query\`, \`feed\`, \`posts\` or \`users\`, \`next_cursor\`, \`degraded\` |
| ${link('embeds', 'an embed')} | those of oEmbed 1.0 |

\`next_cursor\` is left out at the end of a list.

### Post

${memberTable(postMembers)}

In a conversation or as a quote, a post that cannot be read is \`{"id", "unavailable": true, "reason"}\` with the \`reason\` of ${link('posts', 'a post that cannot be read', 'what-cannot-be-read')}.

### User

${memberTable(userMembers)}

## Warnings

The status is 200 and the answer is good, but it is not all there is, or not all of it is shown:

${table(
  ['Warning', 'Meaning'],
  Object.entries(warningMessages).map(([name, message]) => [`\`${name}\``, message]),
)}

## Conditional requests

Answers carry a weak \`ETag\` that leaves \`fetched_at\` out. Send it back and get a 304 without a body while nothing has changed:

${sh('# 304', `curl -i -H 'If-None-Match: ETAG' ${B}/jack/status/20`)}

## Caching

\`Cache-Control\` of each answer says what holds. These are the defaults; an operator may set \`s-maxage\` of posts, which bounds that of the other reads:

${table(
  ['Answers', '`Cache-Control`'],
  cacheRows.map(([kind, what]) => [what, `\`${cacheControl(kind, DEFAULT_CACHE_TTL_SECONDS)}\``]),
)}

\`Cache-Control\` and \`Pragma\` of a request change nothing, and an unknown parameter does not pass a cache; of a query the first ${String(MAX_QUERY_PARAMETERS)} parameters are looked at, the rest count as unknown. An answer that is older than its \`s-maxage\` is being read again in the background: ask once more a little later. \`fetched_at\` tells how old it is.

### Deleted posts

A post that was deleted or protected on X can stay visible for ${duration(fresh)} and, where it is fetched only now and then, for ${duration(whileRevalidating)} more: about ${duration(fresh + whileRevalidating)}. While the source is down it may be shown for ${duration(ifError)}.

## HEAD, OPTIONS and other origins

Methods of these routes are ${READ_ALLOW_FIELD}. \`HEAD\` has the headers of \`GET\`, those of deprecation included. Every answer of a public route, errors too, may be read by scripts of any origin (\`Access-Control-Allow-Origin: *\`), with these headers:

${headerTable}

${sh(`curl -I ${B}${operations.readProfile.path.replace('{handle}', 'X')}`, `curl -X OPTIONS ${B}/jack/status/20`)}
`;
