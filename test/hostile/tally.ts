// Counts answers by operation and status.

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
  const counts = new Map<string, Map<number, number>>();
  let failures = 0;
  let faults = 0;
  const add = (to: Map<number, number>, status: number, count: number): void =>
    void to.set(status, (to.get(status) ?? 0) + count);
  const textOf = (statuses: ReadonlyMap<number, number>): string =>
    [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status === 0 ? 'none' : status} × ${count}`)
      .join(', ');
  const total = (statuses: ReadonlyMap<number, number>): number =>
    statuses.values().reduce((sum, count) => sum + count, 0);
  return {
    count(operation: string, status: number): void {
      const statuses = counts.get(operation) ?? new Map<number, number>();
      counts.set(operation, statuses);
      add(statuses, status, 1);
      if (isFailure(status)) faults += 1;
    },
    fail(): void {
      failures += 1;
    },
    failures: () => failures,
    faults: () => faults,
    /** One line per operation. */
    lines: (): readonly string[] =>
      [...counts]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([operation, statuses]) => `${operation}: ${textOf(statuses)}`),
    /** One row per group of operations. */
    table(): MeasuredTable {
      const groups = new Map<string, Map<number, number>>();
      for (const [operation, statuses] of counts) {
        const name = groupOf(operation);
        const group = groups.get(name) ?? new Map<number, number>();
        groups.set(name, group);
        for (const [status, count] of statuses) add(group, status, count);
      }
      return {
        columns: ['Requests of', 'Requests', 'Answers by status'],
        rows: GROUPS.flatMap(([name]) => {
          const statuses = groups.get(name);
          return statuses === undefined ? [] : [[name, String(total(statuses)), textOf(statuses)]];
        }),
      };
    },
  };
};
