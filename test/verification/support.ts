// Verifies a service from a test.
import { elapsedClock } from '../../shared/composition/environment.ts';
import type { Check } from '../../shared/verification/check.ts';
import { allChecks, type CheckResult, type Finding, runChecks } from '../../shared/verification/run-checks.ts';
import { createService, type ServiceOptions } from '../../shared/verification/service.ts';
import { startTestService } from '../support/local-service.ts';
import { startTestServer } from '../support/test-server.ts';

/** Ample, so that a busy machine skips nothing. */
const BUDGET_MILLISECONDS = 250_000;

export const verify = async (
  origin: string,
  options: Partial<ServiceOptions> = {},
  checks: readonly Check[] = allChecks,
): Promise<readonly Finding[]> => {
  const service = createService({
    wall: Date,
    origin: new URL(origin),
    known: { post: '20', profile: 'X' },
    ...options,
  });
  try {
    return await runChecks(checks, service, {
      clock: elapsedClock,
      budgetMilliseconds: BUDGET_MILLISECONDS,
    });
  } finally {
    service.close();
  }
};

/** Starts the local service over providers that answer every request with the status. @returns its origin */
export const startWithFailingProviders = async (status: number): Promise<string> => {
  const provider = await startTestServer((_, response) => void response.writeHead(status).end());
  const { origin } = await startTestService({
    UPSTREAM: 'live',
    FXTWITTER_BASE_URL: provider,
    SYNDICATION_BASE_URL: provider,
  });
  return origin;
};

export const namesOf = (findings: readonly Finding[], wanted: CheckResult): readonly string[] =>
  findings.flatMap(({ check, result }) => (result === wanted ? [check.name] : []));

export const faultsOf = (findings: readonly Finding[]): string =>
  findings
    .filter(({ result }) => result === 'fail')
    .map(({ check, seen }) => `${check.name}: ${seen.join('; ')}`)
    .join('\n');
