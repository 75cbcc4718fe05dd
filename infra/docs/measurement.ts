// Writes tables of what a command measured. Each command writes one file of docs/measurements; the sections of
// docs/operators are made from these files, so a document cannot claim what no command measured.
import { readdirSync, readFileSync } from 'node:fs';
import { table } from '../../shared/publish/pages/markdown-blocks.ts';

/**
 * By a pattern of the name of a bar: why it may be missed, and what was tried. A test requires a reason for each missed
 * bar.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /^1 post .*handler, (Markdown|JSON) \//,
    'The floors below take most of what the bar allows. The rest is the HTTP pipeline, and the caches of this processor: a call of the provider takes 61 us in a loop of its own and the rest of the handler 28 us, but both in turn take 119 us, because each displaces code and data of the other. The other side of the ratio is a loop of one native function. Older versions have the same ratio on this machine.',
  ],
  [
    /handler, Markdown \/ JSON\.parse/,
    'Parsing is native code, and reading and mapping without rendering takes most of what the bar allows (a floor below). Of the rest, rendering with escaping is about 0.3 of the time of parsing, the entity tag and the size 0.1. Repeated authors and texts are parsed, mapped and rendered once. More memory for young objects, an in-process checksum and one string per list of counts saved nothing, or too little to weaken the tag.',
  ],
  [
    /handler, JSON \/ JSON\.parse/,
    'A JSON body has the post and its Markdown, so all work of the Markdown is in it, beside the floor of the other side. The body was copied twice before it was sent, and is copied once now. Writing the posts one by one saved nothing.',
  ],
  [
    /^local service, /,
    'The plain server knows no caller, format, cache or edge. A refused request, without any call, takes 0.35 ms of CPU time beside its 0.08 ms: a tenth of that is the emulated CloudFront and gateway, a fifth the function, and sockets are most of the rest. In a search, the store client of AWS, which signs its call, mapping and rendering are most of what is more than the plain server.',
  ],
  [
    /^provider call, CPU/,
    'Sockets, the HTTP parser and JSON.parse are most of both sides. The client handles the events of undici without its stream, which saved a third.',
  ],
  [
    /: ready \/ empty handler/,
    'Compiling the bundle is a quarter of the start, and most of the rest is the HTTP client and the store client. Unreachable parts of packages are left out, and documents are beside the bundle. Discovery, the smallest, takes 5 ms to compile, 5 ms to load `node:crypto` for its entity tags and 5 ms to run. These figures are without the [compiled code](self-hosting.md#compiled-code) that a deployment can have. Compiling the modules of packages at once, without a first pass, saved less than 5 %.',
  ],
  [
    /^npm start: first answer/,
    'npm itself takes half of it. The bundles, their compiled code and that of the service are kept, and the store starts after the first answers.',
  ],
  [
    /^mutation score, lowest folder/,
    'The sample is of places, and a place brings all of its mutants, so 1 to 33 mutants of a folder are few: seven of the nine survivors in `shared/use-cases` are of one statement, and the three in `shared/settings` of one condition whose parts are true together. Of all 31 survivors of 240, 15 change nothing that a caller can see. For 13 of the others tests were added after the run, and 3 were in code that is gone.',
  ],
  [
    /^soak: growth of the heap/,
    'The growth is about 28 bytes for each request, while a fifth of the callers and of the subjects is new. In two heap snapshots of a run with 200 requests per second, half of it was compiled code and its feedback, a quarter buffers of requests in flight, and the rest texts in maps of subjects and callers, which have a bound. The number of objects of each kind grew by less than a tenth of the number of requests. 30 minutes are too short to show where it ends.',
  ],
];

const reasonOf = (bar: string): string | undefined => reasons.find(([pattern]) => pattern.test(bar))?.[1];

export interface Bar {
  /** Names the figure and the two sides of a ratio. Unique among all measurements. */
  readonly name: string;
  /** The median, if the command runs several times. */
  readonly value: number;
  readonly unit: 'ratio' | 'us' | 'ms' | 's' | 'kB' | 'MB' | 'MB/h' | 'calls' | 'count' | '%';
  readonly bar: number;
  /** @default 'atMost' */
  readonly direction?: 'atMost' | 'atLeast';
  /** The smallest and the largest value of several runs. */
  readonly spread?: readonly [number, number];
}

export interface MeasuredTable {
  /** A sentence or a heading above the table. */
  readonly caption?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Measurement {
  /** The command that a reader runs to measure again, such as `npm run measure -- load`. */
  readonly command: string;
  /** An RFC 3339 date in UTC. */
  readonly date: string;
  /** Versions, cores and the number of runs, in one line. */
  readonly environment: string;
  readonly bars: readonly Bar[];
  readonly tables: readonly MeasuredTable[];
}

const fileOf = (name: string): URL => new URL(`../../docs/measurements/${name}.json`, import.meta.url);

export const measurementNames: readonly string[] = readdirSync(new URL('.', fileOf(''))).map((file) =>
  file.replace('.json', ''),
);

export const readMeasurement = (name: string): Measurement => JSON.parse(readFileSync(fileOf(name), 'utf8'));

export const isMissed = ({ value, bar, direction = 'atMost' }: Bar): boolean =>
  !(direction === 'atMost' ? value <= bar : value >= bar);

const DIGITS: Readonly<Record<Bar['unit'], number>> = {
  ratio: 2,
  us: 1,
  ms: 1,
  s: 2,
  kB: 0,
  MB: 1,
  'MB/h': 2,
  calls: 0,
  count: 0,
  '%': 1,
};

const digitsOf = (value: number, unit: Bar['unit']): string => value.toFixed(DIGITS[unit]);

const withUnit = (digits: string, unit: Bar['unit']): string =>
  unit === 'ratio' || unit === 'calls' || unit === 'count' ? digits : `${digits} ${unit}`;

/** A number with the digits of its unit, without the unit of ratios and counts: `1.20`, `12.5 ms`, `96.0 %`. */
export const figure = (value: number, unit: Bar['unit']): string => withUnit(digitsOf(value, unit), unit);

const limitOf = ({ bar, unit, direction = 'atMost' }: Bar): string =>
  `${direction === 'atMost' ? 'at most' : 'at least'} ${withUnit(Number.isInteger(bar) ? String(bar) : digitsOf(bar, unit), unit)}`;

const barTable = (bars: readonly Bar[]): string => {
  const hasSpread = bars.some(({ spread }) => spread !== undefined);
  const rows = bars.map((bar) => {
    const { name, value, unit, spread } = bar;
    const range = spread === undefined ? '' : `${figure(spread[0], unit)} to ${figure(spread[1], unit)}`;
    return [
      name,
      figure(value, unit),
      ...(hasSpread ? [range] : []),
      `${limitOf(bar)}${isMissed(bar) ? ' (missed)' : ''}`,
    ];
  });
  return table(['Figure', 'Measured', ...(hasSpread ? ['Range'] : []), 'Bar'], rows);
};

/** The tables of a measurement, with the command and the environment. */
export const measurementSection = ({ command, date, environment, bars, tables }: Measurement): string =>
  [
    `Measured with \`${command}\` on ${date}: ${environment}.`,
    ...(bars.length === 0 ? [] : [barTable(bars)]),
    ...tables.flatMap(({ caption, columns, rows }) => [
      ...(caption === undefined ? [] : [caption]),
      table(columns, rows),
    ]),
  ].join('\n\n');

const missedBars = (names: readonly string[]): readonly Bar[] =>
  names.flatMap((name) => readMeasurement(name).bars).filter(isMissed);

/** The bars of these measurements that are missed, with the reason. */
export const missedSection = (names: readonly string[]): string => {
  const missed = missedBars(names);
  if (missed.length === 0) return 'No bar is missed.';
  const rows = missed.map((bar) => [bar.name, figure(bar.value, bar.unit), limitOf(bar), reasonOf(bar.name) ?? '']);
  return table(['Figure', 'Measured', 'Bar', 'What bounds it, and what was tried'], rows);
};

/** Missed bars without a reason. */
export const unexplainedBars = (): readonly string[] =>
  missedBars(measurementNames).flatMap(({ name }) => (reasonOf(name) === undefined ? [name] : []));
