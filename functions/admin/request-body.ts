// Parses the JSON object that an operator sends and validates its members one by one, and the cursor of a list.

import { MAX_ADMIN_BODY_BYTES, MAX_LABEL_CHARACTERS } from '../../shared/contract/admin-operations.ts';
import { ALLOWANCE_SYNTAX, type Allowance, parseAllowance } from '../../shared/contract/allowances.ts';
import { type Problem, problem } from '../../shared/contract/problems.ts';
import { type HttpEvent, requestHeader } from '../../shared/http/event.ts';
import { isRecord, type JsonRecord, parseJson } from '../../shared/model/json.ts';
import { visibleText } from '../../shared/model/visible-text.ts';
import type { ApiKeyState } from '../../shared/ports/stores.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** Control characters and line separators. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const invalidMember = (
  parameter: string,
  message: string,
  code: 'invalid_parameter' | 'invalid_cursor' = 'invalid_parameter',
): Problem => problem(code, { errors: [{ parameter, message }], detail: `${parameter} ${message}.` });

const missingMember = (parameter: string): Problem =>
  problem('missing_parameter', {
    errors: [{ parameter, message: 'is required' }],
    detail: `${parameter} is required.`,
  });

/** @throws Problem `unsupported_media_type`, `content_too_large` or `invalid_parameter` */
export const parseBody = (event: HttpEvent): JsonRecord => {
  if (!JSON_TYPE.test(requestHeader(event, 'content-type') ?? '')) throw problem('unsupported_media_type');
  const { body = '', isBase64Encoded } = event;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_ADMIN_BODY_BYTES) throw problem('content_too_large');
  const value = parseJson(bytes.toString());
  if (!isRecord(value)) throw invalidMember('body', 'must be a JSON object');
  return value;
};

/** @throws Problem `invalid_parameter` if a member is not in `known` */
export const rejectUnknownMembers = (members: JsonRecord, known: readonly string[]): void => {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  // The name of the unknown member is the caller's text, so the problem does not repeat it.
  if (unknown !== undefined) throw invalidMember('body', `may have the members ${known.join(', ')} and no others`);
};

/** Milliseconds since the epoch. */
const CURSOR = /^[0-9]{1,15}$/;

/** @returns the time before which the page starts; undefined: the first page @throws Problem `invalid_cursor` */
export const parseCursor = ({ rawQueryString }: HttpEvent): number | undefined => {
  const [cursor, ...more] = new URLSearchParams(rawQueryString).getAll('cursor');
  if (cursor === undefined) return undefined;
  if (more.length > 0 || !CURSOR.test(cursor))
    throw invalidMember('cursor', 'must be the next_cursor of the page before', 'invalid_cursor');
  return Number(cursor);
};

/** @throws Problem if the label is missing or invalid */
export const parseLabel = ({ label }: JsonRecord): string => {
  if (label === undefined) throw missingMember('label');
  const text = typeof label === 'string' ? label.trim() : '';
  const length = Array.from(text).length;
  if (length < 1 || length > MAX_LABEL_CHARACTERS || CONTROL_CHARACTERS.test(text) || visibleText(text) !== text) {
    throw invalidMember('label', `must be a text of 1 to ${MAX_LABEL_CHARACTERS} visible characters in one line`);
  }
  return text;
};

/** @returns undefined if the member is missing; null for the default @throws Problem */
export const parseSearchAllowance = ({ search }: JsonRecord): Allowance | null | undefined => {
  if (search === undefined || search === null) return search;
  const allowance = typeof search === 'string' ? parseAllowance(search) : undefined;
  if (allowance === undefined) throw invalidMember('search', ALLOWANCE_SYNTAX);
  return allowance;
};

/** @returns undefined if the member is missing @throws Problem */
export const parseState = ({ state }: JsonRecord): ApiKeyState | undefined => {
  if (state === undefined || state === 'enabled' || state === 'disabled') return state;
  throw invalidMember('state', 'must be enabled or disabled');
};

/** @throws Problem */
export const parseToken = ({ token }: JsonRecord): string => {
  if (token === undefined) throw missingMember('token');
  if (typeof token !== 'string') throw invalidMember('token', 'must be a text');
  return token;
};
