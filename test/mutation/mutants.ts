// Lists the mutants of a source file: copies with one small change each, which a test should notice.
import { parseSync } from 'oxc-parser';

export interface Mutant {
  readonly file: string;
  /** UTF-16 offsets of the replaced source. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
]);

/** Subtrees without behavior: types, imports, and messages of errors that stop the process at start. */
const isWithoutBehavior = ({ type, callee }: Node): boolean =>
  type.startsWith('TS') ||
  type.startsWith('Import') ||
  type === 'ExportAllDeclaration' ||
  (type === 'NewExpression' && isNode(callee) && callee['name'] === 'Error');

const replacementsOf = (
  node: Node,
  source: string,
): readonly (readonly [start: number, end: number, text: string])[] => {
  const { type, start, end } = node;
  if (type === 'BinaryExpression' || type === 'LogicalExpression') {
    const { left, right, operator } = node;
    if (!isNode(left) || !isNode(right) || typeof operator !== 'string') return [];
    const replacement = OPERATORS.get(operator);
    const at = source.indexOf(operator, left.end);
    return replacement === undefined || at < 0 || at >= right.start ? [] : [[at, at + operator.length, replacement]];
  }
  if (type === 'IfStatement' || type === 'ConditionalExpression') {
    const { test } = node;
    return isNode(test) ? [[test.start, test.end, `!(${source.slice(test.start, test.end)})`]] : [];
  }
  if (type === 'UnaryExpression' && node['operator'] === '!') {
    const { argument } = node;
    return isNode(argument) ? [[start, end, source.slice(argument.start, argument.end)]] : [];
  }
  if (type !== 'Literal') return [];
  const { value } = node;
  if (typeof value === 'boolean') return [[start, end, String(!value)]];
  if (typeof value === 'number') return [[start, end, String(value + 1)]];
  if (typeof value === 'string') return [[start, end, value === '' ? "'mutant'" : "''"]];
  return [];
};

/** Names of members are no literals of the program. */
const isName = (parent: Node, member: string): boolean =>
  member === 'key' &&
  parent['computed'] === false &&
  /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(parent.type);

/** @param source TypeScript @throws SyntaxError if the source does not parse */
export const mutantsOf = (file: string, source: string): readonly Mutant[] => {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file} does not parse`);
  const mutants: Mutant[] = [];
  const visit = (node: Node): void => {
    if (isWithoutBehavior(node) && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression') return;
    for (const [start, end, replacement] of replacementsOf(node, source))
      mutants.push({ file, start, end, replacement });
    for (const [member, value] of Object.entries(node)) {
      if (isName(node, member)) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  if (isNode(program)) visit(program);
  return mutants;
};
