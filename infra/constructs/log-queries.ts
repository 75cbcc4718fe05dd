// Lists the queries of CloudWatch Logs Insights over the log lines of the functions. They are saved in the account, and
// the dashboard shows their results.

/** The titles and the texts, by name. */
export const logQueries = {
  errors: {
    title: 'Which errors callers get most often',
    query: [
      'filter event = "request" and status >= 400',
      'stats count(*) as requests by surface, operation, status, code',
      'sort requests desc',
      'limit 20',
    ],
  },
  causes: {
    title: 'Which causes these errors have',
    query: ['filter event = "problem"', 'stats count(*) as problems by code, cause', 'sort problems desc', 'limit 20'],
  },
  slowRoutes: {
    title: 'Which operations are slow',
    query: [
      'filter event = "request"',
      'stats count(*) as requests, pct(duration_ms, 50) as p50, pct(duration_ms, 99) as p99 by operation',
      'sort p99 desc',
      'limit 20',
    ],
  },
  providers: {
    title: 'How calls of providers end',
    query: [
      'filter event = "upstream"',
      'stats count(*) as calls, pct(duration_ms, 99) as p99 by provider, kind, address, outcome',
      'sort calls desc',
      'limit 50',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly query: readonly string[] }>>;

/** The text as Logs Insights parses it. */
export const queryText = (lines: readonly string[]): string => lines.join('\n| ');
