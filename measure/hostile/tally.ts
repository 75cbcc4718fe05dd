// Counts answers by group of operations and by status.

import type { MeasuredTable } from '../../infra/docs/measurement.ts';
import { isFailure } from '../../shared/contract/problems.ts';

const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['malformed HTTP', /^malformed/],
  ['MCP', /^POST \/mcp/],
  ['feeds', /\/rss$/],
  ['oEmbed', /oembed/],
  ['deprecated aliases', /\/api\/(?:convert|browse)/],
  ['search', /\/search$/],
  ['replies, quotes and reposts', /\/(?:replies|quotes|reposts|retweets)$/],
  ['posts', /\/(?:posts(?:\/lookup)?|status(?:es)?\/.*|article\/.*)$/],
  ['profiles and their lists', /\{handle\}/],
  ['documents', /./],
];

const groupOf = (operation: string): string =>
  GROUPS.find(([, pattern]) => pattern.test(operation.replace('/profiles/{handle}/posts', '/{handle}')))?.[0] ?? '';

export const createTally = () => {
  const groups = new Map<string, Map<number, number>>();
  let failures = 0;
  let faults = 0;
  return {
    count(operation: string, status: number): void {
      const name = groupOf(operation);
      const statuses = groups.get(name) ?? new Map<number, number>();
      groups.set(name, statuses);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (isFailure(status)) faults += 1;
    },
    fail(): void {
      failures += 1;
    },
    failures: () => failures,
    faults: () => faults,
    table: (): MeasuredTable => ({
      columns: ['Requests of', 'Requests', 'Answers by status'],
      rows: GROUPS.flatMap(([name]) => {
        const statuses = [...(groups.get(name) ?? [])].toSorted(([a], [b]) => a - b);
        const total = statuses.reduce((sum, [, count]) => sum + count, 0);
        const texts = statuses.map(([status, count]) => `${status === 0 ? 'none' : status} × ${count}`);
        return total === 0 ? [] : [[name, String(total), texts.join(', ')]];
      }),
    }),
  };
};
