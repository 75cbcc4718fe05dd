// The representations on offer. `format` names them in the query, Accept by media type.

/** Chosen by Accept. */
export type NegotiableFormat = 'markdown' | 'json' | 'html';
/** Chosen by Accept or by `format`. */
export type Format = NegotiableFormat | 'obsidian';

export interface Negotiation {
  /** In order of preference at equal weight. */
  readonly offers: readonly NegotiableFormat[];
  /** Offers that a wildcard does not reach. */
  readonly explicitOnly: readonly NegotiableFormat[];
}

/** What each kind of address offers. `unknown`: the forms in which a 404 comes; json is the problem document. */
export const negotiations = {
  versioned: { offers: ['markdown', 'json'], explicitOnly: [] },
  alias: { offers: ['markdown', 'json'], explicitOnly: [] },
  permalink: { offers: ['markdown', 'json', 'html'], explicitOnly: ['html'] },
  page: { offers: ['html', 'markdown'], explicitOnly: ['markdown'] },
  unknown: { offers: ['json', 'html', 'markdown'], explicitOnly: ['html', 'markdown'] },
} as const satisfies Readonly<Record<string, Negotiation>>;

/** Where programs look for something, a 404 is the problem document whatever they accept. */
export const MACHINE_PATHS = /^\/(?:api|\.well-known|mcp|openapi\.json)(?:\/|$)/i;

export const mediaTypes: Readonly<Record<NegotiableFormat, string>> = {
  markdown: 'text/markdown',
  json: 'application/json',
  html: 'text/html',
};

/** RFC 7763 demands the charset of Markdown; JSON has none. */
export const contentTypes: Readonly<Record<Format | 'problem', string>> = {
  markdown: `${mediaTypes.markdown}; charset=utf-8`,
  obsidian: `${mediaTypes.markdown}; charset=utf-8`,
  json: mediaTypes.json,
  html: `${mediaTypes.html}; charset=utf-8`,
  problem: 'application/problem+json',
};
