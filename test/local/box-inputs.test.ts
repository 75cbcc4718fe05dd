// Lists what people paste into the box, and where each text leads: a path, or the code of an error page. The inputs are
// sent to the whole local service as a form sends them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalService, startLocalService } from '../../infra/local/service.ts';
import { localOptions, sendRequest } from '../support/local-service.ts';

/** `{own}` stands for the origin of the service. */
const INPUTS: readonly (readonly [kind: string, inputs: readonly (readonly [text: string, leadsTo: string])[]])[] = [
  [
    'the link of a post',
    [
      ['https://x.com/jack/status/20', '/jack/status/20'],
      ['x.com/jack/status/20?s=46&t=abc', '/jack/status/20'],
      ['http://mobile.twitter.com/jack/statuses/20/photo/1', '/jack/status/20'],
      ['https://twitter.com/#!/jack/status/20', '/jack/status/20'],
      ['https://x.com/i/web/status/20', '/i/status/20'],
      ['https://x.com/ada_larsson/article/2034932961899447678', '/ada_larsson/status/2034932961899447678'],
      ['https://x.com/jack/status/20/quotes', '/jack/status/20/quotes'],
      ['https://x.com/jack/status/20/likes', '/jack/status/20'],
      ['HTTPS://X.COM/JACK/STATUS/20', '/JACK/status/20'],
      ['https:/x.com/jack/status/20', '/jack/status/20'],
      ['https://x.com/intent/like?tweet_id=20', '/i/status/20'],
      ['{own}/jack/status/20?format=json', '/jack/status/20'],
      ['2034932961899447678', '/i/status/2034932961899447678'],
    ],
  ],
  [
    'the link of a post among words',
    [
      ['look at this https://x.com/jack/status/20 wow', '/jack/status/20'],
      ['look at this x.com/jack/status/20, wow', '/jack/status/20'],
      ['<https://x.com/jack/status/20>', '/jack/status/20'],
      ['<https://x.com/jack/status/20|the first post>', '/jack/status/20'],
      ['(https://x.com/jack/status/20)', '/jack/status/20'],
      ['[a](https://x.com/jack/status/20)', '/jack/status/20'],
      ['*https://x.com/jack/status/20*', '/jack/status/20'],
      ['“https://x.com/jack/status/20”', '/jack/status/20'],
      ['https://x.com/jack/status/20.', '/jack/status/20'],
      ['https://x.com/jack/status/20?s=46).', '/jack/status/20'],
      ['https://x.com/jack/status/20!!!', '/jack/status/20'],
      ['见https://x.com/jack/status/20。谢谢', '/jack/status/20'],
      ['Link:x.com/jack/status/20', '/jack/status/20'],
      ['Quelle: HTTPS://TWITTER.COM/jack/status/20', '/jack/status/20'],
      ['just setting up my twttr\nhttps://x.com/jack/status/20', '/jack/status/20'],
      ['"text" / X https://x.com/jack/status/20 https://t.co/abc', '/jack/status/20'],
      ['https://x.com/jack and https://x.com/jack/status/20', '/jack/status/20'],
      ['https://x.com/jack/status/20 https://x.com/ada/status/21', '/jack/status/20'],
      ['<a href="https://twitter.com/jack/status/20?ref_src=twsrc">March 21, 2006</a>', '/jack/status/20'],
      ['{"url":"https:\\/\\/x.com\\/jack\\/status\\/20"}', '/jack/status/20'],
      [`${'word '.repeat(300)}https://x.com/jack/status/20`, '/jack/status/20'],
    ],
  ],
  [
    'the link of another service with the id of a post',
    [
      ['https://threadreaderapp.com/thread/2034932961899447678.html', '/i/status/2034932961899447678'],
      ['see threadreaderapp.com/thread/20', '/i/status/20'],
      ['https://web.archive.org/web/20060321/https://x.com/jack/status/20', '/jack/status/20'],
      ['https://web.archive.org/web/2006/http://twitter.com:80/jack/status/20', '/jack/status/20'],
      ['https://web.archive.org/web/2006/twitter.com/jack/status/20', '/jack/status/20'],
      ['https://archive.ph/2023.01.01-000000/https://twitter.com/jack/status/20', '/jack/status/20'],
      ['https://fxtwitter.com/jack/status/20/de', '/jack/status/20'],
      ['https://d.fxtwitter.com/jack/status/20', '/jack/status/20'],
      ['https://g.fixupx.com/jack/status/20', '/jack/status/20'],
      ['https://vxtwitter.com/jack/status/20.mp4', '/jack/status/20'],
      ['https://nitter.net/jack/status/20#m', '/jack/status/20'],
      ['https://nitter.example.org/jack/status/20#m', '/jack/status/20'],
      ['https://nitter.example.org:8443/jack/status/20', 'unsupported_host'],
      ['https://xcancel.com/jack/status/20', '/jack/status/20'],
      ['https://farside.link/nitter/jack/status/20', '/jack/status/20'],
      ['https://twstalker.com/jack/status/20', '/jack/status/20'],
      ['https://unrollnow.com/status/20', '/i/status/20'],
      ['https://platform.twitter.com/embed/Tweet.html?dnt=true&id=20', '/i/status/20'],
      ['https://publish.twitter.com/?query=https%3A%2F%2Ftwitter.com%2Fjack%2Fstatus%2F20', '/jack/status/20'],
      ['https://www.google.com/url?q=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20&sa=D', '/jack/status/20'],
      ['https://pro.x.com/jack/status/20', '/jack/status/20'],
    ],
  ],
  [
    'a profile, a page below it, or a search',
    [
      ['@jack', '/jack'],
      ['https://x.com/jack', '/jack'],
      ['x.com/jack.', '/jack'],
      ['<x.com/jack>', '/jack'],
      ['Look at Jack (@jack): https://x.com/jack?s=21', '/jack'],
      ['[Jack](https://x.com/jack)', '/jack'],
      ['https://x.com/jack/followers', '/jack/followers'],
      ['https://x.com/jack/media', '/jack/media'],
      ['https://web.archive.org/web/2006/https://twitter.com/jack', '/jack'],
      ['https://x.com/i/user/12', '/i/user/12'],
      ['https://x.com/hashtag/tide?src=hash', '/search?q=%23tide&feed=top'],
      ['https://x.com/search?q=tide&f=live', '/search?q=tide&feed=latest'],
      ['all of https://x.com/search?q=tide&f=live please', '/search?q=tide&feed=latest'],
      ['https://x.com/search?q=x.com%2Fjack%2Fstatus%2F20', '/search?q=x.com%2Fjack%2Fstatus%2F20&feed=top'],
    ],
  ],
  [
    'words',
    [
      ['low tide', '/search?q=low%20tide'],
      ['#tide', '/search?q=%23tide'],
      ['from:jack since:2026-01-01', '/search?q=from%3Ajack%20since%3A2026-01-01'],
      ['jack', '/search?q=jack'],
      ['@jack and @ada', '/search?q=%40jack%20and%20%40ada'],
      ['node.js', '/search?q=node.js'],
      ['example.org/jack', '/search?q=example.org%2Fjack'],
      ['x.com/jack and more', '/search?q=x.com%2Fjack%20and%20more'],
      ['url:example.org/tide', '/search?q=url%3Aexample.org%2Ftide'],
      ['jack@x.com', '/search?q=jack%40x.com'],
      ['//evil.example/', '/search?q=%2F%2Fevil.example%2F'],
    ],
  ],
  [
    'a link that the service cannot open',
    [
      ['https://example.org/jack/status/20', 'unsupported_host'],
      ['look at https://example.org/tide', 'unsupported_host'],
      ['www.example.org', 'unsupported_host'],
      ['https://mastodon.example/users/jack/statuses/20', 'unsupported_host'],
      ['https://x.com.evil.example/jack/status/20', 'unsupported_host'],
      ['https://threadreaderapp.com/user/jack', 'unsupported_host'],
      ['https://t.co/abc', 'unsupported_host'],
      ['https://x.com/i/lists/12', 'invalid_path'],
      ['good list: https://x.com/i/lists/12 https://example.org/', 'invalid_path'],
      ['https://x.com/i/spaces/1abc', 'invalid_path'],
      ['https://x.com/messages', 'invalid_path'],
      ['https://x.com/i/article/20', 'invalid_path'],
      ['https://x.com/jack/status/abc', 'invalid_id'],
      ['https://jack:secret@x.com/jack/status/20', 'invalid_url'],
      ['word '.repeat(200), 'invalid_query'],
    ],
  ],
];

let service: LocalService;

beforeAll(async () => {
  service = await startLocalService(localOptions());
});
afterAll(() => service.close());

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const CODE = /<code>400 · ([a-z_]+)<\/code>/;

test.each(
  INPUTS.flatMap(([kind, inputs]) => inputs.map(([text, target]) => [kind, text.slice(0, 90), target, text] as const)),
)('[pages 5] %s: %j leads to %s', async (_, __, target, text) => {
  const query = new URLSearchParams({ q: text.replace('{own}', service.origin) });
  const { status, headers, body } = await sendRequest(service.origin, `/?${query}`, { headers: BROWSER });
  expect([status, headers.location ?? CODE.exec(body)?.[1]]).toEqual([target.startsWith('/') ? 303 : 400, target]);
});
