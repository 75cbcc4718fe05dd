// Reads metrics out of log lines as CloudWatch does, by "Specification: Embedded metric format" of its user guide. It uses no
// table of the service. A line that CloudWatch would drop, in whole or in part, throws.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'vitest';

/** One sample of one metric. */
export interface MetricSample {
  readonly namespace: string;
  readonly name: string;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

const schema = JSON.parse(
  readFileSync(new URL('../fixtures/embedded-metrics/schema.json', import.meta.url), 'utf8').replaceAll(
    /^ *"\$id": .*\n/gm, // ajv takes the fragments for anchors, which must not contain a slash
    '',
  ),
);
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);

/** @throws if the schema of AWS refuses the line */
const expectEmbeddedMetricFormat = (line: unknown): void => {
  validate(line);
  expect(validate.errors).toBeNull();
};

const MAX_DIMENSIONS = 30;
const MAX_METRICS = 100;
/** Of one metric in a line. */
const MAX_VALUES = 100;
const MAX_VALUE_CHARACTERS = 1024;

const dimensionOf = (line: Readonly<Record<string, unknown>>, name: string): string => {
  const value = line[name];
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= MAX_VALUE_CHARACTERS;
  // PutMetricData: values are ASCII.
  if (!isText || !/^[ -~]*$/.test(value)) throw new Error(`${name} is no value of a dimension: ${String(value)}`);
  return value;
};

/** @returns no samples if the line has no metrics @throws if CloudWatch would drop a part of the line */
export const readMetrics = (text: string): readonly MetricSample[] => {
  const line: Record<string, unknown> = JSON.parse(text);
  if (line['_aws'] === undefined) return [];
  expectEmbeddedMetricFormat(line);
  const { Timestamp: timestamp, CloudWatchMetrics: directives } = line['_aws'] as {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly Directive[];
  };
  return directives.flatMap(({ Namespace: namespace, Dimensions, Metrics }) => {
    if (Metrics.length > MAX_METRICS) throw new Error('too many metrics');
    return Dimensions.flatMap((names) => {
      if (names.length === 0 || names.length > MAX_DIMENSIONS) throw new Error(`${names.length} dimensions`);
      const dimensions = Object.fromEntries(names.map((name) => [name, dimensionOf(line, name)]));
      return Metrics.flatMap(({ Name: name, Unit: unit }) => {
        const values: readonly unknown[] = [line[name]].flat();
        if (values.length === 0 || values.length > MAX_VALUES) throw new Error(`${name} has ${values.length} values`);
        return values.map((value) => {
          if (typeof value !== 'number') throw new Error(`${name} is not a number: ${String(value)}`);
          return { namespace, name, unit, dimensions, value, timestamp };
        });
      });
    });
  });
};

/** Identifies a metric, as CloudWatch bills it. */
export const seriesOf = ({ name, dimensions }: MetricSample): string => `${name} ${JSON.stringify(dimensions)}`;
