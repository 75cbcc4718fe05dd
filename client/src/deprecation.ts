// Reads the headers of a deprecated route. The default policy warns, and fails if the route can stop answering soon.

/** The answer of a route that is deprecated, or will be (RFC 9745, RFC 8594). */
export interface DeprecationNotice {
  /** Path template of the route. */
  readonly route: string;
  /** The instant from which the route is deprecated; it can be in the future. */
  readonly deprecation: Date | undefined;
  /** The instant after which the route may stop answering. */
  readonly sunset: Date | undefined;
  /** URL of the route to use instead. */
  readonly successor: string | undefined;
  /** URL of the page about the deprecation. */
  readonly documentation: string | undefined;
}

const DAY = 24 * 60 * 60 * 1000;
/** The default policy fails if fewer days are left before the sunset. */
const MIN_DAYS_LEFT = 30;

/** Thrown by default if a route has fewer than 30 days left. */
export class SunsetError extends Error {
  override readonly name = 'SunsetError';
  readonly notice: DeprecationNotice;

  constructor(notice: DeprecationNotice) {
    super(describe(notice));
    this.notice = notice;
  }
}

const describe = ({ route, sunset, successor, documentation }: DeprecationNotice): string =>
  [
    `${route} is deprecated`,
    ...(sunset === undefined ? [] : [`may stop answering after ${sunset.toISOString()}`]),
    ...(successor === undefined ? [] : [`is replaced by ${successor}`]),
    ...(documentation === undefined ? [] : [`see ${documentation}`]),
  ].join('; ');

/** A structured-field date: `@` and Unix seconds. */
const structuredDate = (value: string | null): Date | undefined => {
  const [, seconds] = /^@(-?\d{1,12})$/.exec(value?.trim() ?? '') ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
};

const httpDate = (value: string | null): Date | undefined => {
  const date = new Date(value ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** @returns the target of the first link with the relation */
const linkTo = (relation: string, field: string | null): string | undefined =>
  [...(field ?? '').matchAll(/<([^<>]*)>([^<]*)/g)].find(([, , parameters = '']) =>
    [...parameters.matchAll(/;\s*rel="?([^";,]*)/gi)].some(([, relations = '']) =>
      relations.split(' ').includes(relation),
    ),
  )?.[1];

/** @returns undefined if the route is not deprecated */
export const noticeOf = (route: string, headers: Headers): DeprecationNotice | undefined =>
  headers.has('Deprecation') || headers.has('Sunset')
    ? {
        route,
        deprecation: structuredDate(headers.get('Deprecation')),
        sunset: httpDate(headers.get('Sunset')),
        successor: linkTo('successor-version', headers.get('Link')),
        documentation: linkTo('deprecation', headers.get('Link')),
      }
    : undefined;

/** Creates the default policy: warns once per route, and throws a SunsetError if fewer than 30 days are left. */
export const createDeprecationPolicy = (): ((notice: DeprecationNotice) => void) => {
  const warned = new Set<string>();
  return (notice) => {
    const left = notice.sunset === undefined ? Number.POSITIVE_INFINITY : notice.sunset.getTime() - Date.now();
    if (left < MIN_DAYS_LEFT * DAY) throw new SunsetError(notice);
    if (warned.has(notice.route)) return;
    warned.add(notice.route);
    console.warn(describe(notice));
  };
};
