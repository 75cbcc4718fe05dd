// Lists the pages for readers that the bundled sample answers: posts and profiles of each kind, the lists and the errors.
import { readableIds, sampleHandles, unreadableIds } from '../../support/sample-rows.ts';

export interface ReaderPage {
  readonly name: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
}

const postPage = (id: string): ReaderPage => ({ name: `post ${id}`, target: `/i/status/${id}`, status: 200 });

/** The post of a protected account. */
const PROTECTED = '1990000000000000100';

/** The page of a translation has the form of the languages. */
export const TRANSLATED_PAGE = postPage('2029172504785846383/en');

const NO_PROFILE: Readonly<Record<string, number>> = { gone_gary: 404 };

export const POST_PAGES: readonly ReaderPage[] = [
  ...readableIds.map(postPage),
  ...unreadableIds.map((id) => ({ ...postPage(id), status: id === PROTECTED ? 403 : 404 })),
];

export const PROFILE_PAGES: readonly ReaderPage[] = sampleHandles.map((handle) => ({
  name: `profile ${handle}`,
  target: `/${handle}`,
  status: NO_PROFILE[handle] ?? 200,
}));

/** The page of a post that the address of its second picture names. */
const PICTURE_PAGE: ReaderPage = {
  name: 'picture of a post',
  target: '/kestrel_labs/status/2032048958469046864/photo/2',
  status: 200,
};

export const LIST_PAGES: readonly ReaderPage[] = [
  { name: 'timeline with replies', target: '/ada_larsson/with_replies', status: 200 },
  { name: 'timeline of media', target: '/ada_larsson/media', status: 200 },
  { name: 'timeline of articles', target: '/ada_larsson/articles', status: 200 },
  { name: 'timeline empty', target: '/zero_posts/media', status: 200 },
  { name: 'timeline of several accounts', target: '/ada_larsson,desk_reuben,gone_gary,x', status: 200 },
  { name: 'many accounts', target: '/ada_larsson,a0,a1,a2,a3,a4,a5,a6,a7?limit=2', status: 200 },
  { name: 'media of several accounts', target: '/ada_larsson,x/media?limit=3', status: 200 },
  { name: 'replies', target: '/ada_larsson/status/2034932961899447678/replies', status: 200 },
  { name: 'replies none', target: '/i/status/20/replies', status: 200 },
  { name: 'quotes', target: '/i/status/2028036267832246272/quotes', status: 200 },
  { name: 'reposts', target: '/i/status/2028036267832246272/retweets', status: 200 },
  { name: 'conversation', target: '/ada_larsson/status/2034932961899447678/conversation', status: 200 },
  { name: 'followers', target: '/ada_larsson/followers', status: 200 },
  { name: 'following', target: '/ada_larsson/following', status: 200 },
  { name: 'search latest', target: '/search?q=tide', status: 200 },
  { name: 'search top', target: '/search?q=tide&feed=top', status: 200 },
  { name: 'search media', target: '/search?q=tide&feed=media', status: 200 },
  { name: 'search people', target: '/search?q=tide&feed=users', status: 200 },
  { name: 'search empty', target: '/search?q=zzzqqq%20nothing', status: 200 },
  { name: 'search form', target: '/search', status: 200 },
];

export const ERROR_PAGES: readonly ReaderPage[] = [
  { name: 'no such post', target: '/i/status/1234567890123456789', status: 404 },
  { name: 'no such profiles', target: '/tide_nobody,tide_nobody_2', status: 404 },
  {
    name: 'too many accounts',
    target: `/${Array.from({ length: 21 }, (_, index) => `a${index}`).join()}`,
    status: 400,
  },
  { name: 'no such profile', target: '/tide_nobody', status: 404 },
  { name: 'protected list', target: '/private_pia/followers', status: 403 },
  { name: 'protected timeline', target: '/private_pia/media', status: 403 },
  { name: 'timeline without profile', target: '/gone_gary/with_replies', status: 404 },
  { name: 'quotes without post', target: '/i/status/1990000000000000001/quotes', status: 404 },
  { name: 'reposts of a protected post', target: '/i/status/1990000000000000100/retweets', status: 403 },
  { name: 'article number', target: '/i/article/20', status: 404 },
  { name: 'invalid id', target: '/ada_larsson/status/0', status: 400 },
  { name: 'invalid format', target: '/jack/status/20?format=pdf', status: 400 },
  { name: 'provider that fails', target: '/flaky_feed/followers', status: 503 },
  { name: 'invalid cursor', target: '/ada_larsson?cursor=wrong', status: 400 },
  { name: 'unknown route', target: '/no-pe', status: 404 },
  { name: 'unreadable link', target: '/?q=https%3A%2F%2Fx.com%2Fi%2Fcommunities%2F1', status: 400 },
];

export const READER_PAGES: readonly ReaderPage[] = [
  ...POST_PAGES,
  TRANSLATED_PAGE,
  PICTURE_PAGE,
  ...PROFILE_PAGES,
  ...LIST_PAGES,
  ...ERROR_PAGES,
];
