// Proves the tree of a conversation against a brute-force tree: generated conversations with missing posts, intruders, answers
// in a circle, pages that overlap, and a search that fails or is cut.
import { describe, expect, test } from 'vitest';
import type { IdInput } from '../../../shared/contract/list-inputs.ts';
import { problem } from '../../../shared/contract/problems.ts';
import { createFindings, joinedTree, treeOf } from '../../../shared/model/conversation-tree.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { ConversationTree } from '../../../shared/model/resources.ts';
import type { Withheld } from '../../../shared/model/withheld.ts';
import type { Outcome, Requester, Upstream, UpstreamPage, UseCaseResult } from '../../../shared/ports/upstream.ts';
import { readConversation } from '../../../shared/reads/conversation/read.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import { withhold } from '../../../shared/upstream/withhold.ts';
import { clocksOf, readingAt } from '../../support/clocks.ts';
import { type LaidOut, layoutOf, type RawPost } from '../../support/conversation-layout.ts';
import { cases } from '../../support/full-form.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';
import { pick, type Random, seededRandom } from '../../support/random.ts';
import { cursors, NOW, post, upstreamFindingAll } from '../../support/test-app.ts';
import { rawPosts, type WrittenPost } from '../../support/threads.ts';

const FIRST_ID = 1_900_000_000_000_000_000n;
const idAt = (index: number): string => String(FIRST_ID + BigInt(index) * 4_194_304_000n);

interface World {
  readonly posts: readonly WrittenPost[];
  /** Ids of posts that X counts and gives to nobody. */
  readonly hidden: ReadonlySet<string>;
  readonly root: string;
  /** Each post of a page of the search comes with some of the page before. */
  readonly overlap: number;
  readonly search: 'whole' | 'failing' | 'without end';
}

const GONE = ['deleted', 'suspended', 'private'] as const;

const worldOf = (random: Random): World => {
  const size = 1 + Math.floor(random() ** 4 * pick(random, [5, 30, 80, 300, 2000]));
  const missing = random() < 0.5 ? 0 : pick(random, [0.03, 0.1]);
  const posts: WrittenPost[] = [{ id: idAt(0), by: 'ada' }];
  const hidden = new Set<string>();
  const isDeep = random() < 0.3;
  let lost = 0;
  for (let index = 1; index < size; index += 1) {
    const id = idAt(index);
    const to = isDeep && random() < 0.9 ? index - 1 : Math.floor(random() * index);
    // More would not fit into the calls of an answer, which end where one more could exceed their bound if it failed.
    const isLost = lost < 5 && random() < missing;
    if (isLost) lost += 1;
    const isHidden = isLost && random() < 0.4;
    if (isHidden) hidden.add(id);
    const gone = isLost && !isHidden ? { gone: pick(random, GONE) } : {};
    posts.push({ id, by: pick(random, ['ada', 'bob', 'eve']), to: idAt(to), likes: Math.floor(random() * 9), ...gone });
  }
  const visible = posts.filter(({ id, gone }) => gone === undefined && !hidden.has(id));
  return {
    posts,
    hidden,
    root: random() < 0.7 ? idAt(0) : pick(random, visible).id,
    overlap: Math.floor(random() * 5),
    search: random() < 0.15 ? 'failing' : random() < 0.2 ? 'without end' : 'whole',
  };
};

/** Two posts of the search that answer each other, and one below them. */
const circle = (size: number): readonly RawPost[] =>
  rawPosts([
    { id: idAt(size + 1), by: 'eve', to: idAt(size + 2) },
    { id: idAt(size + 2), by: 'eve', to: idAt(size + 1) },
    { id: idAt(size + 3), by: 'eve', to: idAt(size + 2) },
  ]);

const PATH = /\/2\/(conversation|thread|status)\/([0-9]+)$/;

const failed: LaidOut = { status: 404, body: { code: 404, results: [], cursor: { top: null, bottom: null } } };

/** An upstream with FxTwitter alone, which answers from the world. */
const upstreamOf = ({ posts, hidden, overlap, search }: World, calls: string[] = []): Upstream => {
  const shown = rawPosts(posts).filter(({ id }) => !hidden.has(String(id)));
  const layout = layoutOf(shown);
  const found = shown.filter(({ type }) => type === 'status').toReversed();
  const searched = (query: URLSearchParams): LaidOut => {
    if (search === 'failing') return failed;
    const start = Number(query.get('cursor') ?? 0);
    const from = Math.max(0, start - overlap);
    const end = from + Number(query.get('count'));
    const results = [...found.slice(from, end), ...(start === 0 ? circle(posts.length) : [])];
    const bottom = search === 'whole' && end >= found.length ? null : String(end);
    return { status: 200, body: { code: 200, results, cursor: { top: null, bottom } } };
  };
  const provider = providerCalling(
    createFxTwitter,
    (url) => {
      calls.push(url.pathname);
      const [, route = '', id = ''] = PATH.exec(url.pathname) ?? [];
      const { body, status } = route === '' ? searched(url.searchParams) : layout.answer(route, id, url.searchParams);
      return json(structuredClone(body), status);
    },
    NOW,
  );
  const budget = (requester?: Requester) => ({
    deadline: readingAt(NOW + 8000),
    calls: { retries: 0, record: requester?.recordCall },
  });
  const admitted = async <T>(requester: Requester | undefined, call: () => Promise<T>): Promise<T> => {
    await requester?.admit();
    return call();
  };
  return {
    ...upstreamFindingAll,
    readPost: (request, _, requester) => admitted(requester, () => provider.readPost(request, budget(requester))),
    listPosts: (request, { size, cursor }, _, requester) =>
      admitted(requester, async (): Promise<Outcome<UpstreamPage<Post>>> => {
        const outcome = await provider.listPosts(request)?.({ size, ...(cursor && { cursor }) }, budget(requester));
        if (outcome === undefined) throw new Error('no such list');
        return outcome.kind === 'found'
          ? { ...outcome, value: { ...outcome.value, provider: 'fxtwitter', isFallback: false } }
          : outcome;
      }),
  };
};

const read = (
  upstream: Upstream,
  id: string,
  input: Partial<IdInput> = {},
  requester?: Requester,
): Promise<UseCaseResult<ConversationTree>> =>
  readConversation(
    { id, limit: 20, list: ['conversation', id], ...input },
    { upstream, cursors, ...clocksOf(() => NOW) },
    requester,
  );

/** Has all posts, and does not use the answers of the provider. */
const oracleOf = ({ posts, hidden, root }: World) => {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const isVisible = ({ id, gone }: WrittenPost): boolean => gone === undefined && !hidden.has(id);
  const depthOf = (id: string): number | undefined => {
    let depth = 0;
    for (let at = byId.get(id); at !== undefined; at = byId.get(at.to ?? '')) {
      if (at.id === root) return depth;
      depth += 1;
    }
    return undefined;
  };
  const chainOf = (id: string): readonly WrittenPost[] => {
    const chain: WrittenPost[] = [];
    for (let at = byId.get(id); at !== undefined && at.id !== root; at = byId.get(at.to ?? '')) chain.unshift(at);
    return chain;
  };
  const below = posts.filter(({ id }) => depthOf(id) !== undefined);
  const visible = below.filter(isVisible);
  const order = (post: WrittenPost): string =>
    chainOf(post.id)
      .map(({ id }) => id)
      .join();
  const inOrder = visible.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  const lostOf = (id: string): number => posts.filter((post) => post.to === id && !isVisible(post)).length;
  const above: WrittenPost[] = [];
  for (let at = byId.get(root); at !== undefined; at = byId.get(at.to ?? '')) above.push(at);
  return { above, depthOf, chainOf, isVisible, visible, inOrder, lostOf };
};

const sumOf = (missing: ConversationTree['missing']): number => missing.reduce((sum, { count }) => sum + count, 0);

const lacksSome = ({ missing }: ConversationTree): boolean => missing.some(({ reason }) => reason === 'not_given');

describe('[lists 19] the tree of a generated conversation', () => {
  test.each(Array.from({ length: cases(60, 500) }, (_, seed) => seed))(
    'has each post once at its depth, and names each gap: seed %i',
    async (seed) => {
      const world = worldOf(seededRandom(seed));
      const calls: string[] = [];
      const { value, warnings } = await read(upstreamOf(world, calls), world.root);
      expect(value.next_cursor).toBeUndefined();
      const { above, depthOf, chainOf, isVisible, visible, inOrder, lostOf } = oracleOf(world);
      const ids = value.posts.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(calls.length).toBeLessThanOrEqual(30);
      for (const { id } of value.posts) expect(depthOf(id)).toBeDefined();
      const { said, found } = value.completeness;
      expect(found).toBe(ids.length - 1);
      expect(said - found).toBe(sumOf(value.missing));

      const unplaced = new Set(value.missing.flatMap(({ id, parent }) => (parent === undefined ? [id] : [])));
      const isPlaced = (id: string): boolean => chainOf(id).every((post) => !unplaced.has(post.id));
      for (const { id, depth } of value.posts)
        if (isPlaced(id)) expect([id, depth]).toEqual([id, depthOf(id)]);
        else expect(depth).toBeLessThanOrEqual(depthOf(id) ?? 0);
      for (const { id, in_reply_to: answered, replies_known: known } of value.posts) {
        const gaps = value.missing.filter(({ parent }) => parent === id);
        const all = world.posts.filter(({ to }) => to === id);
        expect(known + sumOf(gaps)).toBe(all.length);
        if (answered?.id !== undefined && id !== world.root)
          expect(ids.indexOf(answered.id)).toBeLessThan(ids.indexOf(id));
      }
      // Without the ancestors, nothing says which conversation it is.
      const isKnown = above.every(({ id }) => !world.hidden.has(id));
      if (world.search === 'failing' || !isKnown) return;
      // A post that nothing leads to the root of, within another conversation, is named by the counts alone.
      const reachable = world.root === idAt(0) ? visible : visible.filter(({ id }) => chainOf(id).every(isVisible));
      expect(new Set(ids)).toEqual(new Set([...reachable.map(({ id }) => id), ...ids]));
      if (unplaced.size === 0 && reachable.length === visible.length) {
        expect(ids).toEqual(inOrder.map(({ id }) => id));
        for (const { id } of visible)
          expect(sumOf(value.missing.filter(({ parent }) => parent === id))).toBe(lostOf(id));
      }
      expect(warnings.map(({ code }) => code).includes('replies_incomplete')).toBe(lacksSome(value));
    },
  );
});

/** A chain of replies with some beside it, all of which X gives. */
const bush = (size: number): World => {
  const random = seededRandom(size);
  const posts = Array.from({ length: size }, (_, index): WrittenPost => {
    const to = index === 0 ? {} : { to: idAt(random() < 0.5 ? index - 1 : Math.floor(random() * index)) };
    return { id: idAt(index), by: pick(random, ['ada', 'bob', 'eve']), ...to };
  });
  return { posts, hidden: new Set(), root: idAt(0), overlap: 0, search: 'whole' };
};

/** Pages of X have about 20 posts, whatever is asked for. */
const withPagesOf = (size: number, upstream: Upstream): Upstream => ({
  ...upstream,
  listPosts: (request, page, ...rest) => upstream.listPosts(request, { ...page, size }, ...rest),
});

const walk = async (upstream: Upstream, id: string): Promise<readonly ConversationTree[]> => {
  const pages: ConversationTree[] = [];
  let cursor: string | undefined;
  do {
    const list = ['conversation', id];
    const position = cursor === undefined ? undefined : cursors.decode(list, cursor);
    if (cursor !== undefined && position === undefined) throw new Error('a cursor of another list');
    const { value } = await read(upstream, id, position && { position });
    pages.push(value);
    cursor = value.next_cursor;
  } while (cursor !== undefined);
  return pages;
};

const RECORD = {
  provider: 'fxtwitter',
  kind: 'search',
  address: 'a',
  outcome: 'answered',
  status: 200,
  why: undefined,
  milliseconds: 1,
} as const;

describe('the calls of an answer', () => {
  test('[lists 19] a conversation that the post shows whole takes one call', async () => {
    const calls: string[] = [];
    const { value } = await read(upstreamOf(bush(3), calls), idAt(0));
    expect([value.posts.length, value.missing, calls.length]).toEqual([3, [], 1]);
  });

  test('[lists 19] each call charges a unit, and a refused one is the refusal of the request', async () => {
    const charging = (most: number) => {
      const charged: number[] = [];
      const requester: Requester = {
        caller: 'a',
        admit: async () => Promise.reject(new Error('charged twice')),
        admitReads: async (count) => {
          charged.push(count);
          if (charged.length > most) throw problem('rate_limited');
        },
      };
      return { charged, requester };
    };
    const calls: string[] = [];
    const upstream = withPagesOf(20, upstreamOf(bush(300), calls));
    const enough = charging(100);
    await read(upstream, idAt(0), {}, enough.requester);
    expect(enough.charged).toEqual(calls.map(() => 1));
    const few = charging(5);
    await expect(read(upstream, idAt(0), {}, few.requester)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(few.charged).toHaveLength(6);
  });

  test('a refusal of the first call is the refusal of the request', async () => {
    const refused: Requester = { caller: 'a', admit: () => Promise.reject(problem('rate_limited')) };
    await expect(read(upstreamOf(bush(3)), idAt(0), {}, refused)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('[lists 19] repeated requests of a provider count, too', async () => {
    const calls: string[] = [];
    const upstream = withPagesOf(10, upstreamOf(bush(300), calls));
    const repeating: Upstream = {
      ...upstream,
      listPosts: (request, page, deadline, requester) => {
        for (let call = 0; call < 4; call += 1) requester?.recordCall?.(RECORD);
        return upstream.listPosts(request, page, deadline, requester);
      },
    };
    let units = 0;
    const admitReads = async (count: number) => {
      units += count;
    };
    await read(repeating, idAt(0), {}, { caller: 'a', admit: async () => undefined, admitReads });
    expect(calls.length).toBeLessThan(10);
    expect(units).toBe(1 + (calls.length - 1) * 4);
  });

  test('[lists 19] an answer takes at most 30 requests of providers, if calls fail in every way from any of them on', async () => {
    const upstream = withPagesOf(10, upstreamOf(bush(250)));
    for (const works of [0, 9, 18, 22, 23, 24, 25, 26, 30]) {
      let requests = 0;
      let calls = 0;
      const spending = async <T>(
        requester: Requester | undefined,
        call: () => Promise<Outcome<T>>,
      ): Promise<Outcome<T>> => {
        await requester?.admit();
        calls += 1;
        const isFailing = calls > works + 1;
        for (let request = 0; request < (isFailing ? 5 : 1); request += 1) {
          requests += 1;
          requester?.recordCall?.(RECORD);
        }
        return isFailing && calls % 2 === 0 ? { kind: 'down', why: 'no' } : call();
      };
      const failing: Upstream = {
        ...upstream,
        readPost: (request, deadline, requester) => spending(requester, () => upstream.readPost(request, deadline)),
        listPosts: (request, page, deadline, requester) =>
          spending(requester, () => upstream.listPosts(request, page, deadline)),
      };
      let units = 0;
      const admitReads = async (count: number) => {
        units += count;
      };
      await read(failing, idAt(0), {}, { caller: 'a', admit: async () => undefined, admitReads });
      expect([works, requests <= 30]).toEqual([works, true]);
      expect(units).toBe(requests);
    }
  });
});

describe('the pages of a long conversation', () => {
  test('[lists 19] have each post once, and an answer takes 30 calls', async () => {
    const calls: string[] = [];
    const pages = await walk(withPagesOf(20, upstreamOf(bush(1500), calls)), idAt(0));
    expect(pages.length).toBe(3);
    expect(calls.length).toBeLessThanOrEqual(3 * 30);
    const ids = pages.flatMap(({ posts }) => posts.map(({ id }) => id));
    expect(new Set(ids).size).toBe(1500);
    expect(ids.length).toBe(1500);
    expect(pages.flatMap(({ missing }) => missing)).toEqual([]);
    const whole = await read(upstreamOf(bush(1500)), idAt(0));
    const [first, ...more] = pages;
    if (first === undefined) throw new Error('no page');
    const placesIn = (posts: ConversationTree['posts']) =>
      posts.map(({ id, depth, replies_known: known, replies_said: said }) => [id, depth, known, said]);
    expect(placesIn([...joinedTree([first, ...more]).posts])).toEqual(placesIn(whole.value.posts));
  });

  test('[lists 19] a page that would be too large goes on after its last post, with the gaps of its posts', async () => {
    const world = worldOf(seededRandom(38));
    const whole = await read(upstreamOf(world), world.root);
    const { parts, value } = whole;
    const first = parts?.keep(7);
    const cursor = first?.value.next_cursor;
    if (first === undefined || cursor === undefined) throw new Error('a page without the next');
    const position = cursors.decode(['conversation', world.root], cursor);
    if (position === undefined) throw new Error('no cursor');
    const rest = await read(upstreamOf(world), world.root, { position });
    const idsIn = ({ posts }: ConversationTree) => posts.map(({ id }) => id);
    expect([...idsIn(first.value), ...idsIn(rest.value)]).toEqual(idsIn(value));
    expect(value.posts.length).toBeGreaterThan(7);
    const byKey = (gaps: ConversationTree['missing']) => gaps.map((gap) => JSON.stringify(gap)).toSorted();
    expect(byKey([...first.value.missing, ...rest.value.missing])).toEqual(byKey(value.missing));
    expect(first.warnings.map(({ code }) => code)).toContain('partial_page');
  });
});

describe('a later page', () => {
  const cursorOf = async (upstream: Upstream) => {
    const { value } = await read(upstream, idAt(0));
    const position = cursors.decode(['conversation', idAt(0)], value.next_cursor ?? '');
    if (position === undefined) throw new Error('no cursor');
    return position;
  };

  test.each([
    ['down', { kind: 'down', why: 'no' }, 'upstream_unavailable'],
    ['failed', { kind: 'failed', why: 'no' }, 'upstream_failed'],
    ['refused', { kind: 'refused', why: 'expired' }, 'invalid_cursor'],
  ] as const)('[lists 19] of a search that is %s has its problem', async (_, outcome, code) => {
    const upstream = withPagesOf(20, upstreamOf(bush(1500)));
    const position = await cursorOf(upstream);
    await expect(read({ ...upstream, listPosts: async () => outcome }, idAt(0), { position })).rejects.toMatchObject({
      code,
    });
  });

  test('[lists 19] of a page that was cut reads as many pages of the search as that one', async () => {
    const calls: string[] = [];
    const upstream = withPagesOf(20, upstreamOf(bush(500), calls));
    let left = 8;
    const slow: Upstream = {
      ...upstream,
      listPosts: async (...request) => {
        left -= 1;
        return left < 0 ? { kind: 'down', why: 'no' } : upstream.listPosts(...request);
      },
    };
    const { value, parts } = await read(slow, idAt(0));
    const cut = parts?.keep(60).value;
    const position = cursors.decode(['conversation', idAt(0)], cut?.next_cursor ?? '');
    if (cut === undefined || position === undefined) throw new Error('no cursor');
    const rest = await read(upstream, idAt(0), { position });
    const idsIn = ({ posts }: ConversationTree) => posts.map(({ id }) => id);
    expect([...idsIn(cut), ...idsIn(rest.value)]).toEqual(idsIn(value));
    expect(rest.value.next_cursor).toBe(value.next_cursor);
    // As 2.11.0 wrote it.
    const { searchPages = 0, ...others } = position;
    expect(searchPages).toBe(8);
    const old = await read(upstream, idAt(0), { position: { ...others, emptyPages: searchPages + 1 } });
    expect(idsIn(old.value)).toEqual(idsIn(rest.value));
  });
});

describe('a search that gives posts of other conversations', () => {
  const LATER = Array.from({ length: 4000 }, (_, index) => idAt(10_000 + index));

  /** Each page of the search ends with some posts, none of which is asked for. */
  const lyingWith = (upstream: Upstream, strangers: (page: number) => readonly Post[]): Upstream => {
    let pages = 0;
    return {
      ...upstream,
      listPosts: async (...request) => {
        const outcome = await upstream.listPosts(...request);
        if (outcome.kind !== 'found') return outcome;
        pages += 1;
        return {
          ...outcome,
          value: { ...outcome.value, items: [...outcome.value.items, ...strangers(pages)], next: `${pages * 20}` },
        };
      },
    };
  };

  test('[lists 19] has none of them in the tree, and ends, although each page has others', async () => {
    const world = bush(60);
    const whole = await read(upstreamOf(world), idAt(0));
    const calls: string[] = [];
    const pageOf = (page: number): readonly Post[] => {
      const [first = '', second = '', third = '', missing = ''] = LATER.slice(page * 4);
      return [
        { ...post(first), conversation_id: first },
        { ...post(second), in_reply_to: { id: first } },
        { ...post(third), in_reply_to: { id: missing }, conversation_id: missing },
      ];
    };
    // Without a bound of time or calls, the pages would never end.
    const lying = lyingWith(withPagesOf(20, upstreamOf(world, calls)), pageOf);
    const { value } = await read(lying, idAt(0));
    expect(value.posts.map(({ id, depth }) => [id, depth])).toEqual(
      whole.value.posts.map(({ id, depth }) => [id, depth]),
    );
    expect(value.missing).toEqual([]);
    const pages = await walk(
      lyingWith(withPagesOf(20, upstreamOf({ ...world, hidden: new Set([idAt(59)]) })), (page) =>
        pageOf(page).slice(2),
      ),
      idAt(0),
    );
    expect(pages).toHaveLength(1);
    expect(pages[0]?.missing.every(({ id }) => id === undefined)).toBe(true);
  });
});

describe('the root', () => {
  test('[lists 19] of a branch of a long conversation has one answer, which names what it lacks', async () => {
    const world = bush(1500);
    const root = idAt(40);
    const { depthOf } = oracleOf({ ...world, root });
    const all = world.posts.filter(({ id }) => depthOf(id) !== undefined).length - 1;
    const { value, warnings } = await read(withPagesOf(20, upstreamOf({ ...world, root })), root);
    const { said, found } = value.completeness;
    expect(all).toBeGreaterThan(200);
    expect(value.next_cursor).toBeUndefined();
    expect(said - found).toBe(sumOf(value.missing));
    expect(said).toBeLessThanOrEqual(all);
    expect(found < all ? lacksSome(value) : !lacksSome(value)).toBe(true);
    expect(warnings.map(({ code }) => code).includes('replies_incomplete')).toBe(lacksSome(value));
  });

  test('[lists 19] is the oldest post: an answer to an older one is of another conversation', () => {
    const findings = createFindings();
    const older = String(FIRST_ID - 2n * 3600n * 4_194_304_000n);
    const answerTo = (index: number, to: string) => ({ ...post(idAt(index)), in_reply_to: { id: to } });
    for (const entry of [post(idAt(0)), answerTo(1, idAt(0)), answerTo(2, older), answerTo(3, idAt(9))])
      findings.add(entry);
    const { posts, missing } = treeOf(post(idAt(0)), findings, true);
    expect(posts.map(({ id }) => id)).toEqual([idAt(0), idAt(1), idAt(3)]);
    expect(missing.flatMap(({ id }) => id ?? [])).toEqual([idAt(9)]);
  });

  test('[lists 19] of a post that was edited has the answers to its earlier versions', () => {
    const findings = createFindings();
    const answerTo = (index: number, to: number) => ({ ...post(idAt(index)), in_reply_to: { id: idAt(to) } });
    for (const entry of [post(idAt(0)), answerTo(2, 0), answerTo(3, 1), answerTo(4, 2)]) findings.add(entry);
    const { posts, missing } = treeOf(post(idAt(1)), findings, true);
    expect(posts.map(({ id, depth }) => [id, depth])).toEqual([
      [idAt(1), 0],
      [idAt(2), 1],
      [idAt(4), 2],
      [idAt(3), 1],
    ]);
    expect(missing.filter(({ id }) => id !== undefined)).toEqual([]);
  });
});

describe('failures', () => {
  const answering = (outcome: Outcome<never>): Upstream => ({
    ...upstreamOf(bush(40)),
    listPosts: async () => outcome,
  });

  test('[lists 19] without a search, the gaps of what the excerpts show are named', async () => {
    const { value, warnings } = await read(answering({ kind: 'down', why: 'no', isUnsupported: true }), idAt(0));
    expect(value.completeness.said).toBe(39);
    expect(warnings.map(({ code }) => code).includes('replies_incomplete')).toBe(lacksSome(value));
    const without: Upstream = {
      ...answering({ kind: 'down', why: 'no' }),
      readPost: async (request, ...rest) =>
        request.id === idAt(0) ? upstreamOf(bush(40)).readPost(request, ...rest) : { kind: 'down', why: 'no' },
    };
    const lacking = await read(without, idAt(0));
    expect(lacksSome(lacking.value)).toBe(true);
    expect(lacking.warnings.map(({ code }) => code)).toContain('replies_incomplete');
  });

  test.each([
    ['gone', { kind: 'gone', reason: 'deleted' }, 'post_not_found'],
    ['protected', { kind: 'gone', reason: 'protected' }, 'post_protected'],
    ['withheld', { kind: 'withheld', reason: 'court' }, 'withheld_by_operator'],
    ['down', { kind: 'down', why: 'no' }, 'upstream_unavailable'],
    ['failed', { kind: 'failed', why: 'no' }, 'upstream_failed'],
    ['ambiguous', { kind: 'ambiguous' }, 'upstream_unavailable'],
  ] as const)('[lists 19] a post that is %s has its problem', async (_, outcome, code) => {
    const upstream: Upstream = { ...upstreamOf(bush(3)), readPost: async () => outcome };
    await expect(read(upstream, idAt(0))).rejects.toMatchObject({ code });
  });

  test('[lists 19] what the operator withholds is a gap with its place, and is not shown', async () => {
    const world = bush(60);
    const hidden = idAt(20);
    const isHidden = (id: string | undefined): boolean => id === hidden;
    const withheld: Withheld = {
      isEmpty: false,
      post: (id) => (isHidden(id) ? 'court' : undefined),
      account: () => undefined,
      hasProfiles: () => false,
      hasIds: () => false,
      see: () => undefined,
    };
    const { value, warnings } = await read(
      withhold(upstreamOf(world), () => withheld),
      idAt(0),
    );
    const { to } = world.posts[20] ?? {};
    expect(value.missing).toEqual([{ id: hidden, parent: to, reason: 'withheld', count: 1 }]);
    expect(value.posts.length).toBe(59);
    expect(JSON.stringify(value)).not.toContain(`post ${hidden}`);
    expect(warnings.map(({ code }) => code)).toContain('withheld');
  });
});
