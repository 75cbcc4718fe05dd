// Reads through the whole local service while the time of day jumps. What the service remembers for seconds must neither
// last for the hour nor be forgotten.
import { expect, onTestFinished, test, vi } from 'vitest';
import { startLocalService } from '../../infra/local/service.ts';
import {
  failingHandle,
  failingId,
  healthyHandle,
  healthyId,
  startMisbehavingProvider,
} from '../exact/misbehaving-provider.ts';
import { createKey } from '../support/create-key.ts';
import { sendRequest } from '../support/local-service.ts';

const HOUR = 3_600_000;
const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';

/** @returns what each read sees, and how many provider calls it causes, after the time of day has jumped */
const readAfterJump = async (milliseconds: number): Promise<readonly string[]> => {
  const { now } = Date;
  let jumped = 0;
  const jump = vi.spyOn(Date, 'now').mockImplementation(() => now() + jumped);
  onTestFinished(() => jump.mockRestore());
  const provider = await startMisbehavingProvider();
  onTestFinished(provider.close);
  const service = await startLocalService({
    host: '127.0.0.1',
    port: 0,
    environment: {
      ADMIN_TOKEN,
      UPSTREAM: 'live',
      DATA_DIR: 'memory',
      FXTWITTER_BASE_URL: provider.origin,
      SYNDICATION_BASE_URL: provider.origin,
      ALLOWANCE_SEARCH_ANONYMOUS: '3/86400',
    },
    writeLog: () => undefined,
  });
  onTestFinished(() => service.close());
  const key = await createKey(service.origin, ADMIN_TOKEN);
  const headers = { Authorization: `Bearer ${key}` };
  const reads: readonly (readonly [name: string, path: string, headers: Record<string, string>])[] = [
    ['shared cache', `/api/v1/posts?handle=ada&id=${healthyId(1)}&format=json`, {}],
    ['request cache', `/api/v1/profiles/${healthyHandle(1)}?format=json`, headers],
    ['failed post', `/api/v1/posts?handle=ada&id=${failingId('fault', 1)}&format=json`, {}],
    ['throttled profile', `/api/v1/profiles/${failingHandle('limit', 1)}?format=json`, headers],
    ['spent allowance', '/api/v1/search?q=fine_1&format=json', {}],
  ];
  const seen: string[] = [];
  const readAll = async (): Promise<void> => {
    for (const [name, path, fields] of reads) {
      const before = provider.calls();
      const { status, headers: answered } = await sendRequest(service.origin, path, { headers: fields });
      const wait = Number(answered['retry-after'] ?? 0);
      seen.push(
        `${name}: ${status}, calls ${provider.calls() - before}, waits ${wait > 90_000 ? wait : 'as long as before'}`,
      );
    }
  };
  for (const word of ['fine_2', 'fine_3', 'fine_4', 'fine_5'])
    await sendRequest(service.origin, `/api/v1/search?q=${word}&format=json`);
  await readAll();
  jumped = milliseconds;
  seen.length = 0;
  await readAll();
  return seen;
};

test.each([0, -HOUR, HOUR])(
  'caches, remembered failures and denials are as before when the time of day has jumped by %i ms',
  async (milliseconds) => {
    expect(await readAfterJump(milliseconds)).toEqual([
      'shared cache: 200, calls 0, waits as long as before',
      'request cache: 200, calls 0, waits as long as before',
      'failed post: 503, calls 0, waits as long as before',
      'throttled profile: 503, calls 0, waits as long as before',
      'spent allowance: 429, calls 0, waits as long as before',
    ]);
  },
  60_000,
);
