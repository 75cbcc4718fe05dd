// Computes how long a shared cache may store an answer, as CloudFront reads Cache-Control (RFC 9111, RFC 5861).

/** Milliseconds after the answer was stored. */
export interface Freshness {
  readonly fresh: number;
  /** Until then, a stale answer may be served while a new answer is fetched. */
  readonly staleWhileRevalidate: number;
  /** Until then, a stale answer may be served if the origin fails. */
  readonly staleIfError: number;
}

type Directives = ReadonlyMap<string, string>;

const directivesOf = (field: string): Directives =>
  new Map(
    field.split(',').map((part) => {
      const [name = '', value = ''] = part.trim().toLowerCase().split('=');
      return [name, value];
    }),
  );

const milliseconds = (directives: Directives, name: string): number | undefined => {
  const value = directives.get(name);
  return value !== undefined && /^[0-9]{1,9}$/.test(value) ? Number(value) * 1000 : undefined;
};

const FORBIDS_STORING = ['no-store', 'private', 'no-cache'];

/** @returns undefined if the answer must not be stored; without Cache-Control the default TTL of 0 applies */
export const freshnessOf = (cacheControl: string | undefined): Freshness | undefined => {
  const directives = directivesOf(cacheControl ?? '');
  if (FORBIDS_STORING.some((name) => directives.has(name))) return undefined;
  const fresh = milliseconds(directives, 's-maxage') ?? milliseconds(directives, 'max-age') ?? 0;
  if (fresh === 0) return undefined;
  return {
    fresh,
    staleWhileRevalidate: fresh + (milliseconds(directives, 'stale-while-revalidate') ?? 0),
    staleIfError: fresh + (milliseconds(directives, 'stale-if-error') ?? 0),
  };
};
