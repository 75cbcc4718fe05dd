// Checks that a page shows a thread as one text, from each of its parts, with its context and its gaps.
import { describe, expect, test } from 'vitest';
import type { Post, PostOrTombstone } from '../../../../shared/model/post.ts';
import type { Conversation } from '../../../../shared/model/resources.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { presentPost } from '../../../../shared/render/presenters/present-post.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const BASE = 'https://postern.example';

const part = (number: number, members: Partial<Post> = {}): Post =>
  postOf({
    id: String(100 + number),
    url: `https://x.com/ada/status/${100 + number}`,
    text: `${number}/ words`,
    metrics: { likes: 10 * number, reposts: 0, replies: number, quotes: null, bookmarks: 7, views: null },
    ...(number > 1 && { in_reply_to: { handle: 'ada', id: String(99 + number) } }),
    ...members,
  });

const parts = (count: number): Post[] => Array.from({ length: count }, (_, index) => part(index + 1));

/** Asks for one part of a thread. */
const askedFor = (all: readonly PostOrTombstone[], index: number, around: Partial<Conversation> = {}): Conversation => {
  const post = all[index];
  if (post === undefined || 'unavailable' in post) throw new Error('not a post');
  return conversationOf(post, { ancestors: all.slice(0, index), thread: all.slice(index + 1), ...around });
};

const mainOf = (conversation: Conversation, warnings: readonly string[] = []): string => {
  const html = conversationHtml(conversation, BASE, { warnings: warnings.map((code) => ({ code, message: '' })) });
  return /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';
};

const count = (html: string, piece: string): number => html.split(piece).length - 1;

const figuresOf = (html: string): string | undefined =>
  /<p class="figures">((?:(?!<p ).)*?)<\/p><\/article>\n<nav class="sill"/s.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '');

describe('a thread', () => {
  test('has one byline, one line of figures and every part once, in order', () => {
    const html = mainOf(askedFor(parts(4), 0));
    expect(count(html, 'class="by"')).toBe(1);
    expect(html.match(/id="p\d+"/g)).toEqual(['id="p1"', 'id="p2"', 'id="p3"', 'id="p4"']);
    expect(html.match(/\d\/ words/g)?.slice(0, 4)).toEqual(['1/ words', '2/ words', '3/ words', '4/ words']);
    expect(figuresOf(html)).toBe('Thread of 4 posts · 1 reply · 10 likes');
  });

  test('the number of each part but the first leads to its own page', () => {
    const html = mainOf(askedFor(parts(3), 0));
    expect(html.match(/<a href="[^"]*" class="n"/g)).toEqual([
      '<a href="/ada/status/102" class="n"',
      '<a href="/ada/status/103" class="n"',
    ]);
    expect(html).not.toContain('asked');
    expect(html).not.toContain('The link was to');
  });

  test('asked from the middle, it is the whole thread and names the part that the link named', () => {
    const html = mainOf(askedFor(parts(4), 2, { replies: [postOf({ id: '300', author: userOf('Bo', 'bo') })] }));
    expect(html.match(/id="p\d+"/g)).toHaveLength(4);
    expect(html).toContain('The link was to post 3 of this thread. <a href="#p3">Go to it</a>');
    expect(html).toContain(
      '<section class="part asked" id="p3"><a href="/ada/status/103" class="n" aria-label="Post 3 of 4, the one that the link named" aria-current="true">',
    );
    expect(count(html, 'asked"')).toBe(1);
    expect(figuresOf(html)).toBe('Thread of 4 posts · counts of post 3 · 3 replies · 30 likes');
    expect(html).toContain('<h2>Replies to post 3 <small>1 of 2</small></h2>');
    expect(html).toContain('<header class="by">');
    expect(html).toContain('href="/ada/status/101"><time');
  });

  test('the title begins with the words of the part that was asked for', () => {
    expect(conversationHtml(askedFor(parts(4), 2), BASE)).toContain('<title>Ada: 3/ words · Postern</title>');
  });

  test('a missing part keeps its place and its number', () => {
    const [one, , three] = parts(3);
    if (one === undefined || three === undefined) throw new Error('no parts');
    const html = mainOf(askedFor([one, { id: '102', unavailable: true, reason: 'deleted' }, three], 2));
    expect(html).toMatch(
      /id="p2"><a href="\/i\/status\/102" class="n" aria-label="Post 2 of 3">2<\/a>.*<span>This part of the thread was deleted\.<\/span>/,
    );
    expect(html).toContain('Thread of 3 posts');
  });

  test('a part of another day than the part before has a line with its day', () => {
    const next = part(2, { created_at: '2026-03-03T00:01:00Z' });
    const html = mainOf(askedFor([part(1), next, part(3, { created_at: '2026-03-03T09:00:00Z' })], 0));
    expect(html.match(/<p class="meta day">.*?<\/p>/g)).toEqual([
      '<p class="meta day"><time datetime="2026-03-03T00:01:00Z">3 March 2026</time></p>',
    ]);
  });

  test('posts of others before the thread are its context', () => {
    const other = postOf({ id: '50', author: userOf('Bo', 'bo'), text: 'a question' });
    const first = part(1, { in_reply_to: { handle: 'bo', id: '50' } });
    const html = mainOf(conversationOf(part(2), { ancestors: [other, first] }));
    expect(html).toMatch(
      /^\n<section class="context" aria-label="In reply to">.*a question.*<\/section><article class="focal">/s,
    );
    expect(figuresOf(html)).toBe('Thread of 2 posts · counts of post 2 · 2 replies · 20 likes');
  });

  test('a thread that may be longer says so and lets readers ask again', () => {
    const html = mainOf(askedFor(parts(2), 0), ['thread_incomplete']);
    expect(html).toContain('Thread of 2 posts or more');
    expect(html).toContain('<a href="/ada/status/101">Ask again</a></p>');
  });

  test('a page of 20 parts is smaller than 30 kB', () => {
    const text = 'Some words about how to build a hydrophone from parts that any shop for electronics sells today. '
      .repeat(3)
      .slice(0, 280);
    const thread = parts(20).map((post) => ({ ...post, text }));
    expect(Buffer.byteLength(conversationHtml(askedFor(thread, 0), BASE))).toBeLessThan(30_000);
  });
});

describe('the context of a post', () => {
  const ancestors = (length: number): Post[] =>
    Array.from({ length }, (_, index) =>
      postOf({ id: String(200 + index), author: userOf(`Name ${index}`, `name${index}`), text: `ancestor ${index}` }),
    );

  test('the nearest three are shown and the others are folded', () => {
    const html = mainOf(conversationOf(postOf(), { ancestors: ancestors(5) }));
    const [folded = '', open = ''] = html.split('</details>');
    expect(folded).toContain('<summary>2 earlier posts</summary>');
    expect(folded.match(/ancestor \d/g)).toEqual(['ancestor 0', 'ancestor 1']);
    expect(open.match(/ancestor \d/g)).toEqual(['ancestor 2', 'ancestor 3', 'ancestor 4']);
  });

  test('only the nearest is never cut', () => {
    const long = ancestors(2).map((post) => ({ ...post, text: 'word '.repeat(200) }));
    const html = mainOf(conversationOf(postOf({ text: 'x' }), { ancestors: long }));
    expect(count(html, 'Read on, 1 min')).toBe(1);
    expect(count(html, 'word '.repeat(199))).toBe(1);
  });

  test('without ancestors the post that is answered is linked', () => {
    const html = mainOf(conversationOf(postOf({ in_reply_to: { handle: 'bo', id: '7' } })));
    expect(html).toContain('<p>In reply to <a href="/bo/status/7">@bo</a></p>');
  });

  test.each([
    ['deleted', 'was deleted'],
    ['suspended', 'is by a suspended account'],
    ['protected', 'is protected: only followers of its author can read it'],
    ['unknown', 'is not available'],
  ] as const)('a tombstone with the reason %s keeps its place', (reason, words) => {
    const html = mainOf(conversationOf(postOf(), { ancestors: [{ id: '9', unavailable: true, reason }] }));
    expect(html).toContain(`<span>The post that was here ${words}.</span>`);
  });
});

describe('replies', () => {
  const reply = (likes: number, members: Partial<Post> = {}): Post =>
    postOf({
      id: String(400 + likes),
      author: userOf('Bo', 'bo'),
      created_at: '2026-03-02T11:00:00Z',
      metrics: { likes, reposts: 9, replies: 0, quotes: null, bookmarks: null, views: 9 },
      ...members,
    });
  const heading = (replies: readonly PostOrTombstone[]): string | undefined =>
    /<section class="list" id="replies"><h2>(.*?)<\/h2>/.exec(
      mainOf(conversationOf(postOf(), { replies: [...replies] })),
    )?.[1];

  test.each<[string, readonly PostOrTombstone[], string]>([
    ['the most liked first', [reply(9), reply(3)], '2, most liked first'],
    ['the author in between', [reply(9), reply(99, { author: userOf() }), reply(3)], '3, most liked first'],
    ['the newest first', [reply(3, { created_at: '2026-03-03T11:00:00Z' }), reply(9)], '2, newest first'],
    ['no order', [reply(3), reply(9)], '2'],
    ['equal counts', [reply(3), reply(3)], '2'],
  ])('the heading says the order of the replies: %s', (_, replies, words) => {
    expect(heading(replies)).toBe(`Replies <small>${words}</small>`);
  });

  test('a reply shows likes and replies only, and answers of the author say so', () => {
    const html = mainOf(conversationOf(postOf(), { replies: [reply(5), reply(4, { author: userOf('Ada', 'ADA') })] }));
    expect(html.match(/<p class="figures">[^<]*<\/p>/g)?.slice(-2)).toEqual([
      '<p class="figures">5 likes</p>',
      '<p class="figures">4 likes</p>',
    ]);
    expect(count(html, ' · the author</span>')).toBe(1);
  });

  test('the number of replies leads to them, or to their own page if they are not on this one', () => {
    expect(mainOf(conversationOf(postOf(), { replies: [reply(1)] }))).toContain('<a href="#replies">2 replies</a>');
    expect(mainOf(conversationOf(postOf()))).toContain(
      '<p class="figures"><a href="/ada/status/20/replies">2 replies</a> · 1 like · 3,000 views</p>',
    );
  });

  test('[lists 8] the numbers of reposts and quotes lead to their pages', () => {
    const metrics = { likes: 1, reposts: 3, replies: 0, quotes: 2, bookmarks: null, views: null };
    const figures =
      '<a href="/ada/status/20/retweets">3 reposts</a> · <a href="/ada/status/20/quotes">2 quotes</a> · 1 like</p>';
    expect(mainOf(conversationOf(postOf({ metrics })))).toContain(`<p class="figures">${figures}`);
    const thread = mainOf(conversationOf(postOf({ metrics }), { thread: [postOf({ id: '21' })] }));
    expect(thread).toContain(`Thread of 2 posts · ${figures}`);
  });

  test('[threads 2] the page has the counts of the warning about missing replies, also if it shows none', () => {
    const view = (value: Conversation, message: string): string => {
      const warnings = [{ code: 'more_replies', message }];
      return (
        presentPost(
          { value, source: 'fxtwitter', fetchedAt: 0, warnings },
          { baseUrl: BASE, pageUrl: () => BASE },
        ).html?.() ?? ''
      );
    };
    const none = view(conversationOf(postOf()), '0 of 9000 replies are shown. All replies: /api/v1/posts/20/replies.');
    expect(none).toContain(
      '<section class="list" id="replies"><h2>Replies <small>0 of 9,000</small></h2><a href="/ada/status/20/replies" class="more">All replies</a></section>',
    );
    const nested = [reply(9), reply(3, { in_reply_to: { handle: 'bo', id: '409' } })];
    const some = view(conversationOf(postOf(), { replies: nested }), '1 of 2 replies are shown. All');
    expect(some).toContain('<small>1 of 2, most liked first</small>');
  });

  test('[threads 2] a page without replies and without the warning has no section of replies', () => {
    expect(mainOf(conversationOf(postOf()))).not.toContain('id="replies"');
  });

  test.each([
    ['more than the page has', 3, 2, true],
    ['as many as the page has', 2, 2, false],
    ['unknown, and the page is full', null, 20, true],
    ['unknown, and the page is not full', null, 19, false],
  ] as const)('[lists 8] a link to all replies follows them if their number is %s', (_, all, shown, isLinked) => {
    const metrics = { likes: 1, reposts: 0, replies: all, quotes: null, bookmarks: null, views: null };
    const replies = Array.from({ length: shown }, (__, index) => reply(index));
    const html = mainOf(conversationOf(postOf({ metrics }), { replies }));
    expect(html.includes('</article><a href="/ada/status/20/replies" class="more">All replies</a></section>')).toBe(
      isLinked,
    );
  });
});
