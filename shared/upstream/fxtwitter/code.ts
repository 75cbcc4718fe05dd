// Which status an answer of FxTwitter really has.
import type { RawRecord } from '../wire.ts';

/** With HTTP 200 the body may know better. */
export const codeOf = (status: number, body: RawRecord): number =>
  status === 200 && typeof body['code'] === 'number' ? body['code'] : status;
