import { expect, test } from 'vitest';
import { parseJson } from '../../../shared/model/json.ts';
import { parseJsonSource } from '../../../shared/model/json-source.ts';
import { cases } from '../../support/full-form.ts';
import { pick, seededRandom } from '../../support/random.ts';

const problemOf = (text: string): string => {
  const source = parseJsonSource(text);
  return 'problem' in source ? source.problem : '';
};

test.each<readonly [string, string]>([
  ['', 'line 1, column 1: expected a value, found the end of the file'],
  ['[\n\n', 'line 3, column 1: expected a value or ], found the end of the file'],
  ['[1 2]', 'line 1, column 4: expected a comma or ], found something else'],
  ['{"a": 1,\r\n}', 'line 2, column 1: expected a name in quotation marks after the comma, found }'],
  ['{a: 1}', 'line 1, column 2: expected a name in quotation marks or }, found something else'],
  ["['a']", 'line 1, column 2: expected a value or ], found another quotation mark than "'],
  ['[\u201ca\u201d]', 'line 1, column 2: expected a value or ], found another quotation mark than "'],
  ['[] // all', 'line 1, column 4: expected the end of the file, found a comment: JSON has none'],
  ['[True]', 'line 1, column 2: expected a value or ], found something else'],
  ['{"a":01}', 'line 1, column 6: expected a value, found something else'],
  ['{"a" "b"}', 'line 1, column 6: expected a colon, found a text'],
  ['["a\n"]', 'line 1, column 4: expected " at the end of the text'],
  ['["a', 'line 1, column 4: expected " at the end of the text'],
  ['["a\\d"]', 'line 1, column 4: expected an escape such as \\n or \\\\'],
  ['["a\tb"]', 'line 1, column 4: expected an escape such as \\t for a control character'],
  ['["\u{1F600}" 1]', 'line 1, column 6: expected a comma or ], found something else'],
  ['[{"a": 1, "\\u0061": 2}]', 'line 1, column 11: the name "a" is there twice: remove one'],
  ['\uFFFD\uFFFD[\0]\0', 'line 1, column 1: expected UTF-8, found another encoding, such as UTF-16'],
])('[withheld 5] parseJsonSource says where %j is wrong, and what was expected', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test('parseJsonSource repeats no text of the file', () => {
  for (const text of ['{"token": secret}', '{"token": "secret}', '{"token": "secret" secret}', "{'secret': 1}"])
    expect(problemOf(text)).toMatch(/^line 1, column \d+: (?!.*secret)/);
});

test('place() finds the beginning of a value by its path, in lines and columns from 1', () => {
  const source = parseJsonSource('\uFEFF{\r\n  "a": [1, {"b": null}],\n  "a b": "\u{1F600}" ,"c": []}');
  if ('problem' in source) throw new Error(source.problem);
  expect(source.value).toEqual({ a: [1, { b: null }], 'a b': '\u{1F600}', c: [] });
  const paths = [[], ['a'], ['a', 1], ['a', 1, 'b'], ['a b'], ['c'], ['d'], ['a', 2]] as const;
  expect(paths.map((path) => source.place(path))).toEqual([
    'line 1, column 1',
    'line 2, column 8',
    'line 2, column 12',
    'line 2, column 18',
    'line 3, column 10',
    'line 3, column 20',
    undefined,
    undefined,
  ]);
});

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"b\\n"',
  '"',
  '\\',
  '1',
  '-',
  '0',
  '.5',
  'e9',
  'true',
  'null',
  ' ',
  '\n',
  'x',
];

test('parseJsonSource accepts what JSON.parse accepts, apart from equal names', () => {
  const random = seededRandom();
  const texts = Array.from({ length: cases(20_000, 500_000) }, () =>
    Array.from({ length: 1 + Math.floor(random() * 9) }, () => pick(random, PIECES)).join(''),
  );
  const differing = texts.filter((text) => {
    const problem = problemOf(text);
    return !problem.includes('twice') && (problem === '') !== (parseJson(text) !== undefined);
  });
  expect(differing).toEqual([]);
  expect(texts.filter((text) => problemOf(text) === '').length).toBeGreaterThan(100);
});

test('parseJsonSource reads deep nesting and long texts', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(problemOf(deep)).toBe('');
  expect(problemOf(`["${'a'.repeat(1_000_000)}"]`)).toBe('');
  expect(problemOf(`["${'a'.repeat(1_000_000)}`)).toContain('column 1000003');
});
