// Checks that Markdown, HTML pages and embeds load pictures only from the hosts of X.
import { expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { presentOembed } from '../../../../shared/reads/oembed/present.ts';
import { presentProfile } from '../../../../shared/reads/profile/present.ts';
import { isPictureHost } from '../../../../shared/render/content/media-files.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import type { Html } from '../../../../shared/render/html/html.ts';
import { unlinkedAvatarHtml } from '../../../../shared/render/html/person.ts';
import { mediaMarkdown } from '../../../../shared/render/markdown/article.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/context.ts';
import { fullUser, profileOf, renderList } from '../../../support/list-models.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const PICTURE_URLS = ['pbs.twimg.com', 'video.twimg.com', 'abs.twimg.com'].map((host) => `https://${host}/media/a.jpg`);

// biome-ignore format: side by side they fit on a screen
const FOREIGN_URLS = [
  'https://tracker.example/a.jpg', 'https://twimg.com/a.jpg', 'https://x.com/a.jpg', 'https://ton.twimg.com/a.jpg',
  'https://evil.pbs.twimg.com/a.jpg', 'https://evilpbs.twimg.com/a.jpg', 'https://pbs-twimg.com/a.jpg',
  'https://pbsxtwimg.com/a.jpg', 'https://pbs.twimgxcom/a.jpg', 'https://pbs.twimg.com.evil.example/a.jpg',
  'https://pbs.twimg.com@evil.example/a.jpg', 'https://pbs.twimg.com:8443/a.jpg', 'https://pbs.twimg.com./a.jpg',
  'https://pbs.twimg.com', 'https://evil.example/https://pbs.twimg.com/a.jpg',
  'https://evil.example/?https://pbs.twimg.com/', 'http://pbs.twimg.com/a.jpg', '//pbs.twimg.com/a.jpg',
  'data:image/png;base64,https://pbs.twimg.com/', ' https://pbs.twimg.com/a.jpg',
];

/** Builds a post that has this URL in each place for a picture. */
const postWith = (url: string): Post =>
  postOf({
    author: { ...userOf(), avatar_url: url },
    media: [{ type: 'photo', url, alt_text: 'A fjord', width: 1600, height: 900 }],
    card: { url: 'https://card.example/', title: 'A card', image_url: url },
    article: { title: 'An article', preview_text: 'words', cover_url: url, blocks: [] },
  });

/** Returns the elements that load a picture, for each form of a post; empty if the form loads none. */
const loadedPictures = (url: string): Readonly<Record<string, readonly string[]>> => {
  const post = postWith(url);
  // A page without a picture of X shows that of the service in link previews.
  const sources = (html: Html | string) =>
    String(html).match(/<img\b|og:image" content="(?!https:\/\/postern\.example\/assets\/)/g) ?? [];
  const { html, thumbnail_url: thumbnail } = JSON.parse(renderList(presentOembed, { post }).body);
  return {
    markdown:
      mediaMarkdown(createMarkdownContext('markdown'), { type: 'photo', url, alt_text: 'A fjord' }).match(/^!/g) ?? [],
    page: sources(conversationHtml(conversationOf(post), 'https://postern.example')),
    embed: [...sources(html), ...(thumbnail === undefined ? [] : ['thumbnail'])],
    avatar: sources(unlinkedAvatarHtml({ ...userOf(), avatar_url: url })),
    profile: sources(
      renderList(presentProfile, profileOf(fullUser({ avatar_url: url, banner_url: url })), { format: 'html' }).body,
    ),
  };
};

test.each(PICTURE_URLS)('[text 4] every form loads the picture %s', (url) => {
  expect(isPictureHost(url)).toBe(true);
  for (const [form, loaded] of Object.entries(loadedPictures(url))) expect(loaded, form).not.toEqual([]);
});

test.each(FOREIGN_URLS)('[text 4] no form loads the picture %s', (url) => {
  expect(isPictureHost(url)).toBe(false);
  expect(loadedPictures(url)).toEqual({ markdown: [], page: [], embed: [], avatar: [], profile: [] });
});
