// [text 12] Tests hostile provider responses from the bytes to every representation. The JSON matches the published
// schemas, the Markdown has no more structure than the model, and the HTML has only known elements. Nothing throws.
//
// HOSTILE_JSON_RUNS=20000 npm exec -- vitest run test/unit/upstream/hostile-json.test.ts
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { Conversation, ResourceName } from '../../../shared/model/resources.ts';
import { schemas } from '../../../shared/model/schemas.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { bodyName } from '../../../shared/publish/operations.ts';
import { createFollowsPresenter } from '../../../shared/reads/follows/present.ts';
import { presentOembed } from '../../../shared/reads/oembed/present.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { presentProfile } from '../../../shared/reads/profile/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import type { Presenter } from '../../../shared/render/presenters/view.ts';
import type { Provider, ProviderPage } from '../../../shared/upstream/provider.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { hostileAnswer } from '../../generators/hostile-json.ts';
import { readingAt } from '../../support/clocks.ts';
import { description } from '../../support/conformance.ts';
import { cases } from '../../support/full-form.ts';
import { renderList } from '../../support/list-models.ts';
import { readWithMarkdownIt, readWithMdast } from '../../support/markdown-oracle.ts';
import { json, type ListRequest, providerCalling, readList } from '../../support/provider-calls.ts';
import { pick, seededRandom } from '../../support/random.ts';
import { clientAnswering, listExchanges, readExchange } from '../../support/recorded-lists.ts';
import {
  bodyOf,
  type Exchange,
  exchanges,
  RECORDED_AT,
  readRecorded,
  requestOf,
} from '../../support/recorded-posts.ts';
import { type Bounds, boundsOf, forgedIn } from '../../support/structure.ts';
import { tagsOf } from '../render/tags.ts';
import { elementOf, elementsIn } from '../render/xml.ts';

const { HOSTILE_JSON_RUNS = String(cases(150, 800)), FUZZ_SEED = '20261121' } = process.env;
const BUDGET = { deadline: readingAt(RECORDED_AT + 8000), calls: { retries: 0 } };
const RUNS = Number(HOSTILE_JSON_RUNS);
const SEED = FUZZ_SEED === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(FUZZ_SEED);

type Found =
  | { readonly kind: 'conversation'; readonly value: Conversation }
  | { readonly kind: 'posts'; readonly value: readonly Post[] }
  | { readonly kind: 'users'; readonly value: readonly User[] }
  | { readonly kind: 'profile'; readonly value: User };

/** A recorded response and the call of the provider that reads it. undefined: the outcome is not found. */
interface Source {
  readonly name: string;
  readonly recorded: string;
  read(json: unknown): Promise<Found | undefined>;
}

/** @param kind the kind of the requested resource */
const foundAs = (kind: Found['kind'], outcome: Outcome<unknown> | undefined): Found | undefined =>
  outcome?.kind === 'found' ? ({ kind, value: outcome.value } as Found) : undefined;

const itemsAs = (kind: 'posts' | 'users', outcome: Outcome<ProviderPage<unknown>> | undefined): Found | undefined =>
  outcome?.kind === 'found' ? foundAs(kind, { ...outcome, value: outcome.value.items }) : undefined;

/** Keeps the first items of a list, because more items only take time. */
const short = (recorded: string): string => {
  const body: unknown = JSON.parse(recorded);
  if (typeof body !== 'object' || body === null) return recorded;
  const cut = Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, 3) : value]);
  return JSON.stringify(Object.fromEntries(cut));
};

const MOST_RECORDED = 60_000;

const posts: readonly Source[] = exchanges
  .filter(
    ({ file, status }) =>
      status === 200 && /^(?:fxtwitter\/(?:status|thread|conversation)|syndication)\/.*\.json$/.test(file),
  )
  .map((exchange) => ({
    name: exchange.file,
    recorded: short(bodyOf(exchange)),
    read: async (body) => foundAs('conversation', await readRecorded(exchange.file, body)),
  }));

const kindOfList = (path: string): 'posts' | 'users' | 'profile' =>
  /\/(?:statuses|search|media|articles|quotes)\b/.test(path)
    ? 'posts'
    : /\/(?:followers|following|typeahead|reposts)\b/.test(path)
      ? 'users'
      : 'profile';

const recordedList = ({ file }: Exchange): string =>
  short(readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8'));

const lists: readonly Source[] = listExchanges
  .filter(({ file, status }) => status === 200 && file.endsWith('.json'))
  .map((exchange) => ({
    name: exchange.file,
    recorded: recordedList(exchange),
    read: async (body) => {
      const outcome = await readExchange(exchange, json(body));
      const kind = kindOfList(exchange.path);
      return kind === 'profile' ? foundAs(kind, outcome) : itemsAs(kind, outcome as Outcome<ProviderPage<unknown>>); // a list
    },
  }));

/** The pages of replies are conversations, with the replies of the first page or of a later one. */
const replies: readonly Source[] = exchanges
  .filter(({ file, status }) => status === 200 && file.startsWith('fxtwitter/conversation/'))
  .flatMap((exchange) =>
    [undefined, 'ada_larsson|token'].map((cursor) => ({
      name: `${exchange.file}, ${cursor === undefined ? 'first' : 'later'} page of replies`,
      recorded: short(bodyOf(exchange)),
      read: async (body: unknown) => {
        const request = { list: 'replies', id: requestOf(exchange).id, order: 'top' } as const;
        const page = { size: 20, ...(cursor !== undefined && { cursor }) };
        return itemsAs('posts', await readList(clientAnswering(json(body)), request, page, BUDGET));
      },
    })),
  );

/** The pages of a search for posts of a profile before an instant. */
const windows: readonly Source[] = listExchanges
  .filter(({ file, status }) => status === 200 && file.startsWith('fxtwitter/search/'))
  .map((exchange) => ({
    name: `${exchange.file}, window`,
    recorded: recordedList(exchange),
    read: async (body) => {
      const request = { list: 'posts', kind: 'media', handle: 'ada', until: RECORDED_AT } as const;
      return itemsAs('posts', await readList(clientAnswering(json(body)), request, { size: 20 }, BUDGET));
    },
  }));

const X_API = new URL('../../fixtures/x_api/', import.meta.url);

/** The post of the constructed responses about several posts. */
const BATCHED = '2028036267832246272';

/** The lists of the official API, by the start of the names of their recordings. */
const xApiLists: readonly (readonly [
  start: string,
  'posts' | 'users',
  (id: string) => ListRequest,
  cursor?: string,
])[] = [
  ['quotes', 'posts', (id) => ({ list: 'quotes', id }), '20:x'],
  ['reposts', 'users', (id) => ({ list: 'reposts', id }), '20:x'],
  ['replies', 'posts', () => ({ list: 'replies', id: BATCHED, order: 'top' }), `${BATCHED}:ada_larsson:x`],
  ['follow', 'users', () => ({ list: 'followers', handle: 'ada' }), '20:x'],
  ['search', 'posts', () => ({ list: 'search', query: 'x', feed: 'latest' })],
  ['timeline', 'posts', () => ({ list: 'posts', kind: 'posts', handle: 'ada' }), '20:x'],
];

const readXApi = async (name: string, provider: Provider, id: string): Promise<Found | undefined> => {
  const { readPost, readProfile } = provider;
  const [, kind, requestOfId, cursor] = xApiLists.find(([start]) => name.startsWith(start)) ?? [];
  if (kind !== undefined && requestOfId !== undefined) {
    const page = { size: 20, ...(cursor !== undefined && { cursor }) };
    return itemsAs(kind, await readList(provider, requestOfId(id), page, BUDGET));
  }
  if (name.startsWith('user')) return foundAs('profile', await readProfile?.('ada_larsson', BUDGET));
  if (name.startsWith('post'))
    return foundAs('conversation', await readPost?.({ id, thread: 'full', replies: 'top' }, BUDGET));
  const [first] = await Promise.all(
    [BATCHED, '21'].map((each) =>
      readPost?.({ id: each, thread: 'off', replies: 'off' }, { ...BUDGET, calls: { retries: 0, caller: 'ada' } }),
    ),
  );
  return foundAs('conversation', first);
};

const official: readonly Source[] = readdirSync(X_API)
  .filter((file) =>
    /^(?:post|user|followers|following|search|timeline|quotes|reposts|replies|batch)_?.*\.json$/.test(file),
  )
  .map((file) => {
    const recorded = readFileSync(new URL(file, X_API), 'utf8');
    const id: unknown = JSON.parse(recorded).data?.id;
    return {
      name: `x_api/${file}`,
      recorded,
      read: async (body) =>
        readXApi(
          file,
          providerCalling(createXApi, () => json(body), RECORDED_AT),
          typeof id === 'string' ? id : '20',
        ),
    };
  });

const sources = [...posts, ...lists, ...replies, ...windows, ...official].filter(
  ({ recorded }) => recorded.length <= MOST_RECORDED,
);

const ajv = new Ajv2020.default({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi.json', ...description });

const wellFormed = (name: string, value: unknown): unknown => {
  if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw new Error('a lone surrogate');
  return value;
};

/** The JSON has the published schema with its formats, no undeclared member, and is valid I-JSON (RFC 7493 section 2.1). */
const expectBody = (resource: ResourceName, body: string): void => {
  const sent: unknown = JSON.parse(body, wellFormed);
  const schema = bodyName(resource);
  if (!ajv.validate(`openapi.json#/components/schemas/${schema}`, sent)) throw new Error(ajv.errorsText());
  const parsed: unknown = JSON.parse(JSON.stringify(schemas[schema].parse(sent)));
  if (!isDeepStrictEqual(parsed, sent)) throw new Error('undeclared members');
};

const FRONTMATTER = /^---\n(?:[a-z]+: (?:"(?:[^"\\\n]|\\.)*"|[0-9]+)\n|tags:\n(?: {2}- "[^"\n]*"\n)+)+---\n\n/;

/** Truncates large documents as max_tokens does, because the parser of the test is slow. */
const MOST_MARKDOWN = 30_000;

const expectMarkdown = (markdown: string, bounds: Bounds): void => {
  if (!markdown.isWellFormed()) throw new Error('a lone surrogate');
  for (const read of [readWithMdast, readWithMarkdownIt]) {
    const forged = forgedIn(read(markdown), bounds);
    if (forged.length > 0) throw new Error(`${read.name}: ${forged.slice(0, 5).join('; ')}`);
  }
};

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** All elements of the pages. Pages run no script and embed nothing. */
const ELEMENTS = wordsOf(`
  doctype html head meta link title style body header main footer nav section article aside figure figcaption
  details summary blockquote div span p pre code h1 h2 h3 h4 h5 h6 ul ol li dl dt dd hr br a b bdi em strong s small
  mark time form label input button img video source svg g path u rect circle symbol use`);

/** All attributes of the pages: no handlers of events, no style. */
const ATTRIBUTES = wordsOf(`
  lang dir class id title tabindex role hidden charset name property content media rel href type sizes src srcset
  alt width height loading decoding controls preload poster playsinline loop muted datetime open for action method
  download popover popovertarget value maxlength autocapitalize autocomplete spellcheck enterkeyhint placeholder required viewbox focusable d fill
  fill-rule stroke stroke-width stroke-dasharray cx cy r x y rx transform start stroke-opacity fill-opacity`);
const VOID = wordsOf(`
  doctype meta link br hr img input source path rect circle use`);

const isKnownAttribute = (name: string): boolean => ATTRIBUTES.has(name) || name.startsWith('aria-');

/** Only a picture in a viewer asks for the focus. */
const LARGE_PICTURE = 'img id tabindex autofocus src ';

const withoutFocus = (tag: string): string => (tag.startsWith(LARGE_PICTURE) ? tag.replace(' autofocus', '') : tag);

const expectPage = (html: string): void => {
  const open: string[] = [];
  for (const tag of tagsOf(html)) {
    const [name = '', ...attributes] = withoutFocus(tag.toLowerCase()).split(' ');
    if (name.startsWith('/')) {
      if (open.pop() !== name.slice(1)) throw new Error(`${name} closes another element`);
      continue;
    }
    if (!ELEMENTS.has(name) || !attributes.every(isKnownAttribute))
      throw new Error(`a foreign element or attribute: ${tag}`);
    if (!VOID.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`left open: ${open.join(' ')}`);
  for (const [, address = ''] of html.matchAll(/\b(?:href|src|poster|action)="([^"]*)"/g))
    if (!/^(?:https?:\/\/|\/(?!\/)|#[a-z][a-z0-9-]*$|obsidian:\/\/new\?name=[^\s[\]#:/"<>|]*$)/i.test(address))
      throw new Error(`a foreign address: ${address}`);
};

const EMBEDDED = wordsOf(`
  blockquote p a img br strong ul li`);
const EMBEDDED_ATTRIBUTES = wordsOf(`
  class cite lang dir href rel target src alt width height`);

const expectEmbed = (body: string): void => {
  expectBody('oembed', body);
  for (const { name, attributes } of elementsIn(elementOf(JSON.parse(body).html))) {
    if (!EMBEDDED.has(name)) throw new Error(`a foreign element: ${name}`);
    for (const [attribute, value] of Object.entries(attributes)) {
      if (!EMBEDDED_ATTRIBUTES.has(attribute)) throw new Error(`a foreign attribute: ${attribute}`);
      if (/^(?:href|src|cite)$/.test(attribute) && !/^https?:\/\//i.test(value))
        throw new Error(`a foreign address: ${value}`);
    }
  }
};

const checkOutcome = <T>(
  represent: Presenter<T>,
  value: T,
  resource: ResourceName,
  bounds: Bounds,
  formats: readonly Format[],
): void => {
  for (const format of formats) {
    const { body } = renderList(represent, value, { format });
    if (format === 'json') expectBody(resource, body);
    else if (format === 'html') expectPage(body);
    else {
      if (format === 'obsidian' && !FRONTMATTER.test(body)) throw new Error('broken frontmatter');
      const markdownText = body.replace(format === 'obsidian' ? FRONTMATTER : '', '');
      if (markdownText.length <= MOST_MARKDOWN) expectMarkdown(markdownText, bounds);
    }
  }
  const { body } = renderList(represent, value, { maxTokens: 150 });
  if (Buffer.byteLength(body) > 600) throw new Error('over its budget');
  expectMarkdown(body, sumWith(bounds, { emphasis: 2, codeSpan: 2 }));
};

const sumWith = (bounds: Bounds, more: Bounds): Bounds => ({
  ...bounds,
  emphasis: (bounds.emphasis ?? 0) + (more.emphasis ?? 0),
  codeSpan: (bounds.codeSpan ?? 0) + (more.codeSpan ?? 0),
});

const judgeAll = (found: Found): void => {
  const forms = ['json', 'markdown', 'html'] as const;
  if (found.kind === 'conversation') {
    const { post, ancestors, thread, replies } = found.value;
    const bounds = boundsOf([post, ...ancestors, ...thread, ...replies], { heading: 5, emphasis: 1 });
    checkOutcome(presentPost, found.value, 'post', bounds, [...forms, 'obsidian']);
    for (const maxTokens of [undefined, 150]) {
      const { body } = renderList(presentPost, found.value, { layout: 'unrolled', maxTokens });
      if (maxTokens !== undefined && Buffer.byteLength(body) > 600) throw new Error('over its budget');
      if (body.length <= MOST_MARKDOWN) expectMarkdown(body, sumWith(bounds, { emphasis: 2, codeSpan: 2 }));
    }
    for (const maxHeight of [undefined, 300]) expectEmbed(renderList(presentOembed, { post, maxHeight }).body);
  } else if (found.kind === 'posts') {
    const value = { query: 'x', feed: 'latest' as const, posts: [...found.value] };
    checkOutcome(presentSearch, value, 'search', boundsOf(found.value, { heading: 2 }), forms);
  } else if (found.kind === 'users') {
    const users = [...found.value];
    const bounds = boundsOf([], { heading: 1, list: 1, item: users.length, strong: users.length });
    checkOutcome(createFollowsPresenter('followers'), { handle: 'ada', users }, 'userList', bounds, forms);
  } else {
    checkOutcome(presentProfile, { profile: found.value, posts: [] }, 'profile', boundsOf([], { heading: 2 }), forms);
  }
};

test(`[text 12] [provider-faults 14] ${RUNS} hostile responses of all providers give valid representations`, {
  timeout: 60_000 + RUNS * 200,
}, async () => {
  let found = 0;
  for (let number = 0; number < RUNS; number += 1) {
    const random = seededRandom(SEED + number * 7919);
    const source = pick(random, sources);
    const { json, done } = hostileAnswer(source.recorded, [pick(random, sources).recorded], random);
    try {
      const read = await source.read(json);
      if (read === undefined) continue;
      found += 1;
      judgeAll(read);
    } catch (error) {
      throw new Error(`FUZZ_SEED=${SEED}, answer ${number}, ${source.name}: ${done.join(', ')}`, { cause: error });
    }
  }
  expect(found).toBeGreaterThan(RUNS * 0.6);
});
