// The address of the next page of a list: the route that was asked, with its own parameters.
import type { RawParameters } from '../contract/inputs.ts';
import { type Operation, queryNames } from '../contract/operations.ts';

/** encodeURIComponent leaves an apostrophe and brackets, which RFC 8288 would allow and Markdown would not. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** @param parameters accepted ones, so that each has one value */
export const nextPageUrl = (
  baseUrl: string,
  operation: Operation,
  parameters: RawParameters,
  cursor: string,
): string => {
  const valueFor = (name: string): string => parameters.get(name)?.[0] ?? '';
  const path = operation.path.replace(/\{([a-z]+)\}/g, (_, name: string) => encode(valueFor(name)));
  const kept = queryNames(operation).filter((name) => name !== 'cursor' && parameters.has(name));
  const query = [...kept.map((name) => `${name}=${encode(valueFor(name))}`), `cursor=${encode(cursor)}`];
  return `${baseUrl}${path}?${query.join('&')}`;
};
