// Compares two OpenAPI descriptions by the rules of the contract (requirements: discovery). A change is breaking if the
// newer description removes something, narrows a request or widens an answer; every other change is additive.
//
// Requests and answers vary in opposite ways. A parameter may accept more, never less. A member of an answer may
// promise more, never less: its types, values and forms may not grow beyond those that clients can read. Headers are
// compared only by presence and type, because their values are not members of a body.

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const node = (value: unknown): Node => (isNode(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const ownMember = (object: Node, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
const at = (object: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => ownMember(node(value), name), object);

/** A request must not narrow; an answer must not widen. */
type Direction = 'request' | 'answer';

/** Follows references within one document. */
type Resolve = (value: unknown) => Node;

const resolverOf = (document: Node): Resolve => {
  const resolve: Resolve = (value) => {
    const reference = ownMember(node(value), '$ref');
    if (typeof reference !== 'string') return node(value);
    return resolve(at(document, ...reference.replace(/^#\//, '').split('/')));
  };
  return resolve;
};

const alternativesOf = (schema: Node, resolve: Resolve): readonly Node[] => {
  const choices = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  return choices.length === 0 ? [schema] : choices.flatMap((item) => alternativesOf(resolve(item), resolve));
};

/** Returns undefined if any type is allowed. An integer is a number. */
const typesOf = ({ type }: Node): readonly unknown[] | undefined =>
  type === undefined ? undefined : Array.isArray(type) ? type : [type];

const valuesOf = ({ enum: values, const: only }: Node): readonly unknown[] | undefined =>
  Array.isArray(values) ? values : only === undefined ? undefined : [only];

const covers = (wide: readonly unknown[] | undefined, narrow: readonly unknown[] | undefined): boolean => {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return narrow.every((item) => wide.includes(item) || (item === 'integer' && wide.includes('number')));
};

const MINIMA = ['minimum', 'minLength', 'minItems'] as const;
const MAXIMA = ['maximum', 'maxLength', 'maxItems'] as const;

const number = (value: unknown, absent: number): number => (typeof value === 'number' ? value : absent);

/** A part of a pattern: a character or a class, once or as often as its quantifier says. */
const PATTERN_PART = /(?:\[[^\]]+\]|[^\\^$.|?*+()[\]{}])(?:\{(?:\d+,)?(\d+)\}|\?)?/g;

/** @returns the length of the longest text that an anchored pattern of simple parts matches; infinite for other patterns */
const longestMatch = (pattern: unknown): number => {
  const [, body] = /^\^(.*)\$$/.exec(String(pattern)) ?? [];
  if (typeof pattern !== 'string' || body === undefined || body.replaceAll(PATTERN_PART, '') !== '') {
    return Number.POSITIVE_INFINITY;
  }
  return [...body.matchAll(PATTERN_PART)].reduce((sum, [, most = '1']) => sum + Number(most), 0);
};

/** A bound that follows from a pattern or from the format of an integer changes nothing when it is written down. */
const withImpliedBounds = (schema: Node): Node => ({
  ...(schema['format'] === 'int32' && { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  ...(schema['type'] === 'string' && { maxLength: longestMatch(schema['pattern']) }),
  ...schema,
});

/** Checks that the bounds of the wide schema admit everything that the bounds of the narrow schema admit. */
const boundsCover = (wideSchema: Node, narrowSchema: Node): boolean => {
  const [wide, narrow] = [withImpliedBounds(wideSchema), withImpliedBounds(narrowSchema)];
  return (
    MINIMA.every(
      (name) => number(wide[name], Number.NEGATIVE_INFINITY) <= number(narrow[name], Number.NEGATIVE_INFINITY),
    ) &&
    MAXIMA.every(
      (name) => number(wide[name], Number.POSITIVE_INFINITY) >= number(narrow[name], Number.POSITIVE_INFINITY),
    ) &&
    (wide['pattern'] === undefined || wide['pattern'] === narrow['pattern'])
  );
};

class Comparison {
  readonly #released: Resolve;
  readonly #current: Resolve;
  /** Stores the pairs of schemas under comparison, because posts contain posts. */
  readonly #active = new Map<Node, Set<Node>>();

  constructor(released: Resolve, current: Resolve) {
    this.#released = released;
    this.#current = current;
  }

  /** @returns the differences that break clients of the released schema */
  schema(releasedValue: unknown, currentValue: unknown, direction: Direction, location: string): readonly string[] {
    const [released, current] = [this.#released(releasedValue), this.#current(currentValue)];
    const active = this.#active.get(released) ?? new Set();
    if (active.has(current)) return [];
    this.#active.set(released, active.add(current));
    try {
      return this.#alternatives(released, current, direction, location);
    } finally {
      active.delete(current);
    }
  }

  #alternatives(released: Node, current: Node, direction: Direction, location: string): readonly string[] {
    const before = alternativesOf(released, this.#released);
    const after = alternativesOf(current, this.#current);
    const [first, ...more] = before;
    const [now, ...others] = after;
    if (first !== undefined && now !== undefined && more.length === 0 && others.length === 0) {
      return this.#plain(first, now, direction, location);
    }
    // A request must accept each old form; an answer must have no form but the old forms.
    const unmatched =
      direction === 'request'
        ? before.filter((old) => !after.some((next) => this.#plain(old, next, direction, location).length === 0))
        : after.filter((next) => !before.some((old) => this.#plain(old, next, direction, location).length === 0));
    return unmatched.length === 0
      ? []
      : [
          `${location}: ${direction === 'request' ? 'a form is no longer accepted' : 'has a form that it did not have'}`,
        ];
  }

  #plain(released: Node, current: Node, direction: Direction, location: string): readonly string[] {
    const [wide, narrow] = direction === 'request' ? [current, released] : [released, current];
    const changes: string[] = [];
    if (!covers(typesOf(wide), typesOf(narrow))) changes.push(`${location}: its type changed`);
    if (!covers(valuesOf(wide), valuesOf(narrow))) changes.push(`${location}: its values changed`);
    if (!boundsCover(wide, narrow)) changes.push(`${location}: its bounds changed`);
    if (released['format'] !== undefined && released['format'] !== current['format']) {
      changes.push(`${location}: its format changed`);
    }
    changes.push(...this.#members(released, current, direction, location));
    if (isNode(released['items'])) {
      changes.push(...this.schema(released['items'], current['items'], direction, `${location}[]`));
    }
    if (isNode(released['additionalProperties'])) {
      const values = 'additionalProperties';
      changes.push(...this.schema(released[values], current[values], direction, `${location}.*`));
    }
    return changes;
  }

  #members(released: Node, current: Node, direction: Direction, location: string): readonly string[] {
    const changes: string[] = [];
    const [before, after] = [node(released['properties']), node(current['properties'])];
    for (const [name, member] of Object.entries(before)) {
      const partLocation = `${location}.${name}`;
      if (!Object.hasOwn(after, name)) changes.push(`${partLocation}: was removed`);
      else changes.push(...this.schema(member, after[name], direction, partLocation));
    }
    const [requiredBefore, requiredNow] = [list(released['required']), list(current['required'])];
    if (direction === 'answer') {
      for (const name of requiredBefore) {
        if (!requiredNow.includes(name)) changes.push(`${location}.${String(name)}: may be absent now`);
      }
    } else {
      for (const name of requiredNow) {
        if (!requiredBefore.includes(name)) changes.push(`${location}.${String(name)}: is required now`);
      }
    }
    return changes;
  }

  #parametersOf(path: Node, operation: Node, resolve: Resolve): ReadonlyMap<string, Node> {
    const all = [...list(path['parameters']), ...list(operation['parameters'])].map((item) => resolve(item));
    return new Map(all.map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]));
  }

  parameters(released: readonly [Node, Node], current: readonly [Node, Node], location: string): readonly string[] {
    const before = this.#parametersOf(...released, this.#released);
    const after = this.#parametersOf(...current, this.#current);
    const changes: string[] = [];
    for (const [key, old] of before) {
      const now = after.get(key);
      const partLocation = `${location}, parameter ${String(old['name'])}`;
      if (now === undefined) {
        changes.push(`${partLocation}: was removed`);
        continue;
      }
      if (now['required'] === true && old['required'] !== true) changes.push(`${partLocation}: is required now`);
      changes.push(...this.schema(old['schema'], now['schema'], 'request', partLocation));
      const [defaultBefore, defaultNow] = [at(old, 'schema', 'default'), at(now, 'schema', 'default')];
      if (defaultBefore !== undefined && defaultNow !== undefined && defaultBefore !== defaultNow) {
        changes.push(`${partLocation}: its default changed`);
      }
    }
    for (const [key, now] of after) {
      if (!before.has(key) && now['required'] === true) {
        changes.push(`${location}, parameter ${String(now['name'])}: is new and required`);
      }
    }
    return changes;
  }

  content(released: unknown, current: unknown, direction: Direction, location: string): readonly string[] {
    return Object.entries(node(released)).flatMap(([type, media]) => {
      const now = ownMember(node(current), type);
      if (now === undefined) return [`${location}: ${type} was removed`];
      return this.schema(node(media)['schema'] ?? {}, node(now)['schema'] ?? {}, direction, `${location} ${type}`);
    });
  }

  body(releasedValue: unknown, currentValue: unknown, location: string): readonly string[] {
    const [released, current] = [this.#released(releasedValue), this.#current(currentValue)];
    const isRequired = current['required'] === true && released['required'] !== true;
    return [
      ...(isRequired ? [`${location}: a body is required now`] : []),
      ...this.content(released['content'], current['content'], 'request', `${location}, body`),
    ];
  }

  answers(released: unknown, current: unknown, location: string): readonly string[] {
    return Object.entries(node(released)).flatMap(([status, value]) => {
      const partLocation = `${location}, ${status}`;
      const currentAnswer = ownMember(node(current), status);
      if (currentAnswer === undefined) return [`${partLocation}: was removed`];
      const [old, now] = [this.#released(value), this.#current(currentAnswer)];
      return [
        ...this.headers(old, now, partLocation),
        ...this.content(old['content'], now['content'], 'answer', partLocation),
      ];
    });
  }

  headers(released: Node, current: Node, location: string): readonly string[] {
    const names = node(current['headers']);
    return Object.entries(node(released['headers'])).flatMap(([name, value]) => {
      if (!Object.hasOwn(names, name)) return [`${location}, header ${name}: was removed`];
      const [old, now] = [this.#released(value), this.#current(names[name])];
      const [before, after] = [typesOf(node(old['schema'])), typesOf(node(now['schema']))];
      return covers(before, after) ? [] : [`${location}, header ${name}: its type changed`];
    });
  }
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Lists the alternative security requirements of an operation; one empty entry if none is declared. */
const requirementsOf = (operation: Node): readonly string[] =>
  (operation['security'] === undefined ? [{}] : list(operation['security'])).map((requirement) =>
    Object.keys(node(requirement)).toSorted().join(' and '),
  );

const operationChanges = (
  compare: Comparison,
  released: readonly [Node, Node],
  current: readonly [Node, Node],
  location: string,
) => {
  const [, before] = released;
  const [, after] = current;
  const requirements = requirementsOf(after);
  return [
    ...compare.parameters(released, current, location),
    ...compare.body(before['requestBody'], after['requestBody'], location),
    ...compare.answers(before['responses'], after['responses'], location),
    ...requirementsOf(before)
      .filter((requirement) => !requirements.includes(requirement))
      .map((requirement) => `${location}: ${requirement === '' ? 'no key' : requirement} no longer suffices`),
  ];
};

/** Checks the promises of the lifecycle: no date moves forward and no support window shrinks. */
const lifecycleChanges = (released: Node, current: Node): readonly string[] => {
  const [before, after] = [node(released['x-api-lifecycle']), node(current['x-api-lifecycle'])];
  const months = 'minimum_support_window_months';
  const changes: string[] = [];
  for (const version of list(before['supported_versions'])) {
    if (!list(after['supported_versions']).includes(version)) changes.push(`${String(version)}: is not supported now`);
  }
  if (number(after[months], 0) < number(before[months], 0)) changes.push(`${months}: was shortened`);
  const operationsNow = new Map(
    list(after['deprecated_operations']).map((item) => [node(item)['operation_id'], node(item)]),
  );
  for (const item of list(before['deprecated_operations']).map(node)) {
    const now = operationsNow.get(item['operation_id']);
    if (now === undefined) continue; // no longer deprecated, or removed, which the comparison of paths reports
    for (const date of ['deprecation', 'sunset']) {
      if (String(now[date]) < String(item[date])) changes.push(`${String(item['operation_id'])}: ${date} is earlier`);
    }
  }
  return changes;
};

/**
 * @param released the description that clients use @param current the next description
 * @returns one line for each breaking change; empty if all changes are additive
 */
export const breakingChanges = (released: unknown, current: unknown): readonly string[] => {
  const [before, after] = [node(released), node(current)];
  const compare = new Comparison(resolverOf(before), resolverOf(after));
  const changes: string[] = [];
  for (const [path, item] of Object.entries(node(before['paths']))) {
    const now = ownMember(node(after['paths']), path);
    if (now === undefined) {
      changes.push(`${path}: was removed`);
      continue;
    }
    for (const method of METHODS) {
      const [operation, operationNow] = [at(item, method), at(now, method)];
      if (operation === undefined) continue;
      const location = `${method.toUpperCase()} ${path}`;
      if (operationNow === undefined) changes.push(`${location}: was removed`);
      else
        changes.push(
          ...operationChanges(compare, [node(item), node(operation)], [node(now), node(operationNow)], location),
        );
    }
  }
  return [...changes, ...lifecycleChanges(before, after)];
};
