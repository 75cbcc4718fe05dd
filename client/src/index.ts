// The public names of the package.
export { type Client, createClient, type MarkdownOptions, type UserListOptions } from './create-client.ts';
export { type DeprecationNotice, SunsetError } from './deprecation.ts';
export type { CachedResponse, ClientOptions, Fetch, ResponseCache } from './http-client.ts';
export type { FirstPage, List } from './list.ts';
export type * from './methods.ts';
export type * from './openapi.ts';
export type { RequestOptions } from './options.ts';
export { type ErrorCode, PosternError } from './postern-error.ts';
export type { RetryDelay, RetryOptions } from './retry.ts';
