// Creates services in memory for tests of the export: they answer pages of a list as `format=ndjson`.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceAnswer, ServiceClient } from '../../infra/local/client/service-client.ts';
import type { ExportPorts } from '../../infra/local/export/run-export.ts';

export interface ExportItem {
  readonly id: string;
  readonly created_at?: string;
}

/** @param next null at the end of the list */
export const ndjsonAnswer = (items: readonly object[], next: string | null, warnings: readonly object[] = []) => ({
  status: 200,
  body: [...items, { next_cursor: next, warnings }].map((line) => `${JSON.stringify(line)}\n`).join(''),
});

export const problemAnswer = (status: number, code: string, retryAfter?: number): ServiceAnswer => ({
  status,
  body: JSON.stringify({ title: `The title of ${code}`, status, detail: 'The detail.', resolution: 'Do it.', code }),
  ...(retryAfter !== undefined && { retryAfter }),
});

export const parametersOf = (target: string): URLSearchParams => new URL(target, 'http://list.invalid').searchParams;

/** Answers pages of at most `size` of the items that a request is for, whatever size is requested. */
const pagingClient = (itemsFor: (parameters: URLSearchParams) => readonly ExportItem[], size: number) => {
  const targets: string[] = [];
  const client: ServiceClient = {
    async get(target) {
      targets.push(target);
      const parameters = parametersOf(target);
      const items = itemsFor(parameters);
      const from = Number(parameters.get('cursor') ?? 0);
      const to = from + Math.min(size, Number(parameters.get('limit')));
      return ndjsonAnswer(items.slice(from, to), to < items.length ? String(to) : null);
    },
    close: async () => undefined,
  };
  return { client, targets };
};

export const listClient = (items: readonly ExportItem[], size = 100) => pagingClient(() => items, size);

interface TimelineOptions {
  /** The number of posts after which the timeline ends. */
  readonly reach: number;
  readonly size?: number;
  /** The timeline, but not the search for older posts, starts with it. */
  readonly pinned?: ExportItem;
}

/** A profile with more posts than its timeline has. With `until` the service searches. */
export const timelineClient = (posts: readonly ExportItem[], { reach, size = 100, pinned }: TimelineOptions) =>
  pagingClient((parameters) => {
    const until = Date.parse(parameters.get('until') ?? '');
    const since = Date.parse(parameters.get('since') ?? '1970-01-01');
    const reached = Number.isNaN(until)
      ? [...(pinned === undefined ? [] : [pinned]), ...posts.slice(0, reach)]
      : posts.filter(({ created_at: at = '' }) => Date.parse(at) < until);
    return reached.filter(({ created_at: at = '' }) => Date.parse(at) >= since);
  }, size);

const NEWEST = Date.parse('2026-11-21T12:00:00Z');

/** Posts, newest first, three of them in each second. */
export const postsOf = (count: number): readonly ExportItem[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(2_000_000_000_000_000_000n - BigInt(index)),
    created_at: new Date(NEWEST - Math.floor(index / 3) * 1000).toISOString().replace('.000Z', 'Z'),
  }));

export const idsIn = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);

export const textIn = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

/** Ports whose standard output, standard error and waits are recorded. */
export const recordingPorts = (client: ServiceClient, members: Partial<ExportPorts> = {}) => {
  const output: string[] = [];
  const reports: string[] = [];
  const waits: number[] = [];
  const ports: ExportPorts = {
    createClient: async () => client,
    createStandardOutput: () => ({
      write: async (text) => void output.push(text),
      close: async () => undefined,
      isFile: true,
    }),
    report: (text) => void reports.push(text),
    isTerminal: false,
    origin: 'https://api.example.test',
    folder: tmpdir(),
    now: () => 0,
    signal: new AbortController().signal,
    sleep: async (seconds) => void waits.push(seconds),
    ...members,
  };
  return { ports, output, reports, waits };
};
