// Checks translated posts in Markdown and on pages.
import { describe, expect, test } from 'vitest';
import { type WarningCode, warning } from '../../../shared/contract/warnings.ts';
import type { Post } from '../../../shared/model/post.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { postItemHtml, quoteHtml } from '../../../shared/render/html/post-item.ts';
import type { Reading } from '../../../shared/render/html/reading.ts';
import { hostileFragments } from '../../generators/hostile-text.ts';
import { sampleOf } from '../../support/full-form.ts';
import { BASE } from '../../support/list-models.ts';
import { conversationOf, postOf } from '../../support/post-models.ts';
import { boundsOf, forgedIn } from '../../support/structure.ts';
import { readers } from './faithfulness.ts';

const translation = { text: 'The sea is quiet.', source_lang: 'ja', target_lang: 'en', provider: 'grok' };
const translated = (members: Partial<Post> = {}): Post =>
  postOf({ text: '今日の海は静かです。', lang: 'ja', translation, ...members });

const viewOf = (post: Post, reading?: Reading, codes: readonly WarningCode[] = []) =>
  presentPost(
    { value: conversationOf(post), source: 'test', fetchedAt: 0, warnings: codes.map((code) => warning(code)) },
    { baseUrl: BASE, pageUrl: () => BASE, ...(reading && { reading }) },
  );
const markdownOf = (post: Post, reading?: Reading): string =>
  viewOf(post, reading).markdown({ dialect: 'markdown', maxTokens: undefined }).markdown;
const mainPart = (html: string): string => /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';
const mainOf = (post: Post, reading?: Reading): string => mainPart(String(viewOf(post, reading).html?.()));

describe('[languages 4] a translated post', () => {
  test('is shown without its original with translation=only, and JSON has both', () => {
    const reading = { lang: 'en', translation: 'only' } as const;
    for (const text of [markdownOf(translated(), reading), mainOf(translated(), reading)]) {
      expect(text).toContain('The sea is quiet.');
      expect(text).not.toContain('今日の海は静かです。</p>');
      expect(text).not.toContain('Original, in');
    }
    expect(viewOf(translated(), reading).members().post).toMatchObject({ text: '今日の海は静かです。', translation });
  });

  test('names the language of its original, by the translator if the post has none', () => {
    for (const lang of ['ja', undefined]) expect(markdownOf(translated({ lang }))).toContain('*Original, in Japanese*');
  });

  test('in a reply says the time of the translation beside the link to the whole, if its original is left out', () => {
    const long = { ...translation, text: 'The sea is quiet. '.repeat(250) };
    const reply = translated({ id: '8', translation: long });
    const { html } = presentPost(
      { value: { ...conversationOf(postOf()), replies: [reply] }, source: 'test', fetchedAt: 0, warnings: [] },
      { baseUrl: BASE, pageUrl: () => BASE, reading: { lang: 'en', translation: 'only' } },
    );
    expect(String(html?.())).toMatch(/>Read on, [45] min</);
  });

  test('without a translation is shown as it is with translation=only', () => {
    const post = postOf({ text: 'Hello' });
    expect(markdownOf(post, { lang: 'de', translation: 'only' })).toBe(markdownOf(post));
    expect(mainOf(post, { translation: 'only' }).replace(/<div class="lang">.*?<\/div>/, '')).toBe(mainOf(post));
  });

  test('[text 1] [text 2] [text 3] [text 5] has no forged structure, whatever the translator writes', () => {
    for (const text of sampleOf(hostileFragments)) {
      const post = translated({ translation: { text, source_lang: text, target_lang: text, provider: text } });
      for (const choice of ['both', 'only'] as const) {
        const markdown = markdownOf(post, { translation: choice });
        for (const read of Object.values(readers))
          expect(forgedIn(read(markdown), boundsOf([post], { heading: 1 }))).toEqual([]);
        const tags = [...mainOf(post, { translation: choice }).matchAll(/<(script|img|iframe|b|i|style)\b/g)];
        expect(tags).toEqual([]);
      }
    }
  });
});

describe('[languages 5] the page of a post', () => {
  const link =
    '<p class="facts"><span>In Japanese</span> <span><a href="/ada/status/20?lang=en">Read in English</a></span></p>';

  test('offers English if the post is in another language', () => {
    const post = postOf({ text: 'こんにちは', lang: 'ja' });
    expect(mainOf(post, {})).toContain(link);
    expect(mainOf(post)).not.toContain('lang=en');
    for (const members of [{ lang: 'en' }, { lang: 'en-GB' }, { lang: 'und' }, { lang: undefined }, { text: ' ' }])
      expect(mainOf({ ...post, ...members }, {})).not.toContain('?lang=');
  });

  test('has a folded form of all languages where none was asked for, if it has words and the service translates', () => {
    const form = '<details><summary>Another language</summary><form action="/ada/status/20">';
    expect(mainOf(postOf({ lang: 'en' }), {})).toContain(form);
    expect(mainOf(postOf({ lang: 'en' }), {})).not.toContain('>Original</a>');
    expect(mainOf(postOf({ text: ' ' }), {})).not.toContain('<form');
    expect(mainOf(postOf())).not.toContain('<form');
  });

  test('leads to other posts in the language that was asked for, and to the original in none', () => {
    const quote = postOf({
      id: '19',
      text: 'https://x.com/bo/status/18',
      links: [{ url: 'https://x.com/bo/status/18' }],
    });
    const { html } = presentPost(
      {
        value: {
          ...conversationOf(translated({ quote })),
          ancestors: [postOf({ id: '7' })],
          replies: [postOf({ id: '30' }), postOf({ id: '31', text: 'href="/ada/status/32"' })],
        },
        source: 'test',
        fetchedAt: 0,
        warnings: [],
      },
      { baseUrl: BASE, pageUrl: () => BASE, reading: { lang: 'de', translation: 'only' } },
    );
    const main = mainPart(String(html?.()));
    const hrefs = [...main.matchAll(/ href="([^"]*\/status\/[^"?#]*)([^"]*)"/g)].map(([, path = '', rest = '']) => ({
      path,
      rest,
    }));
    const keeps = '?lang=de&amp;translation=only';
    expect(new Set(hrefs.flatMap(({ path, rest }) => (rest.startsWith(keeps) ? [] : [path])))).toEqual(
      new Set(['/ada/status/20', 'https://x.com/ada/status/20']),
    );
    expect(main).toContain('<a href="/ada/status/20" rel="alternate">Original</a>');
    for (const path of ['/ada/status/7', '/ada/status/19', '/bo/status/18'])
      expect(hrefs).toContainEqual({ path, rest: keeps });
    expect(hrefs).toContainEqual({ path: '/ada/status/30', rest: `${keeps}#replies` });
    expect(hrefs.filter(({ rest }) => rest === '')).toHaveLength(2);
    expect(main).toContain('href=&quot;/ada/status/32&quot;');
  });

  test('and a list say in which language a reply, a quote or an item is, if it is not in English', () => {
    const inJapanese = postOf({ id: '30', text: 'こんにちは', lang: 'ja' });
    expect(String(postItemHtml(inJapanese))).toContain('</a></span> <span>in Japanese</span></span>');
    expect(String(quoteHtml(inJapanese))).toContain('</a></span> <span>in Japanese</span></p>');
    for (const members of [{ lang: 'en-GB' }, { lang: 'qme' }, { text: '' }, { translation }])
      expect(String(postItemHtml({ ...inJapanese, ...members }))).not.toContain('<span>in Japanese');
  });

  test('has a form of all languages where one was asked for, without a script', () => {
    const html = mainOf(translated(), { lang: 'zh-hant', translation: 'only' });
    expect(html).toContain('<div class="lang"><form action="/ada/status/20"><label for="lang">Language</label>');
    expect(html).toContain('<option value="zh-hant" selected>Traditional Chinese');
    expect(html.match(/ selected>/g)).toHaveLength(1);
    expect(html).toContain('<input type="hidden" name="translation" value="only">');
  });

  test('links its other forms, and itself to ask again, in the language that was asked for', () => {
    const reading = { lang: 'de', translation: 'only' } as const;
    const links = [
      ...String(viewOf(translated(), reading, ['thread_incomplete']).html?.()).matchAll(/ href="([^"]*)"/g),
    ];
    const hrefs = links.map(([, href = '']) => href.replaceAll('&amp;', '&'));
    for (const query of ['', '&format=epub', '&download=1'])
      expect(hrefs).toContain(`/ada/status/20?lang=de&translation=only${query}`);
    for (const format of ['markdown', 'json'])
      expect(hrefs).toContain(`${BASE}/ada/status/20?lang=de&translation=only&format=${format}`);
    expect(mainOf(translated(), { lang: 'de', translation: 'both' })).toContain('?lang=de&amp;format=markdown');
  });
});
