// Checks the parts of a post on a page: bylines, counts, polls, cards, quotes, notes, sensitive media and articles.
import { describe, expect, test } from 'vitest';
import type { ArticleBlock, Poll, Post } from '../../../../shared/model/post.ts';
import type { User } from '../../../../shared/model/user.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { avatarHtml, nameHtml, unlinkedAvatarHtml } from '../../../../shared/render/html/person.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
import { pollHtml } from '../../../../shared/render/html/post-parts.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const BASE = 'https://postern.example';

const mainOf = (members: Partial<Post>, warnings: readonly string[] = []): string => {
  const options = { warnings: warnings.map((code) => ({ code, message: '' })) };
  return /<main[^>]*>(.*)<\/main>/s.exec(conversationHtml(conversationOf(postOf(members)), BASE, options))?.[1] ?? '';
};

const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, '');

const photo = { type: 'photo', url: 'https://pbs.twimg.com/media/A.jpg', width: 400, height: 300 } as const;

describe('an account', () => {
  const ada = (members: Partial<User> = {}): User => ({ ...userOf(), ...members });

  test.each([
    ['https://pbs.twimg.com/profile_images/1/a_normal.jpg', 'https://pbs.twimg.com/profile_images/1/a_x96.jpg'],
    ['https://pbs.twimg.com/profile_images/1/a_b_400x400.png', 'https://pbs.twimg.com/profile_images/1/a_b_x96.png'],
    ['https://pbs.twimg.com/profile_images/1/a.jpg', 'https://pbs.twimg.com/profile_images/1/a_x96.jpg'],
    ['https://abs.twimg.com/sticky/default_normal.png', 'https://abs.twimg.com/sticky/default_normal.png'],
  ])('the picture %s is loaded as %s, over the letter that a missing picture leaves', (avatar_url, src) => {
    expect(unlinkedAvatarHtml(ada({ avatar_url }))).toBe(
      `<span class="face" aria-hidden="true">A<img src="${src}" alt="" loading="lazy"></span>`,
    );
  });

  test('its picture is a link that keyboards and screen readers skip', () => {
    expect(avatarHtml(ada())).toBe('<a href="/ada" class="face" tabindex="-1" aria-hidden="true">A</a>');
    expect(avatarHtml(ada({ handle: 'search' }))).toBe('<span class="face" aria-hidden="true">A</span>');
  });

  test.each([
    ['', 'ada', 'A'],
    ['🌸 ñandú', 'ada', 'Ñ'],
    ['🌸', '_9lives', '9'],
    ['𝐀da', 'ada', '𝐀'],
    ['<b>', 'ada', 'B'],
    ['🌸', '___', '@'],
  ])('without a picture from X the account %j @%s has the letter %s', (name, handle, letter) => {
    const avatar_url = 'https://tracker.example/a.jpg';
    expect(textOf(unlinkedAvatarHtml(ada({ name, handle, avatar_url })))).toBe(letter);
  });

  test('without a name it has its handle, and marks have words', () => {
    expect(nameHtml(ada({ name: ' \u200b' }))).toBe('<a href="/ada"><bdi>ada</bdi></a>');
    expect(nameHtml(ada({ verified: true, protected: true })).match(/aria-label="\w+"/g)).toEqual([
      'aria-label="verified"',
      'aria-label="protected"',
    ]);
  });
});

describe('the page of a post', () => {
  test('sensitive media is closed and says who marks media', () => {
    const html = mainOf({ sensitive: true, media: [photo, photo] });
    expect(html).toContain(
      '<details class="veil"><summary>Sensitive pictures, marked by the author or by X. Show</summary><div class="media many">',
    );
    expect(html.match(/<img [^>]*media\/A[^>]*>/g)?.every((image) => image.includes('loading="lazy"'))).toBe(true);
  });

  test('a community note links the URLs in it without the punctuation after them', () => {
    expect(mainOf({ community_note: { text: 'See https://a.example/b(c). Or http://' } })).toContain(
      'See <a href="https://a.example/b" rel="nofollow noopener">https://a.example/b</a>(c). Or http://</p></aside>',
    );
  });

  test('the URL of the quoted post at the end of the text is not repeated', () => {
    const quote = postOf({ id: '19' });
    const url = 'https://x.com/ada/status/19';
    expect(mainOf({ text: `See ${url}`, links: [{ url }], quote })).toContain('dir="auto">See</p>');
    expect(postItemHtml(postOf({ text: `See ${url}`, links: [{ url }], quote }))).toContain('dir="auto">See</p>');
    expect(mainOf({ text: `${url} says`, links: [{ url }], quote })).toContain(
      `<a href="/ada/status/19">${url}</a> says</p>`,
    );
  });

  test('a long quote is cut and leads to the rest', () => {
    const html = mainOf({ quote: postOf({ id: '19', text: 'word '.repeat(500) }) });
    expect(html).toContain('<a href="/ada/status/19" class="on">Read on, 2 min</a>');
    expect(html.match(/word/g)?.length).toBeLessThan(110);
  });

  test('warnings are sentences for readers, and only what may pass is asked again', () => {
    expect(
      mainOf({}, ['conversation_unavailable', 'fallback_answered', 'replies_unavailable']).match(
        /<p class="note">.*?<\/p>/g,
      ),
    ).toEqual([
      '<p class="note">The conversation could not be read just now: replies are left out, and the thread may lack posts. <a href="/ada/status/20">Ask again</a></p>',
      '<p class="note">Replies cannot be read just now: none are listed.</p>',
    ]);
  });

  test('an unknown warning code has no note', () => {
    expect(mainOf({}, ['constructor', '<b>'])).not.toContain('class="note"');
  });
});

describe('a poll', () => {
  const poll = (...choices: Poll['choices']): string => pollHtml({ choices, total_votes: null });

  test('an impossible share stays within its bar and an unknown one has none', () => {
    expect(poll({ label: 'a', votes: 1, percentage: 250 })).toContain('width="100%"');
    expect(poll({ label: 'a', votes: 1, percentage: -3 })).toContain('width="0%"');
    expect(poll({ label: 'a', votes: 12, percentage: null })).toBe(
      '<ul class="poll"><li><span dir="auto">a</span><span>12 votes</span></li></ul>',
    );
  });
});

describe('an article', () => {
  const heading = (text: string, level = 1): ArticleBlock => ({ type: 'heading', level, spans: [{ text }] });
  const story = (blocks: ArticleBlock[]): string =>
    conversationHtml(
      conversationOf(postOf({ text: '', lang: 'en', article: { title: 'Essay <1>', cover_url: photo.url, blocks } })),
      BASE,
    );

  test('has contents for two sections or more, with ids that no author writes', () => {
    const html = story([heading('main'), heading('below', 2), heading('<b>')]);
    expect(/<nav class="plan".*?<\/nav>/.exec(html)?.[0]).toBe(
      '<nav class="plan" aria-label="Contents"><ol><li><a href="#s1" dir="auto">main</a></li><li><a href="#s3" dir="auto">&lt;b&gt;</a></li></ol></nav>',
    );
    expect(html.match(/<h[23] id="s\d"/g)).toEqual(['<h2 id="s1"', '<h3 id="s2"', '<h2 id="s3"']);
    expect(story([heading('one'), heading('below', 2)])).not.toContain('<nav class="plan"');
  });

  test('code can be focused and is not markup, a divider is a rule, list items are one list', () => {
    const html = story([
      { type: 'code', language: 'js', text: '<b>\n  x' },
      { type: 'divider' },
      { type: 'list_item', ordered: true, spans: [{ text: 'one' }] },
      { type: 'list_item', ordered: true, spans: [{ text: 'two', bold: true }] },
      { type: 'list_item', ordered: false, spans: [{ text: 'three', url: 'https://x.com/jack' }] },
    ]);
    expect(html).toContain(
      '<pre tabindex="0" role="group" aria-label="js"><code>&lt;b&gt;\n  x</code></pre><hr><ol><li dir="auto">one</li><li dir="auto"><strong>two</strong></li></ol><ul><li dir="auto"><a href="/jack">three</a></li></ul>',
    );
  });
});

describe('an item of a list', () => {
  test('an article is its title and first words with the reading time', () => {
    const html = postItemHtml(
      postOf({
        text: '',
        article: { title: 'Essay', blocks: [{ type: 'paragraph', spans: [{ text: 'word '.repeat(2300) }] }] },
      }),
    );
    expect(html).toContain(' · Article, 10 min</span>');
    expect(html).toContain(
      '<p class="title" dir="auto"><a href="/ada/status/20">Essay</a></p><p class="text" dir="auto">word',
    );
    expect(html.match(/word/g)?.length).toBeLessThan(110);
  });
});
