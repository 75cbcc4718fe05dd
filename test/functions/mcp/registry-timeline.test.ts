// Checks `x_list_posts` with several handles: the timeline of several accounts, as of `GET /api/v1/timeline`.
import { expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { createTestRegistry, resultText, splitResultText } from '../../support/mcp-registry.ts';
import { found, page, post, user } from '../../support/test-app.ts';

const TIMELINES: Readonly<Record<string, readonly string[]>> = { ada: ['9', '3'], bo: ['7', '5'], cy: [] };

const upstream: Partial<Upstream> = {
  readProfile: async (handle) => found(user(handle, { protected: handle === 'cy' })),
  listPosts: async (request) => {
    const handle = request.list === 'posts' ? request.handle : '';
    return found(page((TIMELINES[handle] ?? []).map((id) => post(id, handle))));
  },
};

const callTool = async (args: object) => {
  const result = await createTestRegistry({ upstream }).call('x_list_posts', args);
  return {
    result,
    text: resultText(result),
    ids: [...resultText(result).matchAll(/status\/(\d+)/g)].map(([, id]) => id),
  };
};

test.each([
  { handle: 'ada,bo' },
  { handle: '@Bo, ada ,' },
  { handle: ['ada', 'https://x.com/bo'] },
  { handles: ['ada', 'bo'] },
  { handles: 'ada,bo' },
])('[timelines 5] x_list_posts merges the accounts of %j, newest first', async (args) => {
  const { result, ids, text } = await callTool(args);
  expect(result.isError).toBeUndefined();
  expect(ids).toEqual(['9', '7', '5', '3']);
  expect(text).not.toContain('Ignored');
});

test.each([{ handle: 'ada' }, { handle: ['ada'] }, { handle: 'ada,' }])(
  '[timelines 5] x_list_posts reads the profile of %j alone',
  async (args) => {
    const result = await createTestRegistry({ upstream }).call('x_list_posts', { ...args, format: 'json' });
    expect(result.structuredContent).toMatchObject({ handle: 'ada', posts: [{ id: '9' }, { id: '3' }] });
  },
);

test('[timelines 5] x_list_posts names the missing accounts, and goes on with its cursor', async () => {
  const first = await callTool({ handle: 'ada,bo,cy', limit: 3 });
  expect(first.ids).toEqual(['9', '7', '5']);
  expect(first.text).toContain('Missing: @cy (protected).');
  const more = splitResultText(first.text).notes.at(-1) ?? '';
  const [, cursor] = /^More: call x_list_posts again with cursor "([^"]+)"/.exec(more) ?? [];
  const next = await callTool({ handles: ['cy', 'BO', 'ada'], limit: 3, cursor });
  expect(next.ids).toEqual(['3']);
});

test('[timelines 5] x_list_posts with format json has the members of the timeline', async () => {
  const { result } = await callTool({ handle: 'ada,cy', format: 'json' });
  expect(result.structuredContent).toMatchObject({
    handles: ['ada', 'cy'],
    missing: [{ handle: 'cy', reason: 'protected' }],
    posts: [{ id: '9' }, { id: '3' }],
  });
});

test.each([
  ['ada,b-o', 'invalid_handle'],
  [Array.from({ length: 21 }, (_, index) => `a${index}`).join(), 'invalid_parameter'],
])('[timelines 5] x_list_posts rejects the handles %o', async (handle, code) => {
  const { result } = await callTool({ handle });
  expect(result).toMatchObject({ isError: true, _meta: { code } });
});
