// Tests single reads of posts whose author limits who can reply: real client, real mappers, and a provider on loopback.
import { beforeEach, expect, test } from 'vitest';
import { type Behaviour, type FaultServer, faultServer, html404, json } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { createTestApp } from '../../support/test-app.ts';

const ID = '2034932961899447678';
const END = 'the last words of the log';
const WHOLE = `${'One more sentence of the harbour log. '.repeat(40)}${END}`;

const post = (text: string, members: object) => ({
  ...{ type: 'status', id: ID, text, raw_text: { text, facets: [] }, author: { screen_name: 'ada', name: 'Ada' } },
  ...members,
});
const whole = post(WHOLE, { source: 'Web', is_note_tweet: true });
const cut = post(`${WHOLE.slice(0, 270)}…`, { is_note_tweet: false });

let threadFails = false;
const provider: Behaviour = (incoming, response) => {
  const isThread = incoming.url?.includes('/2/thread/') === true;
  const body = isThread ? { code: 200, status: whole, thread: [whole] } : { code: 200, status: cut, thread: null };
  const answer = isThread && threadFails ? json({ code: 404, status: null, thread: null }, 404) : json(body);
  answer(incoming, response);
};

let server: FaultServer;
beforeEach(async () => {
  threadFails = false;
  server = await faultServer({ fxtwitter: provider, canary: provider, syndication: html404 });
});

const ways = [
  ['a read alone', `/i/status/${ID}?format=json&thread=off&replies=off`],
  ['a lookup', `/api/v1/posts/lookup?ids=${ID}&format=json`],
  ['an embed', `/api/v1/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F${ID}`],
] as const;

test.each(ways)(
  '[threads 6] %s has the whole text, and is cached for a minute when it cannot be read',
  async (_, target) => {
    const read = () => createTestApp({ upstream: fxTwitterAt(server) }).get(target);
    const found = await read();
    expect([found.status, server.calls('fxtwitter').length]).toEqual([200, 2]);
    if (!target.includes('oembed')) {
      expect(found.body).toContain(END);
      expect(found.json()['warnings']).toEqual([]);
    }
    expect(found.headers['cache-control']).not.toContain('s-maxage=60');
    threadFails = true;
    const less = await read();
    expect(less.status).toBe(200);
    expect(less.body).not.toContain(END);
    if (!target.includes('oembed')) expect(less.json()['warnings']).toMatchObject([{ code: 'text_incomplete' }]);
    expect(less.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
  },
);

test('[threads 6] the tool for several posts has the whole text, and a note when it cannot be read', async () => {
  const call = async (): Promise<string> =>
    resultText(await createTestRegistry({ upstream: fxTwitterAt(server) }).call('x_get_posts', { ids: [ID] }));
  expect(await call()).toContain(END);
  threadFails = true;
  expect(await call()).toContain('may have cut a long text');
});
