// Checks the thread as one text (`layout=unrolled`): its note, its budget and hostile texts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Post, PostOrTombstone } from '../../../../shared/model/post.ts';
import type { Conversation } from '../../../../shared/model/resources.ts';
import { presentPost } from '../../../../shared/reads/post/present.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/context.ts';
import { conversationMarkdown } from '../../../../shared/render/markdown/conversation.ts';
import { hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { renderList } from '../../../support/list-models.ts';
import { textSource } from '../../../support/plain-counterpart.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { expectFaithful } from '../faithfulness.ts';

const unrolled = (conversation: Conversation, maxTokens?: number) =>
  conversationMarkdown(createMarkdownContext('markdown'), conversation, { layout: 'unrolled', maxTokens });

const part = (number: number, members: Partial<Post> = {}): Post =>
  postOf({
    id: String(number),
    url: `https://x.com/ada/status/${number}`,
    text: `Part ${number}.`,
    metrics: { likes: number, reposts: null, replies: null, quotes: null, bookmarks: null, views: null },
    ...(number > 1 && { in_reply_to: { handle: 'ada', id: String(number - 1) } }),
    ...members,
  });

const askedFrom = (entries: readonly PostOrTombstone[], index: number): Conversation => {
  const post = entries[index];
  if (post === undefined || 'unavailable' in post) throw new Error(`no post at ${index}`);
  return conversationOf(post, { ancestors: entries.slice(0, index), thread: entries.slice(index + 1) });
};

const PARTS = [1, 2, 3].map((number) => part(number));

const BRANCHED = [...PARTS, part(4, { in_reply_to: { handle: 'ada', id: '1' } }), part(5)];
const FROM_FIRST = '*Another branch, from* <https://x.com/ada/status/1>\n\nPart 4.';

test.each([0, 1, 4])('[text 18] a part that begins another branch names where, from part %i', (index) => {
  const conversation = askedFrom(BRANCHED, index);
  const conversational = conversationMarkdown(createMarkdownContext('markdown'), conversation, {
    layout: 'conversation',
  });
  expect(unrolled(conversation).markdown.split('Another branch')).toHaveLength(2);
  expect(unrolled(conversation).markdown).toContain(`Part 3.\n\n${FROM_FIRST}\n\nPart 5.`);
  // The posts before the post have their bylines and say what they answer.
  if (index < 3) expect(conversational.markdown).toContain(FROM_FIRST);
  const page = String(conversationHtml(conversation, 'https://postern.example'));
  expect(page.split('Another branch')).toHaveLength(2);
  expect(page).toMatch(
    /id="p4">.{0,200}<p class="meta">Another branch, from <a href="#p1">post 1<\/a><\/p>.{0,80}Part 4\./s,
  );
});

test.each<readonly [string, readonly PostOrTombstone[]]>([
  ['one branch', PARTS],
  ['a part that cannot be read', [part(1), { id: '2', unavailable: true, reason: 'deleted' }, part(3)]],
  ['a part that answers an unseen post', [part(1), part(2, { in_reply_to: { handle: 'ada', id: '99' } })]],
  ['a part that answers a later one', [part(1), part(2, { in_reply_to: { handle: 'ada', id: '3' } }), part(3)]],
])('[text 18] a thread of %s names no branch', (_, parts) => {
  expect(unrolled(askedFrom(parts, 0)).markdown).not.toContain('branch');
});

test('a part has no mention of the author whom it continues', () => {
  const more = part(2, { text: '@ada More.', mentions: ['ada'] });
  expect(unrolled(askedFrom([part(1), more], 1)).markdown).toContain('\n\nPart 1.\n\nMore.\n\nThread of 2 posts · ');
});

test('a note is about the first part, whichever part was asked for', () => {
  const bodies = PARTS.map((_, index) => {
    const { body, headers } = renderList(presentPost, askedFrom(PARTS, index), {
      format: 'obsidian',
      layout: 'unrolled',
    });
    return `${headers['Content-Disposition']}\n${body}`;
  });
  expect(bodies[0]).toMatch(
    /^inline; filename="Ada - Part 1\.md"\n---\ntitle: "Ada: Part 1\."\n[\s\S]*\nsource: "https:\/\/x\.com\/ada\/status\/1"\n/,
  );
  expect(new Set(bodies).size).toBe(1);
});

test.each([0, 1, 2, 3])(
  'a budget of the length of the document leaves nothing out, with %i characters more',
  (more) => {
    const thread = askedFrom([part(1, { text: 'o'.repeat(400 + more) }), part(2)], 0);
    const budget = Math.ceil(Buffer.byteLength(unrolled(thread).markdown) / 4);
    expect(unrolled(thread, budget).warning).toBeUndefined();
    expect(unrolled(thread, budget - 1).warning?.code).toBe('truncated');
  },
);

test('the thread is kept before the context if that would push its first part out of the answer', () => {
  const other = postOf({ id: '8', author: userOf('Bo', 'bo'), text: 'o'.repeat(600) });
  const first = part(10, { in_reply_to: { handle: 'bo', id: '8' } });
  const rest = part(11, { text: 'p'.repeat(300), in_reply_to: { handle: 'ada', id: '10' } });
  const { markdown } = unrolled(conversationOf(first, { ancestors: [other], thread: [rest] }), 200);
  expect(markdown).toContain('ppp');
  expect(markdown).not.toContain('ooo');
  expect(markdown).toContain('*The posts above the first one here are left out. The whole text has 2 parts');
});

test('a first part that is too long is divided', () => {
  const { markdown } = unrolled(askedFrom([part(1, { text: 'word '.repeat(400) }), part(2)], 1), 150);
  expect(markdown).toMatch(/^# Ada \(@ada\)\n\nword word [^\n]+ word\n\n\*Part 1 of 4\. /);
});

test('[text 1] hostile texts forge no structure across parts', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 3, maxLength: 3 }), (texts) =>
      expectFaithful((writeText) => {
        const next = textSource(texts, writeText);
        const entries = [1, 2, 3].map((number) => part(number, { text: next('paragraphs') }));
        return unrolled(askedFrom(entries, 1)).markdown;
      }),
    ),
    { numRuns: cases(60, 300) },
  );
});
