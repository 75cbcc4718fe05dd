// Rehearses the restore of the key table on an emulator (.ci/runbook): the commands are those of the runbook, the keys are
// those of the service. Moto copies the current items of a table and does not look at the time; the time is the only
// part of the rehearsal that is not real.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startTestService } from '../support/local-service.ts';

const endpoint = process.env['RUNBOOK_ENDPOINT'] ?? '';
const run = promisify(execFile);

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
const section = /^### Restore the key table\n(.*?)^## /ms.exec(runbook)?.[1] ?? '';
const commands = [...section.matchAll(/^(?:until \[ "\$\()?aws dynamodb .*$/gm)].map(([line]) => line);

const TABLES = { KEYS_TABLE: 'rehearsal-keys', COUNTERS_TABLE: 'rehearsal-counters', ADMIN_TABLE: 'rehearsal-admin' };
const RESTORED = 'rehearsal-keys-restored';

const shell = async (line: string): Promise<string> => {
  const { stdout } = await run('bash', ['-c', line], {
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_PAGER: '',
      KEYS_TABLE: TABLES.KEYS_TABLE,
      RESTORED_TABLE: RESTORED,
      RESTORE_TIME: new Date().toISOString(),
    },
  });
  return stdout;
};

/** @param keysTable as `keysTableName` gives it to the functions */
const startWith = (keysTable: string) =>
  startTestService({ ...TABLES, KEYS_TABLE: keysTable, DYNAMODB_ENDPOINT: endpoint });

type TestService = Awaited<ReturnType<typeof startWith>>;

const statusOf = async (service: TestService, key: string): Promise<string> => {
  const answer = await service.get('/api/v1/search', { headers: { Authorization: `Bearer ${key}` } });
  return `${answer.status} ${String(answer.headers['x-api-key-status'])}`;
};

const admin = async ({ origin, operatorToken }: TestService, path: string, request: RequestInit = {}) => {
  const answer = await fetch(`${origin}/api/admin/keys${path}`, {
    ...request,
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
  });
  return answer.status === 204 ? {} : await answer.json();
};

test('the runbook restores, protects and reads the restored table', () => {
  const verbs = commands.map((line) => /aws dynamodb (\S+)/.exec(line)?.[1]);
  expect(verbs).toEqual([
    'restore-table-to-point-in-time',
    'describe-table',
    'scan',
    'update-table',
    'update-continuous-backups',
  ]);
});

describe.skipIf(endpoint === '')('on an emulator', () => {
  test('every key is valid again after the restore, and a disabled key stays disabled', async () => {
    const before = await startWith(TABLES.KEYS_TABLE);
    await shell(
      'aws dynamodb update-continuous-backups --table-name "$KEYS_TABLE" --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
    );
    const [kept, disabled] = [
      await admin(before, '', { method: 'POST', body: JSON.stringify({ label: 'kept', search: '120/60' }) }),
      await admin(before, '', { method: 'POST', body: JSON.stringify({ label: 'disabled' }) }),
    ];
    await admin(before, `/${disabled.id}`, { method: 'PATCH', body: JSON.stringify({ state: 'disabled' }) });
    const outputs: string[] = [];
    for (const line of commands) outputs.push(await shell(line));
    expect(outputs[2]?.trim().split('\n').toSorted()).toEqual(
      [`${disabled.id}\tdisabled\tdisabled`, `${kept.id}\tkept\tenabled`].toSorted(),
    );
    // The accident: every key is deleted.
    for (const { id } of [kept, disabled]) await admin(before, `/${id}`, { method: 'DELETE' });
    expect(await statusOf(before, kept.secret)).toBe('401 invalid');

    const after = await startWith(RESTORED);
    expect(await statusOf(after, kept.secret)).toBe('400 valid');
    expect(await statusOf(after, disabled.secret)).toBe('401 invalid');
    const protection = await shell(
      'aws dynamodb describe-table --table-name "$RESTORED_TABLE" --query "Table.DeletionProtectionEnabled"',
    );
    expect(protection.trim()).toBe('true');
  });
});
