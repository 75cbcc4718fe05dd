// Says which requests have a body that the service reads. All others are answered without it.
import { adminOperations, MAX_ADMIN_BODY_BYTES } from './admin-operations.ts';
import { MCP_METHODS } from './headers.ts';
import { MAX_MESSAGE_BYTES } from './mcp.ts';
import { MCP_PATH, matchesTemplate } from './paths.ts';

const METHODS_WITH_BODY: readonly string[] = ['POST', 'PATCH'];

interface BodyRow {
  readonly method: string;
  readonly segments: readonly string[];
  readonly maxBytes: number;
}

const bodyRow = (method: string, path: string, maxBytes: number): readonly BodyRow[] =>
  METHODS_WITH_BODY.includes(method) ? [{ method, segments: path.split('/'), maxBytes }] : [];

const rows: readonly BodyRow[] = [
  ...MCP_METHODS.flatMap((method) => bodyRow(method, MCP_PATH, MAX_MESSAGE_BYTES)),
  ...Object.values(adminOperations).flatMap(({ method, path }) => bodyRow(method, path, MAX_ADMIN_BODY_BYTES)),
];

/** @returns the most bytes of a body that the route takes; undefined: it reads no body */
export const maxBodyBytes = (method: string, path: string): number | undefined => {
  if (!METHODS_WITH_BODY.includes(method)) return undefined;
  const segments = path.split('/');
  return rows.find((row) => row.method === method && matchesTemplate(row.segments, segments))?.maxBytes;
};
