// Checks how the page of a post counts and links its replies, and what it links for readers who keep it.
import { describe, expect, test } from 'vitest';
import type { RepliesCount } from '../../../../shared/model/conversation.ts';
import type { Post } from '../../../../shared/model/post.ts';
import type { Conversation } from '../../../../shared/model/resources.ts';
import { presentPost } from '../../../../shared/reads/post/present.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const BASE = 'https://postern.example';

describe('replies', () => {
  const reply = (likes: number, members: Partial<Post> = {}): Post =>
    postOf({
      id: String(400 + likes),
      author: userOf('Bo', 'bo'),
      created_at: '2026-03-02T11:00:00Z',
      metrics: { likes, reposts: 9, replies: 0, quotes: null, bookmarks: null, views: 9 },
      ...members,
    });

  test('[threads 2] the page has the counts of the missing replies, also if it shows none', () => {
    const view = (value: Conversation, missingReplies: RepliesCount): string => {
      const result = { value, source: 'fxtwitter', fetchedAt: 0, warnings: [], missingReplies };
      return String(presentPost(result, { baseUrl: BASE, pageUrl: () => BASE }).html?.());
    };
    const none = view(conversationOf(postOf()), { shown: 0, inThread: 0, total: 9000 });
    expect(none).toContain(
      '<section class="list" id="replies"><h2>Replies <small>0 of 9,000</small></h2><a href="/ada/status/20/replies" class="more">All replies</a><p class="hint"><a href="/ada/status/20/conversation">The whole conversation</a></p></section>',
    );
    const nested = [reply(9), reply(3, { in_reply_to: { handle: 'bo', id: '409' } })];
    const some = view(conversationOf(postOf(), { replies: nested }), { shown: 1, inThread: 0, total: 2 });
    expect(some).toContain('<small>1 of 2, most liked first</small>');
  });

  test.each([
    ['more than the page has', 3, 2, true],
    ['as many as the page has', 2, 2, false],
    ['unknown, and the page is full', null, 20, true],
    ['unknown, and the page is not full', null, 19, false],
  ] as const)('[lists 8] a link to all replies follows them if their number is %s', (_, all, shown, isLinked) => {
    const metrics = { likes: 1, reposts: 0, replies: all, quotes: null, bookmarks: null, views: null };
    const replies = Array.from({ length: shown }, (__, index) => reply(index));
    const html = String(conversationHtml(conversationOf(postOf({ metrics }), { replies }), BASE));
    expect(html.includes('</article><a href="/ada/status/20/replies" class="more">All replies</a>')).toBe(isLinked);
  });
});

test('a page of one post links its book, its file and a note, whose parameters hold any text', () => {
  const text = 'Tom & "Jerry" <b>\n?#&content=x ![a](https://tracker.example/a.png) [[note]]';
  const html = String(conversationHtml(conversationOf(postOf({ text })), BASE));
  const [, href = ''] = / href="(obsidian:[^"]+)"/.exec(html) ?? [];
  const { searchParams } = new URL(href.replaceAll('&amp;', '&'));
  expect([...searchParams.keys()]).toEqual(['name', 'content']);
  const content = searchParams.get('content') ?? '';
  expect(content).toContain('> Tom & "Jerry" \\<b>');
  expect(content).toContain('\n> ?\\#&content=x');
  expect(content).toMatch(/\n\nhttps:\/\/x\.com\/ada\/status\/20\n$/);
  // Obsidian would load a picture of the text, and link a note of the reader.
  expect(content).not.toMatch(/(?<!\\)!\[|(?<!\\)\[\[/);
  expect(searchParams.get('name')).not.toMatch(/[\\/:*?"<>|#^[\]]/);
  expect(html).toContain(
    '<p>Keep as <a href="/ada/status/20?format=epub">Book (EPUB)</a><a href="/ada/status/20?download=1">HTML file</a>',
  );
});

test('[reading 3] a page reads as other formats, a whole thread is kept as a note, and its URL is marked at one tap', () => {
  const thread = [1, 2].map((number) =>
    postOf({ id: `2${number}`, in_reply_to: { handle: 'ada', id: `${19 + number}` } }),
  );
  const html = String(conversationHtml(conversationOf(postOf(), { thread }), BASE));
  expect(html).toContain(
    `<p>Read as <a href="${BASE}/ada/status/20?format=markdown">Markdown</a><a href="${BASE}/ada/status/20?format=json">JSON</a></p>`,
  );
  expect(html).toContain('<a href="/ada/status/20?format=obsidian&amp;layout=unrolled" download>Note</a></p>');
  expect(html).not.toContain('obsidian:');
  expect(html).toContain('<details><summary>Cite</summary><dl><div><dt>Markdown link</dt>');
  expect(html).toContain(`</nav><p class="addr"><code>${BASE}/ada/status/20</code></p>`);
  expect(html).toMatch(/\.addr code\{[^}]*;user-select:all\}/);
});

test('each part of a thread says when it was written, and its number opens the page at it', () => {
  const part = (id: string, minute: string): Post => {
    const answered = { handle: 'ada', id: String(Number(id) - 1) };
    return postOf({ id, created_at: `2026-03-02T10:${minute}:00Z`, ...(id !== '20' && { in_reply_to: answered }) });
  };
  const [first, second, third] = [part('20', '00'), part('21', '07'), part('22', '09')];
  const html = String(conversationHtml(conversationOf(second, { ancestors: [first], thread: [third] }), BASE));
  expect(html).toContain('The link was to post 2 of this thread, of 2 March 2026, 10:07 UTC. <a href="#p2">');
  expect(html).toContain(
    '<a href="/ada/status/21#p2" class="n" title="2 March 2026, 10:07 UTC" aria-label="Post 2 of 3,',
  );
  expect(html).toContain(
    '<a href="/ada/status/22#p3" class="n" title="2 March 2026, 10:09 UTC" aria-label="Post 3 of 3"',
  );
  expect(html).toContain(' id="p3"');
});
