// Renders the same conversation in the markup of a website, for a converter that has no API. It has no head, scripts or
// navigation, which would only slow the other side.

import { isTombstone } from '../../shared/model/conversation.ts';
import type { Post, PostOrTombstone } from '../../shared/model/post.ts';
import type { Conversation } from '../../shared/model/resources.ts';
import { escaped } from '../../shared/render/html/html.ts';

const escapeHtml = (text: string): string => String(escaped(text));

const textHtml = ({ text, mentions, hashtags, links }: Post): string => {
  let html = escapeHtml(text);
  for (const { url } of links)
    html = html.replace(escapeHtml(url), `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`);
  for (const handle of mentions) html = html.replace(`@${handle}`, `<a href="/${handle}">@${handle}</a>`);
  for (const tag of hashtags) html = html.replace(`#${tag}`, `<a href="/hashtag/${tag}">#${tag}</a>`);
  return html;
};

const counts = ({ metrics }: Post): string =>
  Object.entries(metrics)
    .map(([name, count]) => `<li><a href="#${name}"><span>${count}</span> ${name}</a></li>`)
    .join('');

const article = (post: Post): string => `<article>
<header><a href="${post.author?.url}"><img src="${post.author?.avatar_url}" alt=""></a><h2><a href="${post.author?.url}">${escapeHtml(post.author?.name ?? '')}</a></h2><p>@${post.author?.handle}</p><a href="${post.url}"><time datetime="${post.created_at}">${post.created_at}</time></a></header>
<div><p>${textHtml(post)}</p>${post.media.map(({ url, thumbnail_url: still, alt_text: alt }) => `<figure><a href="${url}"><img src="${still ?? url}" alt="${escapeHtml(alt ?? '')}"></a></figure>`).join('')}</div>
${post.quote !== undefined && 'metrics' in post.quote ? `<blockquote>${article(post.quote)}</blockquote>` : ''}
<footer><ul>${counts(post)}</ul></footer>
</article>`;

const isPost = (entry: PostOrTombstone): entry is Post => !isTombstone(entry);

export const conversationPage = ({ post, thread }: Conversation): string =>
  `<main>${[post, ...thread.filter(isPost)].map(article).join('\n')}</main>`;
