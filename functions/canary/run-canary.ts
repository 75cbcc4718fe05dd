// Verifies the deployment and writes one line with the result, from which CloudWatch extracts the metrics (embedded
// metric format).

import { CANARY_HEADER } from '../../shared/contract/headers.ts';
import { SERVICE_DIMENSION } from '../../shared/contract/metrics.ts';
import { canaryMetrics, LEAST_MINUTES_WITH_KEYS } from '../../shared/contract/other-functions.ts';
import { canaryProof } from '../../shared/http/canary-proof.ts';
import { elapsed } from '../../shared/model/time.ts';
import {
  type CheckResult,
  canaryChecks,
  type Finding,
  type RunOptions,
  runChecks,
} from '../../shared/verification/run-checks.ts';
import { createService, type ServiceOptions } from '../../shared/verification/service.ts';

/** The check that sends an invalid key. */
const KEY_CHECK = 'unknown-key';

/** Less than the time of the function by more than one request. */
const BUDGET_MILLISECONDS = 40_000;

/** A line has at most 2 kB. */
const MAX_FAULT_CHARACTERS = 900;

export interface CanaryOptions extends ServiceOptions, Pick<RunOptions, 'clock'> {
  /** Minutes between two runs. */
  readonly minutes: number;
  /** The namespace of the metrics; undefined: the line contains no metrics. */
  readonly namespace: string | undefined;
  /** Its requests make no metrics of the service. Undefined: they count as those of a caller. */
  readonly originSecret?: string | undefined;
  readonly writeLine: (line: string) => void;
}

/** The metrics of a line, and their metadata. */
const withMetrics = (names: readonly (keyof typeof canaryMetrics.metrics)[], namespace: string, timestamp: number) => ({
  [canaryMetrics.dimension]: SERVICE_DIMENSION,
  ...Object.fromEntries(names.map((name) => [name, 1])),
  _aws: {
    Timestamp: timestamp,
    CloudWatchMetrics: [
      {
        Namespace: namespace,
        Dimensions: [[canaryMetrics.dimension]],
        Metrics: names.map((Name) => ({ Name, Unit: canaryMetrics.metrics[Name] })),
      },
    ],
  },
});

const named = (findings: readonly Finding[], result: CheckResult): readonly Finding[] =>
  findings.filter((finding) => finding.result === result);

/** Runs once. It never throws because of the service: a service that does not answer is a failure in the line. */
export const runCanary = async ({
  minutes,
  namespace,
  originSecret,
  writeLine,
  clock,
  ...options
}: CanaryOptions): Promise<void> => {
  const [start, startedAt] = [clock(), options.wall.now()];
  const checks = canaryChecks.filter(({ name }) => minutes >= LEAST_MINUTES_WITH_KEYS || name !== KEY_CHECK);
  const service = createService({
    ...options,
    ...(originSecret !== undefined && { headers: { [CANARY_HEADER]: canaryProof(originSecret) } }),
  });
  const findings = await runChecks(checks, service, {
    clock,
    budgetMilliseconds: BUDGET_MILLISECONDS,
  }).finally(() => service.close());
  const failed = named(findings, 'fail');
  const outages = named(findings, 'provider');
  const metrics = [
    ...(failed.length > 0 ? (['canary_failures'] as const) : []),
    ...(outages.length > 0 ? (['canary_outages'] as const) : []),
  ];
  writeLine(
    JSON.stringify({
      timestamp: new Date(startedAt).toISOString(),
      level: failed.length > 0 ? 'error' : 'info',
      event: 'canary',
      checks: findings.length,
      skipped: named(findings, 'skip').length,
      failed: failed.map(({ check }) => check.name),
      outages: outages.map(({ check }) => check.name),
      faults: failed
        .map(({ check, seen }) => `${check.name}: ${seen[0]}`)
        .join('; ')
        .slice(0, MAX_FAULT_CHARACTERS)
        .toWellFormed(),
      requests: service.answers.length,
      duration_ms: elapsed(start, clock()),
      ...(namespace !== undefined && metrics.length > 0 && withMetrics(metrics, namespace, startedAt)),
    }),
  );
};
