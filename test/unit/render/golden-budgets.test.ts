// Compares the Markdown of every token budget with golden files: its size, what it begins and ends with, and what its
// warning says. `npm run update -- golden` writes the files again; review their diff.
import { expect, test } from 'vitest';
import { warning } from '../../../shared/contract/warnings.ts';
import { createFollowsPresenter } from '../../../shared/reads/follows/present.ts';
import { presentLookup } from '../../../shared/reads/lookup/present.ts';
import { createRelatedPostsPresenter } from '../../../shared/reads/paging/present-related.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { presentProfile } from '../../../shared/reads/profile/present.ts';
import { presentProfilePosts } from '../../../shared/reads/profile-posts/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import type { MarkdownDocument } from '../../../shared/render/markdown/context.ts';
import type { MarkdownOptions, Presenter, ResourceView } from '../../../shared/render/presenters/view.ts';
import { BASE, fullUser, pageUrlsAt, recordedPosts, recordedUsers, withParts } from '../../support/list-models.ts';
import { conversationOf, postOf } from '../../support/post-models.ts';
import { RECORDED_AT } from '../../support/recorded-posts.ts';
import { articlePost } from '../../support/rich-articles.ts';
import { RICH_CONVERSATIONS } from '../../support/rich-conversations.ts';
import { RICH_POSTS } from '../../support/rich-posts.ts';

type Write = (maxTokens: number) => MarkdownDocument;

const writerOf = <T>(
  present: Presenter<T, ResourceView<object>>,
  value: T,
  options: Partial<MarkdownOptions> = {},
): Write => {
  const warnings = [warning('posts_failed')];
  const view = present(withParts({ value, source: 'recorded', fetchedAt: RECORDED_AT, warnings }), {
    baseUrl: BASE,
    ...pageUrlsAt('/'),
  });
  return (maxTokens) => view.markdown({ dialect: 'markdown', ...options, maxTokens });
};

const FEWEST_TOKENS = 100;
const MOST_TOKENS = 3000;

const shown = (text: string): string =>
  JSON.stringify(text.length <= 90 ? text : `${text.slice(0, 40)}[…]${text.slice(-40)}`);

/** A line for each budget at which the document changes. */
const linesOf = (write: Write): string => {
  const lines: string[] = [];
  let last = '';
  for (let tokens = FEWEST_TOKENS; tokens <= MOST_TOKENS; tokens += 1) {
    const { markdown, warning: truncation, removed } = write(tokens);
    const body = markdown.replace(/\n+\*(?:Truncated|Part \d|The posts above).*\*\n[\s\S]*$/, '');
    if (markdown !== last)
      lines.push(
        `${tokens} tokens: ${Buffer.byteLength(markdown)} bytes, ${removed} removed, ${truncation?.message ?? 'whole'}\n  ${shown(body)}`,
      );
    last = markdown;
    if (truncation === undefined) break;
  }
  return `${lines.join('\n')}\n`;
};

const conversation = (name: string) => RICH_CONVERSATIONS.get(name) ?? conversationOf(postOf());

const SENTENCES =
  'The tide\u200b rises. It falls… “Slowly!” 潮が満ちる。引く。\n\nA paragraph of it, https://tide.example/a, ends.\n';
const long = postOf({
  text: SENTENCES.repeat(6),
  links: [{ url: 'https://tide.example/a' }],
  styles: [{ type: 'bold', start: 4, end: 300 }],
  in_reply_to: { handle: 'bo' },
});
const CURSOR = { next_cursor: `v1.${'bGlz'.repeat(12)}` };
const LONG_CURSOR = { next_cursor: `v1.${'bGlz'.repeat(120)}` };
const posts = [...RICH_POSTS.values()].slice(0, 6);

test.each<[string, Write]>([
  ['thread', writerOf(presentPost, conversation('thread'))],
  ['thread-unrolled', writerOf(presentPost, conversation('thread'), { layout: 'unrolled' })],
  ['thread-from-its-middle', writerOf(presentPost, conversation('thread-from-its-middle'))],
  ['reply', writerOf(presentPost, conversation('reply'))],
  ['long-post', writerOf(presentPost, conversationOf(long))],
  [
    'long-post-obsidian',
    writerOf(presentPost, conversationOf({ ...long, author: fullUser() }), { dialect: 'obsidian' }),
  ],
  [
    'long-word',
    writerOf(presentPost, conversationOf(postOf({ text: '🐋tide'.repeat(60), card: { url: 'https://a.example/' } }))),
  ],
  ['long-article', writerOf(presentPost, conversationOf(articlePost()))],
  [
    'article-of-one-paragraph',
    writerOf(
      presentPost,
      conversationOf(
        articlePost({
          blocks: [{ type: 'paragraph', spans: [{ text: SENTENCES.repeat(9) }] }],
        }),
      ),
    ),
  ],
  [
    'preview-of-an-article',
    writerOf(presentPost, conversationOf(articlePost({ blocks: [], preview_text: SENTENCES.repeat(9) }))),
  ],
  ['profile', writerOf(presentProfile, { profile: fullUser({ bio: SENTENCES }), posts, ...CURSOR })],
  [
    'profile-of-many-words',
    writerOf(presentProfile, { profile: fullUser({ bio: SENTENCES.repeat(4), name: 'Ada '.repeat(80) }), posts: [] }),
  ],
  [
    'timeline',
    writerOf(presentProfilePosts, {
      handle: 'ada',
      kind: 'posts',
      posts: recordedPosts('statuses/p1_default').slice(0, 4),
      ...LONG_CURSOR,
    }),
  ],
  ['long-posts', writerOf(presentProfilePosts, { handle: 'ada', kind: 'posts', posts: [long, long] })],
  [
    'followers',
    writerOf(createFollowsPresenter('followers'), {
      handle: 'ada',
      users: recordedUsers('followers/ada_larsson_count5'),
      ...CURSOR,
    }),
  ],
  [
    'long-account',
    writerOf(createFollowsPresenter('following'), {
      handle: 'ada',
      users: [fullUser({ bio: SENTENCES.repeat(9) }), fullUser({ name: 'Ada '.repeat(200) })],
    }),
  ],
  [
    'account-of-a-long-name',
    writerOf(createFollowsPresenter('following'), { handle: 'ada', users: [fullUser({ name: 'Ada '.repeat(200) })] }),
  ],
  ['search', writerOf(presentSearch, { query: 'tide '.repeat(100), feed: 'top', posts, degraded: true, ...CURSOR })],
  ['search-of-one-word', writerOf(presentSearch, { query: 't'.repeat(500), feed: 'top', posts: [] })],
  ['quotes', writerOf(createRelatedPostsPresenter('quotes'), { id: '7', posts: [...posts, long] })],
  ['lookup', writerOf(presentLookup, { posts: [long, { id: '8', unavailable: true, reason: 'deleted' }, ...posts] })],
  [
    'lookup-without-the-first',
    writerOf(presentLookup, { posts: [{ id: '8', unavailable: true, reason: 'failed' }, long, long] }),
  ],
])('the Markdown of %s is cut at each token budget as in its golden file', async (name, write) => {
  await expect(linesOf(write)).toMatchFileSnapshot(`../../golden/budgets/${name}.txt`);
});
