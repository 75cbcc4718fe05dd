// How large a function may be and how long it may take to start, by what it does. Ratio: to an empty handler.
import type { LambdaName } from '../../shared/contract/lambdas.ts';

interface Bar {
  readonly kilobytes: number;
  readonly ratio: number;
}

const convert: Bar = { kilobytes: 330, ratio: 2.2 };
const browse: Bar = { kilobytes: 520, ratio: 3.4 };

export const bundleBudgets: Readonly<Record<LambdaName, Bar>> = {
  posts: convert,
  oembed: convert,
  profiles: browse,
  search: browse,
  legacy: browse,
  // Its documents are most of it.
  discovery: { kilobytes: 175, ratio: 1.15 },
  // The reader of everything, and the protocol with its schemas.
  mcp: { kilobytes: 760, ratio: 5 },
  // One person waits for it, now and then.
  admin: browse,
};
