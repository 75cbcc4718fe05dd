// Builds /.well-known/api-catalog (RFC 9727): the APIs of this service as a link set (RFC 9264 section 4.2).
import { type DocumentRow, documents } from '../contract/documents.ts';
import { mediaTypes } from '../contract/media-types.ts';
import { MCP_PATH } from '../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../contract/placeholders.ts';
import { jsonText } from './json-text.ts';

interface Target {
  readonly href: string;
  readonly type: string;
  readonly title: string;
}

const target = ({ path, title, type = mediaTypes.html }: DocumentRow): readonly Target[] => [
  { href: `${B}${path}`, type, title },
];

/** The anchors are the path prefix of the versioned routes, the MCP server, and the catalog itself. */
export const apiCatalog = (): string =>
  jsonText({
    linkset: [
      {
        anchor: `${B}/api/v1`,
        'service-desc': target(documents.openapi),
        'service-doc': target(documents.docs),
        'service-meta': target(documents.apiIndex),
      },
      {
        anchor: `${B}${MCP_PATH}`,
        'service-desc': target(documents.serverCard),
        'service-doc': target(documents.mcp),
      },
      {
        anchor: `${B}${documents.apiCatalog.path}`,
        item: target(documents.apiIndex),
        'service-meta': target(documents.ard),
      },
    ],
  });
