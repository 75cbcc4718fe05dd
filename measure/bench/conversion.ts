// Measures a conversion: rendering only, and parse, map, render and respond through the real handler. The rows `floor` show
// what is left if parts of the work are taken away: no bar can be met that is below them.
import { createPostsHandler } from '../../functions/bindings/reads.ts';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import type { HttpResult } from '../../shared/http/event.ts';
import { NEVER } from '../../shared/model/time.ts';
import { createFairUse } from '../../shared/rate-limit/fair-use.ts';
import { createMarkdownContext } from '../../shared/render/markdown/context.ts';
import { conversationMarkdown } from '../../shared/render/markdown/conversation.ts';
import { createFxTwitter } from '../../shared/upstream/fxtwitter/provider.ts';
import { readJson } from '../../shared/upstream/read-json.ts';
import { context, event } from '../../test/support/event.ts';
import { conversationFixture } from '../../test/support/long-conversation.ts';
import { BENCH_PORTS, microseconds, microsecondsRow, type Row, ratioRow } from './measure.ts';
import { conversationPage } from './page.ts';

/** A package of CI, by a name that the compiler does not follow: `npm ci --prefix test/outside` installs it. */
const TURNDOWN: string = '../outside/turndown.ts';

/** The number of posts, and the bar of their Markdown. A request has constant work, too. */
const SIZES = [
  [1, 1.6],
  [20, 1.25],
  [100, 1.25],
] as const;
/** The other side also writes the JSON of the answer. */
const JSON_BAR = 1.35;
const TURNDOWN_BAR = 0.2;

const measureSize = async (posts: number, markdownBar: number): Promise<Row[]> => {
  const { id, json } = conversationFixture(posts);
  const bytes = Buffer.from(json);
  /** Both sides start with the bytes of the provider response. */
  const parse = (): unknown => JSON.parse(bytes.toString('utf8'));
  const provider = createFxTwitter({
    baseUrl: '',
    source: 'fxtwitter',
    clock: Date.now,
    http: { get: async () => ({ kind: 'response', status: 200, json: readJson(bytes), isHtml: false }) },
  });
  const readPost = () =>
    provider.readPost({ id, thread: 'full', replies: 'top' }, { deadline: NEVER, calls: { retries: 0 } });
  const outcome = await readPost();
  if (outcome.kind !== 'found') throw new Error(`the fixture cannot be mapped: ${JSON.stringify(outcome)}`);
  const conversation = outcome.value;
  const handler = createPostsHandler({
    ...BENCH_PORTS,
    upstream: { readPost },
    fairUse: createFairUse(BENCH_PORTS.clock, clientNetwork),
  });
  const lambda = context();
  const requests = {
    markdown: event(`/ada_larsson/status/${id}`),
    json: event(`/ada_larsson/status/${id}?format=json`),
  };
  // Copies the event, because every request has its own event.
  const call = (format: keyof typeof requests): Promise<HttpResult> => handler({ ...requests[format] }, lambda);
  const { statusCode, body } = await call('markdown');
  if (statusCode !== 200 || body === undefined) throw new Error('the handler did not answer');
  const answer: unknown = JSON.parse((await call('json')).body ?? '');
  const html = conversationPage(conversation);
  const { TurndownService } = await import(TURNDOWN);
  const turndown = new TurndownService();
  const us = await microseconds({
    render: () => conversationMarkdown(createMarkdownContext('markdown'), conversation),
    parse,
    stringify: () => JSON.stringify(answer),
    read: () => readJson(bytes),
    map: readPost,
    convert: async () => {
      const found = await readPost();
      return found.kind === 'found' && conversationMarkdown(createMarkdownContext('markdown'), found.value);
    },
    write: async () => JSON.stringify(await readPost()),
    markdown: () => call('markdown'),
    json: () => call('json'),
    turndown: () => turndown.turndown(html),
  });
  const label = `${posts} post${posts === 1 ? '' : 's'} (${(json.length / 1000).toFixed(0)} kB in, ${(body.length / 1000).toFixed(1)} kB out)`;
  return [
    microsecondsRow(`${label}: render only`, us.render),
    microsecondsRow(`${label}: JSON.parse of the bytes only`, us.parse),
    microsecondsRow(`${label}: handler, Markdown`, us.markdown),
    ratioRow(`${label}: handler, Markdown / JSON.parse`, us.markdown / us.parse, markdownBar),
    ratioRow(`${label}: floor, only read / JSON.parse`, us.read / us.parse),
    ratioRow(`${label}: floor, read and map, no rendering / JSON.parse`, us.map / us.parse),
    ratioRow(`${label}: floor, read, map and render, no HTTP / JSON.parse`, us.convert / us.parse),
    ratioRow(`${label}: handler, JSON / JSON.parse and JSON.stringify`, us.json / (us.parse + us.stringify), JSON_BAR),
    ratioRow(
      `${label}: floor, read, map and write, no Markdown, no HTTP / JSON.parse and JSON.stringify`,
      us.write / (us.parse + us.stringify),
    ),
    ratioRow(`${label}: handler, Markdown / turndown`, us.markdown / us.turndown, TURNDOWN_BAR),
  ];
};

export const conversionRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [posts, bar] of SIZES) rows.push(...(await measureSize(posts, bar)));
  return rows;
};
