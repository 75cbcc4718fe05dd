import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthentication } from '../../../functions/admin/authentication.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { adminFromEnvironment } from '../../../shared/composition/admin.ts';
import { startDynalite } from '../../support/dynamodb.ts';
import { event } from '../../support/event.ts';
import { serverError, slow, startProxy } from '../../support/store-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ENVIRONMENT = {
  KEYS_TABLE: 'keys',
  COUNTERS_TABLE: 'counters',
  ADMIN_TABLE: 'admin',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  CURSOR_SECRETS: 'a secret of the tests',
};

test.each([
  ['a service without x_api has no ceiling of billed rows', { PROVIDERS: 'fxtwitter' }, 0],
  ['a service with x_api has the preset ceiling', { PROVIDERS: 'fxtwitter,x_api' }, 2000],
  ['a service with x_api has the ceiling of its setting', { PROVIDERS: 'x_api', X_API_DAILY_ROWS: '70' }, 70],
])('the dashboard: %s', (_, settings, ceiling) => {
  expect(adminFromEnvironment({ ...ENVIRONMENT, ...settings }).paidRowCeiling).toBe(ceiling);
});

test('[admin 9] [admin 10] the dashboard knows the version and the file of the withheld list', () => {
  const file = join(temporaryFolder(), 'withheld.json');
  writeFileSync(file, '[{"profile": "jack", "reason": "court"}]');
  const { version, withheld } = adminFromEnvironment({ ...ENVIRONMENT, WITHHELD_FILE: file });
  expect(version).toBe(manifest.version);
  expect(withheld()).toEqual({ entries: [{ profile: 'jack', reason: 'court' }] });
  writeFileSync(file, '[]\n');
  expect(withheld()).toEqual({ entries: [] });
  expect(adminFromEnvironment(ENVIRONMENT).withheld()).toEqual({ entries: [] });
});

test('ADMIN_TOKEN_HASHES lists the operators, by default none', () => {
  const tokenHash = 'a'.repeat(64);
  const set = adminFromEnvironment({ ...ENVIRONMENT, ADMIN_TOKEN_HASHES: `ada=${tokenHash}` });
  expect(set.operators).toEqual([{ name: 'ada', tokenHash }]);
  expect(adminFromEnvironment(ENVIRONMENT).operators).toEqual([]);
});

test('[admin 4] the first sign-in of an instance is counted by the store, although the connection takes 400 ms', async () => {
  const dynamo = await startDynalite();
  onTestFinished(dynamo.close);
  const proxy = await startProxy(dynamo.endpoint);
  onTestFinished(proxy.close);
  proxy.behave(slow(400));
  const lines: string[] = [];
  const ports = adminFromEnvironment(
    {
      ...ENVIRONMENT,
      COUNTERS_TABLE: dynamo.tables.counters,
      DYNAMODB_ENDPOINT: proxy.endpoint,
      ADMIN_TOKEN_HASHES: `ada=${sha256Hex('a token')}`,
    },
    (line) => void lines.push(line),
  );
  const { verifyToken } = createAuthentication(ports);
  expect(await verifyToken(event('/admin/session'), 'a token')).toMatchObject({ name: 'ada' });
  expect(lines).toEqual([]);
  proxy.behave(serverError);
  for (let call = 0; call < 5; call += 1) await verifyToken(event('/admin/session'), 'a token').catch(() => undefined);
  expect(lines.join('')).toContain('"store":"counters"');
});
