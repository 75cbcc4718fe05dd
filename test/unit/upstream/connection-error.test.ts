// Tests what an error of a connection says about the provider, and if the call may be repeated.
import { expect, test } from 'vitest';
import { connectionError } from '../../../shared/upstream/http-request.ts';

const NO_CONNECTION =
  'EADDRNOTAVAIL EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND ETIMEDOUT UND_ERR_CONNECT_TIMEOUT';
const CLOSED = 'ECONNABORTED ECONNRESET EPIPE UND_ERR_SOCKET';
const UNUSABLE = 'HPE_INVALID_CONSTANT UND_ERR_HEADERS_OVERFLOW CERT_HAS_EXPIRED';

test.each([
  ['is the fault of the provider, and the call may be repeated', NO_CONNECTION, 'down', 'failure', true],
  ['is perhaps the fault of the requested subject, and the call may be repeated', CLOSED, 'down', 'suspect', true],
  ['is an unusable response, and the call is not repeated', UNUSABLE, 'failed', 'suspect', false],
])('an error %s: %s', (_, codes, kind, health, mayRetry) => {
  for (const code of codes.split(' '))
    expect(connectionError(Object.assign(new Error('connect'), { code }))).toEqual({
      fetched: { kind, why: code },
      health,
      mayRetry,
    });
});
