// One row per Lambda: what fails for whom when it fails (the alarm's text), and its size.

export interface LambdaRow {
  readonly impact: string;
  readonly memoryMiB: number;
  readonly readsProviders: boolean;
  /** Which tables it works with, and how: reads keys and counts, or all that an operator does. */
  readonly tables: 'none' | 'read-and-count' | 'admin';
}

/** Above the 8 s of a read, below API Gateway's 30 s: our own deadline always answers first. */
export const LAMBDA_TIMEOUT_SECONDS = 12;

export const lambdas = {
  posts: {
    impact: 'Posts answer 5xx for everyone, by v1 and by permalink.',
    memoryMiB: 512,
    readsProviders: true,
    tables: 'none',
  },
  oembed: {
    impact: 'Embed data answers 5xx: pages that embed posts show bare links.',
    memoryMiB: 512,
    readsProviders: true,
    tables: 'none',
  },
  profiles: {
    impact: 'Profiles, followers and followed accounts answer 5xx, by v1 and by permalink.',
    memoryMiB: 512,
    readsProviders: true,
    tables: 'read-and-count',
  },
  search: {
    impact: 'Searches answer 5xx, by v1 and by permalink.',
    memoryMiB: 512,
    readsProviders: true,
    tables: 'read-and-count',
  },
  legacy: {
    impact: 'The deprecated aliases /api/convert and /api/browse answer 5xx.',
    memoryMiB: 512,
    readsProviders: true,
    tables: 'read-and-count',
  },
  discovery: {
    impact: 'Documentation, /api and the 404 of unknown routes answer 5xx.',
    memoryMiB: 256,
    readsProviders: false,
    tables: 'none',
  },
  mcp: {
    impact: 'MCP clients get 5xx from /mcp: no tool answers.',
    memoryMiB: 512,
    readsProviders: true,
    tables: 'read-and-count',
  },
  admin: {
    impact: 'The dashboard of the operator answers 5xx: keys can be neither issued nor disabled.',
    memoryMiB: 512,
    readsProviders: false,
    tables: 'admin',
  },
} as const satisfies Readonly<Record<string, LambdaRow>>;

export type LambdaName = keyof typeof lambdas;
