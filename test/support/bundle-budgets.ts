// Sets the budgets of each Lambda: its bundle size in kB, and its start-up time as a ratio to an empty handler.
import type { LambdaName } from '../../shared/contract/lambdas.ts';

interface BundleBudget {
  readonly kilobytes: number;
  readonly ratio: number;
}

const convert: BundleBudget = { kilobytes: 385, ratio: 2.2 };
const browse: BundleBudget = { kilobytes: 585, ratio: 3.4 };

export const bundleBudgets: Readonly<Record<LambdaName, BundleBudget>> = {
  posts: convert,
  oembed: convert,
  profiles: browse,
  search: browse,
  // The bundle has the pages of posts, of lists and of errors.
  legacy: { ...browse, kilobytes: 590 },
  // Most of the bundle is the published documents, compressed: the pages, the index of their search, and 18 kB of
  // pictures.
  discovery: { kilobytes: 334, ratio: 1.15 },
  // The bundle has every use case, and the MCP SDK with its schemas.
  mcp: { kilobytes: 760, ratio: 5 },
  admin: browse,
};
