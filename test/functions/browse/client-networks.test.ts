// Tests who a caller without a key is: the client network that the edge saw, and nothing that the client sends.
import { describe, expect, test } from 'vitest';
import { createLimitedApp, createTestKey, viewerIp } from '../../support/limited-app.ts';

const SEARCH = '/search?q=fjord';

/** True if the second caller is denied because of the charges of the first. */
const areOne = async (first: Readonly<Record<string, string>>, second: Readonly<Record<string, string>>) => {
  const { statuses } = createLimitedApp();
  expect(await statuses(3, SEARCH, first)).toEqual([200, 200, 200]);
  const [status] = await statuses(1, SEARCH, second);
  return status === 429;
};

describe('[allowances 4] callers without a key', () => {
  test.each([
    ['another address', '192.0.2.1', '192.0.2.2', false],
    ['the same address', '192.0.2.1', '192.0.2.1', true],
    ['neighbours in one /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['the next /64', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['another spelling', '2001:DB8:1:2:0:0:0:1', '2001:db8:1:2::9', true],
    ['IPv4 within IPv6', '::ffff:192.0.2.1', '192.0.2.1', true],
    ['garbage', 'garbage', '<script>', true],
    ['garbage and an address', 'garbage', '192.0.2.1', false],
    ['nothing', '', 'unknown', true],
  ])('%s: %o and %o', async (_, first, second, expected) => {
    expect(await areOne(viewerIp(first), viewerIp(second))).toBe(expected);
  });

  test('of unknown address are one caller', async () => {
    expect(await areOne({}, viewerIp('not an address'))).toBe(true);
    expect(await areOne({}, viewerIp('192.0.2.1'))).toBe(false);
  });

  test('are not identified by headers that the client sends', async () => {
    const edge = viewerIp('192.0.2.1');
    for (const name of [
      'x-forwarded-for',
      'forwarded',
      'x-real-ip',
      'cf-connecting-ip',
      'true-client-ip',
      'x-client-ip',
      'cloudfront-viewer-address',
      'via',
      'user-agent',
      'cookie',
    ])
      expect(await areOne({ ...edge, [name]: '198.51.100.1' }, { ...edge, [name]: '198.51.100.2' }), name).toBe(true);
  });

  test('without the edge header are not identified by the source address of the gateway, which is that of the edge', async () => {
    const { statuses, counters } = createLimitedApp();
    await statuses(1, SEARCH, viewerIp('192.0.2.77'));
    await statuses(1, SEARCH);
    expect(new Set(counters.calls.map(({ counter }) => counter.partition)).size).toBe(2);
  });

  test('[keys 12] have addresses that no counter or log line shows', async () => {
    const { statuses, counters, log } = createLimitedApp();
    await statuses(5, SEARCH, viewerIp('192.0.2.77'));
    await statuses(15, SEARCH, { ...viewerIp('192.0.2.77'), authorization: 'Bearer x' });
    expect(counters.calls[0]?.counter.partition).toMatch(/^search#a:[\w-]{22}$/);
    expect(JSON.stringify([counters.calls, log])).not.toContain('192.0.2');
  });

  test('[keys 12] cannot be found in counters by a plain hash of their address', async () => {
    const partitionOf = async (networkSecret: string): Promise<string | undefined> => {
      const { statuses, counters } = createLimitedApp({ access: { networkSecret } });
      await statuses(1, SEARCH, viewerIp('192.0.2.77'));
      return counters.calls[0]?.counter.partition;
    };
    expect(await partitionOf('one secret')).toBe(await partitionOf('one secret'));
    expect(await partitionOf('one secret')).not.toBe(await partitionOf('another'));
  });
});

test('[allowances 4] a caller with a key is identified by the key id, which is not secret', async () => {
  const { headers, keys } = createTestKey({ id: 'abc123' });
  const { statuses, counters } = createLimitedApp({ access: { keys } });
  await statuses(1, SEARCH, headers);
  await statuses(1, '/jack', headers);
  expect(counters.calls.map(({ counter }) => counter.partition)).toEqual(['search#k:abc123', 'browse#k:abc123']);
});
