// Checks what texts of third parties can do to the structure of a document beside the forms of hostile-texts.test.ts: styles
// of an article, a query, a text that a list cuts, and the cursor in the URL of the next page.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryString } from '../../../shared/contract/query-string.ts';
import type { ArticleSpan } from '../../../shared/model/post.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { createFollowsPresenter } from '../../../shared/reads/follows/present.ts';
import { presentProfile } from '../../../shared/reads/profile/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import { cutOffset, withCutMark } from '../../../shared/render/content/cut.ts';
import { articleMarkdown } from '../../../shared/render/markdown/article.ts';
import { createMarkdownContext } from '../../../shared/render/markdown/context.ts';
import { hostileText } from '../../generators/hostile-text.ts';
import { cases } from '../../support/full-form.ts';
import { BASE, profileOf, renderList, searchOf } from '../../support/list-models.ts';
import { nodesOf, withoutStyles, wordsIn } from '../../support/markdown-oracle.ts';
import { postOf, userOf } from '../../support/post-models.ts';
import { readers } from './faithfulness.ts';

const styledSpan: fc.Arbitrary<ArticleSpan> = fc.record(
  {
    text: fc.oneof(hostileText, fc.constantFrom('word', ' word', 'word ', '(word)', '“word”', '!', 'w.', '语', '🐋')),
    bold: fc.constant(true as const),
    italic: fc.constant(true as const),
    strikethrough: fc.constant(true as const),
    url: fc.constantFrom('https://known.example/a', 'https://known.example/_(b)_'),
  },
  { requiredKeys: ['text'] },
);

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

test('[text 1] [text 3] style marks of an article surround only the text of their own span or are left out', () => {
  fc.assert(
    fc.property(fc.array(styledSpan, { minLength: 1, maxLength: 6 }), (spans) => {
      const markdown = articleMarkdown(createMarkdownContext('markdown'), {
        blocks: [
          { type: 'paragraph', spans },
          { type: 'list_item', ordered: true, spans },
        ],
      });
      const expectedText = squeezed(spans.map(({ text }) => visibleText(text)).join(''));
      for (const [name, read] of Object.entries(readers)) {
        const flat = read(markdown);
        const bare = withoutStyles(flat, (kind) => kind.startsWith('link https://known.example/'));
        expect(
          bare.every((entry) => typeof entry !== 'string' && ['paragraph', 'list ordered'].includes(entry.kind)),
          name,
        ).toBe(true);
        expect(
          [...nodesOf(bare, '')].filter(({ kind }) => !['paragraph', 'list ordered', 'item', 'break'].includes(kind)),
          name,
        ).toEqual([]);
        const lines = bare.map((entry) => squeezed(wordsIn([entry], ' ')));
        expect(squeezed(lines.join(' ')), name).toBe(squeezed(`${expectedText} ${expectedText}`));
        for (const link of nodesOf(flat, 'link ')) {
          const spanText = spans
            .filter(({ url }) => url !== undefined && link.kind === `link ${url}`)
            .map(({ text }) => visibleText(text))
            .join('');
          expect(squeezed(spanText), name).toContain(squeezed(wordsIn([link], ' ')));
        }
        for (const strong of nodesOf(flat, 'strong')) {
          const spanText = spans
            .filter(({ bold }) => bold)
            .map(({ text }) => visibleText(text))
            .join('');
          expect(squeezed(spanText), name).toContain(squeezed(wordsIn([strong], ' ')));
        }
      }
    }),
    { numRuns: cases(80, 1000) },
  );
});

test('[text 1] a query is the whole title and adds no other block', () => {
  fc.assert(
    fc.property(hostileText, (query) => {
      const { body } = renderList(presentSearch, searchOf({ query }));
      for (const [name, read] of Object.entries(readers)) {
        const flat = read(body);
        expect(
          nodesOf(flat, '').map(({ kind }) => kind),
          name,
        ).toEqual(['heading 1', 'heading 2', 'paragraph']);
      }
    }),
    { numRuns: cases(20, 300) },
  );
});

test('[lists 5] a hostile text that a list cuts is written as a text that ends there', () => {
  const bodyOf = (text: string): string =>
    renderList(presentProfile, profileOf(userOf(), { posts: [postOf({ text })] })).body;
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 8, maxLength: 60 }), (texts) => {
      const text = texts.join('\n');
      const end = cutOffset(text);
      if (end === undefined) return;
      expect(bodyOf(text).replace(/Read on: <[^\n]*\n\n/, '')).toBe(bodyOf(withCutMark(text.slice(0, end))));
    }),
    { numRuns: cases(20, 300) },
  );
});

test('[lists 2] the URL of the next page is one link for a cursor of any content', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '`', '``', ' ', '*', '\n', '\\', '<b>', '-', '(', '>', '&'), { maxLength: 12 }),
      (parts) => {
        const cursor = `v1.${parts.join('')}x`;
        const nextUrl = (next: string): string => `${BASE}/api/v1/search?${queryString({ q: next, cursor: next })}`;
        const { body } = renderList(
          createFollowsPresenter('following'),
          { handle: 'ada', users: [], next_cursor: cursor },
          { nextUrl },
        );
        expect(body.trimEnd().split('\n').at(-1)).toBe(`Next page: <${nextUrl(cursor)}>`);
        const [, url = ''] = /<(.+)>\n$/.exec(body) ?? [];
        expect(new URL(url).searchParams.get('cursor')).toBe(cursor);
      },
    ),
  );
});
