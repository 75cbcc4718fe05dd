// Checks the parts of a post beside its text on a page: community, translation, broadcast, publisher, badge and dates.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { nameHtml } from '../../../../shared/render/html/person.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
import { textHtml } from '../../../../shared/render/html/text.ts';
import { hostileFragments } from '../../../generators/hostile-text.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const BASE = 'https://postern.example';

const pageOf = (members: Partial<Post>, around: Parameters<typeof conversationOf>[1] = {}): string =>
  conversationHtml(conversationOf(postOf(members), around), BASE);

const mainOf = (...parameters: Parameters<typeof pageOf>): string =>
  /<main[^>]*>(.*)<\/main>/s.exec(pageOf(...parameters))?.[1] ?? '';

const community = { id: '15', name: 'Slow <Cyclists>' };
const COMMUNITY =
  'in <a href="https://x.com/i/communities/15" rel="nofollow noopener"><bdi>Slow &lt;Cyclists&gt;</bdi></a>';

const video = { type: 'video', url: 'https://video.twimg.com/a/v.mp4', duration_ms: 9000 } as const;

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe('the community of a post', () => {
  test('[threads 4] stands beside the date, on a page and in a list', () => {
    expect(mainOf({ community })).toContain(`10:00 UTC</time></a> · ${COMMUNITY}</p>`);
    expect(postItemHtml(postOf({ community }), { showsByline: false })).toContain(`</time></a> · ${COMMUNITY}</p>`);
    expect(mainOf({ community: { id: '15' } })).toContain('<bdi>a community</bdi>');
  });

  test('is named once in a conversation within one community', () => {
    const other = (id: string, name?: string): Post =>
      postOf({ id, author: userOf('Bo', 'bo'), community: name === undefined ? community : { id: '16', name } });
    const html = mainOf({ community }, { ancestors: [other('1')], replies: [other('30'), other('31', 'Fast')] });
    expect(occurrences(html, COMMUNITY)).toBe(1);
    expect(occurrences(html, '<bdi>Fast</bdi>')).toBe(1);
  });

  test('is named once in a thread', () => {
    expect(occurrences(mainOf({ community }, { thread: [postOf({ id: '21', community })] }), COMMUNITY)).toBe(1);
  });
});

describe('a translation', () => {
  const translation = {
    text: 'The sea is quiet & <b>cold</b>.',
    source_lang: 'ja',
    target_lang: 'en',
    provider: '<i>',
  };

  test('[threads 4] follows the text as a note in its language', () => {
    expect(mainOf({ text: '海', lang: 'ja', translation })).toContain(
      '海</p><aside class="aside" aria-label="Translation"><b>Translated from Japanese by &lt;i&gt;</b><p class="text" lang="en" dir="auto">The sea is quiet &amp; &lt;b&gt;cold&lt;/b&gt;.</p></aside>',
    );
  });

  test('is cut in a list and whole on its page', () => {
    const long = { ...translation, text: 'word '.repeat(400) };
    expect(postItemHtml(postOf({ translation: long })).length).toBeLessThan(1500);
    expect(occurrences(mainOf({ translation: long }), 'word')).toBe(400);
  });
});

describe('a broadcast', () => {
  const url = 'https://x.com/i/broadcasts/1abc';

  test('[threads 4] has its state in place of the domain of its card', () => {
    const card = { url, title: 'Harbour', domain: 'x.com' };
    const html = mainOf({ card, broadcast: { url, state: 'live' } });
    expect(html).toContain('<b dir="auto">Harbour</b><small dir="auto">Live broadcast</small>');
    expect(occurrences(html, 'class="card"')).toBe(1);
  });

  test('without a card it is a card of its own, with a picture only from X', () => {
    const broadcast = { url, state: 'ended', thumbnail_url: 'https://pbs.twimg.com/b/o.jpg' };
    const html = mainOf({ card: { url: 'https://a.example/', title: 'A' }, broadcast });
    expect(occurrences(html, 'class="card"')).toBe(2);
    expect(html).toContain('<img src="https://pbs.twimg.com/b/o.jpg"');
    expect(html).toContain('<small dir="auto">Ended broadcast</small>');
    expect(mainOf({ broadcast: { url, thumbnail_url: 'https://tracker.example/o.jpg' } })).not.toContain('tracker');
  });
});

describe('a video', () => {
  test('[threads 4] by another account names it below the player', () => {
    const media = [{ ...video, publisher: userOf('Slow <TV>', 'slowtv_live') }];
    expect(mainOf({ media })).toContain(
      '</video></div><p class="meta">From <a href="/slowtv_live"><bdi>Slow &lt;TV&gt;</bdi></a></p>',
    );
    expect(mainOf({ media: [{ ...video, url: 'https://a.example/v.m3u8', publisher: userOf('Bo', 'bo') }] })).toContain(
      '<p class="meta">From <a href="/bo"><bdi>Bo</bdi></a></p>',
    );
  });

  test('by the author of the post names no publisher', () => {
    expect(mainOf({ media: [{ ...video, publisher: userOf('Ada', 'ADA') }] })).not.toContain('>From ');
  });
});

describe('the domain of a card', () => {
  const domainOf = (url: string, domain?: string): string | undefined =>
    /<small dir="auto">(.*?)<\/small>/.exec(mainOf({ card: { url, title: 'A', ...(domain && { domain }) } }))?.[1];

  test('is the host that the link leads to', () => {
    expect(domainOf('https://www.evil.example/x', 'bank.example')).toBe('evil.example');
    expect(domainOf('https://a.example/x')).toBe('a.example');
  });

  test('is the domain that X shows if a short link hides the host', () => {
    expect(domainOf('https://t.co/abcdefghij', 'a.example')).toBe('a.example');
    expect(domainOf('https://t.co/abcdefghij')).toBe('t.co');
  });
});

test.each([
  ['individual', 'verified'],
  [undefined, 'verified'],
  ['organization', 'verified organization'],
  ['government', 'verified government account'],
  ['"><script>', 'verified'],
])('a badge of the type %s is labelled %s', (verified_type, label) => {
  const user = { ...userOf(), verified: true, verified_type };
  expect(/aria-label="(.*?)"/.exec(nameHtml(user))?.[1]).toBe(label);
  expect(nameHtml({ ...user, verified: false })).not.toContain('aria-label');
});

test('an article names the day of its publication if the post is of another day, and link previews its time', () => {
  const published = (published_at: string): string =>
    pageOf({ text: '', article: { title: 'Essay', blocks: [], published_at } });
  const html = published('2026-02-28T23:00:00Z');
  expect(html).toContain('· published <time datetime="2026-02-28T23:00:00Z">28 February 2026</time>');
  expect(html).toContain('<meta property="article:published_time" content="2026-02-28T23:00:00Z">');
  expect(published('2026-03-02T23:00:00Z')).not.toContain('· published');
});

test('only the cashtags of the post are links, and each cashtag of a text without a list', () => {
  const linked = (cashtags?: string[]): string[] =>
    [...textHtml({ text: '$KSTL and $pay and $5', ...(cashtags && { cashtags }) }).matchAll(/">(\$\w+)<\/a>/g)].map(
      ([, tag = '']) => tag,
    );
  expect(linked(['kstl'])).toEqual(['$KSTL']);
  expect(linked([])).toEqual([]);
  expect(linked()).toEqual(['$KSTL', '$pay']);
});

test('the client is not on the page', () => {
  expect(pageOf({ client: 'Twitter Web App' })).not.toContain('Twitter Web App');
});

test('hostile names and texts add no element', () => {
  const tagsOf = (text: string): string => {
    const html = mainOf({
      community: { id: '15', name: text },
      translation: { text, provider: text },
      media: [{ ...video, publisher: userOf(text, 'bo') }],
    });
    return (html.match(/<[^>]+>/g) ?? []).join('');
  };
  const plain = tagsOf('word');
  for (const fragment of hostileFragments.filter((text) => !/https?:|\$\w|^\s*$/i.test(text)))
    expect(tagsOf(`word ${fragment}`)).toBe(plain);
});
