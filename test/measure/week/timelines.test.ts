// Counts the provider calls of timelines and their time, in virtual time, with the real function and a provider that takes a
// second a call. docs/operators/scaling.md has the table.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVirtualHandler } from '../../../measure/week/virtual-handler.ts';
import { installVirtualTime, type VirtualTime } from '../../../measure/week/virtual-time.ts';
import { connectNetwork } from '../../../measure/week/virtual-undici.ts';
import type { LambdaHandler } from '../../../shared/http/pipeline.ts';
import { asRecord } from '../../../shared/model/json.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { emptyKeyReader, UNLIMITED_ALLOWANCES } from '../../support/access-control.ts';
import { context, routedEvent } from '../../support/event.ts';

vi.mock('undici', () => import('../../../measure/week/virtual-undici.ts'));

const START = Date.parse('2026-11-21T12:00:00Z');
const SECOND = 1000;
const EPOCH = 1288834974657;
const FX = 'http://fx.test';

let time: VirtualTime;
let calls: string[];
/** Milliseconds for the accounts, or for those with a first letter, that do not take a second. */
let delays: Map<string, number>;
let handler: LambdaHandler;

/** Each account writes every hour, in its own minute. A page has 20 posts; its cursor is the number of posts before it. */
const statusesOf = (handle: string, start: number) => {
  const minute = Number(handle.replace(/\D/g, ''));
  const results = Array.from({ length: 20 }, (_, index) => {
    const at = START - ((start + index) * 60 + minute + 1) * 60 * SECOND;
    const id = String((BigInt(at - EPOCH) << 22n) + BigInt(minute));
    return {
      type: 'status',
      id,
      text: 'a',
      author: { screen_name: handle, name: handle },
      created_timestamp: at / 1000,
    };
  });
  return { code: 200, results, cursor: { top: null, bottom: String(start + 20) } };
};

beforeEach(() => {
  time = installVirtualTime(START);
  calls = [];
  delays = new Map();
  connectNetwork(async (url) => {
    const { pathname, searchParams } = new URL(url);
    const handle = pathname.split('/')[3] ?? '';
    calls.push(handle);
    await time.sleep(delays.get(handle) ?? delays.get(handle.charAt(0)) ?? SECOND);
    const body = JSON.stringify(statusesOf(handle, Number(searchParams.get('cursor') ?? 0)));
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
  });
  handler = createVirtualHandler('profiles', {
    providers: [{ name: 'fxtwitter', baseUrls: [FX], source: 'fxtwitter' }],
    time,
    random: () => 0.5,
    keys: emptyKeyReader,
    counters: createMemoryCounterStore(time.now),
    allowances: UNLIMITED_ALLOWANCES,
    log: () => undefined,
  });
});
afterEach(() => time.uninstall());

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly milliseconds: number;
}

const send = async (target: string, ip = '192.0.2.1'): Promise<Answer> => {
  const at = time.now();
  const result = await handler(routedEvent(target, { headers: { 'x-viewer-ip': ip } }).event, context());
  const body = JSON.parse(result.isBase64Encoded ? '{}' : (result.body ?? '{}'));
  return { status: result.statusCode ?? 0, body, milliseconds: time.now() - at };
};

/** Lets virtual time pass until the answer is there. */
const settled = async <T>(work: Promise<T>): Promise<T> => {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  while (!isDone) await time.runUntil(time.now() + 100);
  return work;
};

const get = (target: string): Promise<Answer> => settled(send(target));

const handlesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `a${index}`);

const timeline = (handles: readonly string[], cursor?: unknown): string =>
  `/api/v1/timeline?format=json&handles=${handles.join()}${cursor === undefined ? '' : `&cursor=${String(cursor)}`}`;

/** The handles of the authors of an answer, by post. */
const handlesIn = ({ body }: Answer): readonly string[] => {
  const posts: readonly unknown[] = Array.isArray(body['posts']) ? body['posts'] : [];
  return posts.map((entry) => String(asRecord(asRecord(entry)?.['author'])?.['handle']));
};

const pagesOf = async (handles: readonly string[]) => {
  const pages: (Answer & { readonly calls: number })[] = [];
  let cursor: unknown;
  while (pages.length < 3) {
    const before = calls.length;
    const page = await get(timeline(handles, cursor));
    cursor = page.body['next_cursor'];
    pages.push({ ...page, calls: calls.length - before });
    // Beyond the request cache.
    await time.runUntil(time.now() + 70 * SECOND);
  }
  return pages;
};

const documented = readFileSync(new URL('../../../docs/operators/scaling.md', import.meta.url), 'utf8');

test.each([1, 5, 20])(
  '[timelines 12] the calls and the time for %i accounts are those of the documentation',
  async (count) => {
    const pages = await pagesOf(handlesOf(count));
    expect(pages.map(({ status, body }) => [status, body['missing'], body['warnings']])).toEqual(
      pages.map(() => [200, [], []]),
    );
    const [first] = pages;
    const row = [count, ...pages.map((page) => page.calls), `${(first?.milliseconds ?? 0) / SECOND} s`];
    expect(documented).toContain(`| ${row.join(' | ')} |`);
    expect(first?.milliseconds).toBeLessThan(8 * SECOND);
  },
);

test.each([
  [5, 4, 3.5],
  [20, 20, 6.5],
])(
  '[timelines 12] of %i accounts, one that takes %d s is named after %d s, and its posts come later',
  async (count, delay, seconds) => {
    const slow = 'a3';
    delays.set(slow, delay * SECOND);
    const first = await get(timeline(handlesOf(count)));
    expect([first.milliseconds, first.body['missing']]).toEqual([
      seconds * SECOND,
      [{ handle: slow, reason: 'failed' }],
    ]);
    expect(handlesIn(first)).not.toContain(slow);
    // A failed account is not asked again for 30 s.
    await time.runUntil(time.now() + (delay > 4.5 ? 40 : 10) * SECOND);
    delays.delete(slow);
    const before = calls.length;
    const second = await get(timeline(handlesOf(count), first.body['next_cursor']));
    expect(second.body['missing']).toEqual([]);
    expect(handlesIn(second)).toContain(slow);
    // An answer that came within the time of a call was kept.
    expect(calls.slice(before).includes(slow)).toBe(delay > 4.5);
  },
);

test.each([1, 60])(
  '[timelines 12] other callers are served while one reads timelines of 20 accounts that take %d s',
  async (seconds) => {
    delays.set('b', seconds * SECOND);
    let isReading = true;
    const read = async (_: unknown, reader: number): Promise<void> => {
      for (let round = 0; isReading; round += 1)
        await send(timeline(Array.from({ length: 20 }, (_, index) => `b${reader}x${round}x${index}`)), '198.51.100.7');
    };
    const readers = Array.from({ length: 10 }, read);
    const victims: Promise<Answer>[] = [];
    for (let index = 0; index < 20; index += 1) {
      await time.runUntil(time.now() + 700);
      victims.push(send(`/api/v1/profiles/c${index}/posts?format=json`, `203.0.113.${index}`));
    }
    const answers = await settled(Promise.all(victims));
    isReading = false;
    await settled(Promise.all(readers));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(19);
  },
);
