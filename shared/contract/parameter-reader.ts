// Declares how the parameters of an input are read, with the rules that several inputs share.
import type { ListKey, ListPosition } from '../model/lists.ts';
import { type FeedFormat, isFeedFormat } from './media-types.ts';
import type { ParameterName, ParameterValue } from './parameters.ts';
import type { ProblemCode } from './problems.ts';

export interface ParameterReader {
  /** @returns true if the caller sent a value, valid or not */
  has(name: ParameterName): boolean;
  /** @returns undefined if the value is absent or invalid; an invalid value is reported */
  value<Name extends ParameterName>(name: Name): ParameterValue<Name> | undefined;
  /** Reports a wrong parameter. Only the first report about a parameter counts. */
  reject(code: ProblemCode, parameter: ParameterName, message: string): void;
  /**
   * @param list undefined: another parameter of the list is invalid, so the cursor cannot be checked
   * @returns the position in the cursor; undefined if the cursor is absent or not of this list
   */
  position(list: ListKey | undefined): ListPosition | undefined;
}

export const INVALID_FORMAT = 'invalid_format';

/** Finds the path of the feed that a caller wants from an input without feeds. */
export type FindFeed = (format: FeedFormat, reader: ParameterReader) => string;

/** The paths of RSS are those of nitter. Without an account, the path has a placeholder. */
export const feedOfAccount: FindFeed = (format, reader) => {
  const given = reader.value('handle') ?? reader.value('url')?.handle ?? 'i';
  const handle = given === 'i' ? '{handle}' : given;
  return format === 'rss' ? `/${handle}/rss` : `/api/v1/profiles/${handle}/posts?format=${format}`;
};

/** @param code of another format @returns undefined if the format is absent or not among those of the input */
export const formatOf = <Format extends string>(
  reader: ParameterReader,
  formats: readonly Format[],
  code: ProblemCode = INVALID_FORMAT,
  findFeed = feedOfAccount,
): Format | undefined => {
  const name = reader.value('format');
  if (name === undefined) return undefined;
  const format = formats.find((candidate) => candidate === name);
  if (format !== undefined) return format;
  const rule = `must be ${formats.length > 1 ? 'one of ' : ''}${formats.join(', ')}`;
  reader.reject(code, 'format', isFeedFormat(name) ? `${rule}; the feed is at ${findFeed(name, reader)}` : rule);
  return undefined;
};
