// Sends one request from a loopback address of a caller, over connections that stay open.
import { Agent } from 'node:http';
import { type Query, send } from '../../test/support/send.ts';

/** The result of a request whose connection failed. */
export const NO_ANSWER = 'no answer';

/** A tool call has the status 200 and says in its result whether it failed. */
const toolResult = (body: string): string => {
  if (!body.includes('"isError":true')) return '200';
  return `200, ${/\\?"code\\?":\s*\\?"([a-z_]+)\\?"/.exec(body)?.[1] ?? 'tool error'}`;
};

/** A connection that is idle for longer is closed. */
const IDLE_MILLISECONDS = 1000;

export const createClient = (origin: string) => {
  // Thousands of callers have a connection each, and the service has a bound on open files.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 10_000, timeout: IDLE_MILLISECONDS });
  return {
    /** Never rejects. @param localAddress of the caller, in 127.0.0.0/8 @param secret an API key */
    async send(query: Query, localAddress: string, secret?: string): Promise<string> {
      const headers = { ...query.headers, ...(secret !== undefined && { authorization: `Bearer ${secret}` }) };
      try {
        const { status, body } = await send(origin, { ...query, headers }, { agent, localAddress });
        return query.body === undefined || status !== 200 ? String(status) : toolResult(body);
      } catch {
        return NO_ANSWER;
      }
    },
    close: () => agent.destroy(),
  };
};
