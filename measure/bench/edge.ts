// Measures the edge function with requests of 8 kB that cost it the most time. CloudFront grants about 1 ms in its own,
// slower runtime. A caller controls only the size of the target and of the headers.
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { edgeEvent, edgeScript } from '../../infra/local/edge-sandbox.ts';
import { MAX_TARGET_BYTES } from '../../shared/http/pipeline.ts';
import { microseconds, type Row } from './measure.ts';

/** Allows twice the time for twice the size, plus some noise. */
const DOUBLING_BAR = 2.5;
/**
 * Bounds the time in V8, which is faster than the CloudFront runtime. One comparison of each unknown name with each
 * known name took thousands.
 */
const WORST_BAR = 500;

/** Runs per measured call, so that passing the event takes a small share. */
const RUNS = 20;

interface Request {
  readonly target: string;
  readonly headers?: readonly string[];
}

const filled = (start: string, unit: (index: number) => string, bytes: number): string => {
  let text = start;
  for (let index = 0; text.length < bytes; index += 1) text += unit(index);
  return text.slice(0, bytes);
};

const short = (index: number): string => index.toString(36);

/** Builds the costliest request for each part of the function. @param bytes size of the target or of the header */
const hostile = (bytes: number): Readonly<Record<string, Request>> => ({
  'unknown names': { target: filled('/api/v1/posts?', (index) => `${short(index)}&`, bytes) },
  'escaped names': { target: filled('/search?', (index) => `%78${short(index)}&`, bytes) },
  'one name again and again': { target: filled('/search?', () => '%71=&', bytes) },
  'spellings of one name': {
    target: filled('/search?', (index) => `f${index % 2 ? '%65' : 'e'}e%6${index % 9}=&`, bytes),
  },
  'long values': { target: filled('/search?q=', () => '%E4%B8%96', bytes) },
  segments: { target: filled('', () => '/a', bytes) },
  'a path of escapes': { target: filled('/', () => '%2e', bytes) },
  'User-Agent': {
    target: '/jack/status/20',
    headers: ['User-Agent', filled('', () => 'discordbo ', bytes)],
  },
  'types in Accept': {
    target: '/jack/status/20',
    headers: ['Accept', filled('', (index) => `a/${short(index)};q=0.${index % 10},`, bytes)],
  },
});

const ORDINARY: Request = { target: '/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20&format=json' };

export const edgeRows = async (): Promise<Row[]> => {
  const source = await buildEdge();
  const run = edgeScript(`
    ${source}
    var once = handler;
    handler = function (event) {
      for (var index = 0; index < ${RUNS}; index += 1) {
        var request = Object.assign({}, event.request, { headers: Object.assign({}, event.request.headers) });
        once({ viewer: event.viewer, request: request });
      }
      return {};
    };
  `);
  const task = ({ target, headers = [] }: Request): (() => unknown) => {
    const event = edgeEvent({ method: 'GET', target, rawHeaders: headers, viewerIp: '192.0.2.1' });
    return () => run(event);
  };
  const tasksOfSize = (size: number): Record<string, () => unknown> =>
    Object.fromEntries(Object.entries(hostile(size)).map(([name, request]) => [`${name} ${size}`, task(request)]));
  const us = await microseconds<string>(
    { ordinary: task(ORDINARY), ...tasksOfSize(MAX_TARGET_BYTES / 2), ...tasksOfSize(MAX_TARGET_BYTES) },
    3,
    60,
  );
  const perRun = (name: string): number => (us[name] ?? Number.NaN) / RUNS;
  const kinds = Object.keys(hostile(0)).map((name) => ({
    name,
    half: perRun(`${name} ${MAX_TARGET_BYTES / 2}`),
    full: perRun(`${name} ${MAX_TARGET_BYTES}`),
  }));
  const [slowest] = kinds.toSorted((a, b) => b.full - a.full);
  return [
    { name: 'edge: script', value: source.length / 1000, unit: 'kB', bar: 10 },
    { name: 'edge: ordinary request', value: perRun('ordinary'), unit: 'us' },
    ...kinds.map(({ name, full }): Row => ({ name: `edge: 8 kB of ${name}`, value: full, unit: 'us', bar: WORST_BAR })),
    {
      name: 'edge: 8 kB / 4 kB of the slowest input',
      value: slowest === undefined ? Number.NaN : slowest.full / slowest.half,
      unit: 'ratio',
      bar: DOUBLING_BAR,
    },
  ];
};
