// Whatever people write about themselves, post or search for, a list has the structure that the renderer built and the
// words that they wrote.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import { presentProfile } from '../../../shared/render/presenters/present-profile.ts';
import { presentSearch } from '../../../shared/render/presenters/present-search.ts';
import { createUsersPresenter } from '../../../shared/render/presenters/present-users.ts';
import { hostileFragments, hostileText } from '../../support/hostile-text.ts';
import { fullUser, profileOf, renderList, searchOf } from '../../support/list-models.ts';
import { nodesOf } from '../../support/markdown-oracle.ts';
import { postOf, userOf } from '../../support/post-models.ts';
import { expectFaithful, type Layout, readers, textSource, type WriteText } from './faithfulness.ts';

type Words = (layout: Layout) => string;

/** @param bio how it is shown: a profile has paragraphs, an item of a list one line */
const userSaying = (words: Words, handle: string, bio: Layout): User =>
  fullUser({
    handle,
    name: words('line'),
    bio: words(bio),
    location: words('line'),
    website: 'https://site.example/_a_?b=(c)&amp;d=*`',
  });

const postSaying = (words: Words, id: string): Post =>
  postOf({
    id,
    author: userOf(words('line'), 'b_c'),
    text: words('paragraphs'),
    reposted_by: userOf(words('line'), '_x_'),
    in_reply_to: { handle: '_who_', id: '1' },
    card: { url: 'https://card.example/', title: words('line'), description: words('line') },
    poll: { choices: [{ label: words('line'), votes: 1, percentage: 100 }], total_votes: 1 },
    quote: postOf({ id: '19', author: userOf(words('line')), text: words('paragraphs') }),
  });

type Document = (texts: readonly string[], say: WriteText) => string;

const documents: Readonly<Record<string, Document>> = {
  'a profile': (texts, say) => {
    const words = textSource(texts, say);
    const profile = userSaying(words, '_ada_', 'paragraphs');
    const posts = [postSaying(words, '20'), { ...postSaying(words, '21'), author: profile }];
    return renderList(presentProfile, profileOf(profile, { posts, next_cursor: 'v1.a_b-c' })).body;
  },
  'a list of followers': (texts, say) => {
    const words = textSource(texts, say);
    const users = [userSaying(words, 'b_c', 'line'), userSaying(words, '_x_', 'line'), userSaying(words, 'c', 'line')];
    return renderList(createUsersPresenter('followers'), { handle: '_ada_', users, next_cursor: 'c' }).body;
  },
  'a search for posts': (texts, say) => {
    const words = textSource(texts, say);
    const value = searchOf({ query: words('line'), posts: [postSaying(words, '20'), postSaying(words, '21')] });
    return renderList(presentSearch, value).body;
  },
  'a search for accounts': (texts, say) => {
    const words = textSource(texts, say);
    const users = [userSaying(words, 'b_c', 'line'), userSaying(words, '_x_', 'line')];
    return renderList(presentSearch, searchOf({ query: words('line'), feed: 'users', users })).body;
  },
};

const TEXTS = 18;

test.each(Object.entries(documents))(
  '[markdown #1][markdown #2][markdown #3][markdown #4][markdown #5] each nasty fragment, in every field of %s, stays words',
  (_, document) => {
    for (const fragment of hostileFragments) expectFaithful((say) => document([fragment], say));
  },
);

test.each(Object.entries(documents))(
  '[markdown #1][markdown #2][markdown #3][markdown #4][markdown #5][markdown #8] hostile texts in %s keep their words and forge no structure',
  (_, document) => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: TEXTS, maxLength: TEXTS }), (texts) =>
        expectFaithful((say) => document(texts, say)),
      ),
      { numRuns: 250 },
    );
  },
);

test('[markdown #1] a query is the whole title and nothing below it', () => {
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
    { numRuns: 500 },
  );
});

test('a cursor is code from end to end, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '`', '``', ' ', '*', '\n', '\\', '<b>', '-'), { maxLength: 12 }),
      (pieces) => {
        const cursor = `v1.${pieces.join('')}x`;
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
