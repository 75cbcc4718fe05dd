// Reading JSON of somebody else: nothing is assumed, unknown members are ignored, wrong types read as absent.

export type RawRecord = Readonly<Record<string, unknown>>;

export const record = (value: unknown): RawRecord | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawRecord) : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An empty string says nothing and reads as absent. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const count = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
};

export const positiveInteger = (value: unknown): number | undefined => {
  const rounded = typeof value === 'number' ? Math.round(value) : count(value);
  return rounded !== null && Number.isSafeInteger(rounded) && rounded > 0 ? rounded : undefined;
};

const WEB_ADDRESS = /^https?:\/\/[^\s<>"\\^`{|}\u0000-\u0020\u007f]+$/i;

/** An http(s) address, or nothing: no other scheme leaves this service. */
export const webAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && WEB_ADDRESS.test(value) ? value : undefined;

export const instant = (milliseconds: number): string | undefined => {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z');
};

/** `{ [name]: value }`, or nothing where the value is absent. */
export const optional = <const Name extends string, T>(name: Name, value: T | undefined): { [N in Name]?: T } =>
  value === undefined ? {} : ({ [name]: value } as { [N in Name]?: T });

export const unique = (values: readonly string[]): string[] => (values.length < 2 ? [...values] : [...new Set(values)]);
