// Reads and prints values whose shape is not known, JSON and thrown values, and lists the keys of constant tables.

/** A JSON object. Its members are not validated. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined if the value is an array or not an object */
export const asRecord = (value: unknown): JsonRecord | undefined => (isRecord(value) ? value : undefined);

/** @returns undefined if the text is not JSON; no JSON text has the value undefined */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The stack of an error, for a log. */
export const errorText = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

/** The message of an error, for the user of a command. */
export const errorMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The code or the name of an error. Its message is left out because a message can quote a request. */
export const errorKind = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return 'unknown';
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name;
};

/** @param table a constant: an object that was assembled at run time may have more keys than its type */
export const keysOf = <Table extends object>(table: Table): readonly (keyof Table & string)[] =>
  Object.keys(table) as (keyof Table & string)[]; // a constant has exactly the keys of its type

/** @returns a table with a row for each name */
export const tableOf = <Name extends string, Row>(
  names: readonly Name[],
  rowOf: (name: Name) => Row,
): Readonly<Record<Name, Row>> => Object.fromEntries(names.map((name) => [name, rowOf(name)])) as Record<Name, Row>; // fromEntries loses the names

type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** @returns the object without the members that are undefined */
export const definedMembers = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>; // fromEntries loses the names

/** Controls apart from the line feed, line separators, and the embeddings, overrides and isolates of UAX #9. */
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON has tab and carriage return only between its tokens, and the others only within strings. */
const safe = (unit: string): string => (unit < ' ' ? ' ' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Makes foreign JSON safe to print: a terminal obeys control characters, and direction overrides reorder its text.
 *
 * @param json valid JSON, or lines of it
 * @returns JSON with the same values
 */
export const terminalJson = (json: string): string => json.replace(UNSAFE, safe);

const UNSAFE_IN_TEXT =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** As terminalJson, for a text of lines that is no JSON: what a terminal obeys is shown as its escape. */
export const terminalText = (text: string): string =>
  text.replace(UNSAFE_IN_TEXT, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
