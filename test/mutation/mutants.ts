// Lists the mutants of a source file: copies with one small change each, which a test should notice.
import { parseSync } from 'oxc-parser';
import { isSyntaxNode, type SyntaxNode } from '../support/syntax-node.ts';

export interface Mutant {
  readonly file: string;
  /** UTF-16 offsets of the replaced source. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The expression that contains the change, as UTF-16 offsets: the change of it is an expression, too. */
  readonly expression: readonly [start: number, end: number];
}

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
const isWithoutBehavior = ({ type, callee, source }: SyntaxNode): boolean =>
  type.startsWith('TS') ||
  type.startsWith('Import') ||
  type === 'ExportAllDeclaration' ||
  (type === 'ExportNamedDeclaration' && isSyntaxNode(source)) ||
  (type === 'NewExpression' && isSyntaxNode(callee) && callee['name'] === 'Error');

interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** `a ?? b && c` is a syntax error, and `a || b && c` groups in another way. */
const operand = (node: SyntaxNode, source: string): string => {
  const text = source.slice(node.start, node.end);
  return node.type === 'LogicalExpression' ? `(${text})` : text;
};

const operatorChange = (node: SyntaxNode, source: string): readonly Change[] => {
  const { left, right, operator, start, end } = node;
  if (!isSyntaxNode(left) || !isSyntaxNode(right) || typeof operator !== 'string') return [];
  const replacement = OPERATORS.get(operator);
  const at = source.indexOf(operator, left.end);
  if (replacement === undefined || at < 0 || at >= right.start) return [];
  return left.type === 'LogicalExpression' || right.type === 'LogicalExpression'
    ? [{ start, end, replacement: `${operand(left, source)} ${replacement} ${operand(right, source)}` }]
    : [{ start: at, end: at + operator.length, replacement }];
};

const literalChange = ({ value, start, end }: SyntaxNode): readonly Change[] => {
  if (typeof value === 'boolean') return [{ start, end, replacement: String(!value) }];
  if (typeof value === 'number') return [{ start, end, replacement: String(value + 1) }];
  if (typeof value === 'string') return [{ start, end, replacement: value === '' ? "'mutant'" : "''" }];
  return [];
};

const changesOf = (node: SyntaxNode, source: string): readonly Change[] => {
  const { type, start, end, test, argument } = node;
  if (type === 'BinaryExpression' || type === 'LogicalExpression') return operatorChange(node, source);
  if (type === 'UnaryExpression' && node['operator'] === '!' && isSyntaxNode(argument))
    return [{ start, end, replacement: source.slice(argument.start, argument.end) }];
  if ((type === 'IfStatement' || type === 'ConditionalExpression') && isSyntaxNode(test))
    return [{ start: test.start, end: test.end, replacement: `!(${source.slice(test.start, test.end)})` }];
  return type === 'Literal' ? literalChange(node) : [];
};

/** The expression of a change: the condition of a statement, or the node. */
const expressionOf = ({ type, start, end, test }: SyntaxNode): readonly [number, number] =>
  (type === 'IfStatement' || type === 'ConditionalExpression') && isSyntaxNode(test)
    ? [test.start, test.end]
    : [start, end];

/** Names of members are no literals of the program. */
const isName = (parent: SyntaxNode, member: string): boolean =>
  member === 'key' &&
  parent['computed'] === false &&
  /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(parent.type);

/** @param source TypeScript @throws SyntaxError if the source does not parse */
export const mutantsOf = (file: string, source: string): readonly Mutant[] => {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file} does not parse`);
  const mutants: Mutant[] = [];
  const visit = (node: SyntaxNode): void => {
    if (isWithoutBehavior(node) && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression') return;
    for (const change of changesOf(node, source)) mutants.push({ file, ...change, expression: expressionOf(node) });
    for (const [member, value] of Object.entries(node)) {
      if (isName(node, member)) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isSyntaxNode(child)) visit(child);
    }
  };
  if (isSyntaxNode(program)) visit(program);
  return mutants;
};
