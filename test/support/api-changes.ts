// Compares two OpenAPI descriptions by the rules of spec 9.2 and 9.3: what the newer one takes away, narrows for callers
// or widens for readers is breaking; all else is additive.
//
// Requests and answers vary in opposite ways. A parameter may accept more, never less. A member of an answer may promise
// more, never less: its types, values and shapes may not grow beyond those that a client has learnt to read. Of headers
// only presence and type are compared, because their values are not members of a body.

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const node = (value: unknown): Node => (isNode(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const own = (of: Node, name: string): unknown => (Object.hasOwn(of, name) ? of[name] : undefined);
const at = (of: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => own(node(value), name), of);

/** A request narrows, an answer widens. */
type Direction = 'request' | 'answer';

/** Follows references within one document. */
type Resolve = (value: unknown) => Node;

const resolverOf = (document: Node): Resolve => {
  const resolve: Resolve = (value) => {
    const reference = own(node(value), '$ref');
    if (typeof reference !== 'string') return node(value);
    return resolve(at(document, ...reference.replace(/^#\//, '').split('/')));
  };
  return resolve;
};

const alternativesOf = (schema: Node, resolve: Resolve): readonly Node[] => {
  const choices = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  return choices.length === 0 ? [schema] : choices.flatMap((each) => alternativesOf(resolve(each), resolve));
};

/** undefined: anything. An integer is a number. */
const typesOf = ({ type }: Node): readonly unknown[] | undefined =>
  type === undefined ? undefined : Array.isArray(type) ? type : [type];

const valuesOf = ({ enum: values, const: only }: Node): readonly unknown[] | undefined =>
  Array.isArray(values) ? values : only === undefined ? undefined : [only];

const covers = (wide: readonly unknown[] | undefined, narrow: readonly unknown[] | undefined): boolean => {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return narrow.every((each) => wide.includes(each) || (each === 'integer' && wide.includes('number')));
};

const LEAST = ['minimum', 'minLength', 'minItems'] as const;
const MOST = ['maximum', 'maxLength', 'maxItems'] as const;

const number = (value: unknown, absent: number): number => (typeof value === 'number' ? value : absent);

/** The bounds of the wide schema let pass what those of the narrow one do. */
const boundsCover = (wide: Node, narrow: Node): boolean =>
  LEAST.every(
    (name) => number(wide[name], Number.NEGATIVE_INFINITY) <= number(narrow[name], Number.NEGATIVE_INFINITY),
  ) &&
  MOST.every(
    (name) => number(wide[name], Number.POSITIVE_INFINITY) >= number(narrow[name], Number.POSITIVE_INFINITY),
  ) &&
  (wide['pattern'] === undefined || wide['pattern'] === narrow['pattern']);

class Comparison {
  readonly #landed: Resolve;
  readonly #current: Resolve;
  /** Pairs of schemas under comparison: posts hold posts. */
  readonly #begun = new Map<Node, Set<Node>>();

  constructor(landed: Resolve, current: Resolve) {
    this.#landed = landed;
    this.#current = current;
  }

  /** @returns the differences that break who knows the landed schema */
  schema(landedValue: unknown, currentValue: unknown, direction: Direction, where: string): readonly string[] {
    const [landed, current] = [this.#landed(landedValue), this.#current(currentValue)];
    const begun = this.#begun.get(landed) ?? new Set();
    if (begun.has(current)) return [];
    this.#begun.set(landed, begun.add(current));
    try {
      return this.#alternatives(landed, current, direction, where);
    } finally {
      begun.delete(current);
    }
  }

  #alternatives(landed: Node, current: Node, direction: Direction, where: string): readonly string[] {
    const before = alternativesOf(landed, this.#landed);
    const after = alternativesOf(current, this.#current);
    const [first, ...more] = before;
    const [now, ...others] = after;
    if (first !== undefined && now !== undefined && more.length === 0 && others.length === 0) {
      return this.#plain(first, now, direction, where);
    }
    // A request still accepts each old form; an answer has no form but the old ones.
    const found =
      direction === 'request'
        ? before.filter((old) => !after.some((next) => this.#plain(old, next, direction, where).length === 0))
        : after.filter((next) => !before.some((old) => this.#plain(old, next, direction, where).length === 0));
    return found.length === 0
      ? []
      : [`${where}: ${direction === 'request' ? 'a form is no longer accepted' : 'has a form that it did not have'}`];
  }

  #plain(landed: Node, current: Node, direction: Direction, where: string): readonly string[] {
    const [wide, narrow] = direction === 'request' ? [current, landed] : [landed, current];
    const faults: string[] = [];
    if (!covers(typesOf(wide), typesOf(narrow))) faults.push(`${where}: its type changed`);
    if (!covers(valuesOf(wide), valuesOf(narrow))) faults.push(`${where}: its values changed`);
    if (!boundsCover(wide, narrow)) faults.push(`${where}: its bounds changed`);
    if (landed['format'] !== undefined && landed['format'] !== current['format']) {
      faults.push(`${where}: its format changed`);
    }
    faults.push(...this.#members(landed, current, direction, where));
    if (isNode(landed['items'])) {
      faults.push(...this.schema(landed['items'], current['items'], direction, `${where}[]`));
    }
    if (isNode(landed['additionalProperties'])) {
      const values = 'additionalProperties';
      faults.push(...this.schema(landed[values], current[values], direction, `${where}.*`));
    }
    return faults;
  }

  #members(landed: Node, current: Node, direction: Direction, where: string): readonly string[] {
    const faults: string[] = [];
    const [before, after] = [node(landed['properties']), node(current['properties'])];
    for (const [name, member] of Object.entries(before)) {
      const place = `${where}.${name}`;
      if (!Object.hasOwn(after, name)) faults.push(`${place}: was removed`);
      else faults.push(...this.schema(member, after[name], direction, place));
    }
    const [demanded, promised] = [list(landed['required']), list(current['required'])];
    if (direction === 'answer') {
      for (const name of demanded) {
        if (!promised.includes(name)) faults.push(`${where}.${String(name)}: may be absent now`);
      }
    } else {
      for (const name of promised) {
        if (!demanded.includes(name)) faults.push(`${where}.${String(name)}: is required now`);
      }
    }
    return faults;
  }

  #parametersOf(path: Node, operation: Node, resolve: Resolve): ReadonlyMap<string, Node> {
    const all = [...list(path['parameters']), ...list(operation['parameters'])].map((each) => resolve(each));
    return new Map(all.map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]));
  }

  parameters(landed: readonly [Node, Node], current: readonly [Node, Node], where: string): readonly string[] {
    const before = this.#parametersOf(...landed, this.#landed);
    const after = this.#parametersOf(...current, this.#current);
    const faults: string[] = [];
    for (const [key, old] of before) {
      const now = after.get(key);
      const place = `${where}, parameter ${String(old['name'])}`;
      if (now === undefined) {
        faults.push(`${place}: was removed`);
        continue;
      }
      if (now['required'] === true && old['required'] !== true) faults.push(`${place}: is required now`);
      faults.push(...this.schema(old['schema'], now['schema'], 'request', place));
      const [usual, usualNow] = [at(old, 'schema', 'default'), at(now, 'schema', 'default')];
      if (usual !== undefined && usualNow !== undefined && usual !== usualNow) {
        faults.push(`${place}: its default changed`);
      }
    }
    for (const [key, now] of after) {
      if (!before.has(key) && now['required'] === true) {
        faults.push(`${where}, parameter ${String(now['name'])}: is new and required`);
      }
    }
    return faults;
  }

  content(landed: unknown, current: unknown, direction: Direction, where: string): readonly string[] {
    return Object.entries(node(landed)).flatMap(([type, media]) => {
      const now = own(node(current), type);
      if (now === undefined) return [`${where}: ${type} was removed`];
      return this.schema(node(media)['schema'] ?? {}, node(now)['schema'] ?? {}, direction, `${where} ${type}`);
    });
  }

  body(landedValue: unknown, currentValue: unknown, where: string): readonly string[] {
    const [landed, current] = [this.#landed(landedValue), this.#current(currentValue)];
    const isRequired = current['required'] === true && landed['required'] !== true;
    return [
      ...(isRequired ? [`${where}: a body is required now`] : []),
      ...this.content(landed['content'], current['content'], 'request', `${where}, body`),
    ];
  }

  answers(landed: unknown, current: unknown, where: string): readonly string[] {
    return Object.entries(node(landed)).flatMap(([status, value]) => {
      const place = `${where}, ${status}`;
      const given = own(node(current), status);
      if (given === undefined) return [`${place}: was removed`];
      const [old, now] = [this.#landed(value), this.#current(given)];
      return [...this.headers(old, now, place), ...this.content(old['content'], now['content'], 'answer', place)];
    });
  }

  headers(landed: Node, current: Node, where: string): readonly string[] {
    const names = node(current['headers']);
    return Object.entries(node(landed['headers'])).flatMap(([name, value]) => {
      if (!Object.hasOwn(names, name)) return [`${where}, header ${name}: was removed`];
      const [old, now] = [this.#landed(value), this.#current(names[name])];
      const [before, after] = [typesOf(node(old['schema'])), typesOf(node(now['schema']))];
      return covers(before, after) ? [] : [`${where}, header ${name}: its type changed`];
    });
  }
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Which ways to authenticate suffice; none where nothing is demanded. */
const waysOf = (operation: Node): readonly string[] =>
  (operation['security'] === undefined ? [{}] : list(operation['security'])).map((way) =>
    Object.keys(node(way)).toSorted().join(' and '),
  );

const operationChanges = (
  compare: Comparison,
  landed: readonly [Node, Node],
  current: readonly [Node, Node],
  where: string,
) => {
  const [, before] = landed;
  const [, after] = current;
  const ways = waysOf(after);
  return [
    ...compare.parameters(landed, current, where),
    ...compare.body(before['requestBody'], after['requestBody'], where),
    ...compare.answers(before['responses'], after['responses'], where),
    ...waysOf(before)
      .filter((way) => !ways.includes(way))
      .map((way) => `${where}: ${way === '' ? 'no key' : way} no longer suffices`),
  ];
};

/** Promises of the lifecycle: nothing ends earlier than it was said to. */
const lifecycleChanges = (landed: Node, current: Node): readonly string[] => {
  const [before, after] = [node(landed['x-api-lifecycle']), node(current['x-api-lifecycle'])];
  const months = 'minimum_support_window_months';
  const faults: string[] = [];
  for (const version of list(before['supported_versions'])) {
    if (!list(after['supported_versions']).includes(version)) faults.push(`${String(version)}: is not supported now`);
  }
  if (number(after[months], 0) < number(before[months], 0)) faults.push(`${months}: was shortened`);
  const known = new Map(list(after['deprecated_operations']).map((each) => [node(each)['operation_id'], node(each)]));
  for (const each of list(before['deprecated_operations']).map(node)) {
    const now = known.get(each['operation_id']);
    if (now === undefined) continue; // no longer deprecated, or gone, which the routes tell
    for (const date of ['deprecation', 'sunset']) {
      if (String(now[date]) < String(each[date])) faults.push(`${String(each['operation_id'])}: ${date} is earlier`);
    }
  }
  return faults;
};

/**
 * @param landed the description that clients know @param current the one that is to follow
 * @returns one line for each breaking change; empty where all changes are additive
 */
export const breakingChanges = (landed: unknown, current: unknown): readonly string[] => {
  const [before, after] = [node(landed), node(current)];
  const compare = new Comparison(resolverOf(before), resolverOf(after));
  const faults: string[] = [];
  for (const [path, item] of Object.entries(node(before['paths']))) {
    const now = own(node(after['paths']), path);
    if (now === undefined) {
      faults.push(`${path}: was removed`);
      continue;
    }
    for (const method of METHODS) {
      const [operation, operationNow] = [at(item, method), at(now, method)];
      if (operation === undefined) continue;
      const where = `${method.toUpperCase()} ${path}`;
      if (operationNow === undefined) faults.push(`${where}: was removed`);
      else
        faults.push(
          ...operationChanges(compare, [node(item), node(operation)], [node(now), node(operationNow)], where),
        );
    }
  }
  return [...faults, ...lifecycleChanges(before, after)];
};
