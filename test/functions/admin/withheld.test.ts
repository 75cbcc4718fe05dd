import { expect, test } from 'vitest';
import type { WithheldFile } from '../../../shared/settings/withheld-file.ts';
import { createAdminApp, expectRefusal, HOUR } from '../../support/admin-app.ts';
import { START } from '../../support/limiter.ts';

const LIST: WithheldFile = {
  entries: [
    { id: '20', handle: 'jack', reason: 'copyright', until: START + HOUR },
    { profile: 'Kestrel_Labs', reason: 'court' },
    { profile: 'id:12', reason: 'other' },
  ],
};

const ROUTE = 'GET /api/admin/withheld';

test('[admin 10] GET /api/admin/withheld returns the entries with their reasons and ends, and counts those in force', async () => {
  const app = await createAdminApp({ withheld: () => LIST });
  const post = { post: '20', reason: 'copyright', until: '2026-11-21T13:00:00.000Z' };
  const profile = { profile: 'Kestrel_Labs', reason: 'court', until: null, in_force: true };
  const byId = { profile: 'id:12', reason: 'other', until: null, in_force: true };
  const report = async () => (await app.ada(ROUTE)).json();
  expect(await report()).toEqual({ count: 3, entries: [{ ...post, in_force: true }, profile, byId], problem: null });
  app.clock.wait(HOUR);
  expect(await report()).toEqual({ count: 2, entries: [{ ...post, in_force: false }, profile, byId], problem: null });
});

test('[admin 10] a file that has become wrong is reported beside the last valid list', async () => {
  let state = LIST;
  const app = await createAdminApp({ withheld: () => state });
  state = { entries: LIST.entries, problem: 'line 1, column 2: expected a value or ], found the end of the file' };
  expect((await app.ada(ROUTE)).json()).toMatchObject({ count: 3, problem: state.problem });
});

test('[admin 1] [admin 10] GET /api/admin/withheld returns nothing of the list without a session', async () => {
  const app = await createAdminApp({ withheld: () => LIST });
  const answer = await app.send(ROUTE);
  expectRefusal(answer, 401, 'unauthorized');
  expect(answer.body).not.toMatch(/jack|Kestrel/);
  const { send } = await app.signIn();
  expect((await send(ROUTE)).json()).toMatchObject({ count: 3 });
});
