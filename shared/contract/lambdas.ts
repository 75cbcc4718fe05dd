// Lists the Lambdas with their impact, their size and the resources that they use.

export interface LambdaRow {
  /** The consequence of a failure, for the text of the alarm. */
  readonly impact: string;
  readonly memoryMiB: number;
  readonly readsProviders: boolean;
  /** `count`: counts requests. `read-and-count`: also reads API keys. `admin`: reads and writes all tables. */
  readonly tables: 'none' | 'count' | 'read-and-count' | 'admin';
}

/** More than the 8 s of a use case, so its deadline always ends first. Less than the 30 s of API Gateway. */
export const LAMBDA_TIMEOUT_SECONDS = 12;

const reader = { memoryMiB: 512, readsProviders: true } as const;

export const lambdas = {
  posts: { impact: 'Posts answer 5xx for everyone, by v1 and by permalink.', ...reader, tables: 'none' },
  engagements: {
    impact: 'Replies, quotes and reposts of posts answer 5xx, by v1 and by permalink.',
    ...reader,
    tables: 'count',
  },
  oembed: { impact: 'Embed data answers 5xx: pages that embed posts show bare links.', ...reader, tables: 'none' },
  profiles: {
    impact: 'Profiles, followers and followed accounts answer 5xx, by v1 and by permalink.',
    ...reader,
    tables: 'read-and-count',
  },
  search: { impact: 'Searches answer 5xx, by v1 and by permalink.', ...reader, tables: 'read-and-count' },
  legacy: {
    impact: 'The deprecated aliases /api/convert and /api/browse answer 5xx.',
    ...reader,
    tables: 'read-and-count',
  },
  discovery: {
    impact: 'Documentation, /api and the 404 of unknown routes answer 5xx.',
    memoryMiB: 256,
    readsProviders: false,
    tables: 'none',
  },
  mcp: { impact: 'MCP clients get 5xx from /mcp: no tool answers.', ...reader, tables: 'read-and-count' },
  admin: {
    impact: 'The dashboard of the operator answers 5xx: keys can be neither issued nor disabled.',
    memoryMiB: 512,
    readsProviders: false,
    tables: 'admin',
  },
} as const satisfies Readonly<Record<string, LambdaRow>>;

export type LambdaName = keyof typeof lambdas;

export const isLambdaName = (name: string): name is LambdaName => Object.hasOwn(lambdas, name);

/** The functions that leave out what the operator withholds, and the dashboard, which shows the list. */
export const hasWithheldList = (name: LambdaName): boolean =>
  lambdas[name].readsProviders || lambdas[name].tables === 'admin';

export const lambdaNames: readonly LambdaName[] = Object.keys(lambdas).filter(isLambdaName);
