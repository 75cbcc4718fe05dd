// Checks the parts of a post beside its text in Markdown: community, translation, broadcast, publisher, dates and counts.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { presentPost } from '../../../../shared/reads/post/present.ts';
import { renderList } from '../../../support/list-models.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const markdownOf = (members: Partial<Post>, around: Parameters<typeof conversationOf>[1] = {}): string =>
  renderList(presentPost, conversationOf(postOf(members), around)).body;

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

test('[text 1] a handle that stands for a blank name is no mark', () => {
  const nameless = userOf('\u200b', '__ada__');
  const markdown = markdownOf({ reposted_by: nameless, quote: postOf({ id: '9', author: nameless }) });
  expect(markdown.match(/\*\*\\_\\_ada\\_\\_\*\* \(@/g)).toHaveLength(2);
});
