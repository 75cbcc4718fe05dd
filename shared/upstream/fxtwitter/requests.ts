// Knows the requests of FxTwitter: the canary of each kind of query, which X limits separately, and the user agents that
// FxTwitter takes for link preview crawlers, to which it sends HTML pages or fails.
import type { QueryKind } from '../../contract/providers.ts';
import type { QueryKinds } from '../json-client.ts';
import type { Canaries } from '../provider.ts';
import { failuresOf } from './failures.ts';

const CRAWLER = /discordbot|telegrambot|facebook|whatsapp|firefox\/92|vkshare|revoltchat|preview|iframely/i;

/** FxTwitter searches the whole field, including a URL in it. */
export const looksLikeCrawler = (userAgent: string): boolean => CRAWLER.test(userAgent);

/** The parameter of a profile with what X says about the account. */
export const ABOUT = 'about_account=1';

/** FxTwitter takes codes of 2 or 5 characters. */
const providerCodes: ReadonlyMap<string, string> = new Map([
  ['zh-hans', 'zh-cn'],
  ['zh-hant', 'zh-tw'],
]);

/** @param language of languages.ts @returns the value of the parameter `lang` */
export const providerCode = (language: string): string => providerCodes.get(language) ?? language;

type Kind = QueryKind<'fxtwitter'>;

/** Below `/2/`: a query of each kind for a known post or profile. */
const knownPaths = ({ post, profile }: Canaries): Readonly<Record<Kind, string>> => ({
  quotes: `status/${post}/quotes?count=20`,
  reposts: `status/${post}/reposts?count=20`,
  status: `status/${post}`,
  conversation: `conversation/${post}?ranking_mode=likes`,
  translation: `status/${post}?lang=de`,
  'statuses with replies': `profile/${profile}/statuses?with_replies=1&count=20`,
  statuses: `profile/${profile}/statuses?count=20`,
  media: `profile/${profile}/media?count=20`,
  articles: `profile/${profile}/articles?count=20`,
  followers: `profile/${profile}/followers?count=20`,
  following: `profile/${profile}/following?count=20`,
  about: `profile/${profile}?${ABOUT}`,
  profile: `profile/${profile}`,
  search: `search?q=from%3A${profile}&feed=latest&count=20`,
  users: `search/users?q=${profile}`,
  typeahead: `typeahead?q=${profile}&result_type=users`,
});

/** The newest posts of an account, by the kinds of query of which the source can be frozen. */
export const newestPostsPath = (kind: Kind, profile: string): string | undefined =>
  kind === 'statuses' || kind === 'statuses with replies' || kind === 'media' || kind === 'search'
    ? knownPaths({ post: '', profile })[kind]
    : undefined;

export const fxTwitterQueryKinds = (baseUrl: string, canaries: Canaries): QueryKinds<Kind> => {
  const canaryPaths = knownPaths(canaries);
  return {
    canaryUrlOf: (kind) => `${baseUrl}/2/${canaryPaths[kind]}`,
    // Many posts, and each text twice.
    mayBeLarge: (kind) => kind === 'conversation',
    dropsCalls: (kind) => failuresOf(kind).isTriedAgain === true,
    confirmsRejections: true,
  };
};
