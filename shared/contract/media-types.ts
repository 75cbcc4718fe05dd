// Defines the formats and their media types. The parameter `format` names a format, and Accept names a media type.

/** The feeds of lists of posts. */
export const FEED_FORMATS = ['rss', 'atom', 'jsonfeed'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];
export const isFeedFormat = (format: string): format is FeedFormat => FEED_FORMATS.some((feed) => feed === format);
export type NegotiableFormat = 'markdown' | 'json' | 'html' | FeedFormat;
/** The files of a post that readers keep: a book and a citation. Only `format` selects them. */
export const KEPT_FORMATS = ['epub', 'csl'] as const;
export type KeptFormat = (typeof KEPT_FORMATS)[number];
/** A file that is kept; `html` is the page as one file. */
export type KeptForm = KeptFormat | 'html';
export type Format = NegotiableFormat | KeptFormat | 'obsidian' | 'ndjson' | 'csv' | 'opml' | 'graphml';

/** The offers of a route, in order of preference at equal weight. */
export interface Negotiation {
  /** Any range of Accept selects them. */
  readonly byRange: readonly NegotiableFormat[];
  /** A wildcard in Accept does not select them. They follow those that it selects. */
  readonly byName: readonly NegotiableFormat[];
  /** A list of posts also offers its feeds, by name. @default false */
  readonly hasFeeds?: true;
}

/** The offers of each kind of route. `unknown`: the formats of the 404; json is the problem document. */
export const negotiations = {
  versioned: { byRange: ['markdown', 'json'], byName: [], hasFeeds: true },
  alias: { byRange: ['markdown', 'json'], byName: [] },
  permalink: { byRange: ['markdown', 'json'], byName: ['html'], hasFeeds: true },
  page: { byRange: ['html'], byName: ['markdown'] },
  unknown: { byRange: ['json'], byName: ['html', 'markdown'] },
} as const satisfies Readonly<Record<string, Negotiation>>;

/** The offers of a permalink for the programs of link-preview-clients.ts: the page, unless Accept names another format. */
export const linkPreviewNegotiation: Negotiation = {
  byRange: ['html', 'markdown', 'json'],
  byName: [],
  hasFeeds: true,
};

/**
 * @param formats the values of `format` at the route
 * @param searched the value of the parameter `feed`. A search for accounts has no feed
 */
export const withFeeds = (
  negotiation: Negotiation,
  formats: readonly string[],
  searched: string | undefined,
): Negotiation =>
  negotiation.hasFeeds && formats.includes(FEED_FORMATS[0]) && searched !== 'users'
    ? { byRange: negotiation.byRange, byName: negotiation.byName.concat(FEED_FORMATS) }
    : negotiation;

/** Only programs request these paths, so a 404 is always the problem document. */
export const MACHINE_PATHS = /^\/(?:api|\.well-known|mcp|openapi\.json)(?:\/|$)/i;

export const mediaTypes: Readonly<Record<NegotiableFormat, string>> = {
  markdown: 'text/markdown',
  json: 'application/json',
  html: 'text/html',
  // RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1.
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  jsonfeed: 'application/feed+json',
};

/** oEmbed 1.0 section 4: the type of a link to the embed. The embed itself is application/json. */
export const OEMBED_TYPE = 'application/json+oembed';

/** Newline-delimited JSON. Only `format` selects it. */
export const NDJSON_TYPE = 'application/x-ndjson';

/** RFC 4180: a table. Only `format` selects it. */
export const CSV_TYPE = 'text/csv';

/** OPML 2.0, a list of feeds. Only `format` selects it. */
export const OPML_TYPE = 'text/x-opml';
/** GraphML 1.1, a graph as XML, which has no type of its own. Only `format` selects it. */
export const GRAPHML_TYPE = 'application/xml';
/** EPUB 3.3 (W3C) and CSL-JSON (Citation Style Language 1.0.2). */
export const keptTypes: Readonly<Record<KeptFormat, string>> = {
  epub: 'application/epub+zip',
  csl: 'application/vnd.citationstyles.csl+json',
};

const createContentTypes = (): Readonly<Record<Format | 'problem', string>> => ({
  markdown: `${mediaTypes.markdown}; charset=utf-8`,
  obsidian: `${mediaTypes.markdown}; charset=utf-8`,
  json: mediaTypes.json,
  ndjson: NDJSON_TYPE,
  // RFC 4180 section 3: the first record has the names of the columns.
  csv: `${CSV_TYPE}; charset=utf-8; header=present`,
  opml: `${OPML_TYPE}; charset=utf-8`,
  graphml: `${GRAPHML_TYPE}; charset=utf-8`,
  html: `${mediaTypes.html}; charset=utf-8`,
  rss: `${mediaTypes.rss}; charset=utf-8`,
  atom: `${mediaTypes.atom}; charset=utf-8`,
  jsonfeed: mediaTypes.jsonfeed,
  ...keptTypes,
  problem: 'application/problem+json',
});

/** RFC 7763 requires a charset for Markdown. JSON has no charset parameter (RFC 8259 section 11). */
// The mark lets the bundler leave the types out of the edge function, which does not use them.
export const contentTypes = /* @__PURE__ */ createContentTypes();
