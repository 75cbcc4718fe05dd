// Sends what programs that show previews of links send through the edge function and the cache.
import { expect, test } from 'vitest';
import { shareService } from '../support/local-service.ts';

const { get } = shareService();

const POST = '/jack/status/20';

test.each([
  'Mozilla/5.0 (compatible; January/2.0; +https://github.com/stoatchat/stoatchat)',
  'Mozilla/5.0 (compatible; January/1.0; +https://github.com/revoltchat/january)',
  'Mozilla/5.0 (compatible; Fluxerbot/1.0; +https://fluxer.app)',
])(
  '[pages 1] %s gets the page that browsers have in the cache, and a script with the same Accept the Markdown',
  async (client) => {
    const typeFor = async (headers: Readonly<Record<string, string>>) => {
      const { headers: fields, cache } = await get(POST, { headers });
      return [fields['content-type'], cache];
    };
    const ofScript = { 'user-agent': 'curl/8.14.1', accept: '*/*' };
    await typeFor(ofScript);
    await typeFor({ 'user-agent': 'Mozilla/5.0', accept: 'text/html,*/*;q=0.8' });
    expect(await typeFor({ 'user-agent': client, accept: '*/*' })).toEqual(['text/html; charset=utf-8', 'Hit']);
    expect(await typeFor(ofScript)).toEqual(['text/markdown; charset=utf-8', 'Hit']);
  },
);
