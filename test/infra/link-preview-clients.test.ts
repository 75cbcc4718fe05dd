// Tests which format the built edge function chooses for programs that show previews of links, by their real User-Agent
// and Accept.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleEdge } from '../../infra/build/bundle-edge.ts';
import { EDGE_FILE } from '../../infra/build/dist-layout.ts';
import { CACHE_KEY_HEADERS, FORWARDED_HEADERS } from '../../infra/cache-behaviors.ts';
import { edgeEvent, edgeScript } from '../../infra/local/edge-sandbox.ts';
import { linkPreviewClients } from '../../shared/contract/link-preview-clients.ts';

const directory = mkdtempSync(join(tmpdir(), 'edge-previews-'));
let run: ReturnType<typeof edgeScript>;

beforeAll(async () => {
  await bundleEdge(directory);
  run = edgeScript(readFileSync(join(directory, EDGE_FILE), 'utf8'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** @returns Accept as the cache and the origin get it */
const acceptAt = (target: string, userAgent: string | undefined, accept: string | undefined): string | undefined => {
  const headers = { Host: 'postern.test', 'User-Agent': userAgent, Accept: accept };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return run(edgeEvent({ method: 'GET', target, rawHeaders, viewerIp: '192.0.2.1' })).headers['accept']?.value;
};

interface ClientHeaders {
  readonly product: string;
  readonly userAgent: string;
  /** Accept as the source shows it; unset: the source shows none. */
  readonly accept?: string;
  readonly source: string;
}

/** A public list of User-Agent values that servers logged. */
const LIST = 'github.com/monperrus/crawler-user-agents';

const clients: readonly ClientHeaders[] = [
  {
    product: 'Discord',
    userAgent: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    accept: '*/*',
    source: 'github.com/readthedocs-fr/bin-server/issues/91',
  },
  {
    product: 'Facebook',
    userAgent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    accept: '*/*',
    source: 'github.com/comfy/comfortable-mexican-sofa/pull/396',
  },
  { product: 'Facebook', userAgent: 'Facebot/1.0', source: LIST },
  {
    product: 'iMessage',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    source: 'pastebin.com/MHLPZCNY',
  },
  {
    product: 'KakaoTalk',
    userAgent: 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    source: 'pastebin.com/MHLPZCNY',
  },
  { product: 'LINE', userAgent: 'facebookexternalhit/1.1;line-poker/1.0', source: 'pastebin.com/MHLPZCNY' },
  { product: 'X', userAgent: 'Twitterbot/1.0', source: LIST },
  {
    product: 'Telegram',
    userAgent: 'TelegramBot (like TwitterBot)',
    source: 'github.com/WoltLab/WCF/issues/2970',
  },
  {
    product: 'Slack',
    userAgent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    source: 'github.com/ua-parser/uap-core/issues/150',
  },
  { product: 'Slack', userAgent: 'Slackbot 1.0 (+https://api.slack.com/robots)', source: LIST },
  { product: 'WhatsApp', userAgent: 'WhatsApp/2.19.330 A', source: LIST },
  {
    product: 'Signal',
    userAgent: 'WhatsApp/2',
    accept: 'text/html,application/xhtml+xml',
    source: 'github.com/signalapp/Signal-Desktop, ts/linkPreviews/linkPreviewFetch.ts',
  },
  { product: 'Viber', userAgent: 'Viber', source: LIST },
  {
    product: 'Skype',
    userAgent: 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    source: LIST,
  },
  { product: 'Teams', userAgent: 'MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview', source: LIST },
  {
    product: 'Google Chat',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/56.0.2924.87 Safari/537.36 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
    source: LIST,
  },
  {
    product: 'LinkedIn',
    userAgent: 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    source: LIST,
  },
  {
    product: 'Bluesky',
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app) Chrome/W.X.Y.Z Safari/537.36',
    source: 'github.com/bluesky-social/social-app/issues/6521',
  },
  {
    product: 'Bluesky',
    userAgent: 'web:app.bsky:v0.0.1 (by support@bsky.app)',
    source: 'github.com/bluesky-social/social-app/issues/6538',
  },
  {
    product: 'Pleroma',
    userAgent: 'Pleroma 2.9.1; https://pleroma.example <admin@pleroma.example>',
    source: 'git.pleroma.social/pleroma/pleroma, lib/pleroma/application.ex',
  },
  {
    product: 'Akkoma',
    userAgent: 'Akkoma 3.15.2; https://akkoma.example <admin@akkoma.example>',
    source: 'akkoma.dev/AkkomaGang/akkoma, lib/pleroma/application.ex',
  },
  {
    product: 'Mastodon 3',
    userAgent: 'http.rb/3.3.0 (Mastodon/3.0.1; +https://friend.camp/)',
    source: 'github.com/mastodon/mastodon/issues/12618',
  },
  {
    product: 'Mastodon 4',
    userAgent: 'Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.example/) Bot',
    accept: 'text/html',
    source: 'github.com/mastodon/mastodon/pull/12646',
  },
  {
    product: 'Misskey',
    userAgent: 'SummalyBot/5.1.0 (+https://github.com/misskey-dev/summaly/blob/master/README.md)',
    accept: 'text/html,application/xhtml+xml',
    source: 'github.com/misskey-dev/summaly, src/utils/got.ts',
  },
  { product: 'Lemmy', userAgent: 'Lemmy/0.19.8; +https://leminal.space', source: LIST },
  {
    product: 'Matrix',
    userAgent: 'Synapse (bot; +https://github.com/matrix-org/synapse)',
    source: 'github.com/element-hq/synapse, synapse/media/url_previewer.py',
  },
  {
    product: 'Zulip',
    userAgent: 'Mozilla/5.0 (compatible; ZulipURLPreview/9.2; +https://chat.example.org)',
    source: 'github.com/zulip/zulip, zerver/lib/url_preview/preview.py',
  },
  { product: 'Mattermost', userAgent: 'Mattermost-Bot/1.1', source: LIST },
  {
    product: 'Reddit',
    userAgent: 'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    source: LIST,
  },
  { product: 'Pinterest', userAgent: 'Pinterest/0.2 (+http://www.pinterest.com/bot.html)', source: LIST },
  { product: 'Tumblr', userAgent: 'Tumblr/14.0.835.186', source: LIST },
  { product: 'VK', userAgent: 'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)', source: LIST },
  {
    product: 'Snapchat',
    userAgent: 'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
    source: LIST,
  },
  {
    product: 'Snapchat',
    userAgent: 'Mozilla/5.0 (compatible; SnapURLPreview/1.0; +https://www.snapchat.com)',
    source: LIST,
  },
  {
    product: 'Flipboard',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.9; rv:28.0) Gecko/20100101 Firefox/28.0 (FlipboardProxy/1.1; +http://flipboard.com/browserproxy)',
    source: LIST,
  },
  { product: 'Iframely', userAgent: 'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian', source: LIST },
  {
    product: 'Embedly',
    userAgent: 'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    source: LIST,
  },
  { product: 'Notion', userAgent: 'Notion/1.0 (https://notion.so; team@makenotion.com)', source: LIST },
  {
    product: 'Buffer',
    userAgent: 'BufferLinkPreviewBot/1.0 (+https://scraper.buffer.com/about/bots/link-preview-bot)',
    source: LIST,
  },
  { product: 'Chatwork', userAgent: 'Chatwork LinkPreview v1', source: LIST },
  {
    product: 'Yahoo Mail',
    userAgent:
      'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)',
    source: LIST,
  },
  { product: 'WordPress', userAgent: 'WordPress/6.8.2; https://example.com', source: LIST },
  { product: 'Discourse', userAgent: 'Discourse Forum Onebox v3.3.0.beta1-dev', source: LIST },
  {
    product: 'Google',
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    source: LIST,
  },
  {
    product: 'Bing',
    userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    source: LIST,
  },
  {
    product: 'Bing',
    userAgent:
      'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0;  WOW64;  Trident/5.0;  BingPreview/1.0b)',
    source: LIST,
  },
  {
    product: 'DuckDuckGo',
    userAgent: 'Mozilla/5.0 (compatible; DuckDuckBot-Https/1.1; https://duckduckgo.com/duckduckbot)',
    source: LIST,
  },
  {
    product: 'Apple',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 6_0 like Mac OS X) AppleWebKit/536.26 (KHTML, like Gecko) Version/6.0 Mobile/10A5376e Safari/8536.25 (compatible; Applebot/0.3; +http://www.apple.com/go/applebot)',
    source: LIST,
  },
  {
    product: 'Yandex',
    userAgent: 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    source: LIST,
  },
  {
    product: 'Baidu',
    userAgent: 'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    source: LIST,
  },
];

/** Scripts, HTTP libraries and AI agents, with the Accept that they send by default. */
const others: readonly (readonly [userAgent: string | undefined, accept: string | undefined])[] = [
  [undefined, undefined],
  ['', '*/*'],
  ['curl/8.5.0', '*/*'],
  ['Wget/1.21.4', '*/*'],
  ['python-requests/2.32.3', '*/*'],
  ['Python-urllib/3.12', undefined],
  ['Go-http-client/2.0', undefined],
  ['node', '*/*'],
  ['okhttp/4.12.0', undefined],
  ['Apache-HttpClient/4.5.10 (Java/1.8.0_201)', undefined],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)', '*/*'],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot', '*/*'],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)', '*/*'],
  ['Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)', 'text/markdown, text/html, */*'],
  ['Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)', '*/*'],
  ['meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)', '*/*'],
  ['Mozilla/5.0 (compatible; Google-Extended/1.0; +http://www.google.com/bot.html)', '*/*'],
];

const POST = '/jack/status/20';
const PERMALINKS = [
  POST,
  `${POST}/photo/1`,
  '/i/web/status/20',
  '/jack/statuses/20',
  '/jack/article/20',
  ...['', '/with_replies', '/media', '/articles', '/followers', '/following'].map((page) => `/jack${page}`),
  ...['/replies', '/quotes', '/retweets'].map((page) => POST + page),
  '/search?q=tide',
];

describe('a link preview client', () => {
  test.each(clients)(
    '[pages 1] $product gets text/html from a permalink by its own Accept, by */* and without Accept ($userAgent)',
    ({ userAgent, accept }) => {
      for (const permalink of PERMALINKS) {
        for (const value of [accept, undefined, '', '*/*', 'text/*', 'text/html, */*;q=0.1'])
          expect(acceptAt(permalink, userAgent, value)).toBe('text/html');
      }
    },
  );

  test.each(clients)('[pages 1] $product gets the format that Accept names ($userAgent)', ({ userAgent }) => {
    expect(acceptAt(POST, userAgent, 'text/markdown')).toBe('text/markdown');
    expect(acceptAt(POST, userAgent, 'text/markdown, */*')).toBe('text/markdown');
    expect(acceptAt(POST, userAgent, 'application/json, text/plain, */*')).toBe('application/json');
    expect(acceptAt(POST, userAgent, 'image/png')).toBe('application/x-none');
  });

  test.each(clients)('[pages 1] format overrides the User-Agent of $product ($userAgent)', ({ userAgent }) => {
    expect(acceptAt(`${POST}?format=json`, userAgent, '*/*')).toBe('*/*');
    expect(acceptAt(`${POST}?format=markdown`, userAgent, undefined)).toBe('*/*');
  });

  test('[pages 1] User-Agent changes no other route', () => {
    for (const { userAgent } of clients) {
      for (const path of ['/api/v1/posts', '/api/convert', '/api', '/docs', '/', '/no-where', '/favicon.ico', '/mcp'])
        expect(acceptAt(path, userAgent, '*/*')).toBe(acceptAt(path, 'curl/8.5.0', '*/*'));
    }
  });

  test('every row of the list is sent by a client of this test', () => {
    const sent = clients.map(({ userAgent }) => userAgent.toLowerCase());
    const untested = linkPreviewClients.filter(({ token }) => !sent.some((userAgent) => userAgent.includes(token)));
    expect(untested).toEqual([]);
    expect(linkPreviewClients.map(({ token }) => token.toLowerCase())).toEqual(
      linkPreviewClients.map(({ token }) => token),
    );
  });

  test('its token is recognized in any case, but only in the first 256 characters', () => {
    expect(acceptAt(POST, 'DISCORDBOT/2.0', '*/*')).toBe('text/html');
    expect(acceptAt(POST, `${'x'.repeat(246)}discordbot`, '*/*')).toBe('text/html');
    expect(acceptAt(POST, `${'x'.repeat(247)}discordbot`, '*/*')).toBe('text/markdown');
  });
});

test.each(others)('[pages 1] %s with Accept %s gets Markdown from a permalink', (userAgent, accept) => {
  for (const permalink of PERMALINKS) expect(acceptAt(permalink, userAgent, accept)).toBe('text/markdown');
});

test('[pages 1] no cache key and no forwarded header has the User-Agent', () => {
  const names = [...Object.values(CACHE_KEY_HEADERS).flat(), ...FORWARDED_HEADERS].map((name) => name.toLowerCase());
  expect(names).toContain('accept');
  expect(names).not.toContain('user-agent');
});
