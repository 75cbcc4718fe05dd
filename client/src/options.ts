// What a method is made of: its route, what it reads, and its options.
import type { operations } from './openapi.ts';

export interface RequestOptions {
  /** Ends the request and the wait before a retry, and all requests of a list. It replaces the default time limit. */
  readonly signal?: AbortSignal | undefined;
}

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** Parameters of an operation. Instants can be a Date. */
export type Options<Name extends keyof operations, Key extends keyof QueryOf<Name>> = {
  readonly [Each in Key]?: QueryOf<Name>[Each] | (Each extends 'since' | 'until' ? Date : never) | undefined;
} & RequestOptions;

/** One row per read of the service. */
export interface MethodRow {
  /** The path template of the route. */
  readonly route: string;
  /** What the first argument names. */
  readonly subject: 'post' | 'profile' | 'account' | 'list' | 'search';
  /** The parameter of the route that gets it. */
  readonly parameter: string;
  /** The first argument names several. */
  readonly isSeveral?: true;
  /** The option that a link can say: the feed of a search, or the kind of a tab of a profile. */
  readonly fromLink?: 'feed' | 'kind';
  readonly result: 'answer' | 'list' | 'firstPage';
}
