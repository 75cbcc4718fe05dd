// Tests the forms of a conversation: quotes in Markdown, nested lists of a page, a graph, and lines of JSON.
import { expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import { warning } from '../../../shared/contract/warnings.ts';
import { answeredBy } from '../../../shared/model/conversation.ts';
import type { Findings } from '../../../shared/model/conversation-tree.ts';
import type { ConversationTree } from '../../../shared/model/resources.ts';
import { presentConversation } from '../../../shared/reads/conversation/present.ts';
import { answer, idAt, largeTree, root, treeWith } from '../../support/conversation-trees.ts';
import { pageUrlsAt, type RenderRequest, renderList } from '../../support/list-models.ts';
import { mainOf } from '../../support/page-parts.ts';
import { userOf } from '../../support/post-models.ts';

/** Two answers, a chain of eight, a deleted post with an answer, and a post below one that nothing gave. */
const tree = treeWith(root, [
  [answer(1, 0, { author: userOf('Cy', 'cy'), quote: root })],
  ...Array.from(
    { length: 8 },
    (_, index): Parameters<Findings['add']> => [answer(2 + index, index === 0 ? 1 : 1 + index)],
  ),
  [{ id: idAt(20), unavailable: true, reason: 'deleted' }, idAt(0)],
  [answer(21, 20)],
  [answer(30, 29)],
]);

const render = (format: Format, request: RenderRequest = {}, value = tree): string =>
  renderList(presentConversation, value, {
    format,
    ...pageUrlsAt(`/bo/status/${root.id}/conversation`),
    ...request,
  }).body.toString();

test.each([
  ['markdown', 'md'],
  ['html', 'html'],
  ['graphml', 'graphml'],
  ['ndjson', 'ndjson'],
] as const)('the conversation as %s is that of its golden file', async (format, extension) => {
  const body = render(format, { warnings: [warning('replies_incomplete')] });
  await expect(format === 'html' ? mainOf(body) : body).toMatchFileSnapshot(
    `../../golden/lists/conversation.${extension}`,
  );
});

test('[lists 19] Markdown quotes five levels, and says how many posts are deeper and where', () => {
  const text = render('markdown');
  const depthOf = (index: number): number | undefined =>
    new RegExp(`^((?:> )*)number ${index}$`, 'm').exec(text)?.[1]?.length;
  expect([1, 2, 3, 4, 5, 6, 7].map(depthOf)).toEqual([2, 4, 6, 8, 10, undefined, undefined]);
  expect(text).toContain(`> > > > > 4 answers below: <https://postern.example/ada/status/${idAt(5)}/conversation>`);
  expect(text).toContain(`*[This post](https://x.com/i/status/${idAt(20)}) was deleted.*`);
});

test('[lists 19] Markdown of a page that goes on in a branch has the quotes of the whole, and loses no post', () => {
  const levelsIn = (text: string): ReadonlyMap<string, number> =>
    new Map(
      [...text.matchAll(/^((?:> )*)number ([0-9]+)$/gm)].map(([, quotes = '', index = '']) => [
        index,
        quotes.length / 2,
      ]),
    );
  const whole = levelsIn(render('markdown'));
  for (let start = 1; start < tree.posts.length; start += 1) {
    const posts = tree.posts.slice(start);
    const missing = tree.missing.filter(({ parent }) => parent === undefined || posts.some(({ id }) => id === parent));
    const levels = levelsIn(render('markdown', {}, { ...tree, posts, missing }));
    const [first] = posts;
    const shown = posts.filter(({ id, depth }) => depth <= 5 || id === first?.id);
    expect(levels.size).toBe(shown.length);
    for (const { text, depth } of shown) {
      const index = text.replace(/^.*number /, '');
      expect([index, levels.get(index)]).toEqual([index, whole.get(index) ?? Math.min(depth, 5)]);
    }
  }
});

test('[lists 19] Markdown within max_tokens ends after a post, and the next page begins after it', () => {
  const text = render('markdown', { maxTokens: 300 });
  expect(text.length).toBeLessThanOrEqual(1200);
  const shown = [...text.matchAll(/number ([0-9]+)$/gm)].length + 1;
  expect(text).toContain(`cursor=after-${shown}`);
});

/** The levels and the sizes of the lists of a page, by the id of the post in an item. */
const listsOf = (page: string) => {
  const levels = new Map<string, number>();
  const sizes: number[] = [];
  const open: number[] = [];
  for (const [token, id] of mainOf(page).matchAll(/<ul>|<\/ul>|<li[ >]|status\/([0-9]+)"[^>]*><time/g)) {
    if (token === '<ul>') open.push(0);
    else if (token === '</ul>') sizes.push(open.pop() ?? 0);
    else if (id === undefined) open.push((open.pop() ?? 0) + 1);
    else if (!levels.has(id)) levels.set(id, open.length);
  }
  return { levels, sizes };
};

test('[lists 19] a page of 300 posts has lists with the level of each post, and a fold says how many it has', () => {
  const value = largeTree(300);
  const page = render('html', {}, value);
  const { levels } = listsOf(page);
  const deepest = 24;
  for (const { id, depth } of value.posts)
    expect([id, levels.get(id)]).toEqual([id, depth < deepest ? depth + 1 : undefined]);
  const folds = [...page.matchAll(/<summary>([0-9,]+) answers?<\/summary>/g)].map(([, count]) => Number(count));
  const below = (id: string): number => {
    const index = value.posts.findIndex((each) => each.id === id);
    const depth = value.posts[index]?.depth ?? 0;
    const end = value.posts.findIndex((each, at) => at > index && each.depth <= depth);
    return (end === -1 ? value.posts.length : end) - index - 1;
  };
  const folded = value.posts.filter(({ depth, replies_known: known }) => depth === 3 && known > 0);
  expect(folds).toEqual(folded.map(({ id }) => below(id)));
});

test('[lists 20] a page offers its posts as files for programs', () => {
  const url = `https://postern.example/bo/status/${root.id}/conversation`;
  const links = [...mainOf(render('html')).matchAll(/<a href="([^"]+)" download>([^<]+)<\/a>/g)];
  expect(links.map(([, ...link]) => link)).toEqual([
    [`${url}?format=csv`, 'Table (CSV)'],
    [`${url}?format=graphml`, 'Graph (GraphML)'],
    [`${url}?format=ndjson`, 'Lines (NDJSON)'],
  ]);
});

test('[lists 19] a page has 24 levels, and leads from the last one to the rest', () => {
  const chain = treeWith(
    root,
    Array.from({ length: 29 }, (_, index): Parameters<Findings['add']> => [answer(index + 1, index)]),
  );
  const page = render('html', {}, chain);
  const { levels } = listsOf(page);
  expect([levels.get(idAt(23)), levels.get(idAt(24))]).toEqual([24, undefined]);
  expect(page).toContain(`<a href="/ada/status/${idAt(23)}/conversation">6 answers</a>`);
});

test('a chain of 2,000 answers makes a page, Markdown and a graph in linear time', () => {
  const chain = treeWith(
    root,
    Array.from({ length: 1999 }, (_, index): Parameters<Findings['add']> => [answer(index + 1, index)]),
  );
  expect(chain.posts.at(-1)?.depth).toBe(1999);
  for (const format of ['html', 'markdown', 'graphml'] as const)
    expect(render(format, {}, chain).length).toBeLessThan(2_500_000);
});

test('[lists 20] GraphML and NDJSON have the posts of JSON, and the edges that their answers and quotes say', () => {
  const body: ConversationTree = JSON.parse(render('json'));
  const lines: readonly object[] = render('ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.slice(0, -1)).toEqual(body.posts);
  expect(lines.at(-1)).toMatchObject({ next_cursor: null, missing: body.missing, completeness: body.completeness });
  const graph = render('graphml');
  const ids = body.posts.map(({ id }) => id);
  expect([...graph.matchAll(/<node id="([0-9]+)"/g)].map(([, id]) => id)).toEqual(ids);
  const edges = [...graph.matchAll(/<edge source="([0-9]+)" target="([0-9]+)">\s*<data key="kind">(\w+)/g)];
  const answers = body.posts.flatMap((post) => {
    const target = answeredBy(post);
    return target !== undefined && ids.includes(target) ? [[post.id, target, 'answers']] : [];
  });
  expect(edges.map(([, ...edge]) => edge)).toEqual(expect.arrayContaining([...answers, [idAt(1), idAt(0), 'quotes']]));
  expect(edges).toHaveLength(answers.length + 1);
});
