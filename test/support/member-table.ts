// Shows how a result depends on each member of a response: what changes if the member is absent, empty or has another type.

export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Names of members and indexes. */
type Path = readonly string[];

/** The paths of all members and elements, parents first. */
const pathsIn = (value: unknown, path: Path = []): Path[] =>
  isObject(value) ? Object.keys(value).flatMap((key) => [[...path, key], ...pathsIn(value[key], [...path, key])]) : [];

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((parent, key) => (isObject(parent) ? parent[key] : undefined), value);

const ABSENT = Symbol('absent');

/** Unlike a structured clone, the copy has an object twice where the body refers to it twice. */
const copyOf = (body: Json): Json => JSON.parse(JSON.stringify(body));

/** @returns a copy with another value at the path */
const changed = (body: Json, path: Path, by: unknown): Json => {
  const copy = copyOf(body);
  const parent = valueAt(copy, path.slice(0, -1));
  const name = path.at(-1) ?? '';
  if (Array.isArray(parent) && by === ABSENT) parent.splice(Number(name), 1);
  else if (isObject(parent) && by === ABSENT) delete parent[name];
  else if (isObject(parent)) parent[name] = by;
  return copy;
};

/** Values that a provider can return instead of a value. */
const insteadOf = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string') return [ABSENT, null, 7, '', ' ', 'x'];
  if (typeof value === 'number') return [ABSENT, null, 'x', String(value), 0, -1, value + 1, value + 0.4, 1e300];
  if (typeof value === 'boolean') return [ABSENT, null, 'x', 1, !value];
  if (Array.isArray(value)) return [ABSENT, null, 'x', {}, [], [null, 7]];
  return [ABSENT, null, 'x', {}, []];
};

const nameOf = (value: unknown): string => (value === ABSENT ? 'absent' : JSON.stringify(value));

const pathName = (path: Path): string => (path.length === 0 ? 'the result' : path.join('.'));

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Describes a list with another length: the entries between the first and the last equal ones. */
const listDifferences = (before: readonly unknown[], after: readonly unknown[], path: Path): string[] => {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqual(before[start], after[start])) start += 1;
  let kept = 0;
  while (kept < shorter - start && isEqual(before.at(-1 - kept), after.at(-1 - kept))) kept += 1;
  const removed = before.slice(start, before.length - kept).map((_, index) => `${pathName(path)}.${start + index}`);
  const added = after.slice(start, after.length - kept).map((entry) => JSON.stringify(entry));
  const place = removed.length > 0 ? removed.join(', ') : `before ${pathName(path)}.${start}`;
  return [added.length === 0 ? `without ${place}` : `${place} = ${added.join(', ')}`];
};

/** Describes how a JSON value differs from another, one line per difference. */
const differences = (before: unknown, after: unknown, path: Path = []): string[] => {
  if (isEqual(before, after)) return [];
  if (after === undefined) return [`without ${pathName(path)}`];
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length)
    return listDifferences(before, after, path);
  const isOtherKind =
    !isObject(before) ||
    !isObject(after) ||
    Array.isArray(before) !== Array.isArray(after) ||
    before['kind'] !== after['kind'];
  if (isOtherKind) return [`${pathName(path)} = ${JSON.stringify(after)}`];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differences(before[name], after[name], [...path, name]));
};

export type Read = (body: Json) => Promise<unknown>;

/** As a client gets it: without the members that are undefined. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export const indented = (value: unknown): string => `${JSON.stringify(asJson(value), null, 2)}\n`;

/**
 * @param further values for a member, by its path
 * @returns a line per member and effect, with the values that have the effect; values without an effect are left out
 */
export const memberTable = async (
  body: Json,
  read: Read,
  further: Readonly<Record<string, readonly unknown[]>> = {},
): Promise<string> => {
  const result = asJson(await read(copyOf(body)));
  const lines: string[] = [];
  const paths = pathsIn(body);
  const unknown = Object.keys(further).filter((name) => !paths.some((path) => path.join('.') === name));
  if (unknown.length > 0) throw new Error(`the response has no ${unknown.join(', ')}`);
  for (const path of paths) {
    const valuesByEffect = new Map<string, string[]>();
    for (const value of [...insteadOf(valueAt(body, path)), ...(further[path.join('.')] ?? [])]) {
      const effect = differences(result, asJson(await read(changed(body, path, value)))).join('; ');
      if (effect !== '') valuesByEffect.set(effect, [...(valuesByEffect.get(effect) ?? []), nameOf(value)]);
    }
    for (const [effect, values] of valuesByEffect) lines.push(`${path.join('.')} ${values.join(', ')}: ${effect}`);
  }
  return `${lines.join('\n')}\n`;
};
