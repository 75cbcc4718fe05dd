// Fuzzes the reader of JSON-RPC messages. The schemas of the SDK judge which messages are requests.
import { parseMessage } from '../../../functions/mcp/json-rpc.ts';
import { exchanges, judge } from '../../generators/json-rpc-fuzz.ts';
import { ensure, type FuzzTarget } from '../target.ts';

const parsed = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
};

export const target: FuzzTarget = {
  judge(input) {
    const value = parsed(input);
    const result = parseMessage(value);
    ensure(result.kind !== 'invalid' || /^[\w.,$/"' -]+$/.test(result.why), 'a reason that repeats the message');
    if (value === undefined || Array.isArray(value)) return;
    const [expected] = judge({ headers: {}, body: input }).expected;
    const kind = expected === undefined ? 'notification' : expected.isRefused ? 'invalid' : 'request';
    ensure(result.kind === kind, `the SDK reads a ${kind}, the service a ${result.kind}`);
    const id = result.kind === 'request' ? result.request.id : result.kind === 'invalid' ? result.id : undefined;
    ensure(Object.is(id, expected?.id), 'another id');
  },
  seeds: exchanges.map(({ body }) => body),
};
