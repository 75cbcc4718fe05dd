// Checks the parts of a post beside its text in Markdown: community, translation, broadcast, publisher, dates and counts.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { presentPost } from '../../../../shared/render/presenters/present-post.ts';
import { createUsersPresenter } from '../../../../shared/render/presenters/present-users.ts';
import { hostileFragments } from '../../../generators/hostile-text.ts';
import { fullUser, renderList } from '../../../support/list-models.ts';
import { nodesOf, readWithMarkdownIt, readWithMdast } from '../../../support/markdown-oracle.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const markdownOf = (members: Partial<Post>, around: Parameters<typeof conversationOf>[1] = {}): string =>
  renderList(presentPost, conversationOf(postOf(members), around)).body;

const community = { id: '15', name: 'Slow Cyclists & Friends' };
const COMMUNITY = 'in [Slow Cyclists & Friends](https://x.com/i/communities/15)';

const video = { type: 'video', url: 'https://video.twimg.com/a/v.mp4', duration_ms: 9000 } as const;

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe('the community of a post', () => {
  test('[threads 4] stands beside the date', () => {
    expect(markdownOf({ community })).toContain(
      `[2026-03-02 10:00 UTC](https://x.com/ada/status/20) ${COMMUNITY} · 1 like`,
    );
    expect(markdownOf({ community: { id: '15' } })).toContain(') in [a community](https://x.com/i/communities/15) ·');
    expect(markdownOf({})).not.toContain('communit');
  });

  test('is named once in a conversation within one community', () => {
    const other = (id: string, name?: string): Post =>
      postOf({ id, community: name === undefined ? community : { id: '16', name } });
    const around = { ancestors: [other('1')], thread: [other('21')], replies: [other('30'), other('31', 'Fast')] };
    const markdown = markdownOf({ community }, around);
    expect(occurrences(markdown, COMMUNITY)).toBe(1);
    expect(occurrences(markdown, 'in [Fast](https://x.com/i/communities/16)')).toBe(1);
  });

  test('is in the line of counts of a thread as one text', () => {
    const parts = { thread: [postOf({ id: '21', community })] };
    const { body } = renderList(presentPost, conversationOf(postOf({ community }), parts), { layout: 'unrolled' });
    expect(occurrences(body, COMMUNITY)).toBe(1);
    expect(body).toMatch(/Thread of 2 posts · \[2026-03-02 10:00 UTC\]\([^)]*\) in \[Slow/);
  });
});

describe('a translation', () => {
  test.each([
    [{ source_lang: 'ja', provider: 'grok' }, '> **Translated from Japanese by grok:**'],
    [{ source_lang: 'pt-BR' }, '> **Translated from Brazilian Portuguese:**'],
    [{ source_lang: 'und', provider: 'grok' }, '> **Translated by grok:**'],
    [{ source_lang: 'a-b' }, '> **Translated:**'],
    [{}, '> **Translated:**'],
  ])('[threads 4] of %j follows the text under the label %s', (members, label) => {
    const translation = { text: 'The sea\n\nis quiet.', ...members };
    expect(markdownOf({ text: '海', translation })).toContain(`海\n\n${label}\n>\n> The sea\n>\n> is quiet.\n\n[2026`);
  });
});

describe('a broadcast', () => {
  const url = 'https://x.com/i/broadcasts/1abc';

  test.each([
    ['live', 'Live broadcast'],
    ['ended', 'Ended broadcast'],
    [undefined, 'Broadcast'],
    ['paused', 'Broadcast'],
  ])('[threads 4] of the state %s is labelled %s in its card', (state, label) => {
    const markdown = markdownOf({ card: { url, title: 'Harbour' }, broadcast: { url, state } });
    expect(markdown).toContain(`**${label}:** [Harbour](${url})`);
    expect(markdown).not.toContain('**Link:**');
  });

  test('without a card it is a block of its own, beside the card of another page', () => {
    const broadcast = { url, state: 'live', thumbnail_url: 'https://pbs.twimg.com/b/o.jpg' };
    const markdown = markdownOf({ card: { url: 'https://a.example/', title: 'A' }, broadcast });
    expect(markdown).toContain('**Link:** [A](https://a.example/)');
    expect(markdown).toContain(`(https://pbs.twimg.com/b/o.jpg)\n\n**Live broadcast:** <${url}>`);
  });
});

describe('a video', () => {
  test('[threads 4] by another account names it', () => {
    const media = [{ ...video, publisher: userOf('Slow TV', 'slowtv_live') }];
    expect(markdownOf({ media })).toContain(
      '[Video (0:09)](https://video.twimg.com/a/v.mp4) from [@slowtv_live](https://x.com/slowtv_live)\n',
    );
  });

  test('by the author of the post names no publisher', () => {
    expect(markdownOf({ media: [{ ...video, publisher: userOf('Ada', 'ADA') }] })).not.toContain(' from ');
  });
});

test('a card names its domain only if a short link hides the host', () => {
  const short = { url: 'https://t.co/abcdefghij', title: 'A', domain: 'a.example' };
  expect(markdownOf({ card: short })).toContain('**Link:** [A](https://t.co/abcdefghij) (a.example)');
  expect(markdownOf({ card: { ...short, url: 'https://b.example/' } })).not.toContain('a.example');
  expect(markdownOf({ card: { url: short.url, title: 'A' } })).toContain('**Link:** [A](https://t.co/abcdefghij)\n');
});

test('an article names the day of its publication only if the post is of another day', () => {
  const article = { title: 'Essay', blocks: [] };
  const published = (published_at: string) => markdownOf({ article: { ...article, published_at } });
  expect(published('2026-02-28T23:00:00Z')).toContain('## Essay\n\n*Published 2026-02-28*');
  expect(published('2026-03-02T23:00:00Z')).not.toContain('Published');
});

test('[threads 4] a count of zero is shown, and an unknown count is left out', () => {
  const metrics = { likes: 0, reposts: 0, replies: 1, quotes: null, bookmarks: 0, views: null };
  expect(markdownOf({ metrics })).toContain(') · 0 likes · 0 reposts · 1 reply · 0 bookmarks\n');
});

test.each([
  ['individual', ' · verified ·'],
  [undefined, ' · verified ·'],
  ['organization', ' · verified organization ·'],
  ['government', ' · verified government account ·'],
])('an account with a badge of the type %s is described in a list as%s', (verified_type, words) => {
  const users = [fullUser({ verified: true, verified_type, protected: false })];
  expect(renderList(createUsersPresenter('followers'), { handle: 'ada', users }).body).toContain(words);
});

test('the client is not in Markdown', () => {
  expect(markdownOf({ client: 'Twitter Web App' })).not.toContain('Twitter Web App');
});

test('[text 5] hostile names and texts forge no structure', () => {
  for (const fragment of hostileFragments) {
    const markdown = markdownOf({
      community: { id: '15', name: fragment },
      translation: { text: fragment, provider: fragment },
      media: [{ ...video, publisher: userOf(fragment, 'bo') }],
    });
    for (const read of [readWithMdast, readWithMarkdownIt]) {
      const kinds = nodesOf(read(markdown), '').map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'blockquote')).toHaveLength(1);
      expect(kinds.filter((kind) => /^(?:heading|code|list|item|image|html)/.test(kind))).toEqual(['heading 1']);
    }
  }
});
