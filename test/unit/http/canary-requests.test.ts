// Tests how a request of the canary is recognized, and what the line of a request says of its calls.
import { expect, test } from 'vitest';
import { CANARY_HEADER, EDGE_HEADERS } from '../../../shared/contract/headers.ts';
import { canaryProof } from '../../../shared/http/canary-proof.ts';
import { createRequestState } from '../../../shared/http/event.ts';
import type { CallRecord } from '../../../shared/ports/system.ts';
import { callsText } from '../../../shared/upstream/call-lines.ts';
import { clocksOf } from '../../support/clocks.ts';
import { event } from '../../support/event.ts';

const SECRET = 'origin';

test.each([
  [
    'the origin secret and the proof',
    { [EDGE_HEADERS.originSecret]: SECRET, [CANARY_HEADER]: canaryProof(SECRET) },
    true,
  ],
  [
    'the proof of another secret',
    { [EDGE_HEADERS.originSecret]: SECRET, [CANARY_HEADER]: canaryProof('other') },
    false,
  ],
  ['the origin secret alone', { [EDGE_HEADERS.originSecret]: SECRET }, false],
  ['the proof alone, which is refused and counts', { [CANARY_HEADER]: canaryProof(SECRET) }, false],
])('a request is recognized as one of the canary by what the edge and the canary send: %s', (_, headers, isCanary) => {
  const settings = { originSecrets: [SECRET], baseUrl: 'https://api.example.test' };
  // The state of a request takes no other ports.
  const stateOf = createRequestState(
    { settings, ...clocksOf(() => 0), log: () => undefined } as never,
    () => undefined,
  );
  expect(stateOf(event('/docs', { headers })).isCanary).toBe(isCanary);
});

const call = (outcome: CallRecord['outcome'], kind: CallRecord['kind']): CallRecord => ({
  provider: 'fxtwitter',
  kind,
  address: 'api.example.test',
  outcome,
  status: 200,
  why: outcome === 'answered' ? undefined : 'time-out',
  milliseconds: 1,
});

test('the calls of a request begin with those that failed, because their text is cut', () => {
  const answered = call('answered', 'conversation');
  expect(callsText([answered, answered, call('down', 'search')])).toBe(
    'fxtwitter search down: time-out (api.example.test), 2x fxtwitter conversation 200',
  );
});
