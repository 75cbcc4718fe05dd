// Tests the page of a search: the box, the feeds, marked words, hints and the page without results.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchResults } from '../../../shared/model/resources.ts';
import { createWordMarker } from '../../../shared/reads/search/page.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import { queryWords } from '../../../shared/render/content/query-words.ts';
import { hostileText } from '../../generators/hostile-text.ts';
import { cases } from '../../support/full-form.ts';
import { pageUrlsAt, type RenderRequest, renderList, searchOf } from '../../support/list-models.ts';
import { postOf } from '../../support/post-models.ts';
import { tagsOf } from '../../unit/render/tags.ts';

const page = (value: Partial<SearchResults>, request: RenderRequest = {}): string =>
  renderList(presentSearch, searchOf(value), { format: 'html', ...pageUrlsAt('/search?q=x'), ...request }).body;

const textsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<p class="text"[^>]*>(.*?)<\/p>/gs)].map(([, text = '']) => text);

const shown = (query: string, text: string, members = {}): string =>
  textsOf(page({ query, posts: [postOf({ text, ...members })] }))[0] ?? '';

describe('found words', () => {
  test.each([
    [
      'tide',
      'Daily tide table, TIDE, tides, ebb-tide',
      'Daily <mark>tide</mark> table, <mark>TIDE</mark>, tides, ebb-<mark>tide</mark>',
    ],
    ['"low tide" tide', 'low tide, tide', '<mark>low tide</mark>, <mark>tide</mark>'],
    ['(tide OR ebb)', 'tide or ebb OR', '<mark>tide</mark> or <mark>ebb</mark> OR'],
    ['tide -ebb from:ada lang:en filter:links', 'tide ebb ada en links', '<mark>tide</mark> ebb ada en links'],
    ['函館', '夕焼けの函館で', '夕焼けの<mark>函館</mark>で'],
    ['a.b [x (c++', 'a.b axb [x (c++', '<mark>a.b</mark> axb [<mark>x</mark> (<mark>c</mark>++'],
    ['b', '<b>&amp;', '&lt;<mark>b</mark>&gt;&amp;amp;'],
    ['from:ada', 'from:ada', 'from:ada'],
  ])('a search for %s marks its words in %s', (query, text, html) => {
    expect(shown(query, text)).toBe(html);
  });

  test('[text 5] marks add no other tag and change no character, whatever query and text are', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (query, text) => {
        const html = String(createWordMarker(queryWords(`${query} ${text}`).words)(text));
        expect(tagsOf(html).filter((tag) => tag !== 'mark' && tag !== '/mark')).toEqual([]);
        const withoutInvisible = (line: string): string => line.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
        expect(withoutInvisible(html.replaceAll(/<\/?mark>/g, ''))).toBe(
          withoutInvisible(String(createWordMarker([])(text))),
        );
      }),
      { numRuns: cases(60, 500) },
    );
  });
});

describe('a handle in a search text', () => {
  test.each([
    ['tide', 'Looking for <a href="/tide">@tide</a>?'],
    [
      '@ada_larsson high "tide" & more',
      'Looking for <a href="/search?q=from%3Aada_larsson%20high%20%22tide%22%20%26%20more">posts by @ada_larsson with “<bdi>high &quot;tide&quot; &amp; more</bdi>”</a>?',
    ],
  ])('%s may be meant as an account', (query, hint) => {
    expect(page({ query, posts: [] })).toContain(hint);
  });

  test.each(['high tide', '@search tide', '@a_handle_that_is_too_long tide'])('%s is not', (query) => {
    expect(page({ query, posts: [] })).not.toContain('Looking for');
  });
});
