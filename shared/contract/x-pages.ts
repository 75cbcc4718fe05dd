// Lists the pages of X that no route reads, so that the 404 of the same path says what the page is on X and what is
// here instead. A template that ends with `/*` stands for the path and for every path below it.
export interface XPage {
  /** Separated by spaces. */
  readonly paths: string;
  /** Completes `On X, this address leads to …`. */
  readonly what: string;
  /** Why there is no route. */
  readonly why: string;
  /** The path template of a route that a reader of the page can use. */
  readonly instead?: string;
}

const OWN = 'X shows this only to the account itself.';
const NO_SOURCE = 'No source of this service has this.';

/** The first match decides. */
export const xPages: readonly XPage[] = [
  { paths: '/{handle}/likes', what: 'the posts that an account likes', why: OWN, instead: '/{handle}' },
  { paths: '/{handle}/highlights', what: 'the highlights of an account', why: NO_SOURCE, instead: '/{handle}' },
  {
    paths: '/{handle}/verified_followers /{handle}/followers_you_follow',
    what: 'a selection of the followers of an account',
    why: 'This service lists all followers.',
    instead: '/{handle}/followers',
  },
  {
    paths: '/{handle}/about /{handle}/photo /{handle}/header_photo',
    what: 'a part of a profile',
    why: 'The page of the profile has it.',
    instead: '/{handle}',
  },
  {
    paths: '/{handle}/status/{id}/likes',
    what: 'the accounts that like a post',
    why: 'X shows them only to the author of the post.',
    instead: '/{handle}/status/{id}',
  },
  {
    paths: '/{handle}/status/{id}/hidden',
    what: 'the replies that an author has hidden',
    why: NO_SOURCE,
    instead: '/{handle}/status/{id}/replies',
  },
  {
    paths: '/{handle}/status/{id}/history /{handle}/status/{id}/analytics /{handle}/status/{id}/media_tags',
    what: 'details of a post',
    why: NO_SOURCE,
    instead: '/{handle}/status/{id}',
  },
  {
    paths: '/i/lists/{id}/members /i/lists/{id}/followers /i/lists/{id}/info',
    what: 'the accounts of a list',
    why: NO_SOURCE,
    instead: '/i/lists/{id}',
  },
  { paths: '/{handle}/lists/*', what: 'the lists of an account', why: NO_SOURCE, instead: '/{handle}' },
  { paths: '/i/communities/* /communities/*', what: 'a community', why: NO_SOURCE },
  { paths: '/{handle}/communities/*', what: 'the communities of an account', why: NO_SOURCE, instead: '/{handle}' },
  { paths: '/i/spaces/* /i/broadcasts/*', what: 'a live broadcast', why: 'The post that announces it can be read.' },
  { paths: '/i/events/* /i/moments/*', what: 'a collection of posts', why: 'X has removed such collections.' },
  {
    paths: '/{handle}/moments',
    what: 'the collections of an account',
    why: 'X has removed them.',
    instead: '/{handle}',
  },
  { paths: '/{handle}/topics', what: 'the topics of an account', why: NO_SOURCE, instead: '/{handle}' },
  {
    paths: '/i/article/*',
    what: 'an article by a number of its own',
    why: 'An article is read by the number of its post.',
  },
  { paths: '/i/bookmarks/* /bookmarks/*', what: 'the bookmarks of the reader', why: OWN },
  { paths: '/notifications/*', what: 'the notifications of the reader', why: OWN },
  { paths: '/messages/* /i/chat/*', what: 'the messages of the reader', why: OWN },
  { paths: '/home/* /settings/* /i/flow/*', what: 'a page for people who are signed in', why: OWN },
  {
    paths: '/login/* /logout/* /signup/* /compose/* /intent/* /share/*',
    what: 'a form to sign in or to write',
    why: 'This service needs no account and writes nothing.',
  },
  {
    paths: '/explore/* /who_to_follow/* /i/trends/* /i/trending/* /i/topics/* /i/connect_people/*',
    what: 'a page of trends and suggestions',
    why: NO_SOURCE,
    instead: '/search?q=',
  },
  {
    paths: '/about/* /tos/* /privacy/* /jobs/* /i/*',
    what: 'a page of X that is neither a post nor a profile',
    why: NO_SOURCE,
  },
];

/** The path of a hashtag. Its segments also match the templates of the lists below a profile. */
export const HASHTAG_PATH = '/hashtag/{tag}';

/** These addresses of X and of its mirrors have a read at another path, which the box knows. */
export const readElsewhere: readonly string[] = [
  HASHTAG_PATH,
  '/{handle}/status/{id}/retweets/with_comments',
  '/{handle}/search',
  '/{handle}/search/rss',
  '/intent/{action}',
];

/** Matches the template of the permalink of an article, too. */
const ARTICLE_PATH = '/i/article/{id}';

/** The paths of one segment. Each has the form of a handle, but X has a page there, so no profile. */
export const xPagePaths: readonly string[] = xPages
  .flatMap(({ paths }) => paths.split(' '))
  .filter((path) => /^\/[a-z_]+\/\*$/.test(path))
  .map((path) => path.slice(0, -2));

/** Match the template of the permalink of a translation, too. */
const belowPost = /* @__PURE__ */ xPages.flatMap(({ paths }) =>
  paths.split(' ').filter((path) => /^\/\{handle\}\/status\/\{id\}\/\w+$/.test(path)),
);

/** The addresses that would otherwise match the template of another route. */
export const routedXPages: readonly string[] = /* @__PURE__ */ [HASHTAG_PATH, ARTICLE_PATH].concat(
  xPagePaths,
  belowPost,
);
