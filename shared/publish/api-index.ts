// Builds /api: the routes, the documents and the versioning object (requirements: lifecycle).

import { documentRows } from '../contract/documents.ts';
import { READ_METHODS } from '../contract/headers.ts';
import { mediaTypes } from '../contract/media-types.ts';
import { operationRows, queryNames } from '../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../contract/placeholders.ts';
import { jsonText } from './json-text.ts';
import { deprecatedOperations, versions } from './lifecycle.ts';
import { operationSummary } from './operation-summary.ts';
import type { Release } from './release.ts';

const routes = operationRows.map(([id, operation]) => ({
  operation_id: id,
  methods: READ_METHODS,
  path: operation.path,
  ...(operation.alsoAt && { also_at: operation.alsoAt }),
  surface: operation.surface,
  summary: operationSummary(operation),
  query_parameters: queryNames(operation),
  deprecated: operation.lifecycle !== undefined,
}));

export const apiIndex = ({ version }: Release): string =>
  jsonText({
    name: 'Postern',
    description: 'Read-only access to public content on X, as Markdown or JSON.',
    version,
    base_url: B,
    authentication: { required: false },
    routes,
    documents: documentRows.map(([, { path, title, type = mediaTypes.html, rel }]) => ({
      href: `${B}${path}`,
      title,
      type,
      ...(rel !== undefined && { rel }),
    })),
    versioning: { ...versions, deprecated_aliases: deprecatedOperations },
  });
