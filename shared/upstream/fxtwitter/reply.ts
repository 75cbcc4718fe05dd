// What every answer of FxTwitter has in common: a JSON object with a code, or no answer at all.
import type { Miss } from '../../ports.ts';
import type { Fetched } from '../exchange.ts';
import { type RawRecord, record } from '../wire.ts';

export interface Reply {
  readonly kind: 'reply';
  readonly code: number;
  readonly body: RawRecord;
}

/** With HTTP 200 the body may know better. */
const codeOf = (status: number, body: RawRecord): number =>
  status === 200 && typeof body['code'] === 'number' ? body['code'] : status;

export const replyOf = (fetched: Fetched): Reply | Miss => {
  if (fetched.kind !== 'answer') return fetched;
  const body = record(fetched.json);
  if (body === undefined) return { kind: 'failed', why: `no JSON object, status ${fetched.status}` };
  const code = codeOf(fetched.status, body);
  return code >= 500 || code === 429 ? { kind: 'down', why: `code ${code}` } : { kind: 'reply', code, body };
};
