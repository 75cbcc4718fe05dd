// Counts work instead of measuring time: the characters that methods of strings and regular expressions read, and the items
// that methods of arrays, Maps and Sets and loops over them visit. The counts are equal on every machine. Loops with an
// index are not counted; the methods that they call are counted.

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Wraps a method so that it counts. */
type Counting = (original: Method, count: (work: number) => void) => Method;

const lengthOf = (value: unknown): number => (value as { readonly length: number }).length; // a string or an array

const after =
  (cost: (self: unknown, args: readonly unknown[], result: unknown) => number): Counting =>
  (original, count) =>
    function (...args) {
      const result = original.apply(this, args);
      count(cost(this, args, result));
      return result;
    };

const whole = after(lengthOf);
const one = after(() => 1);

/** The number of characters that a search reads. */
const found = after((self, args, result) => {
  const from = Math.max(0, Number(args[1] ?? 0));
  const end = typeof result === 'number' && result >= 0 ? result : lengthOf(self);
  return 1 + Math.max(0, end - from);
});

const foundBackwards = after((self, _, result) => 1 + lengthOf(self) - Math.max(0, Number(result)));

/** Each call of the callback counts as one visited item. */
const visiting: Counting = (original, count) =>
  function (visit, ...args) {
    const counted = (...visited: unknown[]): unknown => {
      count(1);
      return (visit as Method)(...visited); // the first argument of these methods
    };
    return original.call(this, counted, ...args);
  };

const executing: Counting = (original, count) =>
  function (words) {
    const expression = this as RegExp; // only RegExp has the method exec
    const start = expression.global || expression.sticky ? expression.lastIndex : 0;
    const match = original.call(this, words) as RegExpExecArray | null; // the result type of exec
    const end = match === null ? lengthOf(words) : match.index + (match[0]?.length ?? 0);
    count(1 + Math.max(0, end - start));
    return match;
  };

const tables: readonly (readonly [target: object, counting: Counting, names: readonly string[]])[] = [
  [String.prototype, whole, ['split', 'trim', 'trimStart', 'trimEnd', 'toLowerCase', 'isWellFormed', 'toWellFormed']],
  [String.prototype, found, ['indexOf']],
  [String.prototype, foundBackwards, ['lastIndexOf']],
  [String.prototype, after((self, _, result) => (result === true ? 1 : lengthOf(self))), ['includes']],
  [String.prototype, after((_, args) => lengthOf(args[0])), ['startsWith', 'endsWith']],
  [String.prototype, one, ['charAt', 'charCodeAt', 'codePointAt', 'slice', 'at']],
  [RegExp.prototype, executing, ['exec']],
  [Array.prototype, visiting, ['map', 'filter', 'flatMap', 'forEach', 'reduce', 'find', 'findIndex', 'some', 'every']],
  [Array.prototype, whole, ['join', 'slice', 'reverse', 'sort', 'fill', 'includes', 'indexOf']],
  ...[[].values(), new Map().entries(), new Set().values(), ''[Symbol.iterator]()].map(
    (iterator) => [Object.getPrototypeOf(iterator), one, ['next']] as const,
  ),
];

/** @returns a function that ends the counting and returns the counted work */
const startCounting = (): (() => number) => {
  let work = 0;
  const restore: (() => void)[] = [];
  const count = (more: number): void => {
    work += more;
  };
  for (const [target, counting, names] of tables) {
    for (const name of names) {
      const original = Reflect.get(target, name) as Method; // names of methods
      restore.push(() => Reflect.set(target, name, original));
      Reflect.set(target, name, counting(original, count));
    }
  }
  work = 0;
  return () => {
    const counted = work;
    for (let at = restore.length - 1; at >= 0; at -= 1) restore[at]?.();
    return counted;
  };
};

/** @returns the counted work */
export const countWork = (run: () => unknown): number => {
  let work = 0;
  const end = startCounting();
  try {
    run();
  } finally {
    work = end();
  }
  return work;
};

/** As countWork, for work that ends later. Nothing else may run in the meantime. */
export const countLaterWork = async (run: () => Promise<unknown>): Promise<number> => {
  const end = startCounting();
  return run().then(end, (error) => {
    end();
    throw error;
  });
};
