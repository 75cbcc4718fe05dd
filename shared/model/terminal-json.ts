// Makes foreign JSON safe to print: a terminal obeys control characters, and direction overrides reorder its text.

/** Controls apart from the line feed, line separators, and the embeddings, overrides and isolates of UAX #9. */
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON has tab and carriage return only between its tokens, and the others only within strings. */
const safe = (unit: string): string => (unit < ' ' ? ' ' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** @param json valid JSON, or lines of it @returns JSON with the same values */
export const terminalJson = (json: string): string => json.replace(UNSAFE, safe);
