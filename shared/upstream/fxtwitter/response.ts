// Parses what all responses of FxTwitter have in common: a JSON object with a code.
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { FailedOutcome } from '../../ports/upstream.ts';
import type { FetchResult } from '../http-request.ts';

export interface FxTwitterResponse {
  readonly kind: 'response';
  readonly code: number;
  readonly body: JsonRecord;
}

/** With HTTP status 200 the code in the body counts. */
const codeOf = (status: number, body: JsonRecord): number =>
  status === 200 && typeof body['code'] === 'number' ? body['code'] : status;

export const parseFxTwitterResponse = (fetched: FetchResult): FxTwitterResponse | FailedOutcome => {
  if (fetched.kind !== 'response') return fetched;
  const body = asRecord(fetched.json);
  if (body === undefined) return { kind: 'failed', why: `no JSON object, status ${fetched.status}` };
  const code = codeOf(fetched.status, body);
  return code >= 500 || code === 429 ? { kind: 'down', why: `code ${code}` } : { kind: 'response', code, body };
};
