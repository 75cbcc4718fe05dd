// Tests what a caller is told about a format that an input does not have.
import { expect, test } from 'vitest';
import { formatOf, type ParameterReader } from '../../../shared/contract/parameter-reader.ts';

const read = (sent: string | undefined, formats: readonly string[]) => {
  const messages: string[] = [];
  const reader: ParameterReader = {
    has: () => sent !== undefined,
    value: <Value>(name: string) => (name === 'format' ? sent : undefined) as Value, // `format` is a text
    reject: (code, parameter, message) => void messages.push(`${code} ${parameter} ${message}`),
    position: () => undefined,
  };
  return { format: formatOf(reader, formats), messages };
};

test.each([
  [['json'], 'must be json'],
  [['md', 'json'], 'must be one of md, json'],
  [['md', 'json', 'html'], 'must be one of md, json, html'],
])('formatOf() names the formats %j when another one is asked for', (formats, message) => {
  expect(read('pdf', formats)).toEqual({ format: undefined, messages: [`invalid_format format ${message}`] });
});

test('formatOf() returns a format of the input, and undefined when none is asked for', () => {
  expect(read('json', ['md', 'json'])).toEqual({ format: 'json', messages: [] });
  expect(read(undefined, ['md', 'json'])).toEqual({ format: undefined, messages: [] });
});
