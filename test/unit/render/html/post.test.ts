// Checks the parts of a post on a page: bylines, counts, polls, cards, quotes, notes, sensitive media and articles.
import { describe, expect, test } from 'vitest';
import type { ArticleBlock, Post } from '../../../../shared/model/post.ts';
import type { User } from '../../../../shared/model/user.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { unlinkedAvatarHtml } from '../../../../shared/render/html/person.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
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
});

test('the URL of the quoted post at the end of the text is not repeated on the page', () => {
  const quote = postOf({ id: '19' });
  const url = 'https://x.com/ada/status/19';
  expect(mainOf({ text: `See ${url}`, links: [{ url }], quote })).toContain('dir="auto">See</p>');
  expect(postItemHtml(postOf({ text: `See ${url}`, links: [{ url }], quote }))).toContain('dir="auto">See</p>');
  expect(mainOf({ text: `${url} says`, links: [{ url }], quote })).toContain(
    `<a href="/ada/status/19">${url}</a> says</p>`,
  );
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
});
