// Lists how the documents describe operations: their summary, the schema of the JSON body, the tag of OpenAPI, the page, and
// the successor of a deprecated operation.
import type { DocumentName } from '../contract/documents.ts';
import type { LambdaName } from '../contract/lambdas.ts';
import { type Lifecycle, lifecycles, versionPolicy } from '../contract/lifecycle.ts';
import { type Operation, operationRows, useCasesOf, versionedPath } from '../contract/operations.ts';
import { useCases } from '../contract/use-cases.ts';
import type { ResourceName } from '../model/resources.ts';
import type { SchemaName } from '../model/schemas.ts';

/** @returns for example `List the posts of a public profile by kind and date (kind=media)` */
export const operationSummary = (operation: Operation): string => {
  const { handle: _, ...fixed } = operation.fixed ?? {};
  const implied = Object.entries(fixed).map(([name, value]) => `${name}=${value}`);
  const summary = useCasesOf(operation)
    .map((name) => useCases[name].summary)
    .join('; ');
  return implied.length === 0 ? summary : `${summary} (${implied.join(', ')})`;
};

/** The tags of operations, with their pages. */
export const resourceTags = {
  Posts: { page: 'posts', description: 'A post with its conversation.' },
  Profiles: { page: 'profiles', description: 'Profiles, followers and followed accounts.' },
  Search: { page: 'search', description: 'Posts or accounts.' },
  Embeds: { page: 'embeds', description: 'oEmbed 1.0.' },
} as const satisfies Readonly<Record<string, { readonly page: DocumentName; readonly description: string }>>;

const tags: Readonly<Partial<Record<LambdaName, keyof typeof resourceTags>>> = {
  posts: 'Posts',
  engagements: 'Posts',
  profiles: 'Profiles',
  search: 'Search',
  oembed: 'Embeds',
};

/** @returns undefined for an alias, which belongs to several */
export const tagOf = ({ lambda }: Operation): keyof typeof resourceTags | undefined => tags[lambda];

type BodyName = `${Capitalize<ResourceName>}Body`;

/** @returns the published name of the JSON body of a resource */
export const bodyName = (resource: ResourceName): BodyName & SchemaName =>
  `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Body` as BodyName; // as Capitalize does

// Describes the versions and the deprecated operations (requirements: lifecycle). An operation has one successor, or
// one successor per value of a parameter.

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
