// Sends a request and measures the time until the answer.
import { type HttpAnswer, type Query, send } from '../send.ts';
import { stallsSince } from './stalls.ts';

export interface Answer extends Omit<HttpAnswer, 'headers'> {
  readonly headers: Readonly<Record<string, string>>;
  /** From the request to the last byte, on the clock. */
  readonly milliseconds: number;
  /** The part in which this process waited for a processor. A rule allows it in addition; no figure is without it. */
  readonly stalledMilliseconds: number;
}

/** @param localAddress the address that the service sees */
export const sendTimed = async (origin: string, query: Query, localAddress: string): Promise<Answer> => {
  const startedAt = performance.now();
  const { headers, ...answer } = await send(origin, query, { localAddress });
  return {
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    milliseconds: performance.now() - startedAt,
    stalledMilliseconds: stallsSince(startedAt).reduce((sum, stall) => sum + stall, 0),
  };
};
