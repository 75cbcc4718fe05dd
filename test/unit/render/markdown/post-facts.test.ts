// Checks the parts of a post beside its text in Markdown: community, translation, broadcast, publisher, dates and counts.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { presentPost } from '../../../../shared/render/presenters/present-post.ts';
import { hostileFragments } from '../../../generators/hostile-text.ts';
import { renderList } from '../../../support/list-models.ts';
import { nodesOf, readWithMarkdownIt, readWithMdast } from '../../../support/markdown-oracle.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const markdownOf = (members: Partial<Post>, around: Parameters<typeof conversationOf>[1] = {}): string =>
  renderList(presentPost, conversationOf(postOf(members), around)).body;

const community = { id: '15', name: 'Slow Cyclists & Friends' };
const COMMUNITY = 'in [Slow Cyclists & Friends](https://x.com/i/communities/15)';

const video = { type: 'video', url: 'https://video.twimg.com/a/v.mp4', duration_ms: 9000 } as const;

describe('the community of a post', () => {
  test('[threads 4] stands beside the date', () => {
    expect(markdownOf({ community })).toContain(
      `[2026-03-02 10:00 UTC](https://x.com/ada/status/20) ${COMMUNITY} · 1 like`,
    );
    expect(markdownOf({ community: { id: '15' } })).toContain(') in [a community](https://x.com/i/communities/15) ·');
    expect(markdownOf({})).not.toContain('communit');
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
});

describe('a video', () => {
  test('[threads 4] by another account names it', () => {
    const media = [{ ...video, publisher: userOf('Slow TV', 'slowtv_live') }];
    expect(markdownOf({ media })).toContain(
      '[Video (0:09)](https://video.twimg.com/a/v.mp4) from [@slowtv_live](https://x.com/slowtv_live)\n',
    );
  });
});

test('[threads 4] a count of zero is shown, and an unknown count is left out', () => {
  const metrics = { likes: 0, reposts: 0, replies: 1, quotes: null, bookmarks: 0, views: null };
  expect(markdownOf({ metrics })).toContain(') · 0 likes · 0 reposts · 1 reply · 0 bookmarks\n');
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
