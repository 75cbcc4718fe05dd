// The public names of the package.
export {
  type Client,
  createClient,
  type LookupOptions,
  type MarkdownOptions,
  type OembedOptions,
  type PostOptions,
  type PostsOptions,
  type ProfileOptions,
  type QuotesOptions,
  type RepliesOptions,
  type RepostsOptions,
  type RequestOptions,
  type SearchOptions,
  type UserListOptions,
} from './create-client.ts';
export { type DeprecationNotice, SunsetError } from './deprecation.ts';
export type { CachedResponse, ClientOptions, Fetch, ResponseCache } from './http-client.ts';
export type { List } from './list.ts';
export type * from './openapi.ts';
export { type ErrorCode, PosternError } from './postern-error.ts';
export type { RetryDelay, RetryOptions } from './retry.ts';
