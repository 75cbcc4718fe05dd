// Checks that texts of third parties stay text on the HTML pages of lists and never become a tag or an attribute.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import {
  createRelatedPostsPresenter,
  createUsersPresenter,
  presentProfile,
  presentProfilePosts,
  presentReposters,
  presentSearch,
} from '../../../../shared/render/presenters/lists.ts';
import { fullUser, pageUrlsAt, profileOf, renderList, searchOf } from '../../../support/list-models.ts';
import { postOf, userOf } from '../../../support/post-models.ts';
import { tagsOf } from '../tags.ts';

const htmlRequest = { format: 'html', ...pageUrlsAt('/somewhere?limit=2') } as const;
const next_cursor = 'v1.x';

const postWith = (text: string): Post =>
  postOf({ text, author: userOf(text), reposted_by: userOf(text), in_reply_to: { handle: 'who' } });

/** Removes the links that a biography gets by its form: URLs, mentions and tags. */
const withoutBioLinks = (html: string): string =>
  html.replace(/<header class="who">.*?<\/header>/s, (header) =>
    header.replaceAll(
      /<bdi><a href="\/\w{1,15}">([^<>]+)<\/a><\/bdi>|(?<=<p class="text".*)<a href="(?:\/|https?:)[^"<>]*"(?: rel="nofollow noopener")?(?: dir="ltr")?>([^<>]+)<\/a>/gis,
      '$1$2',
    ),
  );

/** With `!`, no text is a handle. */
const pages: Readonly<Record<string, (text: string) => string>> = {
  'a profile': (text) => {
    const profile = fullUser({ name: text, bio: text, location: text });
    const { body } = renderList(
      presentProfile,
      profileOf(profile, { posts: [postWith(text)], next_cursor }),
      htmlRequest,
    );
    return withoutBioLinks(body);
  },
  'a list of followers': (text) => {
    const users = [fullUser({ name: text, bio: text, handle: `${text}!`, url: `https://x.com/${text}` })];
    return renderList(createUsersPresenter('followers'), { handle: `${text}!`, users, next_cursor }, htmlRequest).body;
  },
  'a timeline': (text) => {
    const post = { ...postWith(text), author: userOf(text), reposted_by: undefined };
    return renderList(presentProfilePosts, { handle: 'ada', kind: 'replies', posts: [post], next_cursor }, htmlRequest)
      .body;
  },
  'the replies to a post': (text) =>
    renderList(createRelatedPostsPresenter('replies'), { id: '7', posts: [postWith(text)], next_cursor }, htmlRequest)
      .body,
  'the quotes of a post': (text) => {
    const posts = [{ ...postWith(text), id: '21', quote: { ...postWith(text), id: '7' } }];
    return renderList(createRelatedPostsPresenter('quotes'), { id: '7', posts, next_cursor }, htmlRequest).body;
  },
  'the reposts of a post': (text) => {
    const users = [fullUser({ name: text, bio: text })];
    return renderList(presentReposters, { id: '7', users, next_cursor }, htmlRequest).body;
  },
  'a search for posts': (text) =>
    renderList(presentSearch, searchOf({ query: 'fjord', posts: [postWith(text)], next_cursor }), htmlRequest).body,
  'a search for a text': (text) =>
    renderList(presentSearch, searchOf({ query: `${text}!`, posts: [postOf()], next_cursor }), htmlRequest).body,
  'a search without results': (text) =>
    renderList(presentSearch, searchOf({ query: `from:ada plain ${text}! -x` }), htmlRequest).body,
  'a search for accounts': (text) => {
    const users = [fullUser({ name: text, bio: text })];
    const value = searchOf({ query: `${text}!`, feed: 'users', users, next_cursor });
    return renderList(presentSearch, value, htmlRequest).body;
  },
};

describe.each(Object.entries(pages))('HTML page of %s', (_, page) => {
  test('every link stays in the service or has rel nofollow noopener, and one link leads to X', () => {
    const anchors = page('words').match(/<a [^>]*>/g) ?? [];
    const external = anchors.filter(
      (anchor) => !/^<a (?:class="\w+" )?href="(?:\/|#|https:\/\/postern\.example\/)/.test(anchor),
    );
    for (const anchor of external) expect(anchor).toMatch(/^<a href="https:[^"]+" rel="nofollow noopener"/);
    expect(external.filter((anchor) => anchor.includes('"https://x.com/'))).toHaveLength(1);
  });

  test('[text 10] the page has no script and no style attribute, and one h1', () => {
    const tags = tagsOf(page('words'));
    expect(tags.filter((tag) => tag.startsWith('script') || / style\b/.test(tag))).toEqual([]);
    expect(tags.filter((tag) => tag === 'h1' || tag.startsWith('h1 '))).toHaveLength(1);
  });
});
