// Defines the lifecycle of deprecated routes (requirements: lifecycle) and the support policy. The header fields, the
// OpenAPI description, /api and the versioning page are derived from this table.
import { VERSIONING_PATH } from './paths.ts';

export interface Lifecycle {
  /** RFC 9745: the instant from which the route is deprecated. */
  readonly deprecation: string;
  /** RFC 8594: the instant after which the route can be removed. It is not before `deprecation`. */
  readonly sunset: string;
}

/** Both aliases have the same dates. */
const aliases: Lifecycle = { deprecation: '2026-09-15T00:00:00Z', sunset: '2027-09-15T00:00:00Z' };

export const lifecycles = { convert: aliases, browse: aliases } as const satisfies Readonly<Record<string, Lifecycle>>;

export type LifecycleName = keyof typeof lifecycles;

export const versionPolicy = {
  currentMajorVersion: 'v1',
  supportedVersions: ['v1'],
  minimumSupportWindowMonths: 12,
  deprecationSignals: [
    { header: 'Deprecation', standard: 'RFC 9745' },
    { header: 'Sunset', standard: 'RFC 8594' },
    { header: 'Link', standard: 'RFC 8288' },
  ],
} as const;

/** RFC 9651 section 3.3.7: `@` and Unix seconds. */
export const deprecationField = (row: Lifecycle): string => `@${Date.parse(row.deprecation) / 1000}`;

/** RFC 9110 section 5.6.7: an IMF-fixdate, the format of toUTCString. */
export const sunsetField = (row: Lifecycle): string => new Date(row.sunset).toUTCString();

/** The links of RFC 9745 and RFC 8594 to the versioning page. @returns link-values for one Link field line */
export const lifecycleLinks = (baseUrl: string): readonly string[] =>
  ['deprecation', 'sunset'].map((rel) => `<${baseUrl}${VERSIONING_PATH}>; rel="${rel}"; type="text/html"`);
