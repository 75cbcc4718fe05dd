// Evaluates the part of CloudWatch's metric math that the alarms use (User Guide, "Using metric math"). Anything that is
// not implemented throws, because a guess would prove nothing.

/** One value per period, the latest last; undefined: no data. */
export type Series = readonly (number | undefined)[];
type Value = number | Series;

const isSeries = (value: Value): value is Series => typeof value !== 'number';

const TOKEN = /\s*([A-Z]+(?=\s*\()|AND\b|OR\b|[a-z][A-Za-z0-9_]*|\d+(?:\.\d+)?|[<>=!]=|[-+*/<>(),])/y;

const tokensOf = (expression: string): readonly string[] => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(expression)?.[1];
    if (token === undefined) throw new Error(`metric math: cannot read ${expression.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
};

type Operation = (a: number, b: number) => number | undefined;

const truth = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** By rank, the loosest first. A division by zero is dropped. */
const operators: readonly Readonly<Record<string, Operation>>[] = [
  { OR: (a, b) => truth(a !== 0 || b !== 0) },
  { AND: (a, b) => truth(a !== 0 && b !== 0) },
  {
    '==': (a, b) => truth(a === b),
    '!=': (a, b) => truth(a !== b),
    '>=': (a, b) => truth(a >= b),
    '<=': (a, b) => truth(a <= b),
    '>': (a, b) => truth(a > b),
    '<': (a, b) => truth(a < b),
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => (b === 0 ? undefined : a / b) },
];

/** With two series, a missing value is 0 where the other series has a value. */
const combine = (apply: Operation, a: Value, b: Value): Value => {
  if (!isSeries(a) && !isSeries(b)) {
    const result = apply(a, b);
    if (result === undefined) throw new Error('metric math: a division of scalars by zero');
    return result;
  }
  const series = isSeries(a) ? a : b;
  const length = isSeries(series) ? series.length : 0;
  return Array.from({ length }, (_, index) => {
    const left = isSeries(a) ? a[index] : a;
    const right = isSeries(b) ? b[index] : b;
    if (isSeries(a) && isSeries(b)) {
      return left === undefined && right === undefined ? undefined : apply(left ?? 0, right ?? 0);
    }
    return left === undefined || right === undefined ? undefined : apply(left, right);
  });
};

const at = (value: Value, index: number): number | undefined => (isSeries(value) ? value[index] : value);

/**
 * Without a value of the condition there is no result. A true condition takes 0 for a missing value, a false condition
 * drops it (User Guide, "Using IF expressions").
 */
const choose = (condition: Value, whenTrue: Value, whenFalse: Value): Series => {
  if (!isSeries(condition)) throw new Error('metric math: IF with a scalar condition is not implemented');
  return condition.map((value, index) => {
    if (value === undefined) return undefined;
    return value === 0 ? at(whenFalse, index) : (at(whenTrue, index) ?? 0);
  });
};

const fill = (series: Value, filler: Value): Series => {
  if (!isSeries(series) || isSeries(filler)) throw new Error('metric math: FILL needs a series and a scalar');
  return series.map((value) => value ?? filler);
};

type Compute = (series: Readonly<Record<string, Series>>) => Value;

const compile = (expression: string): Compute => {
  const tokens = tokensOf(expression);
  let position = 0;

  const take = (expected?: string): string => {
    const token = tokens[position];
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`metric math: ${expected ?? 'more'} is expected in ${expression}`);
    position += 1;
    return token;
  };

  const call = (name: string): Compute => {
    take('(');
    const values = [parse(0)];
    while (tokens[position] === ',') {
      take();
      values.push(parse(0));
    }
    take(')');
    const [first, second, third] = values;
    if (name === 'FILL' && first && second && values.length === 2)
      return (series) => fill(first(series), second(series));
    if (name === 'IF' && first && second && third && values.length === 3)
      return (series) => choose(first(series), second(series), third(series));
    throw new Error(`metric math: ${name} is not implemented`);
  };

  const primary = (): Compute => {
    const token = take();
    if (token === '(') {
      const value = parse(0);
      take(')');
      return value;
    }
    if (/^\d/.test(token)) return () => Number(token);
    if (/^[A-Z]/.test(token)) return call(token);
    return (series) => {
      const found = series[token];
      if (found === undefined) throw new Error(`metric math: there is no metric ${token}`);
      return found;
    };
  };

  const parse = (rank: number): Compute => {
    const row = operators[rank];
    if (row === undefined) return primary();
    let value = parse(rank + 1);
    for (let apply = row[tokens[position] ?? '']; apply !== undefined; apply = row[tokens[position] ?? '']) {
      take();
      const [operation, left, right] = [apply, value, parse(rank + 1)];
      value = (series) => combine(operation, left(series), right(series));
    }
    return value;
  };

  const result = parse(0);
  if (position < tokens.length) throw new Error(`metric math: ${tokens[position]} is not expected in ${expression}`);
  return result;
};

const compiled = new Map<string, Compute>();

/** An alarm is evaluated each minute with the same expression. @param series by id @returns one value per period */
export const evaluateMath = (expression: string, series: Readonly<Record<string, Series>>): Series => {
  const compute = compiled.get(expression) ?? compile(expression);
  compiled.set(expression, compute);
  const result = compute(series);
  if (!isSeries(result)) throw new Error('metric math: the result must be a time series');
  return result;
};
