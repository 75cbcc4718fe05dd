// Sets the budgets of each Lambda: its bundle size in kB, and its start-up time as a ratio to an empty handler.
import type { LambdaName } from '../../shared/contract/lambdas.ts';

interface BundleBudget {
  readonly kilobytes: number;
  readonly ratio: number;
}

/** The sizes have a margin of about 1 %, so that a new package or a large table is noticed. */
export const bundleBudgets: Readonly<Record<LambdaName, BundleBudget>> = {
  posts: { kilobytes: 530, ratio: 2.2 },
  engagements: { kilobytes: 751, ratio: 3.4 },
  oembed: { kilobytes: 411, ratio: 2.2 },
  profiles: { kilobytes: 777, ratio: 3.4 },
  search: { kilobytes: 753, ratio: 3.4 },
  // The bundle has the pages of posts and of lists.
  legacy: { kilobytes: 773, ratio: 3.4 },
  // The pipeline with compression and metrics of calls, the problem texts, the tables of documents and visible characters, the
  // frame of pages with its style, the parser of the box, the table of addresses of X, the templates of permalinks, the signer
  // of picture paths with the hosts of X, the languages of readers, and the pages of errors. The documents are in a file beside
  // the bundle.
  discovery: { kilobytes: 97, ratio: 1.15 },
  // The bundle has every read as Markdown and JSON, the parser of the box, the table of addresses of X, and the MCP SDK with
  // its schemas.
  mcp: { kilobytes: 890, ratio: 5 },
  admin: { kilobytes: 531, ratio: 3.4 },
};
