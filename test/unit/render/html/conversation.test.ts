// Checks that texts of third parties stay text on an HTML page and never become a tag or an attribute.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Conversation } from '../../../../shared/model/resources.ts';
import { cutOffset } from '../../../../shared/render/content/cut.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { escapeHtml } from '../../../../shared/render/html/escape.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { expectTextOnly, tagsOf } from '../tags.ts';

const conversationWith = (text: string): Conversation =>
  conversationOf(
    postOf({
      text,
      lang: 'en',
      author: userOf(text),
      media: [
        { type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', alt_text: text },
        { type: 'video', url: 'https://video.twimg.com/a.mp4', alt_text: text },
      ],
      poll: { choices: [{ label: text, votes: 1, percentage: 100 }], total_votes: 1 },
      card: { url: 'https://card.example/?a="b"&c', title: text },
      quote: postOf({ author: userOf(text), text }),
      community_note: { text },
      article: { title: text, preview_text: text, blocks: [] },
    }),
    { replies: [postOf({ text, author: userOf(text) })] },
  );

const page = (text: string): string => conversationHtml(conversationWith(text), 'https://postern.example');

test('[text 5] [text 10] an HTML page shows each hostile fragment as text', () => {
  for (const fragment of hostileFragments) expectTextOnly(page, `a${fragment}`);
});

test('[text 5] [text 10] an HTML page shows hostile texts as text', () => {
  fc.assert(
    fc.property(
      // A cut adds a link to the rest.
      hostileText.map((text) => `a${text}`).filter((text) => cutOffset(text) === undefined),
      (text) => expectTextOnly(page, text),
    ),
    { numRuns: cases(300, 3000) },
  );
});

test('[text 5] escapeHtml escapes markup and quotes', () => {
  expect(escapeHtml(`<b title="x" class='y'>&amp;</b>`)).toBe(
    '&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;',
  );
});

test('[text 7] escapeHtml removes invisible characters', () => {
  expect(escapeHtml('a\u202eb\u{e0041}\u0000c')).toBe('abc');
});

test('[text 4] an HTML page loads pictures only from hosts of X', () => {
  const page = (url: string): string =>
    conversationHtml(
      conversationOf(postOf({ media: [{ type: 'photo', url, alt_text: 'A fjord' }] })),
      'https://postern.example',
    );
  expect(page('https://pbs.twimg.com/media/a.jpg')).toContain(
    '<img src="https://pbs.twimg.com/media/a.jpg?name=small" class="unsized" width="680" height="453" alt="A fjord"',
  );
  for (const elsewhere of [
    'https://tracker.example/a.jpg',
    'https://pbs.twimg.com.evil.example/a.jpg',
    'http://pbs.twimg.com/a.jpg',
  ]) {
    expect(page(elsewhere)).not.toContain('<img');
    expect(page(elsewhere)).not.toContain(`content="${elsewhere}`);
  }
});

test('a post without author, text and picture has an HTML page', () => {
  const { author: _, ...anonymous } = postOf({ text: '' });
  expect(tagsOf(conversationHtml(conversationOf(anonymous), ''))).toContain('article class');
});

test('every external link has rel nofollow noopener and every image but the first loads lazily', () => {
  const html = conversationHtml(
    conversationOf(
      postOf({
        links: [{ url: 'https://a.example/' }],
        text: 'See https://a.example/',
        media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }],
        article: {
          title: 'Essay',
          blocks: [
            { type: 'paragraph', spans: [{ text: 'here', url: 'https://b.example/' }] },
            { type: 'post', id: '20', url: 'https://x.com/i/status/20' },
            { type: 'media', media: { type: 'photo', url: 'https://pbs.twimg.com/media/b.jpg' } },
          ],
        },
      }),
    ),
    'https://postern.example',
  );
  const internalLink = /href="(?:#|\/|https:\/\/postern\.example\/[^"]+)/;
  const anchors = (html.match(/<a [^>]*>/g) ?? []).filter((anchor) => !internalLink.test(anchor));
  expect(anchors).toEqual([
    '<a href="https://b.example/" rel="nofollow noopener">',
    '<a href="https://pbs.twimg.com/media/b.jpg?name=large" rel="nofollow noopener">',
    '<a href="https://a.example/" rel="nofollow noopener">',
    '<a href="https://pbs.twimg.com/media/a.jpg?name=large" rel="nofollow noopener">',
    '<a href="https://x.com/ada/status/20" rel="nofollow noopener" class="out">',
  ]);
  const images = html.match(/<img [^>]*>/g) ?? [];
  expect(images.map((image) => image.includes(' loading="lazy"'))).toEqual([true, false]);
});
