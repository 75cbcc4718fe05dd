// Checks that texts of third parties stay text on an HTML page and never become a tag or an attribute.
import { expect, test } from 'vitest';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { escapeHtml } from '../../../../shared/render/html/escape.ts';
import { conversationOf, postOf } from '../../../support/post-models.ts';
import { tagsOf } from '../tags.ts';

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
