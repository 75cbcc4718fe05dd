// Reads the answers of the verified service.
import { asRecord, isRecord, type JsonRecord, parseJson } from '../model/json.ts';

/** The request of a check. The default is GET without header fields. */
export interface Probe {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer of the verified service as it was sent: header lines are not joined. */
export interface Answer {
  /** Path and query as they were sent. */
  readonly target: string;
  readonly probe: Probe;
  readonly status: number;
  /** Header lines in their order, names in lower case. */
  readonly lines: readonly (readonly [string, string])[];
  /** Without content coding. */
  readonly body: string;
  /** The size of the body as it was sent. */
  readonly bytes: number;
}

export const linesOf = ({ lines }: Answer, name: string): readonly string[] =>
  lines.flatMap(([field, value]) => (field === name ? [value] : []));

/** The value of a header field; the lines of a repeated field are joined (RFC 9110 section 5.3). */
export const responseHeader = (answer: Answer, name: string): string | undefined => {
  const values = linesOf(answer, name);
  return values.length === 0 ? undefined : values.join(', ');
};

/** The members of a header field that is a list, in lower case. */
export const listOf = (answer: Answer, name: string): readonly string[] =>
  (responseHeader(answer, name) ?? '')
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');

export const jsonOf = ({ body }: Answer): JsonRecord => asRecord(parseJson(body)) ?? {};

export const textMember = (value: unknown, name: string): string | undefined => {
  const member = asRecord(value)?.[name];
  return typeof member === 'string' ? member : undefined;
};

/** The objects in a member that is a list; empty if it is none. */
export const listMember = (value: unknown, name: string): readonly JsonRecord[] => {
  const member = asRecord(value)?.[name];
  const items: readonly unknown[] = Array.isArray(member) ? member : [];
  return items.flatMap((item) => (isRecord(item) ? [item] : []));
};

export const codeOf = (answer: Answer): string | undefined => textMember(jsonOf(answer), 'code');

const MAX_TARGET = 80;
const KEYS = /pstn_\w+/g;

/** Names the request of an answer in a report, without a key. */
export const requestText = ({ target, probe }: Answer): string => {
  const clean = target.replace(KEYS, 'pstn_…');
  const shown = clean.length > MAX_TARGET ? `${clean.slice(0, MAX_TARGET)}…` : clean;
  const accept = probe.headers?.['Accept'];
  return `${probe.method ?? 'GET'} ${shown}${accept === undefined ? '' : ` (Accept: ${accept.slice(0, MAX_TARGET)})`}`;
};
