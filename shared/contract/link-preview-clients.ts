// Lists the programs that read a page to show a preview of its link, or to index it for people. Most of them send
// `Accept: */*` or no Accept, as scripts do, so only User-Agent tells them apart. The edge function folds User-Agent into
// Accept before the cache, so no cache key and no Vary field needs it.

export interface LinkPreviewClient {
  /** Occurs in User-Agent, in lower case. */
  readonly token: string;
  /** The products that send it. */
  readonly products: string;
  /** It indexes pages for people. @default false */
  readonly isSearchEngine?: true;
}

/** Scripts and AI agents are not in the list: they read Markdown. */
export const linkPreviewClients: readonly LinkPreviewClient[] = [
  // `facebookexternalhit/1.1; kakaotalk-scrap/1.0`, `facebookexternalhit/1.1;line-poker/1.0`
  { token: 'facebookexternalhit', products: 'Facebook, Messenger, Instagram, iMessage, KakaoTalk, LINE' },
  { token: 'facebot', products: 'Facebook' },
  { token: 'twitterbot', products: 'X, Telegram, iMessage' },
  { token: 'telegrambot', products: 'Telegram' },
  { token: 'discordbot', products: 'Discord' },
  { token: 'slackbot', products: 'Slack' },
  { token: 'january/', products: 'Stoat, Revolt' },
  { token: 'fluxerbot', products: 'Fluxer' },
  { token: 'whatsapp', products: 'WhatsApp, Signal' },
  { token: 'viber', products: 'Viber' },
  { token: 'skypeuripreview', products: 'Skype, Microsoft Teams' },
  { token: 'microsoftpreview', products: 'Microsoft Teams, Outlook' },
  { token: 'developers.google.com/+/web/snippet', products: 'Google Chat, Gmail' },
  { token: 'linkedinbot', products: 'LinkedIn' },
  // `web:app.bsky:v0.0.1 (by support@bsky.app)`
  { token: 'bsky.app', products: 'Bluesky' },
  { token: 'mastodon', products: 'Mastodon' },
  { token: 'summalybot', products: 'Misskey' },
  { token: 'pleroma', products: 'Pleroma' },
  { token: 'akkoma', products: 'Akkoma' },
  { token: 'lemmy/', products: 'Lemmy' },
  { token: 'synapse (bot', products: 'Matrix' },
  { token: 'zulipurlpreview', products: 'Zulip' },
  { token: 'mattermost-bot', products: 'Mattermost' },
  { token: 'redditbot', products: 'Reddit' },
  { token: 'pinterest', products: 'Pinterest' },
  { token: 'tumblr/', products: 'Tumblr' },
  { token: 'vkshare', products: 'VK' },
  { token: 'snap url preview', products: 'Snapchat' },
  { token: 'snapurlpreview', products: 'Snapchat' },
  { token: 'flipboardproxy', products: 'Flipboard' },
  { token: 'iframely', products: 'Iframely, Atlassian' },
  { token: 'embedly', products: 'Embedly' },
  { token: 'notion/', products: 'Notion' },
  { token: 'linkpreview', products: 'Buffer, Chatwork' },
  { token: 'link preview', products: 'Yahoo Mail' },
  // Both look for the oEmbed link of the page.
  { token: 'wordpress/', products: 'WordPress' },
  { token: 'discourse forum onebox', products: 'Discourse' },
  { token: 'googlebot', products: 'Google', isSearchEngine: true },
  { token: 'bingbot', products: 'Bing', isSearchEngine: true },
  { token: 'bingpreview', products: 'Bing', isSearchEngine: true },
  { token: 'duckduckbot', products: 'DuckDuckGo', isSearchEngine: true },
  { token: 'applebot', products: 'Siri, Spotlight', isSearchEngine: true },
  { token: 'yandexbot', products: 'Yandex', isSearchEngine: true },
  { token: 'baiduspider', products: 'Baidu', isSearchEngine: true },
];
