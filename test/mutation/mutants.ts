// Lists the mutants of a source file: copies with one small change each, which a test should notice.
import { parseSync } from 'oxc-parser';

export interface Mutant {
  readonly file: string;
  /** UTF-16 offsets of the replaced source. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The expression that contains the change, as UTF-16 offsets: the change of it is an expression, too. */
  readonly expression: readonly [start: number, end: number];
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
const isWithoutBehavior = ({ type, callee, source }: Node): boolean =>
  type.startsWith('TS') ||
  type.startsWith('Import') ||
  type === 'ExportAllDeclaration' ||
  (type === 'ExportNamedDeclaration' && isNode(source)) ||
  (type === 'NewExpression' && isNode(callee) && callee['name'] === 'Error');

interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** `a ?? b && c` is a syntax error, and `a || b && c` groups in another way. */
const operand = (node: Node, source: string): string => {
  const text = source.slice(node.start, node.end);
  return node.type === 'LogicalExpression' ? `(${text})` : text;
};

const operatorChange = (node: Node, source: string): readonly Change[] => {
  const { left, right, operator, start, end } = node;
  if (!isNode(left) || !isNode(right) || typeof operator !== 'string') return [];
  const replacement = OPERATORS.get(operator);
  const at = source.indexOf(operator, left.end);
  if (replacement === undefined || at < 0 || at >= right.start) return [];
  return left.type === 'LogicalExpression' || right.type === 'LogicalExpression'
    ? [{ start, end, replacement: `${operand(left, source)} ${replacement} ${operand(right, source)}` }]
    : [{ start: at, end: at + operator.length, replacement }];
};

const literalChange = ({ value, start, end }: Node): readonly Change[] => {
  if (typeof value === 'boolean') return [{ start, end, replacement: String(!value) }];
  if (typeof value === 'number') return [{ start, end, replacement: String(value + 1) }];
  if (typeof value === 'string') return [{ start, end, replacement: value === '' ? "'mutant'" : "''" }];
  return [];
};

const changesOf = (node: Node, source: string): readonly Change[] => {
  const { type, start, end, test, argument } = node;
  if (type === 'BinaryExpression' || type === 'LogicalExpression') return operatorChange(node, source);
  if (type === 'UnaryExpression' && node['operator'] === '!' && isNode(argument))
    return [{ start, end, replacement: source.slice(argument.start, argument.end) }];
  if ((type === 'IfStatement' || type === 'ConditionalExpression') && isNode(test))
    return [{ start: test.start, end: test.end, replacement: `!(${source.slice(test.start, test.end)})` }];
  return type === 'Literal' ? literalChange(node) : [];
};

/** The expression of a change: the condition of a statement, or the node. */
const expressionOf = ({ type, start, end, test }: Node): readonly [number, number] =>
  (type === 'IfStatement' || type === 'ConditionalExpression') && isNode(test) ? [test.start, test.end] : [start, end];

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
    for (const change of changesOf(node, source)) mutants.push({ file, ...change, expression: expressionOf(node) });
    for (const [member, value] of Object.entries(node)) {
      if (isName(node, member)) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  if (isNode(program)) visit(program);
  return mutants;
};
