// Says what an operator turns on for a workload.
import { MAX_BASE_URLS } from '../../contract/providers.ts';
import { defaults } from './assumptions.ts';
import { number } from './formats.ts';
import { addressesNeeded, concurrencyNeeded, limits, requestsAtLimit } from './limits.ts';
import type { Workload } from './workload.ts';

interface Step {
  readonly applies: (workload: Workload) => boolean;
  readonly text: (workload: Workload) => string;
}

const poolText = (servers: number): string => {
  const baseUrls = Math.min(servers, MAX_BASE_URLS);
  const each = Math.ceil(servers / MAX_BASE_URLS);
  const behind = each > 1 ? `, each a load balancer before ${number(each)} servers` : '';
  return `\`fxTwitterBaseUrl\` with ${baseUrls} base URLs${behind}`;
};

const exceeds = (name: string, workload: Workload): boolean =>
  limits.some((limit) => limit.name === name && requestsAtLimit(limit, workload) < workload.requests);

/** Above this, one caller can cost more than a web ACL. */
const WEB_ACL_FROM = 1e7;

/** Above this, misses of several regional caches for the same answer are a cost. */
const ORIGIN_SHIELD_FROM = 1e8;

const steps: readonly Step[] = [
  { applies: () => true, text: () => '`alarmEmail`, `monthlyBudget`' },
  {
    applies: (workload) => addressesNeeded(workload) > 1,
    text: (workload) => poolText(addressesNeeded(workload)),
  },
  { applies: ({ requests }) => requests >= WEB_ACL_FROM, text: () => '`wafRateLimit`' },
  {
    applies: (workload) => workload.requests >= ORIGIN_SHIELD_FROM && workload.hitRatio > 0,
    text: () => '`originShield`, a longer `cacheTtlSeconds`',
  },
  {
    applies: (workload) => concurrencyNeeded(workload) > defaults.concurrency / 2,
    text: (workload) =>
      `a quota of ${number(Math.ceil((concurrencyNeeded(workload) * 2) / 1000) * 1000)} concurrent executions`,
  },
  { applies: (workload) => exceeds('HTTP API', workload), text: () => 'a higher quota of the HTTP API' },
  {
    applies: (workload) => workload.hasPool && exceeds('Allowance pool', workload),
    text: () => 'no `allowanceSearchPool`',
  },
  { applies: (workload) => exceeds('CloudFront', workload), text: () => 'a higher quota of the distribution' },
];

/** @returns settings and quotas as Markdown */
export const stepsFor = (workload: Workload): readonly string[] =>
  steps.filter(({ applies }) => applies(workload)).map(({ text }) => text(workload));
