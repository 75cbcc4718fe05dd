// The deprecated operations as documents show them (spec 9.6): one replacement, or one per value of a parameter.
import { type Lifecycle, lifecycles } from '../contract/lifecycle.ts';
import { type Operation, operationRows, type ReadName } from '../contract/operations.ts';

export type Replacement =
  | { readonly successor: string }
  | { readonly successor_parameter: string; readonly successors: Readonly<Record<string, string>> };

export type DeprecatedOperation = { readonly operation_id: string; readonly path: string } & Lifecycle & Replacement;

const versionedPath = (read: ReadName): string => {
  const row = operationRows.find(([, { kind, reads }]) => kind === 'versioned' && reads === read);
  if (row === undefined) throw new Error(`${read} has no versioned route`);
  return row[1].path;
};

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
