// Checks the parts of a post beside its text on a page: community, translation, broadcast, publisher, badge and dates.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const BASE = 'https://postern.example';

const pageOf = (members: Partial<Post>, around: Parameters<typeof conversationOf>[1] = {}): string =>
  conversationHtml(conversationOf(postOf(members), around), BASE);

const mainOf = (...parameters: Parameters<typeof pageOf>): string =>
  /<main[^>]*>(.*)<\/main>/s.exec(pageOf(...parameters))?.[1] ?? '';

const community = { id: '15', name: 'Slow <Cyclists>' };
const COMMUNITY =
  'in <a href="https://x.com/i/communities/15" rel="nofollow noopener"><bdi>Slow &lt;Cyclists&gt;</bdi></a>';

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

test('the community of a post is named once in a conversation within one community', () => {
  const other = (id: string, name?: string): Post =>
    postOf({ id, author: userOf('Bo', 'bo'), community: name === undefined ? community : { id: '16', name } });
  const html = mainOf({ community }, { ancestors: [other('1')], replies: [other('30'), other('31', 'Fast')] });
  expect(occurrences(html, COMMUNITY)).toBe(1);
  expect(occurrences(html, '<bdi>Fast</bdi>')).toBe(1);
});

describe('a translation', () => {
  const translation = {
    text: 'The sea is quiet & <b>cold</b>.',
    source_lang: 'ja',
    target_lang: 'en',
    provider: '<i>',
  };

  test('is cut in a list and whole on its page', () => {
    const long = { ...translation, text: 'word '.repeat(400) };
    expect(postItemHtml(postOf({ translation: long })).length).toBeLessThan(1500);
    expect(occurrences(mainOf({ translation: long }), 'word')).toBe(400);
  });
});
