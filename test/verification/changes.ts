// Changes answers: a status, a header field or a part of a body is missing or another.
import { isRecord, parseJson } from '../../shared/model/json.ts';
import type { Answer } from '../../shared/verification/answer.ts';

export type Change = (answer: Answer) => Answer;

export const without =
  (name: string): Change =>
  (answer) => ({ ...answer, lines: answer.lines.filter(([field]) => field !== name) });

export const withLine =
  (name: string, value: string): Change =>
  (answer) => ({ ...answer, lines: [...answer.lines, [name, value]] });

/** Replaces the value of a field; does not add it. */
export const withOther =
  (name: string, value: string): Change =>
  (answer) => ({ ...answer, lines: answer.lines.map(([field, old]) => [field, field === name ? value : old]) });

export const withBody =
  (change: (body: string) => string): Change =>
  (answer) => {
    const body = answer.body === '' ? '' : change(answer.body);
    return { ...answer, body, bytes: body === answer.body ? answer.bytes : Buffer.byteLength(body) };
  };

export const withProblem =
  (status: number, code: string): Change =>
  (answer) => ({
    ...answer,
    status,
    lines: [...answer.lines.filter(([name]) => name !== 'retry-after'), ['retry-after', '7']],
    body: JSON.stringify({ code }),
  });

/** Changes each member of the name, at any depth. */
const changeMembers = (value: unknown, name: string, change: (value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => changeMembers(item, name, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === name ? change(item) : changeMembers(item, name, change)]),
  );
};

export const withMember = (name: string, change: (value: unknown) => unknown): Change =>
  withBody((body) => {
    if (!body.includes(`"${name}"`)) return body;
    const json = parseJson(body);
    return isRecord(json) ? JSON.stringify(changeMembers(json, name, change)) : body;
  });

export const otherValue = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}-other`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : [];
};

export type Scope = (answer: Answer) => boolean;

export const isMethod =
  (wanted: string): Scope =>
  ({ probe }) =>
    probe.method === wanted;
export const hasHeader =
  (name: string): Scope =>
  ({ probe }) =>
    probe.headers?.[name] !== undefined;
export const hasStatus =
  (wanted: number): Scope =>
  ({ status }) =>
    status === wanted;
export const isBelow =
  (path: string): Scope =>
  ({ target }) =>
    target.startsWith(path);

export const every: Scope = () => true;

export const within =
  (scope: Scope, change: Change): Change =>
  (answer) =>
    scope(answer) ? change(answer) : answer;

export const onlyOf =
  (accept: string): Scope =>
  ({ probe }) =>
    probe.headers?.['Accept'] === accept;
