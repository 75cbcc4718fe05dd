// Shows what an operator reads: of a service that keeps its promises, and of each simple fault.
import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../shared/verification/answer.ts';
import type { Check } from '../../shared/verification/check.ts';
import type { Finding } from '../../shared/verification/run-checks.ts';
import { allChecks } from '../../shared/verification/run-checks.ts';
import type { Client } from '../../shared/verification/service.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { createKey } from '../support/create-key.ts';
import { localOptions, shareService } from '../support/local-service.ts';
import { FAULTS, type PlantedFault } from './faults.ts';
import { createRememberingClient, type RememberingClient } from './remembering-client.ts';
import { verify } from './support.ts';

/** In the sample. */
const SUBJECT = { post: '20', profile: 'ada_larsson' };

/** These need an address with TLS, or the address of an origin. */
const SKIPPED = ['https', 'hsts', 'direct-origin'];

const service = shareService(localOptions(AMPLE_ALLOWANCES));
let client: RememberingClient;
let key: string;

const verifyWith = (client: Client, checks: readonly Check[] = allChecks): Promise<readonly Finding[]> =>
  verify(service.origin, { client, key, known: SUBJECT }, checks);

beforeAll(async () => {
  client = createRememberingClient(new URL(service.origin));
  key = await createKey(service.origin, service.operatorToken);
  await verifyWith(client);
});

const golden = (name: string): string => `../golden/verification/${name}`;

/** Replaces the parts that differ between two runs, machines or releases. */
const stable = (text: string): string =>
  text
    .replaceAll(service.origin, 'https://service.example')
    .replaceAll(/pstn_\w+/g, 'KEY')
    .replaceAll(/W\/\\?"[\w-]{8,}\\?"/g, 'TAG')
    .replaceAll(/\bverify_\w+?_(?=\d)/g, 'verify_RUN_')
    .replaceAll(/\b\d+\.\d+\.\d+\b/g, 'VERSION')
    .replaceAll(/\b\d+( to \d+)? (bytes|days|characters)/g, 'N $2')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

const shownOf = (answer: Answer): string => JSON.stringify([answer.target, answer.probe]);

test('the requests and the result of each check are those of the golden file', async () => {
  const lines: string[] = [];
  for (const check of allChecks) {
    const sent: string[] = [];
    const recording: Client = {
      ...client,
      sendProbe: async (...asked) => {
        const answer = await client.sendProbe(...asked);
        sent.push(shownOf(answer));
        return answer;
      },
    };
    const findings = await verifyWith(recording, check.isLast ? allChecks : [check]);
    const { statement, rows, isInCanary = false, isLast = false } = check;
    const result = findings.find((finding) => finding.check === check);
    lines.push(
      `## ${check.name}`,
      `${statement}. [${rows.join(', ')}]${isInCanary ? ', in the canary' : ''}${isLast ? ', last' : ''}`,
      `${result?.result}: ${result?.seen.join('; ')}`,
      ...(isLast ? [] : sent.toSorted()),
      '',
    );
  }
  await expect(stable(lines.join('\n'))).toMatchFileSnapshot(golden('checks.txt'));
});

/** A fault of every answer names every request. Two facts of a check are shown, each up to this length. */
const MAX_SHOWN = 120;

const reportOf = async ({ name, fault }: PlantedFault): Promise<string> => {
  const findings = await verifyWith(client.withFault(fault));
  const failed = findings.filter(({ check, result }) => result !== 'pass' && !SKIPPED.includes(check.name));
  const lines = failed.flatMap(({ check, result, seen }) => [
    `${check.name}${result === 'fail' ? '' : `, ${result}`}`,
    ...seen
      .slice(0, 2)
      .map(stable)
      .map((fact) => `  ${fact.length > MAX_SHOWN ? `${fact.slice(0, MAX_SHOWN)}…` : fact}`),
  ]);
  return `## ${name}\n${lines.join('\n') || 'every check passes'}\n`;
};

test('the report of each fault is that of the golden file', async () => {
  const reports: string[] = [];
  for (const planted of FAULTS) reports.push(await reportOf(planted));
  await expect(stable(reports.join('\n'))).toMatchFileSnapshot(golden('faults.txt'));
});
