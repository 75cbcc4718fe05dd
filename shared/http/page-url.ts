// Builds the URL of a requested page, of the other pages of its list and of the parts of a post.
import type { PostInput, RawParameters } from '../contract/inputs.ts';
import { operations, queryNames, versionedOperation } from '../contract/operations.ts';
import { queryString } from '../contract/query-string.ts';
import type { UseCaseName } from '../contract/use-cases.ts';

export interface PageUrlContext {
  readonly baseUrl: string;
  /** The path template of the route. */
  readonly path: string;
  /** The query parameters that the route accepts. */
  readonly names: readonly string[];
  /** Validated parameters, so each has one value. */
  readonly parameters: RawParameters;
}

/** Keeps the caller's parameters except the changed ones. @param changes undefined: the parameter is omitted */
export const pageUrl = (
  { baseUrl, path, names, parameters }: PageUrlContext,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const valueOfParameter = (name: string): string | undefined => parameters.get(name)?.[0];
  const filled = path.replace(/\{([a-z]+)\}/g, (_, name: string) => encodeURIComponent(valueOfParameter(name) ?? ''));
  const unchanged = Object.fromEntries(names.map((name) => [name, valueOfParameter(name)]));
  const query = queryString({ ...unchanged, ...changes });
  return `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`;
};

/** It is the same for all routes of the post, because their Markdown is. */
export const partUrl = (
  baseUrl: string,
  { ref, thread, replies, layout, maxTokens, metrics }: PostInput,
  part: number,
  format: 'markdown' | 'json' | 'obsidian',
): string =>
  `${baseUrl}${operations.readPost.path}?${queryString({
    handle: 'i',
    id: ref.id,
    format: format === 'markdown' ? undefined : format,
    thread: thread === 'full' ? undefined : thread,
    replies,
    layout: format === 'json' || layout === 'conversation' ? undefined : layout,
    max_tokens: maxTokens,
    metrics: metrics === 'off' ? metrics : undefined,
    part,
  })}`;

/**
 * Leaves out empty parameters and the @ of a handle, so that each route of a read has the same URL.
 *
 * @returns the URL of the read on its v1 route
 */
export const versionedUrl = (
  name: UseCaseName,
  { parameters, ...context }: Pick<PageUrlContext, 'baseUrl' | 'parameters'>,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const operation = versionedOperation(name);
  const sent = new Map(
    [...parameters].flatMap(([parameter, [value = '']]) =>
      value === '' ? [] : [[parameter, [parameter === 'handle' ? value.replace(/^@/, '') : value]] as const],
    ),
  );
  return pageUrl({ ...context, path: operation.path, names: queryNames(operation), parameters: sent }, changes);
};
