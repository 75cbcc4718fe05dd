// What an operator sends: a JSON object, whose members are looked at one by one.

import { MAX_LABEL_CHARACTERS } from '../../shared/contract/admin-operations.ts';
import { ALLOWANCE_SYNTAX, type Allowance, parseAllowance } from '../../shared/contract/allowances.ts';
import { type Problem, problem } from '../../shared/contract/problems.ts';
import { type HttpEvent, headerOf } from '../../shared/http/event.ts';
import { visibleText } from '../../shared/model/visible-text.ts';
import type { ApiKeyState } from '../../shared/ports/key-stores.ts';

const MAX_BODY_BYTES = 16_384;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** Control characters, what else ends a line, and what makes one label look like another. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export type BodyMembers = Readonly<Record<string, unknown>>;

const wrong = (parameter: string, message: string): Problem =>
  problem('invalid_parameter', { errors: [{ parameter, message }], detail: `${parameter} ${message}.` });

const missing = (parameter: string): Problem =>
  problem('missing_parameter', {
    errors: [{ parameter, message: 'is required' }],
    detail: `${parameter} is required.`,
  });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @throws Problem `unsupported_media_type`, `content_too_large` or `invalid_parameter` */
export const parseBody = (event: HttpEvent): BodyMembers => {
  if (!JSON_TYPE.test(headerOf(event, 'content-type') ?? '')) throw problem('unsupported_media_type');
  const { body = '', isBase64Encoded } = event;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY_BYTES) throw problem('content_too_large');
  const value = parse(bytes.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('body', 'must be a JSON object');
  return Object.fromEntries(Object.entries(value));
};

/** @throws Problem for a member that is not among them */
export const rejectUnknownMembers = (members: BodyMembers, known: readonly string[]): void => {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  // Its name is the caller's text, so it is not repeated.
  if (unknown !== undefined) throw wrong('body', `may have the members ${known.join(', ')} and no others`);
};

/** @throws Problem where it is missing or wrong */
export const parseLabel = ({ label }: BodyMembers): string => {
  if (label === undefined) throw missing('label');
  const text = typeof label === 'string' ? label.trim() : '';
  const length = Array.from(text).length;
  if (length < 1 || length > MAX_LABEL_CHARACTERS || UNSEEN.test(text) || visibleText(text) !== text) {
    throw wrong('label', `must be a text of 1 to ${MAX_LABEL_CHARACTERS} visible characters in one line`);
  }
  return text;
};

/** undefined: not given; null: the default. @throws Problem */
export const parseSearchAllowance = ({ search }: BodyMembers): Allowance | null | undefined => {
  if (search === undefined || search === null) return search;
  const allowance = typeof search === 'string' ? parseAllowance(search) : undefined;
  if (allowance === undefined) throw wrong('search', ALLOWANCE_SYNTAX);
  return allowance;
};

/** undefined: not given. @throws Problem */
export const parseState = ({ state }: BodyMembers): ApiKeyState | undefined => {
  if (state === undefined || state === 'enabled' || state === 'disabled') return state;
  throw wrong('state', 'must be enabled or disabled');
};

/** @throws Problem */
export const parseToken = ({ token }: BodyMembers): string => {
  if (token === undefined) throw missing('token');
  if (typeof token !== 'string') throw wrong('token', 'must be a text');
  return token;
};
