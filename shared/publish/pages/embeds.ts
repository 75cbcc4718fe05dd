// oEmbed, and what is shown of a link.

import { operations } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import type { OembedBody } from '../../model/oembed.ts';
import { code, link, opening, parameterTable, readTable, recorded, sh, table } from './parts.ts';

const V1 = `${B}${operations.readOembed.path}`;

const members: Readonly<Record<keyof OembedBody, string>> = {
  version: 'Always `1.0`.',
  type: 'Always `rich`.',
  html: 'The embed. It needs no script and loads nothing but pictures of X.',
  width: 'Its width in pixels, at most `maxwidth`.',
  height: 'Its height in pixels, estimated from the words, at most `maxheight`.',
  title: 'A title in plain text.',
  author_name: 'Who wrote the post. Left out where unknown.',
  author_url: 'The profile of the author. Left out where unknown.',
  provider_name: 'Who made the embed.',
  provider_url: 'The same as an address.',
  cache_age: 'For how many seconds it may be kept.',
  thumbnail_url: 'A picture of the post. Left out, with its sizes, where there is none.',
  thumbnail_width: 'Width of that picture, at most `maxwidth`.',
  thumbnail_height: 'Height of that picture, at most `maxheight`.',
};

export const embedsPage = (): string => `${opening(
  'embeds',
  'Show a public post inside a web page with oEmbed 1.0, or let a chat show a preview of its link. Neither needs a script.',
)}

## oEmbed

${sh(
  `curl '${V1}?url=https://x.com/jack/status/20'`,
  `curl '${V1}?url=https://x.com/jack/status/20&maxwidth=400&format=json'`,
)}

${readTable('readOembed')}

### Parameters

${parameterTable('readOembed')}

\`url\` takes every spelling that ${link('posts', 'posts', 'which-addresses-are-understood')} take, permalinks of this service included. The answer is JSON whatever \`Accept\` says. XML is not there:

${sh('# 501 format_not_implemented', `curl '${V1}?url=https://x.com/jack/status/20&format=xml'`)}

### Answer

${table(
  ['Member', 'Meaning'],
  Object.entries(members).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

These are members of oEmbed 1.0 and nothing else: there is no \`source\` and no \`warnings\`. For data about a post, read the ${link('posts', 'post')}.

${recorded('readOembed')}

A post that cannot be read is an error as everywhere: 404 ${code('post_not_found')} or 403 ${code('post_protected')}. Show the bare link then. After a 502 or 503 show the bare link too and ask again later.

## Link previews

A permalink is a page for whoever asks for \`text/html\` first, as browsers and the preview robots of chats do. Put this address in the place of \`https://x.com\` in a message, and the chat shows author, words and picture:

${sh(`curl -H 'Accept: text/html' ${B}/jack/status/20`)}

The page says of itself in its head:

| Element | Says |
| --- | --- |
| \`og:title\`, \`og:description\`, \`og:url\` | Author, words, and the address on X. |
| \`og:image\`, \`og:video\` | Pictures and the film of the post, from hosts of X, where it has any. |
| \`twitter:card\` | How large to show them. |
| \`rel="alternate"\` | The same as Markdown and as JSON; for a post also its oEmbed, so that embedders which are given the permalink find it. |
| \`rel="canonical"\` | The address on X. |

It runs no script, sets no cookie, and loads nothing but pictures from hosts of X. Profiles, lists and searches have such pages too.

A robot that sends \`Accept: */*\`, or no \`Accept\`, gets Markdown. \`/api/v1\` never answers with a page: there \`text/html\` alone is 406 ${code('not_acceptable')}.

${sh('# 406 not_acceptable', `curl -H 'Accept: text/html' '${B}${operations.readPost.path}?handle=jack&id=20'`)}
`;
