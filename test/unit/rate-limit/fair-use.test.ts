import { describe, expect, test } from 'vitest';
import { clientNetwork } from '../../../shared/auth/client-network.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import { createFairUse } from '../../../shared/rate-limit/fair-use.ts';
import { testClock } from '../../support/limiter.ts';

const ADA = '192.0.2.1';
const BOB = '192.0.2.2';

const bench = () => {
  const clock = testClock();
  const fairUse = createFairUse(clock.clock, clientNetwork);
  /** The outcomes of consecutive requests: `admitted`, or the seconds of Retry-After. */
  const read = async (times: number, address = ADA): Promise<readonly unknown[]> => {
    const outcomes: unknown[] = [];
    for (let index = 0; index < times; index += 1) {
      const refusal: unknown = await fairUse
        .requesterAt(address)
        .admit()
        .catch((error: unknown) => error);
      outcomes.push(refusal instanceof Problem ? refusal.options.retryAfter : 'admitted');
    }
    return outcomes;
  };
  return { clock, fairUse, read };
};

const admitted = (count: number): readonly string[] => Array(count).fill('admitted');

describe('[allowances 9] fair use of post requests that call a provider', () => {
  test('admits 120 a minute per client network, then denies with the bound and the wait', async () => {
    const { fairUse, read } = bench();
    expect(await read(120)).toEqual(admitted(120));
    await expect(fairUse.requesterAt(ADA).admit()).rejects.toMatchObject({
      code: 'rate_limited',
      options: {
        retryAfter: expect.any(Number),
        detail: expect.stringMatching(
          /^Fair use is 120 posts per 60 seconds for one client network\. Retry in \d+ seconds\.$/,
        ),
      },
    });
    expect(await read(120, BOB)).toEqual(admitted(120));
  });

  test('counts a request once, however often it calls admit', async () => {
    const { fairUse, read } = bench();
    const requester = fairUse.requesterAt(ADA);
    for (let index = 0; index < 200; index += 1) await requester.admit();
    expect(await read(120)).toEqual([...admitted(119), expect.any(Number)]);
  });

  test('counts an IPv6 /64 as one caller, and all callers without an address as one', async () => {
    const { read } = bench();
    await read(60, '2001:db8:1:2::1');
    expect(await read(61, '2001:db8:1:2:ffff::')).toEqual([...admitted(60), expect.any(Number)]);
    expect(await read(1, '2001:db8:1:3::1')).toEqual(['admitted']);
    await read(120, '');
    expect(await read(1, 'nonsense')).toEqual([expect.any(Number)]);
  });
});
