// Lists the checks in the order of the report.
import type { Check } from './check.ts';
import { cachingChecks } from './checks/caching.ts';
import { documentChecks } from './checks/documents.ts';
import { edgeChecks } from './checks/edge.ts';
import { everyAnswerChecks } from './checks/every-answer.ts';
import { keyChecks } from './checks/keys.ts';
import { lifecycleChecks } from './checks/lifecycle.ts';
import { mcpChecks } from './checks/mcp.ts';
import { methodChecks } from './checks/methods.ts';
import { negotiationChecks } from './checks/negotiation.ts';
import { pageChecks } from './checks/pages.ts';
import { problemChecks } from './checks/problems.ts';
import { readChecks } from './checks/reads.ts';
import { transportChecks } from './checks/transport.ts';

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
