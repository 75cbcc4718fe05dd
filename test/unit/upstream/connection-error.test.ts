// Tests what an error of a connection says about the provider, and if the call may be repeated.
import { expect, test } from 'vitest';
import { connectionError } from '../../../shared/upstream/http-request.ts';

const errorWith = (code: string): Error => Object.assign(new Error('connect'), { code });

test.each([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])('%s: there was no connection, which is the fault of the provider, and the call may be repeated', (code) => {
  expect(connectionError(errorWith(code))).toEqual({
    fetched: { kind: 'down', why: code },
    health: 'failure',
    mayRetry: true,
  });
});

test.each(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])(
  '%s: the connection closed, perhaps because of the requested subject, and the call may be repeated',
  (code) => {
    expect(connectionError(errorWith(code))).toEqual({
      fetched: { kind: 'down', why: code },
      health: 'suspect',
      mayRetry: true,
    });
  },
);

test.each(['HPE_INVALID_CONSTANT', 'UND_ERR_HEADERS_OVERFLOW', 'CERT_HAS_EXPIRED'])(
  '%s: the response is not usable, and the call is not repeated',
  (code) => {
    expect(connectionError(errorWith(code))).toEqual({
      fetched: { kind: 'failed', why: code },
      health: 'suspect',
      mayRetry: false,
    });
  },
);
