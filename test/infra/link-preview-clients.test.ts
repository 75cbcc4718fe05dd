// Tests which format the built edge function chooses for programs that show previews of links, by their real User-Agent
// and Accept.
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { CACHE_KEY_HEADERS, FORWARDED_HEADERS } from '../../infra/cache-behaviors.ts';
import { edgeEvent, edgeScript } from '../../infra/local/edge-sandbox.ts';
import { linkPreviewClients } from '../../shared/contract/link-preview-clients.ts';

const run = edgeScript(await buildEdge());

/** @returns Accept as the cache and the origin get it */
const acceptAt = (target: string, userAgent: string | undefined, accept: string | undefined): string | undefined => {
  const headers = { Host: 'postern.test', 'User-Agent': userAgent, Accept: accept };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return run(edgeEvent({ method: 'GET', target, rawHeaders, viewerIp: '192.0.2.1' })).headers['accept']?.value;
};

/** Values of User-Agent as the sources show them. */
const clients: readonly string[] = [
  // A public list of values that servers logged: github.com/monperrus/crawler-user-agents
  'Facebot/1.0',
  'Twitterbot/1.0',
  'Slackbot 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.19.330 A',
  'Viber',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/56.0.2924.87 Safari/537.36 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Lemmy/0.19.8; +https://leminal.space',
  'Mattermost-Bot/1.1',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Pinterest/0.2 (+http://www.pinterest.com/bot.html)',
  'Tumblr/14.0.835.186',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  'Mozilla/5.0 (compatible; SnapURLPreview/1.0; +https://www.snapchat.com)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.9; rv:28.0) Gecko/20100101 Firefox/28.0 (FlipboardProxy/1.1; +http://flipboard.com/browserproxy)',
  'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Notion/1.0 (https://notion.so; team@makenotion.com)',
  'BufferLinkPreviewBot/1.0 (+https://scraper.buffer.com/about/bots/link-preview-bot)',
  'Chatwork LinkPreview v1',
  'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)',
  'WordPress/6.8.2; https://example.com',
  'Discourse Forum Onebox v3.3.0.beta1-dev',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0;  WOW64;  Trident/5.0;  BingPreview/1.0b)',
  'Mozilla/5.0 (compatible; DuckDuckBot-Https/1.1; https://duckduckgo.com/duckduckbot)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 6_0 like Mac OS X) AppleWebKit/536.26 (KHTML, like Gecko) Version/6.0 Mobile/10A5376e Safari/8536.25 (compatible; Applebot/0.3; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  // github.com/readthedocs-fr/bin-server/issues/91
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  // github.com/stoatchat/stoatchat, crates/services/january/src/requests.rs
  'Mozilla/5.0 (compatible; January/2.0; +https://github.com/stoatchat/stoatchat)',
  // github.com/FxEmbed/FxEmbed/pull/572
  'Mozilla/5.0 (compatible; January/1.0; +https://github.com/revoltchat/january)',
  // github.com/fluxerapp/fluxer
  'Mozilla/5.0 (compatible; Fluxerbot/1.0; +https://fluxer.app)',
  // github.com/comfy/comfortable-mexican-sofa/pull/396
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  // pastebin.com/MHLPZCNY
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
  'facebookexternalhit/1.1;line-poker/1.0',
  // github.com/WoltLab/WCF/issues/2970
  'TelegramBot (like TwitterBot)',
  // github.com/ua-parser/uap-core/issues/150
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  // github.com/signalapp/Signal-Desktop, ts/linkPreviews/linkPreviewFetch.ts
  'WhatsApp/2',
  // github.com/bluesky-social/social-app/issues/6521
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app) Chrome/W.X.Y.Z Safari/537.36',
  // github.com/bluesky-social/social-app/issues/6538
  'web:app.bsky:v0.0.1 (by support@bsky.app)',
  // git.pleroma.social/pleroma/pleroma, lib/pleroma/application.ex
  'Pleroma 2.9.1; https://pleroma.example <admin@pleroma.example>',
  // akkoma.dev/AkkomaGang/akkoma, lib/pleroma/application.ex
  'Akkoma 3.15.2; https://akkoma.example <admin@akkoma.example>',
  // github.com/mastodon/mastodon/issues/12618
  'http.rb/3.3.0 (Mastodon/3.0.1; +https://friend.camp/)',
  // github.com/mastodon/mastodon/pull/12646
  'Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.example/) Bot',
  // github.com/misskey-dev/summaly, src/utils/got.ts
  'SummalyBot/5.1.0 (+https://github.com/misskey-dev/summaly/blob/master/README.md)',
  // github.com/element-hq/synapse, synapse/media/url_previewer.py
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  // github.com/zulip/zulip, zerver/lib/url_preview/preview.py
  'Mozilla/5.0 (compatible; ZulipURLPreview/9.2; +https://chat.example.org)',
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

const BROWSER = 'text/html,application/xhtml+xml';
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
    '[pages 1] %s gets text/html from a permalink, unless Accept or format names another',
    (userAgent) => {
      for (const permalink of PERMALINKS)
        for (const value of [undefined, '', '*/*', 'text/*', 'text/html', BROWSER, 'text/html, */*;q=0.1'])
          expect(acceptAt(permalink, userAgent, value)).toBe('text/html');
      expect(acceptAt(POST, userAgent, 'text/markdown')).toBe('text/markdown');
      expect(acceptAt(POST, userAgent, 'text/markdown, */*')).toBe('text/markdown');
      expect(acceptAt(POST, userAgent, 'application/json, text/plain, */*')).toBe('application/json');
      expect(acceptAt(POST, userAgent, 'image/png')).toBe('application/x-none');
      expect(acceptAt(`${POST}?format=json`, userAgent, '*/*')).toBe('*/*');
      expect(acceptAt(`${POST}?format=markdown`, userAgent, undefined)).toBe('*/*');
    },
  );

  test('[pages 1] User-Agent changes no other route', () => {
    for (const userAgent of clients) {
      for (const path of ['/api/v1/posts', '/api/convert', '/api', '/docs', '/', '/no-where', '/favicon.ico', '/mcp'])
        expect(acceptAt(path, userAgent, '*/*')).toBe(acceptAt(path, 'curl/8.5.0', '*/*'));
    }
  });

  test('every row of the list is sent by a client of this test', () => {
    const sent = clients.map((userAgent) => userAgent.toLowerCase());
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
