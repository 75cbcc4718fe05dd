// Reading posts.

import { operations } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import {
  code,
  duration,
  fence,
  freshness,
  link,
  opening,
  parameterTable,
  readTable,
  recorded,
  sh,
  warned,
} from './parts.ts';

const V1 = `${B}${operations.readPost.path}`;

export const postsPage = (): string => `${opening(
  'posts',
  'Read one public post with the conversation around it, by its address or by handle and id, as Markdown, JSON, an Obsidian note or a page.',
)}

${sh(
  `curl ${B}/jack/status/20`,
  `curl ${B}/i/status/20`,
  `curl '${V1}?url=https://x.com/jack/status/20'`,
  `curl '${V1}?handle=jack&id=20&format=json'`,
)}

${readTable('readPost')}

## Parameters

${parameterTable('readPost')}

Pass \`url\`, or \`handle\` and \`id\`. Neither, or one of the two alone, is 400 ${code('missing_parameter')}; a \`url\` and an \`id\` that name different posts are 400 ${code('invalid_parameter')}. On a permalink the path says which post; the other parameters stand in the query. An empty \`url\`, \`handle\` or \`id\` counts as absent, an unknown parameter is ignored, and a parameter that comes twice is 400 ${code('repeated_parameter')}.

The id alone decides. A wrong handle beside it is no error: the post tells its author. \`i\` stands for "whoever wrote it", as on X.

## Which addresses are understood

Everything that people paste: \`x.com\` and \`twitter.com\`, with \`www.\`, \`mobile.\` or \`m.\`, or the mirrors fxtwitter.com, vxtwitter.com, fixupx.com, fixvx.com, twittpr.com, nitter.net and xcancel.com; with or without scheme, \`/status/\` or \`/statuses/\`, \`/photo/1\` and \`/video/1\`, \`/i/web/status/…\`, a query, a fragment, a trailing slash; and permalinks of this service. Percent-encode an address that has a query of its own:

${sh(
  `curl '${V1}?url=twitter.com/jack/status/20'`,
  `curl -G ${V1} --data-urlencode 'url=https://mobile.twitter.com/jack/status/20/photo/1?s=46&t=abc'`,
)}

Nothing is ever fetched from the address. Short links such as t.co are therefore not resolved:

${sh('# 400 unsupported_host', `curl '${V1}?url=https://t.co/abc'`)}

## The conversation

A post comes with what is around it, in reading order:

| Member of JSON | What |
| --- | --- |
| \`post\` | the post itself, here and nowhere else |
| \`ancestors\` | the chain before it, whoever wrote it |
| \`thread\` | everything that its author added after it: answers to the post or to another part of the thread |
| \`replies\` | at most 20 replies, by others or by the author to others |

A thread is complete from whichever part you ask for: \`ancestors\`, \`post\` and \`thread\` hold each part once, in order. \`replies\` holds none of its parts. Of a very long thread about 50 parts after the post are read, and ${warned('thread_incomplete')} says so; the last of them leads on.

\`thread=off\` leaves out ancestors and thread, a number bounds the thread, and \`replies\` chooses between the most liked, the newest and none:

${sh(`curl '${B}/i/status/2034932961899447678?thread=2&replies=off'`)}

${fence(
  'markdown',
  `
# Ada Larsson (@ada_larsson)

🧵 1/ How to build a hydrophone for €12

## Thread

2/ Parts: piezo disc, epoxy, cable. <https://kestrel.example/bom.csv>`,
)}

That post and its author are invented; a ${link('selfHosting', 'local service')} with sample data has them. Quotes, polls, pictures with their descriptions, videos, articles, community notes and link previews come along inside each post. Members are listed in ${link('formats', 'Formats and caching', 'json')}.

## A whole answer

${recorded('readPost')}

## What cannot be read

| The post is | Answer | \`reason\` |
| --- | --- | --- |
| deleted, or never existed | 404 ${code('post_not_found')} | \`deleted\`, or \`unknown\` where no source says more |
| of a suspended account | 404 ${code('post_not_found')} | \`suspended\` |
| withheld, blocked or limited by age | 404 ${code('post_not_found')} | \`withheld\` |
| of a protected account | 403 ${code('post_protected')} | \`protected\` |

${sh('# 404 post_not_found', `curl ${B}/i/status/1990000000000000001`, '# 403 post_protected', `curl ${B}/i/status/1990000000000000100`)}

Inside a conversation or as a quote, such a post is \`{"id", "unavailable": true, "reason"}\` in JSON and one line in Markdown. The rest of the conversation is answered as usual.

A post is called missing only when that is certain. If a source fails, or says "not found" while it does not find known posts either, the answer is 502 ${code('upstream_failed')} or 503 ${code('upstream_unavailable')}. A deleted post may stay visible for about ${duration(freshness('post').fresh + freshness('post').whileRevalidating)} because of ${link('formats', 'caches', 'deleted-posts')}.

## When less comes back

\`warnings\` in JSON, and a line in the Markdown, say what is missing:

- The preferred source failed and another one answered, as \`source\` says. It may know the post alone (${warned('conversation_unavailable')}), no replies (${warned('replies_unavailable')}), fewer counts (${warned('counts_unavailable')}), the beginning of a long text (${warned('text_incomplete')}) or of an article (${warned('article_incomplete')}).
- X limits conversations more than single posts. The post is then alone, with ${warned('conversation_unavailable')}.
- Posts of the thread, or before it, could not be read: ${warned('thread_incomplete')}. What was read is in order.
- \`max_tokens\` cut the Markdown, or all of the answer would be ${link('limits', 'too large', 'other-limits')}: ${warned('truncated')}. See ${link('formats', 'how Markdown is cut', 'a-bound-for-markdown')}.
- Characters that nobody sees, such as those that turn the writing direction, are not put into Markdown: ${warned('invisible_removed')}. \`text\` in JSON keeps them.
`;
