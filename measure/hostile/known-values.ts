// Collects values that the local service knows, so that generated requests also reach answers with content.
import { asRecord, parseJson } from '../../shared/model/json.ts';
import type { HostileRequest, KnownValues } from '../../test/generators/requests.ts';
import { readableIds, sampleHandles, unreadableIds } from '../../test/support/sample-rows.ts';
import type { HostileClient } from './http-client.ts';

/** The lists of this account fail: a fault of the provider, not of the input. */
const handles: readonly string[] = sampleHandles.filter((handle) => handle !== 'flaky_feed');

/** The sample has no lists of a repost, which the provider answers with the original post. */
const ids: readonly string[] = [...readableIds, ...unreadableIds].filter((id) => id !== '2034570574033847604');

/** The lists whose first pages have a cursor. */
const LISTS = [
  '/api/v1/profiles/ada_larsson',
  '/api/v1/profiles/ada_larsson/posts',
  '/api/v1/profiles/ada_larsson/followers',
  '/api/v1/search?q=tide',
  '/api/v1/posts/2034932961899447678/replies',
  '/api/v1/posts/2028036267832246272/quotes',
];

const get = (target: string, headers: HostileRequest['headers'] = {}): HostileRequest => ({
  operation: '',
  method: 'GET',
  target,
  headers: { accept: 'application/json', ...headers },
});

const textAt = (body: string, name: string): readonly string[] => {
  const value = asRecord(parseJson(body))?.[name];
  return typeof value === 'string' ? [value] : [];
};

/** @throws if the service gives no cursor or no key, because then most lists would not be tested */
export const collectKnownValues = async (client: HostileClient, operatorToken: string): Promise<KnownValues> => {
  const cursors: string[] = [];
  for (const list of LISTS) {
    const { body } = await client.send(get(`${list}${list.includes('?') ? '&' : '?'}limit=2`));
    cursors.push(...textAt(body, 'next_cursor'));
  }
  const created = await client.send({
    ...get('/api/admin/keys', { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }),
    method: 'POST',
    body: JSON.stringify({ label: 'hostile', search: '100000/60' }),
  });
  const apiKeys = [...textAt(created.body, 'secret'), ...textAt(created.body, 'key')];
  if (cursors.length === 0 || apiKeys.length === 0)
    throw new Error(`no cursor or no key: ${created.status} ${created.body}`);
  return { handles, ids, cursors, apiKeys };
};
