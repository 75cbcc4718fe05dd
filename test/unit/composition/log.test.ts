import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJsonLog } from '../../../shared/composition/environment.ts';

const lineOf = (fields: Record<string, string | number | boolean | undefined>): string => {
  const lines: string[] = [];
  createJsonLog({ write: (line) => void lines.push(line), clock: () => 0 })({
    level: 'info',
    event: 'test',
    ...fields,
  });
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
};

const parsed = (line: string): Record<string, unknown> => JSON.parse(line);

/** Characters that a terminal or a log reader can take for the start of a line or for a command. */
const DANGEROUS =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|[\ud800-\udfff](?<![\ud800-\udbff][\udc00-\udfff])(?![\udc00-\udfff])/;

describe('[bounds 5] a log line', () => {
  test.each([
    ['CR LF', 'a\r\n{"level":"error"}'],
    ['ANSI', '\u001b[2J\u001b[31mred'],
    ['C1 ANSI', '\u009b31mred'],
    ['U+2028', 'a\u2028{"level":"error"}'],
    ['U+2029', 'a\u2029b'],
    ['NEL', 'a\u0085b'],
    ['NUL', 'a\u0000b'],
    ['DEL', 'a\u007fb'],
    ['vertical tab and form feed', 'a\u000b\u000cb'],
  ])('a log line contains %s as data and stays one line', (_, value) => {
    const line = lineOf({ value });
    expect(line).not.toMatch(DANGEROUS);
    expect(parsed(line)['value']).toBe(value);
  });

  test.each([
    ['', 0],
    ['x'.repeat(200), 200],
    ['x'.repeat(201), 200],
    ['x'.repeat(100_000), 200],
    ['\n'.repeat(500), 200],
  ])('a log line has at most 200 characters of a value (%#)', (value, length) => {
    expect(parsed(lineOf({ value }))['value']).toHaveLength(length);
  });

  test('a log line never has half of a surrogate pair', () => {
    const value = parsed(lineOf({ value: `${'x'.repeat(199)}🐋` }))['value'];
    expect(value).toSatisfy((text: string) => text.isWellFormed() && text.length <= 200);
  });

  test('a log line is one well-formed line for random values', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ unit: 'grapheme-composite' }),
        (value, other) => {
          const line = lineOf({ value, other });
          expect(line.isWellFormed()).toBe(true);
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
          expect(parsed(line)).toMatchObject({ event: 'test', value: value.slice(0, 200).toWellFormed() });
        },
      ),
      { seed: 1, numRuns: 2000 },
    );
  });
});
