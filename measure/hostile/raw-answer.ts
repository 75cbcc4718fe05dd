// Judges the answer to bytes that may not be HTTP: nothing, or well-formed answers without a fault.
import { isFailure } from '../../shared/contract/problems.ts';
import { isProblem } from '../../test/support/problem-schema.ts';

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [ -~]*\r\n/;
const FIELD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+: ?[\t\x20-\x7e]*$/;
const INSIDE = /HPE_|llhttp|node:internal|node_modules|\n\s+at .+:\d+:\d+|TypeError/;

/** @returns the status of the first answer; 0 if there is none */
export const rawStatus = (answer: Buffer): number => Number(STATUS_LINE.exec(answer.toString('latin1'))?.[1] ?? 0);

const bodyErrors = (type: string, body: Buffer): readonly string[] => {
  if (!type.startsWith('application/problem+json') || body.length === 0) return [];
  const document: unknown = JSON.parse(body.toString());
  return isProblem(document) ? [] : ['the problem document is invalid'];
};

/** Reads one answer. @returns the length of its bytes; undefined if the body has no stated length */
const readAnswer = (bytes: Buffer, errors: string[]): number | undefined => {
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...fields] = bytes.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n');
  const status = Number(STATUS_LINE.exec(`${line}\r\n`)?.[1] ?? 0);
  if (end < 0 || status === 0) {
    errors.push(`no answer of HTTP: ${JSON.stringify(bytes.subarray(0, 80).toString('latin1'))}`);
    return undefined;
  }
  if (isFailure(status)) errors.push(`status ${status}`);
  for (const field of fields) if (!FIELD.test(field)) errors.push(`a broken field: ${JSON.stringify(field)}`);
  const fieldValue = (name: string): string | undefined =>
    fields
      .find((field) => field.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const length = fieldValue('content-length');
  if (length === undefined) return status < 200 ? end + 4 : undefined;
  const rest = bytes.subarray(end + 4);
  // Only the answer to HEAD has a length without a body; the next answer of the connection may follow.
  const hasBody = rest.length >= Number(length) && !rest.subarray(0, 9).equals(Buffer.from('HTTP/1.1 '));
  if (!hasBody) return end + 4;
  const body = rest.subarray(0, Number(length));
  if (status >= 400) errors.push(...bodyErrors(fieldValue('content-type') ?? '', body));
  return end + 4 + body.length;
};

/** @returns the errors as text; empty if the answers are right */
export const rawAnswerErrors = (answer: Buffer, secrets: readonly string[]): readonly string[] => {
  const errors: string[] = [];
  let rest = answer;
  while (rest.length > 0) {
    const read = readAnswer(rest, errors);
    if (read === undefined) break;
    rest = rest.subarray(read);
  }
  const text = answer.toString('utf8');
  if (INSIDE.test(text)) errors.push(`a text of the inside: ${INSIDE.exec(text)?.[0]}`);
  if (secrets.some((secret) => text.includes(secret))) errors.push('a secret');
  return errors;
};
