// Checks the parts of a post on a page: bylines, quotes, articles, community and translation.
import { describe, expect, test } from 'vitest';
import type { ArticleBlock, Post } from '../../../../shared/model/post.ts';
import type { User } from '../../../../shared/model/user.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { unlinkedAvatarHtml } from '../../../../shared/render/html/person.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const BASE = 'https://postern.example';

const mainOf = (members: Partial<Post>, around: Parameters<typeof conversationOf>[1] = {}): string =>
  /<main[^>]*>(.*)<\/main>/s.exec(conversationHtml(conversationOf(postOf(members), around), BASE))?.[1] ?? '';

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

const community = { id: '15', name: 'Slow <Cyclists>' };
const COMMUNITY =
  'in <a href="https://x.com/i/communities/15" rel="nofollow noopener"><bdi>Slow &lt;Cyclists&gt;</bdi></a>';

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

test('the community of a post is named once in a conversation within one community', () => {
  const other = (id: string, name?: string): Post =>
    postOf({ id, author: userOf('Bo', 'bo'), community: name === undefined ? community : { id: '16', name } });
  const html = mainOf({ community }, { ancestors: [other('1')], replies: [other('30'), other('31', 'Fast')] });
  expect(occurrences(html, COMMUNITY)).toBe(1);
  expect(occurrences(html, '<bdi>Fast</bdi>')).toBe(1);
});

describe('a translation', () => {
  const translation = {
    text: 'The sea is quiet & <b>cold</b>.',
    source_lang: 'ja',
    target_lang: 'en',
    provider: '<i>',
  };

  test('is cut in a list and whole on its page', () => {
    const long = { ...translation, text: 'word '.repeat(400) };
    expect(postItemHtml(postOf({ translation: long })).length).toBeLessThan(1500);
    expect(occurrences(mainOf({ translation: long }), 'word')).toBe(400);
  });
});
