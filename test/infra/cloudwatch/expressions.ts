// Evaluates the parts of CloudWatch's metric math and alarm rules that the alarms use (User Guide, "Using metric math" and
// "Composite alarms"). Their syntax is that of JavaScript, except for AND and OR. Anything that is not implemented throws,
// because a guess would prove nothing.
import { type Argument, type Expression, type PrivateIdentifier, parseSync } from 'oxc-parser';

type SyntaxNode = Argument | PrivateIdentifier;

const parse = (text: string): Expression => {
  const source = text.replaceAll(/\bAND\b/g, '&&').replaceAll(/\bOR\b/g, '||');
  const { program, errors } = parseSync('expression.js', source, { preserveParens: false });
  const [statement] = program.body;
  if (errors.length > 0 || statement?.type !== 'ExpressionStatement') throw new Error(`cannot read ${text}`);
  return statement.expression;
};

const parsed = new Map<string, Expression>();

/** An alarm is evaluated each minute with the same expression. */
const parseOnce = (text: string): Expression => {
  const expression = parsed.get(text) ?? parse(text);
  parsed.set(text, expression);
  return expression;
};

const notImplemented = ({ type }: SyntaxNode): never => {
  throw new Error(`${type} in an expression of CloudWatch is not implemented`);
};

/** @returns the name of a function, and its arguments */
const callOf = (node: SyntaxNode): readonly [name: string, operands: readonly SyntaxNode[]] =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier'
    ? [node.callee.name, node.arguments]
    : notImplemented(node);

const truth = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** A division by zero is dropped. */
const operations = new Map<string, (a: number, b: number) => number | undefined>([
  ['||', (a, b) => truth(a !== 0 || b !== 0)],
  ['&&', (a, b) => truth(a !== 0 && b !== 0)],
  ['>=', (a, b) => truth(a >= b)],
  ['<=', (a, b) => truth(a <= b)],
  ['>', (a, b) => truth(a > b)],
  ['<', (a, b) => truth(a < b)],
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => (b === 0 ? undefined : a / b)],
]);

const isConstant = (node: SyntaxNode): boolean =>
  node.type === 'Literal' || (node.type === 'BinaryExpression' && isConstant(node.left) && isConstant(node.right));

/** The values of the metrics in one period, by id; undefined: no data. */
export type MetricValues = ReadonlyMap<string, number | undefined>;

const periodValue = (node: SyntaxNode, metrics: MetricValues): number | undefined => {
  if (node.type === 'Literal') return Number(node.value);
  if (node.type === 'Identifier' && metrics.has(node.name)) return metrics.get(node.name);
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    const apply = operations.get(node.operator) ?? notImplemented(node);
    const [left, right] = [periodValue(node.left, metrics), periodValue(node.right, metrics)];
    // A missing value is 0 if the other operand is a metric with a value.
    const isMissing =
      left === undefined ? right === undefined || isConstant(node.right) : right === undefined && isConstant(node.left);
    return isMissing ? undefined : apply(left ?? 0, right ?? 0);
  }
  const [name, [first, second, third]] = callOf(node);
  if (first === undefined || second === undefined) return notImplemented(node);
  const value = periodValue(first, metrics);
  if (name === 'FILL' && third === undefined) return value ?? periodValue(second, metrics);
  if (name !== 'IF' || third === undefined) return notImplemented(node);
  // A true condition takes 0 for a missing value, a false condition drops it ("Using IF expressions").
  if (value === undefined) return undefined;
  return value === 0 ? periodValue(third, metrics) : (periodValue(second, metrics) ?? 0);
};

/** @returns the value of one period */
export const evaluateMath = (expression: string, metrics: MetricValues): number | undefined =>
  periodValue(parseOnce(expression), metrics);

/** The ARNs in `"a"` and `("a", "b")`. */
const arnsOf = (node: SyntaxNode | undefined): readonly string[] => {
  if (node?.type === 'SequenceExpression') return node.expressions.flatMap(arnsOf);
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  throw new Error('alarm rule: an ARN is expected');
};

/** @param isInAlarm by the ARN in the rule */
const holds = (node: SyntaxNode, isInAlarm: (arn: string) => boolean): boolean => {
  if (node.type === 'LogicalExpression') {
    const sides = [holds(node.left, isInAlarm), holds(node.right, isInAlarm)];
    return node.operator === '&&' ? sides.every(Boolean) : sides.some(Boolean);
  }
  const [name, [first, state, operands]] = callOf(node);
  if (name === 'ALARM') return arnsOf(first).every(isInAlarm);
  // AT_LEAST(2, ALARM, ("a", "b"))
  if (name !== 'AT_LEAST' || first?.type !== 'Literal' || state?.type !== 'Identifier' || state.name !== 'ALARM')
    return notImplemented(node);
  return arnsOf(operands).filter(isInAlarm).length >= Number(first.value);
};

/** @param isInAlarm by the ARN in the rule @returns whether the composite alarm is raised */
export const isRaised = (rule: string, isInAlarm: (arn: string) => boolean): boolean =>
  holds(parseOnce(rule), isInAlarm);
