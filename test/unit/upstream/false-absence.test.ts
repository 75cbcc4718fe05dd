// Tests that a canary result of one caller does not make an outage look like absence for another caller.
import { expect, test } from 'vitest';
import { later } from '../../../shared/model/time.ts';
import { type Behaviour, faultServer, json, recorded } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { testClock } from '../../support/limiter.ts';
import { NOW } from '../../support/test-app.ts';

const missing = recorded('fxtwitter/profile/missing.json', 404);

const onlyCanary: Behaviour = (incoming, response) =>
  (incoming.url?.includes('/known?')
    ? json({ code: 200, user: { screen_name: 'known', id: '1', name: 'Known' } })
    : missing)(incoming, response);

test('[outages 1] a profile that is not found during an outage is not absent although the canary was just found', async () => {
  const server = await faultServer({ fxtwitter: onlyCanary });
  const clock = testClock(NOW);
  const upstream = fxTwitterAt(server, { canaryProfile: 'known', ...clock });
  const read = (handle: string) => upstream.readProfile(handle, later(clock.clock(), 8000));
  expect(await read('unknown')).toEqual({ kind: 'absent' });
  expect(await read('unknown_too')).toEqual({ kind: 'absent' });
  expect(server.calls().filter((path) => path.includes('/known?'))).toHaveLength(1);
  server.script({ fxtwitter: missing });
  clock.wait(3000);
  for (const handle of ['ada', 'bob', 'eve']) {
    expect(await read(handle)).toMatchObject({ kind: 'down' });
    clock.wait(8000);
  }
  // A missing profile is requested less often.
  expect(server.calls().filter((path) => path.includes('/known?'))).toHaveLength(2);
});
