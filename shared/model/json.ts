// Reads JSON whose shape is not known.

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
