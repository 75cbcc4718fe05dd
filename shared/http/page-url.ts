// The address of a list as it was asked for, and that of its other pages.
import type { RawParameters } from '../contract/inputs.ts';
import { queryString } from '../contract/query-string.ts';

export interface PageUrlContext {
  readonly baseUrl: string;
  /** The template of the route. */
  readonly path: string;
  /** Query names that mean something there. */
  readonly names: readonly string[];
  /** Accepted ones, so that each has one value. */
  readonly parameters: RawParameters;
}

/** With all parameters of the caller but those that are overruled. @param changes undefined: left out */
export const pageUrl = (
  { baseUrl, path, names, parameters }: PageUrlContext,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const valueOfParameter = (name: string): string | undefined => parameters.get(name)?.[0];
  const filled = path.replace(/\{([a-z]+)\}/g, (_, name: string) => encodeURIComponent(valueOfParameter(name) ?? ''));
  const given = Object.fromEntries(names.map((name) => [name, valueOfParameter(name)]));
  const query = queryString({ ...given, ...changes });
  return `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`;
};
