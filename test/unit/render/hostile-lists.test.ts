// Checks that texts of third parties in profiles, lists and searches cannot change the structure of a document.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryString } from '../../../shared/contract/query-string.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import { cutOffset, withCutMark } from '../../../shared/render/content/cut.ts';
import { createUsersPresenter, presentProfile, presentSearch } from '../../../shared/render/presenters/lists.ts';
import { hostileFragments, hostileText } from '../../generators/hostile-text.ts';
import { cases, sampleOf } from '../../support/full-form.ts';
import { BASE, fullUser, profileOf, renderList, searchOf } from '../../support/list-models.ts';
import { nodesOf } from '../../support/markdown-oracle.ts';
import { type Layout, textSource, type WriteText } from '../../support/plain-counterpart.ts';
import { postOf, userOf } from '../../support/post-models.ts';
import { expectFaithful, readers } from './faithfulness.ts';

type NextText = (layout: Layout) => string;

/** @param bio layout of the biography: paragraphs in a profile, one line in a list item */
const userWith = (nextText: NextText, handle: string, bio: Layout): User =>
  fullUser({
    handle,
    name: nextText('line'),
    bio: nextText(bio),
    location: nextText('line'),
    website: 'https://site.example/_a_?b=(c)&amp;d=*`',
  });

const postWith = (nextText: NextText, id: string): Post =>
  postOf({
    id,
    author: userOf(nextText('line'), 'b_c'),
    text: nextText('paragraphs'),
    reposted_by: userOf(nextText('line'), '_x_'),
    in_reply_to: { handle: '_who_', id: '1' },
    card: { url: 'https://card.example/', title: nextText('line'), description: nextText('line') },
    poll: { choices: [{ label: nextText('line'), votes: 1, percentage: 100 }], total_votes: 1 },
    quote: postOf({ id: '19', author: userOf(nextText('line')), text: nextText('paragraphs') }),
  });

type Document = (texts: readonly string[], writeText: WriteText) => string;

const documents: Readonly<Record<string, Document>> = {
  'a profile': (texts, writeText) => {
    const nextText = textSource(texts, writeText);
    const profile = userWith(nextText, '_ada_', 'paragraphs');
    const posts = [postWith(nextText, '20'), { ...postWith(nextText, '21'), author: profile }];
    return renderList(presentProfile, profileOf(profile, { posts, next_cursor: 'v1.a_b-c' })).body;
  },
  'a list of followers': (texts, writeText) => {
    const nextText = textSource(texts, writeText);
    const users = [
      userWith(nextText, 'b_c', 'line'),
      userWith(nextText, '_x_', 'line'),
      userWith(nextText, 'c', 'line'),
    ];
    return renderList(createUsersPresenter('followers'), { handle: '_ada_', users, next_cursor: 'c' }).body;
  },
  'a search for posts': (texts, writeText) => {
    const nextText = textSource(texts, writeText);
    const value = searchOf({ query: nextText('line'), posts: [postWith(nextText, '20'), postWith(nextText, '21')] });
    return renderList(presentSearch, value).body;
  },
  'a search for accounts': (texts, writeText) => {
    const nextText = textSource(texts, writeText);
    const users = [userWith(nextText, 'b_c', 'line'), userWith(nextText, '_x_', 'line')];
    return renderList(presentSearch, searchOf({ query: nextText('line'), feed: 'users', users })).body;
  },
};

const TEXTS = 18;

/** A text is not cut where its plain counterpart is. */
const uncutText = hostileText.filter((text) => cutOffset(text) === undefined);

test.each(Object.entries(documents))(
  '[text 1] [text 2] [text 3] [text 4] [text 5] each hostile fragment in every field of %s stays text',
  (_, document) => {
    for (const fragment of sampleOf(hostileFragments)) expectFaithful((writeText) => document([fragment], writeText));
  },
);

test.each(Object.entries(documents))(
  '[text 1] [text 2] [text 3] [text 4] [text 5] [text 8] hostile texts in %s are kept and forge no structure',
  (_, document) => {
    fc.assert(
      fc.property(fc.array(uncutText, { minLength: TEXTS, maxLength: TEXTS }), (texts) =>
        expectFaithful((writeText) => document(texts, writeText)),
      ),
      { numRuns: cases(12, 250) },
    );
  },
);

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
    { numRuns: cases(20, 500) },
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
    { numRuns: cases(20, 500) },
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
          createUsersPresenter('following'),
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
