// Pins promises as literals: a change in this file is a change for clients.
import { expect, test } from 'vitest';
import { problems } from '../../shared/contract/problem-rows.ts';
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
    '451 withheld_by_operator: The operator of this service withholds the resource',
    '500 internal_error: The service failed',
    '501 format_not_implemented: The format is not implemented',
    '501 not_available_here: No source of this service has this',
    '502 upstream_failed: The source of the data gave an unusable answer',
    '503 upstream_unavailable: The source of the data does not answer',
  ]);
});

test('[problems 3] every problem code has its own title', () => {
  const titles = Object.values(problems).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('[inputs 3] the feeds of a search are pinned', () => {
  expect(FEEDS).toEqual(['latest', 'top', 'media', 'users']);
});
