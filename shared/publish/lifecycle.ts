// The deprecated operations as documents show them (spec 9.6): one replacement, or one per value of a parameter.
import { type Lifecycle, lifecycles } from '../contract/lifecycle.ts';
import { type Operation, operationRows, versionedPath } from '../contract/operations.ts';

export type Replacement =
  | { readonly successor: string }
  | { readonly successor_parameter: string; readonly successors: Readonly<Record<string, string>> };

export type DeprecatedOperation = { readonly operation_id: string; readonly path: string } & Lifecycle & Replacement;

const replacementOf = ({ reads }: Operation): Replacement =>
  typeof reads === 'string'
    ? { successor: versionedPath(reads) }
    : {
        successor_parameter: reads.by,
        successors: Object.fromEntries(
          Object.entries(reads.choices).map(([value, read]) => [value, versionedPath(read)]),
        ),
      };

export const deprecatedOperations: readonly DeprecatedOperation[] = operationRows.flatMap(([id, operation]) =>
  operation.lifecycle === undefined
    ? []
    : [{ operation_id: id, path: operation.path, ...lifecycles[operation.lifecycle], ...replacementOf(operation) }],
);
