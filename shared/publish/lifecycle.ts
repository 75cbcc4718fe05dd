// Describes the versions and the deprecated operations (requirements: lifecycle). An operation has one successor, or
// one successor per value of a parameter.
import { type Lifecycle, lifecycles, versionPolicy } from '../contract/lifecycle.ts';
import { type Operation, operationRows, versionedPath } from '../contract/operations.ts';

export type Replacement =
  | { readonly successor: string }
  | { readonly successor_parameter: string; readonly successors: Readonly<Record<string, string>> };

export type DeprecatedOperation = { readonly operation_id: string; readonly path: string } & Lifecycle & Replacement;

const replacementOf = ({ useCase }: Operation): Replacement =>
  typeof useCase === 'string'
    ? { successor: versionedPath(useCase) }
    : {
        successor_parameter: useCase.parameter,
        successors: Object.fromEntries(
          Object.entries(useCase.choices).map(([value, name]) => [value, versionedPath(name)]),
        ),
      };

export const deprecatedOperations: readonly DeprecatedOperation[] = operationRows.flatMap(([id, operation]) =>
  operation.lifecycle === undefined
    ? []
    : [{ operation_id: id, path: operation.path, ...lifecycles[operation.lifecycle], ...replacementOf(operation) }],
);

/** The support policy (requirements: lifecycle). */
export const versions = {
  current_major_version: versionPolicy.currentMajorVersion,
  supported_versions: versionPolicy.supportedVersions,
  minimum_support_window_months: versionPolicy.minimumSupportWindowMonths,
  deprecation_signals: versionPolicy.deprecationSignals,
};
