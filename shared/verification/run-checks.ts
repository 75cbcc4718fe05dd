// Lists the checks, runs them, several at a time, and gathers their results.
import { errorKind, errorMessage } from '../model/json.ts';
import { elapsed } from '../model/time.ts';
import type { Clock } from '../ports/system.ts';
import { type Check, ProviderOutage, Skipped, type Verifier } from './check.ts';
import { cachingChecks } from './checks/caching.ts';
import { documentChecks } from './checks/documents.ts';
import { everyAnswerChecks } from './checks/every-answer.ts';
import { keyChecks } from './checks/keys.ts';
import { lifecycleChecks } from './checks/lifecycle.ts';
import { mcpChecks } from './checks/mcp.ts';
import { methodChecks, negotiationChecks } from './checks/methods.ts';
import { pageChecks } from './checks/pages.ts';
import { problemChecks } from './checks/problems.ts';
import { readChecks } from './checks/reads.ts';
import { edgeChecks, transportChecks } from './checks/transport.ts';
import type { Service } from './service.ts';

/** In the order of the report. */
export const allChecks: readonly Check[] = [
  ...readChecks,
  ...documentChecks,
  ...lifecycleChecks,
  ...methodChecks,
  ...problemChecks,
  ...keyChecks,
  ...cachingChecks,
  ...edgeChecks,
  ...negotiationChecks,
  ...pageChecks,
  ...mcpChecks,
  ...transportChecks,
  ...everyAnswerChecks,
];

/** The checks of the scheduled canary: the reads, and what a faulty deployment breaks first. */
export const canaryChecks: readonly Check[] = allChecks.filter(({ isInCanary = false }) => isInCanary);

/** `provider`: the provider does not answer, and the service says so as it must. */
export type CheckResult = 'pass' | 'fail' | 'skip' | 'provider';

export interface Finding {
  readonly check: Check;
  readonly result: CheckResult;
  /** The faults of a failure, one per element; otherwise one sentence about the answers. */
  readonly seen: readonly string[];
}

export interface RunOptions {
  readonly clock: Clock;
  /** No check starts after so many milliseconds; those that did not start are skipped. */
  readonly budgetMilliseconds: number;
}

const CONCURRENT_CHECKS = 4;

/** More would hide the first. */
const MAX_FAULTS = 4;

const faultText = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? `no answer: ${errorKind(thrown)}` : errorMessage(thrown);

const runCheck = async (check: Check, service: Service): Promise<Finding> => {
  const faults: string[] = [];
  const verifier: Verifier = {
    holds: (condition, fault) => void (condition || faults.push(fault)),
    equals: (seen, expected, subject) => {
      const [left, right] = [JSON.stringify(seen), JSON.stringify(expected)];
      if (left !== right) faults.push(`${subject} is ${left ?? 'absent'}, expected ${right ?? 'none'}`);
    },
  };
  const finding = (result: CheckResult, seen: readonly string[]): Finding => ({ check, result, seen });
  try {
    const seen = await check.run(service, verifier);
    if (faults.length === 0) return finding('pass', [seen]);
  } catch (thrown) {
    if (faults.length === 0 && thrown instanceof Skipped) return finding('skip', [thrown.message]);
    if (faults.length === 0 && thrown instanceof ProviderOutage) return finding('provider', [thrown.message]);
    if (!(thrown instanceof Skipped || thrown instanceof ProviderOutage)) faults.push(faultText(thrown));
  }
  const more = faults.length - MAX_FAULTS;
  return finding('fail', [...faults.slice(0, MAX_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])]);
};

/** @returns one finding per check, in the order of the checks */
export const runChecks = async (
  checks: readonly Check[],
  service: Service,
  { clock, budgetMilliseconds }: RunOptions,
): Promise<readonly Finding[]> => {
  const start = clock();
  const findings = new Map<Check, Finding>();
  const runAll = async (waiting: Check[]): Promise<void> => {
    const work = async (): Promise<void> => {
      for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
        const isLate = elapsed(start, clock()) > budgetMilliseconds;
        findings.set(
          check,
          isLate ? { check, result: 'skip', seen: ['not started: the time is over'] } : await runCheck(check, service),
        );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, work));
  };
  await runAll(checks.filter(({ isLast = false }) => !isLast));
  await runAll(checks.filter(({ isLast = false }) => isLast));
  return checks.flatMap((check) => findings.get(check) ?? []);
};
