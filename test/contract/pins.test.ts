// Pins promises as literals: a change in this file is a change for clients.
import { expect, test } from 'vitest';
import { lifecycles } from '../../shared/contract/lifecycle.ts';
import { operationRows, operations, pathsOf, queryNames, versionedPath } from '../../shared/contract/operations.ts';
import { problems } from '../../shared/contract/problems.ts';
import { FEEDS } from '../../shared/model/lists.ts';

test('[problems 2] the problem codes with status and title are pinned', () => {
  expect(Object.entries(problems).map(([code, { status, title }]) => `${status} ${code}: ${title}`)).toEqual([
    '400 missing_parameter: A required parameter is missing',
    '400 invalid_parameter: A parameter has a value that is not accepted',
    '400 repeated_parameter: A parameter was given more than once',
    '400 invalid_url: The url is not a URL',
    '400 unsupported_host: The url is not on X',
    '400 invalid_path: The url does not name a post',
    '400 invalid_handle: The handle is malformed',
    '400 invalid_id: The id is malformed',
    '400 invalid_format: The format is unknown',
    '400 missing_query: The search text is missing',
    '400 invalid_query: The search text is not accepted',
    '400 invalid_feed: The feed is unknown',
    '400 invalid_cursor: The cursor does not belong to this list',
    '400 invalid_resource: The resource is unknown',
    '401 invalid_key: The API key is unknown or disabled',
    '401 unauthorized: This route is private',
    '403 post_protected: The post is not public',
    '403 profile_protected: The lists of this profile are not public',
    '403 forbidden_origin: The origin of the request is not allowed',
    '404 route_not_found: No such route',
    '404 post_not_found: The post does not exist or is not available',
    '404 profile_not_found: The profile does not exist or is not available',
    '404 key_not_found: No such key',
    '405 method_not_allowed: The method is not allowed on this route',
    '406 not_acceptable: No offered type is acceptable',
    '413 content_too_large: The request body is too large',
    '414 uri_too_long: The URL is too long',
    '415 unsupported_media_type: The type of the request body is not supported',
    '429 rate_limited: Rate limit exceeded',
    '500 internal_error: The service failed',
    '501 format_not_implemented: The format is not implemented',
    '502 upstream_failed: The source of the data gave an unusable answer',
    '503 upstream_unavailable: The source of the data does not answer',
  ]);
});

test('[problems 3] every problem code has its own title', () => {
  const titles = Object.values(problems).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('the paths of every operation are pinned', () => {
  expect(operationRows.flatMap(([id, row]) => pathsOf(row).map((path) => `${id} ${path}`))).toEqual([
    'readPost /api/v1/posts',
    'readPostPermalink /{handle}/status/{id}',
    'readPostPermalink /{handle}/status/{id}/photo/{number}',
    'readPostPermalink /{handle}/status/{id}/video/{number}',
    'readPostPermalink /{handle}/statuses/{id}',
    'readPostPermalink /{handle}/article/{id}',
    'readPostWebPermalink /i/web/status/{id}',
    'lookupPosts /api/v1/posts/lookup',
    'listReplies /api/v1/posts/{id}/replies',
    'listRepliesPermalink /{handle}/status/{id}/replies',
    'listQuotes /api/v1/posts/{id}/quotes',
    'listQuotesPermalink /{handle}/status/{id}/quotes',
    'listReposts /api/v1/posts/{id}/reposts',
    'listRepostsPermalink /{handle}/status/{id}/retweets',
    'readProfile /api/v1/profiles/{handle}',
    'readProfilePermalink /{handle}',
    'readProfileById /api/v1/users/{id}',
    'readProfileByIdPermalink /i/user/{id}',
    'listPosts /api/v1/profiles/{handle}/posts',
    'listRepliesTimelinePermalink /{handle}/with_replies',
    'listMediaPermalink /{handle}/media',
    'listArticlesPermalink /{handle}/articles',
    'listPostsFeed /{handle}/rss',
    'listRepliesTimelineFeed /{handle}/with_replies/rss',
    'listMediaFeed /{handle}/media/rss',
    'listFollowers /api/v1/profiles/{handle}/followers',
    'listFollowersPermalink /{handle}/followers',
    'listFollowing /api/v1/profiles/{handle}/following',
    'listFollowingPermalink /{handle}/following',
    'searchPosts /api/v1/search',
    'searchPostsPermalink /search',
    'searchPostsFeed /search/rss',
    'readOembed /api/v1/oembed',
    'readOembed /oembed',
    'convert /api/convert',
    'browse /api/browse',
  ]);
});

test('convert and browse are the only deprecated operations', () => {
  expect(operationRows.filter(([, { lifecycle }]) => lifecycle !== undefined).map(([id]) => id)).toEqual([
    'convert',
    'browse',
  ]);
});

test('[lifecycle 7] the successors of /api/browse are pinned', () => {
  const { parameter, choices } = operations.browse.useCase;
  const successors = Object.entries(choices).map(
    ([choice, useCase]) => `${parameter}=${choice} ${versionedPath(useCase)}`,
  );
  expect(successors).toEqual([
    'resource=profile /api/v1/profiles/{handle}',
    'resource=followers /api/v1/profiles/{handle}/followers',
    'resource=following /api/v1/profiles/{handle}/following',
    'resource=search /api/v1/search',
  ]);
});

test('[inputs 3] the feeds of a search are pinned', () => {
  expect(FEEDS).toEqual(['latest', 'top', 'media', 'users']);
});

test('the query parameters of every operation are pinned', () => {
  expect(operationRows.map(([id, row]) => `${id} ${queryNames(row).join(' ')}`)).toEqual([
    'readPost url handle id format thread replies layout max_tokens part metrics',
    'readPostPermalink format thread replies layout max_tokens part metrics',
    'readPostWebPermalink format thread replies layout max_tokens part metrics',
    'lookupPosts ids format max_tokens metrics',
    'listReplies sort format limit cursor max_tokens metrics',
    'listRepliesPermalink sort format limit cursor max_tokens metrics',
    'listQuotes format limit cursor max_tokens metrics',
    'listQuotesPermalink format limit cursor max_tokens metrics',
    'listReposts format limit cursor max_tokens',
    'listRepostsPermalink format limit cursor max_tokens',
    'readProfile format limit cursor max_tokens metrics',
    'readProfilePermalink format limit cursor max_tokens metrics',
    'readProfileById format limit cursor max_tokens metrics',
    'readProfileByIdPermalink format limit cursor max_tokens metrics',
    'listPosts kind since until format limit cursor max_tokens metrics',
    'listRepliesTimelinePermalink since until format limit cursor max_tokens metrics',
    'listMediaPermalink since until format limit cursor max_tokens metrics',
    'listArticlesPermalink since until format limit cursor max_tokens metrics',
    'listPostsFeed since until limit cursor max_tokens metrics',
    'listRepliesTimelineFeed since until limit cursor max_tokens metrics',
    'listMediaFeed since until limit cursor max_tokens metrics',
    'listFollowers format limit cursor max_tokens',
    'listFollowersPermalink format limit cursor max_tokens',
    'listFollowing format limit cursor max_tokens',
    'listFollowingPermalink format limit cursor max_tokens',
    'searchPosts q feed format limit cursor max_tokens metrics',
    'searchPostsPermalink q feed format limit cursor max_tokens metrics',
    'searchPostsFeed q feed limit cursor max_tokens metrics',
    'readOembed url maxwidth maxheight format',
    'convert url handle id format thread replies layout max_tokens part metrics',
    'browse resource handle format limit cursor max_tokens metrics q feed',
  ]);
});

test('the dates of deprecation and sunset are pinned', () => {
  expect(lifecycles).toEqual({
    convert: { deprecation: '2026-09-15T00:00:00Z', sunset: '2027-09-15T00:00:00Z' },
    browse: { deprecation: '2026-09-15T00:00:00Z', sunset: '2027-09-15T00:00:00Z' },
  });
});
