// Summarizes an operation in a few words. Operations with the same use case differ by what their path implies.
import { type Operation, useCasesOf } from '../contract/operations.ts';
import { useCases } from '../contract/use-cases.ts';

/** @returns for example `List the posts of a public profile by kind and date (kind=media)` */
export const operationSummary = (operation: Operation): string => {
  const { handle: _, ...fixed } = operation.fixed ?? {};
  const implied = Object.entries(fixed).map(([name, value]) => `${name}=${value}`);
  const summary = useCasesOf(operation)
    .map((name) => useCases[name].summary)
    .join('; ');
  return implied.length === 0 ? summary : `${summary} (${implied.join(', ')})`;
};
