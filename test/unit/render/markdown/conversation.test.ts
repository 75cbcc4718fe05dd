// Checks that the Markdown of a conversation stays within max_tokens, keeps a clean structure and says how to get the
// next part.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import type { Conversation } from '../../../../shared/model/resources.ts';
import { presentPost } from '../../../../shared/reads/post/present.ts';
import { createMarkdownContext, type Dialect } from '../../../../shared/render/markdown/context.ts';
import { conversationMarkdown } from '../../../../shared/render/markdown/conversation.ts';
import { hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { renderResult } from '../../../support/list-models.ts';
import { readWithMdast, strangeKindsIn, wordsIn } from '../../../support/markdown-oracle.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { readablePosts, recordedConversation } from '../../../support/recorded-posts.ts';

const LAST_LINE =
  /\n\*(?:Part 1 of \d+\. Next|The posts above the first one here are left out\. The whole text has \d+ parts, from its start): ask again with part=[12]\*\n$/;

const within = (conversation: Conversation, maxTokens: number | undefined, dialect: Dialect = 'markdown') =>
  conversationMarkdown(createMarkdownContext(dialect), conversation, { maxTokens });

const expectWithin = (conversation: Conversation, maxTokens: number): void => {
  const fullMarkdown = within(conversation, undefined).markdown;
  const { markdown, warning } = within(conversation, maxTokens);
  const limit = maxTokens * 4;
  if (Buffer.byteLength(fullMarkdown) <= limit) {
    expect(markdown).toBe(fullMarkdown);
    expect(warning).toBeUndefined();
    return;
  }
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(limit);
  expect(warning?.code).toBe('truncated');
  expect(markdown).toMatch(LAST_LINE);
  expect(markdown.isWellFormed()).toBe(true);
  const flat = readWithMdast(markdown);
  expect(strangeKindsIn(flat)).toEqual([]);
  // The notice is a paragraph: no fence, list or quote before it is unclosed.
  const notice = flat.at(-1);
  expect(typeof notice === 'object' && notice.kind).toBe('paragraph');
  expect(wordsIn(notice === undefined ? [] : [notice])).toMatch(/^(?:Part 1 of|The posts above)/);
};

const BUDGETS = [100, 101, 120, 150, 200, 300, 500, 800, 1200, 2000];

test.each(readablePosts)('the recorded conversation %s fits into every token budget', async (file) => {
  const conversation = await recordedConversation(file);
  for (const maxTokens of BUDGETS) expectWithin(conversation, maxTokens);
});

const longText = fc.array(hostileText, { minLength: 1, maxLength: 40 }).map((texts) => texts.join(' '));

const hostilePost: fc.Arbitrary<Post> = fc
  .tuple(hostileText, longText, fc.constantFrom('ada', '_______________', 'A23456789012345'))
  .map(([name, text, handle]) =>
    postOf({ author: userOf(name.repeat(3), handle), url: `https://x.com/${handle}/status/9223372036854775807`, text }),
  );

const hostileConversation: fc.Arbitrary<Conversation> = fc
  .record({
    post: hostilePost,
    ancestors: fc.array(hostilePost, { maxLength: 3 }),
    thread: fc.array(hostilePost, { maxLength: 3 }),
    replies: fc.array(hostilePost, { maxLength: 3 }),
    article: fc.option(fc.array(longText, { minLength: 1, maxLength: 5 }), { nil: undefined }),
  })
  .map(({ post, article, ...around }) =>
    conversationOf(
      {
        ...post,
        reposted_by: userOf('Someone'),
        ...(article !== undefined && {
          article: {
            title: 'Title',
            blocks: article.flatMap((text) => [
              { type: 'code' as const, text },
              { type: 'paragraph' as const, spans: [{ text }] },
            ]),
          },
        }),
      },
      around,
    ),
  );

test('hostile conversations fit into every token budget', () => {
  fc.assert(fc.property(hostileConversation, fc.integer({ min: 100, max: 2000 }), expectWithin), {
    numRuns: cases(25, 300),
  });
});

test('an Obsidian note fits into its token budget with its frontmatter', () => {
  fc.assert(
    fc.property(hostileConversation, fc.integer({ min: 100, max: 600 }), (conversation, maxTokens) => {
      const result = { value: conversation, source: 'recorded', fetchedAt: 0, warnings: [] };
      const { body } = renderResult(presentPost, result, { format: 'obsidian', maxTokens });
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxTokens * 4);
      expect(body).toMatch(/^---\n(?:title: ".*"|source: "https:\/\/x\.com\/\w+\/status\/[0-9]+")\n/);
    }),
    { numRuns: cases(20, 150) },
  );
});

const around = {
  ancestors: [postOf({ id: '1', text: 'a'.repeat(300) }), postOf({ id: '2', text: 'n'.repeat(300) })],
  thread: [postOf({ id: '3', text: 'b'.repeat(300) })],
  replies: [postOf({ id: '4', text: 'c'.repeat(300) })],
};

test('[parts 3] a post that its ancestors push out of part 1 is shown with what follows it', () => {
  const { markdown, warning } = within(conversationOf(postOf({ text: 'The post.' }), around), 200);
  expect(markdown).toContain('\nThe post.\n');
  expect(markdown).toContain('bbb');
  expect(markdown).not.toMatch(/aaa|nnn|ccc/);
  const way =
    'The posts above the first one here are left out. The whole text has 4 parts, from its start: ask again with part=1';
  expect(warning).toEqual({ code: 'truncated', message: `The Markdown was cut to fit max_tokens. ${way}` });
  expect(markdown.endsWith(`\n\n*${way}*\n`)).toBe(true);
});

test('[parts 3] part 1 is shown if it reaches the end of the post', () => {
  const { markdown } = within(conversationOf(postOf({ text: 'The post.' }), around), 400);
  expect(markdown).toMatch(/aaa[\s\S]+nnn[\s\S]+The post\.[\s\S]+\n\*Part 1 of 2\. Next: ask again with part=2\*\n$/);
});
