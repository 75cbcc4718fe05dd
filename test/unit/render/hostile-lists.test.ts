// Checks that texts of third parties in profiles, lists and searches cannot change the structure of a document.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import { presentProfile } from '../../../shared/render/presenters/present-profile.ts';
import { presentSearch } from '../../../shared/render/presenters/present-search.ts';
import { createUsersPresenter } from '../../../shared/render/presenters/present-users.ts';
import { hostileFragments, hostileText } from '../../generators/hostile-text.ts';
import { cases, sampleOf } from '../../support/full-form.ts';
import { fullUser, profileOf, renderList, searchOf } from '../../support/list-models.ts';
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

test.each(Object.entries(documents))(
  '[markdown #1][markdown #2][markdown #3][markdown #4][markdown #5] each hostile fragment in every field of %s stays text',
  (_, document) => {
    for (const fragment of sampleOf(hostileFragments)) expectFaithful((writeText) => document([fragment], writeText));
  },
);

test.each(Object.entries(documents))(
  '[markdown #1][markdown #2][markdown #3][markdown #4][markdown #5][markdown #8] hostile texts in %s are kept and forge no structure',
  (_, document) => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: TEXTS, maxLength: TEXTS }), (texts) =>
        expectFaithful((writeText) => document(texts, writeText)),
      ),
      { numRuns: cases(40, 250) },
    );
  },
);

test('[markdown #1] a query is the whole title and adds no other block', () => {
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
    { numRuns: cases(80, 500) },
  );
});

test('a cursor of any content is one code span', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '`', '``', ' ', '*', '\n', '\\', '<b>', '-'), { maxLength: 12 }),
      (parts) => {
        const cursor = `v1.${parts.join('')}x`;
        const { body } = renderList(createUsersPresenter('following'), {
          handle: 'ada',
          users: [],
          next_cursor: cursor,
        });
        const [code, ...more] = nodesOf(readers.mdast(body), 'inlineCode');
        expect(more).toEqual([]);
        expect(code?.content).toEqual([`cursor=${cursor.replace(/\s+/g, ' ')}`]);
      },
    ),
  );
});
