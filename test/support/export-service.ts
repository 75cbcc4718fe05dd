// Creates services in memory for tests of the export: they answer pages of a list as `format=ndjson`.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportPorts } from '../../client/commands/export/run-export.ts';
import type { Service } from '../../client/commands/service.ts';

export interface ExportItem {
  readonly id: string;
  readonly created_at?: string;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

const ORIGIN = 'https://service.example';

/** A service in memory. What `answer` throws is thrown in place of a response. */
export const serviceOf = (answer: (target: string) => ServiceAnswer | Promise<ServiceAnswer>): Service => ({
  origin: ORIGIN,
  async fetch(url) {
    const { status, body, retryAfter } = await answer(url.slice(ORIGIN.length));
    const headers = new Headers({ 'Content-Type': status < 400 ? 'application/x-ndjson' : 'application/problem+json' });
    if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter));
    return new Response(body, { status, headers });
  },
  close: async () => undefined,
});

/** Sends a request as the commands do. */
export const answerOf = async ({ origin, fetch }: Service, target: string, accept = '*/*') => {
  const response = await fetch(`${origin}${target}`, { headers: { Accept: accept }, signal: null });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, body: bytes.toString() };
};

/**
 * @param next null at the end of the list
 * @param about more members of the last line
 */
export const ndjsonAnswer = (
  items: readonly object[],
  next: string | null,
  warnings: readonly object[] = [],
  about: object = {},
) => ({
  status: 200,
  body: [...items, { next_cursor: next, warnings, ...about }].map((line) => `${JSON.stringify(line)}\n`).join(''),
});

export const problemAnswer = (status: number, code: string, retryAfter?: number): ServiceAnswer => ({
  status,
  body: JSON.stringify({
    type: `${ORIGIN}/docs/errors#${code}`,
    title: `The title of ${code}`,
    status,
    detail: 'The detail.',
    resolution: 'Do it.',
    code,
    instance: '/',
  }),
  ...(retryAfter !== undefined && { retryAfter }),
});

export const parametersOf = (target: string): URLSearchParams => new URL(target, 'http://list.invalid').searchParams;

/** Answers pages of at most `size` of the items that a request is for, whatever size is requested. */
const pagingService = (itemsFor: (parameters: URLSearchParams) => readonly ExportItem[], size: number) => {
  const targets: string[] = [];
  const answer = (target: string): ServiceAnswer => {
    targets.push(target);
    const parameters = parametersOf(target);
    const items = itemsFor(parameters);
    const from = Number(parameters.get('cursor') ?? 0);
    const to = from + Math.min(size, Number(parameters.get('limit')));
    return ndjsonAnswer(items.slice(from, to), to < items.length ? String(to) : null);
  };
  return { service: serviceOf(answer), answer, targets };
};

export const listService = (items: readonly ExportItem[], size = 100) => pagingService(() => items, size);

interface TimelineOptions {
  /** The number of posts after which the timeline ends. */
  readonly reach: number;
  readonly size?: number;
  /** The timeline, but not the search for older posts, starts with it. */
  readonly pinned?: ExportItem;
}

/** A profile with more posts than its timeline has. With `until` the service searches. */
export const timelineService = (posts: readonly ExportItem[], { reach, size = 100, pinned }: TimelineOptions) =>
  pagingService((parameters) => {
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
export const recordingPorts = (service: Service, members: Partial<ExportPorts> = {}) => {
  const output: string[] = [];
  const reports: string[] = [];
  const waits: number[] = [];
  const ports: ExportPorts = {
    openService: async () => service,
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
