// Counts the rows of every request to the official API, canaries included. X bills the rows in `data`: posts or accounts,
// also those that are not shown, and no row of an error.
import { asRecord } from '../../model/json.ts';
import type { PaidRows } from '../../ports/paid-rows.ts';
import type { Clock } from '../../ports/system.ts';
import type { AttemptResult, SendRequest } from '../http-request.ts';

/** @returns the most rows that a request returns: those that it names or the size of its page */
export const mostRows = (url: string): number => {
  const { searchParams } = new URL(url);
  const ids = searchParams.get('ids');
  return ids === null ? Number(searchParams.get('max_results') ?? '1') : ids.split(',').length;
};

/** @returns undefined if the request may have been billed, but its rows are not known */
const billedRows = ({ fetched, health, status }: AttemptResult): number | undefined => {
  if (health === 'failure' || status !== undefined) return 0; // no connection, or a 429 or 5xx
  if (fetched.kind !== 'response') return undefined;
  if (fetched.status >= 400) return 0;
  const body = asRecord(fetched.json);
  if (body === undefined) return undefined;
  const { data } = body;
  return Array.isArray(data) ? data.length : Number(data !== undefined);
};

const SKIPPED: AttemptResult = {
  fetched: { kind: 'down', why: 'daily ceiling of rows', isSkipped: true },
  health: 'inconclusive',
  mayRetry: false,
};

export const meterRows =
  (rows: PaidRows, clock: Clock) =>
  (send: SendRequest): SendRequest =>
  async (url, limits) => {
    const startedAt = clock();
    const reservation = await rows.reserve(mostRows(url), startedAt + limits.milliseconds);
    if (reservation === undefined) return SKIPPED;
    const milliseconds = Math.max(1, limits.milliseconds - (clock() - startedAt));
    const attempt = await send(url, { ...limits, milliseconds });
    const billed = billedRows(attempt);
    if (billed !== undefined) await reservation.settle(billed);
    return attempt;
  };
