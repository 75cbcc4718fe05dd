// Sets the budgets of each Lambda: its bundle size in kB, and its start-up time as a ratio to an empty handler.
import type { LambdaName } from '../../shared/contract/lambdas.ts';

interface BundleBudget {
  readonly kilobytes: number;
  readonly ratio: number;
}

/** The sizes have a margin of about 1 %, so that a new package or a large table is noticed. */
export const bundleBudgets: Readonly<Record<LambdaName, BundleBudget>> = {
  posts: { kilobytes: 424, ratio: 2.2 },
  engagements: { kilobytes: 595, ratio: 3.4 },
  oembed: { kilobytes: 366, ratio: 2.2 },
  profiles: { kilobytes: 613, ratio: 3.4 },
  search: { kilobytes: 609, ratio: 3.4 },
  // The bundle has the pages of posts, of lists and of errors.
  legacy: { kilobytes: 638, ratio: 3.4 },
  // Most of the bundle is the published documents, compressed: the pages, the index of their search, and 18 kB of
  // pictures.
  discovery: { kilobytes: 500, ratio: 1.15 },
  // The bundle has every use case, and the MCP SDK with its schemas.
  mcp: { kilobytes: 817, ratio: 5 },
  admin: { kilobytes: 467, ratio: 3.4 },
};
