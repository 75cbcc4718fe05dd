// Sets the budgets of each Lambda: its bundle size in kB, and its start-up time as a ratio to an empty handler.
import type { LambdaName } from '../../shared/contract/lambdas.ts';

interface BundleBudget {
  readonly kilobytes: number;
  readonly ratio: number;
}

/** The sizes have a margin of about 1 %, so that a new package or a large table is noticed. */
export const bundleBudgets: Readonly<Record<LambdaName, BundleBudget>> = {
  posts: { kilobytes: 412, ratio: 2.2 },
  engagements: { kilobytes: 585, ratio: 3.4 },
  oembed: { kilobytes: 355, ratio: 2.2 },
  profiles: { kilobytes: 603, ratio: 3.4 },
  search: { kilobytes: 599, ratio: 3.4 },
  // The bundle has the pages of posts, of lists and of errors.
  legacy: { kilobytes: 628, ratio: 3.4 },
  // Most of the bundle is the published documents, compressed: the pages, the index of their search, and 18 kB of
  // pictures.
  discovery: { kilobytes: 413, ratio: 1.15 },
  // The bundle has every use case, and the MCP SDK with its schemas.
  mcp: { kilobytes: 806, ratio: 5 },
  admin: { kilobytes: 463, ratio: 3.4 },
};
