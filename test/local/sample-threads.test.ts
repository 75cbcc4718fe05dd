// Tests that the threads of the bundled sample are complete from each of their posts, as in the real service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { type LocalRequestOptions, localOptions, sendRequest, startSlowService } from '../support/local-service.ts';
import { idsOf, PARTS, partId } from '../support/threads.ts';

let service: LocalService;

beforeAll(async () => {
  service = await startSlowService(localOptions());
});

afterAll(() => service.close());

const get = (target: string, options?: LocalRequestOptions) => sendRequest(service.origin, target, options);

interface Body {
  readonly post: { readonly id: string };
  readonly ancestors: readonly { readonly id: string }[];
  readonly thread: readonly { readonly id: string }[];
  readonly replies: readonly { readonly id: string }[];
  readonly warnings: readonly { readonly code: string }[];
}

const read = async (id: string, query = ''): Promise<Body> => {
  const { status, body } = await get(`/i/status/${id}?format=json${query}`);
  expect(status).toBe(200);
  const read: Body = JSON.parse(body);
  // The posts of the sample count more replies than it has.
  return { ...read, warnings: read.warnings.filter(({ code }) => code !== 'more_replies' && code !== 'sample') };
};

describe('the long thread', () => {
  test.each(PARTS)('[threads 1] is complete from %s', async (id) => {
    const { ancestors, post, thread, warnings } = await read(id);
    expect([...idsOf(ancestors), post.id, ...idsOf(thread)]).toEqual(PARTS);
    expect(warnings).toEqual([]);
  });

  test.each(['text/markdown', 'text/html'])('[threads 1] is complete as %s', async (accept) => {
    const { body } = await get(`/lena_quay/status/${partId(15)}`, { headers: { accept } });
    const [text = ''] = body.slice(body.indexOf('<body') + 1).split('<nav class="sill"');
    const shown = [...text.matchAll(/Tide notes (\d+)\/25/g)].map(([, part]) => Number(part));
    expect(shown).toEqual(PARTS.map((_, index) => index + 1));
  });
});

test('[threads 1] the shorter thread is complete from each of its parts, and its replies are of other authors', async () => {
  const parts = ['2034932961899447678', '2034933213557687715', '2034933465215927752', '2034933716874167789'];
  for (const id of parts) {
    const { ancestors, post, thread, replies, warnings } = await read(id, '&replies=recent');
    expect([...idsOf(ancestors), post.id, ...idsOf(thread)]).toEqual(parts);
    expect(idsOf(replies).filter((reply) => parts.includes(reply))).toEqual([]);
    expect(warnings).toEqual([]);
  }
});

test('the URL of a repost shows the original post with its conversation', async () => {
  expect(await read('2034570574033847604')).toMatchObject({ post: { id: '2028742169195446346' }, warnings: [] });
});
