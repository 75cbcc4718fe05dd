// /api: where everything is, and the versioning object (spec 9.6).
import { BASE_URL_PLACEHOLDER } from '../contract/addresses.ts';
import { READ_METHODS } from '../contract/headers.ts';
import { versionPolicy } from '../contract/lifecycle.ts';
import { documentRows, operationRows, queryNames, reads, readsOf } from '../contract/operations.ts';
import { deprecatedOperations } from './lifecycle.ts';

const routes = operationRows.map(([id, operation]) => ({
  operation_id: id,
  methods: READ_METHODS,
  path: operation.path,
  ...(operation.alsoAt && { also_at: operation.alsoAt }),
  surface: operation.kind,
  summary: readsOf(operation)
    .map((read) => reads[read].summary)
    .join('; '),
  query_parameters: queryNames(operation),
  deprecated: operation.lifecycle !== undefined,
}));

export const apiIndex = (version: string): string =>
  `${JSON.stringify(
    {
      name: 'Postern',
      description: 'Read-only access to what is already public on X, as Markdown or JSON.',
      version,
      base_url: BASE_URL_PLACEHOLDER,
      authentication: { required: false },
      routes,
      documents: documentRows.map(([, { path, title }]) => ({ href: `${BASE_URL_PLACEHOLDER}${path}`, title })),
      versioning: {
        current_major_version: versionPolicy.currentMajorVersion,
        supported_versions: versionPolicy.supportedVersions,
        minimum_support_window_months: versionPolicy.minimumSupportWindowMonths,
        deprecation_signals: versionPolicy.deprecationSignals,
        deprecated_aliases: deprecatedOperations,
      },
    },
    null,
    2,
  )}\n`;
