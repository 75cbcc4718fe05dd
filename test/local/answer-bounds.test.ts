// Tests how much of one network the local service works on, and how many bytes of answers it keeps for slow readers.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAnswerBounds } from '../../infra/local/answer-bounds.ts';
import type { OriginResponse } from '../../infra/local/api-gateway.ts';

const answerOf = (bytes: number): OriginResponse => ({ status: 200, headers: {}, body: Buffer.alloc(bytes) });

/** Starts work that ends when it is told. */
const setUp = () => {
  const { work } = createAnswerBounds();
  const ends: (() => void)[] = [];
  const start = (viewerIp: string) =>
    work(viewerIp, () => {
      const { promise, resolve } = Promise.withResolvers<OriginResponse>();
      ends.push(() => resolve(answerOf(0)));
      return promise;
    });
  return { start, started: () => ends.length, end: (at: number) => ends[at]?.() };
};

afterEach(() => void vi.useRealTimers());

describe('[running 3] the work for one network', () => {
  test('is on 6 requests at a time, and delays no other network', async () => {
    const { start, started, end } = setUp();
    // One customer has a whole /64.
    const answers = Array.from({ length: 8 }, (_, host) => start(`2001:db8::${host}`));
    await expect.poll(started).toBe(6);
    answers.push(start('2001:db8:0:1::1'));
    await expect.poll(started).toBe(7);
    end(0);
    await expect.poll(started).toBe(8);
    end(1);
    await expect.poll(started).toBe(9);
    for (let at = 2; at < 9; at += 1) end(at);
    expect((await Promise.all(answers)).every((answer) => answer?.status === 200)).toBe(true);
  });

  test('is refused after 8 s, and at once if 256 wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { start, started } = setUp();
    const answers = Array.from({ length: 6 + 256 }, () => start('198.51.100.1'));
    expect(await start('198.51.100.1')).toBeUndefined();
    vi.advanceTimersByTime(8000);
    expect(await Promise.all(answers.slice(6))).toEqual(Array.from({ length: 256 }, () => undefined));
    expect(started()).toBe(6);
  });

  test('that failed leaves room for other work', async () => {
    const { work } = createAnswerBounds();
    const failing = () => Promise.reject(new Error('failed'));
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => work('198.51.100.1', failing)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await work('198.51.100.1', async () => answerOf(1))).toMatchObject({ status: 200 });
  });
});

describe('[running 3] answers that their readers do not take', () => {
  const MEGABYTE = 1024 * 1024;

  /** For one network there is room for 1 MB, in all for 4 MB. */
  const setUpReaders = () => {
    const { countUnsent } = createAnswerBounds(32 * MEGABYTE);
    return (viewerIp: string, bytes: number) => {
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      countUnsent(viewerIp, response, bytes);
      return response;
    };
  };

  test('of one network go from the oldest', () => {
    const stop = setUpReaders();
    const other = stop('198.51.100.2', MEGABYTE);
    const answers = Array.from({ length: 4 }, () => stop('198.51.100.1', MEGABYTE / 2));
    expect(answers.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
    expect(other.destroyed).toBe(false);
  });

  test('may be one that is larger', () => {
    const stop = setUpReaders();
    expect(stop('198.51.100.1', 2 * MEGABYTE).destroyed).toBe(false);
  });

  test('of all networks go from the network with most', () => {
    const stop = setUpReaders();
    const greedy = stop('198.51.100.1', 2 * MEGABYTE);
    const others = Array.from({ length: 3 }, (_, at) => stop(`198.51.100.${2 + at}`, MEGABYTE));
    expect([greedy, ...others].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
  });

  test('do not count when they were taken', async () => {
    const stop = setUpReaders();
    const first = stop('198.51.100.1', MEGABYTE);
    first.emit('close');
    await Promise.resolve();
    const second = stop('198.51.100.1', MEGABYTE);
    expect([first.destroyed, second.destroyed]).toEqual([false, false]);
  });
});
